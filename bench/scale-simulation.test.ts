// The simulation of docs/scaling.md, against the recorded numbers and against itself.
import { expect, test } from 'vitest';
import { recorded } from './scale/assumptions.ts';
import { type Plan, runSharded } from './scale/sharded.ts';
import { type Load, loads, runSingleMachine } from './scale/single-machine.ts';

const { cores, nativeSignatureMs, nodeSignatureMs } = recorded;
const run = (load: Load, signatureMs: number = nativeSignatureMs) =>
  runSingleMachine(load, { cores, signatureMs });

/** Within 20 % of the recorded number. */
function expectNear(simulated: number, record: number): void {
  expect(simulated).toBeGreaterThan(record * 0.8);
  expect(simulated).toBeLessThan(record * 1.2);
}

test('the single machine has the recorded rates of spread and fanout, with both signers', () => {
  expectNear(run(loads.spread).deliveriesPerSecond, recorded.spread.eventsPerSecond);
  expectNear(run(loads.fanout).deliveriesPerSecond, recorded.fanout.deliveriesPerSecond);
  expectNear(
    run(loads.spread, nodeSignatureMs).deliveriesPerSecond,
    recorded.spreadWithNodeSigner.eventsPerSecond,
  );
  expectNear(
    run(loads.fanout, nodeSignatureMs).deliveriesPerSecond,
    recorded.fanoutWithNodeSigner.deliveriesPerSecond,
  );
});

test('an event alone takes the recorded time, and groups under load have the recorded size', () => {
  expectNear(run(loads.idle).firstByteMs, recorded.idle.firstByteMs);
  expectNear(run(loads.spread).groupSize, recorded.groupSize);
  expect(run(loads.idle).groupSize).toBe(1);
});

const plan: Plan = {
  ...{
    seed: 1,
    shards: 2,
    postgresCores: 2,
    apis: 1,
    workers: 1,
    eventsPerSecond: 1_000,
    seconds: 5,
    partners: 200,
    zipf: 0.5,
  },
  ...{ fsyncMs: 0.5, receiverAnswerMs: 20, strict: false, failSeconds: 0, grow: false },
};
const phase = (of: Plan, name: string) => {
  const found = runSharded(of).phases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no phase "${name}"`);
  return found;
};

test('the same seed has the same outcome, and another seed another one', () => {
  expect(runSharded(plan)).toEqual(runSharded(plan));
  expect(runSharded({ ...plan, seed: 2 })).not.toEqual(runSharded(plan));
});

test('a steady load is delivered as it is published, and overload is left over', () => {
  const steady = phase(plan, 'steady');
  expect(steady.deliveredPerSecond).toBeGreaterThan(950);
  expect(steady.deliveredPerSecond).toBeLessThan(1_050);
  expect(steady.backlog).toBeLessThan(100);
  const overload = phase({ ...plan, eventsPerSecond: 20_000 }, 'steady');
  expect(overload.deliveredPerSecond).toBeLessThan(15_000);
  expect(overload.backlog).toBeGreaterThan(20_000);
});

test('more shards carry what is too much for one', () => {
  const load = { ...plan, eventsPerSecond: 6_000 };
  expect(phase({ ...load, shards: 1 }, 'steady').deliveredPerSecond).toBeLessThan(4_500);
  expect(phase({ ...load, shards: 4 }, 'steady').deliveredPerSecond).toBeGreaterThan(5_700);
});

test('one strict endpoint gets one delivery after the other, on any hardware', () => {
  const strict = { ...plan, strict: true, zipf: 1 };
  const { busiestPartner } = runSharded({ ...strict, shards: 8, postgresCores: 32 });
  // 17 % of 1,000 events a second, for five seconds; at most 50 a second can be delivered.
  expect(busiestPartner.backlog).toBeGreaterThan(500);
  expect(runSharded({ ...plan, zipf: 1 }).busiestPartner.backlog).toBeLessThan(50);
});

test('while a database is away, its requests are refused; everything arrives after its return', () => {
  const outcome = runSharded({ ...plan, seconds: 15, failSeconds: 2 });
  const names = outcome.phases.map(({ name }) => name);
  expect(names).toEqual(['steady', 'database away', 'recovering', 'recovered']);
  const [steady, away, recovering, recovered] = outcome.phases;
  expect(steady?.refused).toBe(0);
  expect(away?.refused).toBeGreaterThan(500);
  expect(away?.deliveredPerSecond).toBeLessThan(700);
  expect(recovering?.publishMs.p99).toBeGreaterThan(1_000);
  expect(outcome.recoverySeconds).toBeGreaterThan(0.5);
  expect(outcome.recoverySeconds).toBeLessThan(5);
  expect(recovered?.backlog).toBeLessThan(100);
});

test('half of the partners move to new shards, and events wait less', () => {
  const { phases, moved } = runSharded({ ...plan, eventsPerSecond: 4_000, seconds: 10, grow: true });
  expect(phases.map(({ name }) => name)).toEqual(['steady', 'moving', 'moved']);
  expect(moved?.partners).toBeGreaterThan(70);
  expect(moved?.partners).toBeLessThan(130);
  const [steady, moving, after] = phases;
  expect(moving?.refused).toBeGreaterThan(0);
  expect(after?.refused).toBeLessThan(5);
  // Batches shrink when there is less to do, so a share of CPU would hide it.
  expect(after?.groupSize ?? 0).toBeLessThan((steady?.groupSize ?? 0) * 0.8);
  expect(after?.deliveryMs.p50 ?? 0).toBeLessThan((steady?.deliveryMs.p50 ?? 0) * 0.9);
});
