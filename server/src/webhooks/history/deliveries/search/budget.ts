// How much one page of a search examines: a number of rows, and a time.

/** How many rows a statement examines: few at first, since most filters match many. */
const firstWindow = 1_000;
const largestWindow = 20_000;
const growth = 4;
/** Planning a statement for fewer rows takes longer than reading them. */
const smallestWindow = 500;

/** `least`: the first window has at least so many rows. `nowMs`: a clock that never goes back. */
export function createBudget(
  { rows, ms }: { rows: number; ms: number },
  least: number,
  nowMs: () => number = () => performance.now(),
) {
  const startedAt = nowMs();
  let window = Math.max(firstWindow, least);
  let left = rows;
  let examined = 0;

  return {
    /** The rows of the next statement, as fast as those before. 0: the page ends. */
    next(): number {
      const passedMs = nowMs() - startedAt;
      const inTime = examined === 0 ? window : ((ms - passedMs) * examined) / passedMs;
      const rowsNext = Math.floor(Math.min(window, largestWindow, left, inTime));
      return rowsNext < Math.min(smallestWindow, left) ? 0 : rowsNext;
    },
    spend(count: number) {
      examined += count;
      left -= count;
      window *= growth;
    },
  };
}
