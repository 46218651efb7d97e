// When a failed attempt is made again (behaviour W15).

const jitter = 0.2;

type Failure = {
  /** Which attempt of this round failed: 1 is the first. */
  attempt: number;
  /** What the receiver asked for, with 429 or 503. */
  retryAfterMs?: number | undefined;
  /** Between 0 and 1. */
  random: number;
};

/** After how many milliseconds the next attempt is due; null when there is none any more. What was asked for counts from one step to two. */
export function nextDelay(schedule: readonly number[], { attempt, retryAfterMs, random }: Failure): number | null {
  const step = schedule[attempt - 1];
  if (step === undefined) return null;
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, step), 2 * step);
  return Math.round(step * (1 - jitter + 2 * jitter * random));
}

/** Retry-After (RFC 9110, section 10.2.3): seconds, or a date; undefined when it is neither. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000;
  const date = /^[A-Z][a-z]{2,8}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
