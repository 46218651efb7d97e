// When a failed attempt is retried (behaviour W15).

const jitter = 0.2;

type Failure = {
  /** The number of the failed attempt in its round. The first is 1. */
  attempt: number;
  /** The Retry-After of a 429 or 503. */
  retryAfterMs?: number | undefined;
  /** Between 0 and 1. */
  random: number;
};

/**
 * The milliseconds until the next attempt; null after the last one. Retry-After counts between one and
 * ten steps.
 */
export function nextDelay(
  schedule: readonly number[],
  { attempt, retryAfterMs, random }: Failure,
): number | null {
  const step = schedule[attempt - 1];
  if (step === undefined) return null;
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, step), 10 * step);
  return Math.round(step * (1 - jitter + 2 * jitter * random));
}

/** Retry-After (RFC 9110, section 10.2.3), seconds or a date, in milliseconds. Undefined if it is neither. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000;
  const date = /^[A-Z][a-z]{2,8}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
