// The SQL of provisioning for owners, and of what directories say of a person.
import sql from 'sql-template-tag';
import { readOf } from '../../../../access/index.ts';
import type { ErasePerson } from '../../../../base/feature.ts';
import { formatId } from '../../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { movedForward } from '../../../../base/postgres/sql/clock.ts';
import { listOf } from '../../../../base/postgres/sql/keyset.ts';
import { pick, requireRow, type WithDates, withTextTimes } from '../../../../base/postgres/sql/rows.ts';
import type { Document } from '../protocol/document.ts';
import type { ProvisionedGroup } from './schema.ts';

export type GroupRow = Omit<
  WithDates<ProvisionedGroup, 'created_at' | 'updated_at'>,
  'acl_permission_group_id'
> & { connection_id: string; group_id: string | null };

const columns = sql`item.id, item.connection_id, item.document ->> 'displayName' as name, item.group_id, item.created_at, item.updated_at,
  (select count(*)::int from provisioned_member where provisioned_group_id = item.id) as member_count`;

export const provisionedGroupRead = readOf<GroupRow>('provisioned_group', columns, {
  parameter: 'provisioned_group_id',
  within: { kind: 'identity_connection', parameter: 'connection_id' },
  lock: 'update',
});

export const toGroup = (row: GroupRow): ProvisionedGroup => ({
  id: formatId('provisioned_group', row.id),
  ...withTextTimes(pick(row, ['name', 'member_count', 'created_at', 'updated_at'])),
  acl_permission_group_id: row.group_id === null ? null : formatId('permission_group', row.group_id),
});

const isActive = sql`document -> 'active' is distinct from 'false'`;

export const selectCounts = async (on: Queryable, connectionId: string) =>
  requireRow(
    await on.query<{
      user_count: number;
      active_user_count: number;
      users_without_address_count: number;
      group_count: number;
    }>(sql`
      select count(*)::int as user_count, count(*) filter (where ${isActive})::int as active_user_count,
        count(*) filter (where ${isActive} and email_key is null)::int as users_without_address_count,
        (select count(*)::int from provisioned_group where connection_id = ${connectionId}) as group_count
      from provisioned_user where connection_id = ${connectionId}`),
    'counts',
  );

export const groupsOf = (on: Queryable, connectionId: string) =>
  listOf(on, 'provisioned_group', {
    columns,
    from: sql`provisioned_group item where item.connection_id = ${connectionId}`,
    sorted: { id: sql`item.id`, name: sql`(item.document ->> 'displayName')` },
    toItem: toGroup,
  });

/** Whoever maps a group, also again, answers for what the connection gives. */
export const setTermsBy = (tx: Transaction, connectionId: string, userId: string) =>
  tx.write(sql`update identity_connection set terms_by = ${userId} where id = ${connectionId}`);

/** Null: to none. */
export async function setMapping(tx: Transaction, id: string, groupId: string | null) {
  const rows = await tx.query<GroupRow>(sql`
    update provisioned_group item set group_id = mapped.id, account_id = mapped.account_id, updated_at = ${movedForward(sql`item.updated_at`)}
    from (select ${groupId}::uuid as wanted) given left join permission_group mapped on mapped.id = given.wanted
    where item.id = ${id} returning ${columns}`);
  return requireRow(rows, 'provisioned group');
}

type PersonRow = { id: string; partner_id: string; document: Document; created_at: Date; updated_at: Date };

const isAbout = (userId: string, emails: readonly string[]) => sql`
  (email_key = any(${[...emails]}::text[]) or agreement_id in (select id from agreement where user_id = ${userId}))`;

/** What directories say of the person. `emails`: normalized. */
export const selectPerson = (on: Queryable, userId: string, emails: readonly string[]) =>
  on.query<PersonRow>(sql`
    select id, partner_id, document, created_at, updated_at from provisioned_user where ${isAbout(userId, emails)} order by id limit 1000`);

/** Their groups have a member less. A directory that still has the person can provision them again. */
export const deletePerson: ErasePerson = (tx, { userId, emails }) =>
  tx.write(sql`
    with gone as (delete from provisioned_user where ${isAbout(userId, emails)} returning id)
    update provisioned_group set updated_at = ${movedForward()}
    where id in (select provisioned_group_id from provisioned_member join gone on gone.id = provisioned_user_id)`);
