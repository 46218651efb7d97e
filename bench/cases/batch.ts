// Events that are published in batches.
import type { Case } from '../case.ts';
import { bodyRequest } from '../load.ts';
import { startStage } from '../stage.ts';
import { costOf } from '../usage.ts';
import { connections, createPartners, event, untilRecorded } from '../webhooks.ts';

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
      bodyRequest('POST', `/partners/${partnerId}/events/batch`, stage.api.token, Array(size).fill(event)),
    );
    /** Seconds from the first request to the last arrival. */
    async function publish(events: number): Promise<number> {
      const arrived = stage.receiver.arrived(events);
      const { startedAt } = await stage.load({ requests, connections, count: events / size });
      const { last } = await arrived;
      await untilRecorded(stage);
      return (last - startedAt) / 1_000;
    }
    const events = context.quick ? 2_000 : 20_000;
    await publish(events / 10);
    const { result: seconds, use } = await stage.observe(() => publish(events));
    return [{ name: 'batch', value: events / seconds, unit: 'events/s', cost: costOf(use, 'event', events) }];
  },
};
