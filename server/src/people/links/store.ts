// The SQL of links in mails to users. Each works once, for one hour. Only the SHA-256 hash of its token is
// stored.
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();
/** As in sign-in/store.ts: a link with this many wrong passwords is dead. */
const maxGuesses = 10;

type Change = { purpose: 'change_email'; email: string; sessionId: string };
type NewLink = Change | { purpose: 'delete_user' | 'reset_password' };
export type Purpose = NewLink['purpose'];

/**
 * Stores a link. A user has one link for a new address, and one for the deletion. Requests for a new password
 * need no session, so they must not end the links of earlier ones. @returns the token for the mail, with 192
 * random bits
 */
export async function insertLink(tx: Transaction, userId: string, link: NewLink): Promise<string> {
  const { purpose } = link;
  if (purpose !== 'reset_password') {
    await tx.query(sql`delete from auth.mail_link where user_id = ${userId} and purpose = ${purpose}`);
  }
  const token = randomBytes(24).toString('base64url');
  const { email, sessionId } = link.purpose === 'change_email' ? link : { email: null, sessionId: null };
  await tx.query(sql`
    insert into auth.mail_link (token_hash, user_id, purpose, email, session_id, expires_at)
    values (${hashOf(token)}, ${userId}, ${purpose}, ${email}, ${sessionId}, concord_now() + interval '1 hour')`);
  return token;
}

const works = (token: string, purpose: Purpose) => sql`
  token_hash = ${hashOf(token)} and purpose = ${purpose} and expires_at > concord_now()`;

/** The user of a link that still works, who is locked before the link is taken. */
export async function selectUserOfLink(
  on: Queryable,
  token: string,
  purpose: Purpose,
): Promise<string | undefined> {
  const [row] = await on.query<{ user_id: string }>(
    sql`select user_id from auth.mail_link where ${works(token, purpose)}`,
  );
  return row?.user_id;
}

/**
 * Counts a guess at the password before it is checked. @returns the user; undefined when the link does not
 * work
 */
export async function countGuess(on: Queryable, token: string): Promise<string | undefined> {
  const [row] = await on.query<{ user_id: string }>(sql`
    update auth.mail_link set guesses = guesses + 1
    where ${works(token, 'change_email')} and guesses < ${maxGuesses} returning user_id`);
  return row?.user_id;
}

/** Uncounts a guess whose password was not checked. */
export async function refundGuess(on: Queryable, token: string): Promise<void> {
  await on.query(
    sql`update auth.mail_link set guesses = guesses - 1 where token_hash = ${hashOf(token)} and guesses > 0`,
  );
}

/** Deletes the link. False: it was used meanwhile, or has expired. */
export async function takeLink(tx: Transaction, token: string, purpose: Purpose): Promise<boolean> {
  return (
    (await tx.query(sql`delete from auth.mail_link where ${works(token, purpose)} returning purpose`))
      .length > 0
  );
}

/** Deletes the link of a new address, and returns the change. */
export async function takeChange(
  tx: Transaction,
  token: string,
): Promise<Omit<Change, 'purpose'> | undefined> {
  const [row] = await tx.query<{ email: string; session_id: string }>(sql`
    delete from auth.mail_link where ${works(token, 'change_email')} returning email, session_id`);
  return row && { email: row.email, sessionId: row.session_id };
}
