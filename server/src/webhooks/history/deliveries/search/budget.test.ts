import { expect, it } from 'vitest';
import { createBudget } from './budget.ts';

/** The windows of a page whose statements take so long for each row. */
function windowsOf(bounds: { rows: number; ms: number }, msOfRow: number, least = 0): number[] {
  let nowMs = 0;
  const budget = createBudget(bounds, least, () => nowMs);
  const windows: number[] = [];
  for (let window = budget.next(); window > 0; window = budget.next()) {
    windows.push(window);
    nowMs += window * msOfRow;
    budget.spend(window);
  }
  return windows;
}

it('W29: a page examines more with each statement, and ends after 100,000 deliveries', () => {
  const windows = windowsOf({ rows: 100_000, ms: 15 }, 0);
  expect(windows).toEqual([1_000, 4_000, 16_000, 20_000, 20_000, 20_000, 19_000]);
  expect(windowsOf({ rows: 10_000, ms: 150 }, 0, 2_500)).toEqual([2_500, 7_500]);
});

it('W29: a page ends in time when deliveries are read slowly, after one statement at least', () => {
  expect(windowsOf({ rows: 100_000, ms: 15 }, 1)).toEqual([1_000]);
  expect(windowsOf({ rows: 100_000, ms: 15 }, 0.002)).toEqual([1_000, 4_000, 2_500]);
  expect(windowsOf({ rows: 100_000, ms: 15 }, 0.01)).toEqual([1_000, 500]);
});
