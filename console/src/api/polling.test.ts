import { expect, it } from 'vitest';
import { pollMs } from './polling.ts';

it('B50: reads every second what somebody waits for, and every 10 s after a minute', () => {
  const waiting = { isLive: false, isSearching: false, isWaiting: true };
  expect([0, 59, 60, 10_000].map((reads) => pollMs({ ...waiting, reads }))).toEqual([
    1_000, 1_000, 10_000, 10_000,
  ]);
});

it('B50: reads lists every 10 s, except a search that has found nothing so far', () => {
  const list = { isSearching: false, isWaiting: false, reads: 60 };
  expect(pollMs({ ...list, isLive: true })).toBe(10_000);
  expect(pollMs({ ...list, isLive: true, isSearching: true })).toBe(false);
  expect(pollMs({ ...list, isLive: false })).toBe(false);
});
