// How long an event takes from its publication to the first byte at the receiver, when nothing else goes on.
import { setTimeout as delay } from 'node:timers/promises';
import type { Case } from '../case.ts';
import { startPostgres, startProcess } from '../concord.ts';
import { now, percentile } from '../statistics.ts';
import { createPartner, event, startApi, startReceiver, webhookSettings } from '../webhooks.ts';

export const webhookLatency: Case = {
  name: 'webhook_latency',
  about: 'from publishing an event to the first byte at the receiver, one event at a time',
  rounds: 3,
  limitMinutes: 10,
  async setUp(context) {
    const postgres = await startPostgres(context, webhookSettings);
    const databaseUrl = await postgres.createDatabase(context);
    const receiver = await startReceiver(context);
    const api = await startApi(context, databaseUrl);
    const partnerId = await createPartner(api, 1, receiver.url);
    const [events, warmUp] = context.quick ? [60, 10] : [300, 50];
    return [
      {
        name: 'idle',
        unit: 'ms',
        async measure(scope) {
          await startProcess(scope, { databaseUrl, role: 'worker' });
          const times: number[] = [];
          for (let n = 0; n < events; n++) {
            await delay(20);
            const start = now();
            await api.post(`/partners/${partnerId}/events`, event);
            await receiver.untilArrived(1);
            times.push(((await receiver.arrivals())[0] ?? 0) - start);
          }
          const measured = times.slice(warmUp);
          return { p50: percentile(measured, 0.5), p95: percentile(measured, 0.95) };
        },
      },
    ];
  },
};
