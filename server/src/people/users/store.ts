// The SQL of users. Only this file inserts users; better-auth writes the other tables of the schema `auth`.
import sql from 'sql-template-tag';
import { type ErrorCode, ServiceError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Database, Queryable, Transaction } from '../../base/postgres/database.ts';
import { movedForward } from '../../base/postgres/sql/clock.ts';
import { listOf } from '../../base/postgres/sql/keyset.ts';
import {
  allOf,
  hasRows,
  queryRow,
  queryValue,
  queryValues,
  type WithDates,
  withTextTimes,
} from '../../base/postgres/sql/rows.ts';
import { contains } from '../../base/postgres/sql/text.ts';
import type { User } from './schema.ts';

type NewUser = Pick<User, 'name' | 'email' | 'role'> & { id?: string; verified: boolean };

/** Returns the id of the new user. Undefined: the address already belongs to a user. */
export const insertUser = (tx: Transaction, { id = newId('user'), name, email, verified, role }: NewUser) =>
  queryValue<string>(
    tx,
    sql`
    insert into auth."user" (id, name, email, email_verified, role) values (${id}, ${name}, ${email}, ${verified}, ${role})
    on conflict (email) do nothing returning id`,
  );

export async function insertServiceUser(tx: Transaction, name: string) {
  const id = newId('user');
  // A domain that never receives mail (RFC 2606).
  const email = `${id}@service-account.invalid`;
  await insertUser(tx, { id, name, email, verified: false, role: 'user' });
  return { id, email };
}

export const setPassword = (tx: Transaction, userId: string, hash: string) =>
  tx.query(sql`
    insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
    values (${crypto.randomUUID()}, ${userId}, 'credential', ${userId}, ${hash}, concord_now())
    on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = excluded.updated_at`);

/** The hash of the user's password. Undefined: the user has none. */
export const selectPasswordHash = (on: Queryable, userId: string) =>
  queryValue<string>(
    on,
    sql`
    select password from auth.account
    where user_id = ${userId} and provider_id = 'credential' and password is not null`,
  );

export const selectPasswordHashByEmail = (on: Queryable, email: string) =>
  queryValue<string>(
    on,
    sql`
    select password from auth.account join auth."user" on "user".id = user_id
    where email = ${email} and provider_id = 'credential'`,
  );

/** The hash of the user's password, after changes of it that have begun. */
export const selectSettledPasswordHash = (db: Database, by: { email: string } | { id: string }) =>
  db.transaction(async (tx) => {
    const is = 'id' in by ? sql`id = ${by.id}` : sql`email = ${by.email}`;
    const userId = await queryValue<string>(tx, sql`select id from auth."user" where ${is} for share`);
    // A statement of its own: one that waits for the lock would still read the old hash.
    return userId === undefined ? undefined : selectPasswordHash(tx, userId);
  });

/** Replaces the hash if it is still `from`. False: it is not. */
export const updatePasswordHash = (tx: Transaction, userId: string, from: string, to: string) =>
  hasRows(
    tx,
    sql`
    update auth.account set password = ${to}, updated_at = concord_now()
    where user_id = ${userId} and provider_id = 'credential' and password = ${from} returning id`,
  );

export const selectId = (on: Queryable, email: string) =>
  queryValue<string>(on, sql`select id from auth."user" where email = ${email}`);

export const selectEmail = async (on: Queryable, userId: string) =>
  (await queryValue<string>(on, sql`select email from auth."user" where id = ${userId}`)) ?? '';

export const selectVerifiedEmail = async (on: Queryable, userId: string) =>
  (await queryValue<string>(
    on,
    sql`select email from auth."user" where id = ${userId} and email_verified`,
  )) ?? null;

/**
 * The user with this address, unless it is a service account, which never signs in. Locks the user: the
 * address and the password cannot change before this transaction ends.
 */
export const lockPersonByEmail = (tx: Transaction, email: string) =>
  queryValue<string>(
    tx,
    sql`
    select id from auth."user" where email = ${email} and not exists (select from service_account where user_id = id)
    for no key update`,
  );

/**
 * Sets the user's address, which its owner has just proven. @throws unique_violation (23505) when another
 * user has it
 */
export const updateEmail = (tx: Transaction, userId: string, email: string) =>
  tx.query(sql`
    update auth."user" set email = ${email}, email_verified = true, updated_at = ${movedForward()} where id = ${userId}`);

/**
 * The owner of the address has just proven it. Links of providers from before that may be somebody else's, so
 * they are deleted.
 */
export async function verifyEmail(tx: Transaction, userId: string) {
  const verified = await hasRows(
    tx,
    sql`
    update auth."user" set email_verified = true, updated_at = ${movedForward()}
    where id = ${userId} and not email_verified returning id`,
  );
  if (verified)
    await tx.query(sql`delete from auth.account where user_id = ${userId} and provider_id <> 'credential'`);
}

/** Lets one instance at a time create the first operator. True: there is an operator already. */
export async function lockFirstOperator(tx: Transaction) {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord first operator', 0))`);
  return hasRows(tx, sql`select from auth."user" where role = 'operator' limit 1`);
}

/** Returns the id of the user, and the role before. Undefined: no user has this address. */
export const promoteToOperator = (tx: Transaction, email: string) =>
  queryRow<{ id: string; before: string }>(
    tx,
    sql`
    update auth."user" set role = 'operator', updated_at = ${movedForward()} where email = ${email}
    returning id, (select coalesce(role, 'user') from auth."user" old where old.id = "user".id) as before`,
  );

export const lockOperator = (tx: Transaction, email: string) =>
  queryValue<string>(
    tx,
    sql`select id from auth."user" where email = ${email} and role = 'operator' for update`,
  );

export type UserRow = WithDates<User, 'ban_expires_at' | 'created_at' | 'updated_at'>;

const userColumns = sql`id, name, email, email_verified, case role when 'operator' then 'operator' else 'user' end as role,
  banned is true as banned, ban_reason, ban_expires as ban_expires_at, two_factor_enabled is true as two_factor_enabled,
  created_at, updated_at`;

export const toUser = (row: UserRow): User => withTextTimes(row);

type UserFilter = { email?: string | undefined; name?: string | undefined };

export const usersOf = (on: Queryable, { email, name }: UserFilter) =>
  listOf(on, 'user', {
    columns: userColumns,
    from: sql`auth."user" where ${allOf(
      sql`true`,
      email !== undefined && sql`email ilike ${contains(email)}`,
      name !== undefined && sql`name ilike ${contains(name)}`,
    )}`,
    sorted: {
      id: sql`id`,
      email: sql`email`,
      name: sql`name`,
      created_at: sql`date_trunc('milliseconds', created_at)`,
    },
    toItem: toUser,
  });

export type UserChange = { role: string } | { banned: boolean; reason: string | null; until: Date | null };

/** `account`: a user. Null: banned without an end. */
export const notBanned = sql`(account.banned is not true or account.ban_expires <= concord_now())`;

/** Lifts a ban that has ended. True: the user is banned. */
export async function isBanned(on: Queryable, userId: string) {
  return hasRows(
    on,
    sql`
    with lifted as (
      update auth."user" set banned = false, ban_reason = null, ban_expires = null, updated_at = ${movedForward()}
      where id = ${userId} and banned and ban_expires <= concord_now())
    select from auth."user" account where id = ${userId} and ${notBanned} is not true`,
  );
}

/** Before a change, the user must be locked. */
export const selectUser = (on: Queryable, userId: string) =>
  queryRow<UserRow>(on, sql`select ${userColumns} from auth."user" where id = ${userId}`);

/** Undefined: nothing changes. */
export function updateUser(tx: Transaction, userId: string, change: UserChange) {
  const [columns, values] =
    'role' in change
      ? [sql`(role)`, sql`row(${change.role}::text)`]
      : [
          sql`(banned, ban_reason, ban_expires)`,
          sql`row(${change.banned}::boolean, ${change.reason}::text, ${change.until}::timestamptz)`,
        ];
  return queryRow<UserRow>(
    tx,
    sql`update auth."user" set ${columns} = ${values}, updated_at = ${movedForward()}
      where id = ${userId} and row${columns} is distinct from ${values} returning ${userColumns}`,
  );
}

/**
 * Also deletes what waits for the addresses of the user, and what the user began. Other tables follow by
 * their foreign keys.
 */
export async function deleteUser(tx: Transaction, userId: string) {
  await tx.query(sql`delete from auth.verification where value = ${userId}`);
  await tx.query(sql`delete from auth."user" where id = ${userId}`);
}

/** Sign-ups that wait for one of these addresses, and changes of other users to one. */
export async function deleteWaiting(tx: Transaction, emails: readonly string[]) {
  await tx.query(sql`delete from auth.pending_sign_up where email = any (${emails})`);
  await tx.query(sql`delete from auth.mail_link where email = any (${emails})`);
}

/** How agreements spell the address of the user, and the earlier addresses in the audit log. */
export async function selectKnownAddresses(tx: Transaction, userId: string) {
  const rows = await tx.query<{ email: string | null }>(sql`
    select email from agreement where user_id = ${userId}
    union select email from agreement
      where user_id is null and email_key = (select email from auth."user" where id = ${userId})
    union select personal #>> '{changes,email,before}' from audit_log join audit_person using (position)
      where audit_log.target = ${userId} and action = 'account.change_email' and outcome = 'done' and part = 'person'`);
  return rows.flatMap(({ email }) => email ?? []);
}

/** Somebody who changes it again and again must not make their deletion too long. */
const maxNames = 20;

export const selectKnownNames = (tx: Transaction, userId: string) =>
  queryValues<string>(
    tx,
    sql`
    select name from auth."user" where id = ${userId}
    union (select personal #>> '{changes,name,before}' from audit_log join audit_person using (position)
      where audit_log.target = ${userId} and action = 'account.update' and part = 'person' order by position desc limit ${maxNames})`,
  );

export const selectOwners = (tx: Transaction, emails: readonly string[], exceptUserId: string) =>
  queryValues<string>(
    tx,
    sql`select email from auth."user" where email = any (${emails}) and id <> ${exceptUserId}`,
  );

/**
 * Locks the user for a change by `byUserId`. Partners come before users, each in the order of ids, so that no
 * deadlock occurs.
 */
export async function lockUser(tx: Transaction, userId: string, byUserId: string) {
  await tx.query(sql`select lock_owned_partners(${userId})`);
  await tx.query(sql`select from auth."user" where id in (${userId}, ${byUserId}) order by id for update`);
}

/** Locks the user, so that changes of one account run one at a time. */
export const lockOwnUser = (tx: Transaction, userId: string) =>
  tx.query(sql`select from auth."user" where id = ${userId} for no key update`);

/** Lets this transaction remove the last owner of a partner. */
export const allowOrphan = (tx: Transaction) =>
  tx.query(sql`select set_config('concord.orphan', 'on', true)`);

/**
 * In this transaction, a password change does not end sessions; it ends access tokens unless they are kept
 * (migration 0003).
 */
export const changePasswordInSession = (tx: Transaction, keepAccessTokens: boolean) =>
  tx.query(sql`
    select set_config('concord.in_session', 'on', true), set_config('concord.keep_access_tokens', ${keepAccessTokens ? 'on' : 'off'}, true)`);

/** The codes of errors that triggers raise (migrations 0003 and 0005). */
const refusals: Readonly<Record<string, ErrorCode>> = {
  CC001: 'last_operator',
  CC002: 'last_owner',
  CC004: 'service_account_rules_nothing',
};

/** Translates the error of a trigger. Returns any other error unchanged. */
export function toRefusal(error: unknown): unknown {
  const { code: raised, detail: partner } = (error ?? {}) as { code?: unknown; detail?: unknown };
  const code = refusals[String(raised)];
  if (code === undefined) return error;
  if (code !== 'last_owner' || typeof partner !== 'string' || partner === '') return new ServiceError(code);
  return new ServiceError(code, {
    detail: `This is the last owner of the partner ${partner}. Make somebody else an owner first.`,
  });
}

/** Removes the passkeys too (a trigger). */
export async function disableSecondFactor(tx: Transaction, userId: string) {
  await setSecondFactorEnabled(tx, userId, false);
  await tx.query(sql`delete from auth.two_factor where user_id = ${userId}`);
}

export async function setSecondFactorEnabled(tx: Transaction, userId: string, enabled: boolean) {
  await tx.query(sql`
    update auth."user" set two_factor_enabled = ${enabled}, updated_at = ${movedForward()} where id = ${userId}`);
}
