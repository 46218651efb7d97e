// Where the axes of a chart have labels, and what the labels say.

const minutes = [1, 2, 5, 10, 15, 30];
const hours = [1, 2, 3, 6, 12];
const days = [1, 2, 7, 14, 28, 56];
/** Between labels of times, in minutes. */
const spans = [...minutes, ...hours.map((n) => n * 60), ...days.map((n) => n * 1_440)];

/**
 * At most `most` round times from `first` to `last`, counted from the beginning of the first day, as clocks here
 * show it.
 */
export function timeTicks(first: number, last: number, most: number): number[] {
  const longest = spans.at(-1) ?? 1;
  const span = spans.find((each) => (last - first) / (each * 60_000) <= most) ?? longest;
  const from = new Date(first);
  const tickAt = (n: number) =>
    new Date(from.getFullYear(), from.getMonth(), from.getDate(), 0, n * span).getTime();
  const ticks: number[] = [];
  // Clocks that are put forward show the skipped hour as the next one.
  for (let n = 0, at = tickAt(n); at <= last; at = tickAt(++n))
    if (at >= first && at > (ticks.at(-1) ?? -Infinity)) ticks.push(at);
  return ticks;
}

/** About `most` round values from 0 to `highest`. They are whole: labels show no half attempt or millisecond. */
export function valueTicks(highest: number, most: number): number[] {
  const least = Math.max(highest / Math.max(1, most), 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? least;
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, n) => n * step);
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** The lines of each label, in the language of the browser. The first one of a day has the day. */
export function formatTicks(ticks: readonly number[]): string[][] {
  return ticks.map((tick, index) => {
    const at = new Date(tick);
    const before = index === 0 ? null : new Date(ticks[index - 1] ?? tick);
    const isNewDay = before === null || at.getDate() !== before.getDate();
    if (at.getHours() === 0 && at.getMinutes() === 0) return [date.format(at)];
    return isNewDay ? [clock.format(at), date.format(at)] : [clock.format(at)];
  });
}
