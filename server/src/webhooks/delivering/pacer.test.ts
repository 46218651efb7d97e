// When a pass runs: after a wake, after the pause it asked for, and not after a fault or a stop.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPacer } from './pacer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A pacer whose passes take no time, and the moment of each. */
function started(pass: () => Promise<number> = async () => 500) {
  const begin = performance.now();
  const passes: number[] = [];
  const faults: unknown[] = [];
  const pacer = createPacer({
    pass: () => {
      passes.push(performance.now() - begin);
      return pass();
    },
    onFault: (error) => faults.push(error),
  });
  pacer.start();
  return { pacer, passes, faults };
}

it('W19: a wake starts a pass at once', async () => {
  const { pacer, passes } = started();
  await advance(100);
  pacer.wake();
  await advance(0);
  expect(passes).toEqual([0, 100]);
});

it('W19: without a wake a pass runs after the pause that the last pass asked for', async () => {
  const pauses = [500, 30, 500];
  const { passes } = started(async () => pauses.shift() ?? 500);
  await advance(1_029);
  expect(passes).toEqual([0, 500, 530]);
  await advance(1);
  expect(passes).toEqual([0, 500, 530, 1_030]);
});

it('W19: passes are at least 10 ms apart, however often it is woken', async () => {
  const { pacer, passes } = started();
  for (let ms = 0; ms < 35; ms++) {
    pacer.wake();
    pacer.wake();
    await advance(1);
  }
  expect(passes).toEqual([0, 10, 20, 30]);
  const hurried = started(async () => -1);
  await advance(20);
  expect(hurried.passes).toEqual([0, 10, 20]);
});

it('W19: a wake during a pass leads to another pass, and two never run at once', async () => {
  const ends: ((pauseMs: number) => void)[] = [];
  const { pacer, passes } = started(() => new Promise((resolve) => ends.push(resolve)));
  await advance(100);
  pacer.wake();
  pacer.wake();
  await advance(100);
  expect(passes).toEqual([0]);
  ends[0]?.(500);
  await advance(10);
  expect(passes).toEqual([0, 210]);
  ends[1]?.(500);
  await advance(499);
  expect(passes).toEqual([0, 210]);
});

it('W18: after a fault no pass runs for a second, whoever wakes it, and then it goes on', async () => {
  const fault = new Error('the database is away');
  let failing = true;
  const { pacer, passes, faults } = started(async () => {
    if (failing) throw fault;
    return 500;
  });
  await advance(0);
  expect(faults).toEqual([fault]);
  failing = false;
  pacer.wake();
  await advance(999);
  expect(passes).toEqual([0]);
  await advance(1);
  expect(passes).toEqual([0, 1_000]);
  pacer.wake();
  await advance(10);
  expect(passes).toEqual([0, 1_000, 1_010]);
});

it('W18: a stop waits for the running pass, and no pass follows', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const { pacer, passes } = started(() => promise);
  await advance(0);
  let stopped = false;
  const stop = pacer.stop().then(() => {
    stopped = true;
  });
  pacer.wake();
  await advance(5_000);
  expect([passes, stopped]).toEqual([[0], false]);
  resolve(0);
  await stop;
  pacer.wake();
  await advance(5_000);
  expect(passes).toEqual([0]);
});

it('W18: a stop between two passes ends at once', async () => {
  const { pacer, passes } = started();
  await advance(0);
  await pacer.stop();
  await advance(5_000);
  expect(passes).toEqual([0]);
});
