// The fair queue: turns, bounds, and callers who leave. Work ends when the test opens its gate.
import { expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

function setUp({ concurrency = 1, concurrencyPerGroup = 20, maxQueued = 100, maxQueuedPerGroup = 20 } = {}) {
  const queue = createFairQueue({
    name: 'test',
    concurrency,
    concurrencyPerGroup,
    maxQueued,
    maxQueuedPerGroup,
    retryAfterSeconds: 5,
  });
  const started: string[] = [];
  const refused: string[] = [];
  const gates: (() => void)[] = [];
  const settled: Promise<void>[] = [];
  function add(name: string, gone?: AbortSignal): void {
    const work = () => {
      started.push(name);
      return new Promise<void>((resolve) => gates.push(resolve));
    };
    settled.push(
      queue.run(name.charAt(0), work, gone).catch(({ code }) => void refused.push(`${name} ${code}`)),
    );
  }
  /** Lets all work end, one after the other. */
  async function drain(): Promise<void> {
    const all = Promise.all(settled);
    let ended = false;
    void all.then(() => {
      ended = true;
    });
    while (!ended) {
      gates.shift()?.();
      await Promise.resolve();
    }
  }
  return { add, drain, started, refused, settled, gates };
}

it('L3: groups take turns, so a caller waits for one of each other group and not for a whole flood', async () => {
  const { add, drain, started } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) add(name);
  await drain();
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4']);
});

it('L3: no more runs at once than the concurrency allows, and an error frees its place', async () => {
  const queue = createFairQueue({
    name: 'test',
    concurrency: 2,
    maxQueued: 9,
    maxQueuedPerGroup: 9,
    retryAfterSeconds: 5,
  });
  let running = 0;
  let most = 0;
  const fail = async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    throw new Error('failed');
  };
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => queue.run('a', fail)));
  expect([most, results.every(({ status }) => status === 'rejected')]).toEqual([2, true]);
  expect(await queue.run('a', async () => 'still works')).toBe('still works');
});

it('L3: a group runs no more at once than its share, and others pass it', async () => {
  const { add, drain, started, settled, gates } = setUp({ concurrency: 2, concurrencyPerGroup: 1 });
  for (const name of ['a1', 'b1', 'a2', 'b2']) add(name);
  await Promise.resolve();
  gates.pop()?.();
  await settled[1];
  await drain();
  expect(started).toEqual(['a1', 'b1', 'b2', 'a2']);
});

it('L3: a group has a bounded number of waiting requests, and the newest is refused', async () => {
  const { add, drain, started, refused } = setUp({ maxQueuedPerGroup: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) add(name);
  await drain();
  expect([started, refused]).toEqual([['a1', 'a2', 'b1', 'a3'], ['a4 rate_limited']]);
});

it('L3: a newcomer takes the place of the newest request of the longest group, unless no group waits with more', async () => {
  const { add, drain, started, refused } = setUp({ maxQueued: 4 });
  for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'c1', 'd1', 'e1']) add(name);
  await drain();
  expect(refused.toSorted()).toEqual(['a2 rate_limited', 'a3 rate_limited', 'e1 rate_limited']);
  expect(started).toEqual(['a0', 'a1', 'b1', 'c1', 'd1']);
});

it('L3: the work of a caller who leaves while waiting never runs, and its place is free', async () => {
  const { add, drain, started, refused } = setUp({ maxQueuedPerGroup: 1 });
  const caller = new AbortController();
  add('a1');
  add('a2', caller.signal);
  caller.abort();
  add('a4', caller.signal);
  add('a3');
  await drain();
  expect(started).toEqual(['a1', 'a3']);
  expect(refused.toSorted()).toEqual(['a2 rate_limited', 'a4 rate_limited']);
});
