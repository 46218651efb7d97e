// The SQL of links in mails: each works once. A sign-up link carries the account to be; a link of the sign-in library is bound to a user.
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../postgres/database.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

export type SignUp = { email: string; name: string; passwordHash: string };

/** Keeps a sign-up for a day. @returns the token for its mail */
export async function insertSignUp(tx: Transaction, { email, name, passwordHash }: SignUp): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await tx.query(sql`
    insert into auth.pending_sign_up (token_hash, email, name, password, expires_at)
    values (${hashOf(token)}, ${email}, ${name}, ${passwordHash}, concord_now() + interval '1 day')`);
  return token;
}

/**
 * The waiting sign-up with this address, if all of them have one password. Otherwise nobody can tell here which one is the
 * owner's, and the owner signs up again.
 */
export async function selectSignUp(on: Queryable, email: string): Promise<SignUp | undefined> {
  const [row] = await on.query<{ name: string; password: string }>(sql`
    select min(name) as name, min(password) as password from auth.pending_sign_up
    where email = ${email} and expires_at > concord_now() having count(distinct password) = 1`);
  return row && { email, name: row.name, passwordHash: row.password };
}

/** Takes the sign-up with this token; undefined when there is none, or it has expired. */
export async function takeSignUp(tx: Transaction, token: string): Promise<SignUp | undefined> {
  const [row] = await tx.query<{ email: string; name: string; password: string }>(sql`
    delete from auth.pending_sign_up where token_hash = ${hashOf(token)} and expires_at > concord_now()
    returning email, name, password`);
  return row && { email: row.email, name: row.name, passwordHash: row.password };
}

export async function deleteSignUps(tx: Transaction, email: string): Promise<void> {
  await tx.query(sql`delete from auth.pending_sign_up where email = ${email}`);
}

/** Binds a token of the sign-in library to the user it was made for. */
export async function insertLink(on: Queryable, token: string, userId: string): Promise<void> {
  await on.query(sql`
    insert into auth.mail_link (token_hash, user_id, expires_at)
    values (${hashOf(token)}, ${userId}, concord_now() + interval '1 hour') on conflict do nothing`);
}

/** Takes the link. @returns its user; undefined when it was used, has expired, or was never sent. */
export async function takeLink(on: Queryable, token: string): Promise<string | undefined> {
  const [row] = await on.query<{ user_id: string }>(sql`
    delete from auth.mail_link where token_hash = ${hashOf(token)} and expires_at > concord_now() returning user_id`);
  return row?.user_id;
}

type UserOfSession = { id: string; email: string; name: string };

export async function selectUserOfSession(on: Queryable, token: string): Promise<UserOfSession | undefined> {
  const [user] = await on.query<UserOfSession>(sql`
    select "user".id, email, name from auth."user" join auth.session on user_id = "user".id where token = ${token}`);
  return user;
}
