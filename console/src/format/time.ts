// Dates and times in the language of the browser.

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/**
 * `3 min. ago`, `in 2 days`. Less than ten seconds is `just now`, or `now` if it lies ahead. The past is cut to
 * its unit, and the future is rounded.
 */
export function formatAge(time: string | Date, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1_000;
  if (Math.abs(seconds) < 10) return seconds > 0 ? 'now' : 'just now';
  const toWhole = seconds < 0 ? Math.trunc : Math.round;
  for (const [index, [unit, length]] of units.entries()) {
    // 59.7 minutes are `in 1 hr.`: rounded to the next smaller unit, they are as long as the larger one.
    const smaller = units[index + 1]?.[1] ?? 1;
    const rounded = toWhole(seconds / smaller) * smaller;
    if (Math.abs(rounded) >= length) return relative.format(toWhole(rounded / length), unit);
  }
  return relative.format(toWhole(seconds), 'second');
}

/** `The oldest: 3 min. ago`, of what waits. */
export const formatOldest = (ageSeconds: number): string =>
  `The oldest: ${formatAge(new Date(Date.now() - ageSeconds * 1_000))}`;

const weekMs = 604_800_000;
/** Whether only a date says when it is. */
export const isFar = (time: string | Date, now = Date.now()): boolean =>
  Math.abs(new Date(time).getTime() - now) > weekMs;

/** With the time zone: `Nov 22, 2026, 1:37:17 AM UTC`. */
export const formatExactTime = (time: string | Date): string => exact.format(new Date(time));
export const formatDay = (time: string | Date): string => day.format(new Date(time));

/** `45 s`, `12 min`, `3 h`, `2 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
