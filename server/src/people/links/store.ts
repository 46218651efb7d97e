// The SQL of links in mails to users. Each works once, for one hour. Only the SHA-256 hash of its token is
// stored.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryRow, queryValue } from '../../base/postgres/sql/rows.ts';
import { hashOf, newToken } from '../secret-tokens.ts';

type Change = { purpose: 'change_email'; email: string; sessionId: string };
type NewLink = Change | { purpose: 'delete_user' | 'reset_password' };
export type Purpose = NewLink['purpose'];

/**
 * Stores a link. A user has one link for a new address, and one for the deletion. Requests for a new password
 * need no session, so they must not end the links of earlier ones. @returns the token for the mail, with 192
 * random bits
 */
export async function insertLink(tx: Transaction, userId: string, link: NewLink) {
  const { purpose } = link;
  if (purpose !== 'reset_password') {
    await tx.query(sql`delete from auth.mail_link where user_id = ${userId} and purpose = ${purpose}`);
  }
  const token = newToken();
  const { email, sessionId } = link.purpose === 'change_email' ? link : { email: null, sessionId: null };
  await tx.query(sql`
    insert into auth.mail_link (token_hash, user_id, purpose, email, session_id, expires_at)
    values (${hashOf(token)}, ${userId}, ${purpose}, ${email}, ${sessionId}, concord_now() + interval '1 hour')`);
  return token;
}

const works = (token: string, purpose: Purpose) => sql`
  token_hash = ${hashOf(token)} and purpose = ${purpose} and expires_at > concord_now()`;

/** The user of a link that has not expired, who is locked before the link is taken. */
export const selectUserOfLink = (on: Queryable, token: string, purpose: Purpose) =>
  queryValue<string>(on, sql`select user_id from auth.mail_link where ${works(token, purpose)}`);

/** Deletes the link. False: it was used meanwhile, or has expired. */
export const takeLink = (tx: Transaction, token: string, purpose: Purpose) =>
  hasRows(tx, sql`delete from auth.mail_link where ${works(token, purpose)} returning purpose`);

export const takeChange = (tx: Transaction, token: string) =>
  queryRow<Omit<Change, 'purpose'>>(
    tx,
    sql`
    delete from auth.mail_link where ${works(token, 'change_email')} returning email, session_id as "sessionId"`,
  );
