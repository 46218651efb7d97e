// The SQL of access: one statement reads credentials, their users, their memberships of partners, and the
// rows that paths name.
import sql, { raw, type Sql } from 'sql-template-tag';
import { type IdKind, parseId } from '../base/ids.ts';
import type { Queryable, Transaction } from '../base/postgres/database.ts';
import type { Bearer } from './bearer.ts';
import type {
  AccessFacts,
  AclPermission,
  Credential,
  Membership,
  Principal,
  TemporaryGrant,
} from './permissions/index.ts';
import { type AccessQuery, itemId, keyOf, type Read } from './read.ts';

/** `endsAt` has PostgreSQL's format. */
export type StoredTemporary = readonly { permissions: string[]; endsAt: string }[] | null;

/** The caller's live agreement. `membership_id` is null when there is none. */
export type MembershipRow = {
  membership_id: string | null;
  membership_owner: boolean;
  membership_mfa_required: boolean;
  membership_lacks_sso: boolean;
  membership_expires_at: Date | null;
  membership_permissions: AclPermission[];
  membership_groups: Membership['groups'] | null;
  membership_temporary: StoredTemporary;
};

type AccessRow = MembershipRow & {
  /** The place of the query, from 1. */
  access_query: number;
  credential_id: string;
  caller_token_replaced: boolean;
  caller_slide_due: boolean;
  caller_proven_lately: boolean;
  caller_scopes: AclPermission[] | null;
  caller_partner_ids: string[] | null;
  caller_is_program: boolean;
  caller_id: string;
  caller_role: string | null;
  caller_banned: boolean;
  caller_second_factor: Principal['secondFactor'];
  access_partner_id: string | null;
  item_is: AccessFacts['item'];
  own_requires_second_factor: boolean;
};

export type Found<Row> = Omit<AccessFacts, 'operatorsNeedSecondFactor'> & {
  readonly banned: boolean;
  /** The session has a newer token. This one works for some more seconds, for requests that are under way. */
  readonly tokenReplaced: boolean;
  /** The session was last extended over a day ago. */
  readonly slideDue: boolean;
  /**
   * The caller proved who they are in the last ten minutes, with every factor that they have enabled. Never
   * true for access tokens.
   */
  readonly provenLately: boolean;
  /** The caller is a service account. */
  readonly isProgram: boolean;
  readonly row: Row;
};

type ItemOptions = Omit<NonNullable<Read['item']>, 'kind' | 'join' | 'lock'> & {
  lock?: 'update' | 'no key update';
};

/**
 * An object of the partner, from the table that is named as its kind. That of the object which contains it is a
 * column, named as the parameter.
 */
export const readOf = <Row>(kind: IdKind, columns: Sql, { lock, ...item }: ItemOptions): Read<Row> => ({
  name: kind.replace('_', ' '),
  columns,
  item: {
    kind,
    join: (id, within) => sql`left join ${raw(kind)} item on item.id = ${id} and item.partner_id = partner.id
      ${item.within ? sql`and item.${raw(item.within.parameter)} = ${within}` : sql``}`,
    ...(lock && { lock: (id) => sql`select from ${raw(kind)} where id = ${id} for ${raw(lock)}` }),
    ...item,
  },
});

/** Queries with one shape are answered by one statement. */
export const shapeOf = ({ bearer, read }: AccessQuery): string =>
  `access ${bearer.kind} ${read?.name ?? 'platform'}`;

/** Answers queries of one shape, in their order. Null when the bearer token is not valid. */
export async function readAccess<Row>(
  on: Queryable,
  queries: readonly AccessQuery<Row>[],
): Promise<(Found<Row> | null)[]> {
  const [first] = queries;
  if (!first) return [];
  const rows = await on.query<AccessRow & Row>(
    accessStatement(first, queries),
    queries.length === 1 ? `one ${shapeOf(first)}` : shapeOf(first),
  );
  const found: (Found<Row> | null)[] = queries.map(() => null);
  for (const row of rows) found[row.access_query - 1] = toFound(first.bearer.kind, row);
  return found;
}

function toFound<Row>(kind: Bearer['kind'], row: AccessRow & Row): Found<Row> {
  return {
    principal: {
      userId: row.caller_id,
      role: row.caller_role === 'operator' ? 'operator' : 'user',
      secondFactor: row.caller_second_factor,
      credential: toCredential(kind, row),
    },
    partnerId: row.access_partner_id,
    membership: toMembership(row),
    item: row.item_is,
    ownRequiresSecondFactor: row.own_requires_second_factor,
    banned: row.caller_banned,
    tokenReplaced: row.caller_token_replaced,
    slideDue: row.caller_slide_due,
    provenLately: row.caller_proven_lately,
    isProgram: row.caller_is_program,
    row,
  };
}

/** How long a sign-in with an identity provider of the partner counts. */
export const proofAge = sql`make_interval(secs => partner.sso_max_age_seconds)`;
/** When break glass ends. A shorter time of the policy counts at once, a longer one does not. */
export const glassEnd = sql`least(break_glass.ends_at, break_glass.began_at + ${proofAge})`;

/**
 * Whether the session has the proof of an identity provider of the partner that the partner's `sso_required`
 * asks for, or its owner has broken the glass.
 */
function sessionProof(sessionId: Sql): Sql {
  return sql`(exists (
    select from session_proof where session_id = ${sessionId} and session_proof.partner_id = agreement.partner_id
      and proved_at > concord_now() - ${proofAge})
    or agreement.owner and exists (
    select from break_glass where session_id = ${sessionId} and break_glass.partner_id = agreement.partner_id
      and ${glassEnd} > concord_now()))`;
}
/** A token proves no sign-in. Service accounts cannot sign in, so they need no proof. */
const programProof = sql`exists (select from service_account where user_id = agreement.user_id)`;
/** For persons as in a session that has every proof. */
export const everyProof = sql`true`;
export const proofOf = ({ kind, id }: Credential): Sql =>
  kind === 'session' ? sessionProof(sql`${id}`) : programProof;

/**
 * For each kind of credential: its table, its id, the column that finds it, and what it says about scopes,
 * the second factor and single sign-on.
 */
const credentials = {
  session: {
    table: sql`auth.session`,
    id: sql`coalesce(credential.replaced_by, credential.id)`,
    columns: sql`credential.replaced_by is not null as caller_token_replaced,
      credential.updated_at < concord_now() - interval '1 day' as caller_slide_due, null as caller_scopes, null as caller_partner_ids,
      case when account.two_factor_enabled is not true then 'not_enabled'
        when credential.mfa_verified_at is null then 'missing' else 'proven' end as caller_second_factor,
      credential.proven_at > concord_now() - interval '10 minutes'
        and (account.two_factor_enabled is not true or credential.mfa_verified_at is not null) as caller_proven_lately,
      false as caller_is_program`,
    proof: sessionProof(sql`coalesce(credential.replaced_by, credential.id)`),
    secret: sql`credential.token`,
    type: sql`text`,
  },
  token: {
    table: sql`access_token`,
    id: sql`credential.id`,
    columns: sql`false as caller_token_replaced, false as caller_slide_due, credential.scopes as caller_scopes, credential.partner_ids as caller_partner_ids,
      case when account.two_factor_enabled is not true then 'not_enabled'
        when credential.mfa_proven then 'proven' else 'missing' end as caller_second_factor,
      false as caller_proven_lately,
      exists (select from service_account where user_id = account.id) as caller_is_program`,
    proof: programProof,
    secret: sql`credential.token_hash`,
    type: sql`bytea`,
  },
} as const;

/**
 * The feature's columns come first: when two columns have the same name, pg keeps the later one, so a feature
 * cannot override the columns of access. No row means that the token is not valid. `access_partner_id` is
 * null for an unknown partner and for an id of the wrong form. Callers get the same answer for both, and for
 * a hidden partner.
 */
function accessStatement({ bearer, read }: AccessQuery, queries: readonly AccessQuery[]): Sql {
  const { table, id, columns, proof, secret, type } = credentials[bearer.kind];
  return sql`
    select ${read?.columns ? sql`${read.columns}, ` : sql``}
      asked.n::int as access_query, ${id} as credential_id, ${columns}, account.id as caller_id, account.role as caller_role,
      account.banned is true and (account.ban_expires is null or account.ban_expires > concord_now()) as caller_banned
      ${read ? partnerColumns(read) : outsidePartners}
    from ${asked(queries, type)}
    join ${table} credential on ${secret} = asked.secret and credential.expires_at > concord_now()
    join auth."user" account on account.id = credential.user_id
    ${read ? partnerJoins(read, proof) : sql``}`;
}

/**
 * What is asked. A single question comes without arrays: their length is unknown to a generic plan, so
 * PostgreSQL would plan anew each time (measured: 0.7 ms).
 */
function asked(queries: readonly AccessQuery[], type: Sql): Sql {
  const rows = queries.map((query) => {
    const { parameters, read } = query;
    const within = read?.item?.within;
    return {
      secret: query.bearer.secret,
      partner: parseId('partner', parameters.id ?? ''),
      item: keyOf(query),
      container: within ? itemId(within, parameters) : null,
    };
  });
  const [row] = rows;
  if (row && rows.length === 1)
    return sql`(select ${row.secret}::${type} as secret, ${row.partner}::uuid as partner_id, ${row.item}::text as item_id,
      ${row.container}::uuid as container_id, 1 as n) asked`;
  return sql`unnest(${rows.map(({ secret }) => secret)}::${type}[], ${rows.map(({ partner }) => partner)}::uuid[],
      ${rows.map(({ item }) => item)}::text[], ${rows.map(({ container }) => container)}::uuid[])
      with ordinality as asked (secret, partner_id, item_id, container_id, n)`;
}

/** What access requests give the agreement now. One that they give nothing costs no look-up. */
export const temporaryGrants = sql`case when agreement.granted_until > concord_now() then (
    select jsonb_agg(jsonb_build_object('permissions', request.permissions, 'endsAt', request.ends_at) order by request.id)
    from access_request request where request.agreement_id = agreement.id and request.ends_at > concord_now()) end`;

export const toTemporary = (stored: StoredTemporary): TemporaryGrant[] =>
  (stored ?? []).map(({ permissions, endsAt }) => ({ permissions, endsAt: new Date(endsAt) }));

const groupsOfAgreement = sql`(
    select jsonb_agg(jsonb_build_object('id', permission_group.id, 'aclPermissions', permission_group.acl_permissions)
      order by agreement_group.position)
    from agreement_group join permission_group on permission_group.id = agreement_group.group_id
    where agreement_group.agreement_id = agreement.id)`;

/** In place of these, where many agreements can carry the same groups. Null: none. */
export const groupIds = sql`(
    select array_agg(group_id order by position) from agreement_group where agreement_id = agreement.id)`;

/**
 * What a live agreement of `partner` grants (behaviour A6). A pending agreement has no user, so no caller has
 * it as a membership. `proof`: a condition.
 */
export const membershipColumns = (proof: Sql, groups: Sql = groupsOfAgreement): Sql => sql`
  agreement.id as membership_id, agreement.owner as membership_owner, agreement.mfa_required as membership_mfa_required,
  case when agreement.sso_required or partner.sso_required then not ${proof} else false end as membership_lacks_sso,
  agreement.expires_at as membership_expires_at, agreement.acl_permissions as membership_permissions,
  ${groups} as membership_groups, ${temporaryGrants} as membership_temporary`;
export const isLive = sql`(agreement.expires_at is null or agreement.expires_at > concord_now())`;

const outsidePartners = sql`, null as access_partner_id, null as membership_id, 'none' as item_is, false as own_requires_second_factor`;

const partnerColumns = ({ item }: Read): Sql => sql`,
  partner.id as access_partner_id, mine.*, ${item ? itemColumns(item) : noItem}`;

const noItem = sql`'none' as item_is, false as own_requires_second_factor`;
const itemColumns = ({
  own = sql`false`,
  ownRequiresSecondFactor = sql`false`,
}: NonNullable<Read['item']>): Sql => sql`
  case when item.id is null then 'missing' when ${own} then 'own' else 'there' end as item_is,
  ${ownRequiresSecondFactor} as own_requires_second_factor`;

const partnerJoins = ({ item }: Read, proof: Sql): Sql => sql`
  left join partner on partner.id = asked.partner_id and partner.deleted_at is null
  left join lateral (
    select ${membershipColumns(proof)} from agreement
    where agreement.partner_id = partner.id and agreement.user_id = account.id and ${isLive}
    limit 1
  ) mine on true
  ${item ? item.join(item.hasTypedIds ? sql`asked.item_id` : sql`asked.item_id::uuid`, sql`asked.container_id`) : sql``}`;

function toCredential(
  kind: Bearer['kind'],
  { credential_id: id, caller_scopes: scopes, caller_partner_ids: partnerIds }: AccessRow,
): Credential {
  return kind === 'session' ? { kind, id } : { kind, id, scopes: scopes ?? [], partnerIds };
}

export function toMembership(row: MembershipRow): Membership | null {
  if (row.membership_id === null) return null;
  return {
    agreementId: row.membership_id,
    owner: row.membership_owner,
    mfaRequired: row.membership_mfa_required,
    lacksSso: row.membership_lacks_sso,
    expiresAt: row.membership_expires_at,
    aclPermissions: row.membership_permissions,
    groups: row.membership_groups ?? [],
    temporary: toTemporary(row.membership_temporary),
  };
}

export async function selectMemberships(
  on: Queryable,
  { userId, credential }: Pick<Principal, 'userId' | 'credential'>,
): Promise<{ partnerId: string; membership: Membership }[]> {
  const rows = await on.query<MembershipRow & { partner_id: string }>(sql`
    select partner_id, ${membershipColumns(proofOf(credential))} from agreement
    join partner on partner.id = partner_id and partner.deleted_at is null where user_id = ${userId} and ${isLive}`);
  return rows.flatMap((row) => {
    const membership = toMembership(row);
    return membership ? [{ partnerId: row.partner_id, membership }] : [];
  });
}

/**
 * The ids (bare UUIDs) of the partners with an agreement of the user, also of those whose agreement has
 * expired.
 */
export async function selectPartnersOf(on: Queryable, userId: string): Promise<string[]> {
  const rows = await on.query<{ partner_id: string }>(
    sql`select partner_id from agreement where user_id = ${userId}`,
  );
  return rows.map((row) => row.partner_id);
}

// Every mutation locks in this order: partner, user, agreement, item. A deletion of the caller at that moment
// is seen, or waits.
// The statements are sent together. PostgreSQL runs one after the other.

export const lockPartner = (tx: Transaction, partnerId: string) =>
  tx.write(sql`select from partner where id = ${partnerId} for no key update`);

/** Locks the caller and their agreement, after the partner unless it is null. */
export const lockCaller = (
  tx: Transaction,
  partnerId: string | null,
  { principal, membership }: Pick<AccessFacts, 'principal' | 'membership'>,
) =>
  tx.write(
    sql`select lock_for_change(${partnerId}, ${principal.userId}, ${membership?.agreementId ?? null})`,
    'lock caller',
  );

/**
 * Locks callers as `lockCaller` does, where that needs no waiting. Returns which of them are locked. It is
 * one statement, so a read that is sent right after it sees what was locked.
 */
export async function tryLockCallers(
  tx: Transaction,
  callers: readonly Pick<AccessFacts, 'principal' | 'membership'>[],
): Promise<boolean[]> {
  const agreementIds = callers.flatMap(({ membership }) => membership?.agreementId ?? []);
  const [row] = await tx.query<{ ids: string[] }>(
    sql`
    select array(select id from auth."user" where id = any(${callers.map(({ principal }) => principal.userId)}) for key share skip locked)
      || array(select id::text from agreement where id = any(${agreementIds}::uuid[]) for share skip locked) as ids`,
    'try to lock callers',
  );
  const locked = new Set(row?.ids);
  return callers.map(
    ({ principal, membership }) =>
      locked.has(principal.userId) && (membership === null || locked.has(membership.agreementId)),
  );
}

export async function lockItem(tx: Transaction, { read, parameters }: AccessQuery): Promise<void> {
  if (read?.item?.lock) await tx.write(read.item.lock(itemId(read.item, parameters)), `lock ${read.name}`);
}
