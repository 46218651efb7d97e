// The deletion of a person: blanks what names them in every feature, then deletes the user. One transaction,
// which the caller has begun.
import { selectPartnersOf } from '../../access/index.ts';
import { type Actor, type Changes, erasePersonal, recordForPartners } from '../../audit/index.ts';
import type { ErasePerson } from '../../base/feature.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { selectAddresses } from './addresses.ts';
import * as store from './store.ts';
import { removed } from './user.ts';

type By = { actor: Actor; action: string; details?: object };

/**
 * Lock the user first. `tell` runs when nothing else waits for the address. Undefined: there is no such user.
 */
export type DeletePerson = (
  tx: Transaction,
  userId: string,
  by: By,
  tell?: (email: string) => Promise<void>,
) => Promise<{ user: store.UserRow; changes: Changes } | undefined>;

export const createDeletePerson =
  (erase: ErasePerson): DeletePerson =>
  async (tx, userId, by, tell) => {
    const user = await store.selectUser(tx, userId);
    if (user === undefined) return undefined;
    const emails = await selectAddresses(tx, user);
    await erase(tx, { userId, names: await store.selectKnownNames(tx, userId), emails });
    await tell?.(user.email);
    // The deletion removes the agreements too.
    await recordForPartners(tx, { ...by, target: userId }, await selectPartnersOf(tx, userId));
    await store.deleteUser(tx, userId);
    // Last, since the rows above have the address of the actor.
    await erasePersonal(tx, userId, emails);
    return { user, changes: removed(user) };
  };
