// The SQL of permission groups, and of the agreements that carry them.
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Read } from '../../access/index.ts';
import { type AclPermission, inWireOrder } from '../../access/permissions/index.ts';
import { createAttached } from '../../base/attached.ts';
import { ServiceError, violates } from '../../base/errors.ts';
import { formatId, newUuid, parseId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { movedForward } from '../../base/postgres/sql/clock.ts';
import { listOf } from '../../base/postgres/sql/keyset.ts';
import { allOf, hasRows, requireRow } from '../../base/postgres/sql/rows.ts';
import { contains } from '../../base/postgres/sql/text.ts';
import type { PermissionGroup } from '../agreement.ts';

/** A group as `groupJson` builds it. Times have PostgreSQL's format. */
export type StoredGroup = {
  id: string;
  account_id: string;
  name: string;
  acl_permissions: AclPermission[];
  created_at: string | Date;
  updated_at: string | Date;
};

const groupNames = [
  'id',
  'account_id',
  'name',
  'acl_permissions',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof StoredGroup)[];
export const groupJson = sql`jsonb_build_object(${raw(
  groupNames.map((name) => `'${name}', permission_group.${name}`).join(', '),
)})`;

const platform = '00000000-0000-0000-0000-000000000000';

const made = createAttached<StoredGroup, PermissionGroup>();

/** Agreements that share a stored group share what is made of it. */
export function toGroup(group: StoredGroup): PermissionGroup {
  const known = made.get(group);
  if (known) return known;
  const shown: PermissionGroup = {
    id: formatId('permission_group', group.id),
    account_id: formatId('partner', group.account_id),
    name: group.name,
    type: group.account_id === platform ? 'managed' : 'custom',
    created_at: new Date(group.created_at).toISOString(),
    updated_at: new Date(group.updated_at).toISOString(),
    acl_permissions: inWireOrder(group.acl_permissions),
  };
  made.set(group, shown);
  return shown;
}

export type GroupRow = { group: StoredGroup };

/** The group that the path names: a custom group of the partner, or a managed group. */
export const groupRead: Read<GroupRow> = {
  name: 'permission group',
  columns: sql`item.group`,
  item: {
    kind: 'permission_group',
    parameter: 'group_id',
    join: (id) => sql`left join lateral (
      select id, ${groupJson} as group from permission_group where id = ${id} and account_id in (partner.id, ${platform})
    ) item on true`,
  },
};

const ofPartner = (partnerId: string) => sql`permission_group.account_id in (${partnerId}, ${platform})`;

/** The groups with these ids that the partner may use, in the order of the ids. */
export async function selectGroupsByIds(on: Queryable, partnerId: string, ids: readonly string[]) {
  const uuids = ids.map((id) => parseId('permission_group', id)).filter((id) => id !== null);
  const rows = await on.query<GroupRow>(sql`
    select ${groupJson} as group from unnest(${uuids}::uuid[]) with ordinality as asked (id, position)
    join permission_group on permission_group.id = asked.id where ${ofPartner(partnerId)} order by position`);
  return rows.map(({ group }) => toGroup(group));
}

export const defaultGroup = (partnerId: string | Sql) =>
  sql`select ${groupJson} as group from permission_group where permission_group.partner_id = ${partnerId} and is_default`;

export async function selectDefaultGroup(on: Queryable, partnerId: string) {
  const [row] = await on.query<GroupRow>(defaultGroup(partnerId));
  return row && toGroup(row.group);
}

export async function setDefaultGroup(tx: Transaction, partnerId: string, id: string | null) {
  const uuid = id === null ? null : parseId('permission_group', id);
  await tx.query(
    sql`update permission_group set is_default = false where partner_id = ${partnerId} and is_default and id is distinct from ${uuid}`,
  );
  await tx.query(
    sql`update permission_group set is_default = true where partner_id = ${partnerId} and id = ${uuid} and not is_default`,
  );
}

type Groups = readonly Pick<PermissionGroup, 'id'>[];

/** Replaces the groups of the agreement. Their order is that of `groups`. */
export async function setAgreementGroups(
  tx: Transaction,
  agreement: { id: string; partnerId: string },
  groups: Groups,
) {
  await tx.write(sql`delete from agreement_group where agreement_id = ${agreement.id}`);
  await insertAgreementGroups(tx, agreement, groups);
}

/** For an agreement without groups. */
export async function insertAgreementGroups(
  tx: Transaction,
  agreement: { id: string; partnerId: string },
  groups: Groups,
) {
  const uuids = groups.map(({ id }) => parseId('permission_group', id));
  await tx.write(
    sql`
    insert into agreement_group (agreement_id, partner_id, group_id, account_id, position)
    select ${agreement.id}::uuid, ${agreement.partnerId}::uuid, permission_group.id, permission_group.account_id, position
    from unnest(${uuids}::uuid[]) with ordinality as asked (id, position) join permission_group on permission_group.id = asked.id`,
    'insert agreement groups',
  );
}

export async function insertGroup(
  tx: Transaction,
  partnerId: string,
  { name, acl_permissions }: Pick<PermissionGroup, 'name' | 'acl_permissions'>,
) {
  const id = newUuid();
  return writeGroup(
    tx,
    sql`insert into permission_group (id, partner_id, name, acl_permissions)
      values (${id}, ${partnerId}, ${name}, ${JSON.stringify(acl_permissions)})`,
  );
}

export const updateGroup = (tx: Transaction, id: string, { name, acl_permissions }: PermissionGroup) =>
  writeGroup(
    tx,
    sql`update permission_group set name = ${name}, acl_permissions = ${JSON.stringify(acl_permissions)}, updated_at = ${movedForward()}
      where id = ${id}`,
  );

/** @throws ServiceError group_name_taken */
async function writeGroup(tx: Transaction, statement: Sql) {
  try {
    const rows = await tx.query<GroupRow>(sql`${statement} returning ${groupJson} as group`);
    return toGroup(requireRow(rows, 'permission group').group);
  } catch (error) {
    if (violates(error, 'permission_group_name', 'permission_group_name_not_managed'))
      throw new ServiceError('group_name_taken', { cause: error });
    throw error;
  }
}

export type Carrier = {
  user_id: string | null;
  owner: boolean;
  mfa_required: boolean;
  expires_at: Date | null;
};

export const selectCarriers = (on: Queryable, groupId: string) =>
  on.query<Carrier>(sql`
    select agreement.user_id, agreement.owner, agreement.mfa_required, agreement.expires_at
    from agreement_group join agreement on agreement.id = agreement_group.agreement_id
    where agreement_group.group_id = ${groupId} order by agreement.id`);

/** Whether new members of an identity connection get the group: all of them, or those of a group of the directory. */
export const isInTerms = (on: Queryable, groupId: string) =>
  hasRows(
    on,
    sql`
    select from identity_connection_group where group_id = ${groupId}
    union all select from provisioned_group where group_id = ${groupId} limit 1`,
  );

/** Removes the group from every agreement, which moves their `updated_at`, and from the terms of new members. */
export async function detachGroup(tx: Transaction, groupId: string) {
  const ofGroup = sql`group_id = ${groupId}`;
  await tx.write(sql`
    with detached as (delete from agreement_group where ${ofGroup} returning agreement_id),
    terms as (delete from identity_connection_group where ${ofGroup})
    update agreement set updated_at = ${movedForward()}
    where id in (select agreement_id from detached)`);
}

export const deleteGroup = (tx: Transaction, groupId: string) =>
  tx.write(sql`delete from permission_group where id = ${groupId}`);

/** The partner's groups, and the managed ones. */
export async function selectEveryGroup(on: Queryable, partnerId: string) {
  const rows = await on.query<GroupRow>(
    sql`select ${groupJson} as group from permission_group where ${ofPartner(partnerId)}`,
  );
  return rows.map(({ group }) => toGroup(group));
}

type GroupFilter = { name?: string | undefined; type?: string | undefined };

export const groupsOf = (on: Queryable, partnerId: string, { name, type }: GroupFilter) =>
  listOf(on, 'permission_group', {
    columns: sql`${groupJson} as group`,
    from: sql`permission_group where ${allOf(
      ofPartner(partnerId),
      name !== undefined && sql`permission_group.name ilike ${contains(name)}`,
      type === 'managed' && sql`permission_group.account_id = ${platform}`,
      type === 'custom' && sql`permission_group.account_id <> ${platform}`,
    )}`,
    sorted: {
      id: sql`permission_group.id`,
      name: sql`permission_group.name`,
      created_at: sql`permission_group.created_at`,
      updated_at: sql`permission_group.updated_at`,
    },
    toItem: ({ group }: GroupRow) => toGroup(group),
  });
