// A change that people make to their own account.
import type { Caller } from '../../access/index.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { lockOwnUser } from './store.ts';

/**
 * Locks the user, so that changes of one account run one at a time, and then decides access again: a change of the
 * password or of the second factor that commits meanwhile comes before.
 */
export const changeOwn = <T>(
  db: Database,
  { principal, recheck }: Caller,
  work: (tx: Transaction, caller: Caller) => Promise<T>,
) =>
  db.transaction(async (tx) => {
    await lockOwnUser(tx, principal.userId);
    return work(tx, await recheck(tx));
  });
