// Account changes in the audit log. Those that commit inside better-auth have one row for the intent, and another
// for the outcome.
import { type Actor, type AuditEntry, type Changes, recordAction } from '../audit/index.ts';
import type { Database, Queryable } from '../base/postgres/database.ts';

/** What a person does to their own account. */
export const recordOwn = (on: Queryable, entry: Omit<AuditEntry, 'partnerId' | 'target'>): Promise<void> =>
  recordAction(on, { ...entry, partnerId: null, target: entry.actor.userId });

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
      recordOwn(db, { actor, action, outcome, changes });
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
