// The SQL of provisioned users, groups and their members.
import sql, { raw, type Sql } from 'sql-template-tag';
import { newUuid } from '../../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { movedForward } from '../../../../base/postgres/sql/clock.ts';
import {
  anyOf,
  queryRow,
  queryValue,
  queryValues,
  requireRow,
  selectCount,
} from '../../../../base/postgres/sql/rows.ts';
import type { Kind } from '../protocol/attributes.ts';
import type { Document } from '../protocol/document.ts';

/** `emailKey`, `agreementId`: of users only. */
export type ResourceRow = {
  id: string;
  document: Document;
  emailKey: string | null;
  agreementId: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Another user or group, for `groups` and `members`. */
type OtherRow = { of: string; id: string; display: string | null };

const columns = (kind: Kind) => sql`resource.id, resource.document, resource.created_at as "createdAt",
  resource.updated_at as "updatedAt", ${
    kind.name === 'User'
      ? sql`resource.email_key as "emailKey", resource.agreement_id as "agreementId"`
      : sql`null as "emailKey", null as "agreementId"`
  }`;

const resource = (kind: Kind, connectionId: string, id: string | null) => sql`
  select ${columns(kind)} from ${raw(kind.stored)} resource
  where resource.connection_id = ${connectionId} and resource.id = ${id}::uuid`;

export const selectResource = (on: Queryable, kind: Kind, connectionId: string, id: string | null) =>
  queryRow<ResourceRow>(on, resource(kind, connectionId, id));

/** A person who deletes the account comes before, or waits. */
export const lockResource = (tx: Transaction, kind: Kind, connectionId: string, id: string | null) =>
  queryRow<ResourceRow>(tx, sql`${resource(kind, connectionId, id)} for no key update`);

type Page = { condition: Sql; order: Sql; offset: number; limit: number };

export const selectResources = (
  on: Queryable,
  kind: Kind,
  connectionId: string,
  { condition, order, offset, limit }: Page,
) =>
  on.query<ResourceRow>(
    sql`select ${columns(kind)} from ${raw(kind.stored)} resource
      where resource.connection_id = ${connectionId} and ${condition} order by ${order} limit ${limit} offset ${offset}`,
  );

export const countResources = (on: Queryable, kind: Kind, connectionId: string, condition: Sql = sql`true`) =>
  selectCount(
    on,
    sql`${raw(kind.stored)} resource where resource.connection_id = ${connectionId} and ${condition}`,
  );

export const countMembers = (on: Queryable, connectionId: string) =>
  selectCount(
    on,
    sql`provisioned_group joined join provisioned_member on provisioned_group_id = joined.id
      where joined.connection_id = ${connectionId}`,
  );

/** How many groups users have, or members groups. Those without any are left out. */
export const countOthers = (on: Queryable, kind: Kind, ids: readonly string[]) => {
  const owner = raw(`${kind.stored}_id`);
  return on.query<{ of: string; count: number }>(
    sql`select ${owner} as of, count(*)::int as count from provisioned_member where ${owner} = ${anyOf(ids)} group by 1`,
  );
};

/** The groups of users, or the members of groups. */
export const selectOthers = (on: Queryable, kind: Kind, ids: readonly string[]) =>
  on.query<OtherRow>(
    kind.name === 'User'
      ? sql`select provisioned_user_id as of, other.id, other.document ->> 'displayName' as display
          from provisioned_member join provisioned_group other on other.id = provisioned_group_id
          where provisioned_user_id = ${anyOf(ids)} order by other.id`
      : sql`select provisioned_group_id as of, other.id,
            null as display
          from provisioned_member join provisioned_user other on other.id = provisioned_user_id
          where provisioned_group_id = ${anyOf(ids)} order by other.id`,
  );

type Owner = { connectionId: string; partnerId: string };

/** Inserts a resource, or changes that with the id. Returns the bare UUID. */
export async function writeResource(
  tx: Transaction,
  kind: Kind,
  { connectionId, partnerId }: Owner,
  known: string | null,
  { document, emailKey = null, agreementId = null }: Pick<ResourceRow, 'document'> & Partial<ResourceRow>,
) {
  const id = known ?? newUuid();
  const json = JSON.stringify(document);
  const [names, values] =
    kind.name === 'User'
      ? [sql`, email_key, agreement_id`, sql`, ${emailKey}, ${agreementId}`]
      : [sql``, sql``];
  await tx.query(
    known === null
      ? sql`insert into ${raw(kind.stored)} (id, connection_id, partner_id, document ${names})
          values (${id}, ${connectionId}, ${partnerId}, ${json} ${values})`
      : sql`update ${raw(kind.stored)} set (document, updated_at ${names}) = (${json}, ${movedForward()} ${values}) where id = ${id}`,
  );
  return id;
}

export const deleteResource = (tx: Transaction, kind: Kind, id: string) =>
  tx.write(sql`delete from ${raw(kind.stored)} where id = ${id}`);

export const selectMemberIds = (on: Queryable, groupId: string) =>
  queryValues<string>(
    on,
    sql`select provisioned_user_id from provisioned_member where provisioned_group_id = ${groupId}`,
  );

export const selectKnownUsers = (on: Queryable, connectionId: string, ids: readonly string[]) =>
  queryValues<string>(
    on,
    sql`select id from provisioned_user where connection_id = ${connectionId} and id = ${anyOf(ids)}`,
  );

/**
 * Their groups are another part of the users, so the users change too. They do first: the deletion of an account also
 * locks a user before its memberships.
 */
export async function changeMembers(
  tx: Transaction,
  connectionId: string,
  groupId: string,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
) {
  await tx.query(sql`update provisioned_user set updated_at = ${movedForward()}
    where id = any(${[...added, ...removed]}::uuid[])`);
  await tx.query(sql`delete from provisioned_member
    where provisioned_group_id = ${groupId} and provisioned_user_id = ${anyOf(removed)}`);
  // Without those who delete their account meanwhile.
  await tx.query(sql`insert into provisioned_member (connection_id, provisioned_group_id, provisioned_user_id)
    select ${connectionId}, ${groupId}, id from provisioned_user where id = ${anyOf(added)} for key share`);
}

/** The members of a group with another name: it stands in them. */
export const touchMembers = (tx: Transaction, groupId: string) =>
  tx.write(sql`update provisioned_user set updated_at = ${movedForward()}
    where id in (select provisioned_user_id from provisioned_member where provisioned_group_id = ${groupId})`);

/** Their members are fewer from now on. */
export const touchGroupsOf = (tx: Transaction, userId: string) =>
  tx.write(sql`update provisioned_group set updated_at = ${movedForward()}
    where id in (select provisioned_group_id from provisioned_member where provisioned_user_id = ${userId})`);

export const selectMapping = async (on: Queryable, groupId: string) =>
  (await queryValue<string | null>(on, sql`select group_id from provisioned_group where id = ${groupId}`)) ??
  null;

/** What another user of the connection has already. */
export const selectTaken = (
  on: Queryable,
  connectionId: string,
  id: string | null,
  { userName, externalId, key }: { userName: string; externalId: string | null; key: string | null },
) =>
  queryValue<string>(
    on,
    sql`
    select case when user_name_key = lower(${userName}) then 'userName' when external_id = ${externalId} then 'externalId'
      else 'address' end
    from provisioned_user where connection_id = ${connectionId} and id is distinct from ${id}::uuid
      and (user_name_key = lower(${userName}) or external_id = ${externalId} or email_key = ${key}) limit 1`,
  );

/** The domains of which the connection may assert addresses. */
export const selectDomains = (on: Queryable, connectionId: string) =>
  queryValues<string>(
    on,
    sql`select domain from identity_domain where connection_id = ${connectionId} and verified_at is not null and lost_at is null`,
  );

export const requireResource = async (on: Queryable, kind: Kind, connectionId: string, id: string) =>
  requireRow([await selectResource(on, kind, connectionId, id)], kind.name);
