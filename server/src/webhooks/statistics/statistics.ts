// What statistics do: count attempts, and answer for a period. Tasks sum up and forget.
import type { Feature } from '../../base/feature.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { deletionTask } from '../../base/postgres/sql/deletion.ts';
import { bucketOf, unanswered } from './latency.ts';
import { outcomeOf } from './outcome.ts';
import { minuteMs, type Period } from './period.ts';
import * as store from './store.ts';
import { type Counts, tally } from './tally.ts';

type RecordedAttempt = { durationMs: number; statusCode: number | null; error: string | null };

export const toCounted = ({ durationMs, statusCode, error }: RecordedAttempt) => ({
  outcome: outcomeOf(statusCode, error),
  bucket: statusCode === null ? unanswered : bucketOf(durationMs),
});

export type Statistics = Counts & { steps: (Counts & { at: string })[] };

/** By endpoint, or with the key null. A scope without attempts has no entry. */
export async function readStatistics(
  on: Queryable,
  scope: store.Scope,
  period: Period,
): Promise<Map<string | null, Statistics>> {
  const rows = await store.selectCounts(on, scope, period);
  return new Map(
    [...Map.groupBy(rows, ({ endpoint_id }) => endpoint_id)].map(([endpointId, all]) => {
      const bySteps = [...Map.groupBy(all, ({ at }) => at.getTime())];
      const steps = bySteps.map(([at, ofStep]) => ({ at: new Date(at).toISOString(), ...tally(ofStep) }));
      return [endpointId, { ...tally(all), steps }];
    }),
  );
}

export const nothing: Statistics = { ...tally([]), steps: [] };

/** `retentionMs`: how long the history is kept, and with it the sums of hours. */
export const createStatistics = ({ retentionMs }: { retentionMs: number }): Feature => ({
  tasks: [
    {
      name: 'count filtered events',
      intervalMs: 5_000,
      hasWork: store.hasFiltered,
      run: store.moveFiltered,
    },
    { name: 'sum up statistics by the hour', intervalMs: 5 * minuteMs, run: store.foldHours },
    deletionTask({
      name: 'delete old statistics',
      intervalMs: minuteMs,
      of: [store.oldMinutes, store.oldHours(retentionMs)],
    }),
  ],
});
