// Links in mails: each works once. Those of sign-ups carry the account to be; those that better-auth signed are bound to a user.
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { newId } from '../ids.ts';
import type { Queryable, Transaction } from '../postgres/database.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

export type SignUp = { email: string; name: string; passwordHash: string };

/** Keeps a sign-up for a day. @returns the token for its mail */
export async function keepSignUp(on: Queryable, { email, name, passwordHash }: SignUp): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await on.query(sql`
    insert into auth.pending_sign_up (token_hash, email, name, password, expires_at)
    values (${hashOf(token)}, ${email}, ${name}, ${passwordHash}, concord_now() + interval '1 day')`);
  return token;
}

/**
 * The sign-up with this address that waits, if it is the only one: of two with different passwords nobody can tell here whose
 * is the owner's. The owner signs up again then.
 */
export async function findSignUp(on: Queryable, email: string): Promise<SignUp | undefined> {
  const [row] = await on.query<{ name: string; password: string }>(sql`
    select min(name) as name, min(password) as password from auth.pending_sign_up
    where email = ${email} and expires_at > concord_now() having count(distinct password) = 1`);
  return row && { email, name: row.name, passwordHash: row.password };
}

/** Makes the account of the sign-up with this token, verified; false when the token is none of a sign-up, or came too late. */
export async function completeSignUp(tx: Transaction, token: string): Promise<boolean> {
  const [signUp] = await tx.query<{ email: string; name: string; password: string }>(sql`
    delete from auth.pending_sign_up where token_hash = ${hashOf(token)} and expires_at > concord_now()
    returning email, name, password`);
  if (!signUp) return false;
  const userId = newId('user');
  const made = await tx.query(sql`
    insert into auth."user" (id, name, email, email_verified, role)
    values (${userId}, ${signUp.name}, ${signUp.email}, true, 'user') on conflict (email) do nothing returning id`);
  if (made.length === 0) return false;
  await tx.query(sql`
    insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
    values (${crypto.randomUUID()}, ${userId}, 'credential', ${userId}, ${signUp.password}, concord_now())`);
  await tx.query(sql`delete from auth.pending_sign_up where email = ${signUp.email}`);
  return true;
}

/** Binds a token that better-auth signed to the user it was made for. */
export async function bindLink(on: Queryable, token: string, userId: string): Promise<void> {
  await on.query(sql`
    insert into auth.mail_link (token_hash, user_id, expires_at)
    values (${hashOf(token)}, ${userId}, concord_now() + interval '1 hour') on conflict do nothing`);
}

/** The user of the link, which is used up by this; undefined when it was used, has expired, or was never sent. */
export async function useLink(on: Queryable, token: string): Promise<string | undefined> {
  const [row] = await on.query<{ user_id: string }>(sql`
    delete from auth.mail_link where token_hash = ${hashOf(token)} and expires_at > concord_now() returning user_id`);
  return row?.user_id;
}
