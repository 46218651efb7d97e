// A count of many pending deliveries takes long, so it serves everybody who asks soon after.
import { keepLast } from '../../../base/keep-last.ts';

/** They take about ten milliseconds to count. */
const many = 10_000;
const keptMs = 10_000;
/** Each has the counts of 100 endpoints at most. */
const maxKept = 100;

/** `key` says what is counted. */
export function createKeptCounts<Counts extends readonly { readonly pending: number }[]>(
  nowMs = () => performance.now(),
) {
  const kept = new Map<string, Readonly<{ counts: Counts; untilMs: number }>>();
  return async (key: string, count: () => Promise<Counts>): Promise<Counts> => {
    const known = kept.get(key);
    if (known && known.untilMs > nowMs()) return known.counts;
    const counts = await count();
    const isLarge = counts.reduce((sum, { pending }) => sum + pending, 0) >= many;
    if (isLarge) keepLast(kept, key, { counts, untilMs: nowMs() + keptMs }, maxKept);
    return counts;
  };
}
