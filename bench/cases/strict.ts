// One endpoint that gets its deliveries one after the other.
import { setTimeout as delay } from 'node:timers/promises';
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { now } from '../statistics.ts';
import { costOf } from '../usage.ts';
import { createPartner, event, publishBatch, untilRecorded } from '../webhooks.ts';

const perSecond = 15;

export const strict: Case = {
  name: 'strict',
  about: `deliveries a second of a strict endpoint that answers at once, and how long an attempt waits at ${perSecond} events a second`,
  limitMinutes: 5,
  async measure(context) {
    const stage = await startStage(context);
    const { api, receiver, sql } = stage;
    const target = await createPartner(api, 1, receiver.url, { ordering: 'strict' });
    async function drain(events: number): Promise<number> {
      const arrived = receiver.arrived(events);
      const start = now();
      for (let sent = 0; sent < events; sent += 100) await publishBatch(api, target, 100);
      const { last } = await arrived;
      await untilRecorded(stage);
      return (last - start) / 1_000;
    }
    const [events, paced] = context.quick ? [200, 75] : [1_000, 450];
    await drain(100);
    const { result: seconds, use } = await stage.observe(() => drain(events));
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
      {
        name: 'strict',
        value: events / seconds,
        unit: 'deliveries/s',
        cost: costOf(use, 'delivery', events),
      },
      { name: 'strict wait p95', value: Number(rows[0].p95), unit: 'ms' },
    ];
  },
};
