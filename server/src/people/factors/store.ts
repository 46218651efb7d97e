// The SQL of the second factor: challenges of sign-ins that wait for a code, and used proofs.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryValue } from '../../base/postgres/sql/rows.ts';
import { hashIdentifier } from '../better-auth/hashed-tokens.ts';
import type { NewApp } from '../better-auth/second-factor-makings.ts';
import { hashOf } from '../secret-tokens.ts';

/** The identifier of the challenge in a signed token. Undefined: the token has none. */
export function challengeOf(twoFactorToken: string | undefined): string | undefined {
  return /^(2fa-[A-Za-z0-9_-]{1,64})(?:\.|$)/.exec(twoFactorToken ?? '')?.[1];
}

/**
 * The user whose sign-in waits for a second factor. The join leaves out rows that only count the attempts of a
 * challenge.
 */
export const selectChallenged = (on: Queryable, identifier: string) =>
  queryValue<string>(
    on,
    sql`
    select "user".id from auth.verification join auth."user" on "user".id = value
    where identifier = ${hashIdentifier(identifier)} and verification.expires_at > concord_now()`,
  );

/** Ends the challenge of a sign-in. False: it has ended, or is not of this user. */
export const takeChallenge = (tx: Transaction, identifier: string, userId: string) =>
  hasRows(
    tx,
    sql`
    delete from auth.verification
    where identifier = ${hashIdentifier(identifier)} and value = ${userId} and expires_at > concord_now() returning id`,
  );

export const hasApp = (on: Queryable, userId: string) =>
  hasRows(on, sql`select from auth.two_factor where user_id = ${userId} and verified`);

/** Undefined: the user has begun with no app, and has no passkeys. */
export const selectSealedSecret = (on: Queryable, userId: string) =>
  queryValue<string>(on, sql`select secret from auth.two_factor where user_id = ${userId}`);

/** A new app, in place of an earlier one. */
export const replaceApp = (tx: Transaction, userId: string, { secret, backupCodes }: NewApp['sealed']) =>
  tx.query(sql`
    insert into auth.two_factor (id, user_id, secret, backup_codes, verified)
    values (${crypto.randomUUID()}, ${userId}, ${secret}, ${backupCodes}, false)
    on conflict (user_id) do update
      set secret = excluded.secret, backup_codes = excluded.backup_codes, verified = false`);

/** A code of it was right. */
export const verifyApp = (tx: Transaction, userId: string) =>
  tx.query(sql`update auth.two_factor set verified = true where user_id = ${userId}`);

/** A code of an app. Codes come again. */
export const codeOf = (userId: string, code: string) => hashOf(`${userId} ${code}`);

/**
 * False: the proof was used before, or has expired, or the user was deleted. One that expires works once. Others come
 * again: the codes of apps, none of which is valid for five minutes.
 */
export const claimProof = (
  on: Queryable,
  userId: string,
  hash: Buffer,
  expiresAt: Date | 'infinity' = 'infinity',
) =>
  hasRows(
    on,
    sql`
    insert into auth.proof_use as used (proof_hash, user_id)
    select ${hash}, id from auth."user" where id = ${userId} and ${expiresAt} > concord_now() for key share
    on conflict (proof_hash) do update set used_at = concord_now()
      where ${expiresAt}::timestamptz = 'infinity' and used.used_at < concord_now() - interval '5 minutes'
    returning user_id`,
  );

export const releaseProof = (on: Queryable, hash: Buffer) =>
  on.query(sql`delete from auth.proof_use where proof_hash = ${hash}`);

/** better-auth deletes the count of wrong codes of a challenge while it checks one. */
export const recountAttempts = (on: Queryable, identifier: string) =>
  on.query(sql`
    insert into auth.verification (id, identifier, value, expires_at)
    select gen_random_uuid(), ${attemptsOf(identifier)}, '0', expires_at
    from auth.verification where identifier = ${hashIdentifier(identifier)}`);

const attemptsOf = (identifier: string) => hashIdentifier(`2fa-attempts-${identifier}`);

/** A sign-in of the user waits for the second factor, with no wrong code yet, as better-auth stores it. */
export const insertChallenge = (tx: Transaction, identifier: string, userId: string) =>
  tx.query(sql`
    insert into auth.verification (id, identifier, value, expires_at)
    select gen_random_uuid(), identifier, value, concord_now() + interval '10 minutes'
    from unnest(${[hashIdentifier(identifier), attemptsOf(identifier)]}::text[], ${[userId, '0']}::text[]) as made (identifier, value)`);
