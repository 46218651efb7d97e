// The SQL of accounts that is ours: better-auth writes the rest of these tables.
import { randomBytes, randomUUID } from 'node:crypto';
import sql, { join, type Sql } from 'sql-template-tag';
import { type ErrorCode, ServiceError } from '../errors.ts';
import type { Order, Position } from '../http/lists.ts';
import { newId } from '../ids.ts';
import type { Queryable, Transaction } from '../postgres/database.ts';
import { keyset } from '../postgres/keyset.ts';
import { contains } from '../postgres/search.ts';

export type LinkedAccount = {
  id: string;
  providerId: string;
  createdAt: string;
  updatedAt: string;
  accountId: string;
  userId: string;
  scopes: string[];
};

export async function selectLinkedAccounts(on: Queryable, userId: string): Promise<LinkedAccount[]> {
  const rows = await on.query<{
    id: string;
    provider_id: string;
    created_at: Date;
    updated_at: Date;
    account_id: string;
    scope: string | null;
  }>(sql`
    select id, provider_id, created_at, updated_at, account_id, scope from auth.account
    where user_id = ${userId} order by created_at, id`);
  return rows.map((row) => ({
    id: row.id,
    providerId: row.provider_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    accountId: row.account_id,
    userId,
    scopes: row.scope?.split(/[ ,]+/).filter(Boolean) ?? [],
  }));
}

export type SessionRow = {
  id: string;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  mfa_verified_at: Date | null;
};

export function selectSessions(on: Queryable, userId: string): Promise<SessionRow[]> {
  return on.query<SessionRow>(sql`
    select id, created_at, updated_at, expires_at, ip_address, user_agent, mfa_verified_at from auth.session
    where user_id = ${userId} and expires_at > concord_now() order by created_at, id`);
}

export async function selectUserOfSession(
  on: Queryable,
  token: string,
): Promise<{ id: string; email: string; name: string } | undefined> {
  const [user] = await on.query<{ id: string; email: string; name: string }>(sql`
    select "user".id, email, name from auth."user" join auth.session on user_id = "user".id where token = ${token}`);
  return user;
}

/** Whether there was such a session of this user. */
export async function deleteSession(on: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const gone = await on.query(sql`
    delete from auth.session where id = ${sessionId} and user_id = ${userId} returning id`);
  return gone.length > 0;
}

export async function deleteOtherSessions(on: Queryable, userId: string, sessionId: string): Promise<void> {
  await on.query(sql`delete from auth.session where user_id = ${userId} and id <> ${sessionId}`);
}

/** The hash of the user's password; undefined for a user without one. */
export async function selectPasswordHash(on: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await on.query<{ password: string }>(sql`
    select password from auth.account
    where user_id = ${userId} and provider_id = 'credential' and password is not null`);
  return row?.password;
}

/** The same by address, to see whether it changed during a sign-in. */
export async function selectPasswordHashByEmail(on: Queryable, email: string): Promise<string | undefined> {
  const [row] = await on.query<{ password: string }>(sql`
    select password from auth.account join auth."user" on "user".id = user_id
    where email = ${email} and provider_id = 'credential'`);
  return row?.password;
}

export async function userExists(on: Queryable, email: string): Promise<boolean> {
  return (await on.query(sql`select from auth."user" where email = ${email}`)).length > 0;
}

export async function hasEmail(on: Queryable, userId: string, email: string): Promise<boolean> {
  return (await on.query(sql`select from auth."user" where id = ${userId} and email = ${email}`)).length > 0;
}

export async function selectEmail(on: Queryable, userId: string): Promise<string> {
  const [row] = await on.query<{ email: string }>(sql`select email from auth."user" where id = ${userId}`);
  return row?.email ?? '';
}

export async function deleteSessionByToken(on: Queryable, token: string): Promise<void> {
  await on.query(sql`delete from auth.session where token = ${token}`);
}

/** Takes back what a sign-in made: its session, or its challenge. */
export async function endWhatBegan(
  on: Queryable,
  { sessionToken, twoFactorToken }: { sessionToken?: string | undefined; twoFactorToken?: string | undefined },
): Promise<void> {
  if (sessionToken !== undefined) await deleteSessionByToken(on, sessionToken);
  const identifier = challengeOf(twoFactorToken);
  if (identifier !== undefined) await on.query(sql`delete from auth.verification where identifier = ${identifier}`);
}

/** The identifier in a signed token of a challenge; undefined when there is none in it. */
export function challengeOf(twoFactorToken: string | undefined): string | undefined {
  return /^(2fa-[A-Za-z0-9_-]{1,64})(?:\.|$)/.exec(twoFactorToken ?? '')?.[1];
}

/** Replaces the hash if it still is `from`. */
export async function updatePasswordHash(tx: Transaction, userId: string, from: string, to: string): Promise<boolean> {
  const changed = await tx.query(sql`
    update auth.account set password = ${to}, updated_at = concord_now()
    where user_id = ${userId} and provider_id = 'credential' and password = ${from} returning id`);
  return changed.length > 0;
}

/** The user who has shown a password and not yet a second factor. */
export async function selectChallenged(on: Queryable, identifier: string): Promise<string | undefined> {
  const [row] = await on.query<{ value: string }>(sql`
    select value from auth.verification where identifier = ${identifier} and expires_at > concord_now()`);
  return row?.value;
}

/** Whether this caller may use the code: the first one may, for as long as it could be valid. */
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

/** The session carries proof of a second factor from now on, if its user has one. */
export async function markProven(on: Queryable, sessionId: string): Promise<void> {
  await on.query(sql`
    update auth.session set mfa_verified_at = concord_now()
    where id = ${sessionId}
      and exists (select from auth."user" where id = auth.session.user_id and two_factor_enabled)`);
}

export type UserRow = {
  id: string;
  name: string;
  email: string;
  email_verified: boolean;
  role: string | null;
  banned: boolean | null;
  ban_reason: string | null;
  ban_expires: Date | null;
  two_factor_enabled: boolean | null;
  created_at: Date;
  updated_at: Date;
};

const userColumns = sql`id, name, email, email_verified, role, banned, ban_reason, ban_expires, two_factor_enabled, created_at, updated_at`;
const userSort = {
  id: sql`id`,
  email: sql`email`,
  name: sql`name`,
  created_at: sql`date_trunc('milliseconds', created_at)`,
} as const;
export type UserSort = keyof typeof userSort;
export type UserFilter = { email?: string | undefined; name?: string | undefined };

export function selectUsers(
  on: Queryable,
  filter: UserFilter,
  by: Order<UserSort>,
  after: Position | null,
  limit: number,
): Promise<UserRow[]> {
  const { from, order } = keyset(userSort, by, after, (id) => id);
  return on.query<UserRow>(sql`select ${userColumns} from auth."user" where ${matches(filter)} ${from} ${order} limit ${limit}`);
}

export async function countUsers(on: Queryable, filter: UserFilter): Promise<number> {
  const [row] = await on.query<{ count: number }>(sql`select count(*)::int as count from auth."user" where ${matches(filter)}`);
  return row?.count ?? 0;
}

function matches({ email, name }: UserFilter): Sql {
  const conditions = [sql`true`];
  if (email !== undefined) conditions.push(sql`email ilike ${contains(email)}`);
  if (name !== undefined) conditions.push(sql`name ilike ${contains(name)}`);
  return join(conditions, ' and ');
}

export type UserChange = { role: string } | { banned: boolean; reason: string | null; until: Date | null };

export async function updateUser(tx: Transaction, userId: string, change: UserChange): Promise<UserRow | undefined> {
  const set =
    'role' in change
      ? sql`role = ${change.role}`
      : sql`banned = ${change.banned}, ban_reason = ${change.reason}, ban_expires = ${change.until}`;
  const [row] = await tx.query<UserRow>(
    sql`update auth."user" set ${set}, updated_at = concord_now() where id = ${userId} returning ${userColumns}`,
  );
  return row;
}

export async function deleteUser(tx: Transaction, userId: string): Promise<boolean> {
  const gone = await tx.query(sql`delete from auth."user" where id = ${userId} returning id`);
  return gone.length > 0;
}

/** better-auth knows sessions only: for who came with an access token one is made, for as long as `work` lasts. */
export async function withBriefSession<T>(on: Queryable, userId: string, work: (token: string) => Promise<T>): Promise<T> {
  const [id, token] = [randomUUID(), randomBytes(24).toString('hex').slice(0, 32)];
  await on.query(sql`
    insert into auth.session (id, user_id, token, expires_at, updated_at)
    values (${id}, ${userId}, ${token}, concord_now() + interval '1 minute', concord_now())`);
  try {
    return await work(token);
  } finally {
    await deleteSession(on, userId, id);
  }
}

/** A user without password or any other way to sign in. */
export async function insertServiceUser(tx: Transaction, name: string): Promise<{ id: string; email: string }> {
  const id = newId('user');
  // A domain that has no mail (RFC 2606).
  const email = `${id}@service-account.invalid`;
  await tx.query(sql`
    insert into auth."user" (id, name, email, email_verified, role) values (${id}, ${name}, ${email}, false, 'user')`);
  return { id, email };
}

/** Partners before users, and each by id, so that nobody waits in a circle: before a user is changed by `byUserId`. */
export async function lockUser(tx: Transaction, userId: string, byUserId: string): Promise<void> {
  await tx.query(sql`select lock_owned_partners(${userId})`);
  await tx.query(sql`select from auth."user" where id in (${userId}, ${byUserId}) order by id for update`);
}

/** In this transaction the last owner of a partner may go: an operator insists. */
export async function allowOrphan(tx: Transaction): Promise<void> {
  await tx.query(sql`select set_config('concord.orphan', 'on', true)`);
}

/** In this transaction a changed password does not end sessions, and access tokens only when asked: see migration 0008. */
export async function changePasswordInSession(tx: Transaction, keepAccessTokens: boolean): Promise<void> {
  await tx.query(sql`
    select set_config('concord.in_session', 'on', true), set_config('concord.keep_access_tokens', ${keepAccessTokens ? 'on' : 'off'}, true)`);
}

/** What the database refuses by triggers of its own (migrations 0005 and 0009). */
const refusals: Readonly<Record<string, ErrorCode>> = {
  CC001: 'last_operator',
  CC002: 'last_owner',
  CC004: 'service_account_rules_nothing',
};

export function toRefusal(error: unknown): unknown {
  const code = refusals[String((error as { code?: unknown } | null)?.code)];
  return code === undefined ? error : new ServiceError(code);
}
