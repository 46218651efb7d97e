// The SQL of the second factor: challenges of sign-ins that wait for a code, and used codes.
import sql from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import { hashIdentifier } from '../../better-auth/hashed-tokens.ts';

/** The identifier of the challenge in a signed token. Undefined: the token has none. */
export function challengeOf(twoFactorToken: string | undefined): string | undefined {
  return /^(2fa-[A-Za-z0-9_-]{1,64})(?:\.|$)/.exec(twoFactorToken ?? '')?.[1];
}

/** The user whose sign-in waits for a second factor. */
export async function selectChallenged(on: Queryable, identifier: string): Promise<string | undefined> {
  // The join leaves out rows that only count the attempts of a challenge: their identifiers start with `2fa-`
  // too.
  const [row] = await on.query<{ id: string }>(sql`
    select "user".id from auth.verification join auth."user" on "user".id = value
    where identifier = ${hashIdentifier(identifier)} and verification.expires_at > concord_now()`);
  return row?.id;
}

export async function deleteChallenge(on: Queryable, identifier: string): Promise<void> {
  await on.query(sql`delete from auth.verification where identifier = ${hashIdentifier(identifier)}`);
}

/** False: the code was used before, in the time in which it is valid. */
export async function claimCode(on: Queryable, userId: string, code: string): Promise<boolean> {
  await on.query(sql`
    delete from auth.totp_use where user_id = ${userId} and used_at < concord_now() - interval '5 minutes'`);
  const claimed = await on.query(sql`
    insert into auth.totp_use (user_id, code) values (${userId}, ${code}) on conflict do nothing returning code`);
  return claimed.length > 0;
}

export async function releaseCode(on: Queryable, userId: string, code: string): Promise<void> {
  await on.query(sql`delete from auth.totp_use where user_id = ${userId} and code = ${code}`);
}
