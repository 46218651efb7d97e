// Scheduled tasks of the history.
import type { Database } from '../../../base/postgres/database.ts';
import type { ScheduledTask } from '../../../base/postgres/scheduled-tasks.ts';
import { deletionTask } from '../../../base/postgres/sql/deletion.ts';
import { oldRequests } from '../../tools/sandbox-receiver/store.ts';
import { continueCancellation } from '../deliveries/store.ts';
import { oldReplays } from '../replays/store.ts';
import * as store from './store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Creates the partitions of this week and the next two. Call it before the first event. */
export const ensurePartitions = (db: Database) => store.makePartitions(db, { mayWait: true });

/** Each task is a transaction of its own, or several, so that a failing one does not undo others. */
export const historyTasks = (db: Database, retentionMs: number): readonly ScheduledTask[] => [
  {
    name: 'make webhook partitions',
    intervalMs: hourMs,
    run: () => store.makePartitions(db, { mayWait: false }),
  },
  {
    name: 'drop webhook partitions',
    intervalMs: hourMs,
    run: () => store.dropPartition(db, retentionMs),
  },
  {
    name: 'give up waiting deliveries',
    intervalMs: minuteMs,
    run: (tx) => store.giveUpWaiting(tx, retentionMs),
  },
  {
    name: 'cancel waiting deliveries',
    intervalMs: minuteMs,
    run: (tx) => continueCancellation(tx, store.stepsAtOnce),
  },
  deletionTask({
    name: 'delete old producer ids',
    intervalMs: minuteMs,
    of: [store.oldProducerIds],
  }),
  deletionTask({ name: 'delete old replays', intervalMs: hourMs, of: [oldReplays(retentionMs)] }),
  deletionTask({
    name: 'delete old requests to sandbox receivers',
    intervalMs: hourMs,
    of: [oldRequests(retentionMs)],
  }),
];
