// Deliveries that waited for paused endpoints.
import type { Case } from '../case.ts';
import { bodyRequest } from '../load.ts';
import { startStage } from '../stage.ts';
import { costOf } from '../usage.ts';
import { createPartner, publishBatch, untilRecorded } from '../webhooks.ts';

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
    /** Seconds from the first resumed endpoint to the last arrival. */
    async function drain(events: number): Promise<number> {
      const arrived = receiver.arrived(events * target.endpointIds.length);
      const { startedAt } = await setAll('resume');
      const { last } = await arrived;
      await untilRecorded(stage);
      return (last - startedAt) / 1_000;
    }
    const events = context.quick ? 20 : 200;
    await publishBatch(api, target, 20);
    await drain(20);
    await setAll('pause');
    await publishBatch(api, target, events);
    const deliveries = events * target.endpointIds.length;
    const { result: seconds, use } = await stage.observe(() => drain(events));
    return [
      {
        name: 'backlog',
        value: deliveries / seconds,
        unit: 'deliveries/s',
        cost: costOf(use, 'delivery', deliveries),
      },
    ];
  },
};
