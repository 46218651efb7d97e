// Account changes in the audit log: they commit inside better-auth, so a row before says what is intended, and one after how it ended.
import { type Actor, recordAction } from '../audit/index.ts';
import type { Database } from '../postgres/database.ts';

export type Audited = <T>(actor: Actor, action: string, change: () => Promise<T>) => Promise<T>;

/** When the process dies in between, or the database is away, the intent is left: somebody looks at what became of it. */
export function createAudited({ db }: { db: Database }): Audited {
  return async (actor, action, change) => {
    const record = (outcome: 'intended' | 'done' | 'failed') =>
      recordAction(db, { actor, partnerId: null, action, target: actor.userId, outcome });
    await record('intended');
    const result = await change().catch(async (error: unknown) => {
      // What went wrong first is what is told.
      await record('failed').catch(() => {});
      throw error;
    });
    await record('done');
    return result;
  };
}
