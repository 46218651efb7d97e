// The door of the request limits.
import type { Feature } from '../feature.ts';
import type { Database } from '../postgres/database.ts';
import { createRequestLimits, type Limits, type Window } from './limits.ts';
import { createSharedCounts } from './shared-counts.ts';
import { countRequests, deleteEndedWindows } from './store.ts';

export { createLimit, type Limits, type Window } from './limits.ts';

type Options = {
  db: Database;
  window: Window;
  /** The window holds for all instances. */
  isShared: boolean;
  /** Called when the database begins to fail to count. */
  onFailure: (error: unknown) => void;
};

/** The limit of all requests (rule L1). */
export function createLimits({ db, window, isShared, onFailure }: Options): Limits & Feature {
  if (window === 'off' || !isShared) return createRequestLimits(window);
  const write = (counted: Parameters<typeof countRequests>[1]) => countRequests(db.pipelined, counted, window.windowSeconds);
  return { ...createRequestLimits(window, createSharedCounts({ window, write, onFailure })), tasks: [deleteEndedWindows] };
}
