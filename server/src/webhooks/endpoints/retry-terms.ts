// When an endpoint is retried (behaviour W15), how long its attempts last, and when it is disabled: its own wishes
// within the operator's bounds, or the platform's values (behaviour W68).
import { invalidRequest } from '../../base/errors.ts';
import type { Terms } from '../lanes/hand-over.ts';

/** All in milliseconds. */
export type RetrySettings = {
  /**
   * For endpoints without settings of their own: the delay after each failed attempt, and the longest time of an
   * attempt.
   */
  retrySchedule: readonly number[];
  timeoutMs: number;
  /** The most that an endpoint can wish: the sum of its delays, an attempt, and until it is disabled. */
  most: { retryTimeMs: number; timeoutMs: number; disableAfterMs: number };
};
type Wishes = Pick<Terms, 'retry_schedule' | 'timeout_seconds' | 'disable_after_hours'>;

type Failure = {
  /** The number of the failed attempt in its round. The first is 1. */
  attempt: number;
  /** The Retry-After of a 429 or 503. */
  retryAfterMs?: number | undefined;
  /** Between 0 and 1. */
  random: number;
};

const jitter = 0.2;
const hourMs = 3_600_000;
/** Endpoints without a wish are disabled after five days of failures. */
const disableAfterHours = 120;

export type RetryTerms = ReturnType<typeof createRetryTerms>;

/** What was stored under wider bounds counts as far as the present ones allow. */
export const createRetryTerms = ({ retrySchedule, timeoutMs, most }: RetrySettings) => ({
  /**
   * The milliseconds until the next attempt; null after the last one. Retry-After counts between one and
   * ten steps.
   */
  nextDelay({ retry_schedule: own }: Wishes, { attempt, retryAfterMs, random }: Failure): number | null {
    const schedule = own === null ? retrySchedule : startOf(own, most.retryTimeMs);
    const step = schedule[attempt - 1];
    if (step === undefined) return null;
    if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, step), 10 * step);
    return Math.round(step * (1 - jitter + 2 * jitter * random));
  },
  timeoutMs: ({ timeout_seconds: own }: Wishes): number =>
    own === null ? timeoutMs : Math.min(own * 1_000, most.timeoutMs),
  /** Any attempt ends within this time. */
  longestTimeoutMs: Math.max(timeoutMs, most.timeoutMs),
  disableAfterMs: ({ disable_after_hours: own }: Wishes): number =>
    own === null ? disableAfterHours * hourMs : Math.min(own * hourMs, most.disableAfterMs),

  /** @throws ServiceError invalid_request: a wish is above the bounds */
  requireAllowed({ retry_schedule, timeout_seconds, disable_after_hours }: Partial<Wishes>): void {
    const requireAtMost = (name: string, verb: string, wished: number | null | undefined, bound: number) => {
      if ((wished ?? 0) > bound)
        throw invalidRequest(`/${name}`, `must ${verb} at most ${Math.floor(bound)} on this platform`);
    };
    const sum = retry_schedule?.reduce((all, each) => all + each, 0);
    requireAtMost('retry_schedule', 'add up to', sum, most.retryTimeMs / 1_000);
    requireAtMost('timeout_seconds', 'be', timeout_seconds, most.timeoutMs / 1_000);
    requireAtMost('disable_after_hours', 'be', disable_after_hours, most.disableAfterMs / hourMs);
  },

  /** For people who choose: what null means, and the most that can be chosen. */
  described: {
    retry_schedule: retrySchedule.map((ms) => ms / 1_000),
    timeout_seconds: timeoutMs / 1_000,
    disable_after_hours: disableAfterHours,
    most_retry_seconds: Math.floor(most.retryTimeMs / 1_000),
    most_timeout_seconds: Math.floor(most.timeoutMs / 1_000),
    most_disable_after_hours: Math.floor(most.disableAfterMs / hourMs),
  },
});

/** The first delays that add up to at most this. */
function startOf(seconds: readonly number[], mostMs: number): readonly number[] {
  let sumMs = 0;
  const delays = seconds.map((each) => each * 1_000);
  const end = delays.findIndex((delay) => {
    sumMs += delay;
    return sumMs > mostMs;
  });
  return end < 0 ? delays : delays.slice(0, end);
}
