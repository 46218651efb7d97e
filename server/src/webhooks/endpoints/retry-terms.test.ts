// The wishes of endpoints under bounds that the operator has lowered.
import { expect, it } from 'vitest';
import { createRetryTerms } from './retry-terms.ts';

const terms = createRetryTerms({
  retrySchedule: [5_000],
  timeoutMs: 15_000,
  most: { retryTimeMs: 100_000, timeoutMs: 10_000, disableAfterMs: 7_200_000 },
});
const none = { retry_schedule: null, timeout_seconds: null, disable_after_hours: null };

it('W68: null is the value of the platform, also above the bounds', () => {
  expect([terms.schedule(none), terms.timeoutMs(none), terms.disableAfterMs(none)]).toEqual([
    [5_000],
    15_000,
    432_000_000,
  ]);
  expect(terms.longestTimeoutMs).toBe(15_000);
});

it('W68: stored values count as far as the present bounds allow', () => {
  const delays = (...own: number[]) => terms.schedule({ ...none, retry_schedule: own });
  expect([delays(), delays(60, 40), delays(60, 41, 1), delays(101)]).toEqual([
    [],
    [60_000, 40_000],
    [60_000],
    [],
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
