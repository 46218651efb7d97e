// Labels are round on the clocks of the browser, also on a day of 23 hours.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatTicks, timeTicks, valueTicks } from './ticks.ts';

const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

const at = (text: string) => Date.parse(text);
const shown = (ticks: readonly number[]) => ticks.map((tick) => new Date(tick).toISOString().slice(0, 16));

it('times are round, and fit', () => {
  expect(shown(timeTicks(at('2026-07-01T07:03Z'), at('2026-07-01T12:59Z'), 6))).toEqual([
    '2026-07-01T08:00',
    '2026-07-01T09:00',
    '2026-07-01T10:00',
    '2026-07-01T11:00',
    '2026-07-01T12:00',
  ]);
  // The clocks go forward in the night to the 29th.
  expect(shown(timeTicks(at('2026-03-27T23:00Z'), at('2026-03-31T00:00Z'), 5))).toEqual([
    '2026-03-27T23:00',
    '2026-03-28T23:00',
    '2026-03-29T22:00',
    '2026-03-30T22:00',
  ]);
  for (const days of [1 / 24, 0.3, 1, 5, 56, 400])
    expect(timeTicks(0, days * 86_400_000, 10).length).toBeLessThanOrEqual(11);
});

it('no time has two labels where clocks are put forward', () => {
  expect(shown(timeTicks(at('2026-03-28T23:30Z'), at('2026-03-29T03:00Z'), 8))).toEqual([
    '2026-03-28T23:30',
    '2026-03-29T00:00',
    '2026-03-29T00:30',
    '2026-03-29T01:00',
    '2026-03-29T01:30',
    '2026-03-29T02:00',
    '2026-03-29T02:30',
    '2026-03-29T03:00',
  ]);
});

it('values are round and whole, so that no two labels are the same', () => {
  expect(valueTicks(1.1, 5)).toEqual([0, 1]);
  expect(valueTicks(2.2, 4)).toEqual([0, 1, 2]);
  expect(valueTicks(973, 5)).toEqual([0, 200, 400, 600, 800]);
  expect(valueTicks(50, 5)).toEqual([0, 10, 20, 30, 40, 50]);
});

it('the first label of a day has the day', () => {
  const ticks = timeTicks(at('2026-07-01T18:00Z'), at('2026-07-02T06:00Z'), 4);
  expect(formatTicks(ticks).map(({ length }) => length)).toEqual([2, 1, 1, 1]);
});
