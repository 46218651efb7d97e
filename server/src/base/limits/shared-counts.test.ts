// Callers above the limit are refused without the database, and never longer than their window.
import { afterEach, expect, it, vi } from 'vitest';
import { type CountedWindow, createSharedCounts } from './shared-counts.ts';

afterEach(() => vi.useRealTimers());

it('L9: a caller above the limit is refused for a second without the database, and no longer than the window lasts', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let secondsLeft = 60;
  let written = 0;
  const count = createSharedCounts({
    window: { requests: 1, windowSeconds: 60 },
    write: async (counted) =>
      counted.map(({ key }) => ({ key, total: ++written, seconds_left: secondsLeft })),
    onFailure: () => {},
  });
  const ask = async () => (await count('a')).exceeded;
  expect([await ask(), await ask(), await ask()]).toEqual([false, true, true]);
  expect(written).toBe(2);
  secondsLeft = 0.2;
  vi.advanceTimersByTime(1_000);
  expect([await ask(), await ask(), written]).toEqual([true, true, 3]);
  // The window has ended.
  vi.advanceTimersByTime(200);
  written = 0;
  expect(await ask()).toBe(false);
});

it('L9: a request waits two seconds for the database, and no other one waits while it is away', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const failures: unknown[] = [];
  const writes: PromiseWithResolvers<CountedWindow[]>[] = [];
  const count = createSharedCounts({
    window: { requests: 2, windowSeconds: 60 },
    write() {
      const writing = Promise.withResolvers<CountedWindow[]>();
      writes.push(writing);
      return writing.promise;
    },
    onFailure: (error) => failures.push(error),
  });
  const first = count('a');
  await vi.waitFor(() => expect(writes).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await first).remaining).toBe(1);
  expect((await count('a')).remaining).toBe(0);
  expect([writes.length, failures.length]).toEqual([1, 1]);
  writes[0]?.reject(new Error('the connection has ended'));
  await Promise.resolve();
  const next = count('b');
  await vi.waitFor(() => expect(writes).toHaveLength(2));
  writes[1]?.resolve([]);
  expect((await next).remaining).toBe(1);
});
