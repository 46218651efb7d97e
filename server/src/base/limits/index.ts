// The entry point of the request limits.
import type { Feature } from '../feature.ts';
import type { Database, OpenDatabase } from '../postgres/database.ts';
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts';
import { createRequestLimits, type Limits, type Window } from './limits.ts';
import { type Counted, createSharedCounts } from './shared-counts.ts';
import { countRequests, deleteEndedWindows, windows } from './store.ts';

export { createFairLine } from './fair-line.ts';
export { createFairQueue } from './fair-queue.ts';
export { createLimit, type Limits, type Window } from './limits.ts';
export { countUse, createSharedQuota } from './shared-quota.ts';
export { createWindowCounts } from './window-counts.ts';

type Options = {
  openDatabase: OpenDatabase;
  window: Window;
  isShared: boolean;
  onFailure: (error: unknown) => void;
};

/** With a short timeout: otherwise the lock of one row would stop all callers. */
const ownConnection = { pool: 'limits', maxConnections: 1, settings: { statement_timeout: '2s' } };

export function createLimits({ openDatabase, window, isShared, onFailure }: Options): Limits & Feature {
  // Quotas of all instances have windows too.
  const tasks = [deleteEndedWindows];
  if (window === 'off' || !isShared) return { ...createRequestLimits(window), tasks };
  const db = openDatabase(ownConnection);
  const write = (counted: readonly Counted[]) => countRequests(db, windows, counted, window.windowSeconds);
  return {
    ...createRequestLimits(window, createSharedCounts({ window, write, onFailure })),
    tasks,
    close: db.close,
  };
}

/** A queue of work that uses the database: what has waited here waits for no second turn. */
export function createDatabaseQueue(db: Database, options: FairQueueOptions) {
  const queue = createFairQueue(options);
  return <T>(group: string, work: () => Promise<T>) => queue.run(group, () => db.withoutTurn(work));
}
