// What statistics do: count attempts while their results are recorded, and answer for a period. Tasks sum up and forget.
import type { Queryable } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import { bucketOf, endOfBucket, unanswered } from './latency.ts';
import { type FailureReason, outcomeOf } from './outcome.ts';
import type { Period } from './period.ts';
import * as store from './store.ts';

/** What counts about an attempt, as the history has it. */
export type RecordedAttempt = { durationMs: number; statusCode: number | null; error: string | null };

/** How statistics count the attempt. */
export const toCounted = (attempt: RecordedAttempt): { outcome: string; bucket: number } => ({
  outcome: outcomeOf(attempt),
  bucket: attempt.statusCode === null ? unanswered : bucketOf(attempt.durationMs),
});

type Counts = {
  attempts: number;
  delivered: number;
  failed: { reason: FailureReason; count: number }[];
  /** Null: no attempt was answered. */
  p50_ms: number | null;
  p95_ms: number | null;
};
export type Statistics = Counts & { steps: (Counts & { at: string })[] };

/** By endpoint, or with the key null. A scope without attempts has no entry. */
export async function readStatistics(on: Queryable, scope: store.Scope, period: Period): Promise<Map<string | null, Statistics>> {
  const rows = await store.selectCounts(on, scope, period);
  return new Map(
    [...Map.groupBy(rows, ({ endpoint_id }) => endpoint_id)].map(([endpointId, all]) => {
      const total = all.find(({ at }) => at === null);
      const steps = all.flatMap((row) => (row.at ? [{ at: row.at.toISOString(), ...toCounts(row) }] : []));
      return [endpointId, { ...(total ? toCounts(total) : noCounts), steps }];
    }),
  );
}

const noCounts: Counts = { attempts: 0, delivered: 0, failed: [], p50_ms: null, p95_ms: null };
export const nothing: Statistics = { ...noCounts, steps: [] };

const toCounts = ({ attempts, delivered, failed, p50, p95 }: store.CountRow): Counts => ({
  attempts,
  delivered,
  failed: Object.entries(failed)
    .map(([reason, count]) => ({ reason: reason as FailureReason, count }))
    .toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
  p50_ms: p50 === null ? null : endOfBucket(p50),
  p95_ms: p95 === null ? null : endOfBucket(p95),
});

const minuteMs = 60_000;

export const statisticsTasks = (retentionMs: number): readonly ScheduledTask[] => [
  { name: 'sum up statistics by the hour', intervalMs: 5 * minuteMs, run: store.foldHours },
  {
    name: 'delete old statistics',
    intervalMs: minuteMs,
    async run(tx) {
      await store.deleteOldMinutes(tx);
      await store.deleteOldHours(tx, retentionMs);
    },
  },
];
