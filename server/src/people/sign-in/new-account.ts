// The account of a sign-up, which begins when a link from a mail has proven the address.
import type { Actor } from '../../audit/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { recordOwn } from '../audited.ts';
import * as users from '../users/store.ts';
import { changesOf } from '../users/user.ts';
import { deleteSignUps } from './store.ts';

/** `passwordHash` null: the person signs in with a provider. */
type NewAccount = { name: string; email: string; passwordHash: string | null };

/** Returns the id of the user. Null: the address has an account. */
export async function createAccount(
  tx: Transaction,
  { name, email, passwordHash }: NewAccount,
  actorOf: (userId: string) => Actor,
) {
  const userId = await users.insertUser(tx, { name, email, verified: true, role: 'user' });
  if (userId === undefined) return null;
  if (passwordHash !== null) await users.setPassword(tx, userId, passwordHash);
  await deleteSignUps(tx, email);
  const user = await users.selectUser(tx, userId);
  const { changes, personal } = changesOf(null, user ? users.toUser(user) : null);
  const actor = actorOf(userId);
  await recordOwn(tx, { actor, action: 'account.create', changes, personal: { changes: personal } });
  return userId;
}
