// The SQL of connections as sign-ins need them, and of the terms on which people join by one.
import sql, { type Sql } from 'sql-template-tag';
import { ServiceError } from '../../../../base/errors.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { readClock } from '../../../../base/postgres/sql/clock.ts';
import { hasRows, queryRow, queryValues } from '../../../../base/postgres/sql/rows.ts';
import type { ConnectionRow } from '../store.ts';

/** Ids are bare UUIDs. `termsBy`: the user who set the terms of new members; null when that user is gone. */
export type Connection = {
  id: string;
  partnerId: string;
  partnerName: string;
  name: string;
  issuer: string;
  clientId: string;
  authentication: ConnectionRow['authentication'];
  secret: Buffer;
  enabled: boolean;
  revision: number;
  newMembers: boolean;
  newMemberDays: number | null;
  newMemberMfaRequired: boolean;
  termsBy: string | null;
  groupIds: string[];
  /** Of the partner. */
  ssoRequired: boolean;
  maxAgeSeconds: number;
};

export const selectConnectionWhere = (on: Queryable, condition: Sql) =>
  queryRow<Connection>(
    on,
    sql`
    select connection.id, partner_id as "partnerId", partner.name as "partnerName", connection.name, issuer, client_id as "clientId",
      authentication, secret, enabled, revision, new_members as "newMembers", new_member_days as "newMemberDays",
      new_member_mfa_required as "newMemberMfaRequired", terms_by as "termsBy",
      array(select group_id from identity_connection_group where connection_id = connection.id order by position) as "groupIds",
      sso_required as "ssoRequired", sso_max_age_seconds as "maxAgeSeconds"
    from identity_connection connection join partner on partner.id = partner_id and deleted_at is null
    where ${condition} limit 1`,
  );

/** Nobody changes the connection before this transaction ends. The caller has locked the partner. */
export async function lockConnection(tx: Transaction, id: string): Promise<Connection | undefined> {
  await tx.write(sql`select from identity_connection where id = ${id} for share`);
  return selectConnectionWhere(tx, sql`connection.id = ${id}`);
}

/** @throws ServiceError not_found */
export async function lockTerms(tx: Transaction, connectionId: string): Promise<Connection> {
  const row = await lockConnection(tx, connectionId);
  if (!row) throw new ServiceError('not_found');
  return row;
}

/** When an agreement of so many days ends that begins now. `days` null: it does not end. */
export const endAfter = async (on: Queryable, days: number | null): Promise<Date | null> =>
  days === null ? null : new Date((await readClock(on)).getTime() + days * 86_400_000);

/** An operator who is not banned. */
export const isOperator = (on: Queryable, userId: string) =>
  hasRows(
    on,
    sql`select from auth."user" where id = ${userId} and role = 'operator'
      and (banned is not true or ban_expires <= concord_now())`,
  );

/**
 * Whether the directory keeps out the person with this address or agreement: it says that they are not active, or
 * it provisions people and does not have them.
 */
export const isKeptOut = (
  on: Queryable,
  connectionId: string,
  emailKey: string,
  agreementId: string | null,
) =>
  hasRows(
    on,
    sql`select from (
        select bool_and(document -> 'active' is distinct from 'false') as active from provisioned_user
        where connection_id = ${connectionId} and (email_key = ${emailKey} or agreement_id = ${agreementId})) person
      where not coalesce(active, not exists (select from provisioning_token where connection_id = ${connectionId}))`,
  );

/** What the groups of the directory give to the person with this address, as bare UUIDs. */
export const selectMappedGroups = (on: Queryable, connectionId: string, emailKey: string) =>
  queryValues<string>(
    on,
    sql`select distinct mapped.group_id from provisioned_user person
      join provisioned_member member on member.provisioned_user_id = person.id
      join provisioned_group mapped on mapped.id = member.provisioned_group_id and mapped.group_id is not null
      where person.connection_id = ${connectionId} and person.email_key = ${emailKey}`,
  );

/** True: no mail told the owners today. */
export const countRefusal = (tx: Transaction, connectionId: string) =>
  hasRows(
    tx,
    sql`update identity_connection set refusal_told_at = concord_now()
      where id = ${connectionId} and (refusal_told_at is null or refusal_told_at <= concord_now() - interval '1 day') returning 1`,
  );
