// How long an event takes when nothing else goes on.
import { setTimeout as delay } from 'node:timers/promises';
import type { Case } from '../case.ts';
import { startStage } from '../stage.ts';
import { now, percentile } from '../statistics.ts';
import { costOf } from '../usage.ts';
import { createPartner, event } from '../webhooks.ts';

export const idle: Case = {
  name: 'idle',
  about: 'one event at a time: from its request to the first byte at the receiver',
  limitMinutes: 5,
  async measure(context) {
    const { api, receiver, observe, quick } = await startStage(context);
    const { partnerId } = await createPartner(api, 1, receiver.url);
    async function deliverOne(): Promise<number> {
      await delay(20);
      const arrived = receiver.arrived(1);
      const start = now();
      await api.post(`/partners/${partnerId}/events`, event);
      return (await arrived).first - start;
    }
    const [events, warmUp] = quick ? [50, 20] : [1_000, 100];
    for (let n = 0; n < warmUp; n++) await deliverOne();
    const { result: times, use } = await observe(async () => {
      const each: number[] = [];
      for (let n = 0; n < events; n++) each.push(await deliverOne());
      return each;
    });
    return [
      { name: 'idle p50', value: percentile(times, 0.5), unit: 'ms', cost: costOf(use, 'event', events) },
      { name: 'idle p99', value: percentile(times, 0.99), unit: 'ms' },
      { name: 'idle max', value: Math.max(...times), unit: 'ms' },
    ];
  },
};
