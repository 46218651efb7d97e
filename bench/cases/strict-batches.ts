// One endpoint that gets its deliveries in order, in batches, and answers after 20 ms.
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { now } from '../statistics.ts';
import { costOf } from '../usage.ts';
import { createPartner, publishBatch, untilRecorded } from '../webhooks.ts';

export const strictBatches: Case = {
  name: 'strict_batches',
  about: 'deliveries a second of a strict endpoint that gets batches of 100 and answers after 20 ms',
  limitMinutes: 5,
  async measure(context) {
    const stage = await startStage(context);
    const { api, receiver } = stage;
    const batch = { max_events: 100, max_wait_seconds: 0.1 };
    const target = await createPartner(api, 1, `${receiver.url}/slow`, { ordering: 'strict', batch });
    async function drain(events: number): Promise<number> {
      const start = now();
      for (let sent = 0; sent < events; sent += 1_000) await publishBatch(api, target, 1_000);
      await untilRecorded(stage);
      return (now() - start) / 1_000;
    }
    const events = context.quick ? 4_000 : 40_000;
    await drain(1_000);
    const { result: seconds, use } = await stage.observe(() => drain(events));
    return [
      {
        name: 'strict batches',
        value: events / seconds,
        unit: 'deliveries/s',
        cost: costOf(use, 'delivery', events),
      },
    ];
  },
};
