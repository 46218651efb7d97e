// The SQL of sign-ups that wait for the link in their mail.
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';

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
 * The pending sign-up with this address, if all pending ones have the same password. Otherwise it is unknown
 * which one belongs to the owner of the address, who then signs up again.
 */
export async function selectSignUp(on: Queryable, email: string): Promise<SignUp | undefined> {
  const [row] = await on.query<{ name: string; password: string }>(sql`
    select min(name) as name, min(password) as password from auth.pending_sign_up
    where email = ${email} and expires_at > concord_now() having count(distinct password) = 1`);
  return row && { email, name: row.name, passwordHash: row.password };
}

/** A sign-up with this many wrong passwords is dead. */
const maxGuesses = 10;

/**
 * Counts a guess at the password of a sign-up before it is checked. @returns the hash; undefined when the
 * token does not work
 */
export async function countGuess(on: Queryable, token: string): Promise<string | undefined> {
  const [row] = await on.query<{ password: string }>(sql`
    update auth.pending_sign_up set guesses = guesses + 1
    where token_hash = ${hashOf(token)} and expires_at > concord_now() and guesses < ${maxGuesses} returning password`);
  return row?.password;
}

/** Uncounts a guess whose password was not checked. */
export async function refundGuess(on: Queryable, token: string): Promise<void> {
  await on.query(
    sql`update auth.pending_sign_up set guesses = guesses - 1 where token_hash = ${hashOf(token)} and guesses > 0`,
  );
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
