// The SQL of agreements.
import sql, { type Sql } from 'sql-template-tag';
import { groupIds, isLive, type Read, type StoredTemporary, temporaryGrants } from '../access/index.ts';
import { type AclPermission, inWireOrder } from '../access/permissions/index.ts';
import type { Changes } from '../audit/index.ts';
import { tooMany } from '../base/errors.ts';
import { formatId, newUuid } from '../base/ids.ts';
import type { Queryable, Transaction } from '../base/postgres/database.ts';
import { movedForward } from '../base/postgres/sql/clock.ts';
import { onPage, type Page } from '../base/postgres/sql/keyset.ts';
import {
  allOf,
  anyOf,
  columnList,
  hasRows,
  queryRow,
  requireRow,
  selectTotal,
} from '../base/postgres/sql/rows.ts';
import { contains } from '../base/postgres/sql/text.ts';
import { notBanned } from '../people/index.ts';
import type { Agreement, State, Terms } from './agreement.ts';
import { defaultGroup, groupJson, type StoredGroup, toGroup } from './groups/store.ts';

/** A row of the table `agreement` with the name of its user and its groups. */
export type AgreementRow = {
  item_id: string;
  partner_id: string;
  email: string;
  user_id: string | null;
  user_name: string | null;
  owner: boolean;
  mfa_required: boolean;
  sso_required: boolean;
  expires_at: Date | null;
  acl_permissions: AclPermission[];
  groups: StoredGroup[] | null;
  temporary: StoredTemporary;
  state: State;
  /** The 7 days in which the invitation could be accepted are over. */
  lapsed: boolean;
  created_at: Date;
  updated_at: Date;
};

/** The state at this moment (behaviour A6). */
export const state = sql`case when agreement.expires_at <= concord_now() then 'expired' when agreement.user_id is null then 'pending' else 'active' end`;

const storedNames = [
  'partner_id',
  'email',
  'user_id',
  'owner',
  'mfa_required',
  'sso_required',
  'expires_at',
  'acl_permissions',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof AgreementRow)[];
const readNames = [...storedNames, 'user_name', 'groups', 'temporary', 'state', 'lapsed'] as const;
const detailWith = (groups: Sql) => sql`
  agreement.id, agreement.email_key, ${columnList(storedNames, 'agreement')}, ${state} as state,
  agreement.invitation_expires_at <= concord_now() as lapsed,
  (select name from auth."user" where id = agreement.user_id) as user_name, ${groups} as groups, ${temporaryGrants} as temporary`;
const detail = detailWith(sql`(
  select jsonb_agg(${groupJson} order by agreement_group.position)
    from agreement_group join permission_group on permission_group.id = agreement_group.group_id
    where agreement_group.agreement_id = agreement.id)`);
const columns = sql`item.id as item_id, ${columnList(readNames, 'item')}`;

/** The agreement is the caller's own: they accepted it, or it invites their verified address. */
const isOwn = sql`(item.user_id = account.id
  or item.user_id is null and account.email_verified and item.email_key = account.email)`;

export const agreementRead: Read<AgreementRow> = {
  name: 'agreement',
  columns,
  item: {
    kind: 'agreement',
    parameter: 'agreement_id',
    join: (id) =>
      sql`left join lateral (select ${detail} from agreement where agreement.id = ${id} and agreement.partner_id = partner.id) item on true`,
    lock: (id) => sql`select from agreement where id = ${id} for no key update`,
    own: isOwn,
    ownRequiresSecondFactor: sql`coalesce(item.mfa_required, false)`,
  },
};

export function toAgreement(row: AgreementRow): Agreement {
  const groups = (row.groups ?? []).map(toGroup);
  return {
    id: formatId('agreement', row.item_id),
    accepted: row.user_id !== null,
    owner: row.owner,
    mfa_required: row.mfa_required,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    user: { email: row.email, name: row.user_name },
    acl_permissions: inWireOrder(row.acl_permissions),
    acl_permission_groups: groups,
    acl_permission_group_ids: groups.map(({ id }) => id),
  };
}

const selectWhere = (on: Queryable, condition: Sql) =>
  queryRow<AgreementRow>(
    on,
    sql`select ${columns} from (select ${detail} from agreement where ${condition}) item`,
  );

export const findAgreement = (on: Queryable, id: string) => selectWhere(on, sql`agreement.id = ${id}`);

/** Deletes and returns the agreement. The caller has locked the partner. */
async function takeWhere(tx: Transaction, condition: Sql) {
  const row = await selectWhere(tx, condition);
  if (row) await deleteAgreement(tx, row.item_id);
  return row;
}

/** Locks the agreements of the address and of the user, two at most, live ones first. */
export const lockAgreementsOf = (
  tx: Transaction,
  partnerId: string,
  emailKey: string,
  userId: string | null,
) =>
  tx.query<AgreementRow & { connection_id: string | null }>(
    sql`
    select ${columns}, item.connection_id from (
      select ${detail}, agreement.connection_id from agreement
      where agreement.partner_id = ${partnerId} and (agreement.email_key = ${emailKey} or agreement.user_id = ${userId})
      order by ${isLive} desc, agreement.user_id = ${userId} desc nulls last for key share of agreement) item`,
  );

/** An agreement that the caller has locked or just written. */
export const selectAgreement = async (on: Queryable, id: string) =>
  requireRow([await findAgreement(on, id)], 'agreement');

/** Per partner. */
export const maxAgreements = 10_000;

export type NewAgreement = {
  partnerId: string;
  email: string;
  emailKey: string;
  owner: boolean;
  mfaRequired: boolean;
  ssoRequired?: boolean;
  /** Bare UUID of the inviter's agreement. If that requires single sign-on, so does the new one. */
  invitedBy?: string | undefined;
  /** Bare UUID of the connection that makes it. */
  connectionId?: string;
  expiresAt?: Date | null;
};

type Inserted = AgreementRow & { others: number; default_group: StoredGroup | null };

/**
 * Inserts an agreement without groups. `others`: how many the partner had before, `maxAgreements` at most.
 * `default_group`: that of the partner. Undefined: the e-mail has an agreement already.
 */
export async function insertAgreement(tx: Transaction, invitation: NewAgreement) {
  const { partnerId, email, emailKey, owner, mfaRequired, ssoRequired = false } = invitation;
  const { invitedBy = null, connectionId = null, expiresAt = null } = invitation;
  const [row] = await tx.query<Inserted>(
    sql`
    insert into agreement (id, partner_id, email, email_key, owner, mfa_required, sso_required, connection_id, expires_at)
    values (${newUuid()}, ${partnerId}, ${email}, ${emailKey}, ${owner}, ${mfaRequired},
      ${ssoRequired} or exists (select from agreement inviter where inviter.id = ${invitedBy} and inviter.sso_required), ${connectionId}, ${expiresAt})
    on conflict (partner_id, email_key) do nothing
    returning id as item_id, ${columnList(storedNames)}, null as user_name, null as groups, null as temporary, ${state} as state, false as lapsed,
      (select count(*)::int from (select from agreement other where other.partner_id = agreement.partner_id limit ${maxAgreements}) counted) as others,
      (${defaultGroup(sql`agreement.partner_id`)}) as default_group`,
    'insert agreement',
  );
  return row;
}

/** @throws ServiceError limit_reached when the inserted agreement is one too many */
export function requireRoom({ others }: Pick<Inserted, 'others'>) {
  if (others < maxAgreements) return;
  throw tooMany(`A partner can have at most ${maxAgreements} agreements. Delete one first.`);
}

/**
 * Takes the agreement with this address if it has expired or was not accepted in time. Undefined: it is
 * pending, active, or that of a service account.
 */
export const deleteReplaceable = (
  tx: Transaction,
  { partnerId, emailKey }: Pick<NewAgreement, 'partnerId' | 'emailKey'>,
) =>
  takeWhere(
    tx,
    sql`partner_id = ${partnerId} and email_key = ${emailKey}
      and (expires_at <= concord_now() or user_id is null and invitation_expires_at <= concord_now())
      and not exists (select from service_account where agreement_id = agreement.id)`,
  );

export const updateTerms = (
  tx: Transaction,
  id: string,
  { owner, mfa_required, expires_at, acl_permissions }: Terms,
) =>
  tx.write(sql`
    update agreement set owner = ${owner}, break_glass = break_glass and ${owner}, mfa_required = ${mfa_required}, expires_at = ${expires_at},
      acl_permissions = ${JSON.stringify(acl_permissions)}, updated_at = ${movedForward()}
    where id = ${id}`);

/** Takes the user's expired agreement with the partner, which the accepted one replaces. */
export const deleteExpired = (tx: Transaction, partnerId: string, userId: string) =>
  takeWhere(tx, sql`partner_id = ${partnerId} and user_id = ${userId} and expires_at <= concord_now()`);

/**
 * Binds the agreement to the user permanently. It keeps what the expired one that it replaces required.
 * False: the user has another agreement with the partner.
 */
export const acceptAgreement = (
  tx: Transaction,
  { item_id, partner_id }: AgreementRow,
  userId: string,
  replaced: Pick<AgreementRow, 'mfa_required' | 'sso_required'> | undefined,
) =>
  hasRows(
    tx,
    sql`
    update agreement set user_id = ${userId}, mfa_required = mfa_required or ${replaced?.mfa_required ?? false},
      sso_required = sso_required or ${replaced?.sso_required ?? false}, updated_at = ${movedForward()}
    where id = ${item_id} and user_id is null
      and not exists (select from agreement other where other.partner_id = ${partner_id} and other.user_id = ${userId})
    returning id`,
  );

export async function renewInvitation(tx: Transaction, id: string): Promise<Changes> {
  const rows = await tx.query<{ before: Date; after: Date }>(sql`
    update agreement set invitation_expires_at = concord_now() + interval '7 days', updated_at = ${movedForward()} where id = ${id}
    returning invitation_expires_at as after, (select invitation_expires_at from agreement old where old.id = agreement.id) as before`);
  const { before, after } = requireRow(rows, 'invitation');
  return { invitation_expires_at: { before: before.toISOString(), after: after.toISOString() } };
}

export const deleteAgreement = (tx: Transaction, id: string) =>
  tx.write(sql`delete from agreement where id = ${id}`);

/**
 * Requiring a second factor here would leave no owner who can act: every other owner needs one too, and none
 * has enabled one.
 */
export async function wouldLockOut(tx: Transaction, { item_id, partner_id }: AgreementRow) {
  const [row] = await tx.query<{ locks_out: boolean | null }>(sql`
    select bool_or(agreement.id = ${item_id}) and
      bool_and(account.two_factor_enabled is not true and (agreement.id = ${item_id} or agreement.mfa_required)) as locks_out
    from agreement join auth."user" account on account.id = agreement.user_id
    where agreement.partner_id = ${partner_id} and agreement.owner and agreement.expires_at is null
      and ${notBanned}`);
  return row?.locks_out === true;
}

const sortColumns = {
  id: sql`agreement.id`,
  created_at: sql`agreement.created_at`,
  updated_at: sql`agreement.updated_at`,
  expires_at: sql`coalesce(agreement.expires_at, 'infinity')`,
} as const;
type AgreementSort = keyof typeof sortColumns;
type AgreementFilter = { state?: string | undefined; email?: string | undefined };
/** One partner or one user, whose agreements are selected. `name`: each has its own text of SQL. */
type Holder = { name: string; condition: Sql; order: (way: Sql) => Sql; partnerName: Sql };

/**
 * With `any` instead of `=`, PostgreSQL keeps the partner in the order, and so uses an index that begins with it.
 * With `=`, it would read the agreements of all partners by id.
 */
export const isOfPartner = (partnerId: string) => sql`agreement.partner_id = any (array[${partnerId}::uuid])`;
export const partnerFirst = (way: Sql) => sql`agreement.partner_id ${way},`;

const ofPartner = (partnerId: string): Holder => ({
  name: 'partner',
  condition: isOfPartner(partnerId),
  order: partnerFirst,
  partnerName: sql`''`,
});
/** The user's agreements and invitations. It leaves out deleted partners. */
const ofUser = (userId: string, partnerIds: readonly string[] | null): Holder => ({
  name: partnerIds === null ? 'user' : 'user with some',
  condition: sql`
    (agreement.user_id = ${userId} or agreement.user_id is null and agreement.email_key =
      (select email from auth."user" where id = ${userId} and email_verified))
    and exists (select from partner where partner.id = agreement.partner_id and deleted_at is null)
    ${partnerIds === null ? sql`` : sql`and agreement.partner_id = ${anyOf(partnerIds)}`}`,
  order: () => sql``,
  partnerName: sql`(select name from partner where id = item.partner_id)`,
});

/** `partner_name` is empty in lists of one partner. */
type ListedAgreementRow = AgreementRow & { partner_name: string };

const listOfHolder = <Item>(
  on: Queryable,
  holder: Holder,
  filter: AgreementFilter,
  toItem: (row: ListedAgreementRow) => Item,
) => ({
  page: async (...page: Page<AgreementSort>) =>
    (await selectAgreements(on, holder, filter, page)).map(toItem),
  count: () => countAgreements(on, holder, filter),
});

export const agreementsOf = (on: Queryable, partnerId: string, filter: AgreementFilter = {}) =>
  listOfHolder(on, ofPartner(partnerId), filter, toAgreement);

/** The user's own agreements, also pending and expired ones. `partnerIds` null: with every partner. */
export const agreementsOfUser = (
  on: Queryable,
  userId: string,
  partnerIds: readonly string[] | null,
  filter: AgreementFilter = {},
) =>
  listOfHolder(on, ofUser(userId, partnerIds), filter, (row) => ({
    ...toAgreement(row),
    partner: { id: formatId('partner', row.partner_id), name: row.partner_name },
  }));

/** Reads each group once, because a thousand agreements can carry the same fifty: they are in the first row. */
async function selectAgreements(
  on: Queryable,
  holder: Holder,
  filter: AgreementFilter,
  page: Page<AgreementSort>,
): Promise<ListedAgreementRow[]> {
  const [{ by, direction }, after] = page;
  type Row = Omit<ListedAgreementRow, 'groups'> & {
    groups: string[] | null;
    all_groups: StoredGroup[] | null;
  };
  const rows = await on.query<Row>(
    sql`
    with item as materialized (
      select page.*, row_number() over () as place from (
        select ${detailWith(groupIds)} from agreement where ${matches(holder, filter)} ${onPage(sortColumns, 'agreement', page, holder.order)}) page)
    select ${columns}, ${holder.partnerName} as partner_name, case when place = 1 then (
      select jsonb_agg(${groupJson}) from permission_group where id in (select unnest(groups) from item)) end as all_groups
    from item order by place`,
    by === 'id'
      ? statementName(`agreements ${direction}${after ? ' after one' : ''}`, holder, filter)
      : undefined,
  );
  const groups = new Map(rows[0]?.all_groups?.map((group) => [group.id, group]));
  // In place: copying the rows would take as long as the rest. Without any group, all are null already.
  if (groups.size > 0)
    for (const row of rows)
      Object.assign(row, { groups: row.groups?.flatMap((id) => groups.get(id) ?? []) ?? null });
  return rows as object[] as ListedAgreementRow[];
}

const countAgreements = (on: Queryable, holder: Holder, filter: AgreementFilter) =>
  selectTotal(
    on,
    sql`agreement where ${matches(holder, filter)} ${countOrder[filter.state as State] ?? sql``}`,
    statementName('count agreements', holder, filter),
  );

/** Makes the planner count in the index of the state: it does not know that a partner has few agreements in it. */
const countOrder: Partial<Record<State, Sql>> = {
  pending: sql`order by ${partnerFirst(sql`asc`)} agreement.id`,
  active: sql`order by ${partnerFirst(sql`asc`)} agreement.id`,
};

/**
 * Prepares a list by id without filters: planning it takes as long as reading a page. Others are planned each
 * time, by their values and the size of the partner.
 */
const statementName = (what: string, { name }: Holder, { state, email }: AgreementFilter) =>
  state === undefined && email === undefined ? `${what} of ${name}` : undefined;

/** The same states as `state`, in terms of indexes. */
const inState: Readonly<Record<State, Sql>> = {
  expired: sql`${sortColumns.expires_at} <= concord_now()`,
  pending: sql`agreement.user_id is null and ${isLive}`,
  active: sql`agreement.user_id is not null and ${isLive}`,
};

const matches = (holder: Holder, { state: wanted, email }: AgreementFilter) =>
  allOf(
    holder.condition,
    wanted !== undefined && inState[wanted as State],
    email !== undefined && sql`agreement.email ilike ${contains(email)}`,
  );

/** The partner's owners with their addresses. Banned owners are left out. */
export const selectOwners = (on: Queryable, partnerId: string) =>
  on.query<{ id: string; email: string }>(sql`
    select account.id, account.email from agreement join auth."user" account on account.id = agreement.user_id
    where agreement.partner_id = ${partnerId} and agreement.owner and ${isLive} and ${notBanned} order by agreement.id`);

export const selectOwnerEmails = async (on: Queryable, partnerId: string) =>
  (await selectOwners(on, partnerId)).map(({ email }) => email);
