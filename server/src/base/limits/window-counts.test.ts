// Windows of requests: when they end, and how many are kept.
import { expect, it } from 'vitest';
import { createWindowCounts } from './window-counts.ts';

it('L1: a window starts with the first request of its key and ends on its own', () => {
  let now = 0;
  const counts = createWindowCounts({ requests: 2, windowSeconds: 10, nowMs: () => now });
  expect(counts.count('a')).toEqual({ remaining: 1, secondsLeft: 10, exceeded: false });
  now = 4_000;
  expect(counts.isExhausted('a')).toBe(false);
  expect(counts.count('a')).toEqual({ remaining: 0, secondsLeft: 6, exceeded: false });
  expect(counts.isExhausted('a')).toBe(true);
  expect(counts.count('a')).toEqual({ remaining: 0, secondsLeft: 6, exceeded: true });
  expect(counts.count('b').remaining).toBe(1);
  now = 10_000;
  expect(counts.isExhausted('a')).toBe(false);
  expect(counts.count('a')).toEqual({ remaining: 1, secondsLeft: 10, exceeded: false });
});

it('L1: the number of counted addresses is bounded; the oldest window gives way', () => {
  let now = 0;
  const counts = createWindowCounts({ requests: 1, windowSeconds: 10, keys: 3, nowMs: () => now });
  for (const key of ['a', 'b', 'c', 'd']) counts.count(key);
  expect(['a', 'b', 'c', 'd'].map(counts.isExhausted)).toEqual([false, true, true, true]);
  // A window that starts anew is the youngest again.
  now = 10_000;
  for (const key of ['c', 'e', 'f']) counts.count(key);
  expect(['c', 'd', 'e', 'f'].map(counts.isExhausted)).toEqual([true, false, true, true]);
});
