// The SQL of links in mails, each of which works once: pending sign-ups, and links of better-auth with their user.
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { hashSessionToken } from '../../access/index.ts';
import type { Queryable, Transaction } from '../../postgres/database.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

export type SignUp = { email: string; name: string; passwordHash: string };

/** Stores a sign-up for one day. @returns the token for its mail */
export async function insertSignUp(tx: Transaction, { email, name, passwordHash }: SignUp): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await tx.query(sql`
    insert into auth.pending_sign_up (token_hash, email, name, password, expires_at)
    values (${hashOf(token)}, ${email}, ${name}, ${passwordHash}, concord_now() + interval '1 day')`);
  return token;
}

/**
 * The pending sign-up with this address, if all pending ones have the same password. Otherwise it is unknown which one belongs to
 * the owner of the address, who then signs up again.
 */
export async function selectSignUp(on: Queryable, email: string): Promise<SignUp | undefined> {
  const [row] = await on.query<{ name: string; password: string }>(sql`
    select min(name) as name, min(password) as password from auth.pending_sign_up
    where email = ${email} and expires_at > concord_now() having count(distinct password) = 1`);
  return row && { email, name: row.name, passwordHash: row.password };
}

/** Deletes and returns the sign-up with this token. Undefined: there is none, or it has expired. */
export async function takeSignUp(tx: Transaction, token: string): Promise<SignUp | undefined> {
  const [row] = await tx.query<{ email: string; name: string; password: string }>(sql`
    delete from auth.pending_sign_up where token_hash = ${hashOf(token)} and expires_at > concord_now()
    returning email, name, password`);
  return row && { email: row.email, name: row.name, passwordHash: row.password };
}

export async function deleteSignUps(tx: Transaction, email: string): Promise<void> {
  await tx.query(sql`delete from auth.pending_sign_up where email = ${email}`);
}

/** Stores which user a token of better-auth is for, for one hour. */
export async function insertLink(on: Queryable, token: string, userId: string): Promise<void> {
  await on.query(sql`
    insert into auth.mail_link (token_hash, user_id, expires_at)
    values (${hashOf(token)}, ${userId}, concord_now() + interval '1 hour') on conflict do nothing`);
}

/** Deletes the link. @returns the id of its user; undefined when the link was used, has expired or was never sent */
export async function takeLink(on: Queryable, token: string): Promise<string | undefined> {
  const [row] = await on.query<{ user_id: string }>(sql`
    delete from auth.mail_link where token_hash = ${hashOf(token)} and expires_at > concord_now() returning user_id`);
  return row?.user_id;
}

type UserOfSession = { id: string; email: string; name: string };

export async function selectUserOfSession(on: Queryable, token: string): Promise<UserOfSession | undefined> {
  const [user] = await on.query<UserOfSession>(sql`
    select "user".id, email, name from auth."user" join auth.session on user_id = "user".id where token = ${hashSessionToken(token)}`);
  return user;
}
