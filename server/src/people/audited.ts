// Account changes in the audit log. They commit inside better-auth, so one row records the intent, and
// another the outcome.
import { type Actor, type Changes, recordAction } from '../audit/index.ts';
import type { Database } from '../base/postgres/database.ts';

/** `changesOf`: the members that the change has changed, for the row of its success. */
export type Audited = <T>(
  actor: Actor,
  action: string,
  change: () => Promise<T>,
  changesOf: (result: T) => Changes,
) => Promise<T>;

/** A crash in between leaves only the intent in the log. */
export function createAudited({ db }: { db: Database }): Audited {
  return async (actor, action, change, changesOf) => {
    const record = (outcome: 'intended' | 'done' | 'failed', changes: Changes = {}) =>
      recordAction(db, { actor, partnerId: null, action, target: actor.userId, outcome, changes });
    await record('intended');
    const result = await change().catch(async (error: unknown) => {
      // The first error is the one to report.
      await record('failed').catch(() => {});
      throw error;
    });
    await record('done', changesOf(result));
    return result;
  };
}
