// Events that are published in batches.
import type { Case } from '../case.ts';
import { connections } from '../requests.ts';
import { startStage } from '../stage.ts';
import { batchRequest, createPartners, deliver, rateOf, warmUp } from '../webhooks.ts';

const size = 100;

export const batch: Case = {
  name: 'batch',
  about:
    '20,000 events to 100 partners with an endpoint each, 100 events a request: first request to last arrival',
  limitMinutes: 5,
  yardstick: 'single_insert',
  async measure(context) {
    const stage = await startStage(context);
    const requests = (await createPartners(stage)).map(({ partnerId }) =>
      batchRequest(stage.api, partnerId, size),
    );
    const publish = (events: number) =>
      deliver(stage, events, () => stage.load({ requests, connections, count: events / size }));
    const events = stage.quick ? 2_000 : 20_000;
    await publish(events * warmUp);
    return [rateOf('batch', 'event', events, await stage.observe(() => publish(events)))];
  },
};
