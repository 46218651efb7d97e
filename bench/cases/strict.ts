// One endpoint that gets its deliveries one after the other.
import { setTimeout as delay } from 'node:timers/promises';
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { now } from '../statistics.ts';
import { createPartner, deliver, event, publishBatch, rateOf, untilRecorded } from '../webhooks.ts';

const perSecond = 15;

export const strict: Case = {
  name: 'strict',
  about: `deliveries a second of a strict endpoint that answers at once, and how long an attempt waits at ${perSecond} events a second`,
  limitMinutes: 5,
  async measure(context) {
    const stage = await startStage(context);
    const { api, receiver, sql, quick } = stage;
    const target = await createPartner(api, 1, receiver.url, { ordering: 'strict' });
    const drain = (events: number) =>
      deliver(stage, events, () => publishBatch(stage, target, 100, events / 100));
    const [events, paced] = quick ? [200, 75] : [1_000, 450];
    await drain(100);
    const observed = await stage.observe(() => drain(events));
    const { rows: before } = await sql.query('select concord_now() as now');
    const publishing: Promise<unknown>[] = [];
    for (let n = 0; n < paced; n++) {
      publishing.push(api.post(`/partners/${target.partnerId}/events`, event));
      await delay(1_000 / perSecond);
    }
    await Promise.all(publishing);
    await untilRecorded(stage);
    const { rows } = await sql.query(
      `select percentile_cont(0.95) within group (order by extract(epoch from attempt.started_at - event.created_at) * 1000) as p95
       from attempt join delivery on delivery.id = delivery_id join event on event.id = event_id where event.created_at >= $1`,
      [before[0].now],
    );
    return [
      rateOf('strict', 'delivery', events, observed),
      { name: 'strict wait p95', value: Number(rows[0].p95), unit: 'ms' },
    ];
  },
};

export const strictBatches: Case = {
  name: 'strict_batches',
  about: 'deliveries a second of a strict endpoint that gets batches of 100 and answers after 20 ms',
  limitMinutes: 5,
  async measure(context) {
    const stage = await startStage(context);
    const batch = { max_events: 100, max_wait_seconds: 0.1 };
    const url = `${stage.receiver.url}/slow`;
    const target = await createPartner(stage.api, 1, url, { ordering: 'strict', batch });
    async function drain(events: number) {
      const start = now();
      await publishBatch(stage, target, 1_000, events / 1_000);
      await untilRecorded(stage);
      return { seconds: (now() - start) / 1_000 };
    }
    const events = stage.quick ? 4_000 : 40_000;
    await drain(1_000);
    return [rateOf('strict batches', 'delivery', events, await stage.observe(() => drain(events)))];
  },
};
