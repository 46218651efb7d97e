import { expect, it } from 'vitest';
import { pollMs } from './polling.ts';

it('B50: reads every second what somebody waits for, and every 10 s after a minute', () => {
  const waiting = { isLive: false, isWaiting: true };
  expect([0, 59, 60, 10_000].map((reads) => pollMs({ ...waiting, reads }))).toEqual([
    1_000, 1_000, 10_000, 10_000,
  ]);
  expect(pollMs({ isLive: true, isWaiting: false, reads: 60 })).toBe(10_000);
  expect(pollMs({ isLive: false, isWaiting: false, reads: 1 })).toBe(false);
});
