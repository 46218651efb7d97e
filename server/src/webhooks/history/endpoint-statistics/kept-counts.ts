// A count of many pending deliveries takes long, so it serves everybody who asks soon after.
import { createKept } from '../../../base/keep-last.ts';

/** They take about ten milliseconds to count. */
const many = 10_000;
const keptMs = 10_000;
/** Each has the counts of 100 endpoints at most. */
const maxKept = 100;

/** `key` says what is counted. */
export function createKeptCounts<Counts extends readonly { readonly pending: number }[]>(
  nowMs?: () => number,
) {
  const kept = createKept<Counts>(keptMs, maxKept, nowMs);
  return async (key: string, count: () => Promise<Counts>): Promise<Counts> => {
    const known = kept.get(key);
    if (known) return known;
    const counts = await count();
    if (counts.reduce((sum, { pending }) => sum + pending, 0) >= many) kept.set(key, counts);
    return counts;
  };
}
