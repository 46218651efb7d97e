// The SQL that reads what many agreements of a partner grant.
import sql, { type Sql } from 'sql-template-tag';
import { isLive, type StoredTemporary, temporaryGrants, toTemporary } from '../../access/index.ts';
import type { AclPermission, Membership } from '../../access/permissions/index.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { anyOf, requireRow, unnest } from '../../base/postgres/sql/rows.ts';
import { notBanned } from '../../people/index.ts';
import type { State } from '../agreement.ts';
import { isOfPartner, partnerFirst, state } from '../store.ts';

/** Members from JSON: `expires_at` has PostgreSQL's format. */
type MemberRow = {
  id: string;
  email: string;
  user_id: string | null;
  user_name: string;
  user_email: string;
  user_role: string | null;
  state: State;
  owner: boolean;
  mfa_required: boolean;
  expires_at: string | null;
  acl_permissions: AclPermission[];
  group_ids: string[];
  temporary: StoredTemporary;
};

export const selectCarryingMembers = (on: Queryable, groupId: string, limit: number) =>
  selectMembers(
    on,
    sql`agreement.id in (select agreement_id from agreement_group where group_id = ${groupId})`,
    { order: sql`agreement.id`, limit },
  );

/** Ids of a group, and of the one that stands for it, as bare UUIDs. */
type Alike = { readonly groupId: string; readonly likeId: string; readonly administers: boolean };
type People = { owner: boolean; groups: readonly Alike[]; after: string | null; limit: number };

/** The person's live agreement with the partner, unless they are banned. */
export const selectMember = async (on: Queryable, partnerId: string, userId: string) =>
  (
    await selectMembers(
      on,
      sql`agreement.partner_id = ${partnerId} and agreement.user_id = ${userId} and ${isLive} and ${notBanned}`,
      { order: sql`agreement.id`, limit: 1 },
    )
  )[0];

/**
 * The people with a live agreement who are not banned, by id after this one: owners, or others who are operators
 * or whose agreement has permissions of its own or one of these groups that administers. They have each group by
 * the one that stands for it.
 */
export function selectPeople(on: Queryable, partnerId: string, { owner, groups, after, limit }: People) {
  const administering = groups.filter(({ administers }) => administers).map(({ groupId }) => groupId);
  return selectMembers(
    on,
    sql`${isOfPartner(partnerId)} and ${isLive}
      and ${notBanned} and agreement.user_id is not null and account.id is not null
      and not exists (select from service_account where user_id = account.id)
      and ${
        owner
          ? sql`agreement.owner`
          : sql`not agreement.owner and (agreement.user_id = any(array(select id from auth."user" where role = 'operator')) or agreement.acl_permissions <> '[]' or agreement.granted_until > concord_now()
              or exists (select from agreement_group where agreement_id = agreement.id and group_id = ${anyOf(administering)}))`
      }
      ${after === null ? sql`` : sql`and agreement.id > ${after}`}`,
    {
      order: sql`${partnerFirst(sql`asc`)} agreement.id`,
      limit,
      groupIds: sql`select distinct like_id from agreement_group
        join ${unnest(groups, { groupId: 'uuid', likeId: 'uuid' })} using (group_id) where agreement_id = agreement.id`,
    },
  );
}

/**
 * `where` and `order` name columns of `agreement`, and of `account`: the user who accepted it. One statement
 * reads one moment. It reads each group once, because a thousand agreements can carry the same fifty groups.
 */
async function selectMembers(
  on: Queryable,
  where: Sql,
  {
    order,
    limit,
    groupIds = sql`select group_id from agreement_group where agreement_id = agreement.id order by position`,
  }: { order: Sql; limit: number; groupIds?: Sql },
) {
  const rows = await on.query<{
    members: MemberRow[] | null;
    groups: Record<string, AclPermission[]> | null;
  }>(sql`
    with member as materialized (
      select agreement.id, agreement.email, agreement.owner, agreement.mfa_required, agreement.expires_at, agreement.acl_permissions,
        ${state} as state, account.id as user_id, account.name as user_name, account.email as user_email, account.role as user_role,
        row_number() over (order by ${order}) as place,
        array(${groupIds}) as group_ids,
        ${temporaryGrants} as temporary
      from agreement left join auth."user" account on account.id = agreement.user_id
      where ${where} order by ${order} limit ${limit})
    select (select jsonb_agg(to_jsonb(member) order by place) from member) as members, (
      select jsonb_object_agg(id, acl_permissions) from permission_group
      where id in (select unnest(group_ids) from member)) as groups`);
  const { members, groups } = requireRow(rows, 'members');
  return (members ?? []).map((row) => toMember(row, groups ?? {}));
}

/** An agreement, and what it grants while it is active. */
export type Member = ReturnType<typeof toMember>;
const toMember = (row: MemberRow, groups: Record<string, AclPermission[]>) => ({
  email: row.email,
  /** Null: the agreement is pending. */
  user:
    row.user_id === null
      ? null
      : {
          id: row.user_id,
          name: row.user_name,
          email: row.user_email,
          isOperator: row.user_role === 'operator',
        },
  state: row.state,
  membership: {
    agreementId: row.id,
    owner: row.owner,
    mfaRequired: row.mfa_required,
    lacksSso: false,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    aclPermissions: row.acl_permissions,
    groups: row.group_ids.map((id) => ({ id, aclPermissions: groups[id] ?? [] })),
    temporary: toTemporary(row.temporary),
  } satisfies Membership,
});
