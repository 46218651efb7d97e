// Adds counts up by outcome and by bucket of the latency, and answers with percentiles. Pure.
import { endOfBucket, unanswered } from './latency.ts';
import type { FailureReason } from './outcome.ts';

export type Counts = {
  attempts: number;
  delivered: number;
  failed: { reason: FailureReason; count: number }[];
  /** Null: no attempt was answered. */
  p50_ms: number | null;
  p95_ms: number | null;
  /** Events that filters kept from endpoints. They have no attempt. */
  filtered: number;
};
export const noCounts: Counts = {
  attempts: 0,
  delivered: 0,
  failed: [],
  p50_ms: null,
  p95_ms: null,
  filtered: 0,
};

export function createTally() {
  const outcomes = new Map<string, number>();
  const answered: number[] = [];

  /** The rank of a percentile is the nearest one: half of the answers took p50 or less. */
  function percentile(percent: number): number | null {
    const total = answered.reduce((sum, count) => sum + count, 0);
    let upTo = 0;
    const bucket = answered.findIndex((count = 0) => {
      upTo += count;
      return upTo > 0 && upTo * 100 >= percent * total;
    });
    return bucket < 0 ? null : endOfBucket(bucket);
  }

  return {
    /**
     * Adds buckets and their counts, in the same order. The bucket `unanswered` counts as an attempt only.
     */
    add(outcome: string, buckets: readonly number[], counts: readonly number[]): void {
      let sum = 0;
      for (let index = 0; index < buckets.length; index++) {
        const [bucket = unanswered, count = 0] = [buckets[index], counts[index]];
        sum += count;
        if (bucket > unanswered) answered[bucket] = (answered[bucket] ?? 0) + count;
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + sum);
    },

    counts(): Counts {
      const { delivered = 0, filtered = 0, ...failures } = Object.fromEntries(outcomes);
      const failed = Object.entries(failures).map(([reason, count]) => ({
        reason: reason as FailureReason,
        count,
      }));
      return {
        attempts: failed.reduce((sum, { count }) => sum + count, delivered),
        delivered,
        failed: failed.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
        p50_ms: percentile(50),
        p95_ms: percentile(95),
        filtered,
      };
    },
  };
}
