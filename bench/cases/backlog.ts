// Deliveries that waited for paused endpoints.
import type { Case } from '../case.ts';
import { bodyRequest } from '../load.ts';
import { startStage } from '../stage.ts';
import { createPartner, deliver, publishBatch, rateOf } from '../webhooks.ts';

export const backlog: Case = {
  name: 'backlog',
  about: '20,000 deliveries that wait for 100 paused endpoints: first endpoint that resumes to last arrival',
  limitMinutes: 5,
  yardstick: 'p384_async',
  async measure(context) {
    const stage = await startStage(context);
    const { api, receiver } = stage;
    const target = await createPartner(api, 100, receiver.url);
    const setAll = (action: 'pause' | 'resume') => {
      const path = (id: string) => `/partners/${target.partnerId}/webhook-endpoints/${id}/${action}`;
      const requests = target.endpointIds.map((id) => bodyRequest('POST', path(id), api.token, {}));
      return stage.load({ requests, connections: 8, count: requests.length });
    };
    const drain = (events: number) =>
      deliver(stage, events * target.endpointIds.length, () => setAll('resume'));
    const events = stage.quick ? 20 : 200;
    await publishBatch(stage, target, 20);
    await drain(20);
    await setAll('pause');
    await publishBatch(stage, target, events);
    const observed = await stage.observe(() => drain(events));
    return [rateOf('backlog', 'delivery', events * target.endpointIds.length, observed)];
  },
};
