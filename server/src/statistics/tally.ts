// Adds counts up by outcome and by bucket of the latency, and answers with percentiles. Pure.
import { endOfBucket } from './latency.ts';
import type { FailureReason } from './outcome.ts';

export type Counts = {
  attempts: number;
  delivered: number;
  failed: { reason: FailureReason; count: number }[];
  /** Null: no attempt was answered. */
  p50_ms: number | null;
  p95_ms: number | null;
};
export const noCounts: Counts = { attempts: 0, delivered: 0, failed: [], p50_ms: null, p95_ms: null };

export function createTally() {
  const outcomes = new Map<string, number>();
  /** By bucket. */
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
    /** Adds buckets and their counts, written like `{1,2}`. A bucket below 0 had no answer. */
    add(outcome: string, buckets: string, counts: string): void {
      const numbers = counts.slice(1, -1).split(',').map(Number);
      for (const [index, text] of buckets.slice(1, -1).split(',').entries()) {
        const [bucket, count = 0] = [Number(text), numbers[index]];
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
        if (bucket >= 0) answered[bucket] = (answered[bucket] ?? 0) + count;
      }
    },

    counts(): Counts {
      const failed = [...outcomes].flatMap(([reason, count]) =>
        reason === 'delivered' ? [] : [{ reason: reason as FailureReason, count }],
      );
      return {
        attempts: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
        delivered: outcomes.get('delivered') ?? 0,
        failed: failed.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
        p50_ms: percentile(50),
        p95_ms: percentile(95),
      };
    },
  };
}
