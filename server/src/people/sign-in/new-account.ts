// The account of a sign-up, which begins when a link from a mail has proven the address.
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../audit/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { byLink } from '../by-link.ts';
import * as users from '../users/store.ts';
import { changesOf, toUser } from '../users/user.ts';
import { deleteSignUps } from './store.ts';

type NewAccount = { name: string; email: string; passwordHash: string };

/** False: the address has an account. `link`: what the mail was about. */
export async function createAccount(
  tx: Transaction,
  request: FastifyRequest,
  { name, email, passwordHash }: NewAccount,
  link: 'sign_up' | 'invitation',
): Promise<boolean> {
  const userId = await users.insertUser(tx, { name, email, verified: true, role: 'user' });
  if (userId === undefined) return false;
  await users.setPassword(tx, userId, passwordHash);
  await deleteSignUps(tx, email);
  const user = await users.selectUser(tx, userId);
  const { changes, personal } = changesOf(null, user ? toUser(user) : null);
  await recordAction(tx, {
    actor: byLink(request, userId, link),
    partnerId: null,
    action: 'account.create',
    target: userId,
    changes,
    personal: { subject: userId, changes: personal },
  });
  return true;
}
