// When endpoints are retried, and their wishes under bounds that the operator has lowered.
import { expect, it } from 'vitest';
import { parseSchedule } from '../../base/config-values.ts';
import { createRetryTerms } from './retry-terms.ts';

const most = { retryTimeMs: 100_000, timeoutMs: 10_000, disableAfterMs: 7_200_000 };
const terms = createRetryTerms({ retrySchedule: [5_000], timeoutMs: 15_000, most });
const none = { retry_schedule: null, timeout_seconds: null, disable_after_hours: null };

/** Without jitter. Null: no further attempt. */
const delay = (own: number[] | null, attempt: number) =>
  terms.nextDelay({ ...none, retry_schedule: own }, { attempt, random: 0.5 });

it('W15: eleven attempts over three days, each delay with 20 % jitter', () => {
  const retrySchedule = parseSchedule('5s,1m,5m,30m,2h,5h,10h,14h,20h,24h');
  const byDefault = createRetryTerms({ retrySchedule, timeoutMs: 15_000, most });
  expect(retrySchedule).toHaveLength(10);
  expect(retrySchedule.reduce((sum, each) => sum + each)).toBeGreaterThan(3 * 86_400_000);
  for (const [index, each] of retrySchedule.entries()) {
    const due = (random: number) => byDefault.nextDelay(none, { attempt: index + 1, random });
    expect([due(0), due(0.5), due(1)]).toEqual([each * 0.8, each, each * 1.2]);
  }
  expect(byDefault.nextDelay(none, { attempt: 11, random: 0.5 })).toBeNull();
});

it('W15: the setting takes ms, s, m, h and d, and refuses other text', () => {
  expect(parseSchedule('500ms, 5s,1m,2h')).toEqual([500, 5_000, 60_000, 7_200_000]);
  for (const text of ['', '5', 's', '5y', '5s,,1m', '-5s', Array(51).fill('1s').join(), '366d'])
    expect(() => parseSchedule(text)).toThrow();
});

it('W15: Retry-After is honoured between once and ten times the step', () => {
  const due = (retryAfterMs: number) => terms.nextDelay(none, { attempt: 1, retryAfterMs, random: 0 });
  expect([due(1_000), due(9_000), due(86_400_000)]).toEqual([5_000, 9_000, 50_000]);
});

it('W68: null is the value of the platform, also above the bounds', () => {
  expect([delay(null, 1), delay(null, 2)]).toEqual([5_000, null]);
  expect([terms.timeoutMs(none), terms.disableAfterMs(none)]).toEqual([15_000, 432_000_000]);
  expect(terms.longestTimeoutMs).toBe(15_000);
});

it('W68: stored values count as far as the present bounds allow', () => {
  const delays = (...own: number[]) => own.map((_, index) => delay(own, index + 1));
  expect([delays(), delays(60, 40), delays(60, 41, 1), delays(101)]).toEqual([
    [],
    [60_000, 40_000],
    [60_000, null, null],
    [null],
  ]);
  expect([5, 11].map((own) => terms.timeoutMs({ ...none, timeout_seconds: own }))).toEqual([5_000, 10_000]);
  expect([1, 3].map((own) => terms.disableAfterMs({ ...none, disable_after_hours: own }))).toEqual([
    3_600_000, 7_200_000,
  ]);
});

it('W68: a wish above a bound is refused with its pointer and the bound', () => {
  const refused = (wish: object) => () => terms.requireAllowed(wish);
  for (const allowed of [{}, none, { retry_schedule: [60, 40], timeout_seconds: 10, disable_after_hours: 2 }])
    expect(refused(allowed)).not.toThrow();
  for (const [wish, pointer, bound] of [
    [{ retry_schedule: [60, 41] }, '/retry_schedule', 100],
    [{ timeout_seconds: 11 }, '/timeout_seconds', 10],
    [{ disable_after_hours: 3 }, '/disable_after_hours', 2],
  ] as const)
    expect(refused(wish)).toThrow(
      expect.objectContaining({
        faults: [expect.objectContaining({ pointer, message: expect.stringContaining(`at most ${bound} `) })],
      }),
    );
});
