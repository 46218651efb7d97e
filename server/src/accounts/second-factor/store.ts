// The SQL of the second factor: challenges between password and code, and codes that were used.
import sql from 'sql-template-tag';
import type { Queryable } from '../../postgres/database.ts';

/** The identifier inside the signed token of a challenge; undefined when the token has none. */
export function challengeOf(twoFactorToken: string | undefined): string | undefined {
  return /^(2fa-[A-Za-z0-9_-]{1,64})(?:\.|$)/.exec(twoFactorToken ?? '')?.[1];
}

/** The user who has shown a password and not yet a second factor. */
export async function selectChallenged(on: Queryable, identifier: string): Promise<string | undefined> {
  const [row] = await on.query<{ value: string }>(sql`
    select value from auth.verification where identifier = ${identifier} and expires_at > concord_now()`);
  return row?.value;
}

export async function deleteChallenge(on: Queryable, identifier: string): Promise<void> {
  await on.query(sql`delete from auth.verification where identifier = ${identifier}`);
}

/** False: the code was used already, within the time that it can be valid. */
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
