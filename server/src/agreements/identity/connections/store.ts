// The SQL of identity connections: of owners, as sign-ins need them, and of the terms on which people join by one.
import sql, { join, type Sql } from 'sql-template-tag';
import { readOf } from '../../../access/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { movedForward, readClock } from '../../../base/postgres/sql/clock.ts';
import { listOf } from '../../../base/postgres/sql/keyset.ts';
import {
  columnList,
  hasRows,
  queryRow,
  queryValues,
  requireRow,
  type WithDates,
} from '../../../base/postgres/sql/rows.ts';
import { notBanned } from '../../../people/index.ts';
import type { PermissionGroup } from '../../agreement.ts';
import type { Connection as WireConnection } from './schema.ts';

export type ConnectionRow = WithDates<
  Omit<WireConnection, 'id' | 'redirect_uri' | 'backchannel_logout_uri' | 'terms'>,
  'tested_at' | 'created_at' | 'updated_at'
> & {
  connection_id: string;
  partner_id: string;
  secret: Buffer;
  revision: number;
  new_member_days: number | null;
  new_member_mfa_required: boolean;
  group_ids: string[];
};

const contentNames = [
  'name',
  'issuer',
  'client_id',
  'authentication',
  'secret',
  'public_jwk',
  'admits_new_members',
  'new_member_days',
  'new_member_mfa_required',
] as const satisfies (keyof ConnectionRow)[];
export type Content = Pick<ConnectionRow, (typeof contentNames)[number]>;
const contentColumns = columnList(contentNames);
const valuesOf = (content: Content) => join(contentNames.map((name) => content[name]));

const columns = sql`item.id as connection_id, item.partner_id, ${columnList(contentNames, 'item')}, item.enabled, item.tested_at,
  item.revision, item.created_at, item.updated_at,
  array(select group_id from identity_connection_group where connection_id = item.id order by position) as group_ids`;

export const connectionRead = readOf<ConnectionRow>('identity_connection', columns, {
  parameter: 'connection_id',
  lock: 'update',
});

export const insertConnection = (
  tx: Transaction,
  { id, partnerId, termsBy }: { id: string; partnerId: string; termsBy: string },
  content: Content,
) =>
  tx.write(sql`
    insert into identity_connection (id, partner_id, terms_by, ${contentColumns})
    values (${id}, ${partnerId}, ${termsBy}, ${valuesOf(content)})`);

/**
 * `termsBy`: the user who sets the terms; null when they do not change. `isNewClient`: the former test does not
 * count, and a sign-in that is under way does not complete.
 */
export const updateConnection = (
  tx: Transaction,
  id: string,
  content: Content,
  { termsBy, isNewClient, isChanged }: { termsBy: string | null; isNewClient: boolean; isChanged: boolean },
) =>
  tx.write(sql`
    update identity_connection set (${contentColumns}) = (${valuesOf(content)}),
      terms_by = coalesce(${termsBy}, terms_by),
      updated_at = case when ${isChanged} then ${movedForward()} else updated_at end,
      revision = revision + ${isNewClient ? 1 : 0}, enabled = enabled and not ${isNewClient},
      tested_at = case when ${isNewClient} then null else tested_at end
    where id = ${id}`);

export async function setGroups(
  tx: Transaction,
  { id, partnerId }: { id: string; partnerId: string },
  groups: readonly Pick<PermissionGroup, 'id' | 'account_id'>[],
) {
  await tx.query(sql`delete from identity_connection_group where connection_id = ${id}`);
  const uuids = groups.map((group) => parseId('permission_group', group.id));
  await tx.query(sql`
    insert into identity_connection_group (connection_id, partner_id, group_id, account_id, position)
    select ${id}, ${partnerId}, permission_group.id, permission_group.account_id, asked.position
    from unnest(${uuids}::uuid[]) with ordinality as asked (id, position)
    join permission_group on permission_group.id = asked.id`);
}

/** Sign-ins that are under way when it is turned off do not complete, also if it is on again by then. */
export const setEnabled = (tx: Transaction, id: string, enabled: boolean) =>
  tx.write(sql`
    update identity_connection set enabled = ${enabled}, revision = revision + ${enabled ? 0 : 1}, updated_at = ${movedForward()}
    where id = ${id}`);

/** Sign-ins that are under way do not complete. */
export const raiseRevision = (tx: Transaction, id: string) =>
  tx.write(sql`update identity_connection set revision = revision + 1 where id = ${id}`);

export const deleteConnection = (tx: Transaction, id: string) =>
  tx.write(sql`delete from identity_connection where id = ${id}`);

export const selectConnection = async (on: Queryable, id: string) =>
  requireRow(
    await on.query<ConnectionRow>(sql`select ${columns} from identity_connection item where item.id = ${id}`),
    'connection',
  );

/** Whether single sign-on is required of anyone, and this is the last connection that can prove it. */
export const isNeeded = (on: Queryable, partnerId: string, id: string) =>
  hasRows(
    on,
    sql`
    select from partner where partner.id = ${partnerId}
      and (partner.sso_required or exists (
        select from agreement where agreement.partner_id = partner.id and agreement.sso_required))
      and not exists (select from identity_connection other
        where other.partner_id = partner.id and other.enabled and other.id <> ${id})`,
  );

export const hasVerifiedDomain = (on: Queryable, id: string) =>
  hasRows(on, sql`select from identity_domain where connection_id = ${id} and verified_at is not null`);

export const connectionsOf = <Item>(on: Queryable, partnerId: string, toItem: (row: ConnectionRow) => Item) =>
  listOf(on, 'identity_connection', {
    columns,
    from: sql`identity_connection item where item.partner_id = ${partnerId}`,
    sorted: { id: sql`item.id`, created_at: sql`item.created_at` },
    toItem,
  });

export const wireGroupIds = ({ group_ids }: ConnectionRow) =>
  group_ids.map((id) => formatId('permission_group', id));

/** With its partner, and the partner's sign-in policy. */
export type Connection = ConnectionRow & {
  /** The user who set the terms of new members. Null: that user is gone. */
  terms_by: string | null;
  partner_name: string;
  sso_required: boolean;
  sso_max_age_seconds: number;
};

export const selectConnectionWhere = (on: Queryable, condition: Sql) =>
  queryRow<Connection>(
    on,
    sql`
    select ${columns}, terms_by, partner.name as partner_name, sso_required, sso_max_age_seconds
    from identity_connection item join partner on partner.id = item.partner_id and deleted_at is null
    where ${condition} limit 1`,
  );

/** Nobody changes the connection before this transaction ends. The caller has locked the partner. */
export async function lockConnection(tx: Transaction, id: string) {
  await tx.write(sql`select from identity_connection where id = ${id} for share`);
  return selectConnectionWhere(tx, sql`item.id = ${id}`);
}

/** @throws ServiceError not_found */
export async function lockTerms(tx: Transaction, connectionId: string) {
  const row = await lockConnection(tx, connectionId);
  if (!row) throw new ServiceError('not_found');
  return row;
}

/** When an agreement of so many days ends that begins now. `days` null: it does not end. */
export const endAfter = async (on: Queryable, days: number | null) =>
  days === null ? null : new Date((await readClock(on)).getTime() + days * 86_400_000);

/** An operator who is not banned. */
export const isOperator = (on: Queryable, userId: string) =>
  hasRows(
    on,
    sql`select from auth."user" account where id = ${userId} and role = 'operator' and ${notBanned}`,
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
