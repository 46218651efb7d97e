// Callers above the limit are refused without the database, and never longer than their window.
import { afterEach, expect, it, vi } from 'vitest';
import { createSharedCounts } from './shared-counts.ts';

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
