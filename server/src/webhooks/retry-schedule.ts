// When a failed attempt is made again (behaviour W15).

/** 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: eleven attempts over three days. */
export const defaultSchedule = '5s,1m,5m,30m,2h,5h,10h,14h,20h,24h';

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const jitter = 0.2;

/** The delays in milliseconds: `n` entries make `n + 1` attempts. @throws Error that says what is expected */
export function parseSchedule(text: string): readonly number[] {
  const delays = text.split(',').map((entry) => {
    const [, amount, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(entry.trim()) ?? [];
    if (amount === undefined) throw new Error(`"${entry.trim()}" is no delay: write 500ms, 5s, 1m or 2h, separated by commas`);
    return Number(amount) * unitMs[unit as keyof typeof unitMs];
  });
  if (delays.length > 50) throw new Error('has more than 50 delays');
  return delays;
}

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
