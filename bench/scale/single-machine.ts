// The measured machine in the simulation: the loads of `spread`, `fanout` and `idle` (bench/cases/), which
// the test compares with the record.
import { chosen, costsWith } from './assumptions.ts';
import { createClock } from './clock.ts';
import { createShard } from './shard.ts';

export type Load = {
  readonly events: number;
  readonly partners: number;
  readonly endpointsEach: number;
  /** Each sends its next request when it has the answer to the last one. */
  readonly connections: number;
  /** Each connection waits so long after an answer. */
  readonly pauseMs?: number;
};

export const loads = {
  spread: { events: 20_000, partners: 100, endpointsEach: 1, connections: 64 },
  fanout: { events: 200, partners: 1, endpointsEach: 100, connections: 64 },
  idle: { events: 300, partners: 1, endpointsEach: 1, connections: 1, pauseMs: 20 },
} as const satisfies Record<string, Load>;

export type Measured = {
  /** From the first request to the last arrival. */
  deliveriesPerSecond: number;
  /** From a request to the first arrival of its event: the mean. */
  firstByteMs: number;
  groupSize: number;
};

export function runSingleMachine(
  load: Load,
  { cores, signatureMs }: { cores: number; signatureMs: number },
): Measured {
  const clock = createClock();
  let sent = 0;
  let groups = 0;
  let arrivals = 0;
  let lastArrivalMs = 0;
  let firstByteSumMs = 0;
  const shard = createShard({
    clock,
    shape: { kind: 'one machine', cores },
    costs: costsWith({ signatureMs }),
    fsyncMs: chosen.fsyncMs,
    receiverAnswerMs: 0,
    concurrencyOf: () => 8,
    onArrival({ sentAtMs }) {
      arrivals++;
      lastArrivalMs = clock.nowMs;
      firstByteSumMs += clock.nowMs - sentAtMs;
    },
    onGroup() {
      groups++;
    },
  });
  function sendNext(): void {
    if (sent === load.events) return;
    const partner = sent++ % load.partners;
    const answer = () => clock.after(load.pauseMs ?? 0, sendNext);
    shard.publish({ partner, endpoints: load.endpointsEach, sentAtMs: clock.nowMs, answer });
  }
  for (let index = 0; index < load.connections; index++) sendNext();
  clock.run();
  if (arrivals !== load.events * load.endpointsEach) throw new Error(`${arrivals} deliveries arrived`);
  return {
    deliveriesPerSecond: (arrivals * 1_000) / lastArrivalMs,
    firstByteMs: firstByteSumMs / arrivals,
    groupSize: load.events / groups,
  };
}
