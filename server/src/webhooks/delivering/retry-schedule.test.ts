// The retry schedule and Retry-After.
import { expect, it } from 'vitest';
import { parseSchedule } from '../../base/config-values.ts';
import { nextDelay, readRetryAfter } from './retry-schedule.ts';

const defaultSchedule = '5s,1m,5m,30m,2h,5h,10h,14h,20h,24h';

it('W15: eleven attempts over three days, each delay with 20 % jitter', () => {
  const schedule = parseSchedule(defaultSchedule);
  expect(schedule).toHaveLength(10);
  expect(schedule.reduce((sum, delay) => sum + delay)).toBeGreaterThan(3 * 86_400_000);
  for (const [index, delay] of schedule.entries()) {
    const due = (random: number) => nextDelay(schedule, { attempt: index + 1, random });
    expect([due(0), due(0.5), due(1)]).toEqual([delay * 0.8, delay, delay * 1.2]);
  }
  expect(nextDelay(schedule, { attempt: 11, random: 0.5 })).toBeNull();
});

it('W15: Retry-After is honoured between once and ten times the step', () => {
  const due = (retryAfterMs: number) => nextDelay([60_000], { attempt: 1, retryAfterMs, random: 0 });
  expect([due(1_000), due(90_000), due(86_400_000)]).toEqual([60_000, 90_000, 600_000]);
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(readRetryAfter('120', now)).toBe(120_000);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000);
  expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  for (const value of [undefined, '', 'soon', '-1', '1.5', '2026-01-01'])
    expect(readRetryAfter(value, now)).toBeUndefined();
});

it('W15: the setting takes ms, s, m, h and d, and refuses other text', () => {
  expect(parseSchedule('500ms, 5s,1m,2h')).toEqual([500, 5_000, 60_000, 7_200_000]);
  for (const text of ['', '5', 's', '5y', '5s,,1m', '-5s', Array(51).fill('1s').join(), '366d'])
    expect(() => parseSchedule(text)).toThrow();
});
