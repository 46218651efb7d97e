import { expect, it } from 'vitest';
import { formatAge, isFar } from './time.ts';

const now = Date.parse('2026-11-23T00:00:00Z');
const minute = 60_000;
const day = 1_440 * minute;
const ages = (...times: number[]) => times.map((ms) => formatAge(new Date(now + ms), now));

it('B59: a time in the future is rounded to its unit', () => {
  expect(
    ages(90 * day - 1_500, 90 * day, 59.7 * minute, 23.8 * 60 * minute, day - 5_000, 2.6 * day, 59_800),
  ).toEqual([...['in 3 mo.', 'in 3 mo.', 'in 1 hr.', 'in 1 day', 'in 1 day', 'in 3 days', 'in 1 min.']]);
  expect(ages(5_000, 10_000)).toEqual(['now', 'in 10 sec.']);
  expect(ages(30.4 * day, 29.8 * day, 364.9 * day, 11 * minute + 31_000)).toEqual([
    'in 1 mo.',
    'in 1 mo.',
    'in 12 mo.',
    'in 12 min.',
  ]);
});

it('B59: a time in the past is cut to its unit', () => {
  expect(ages(-5_000, -59_900, -59.9 * minute, -1.9 * day, -90 * day + 2_000)).toEqual([
    ...['just now', '59 sec. ago', '59 min. ago', '1 day ago', '2 mo. ago'],
  ]);
});

it('B59: a date is needed for what is more than a week away', () => {
  expect([8 * day, -8 * day, 6 * day, -6 * day].map((ms) => isFar(new Date(now + ms), now))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
