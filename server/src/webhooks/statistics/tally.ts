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

/** The buckets and their counts are in the same order. The bucket `unanswered` counts as an attempt only. */
type Row = Readonly<{
  outcome: string;
  buckets: readonly number[];
  counts: readonly number[];
}>;

export function tally(rows: readonly Row[]): Counts {
  const outcomes: Record<string, number> = {};
  const answered: number[] = [];
  for (const { outcome, buckets, counts } of rows)
    for (const [index, count] of counts.entries()) {
      const bucket = buckets[index] ?? unanswered;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
      if (bucket > unanswered) answered[bucket] = (answered[bucket] ?? 0) + count;
    }
  const { delivered = 0, filtered = 0, ...failures } = outcomes;
  const failed = Object.entries(failures).map(([reason, count]) => ({
    reason: reason as FailureReason,
    count,
  }));
  return {
    attempts: failed.reduce((sum, { count }) => sum + count, delivered),
    delivered,
    failed: failed.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
    p50_ms: percentile(answered, 50),
    p95_ms: percentile(answered, 95),
    filtered,
  };
}

/** The rank of a percentile is the nearest one: half of the answers took p50 or less. */
function percentile(answered: readonly number[], percent: number): number | null {
  const total = answered.reduce((sum, count) => sum + count, 0);
  let upTo = 0;
  const bucket = answered.findIndex((count = 0) => {
    upTo += count;
    return upTo > 0 && upTo * 100 >= percent * total;
  });
  return bucket < 0 ? null : endOfBucket(bucket);
}
