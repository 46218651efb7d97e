// The SQL of provisioning for owners, and of what directories say of a person.
import sql from 'sql-template-tag';
import type { Read } from '../../../../access/index.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { movedForward } from '../../../../base/postgres/sql/clock.ts';
import { onPage, type Page } from '../../../../base/postgres/sql/keyset.ts';
import { requireRow, selectTotal, type Total } from '../../../../base/postgres/sql/rows.ts';
import type { Document } from '../protocol/document.ts';

/** Ids are bare UUIDs. The token is null when there is none. */
export type ConnectionRow = {
  connection_id: string;
  token_prefix: string | null;
  token_created_at: Date | null;
  token_used_at: Date | null;
};

/** The connection that the path names, with its provisioning token. */
export const provisioningRead: Read<ConnectionRow> = {
  name: 'provisioning',
  columns: sql`item.id as connection_id, item.token_prefix, item.token_created_at, item.token_used_at`,
  item: {
    kind: 'identity_connection',
    parameter: 'connection_id',
    join: (id) => sql`left join lateral (
      select connection.id, token.prefix as token_prefix, token.created_at as token_created_at, token.last_used_at as token_used_at
      from identity_connection connection left join provisioning_token token on token.connection_id = connection.id
      where connection.id = ${id} and connection.partner_id = partner.id
    ) item on true`,
    lock: (id) => sql`select from identity_connection where id = ${id} for update`,
  },
};

export type GroupRow = {
  id: string;
  connection_id: string;
  name: string;
  member_count: number;
  group_id: string | null;
  created_at: Date;
  updated_at: Date;
};

const detail = sql`provisioned.id, provisioned.connection_id, provisioned.document ->> 'displayName' as name, provisioned.group_id,
  provisioned.created_at, provisioned.updated_at,
  (select count(*)::int from provisioned_member where provisioned_group_id = provisioned.id) as member_count`;

/** The group of the directory that the path names. */
export const provisionedGroupRead: Read<GroupRow> = {
  name: 'provisioned group',
  columns: sql`item.id, item.connection_id, item.name, item.group_id, item.created_at, item.updated_at, item.member_count`,
  item: {
    kind: 'provisioned_group',
    parameter: 'provisioned_group_id',
    within: { kind: 'identity_connection', parameter: 'connection_id' },
    join: (id, within) => sql`left join lateral (
      select ${detail} from provisioned_group provisioned
      where provisioned.id = ${id} and provisioned.connection_id = ${within} and provisioned.partner_id = partner.id
    ) item on true`,
    lock: (id) => sql`select from provisioned_group where id = ${id} for update`,
  },
};

const isActive = sql`document -> 'active' is distinct from 'false'`;

export const selectCounts = async (on: Queryable, connectionId: string) =>
  requireRow(
    await on.query<{ users: number; active: number; without_address: number; groups: number }>(sql`
      select count(*)::int as users, count(*) filter (where ${isActive})::int as active,
        count(*) filter (where ${isActive} and email_key is null)::int as without_address,
        (select count(*)::int from provisioned_group where connection_id = ${connectionId}) as groups
      from provisioned_user where connection_id = ${connectionId}`),
    'counts',
  );

const sortColumns = {
  id: sql`provisioned.id`,
  name: sql`(provisioned.document ->> 'displayName')`,
} as const;
export type GroupSort = keyof typeof sortColumns;

export const selectGroups = (
  on: Queryable,
  connectionId: string,
  page: Page<GroupSort>,
): Promise<GroupRow[]> =>
  on.query(sql`
    select ${detail} from provisioned_group provisioned
    where provisioned.connection_id = ${connectionId} ${onPage(sortColumns, 'provisioned_group', page)}`);

export const countGroups = (on: Queryable, connectionId: string): Promise<Total> =>
  selectTotal(on, sql`provisioned_group where connection_id = ${connectionId}`);

/** Whoever maps a group, also again, answers for what the connection gives. */
export async function setTermsBy(tx: Transaction, connectionId: string, userId: string): Promise<void> {
  await tx.query(sql`update identity_connection set terms_by = ${userId} where id = ${connectionId}`);
}

/** Null: to none. */
export async function setMapping(tx: Transaction, id: string, groupId: string | null): Promise<GroupRow> {
  await tx.query(sql`
    update provisioned_group set group_id = mapped.id, account_id = mapped.account_id, updated_at = ${movedForward(sql`provisioned_group.updated_at`)}
    from (select ${groupId}::uuid as wanted) given left join permission_group mapped on mapped.id = given.wanted
    where provisioned_group.id = ${id}`);
  const rows = await tx.query<GroupRow>(
    sql`select ${detail} from provisioned_group provisioned where provisioned.id = ${id}`,
  );
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
export async function deletePerson(
  tx: Transaction,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  await tx.query(sql`
    with gone as (delete from provisioned_user where ${isAbout(userId, emails)} returning id)
    update provisioned_group set updated_at = ${movedForward()}
    where id in (select provisioned_group_id from provisioned_member join gone on gone.id = provisioned_user_id)`);
}
