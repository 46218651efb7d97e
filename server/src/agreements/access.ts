// The one access read: who calls, how they stand to a partner, and the row that is asked for, in one statement.
import sql, { type Sql } from 'sql-template-tag';
import type { Bearer } from '../accounts/index.ts';
import { type IdKind, parseId } from '../ids.ts';
import type { AclPermission, Credential, Membership, Principal, Standing } from '../permissions/index.ts';
import type { Queryable } from '../postgres/database.ts';

/** What a feature reads along with the access read: columns of its row, from the tables joined there. */
export type Read = {
  readonly name: string;
  /** Null: none but those of the access read. */
  readonly columns: Sql | null;
  /** The partner's thing that the path names: its table is joined as `item`. */
  readonly item?: {
    readonly kind: IdKind;
    readonly parameter: string;
    /** What it lies in, when that is not the partner itself. */
    readonly within?: { readonly kind: IdKind; readonly parameter: string };
    /** A lateral join after `partner` and `account`; an id of the wrong form comes as null. */
    readonly join: (id: string | null, within: string | null) => Sql;
    /** Locks its row, so that it does not vanish within a mutation. */
    readonly lock?: (id: string | null) => Sql;
    /** Whether it is the caller's own agreement, and whether that asks for a second factor. */
    readonly own?: Sql;
    readonly ownAsksSecondFactor?: Sql;
  };
};

/** Everything that the answer depends on, so that it can be asked again. */
export type Question = {
  readonly bearer: Bearer;
  readonly parameters: Readonly<Record<string, string>>;
  /** Null on routes outside partners. */
  readonly read: Read | null;
};

/** The caller's live agreement; `membership_id` null: none. */
export type MembershipRow = {
  membership_id: string | null;
  membership_owner: boolean;
  membership_mfa_required: boolean;
  membership_expires_at: Date | null;
  membership_permissions: AclPermission[];
  membership_groups: Membership['groups'] | null;
};

type AccessRow = MembershipRow & {
  credential_id: string;
  caller_slide_due: boolean;
  caller_scopes: AclPermission[] | null;
  caller_partner_ids: string[] | null;
  caller_id: string;
  caller_role: string | null;
  caller_banned: boolean;
  caller_second_factor: Principal['secondFactor'];
  partner_id: string | null;
  item_is: Standing['item'];
  own_asks_second_factor: boolean;
};

export type Found = Omit<Standing, 'operatorsNeedSecondFactor'> & {
  readonly banned: boolean;
  readonly slideDue: boolean;
  readonly row: unknown;
};

/** Null: the token is not valid. */
export async function readAccess(on: Queryable, question: Question): Promise<Found | null> {
  const { bearer, read } = question;
  const [row] = await on.query<AccessRow>(accessStatement(question), `access ${bearer.kind} ${read?.name ?? 'platform'}`);
  if (!row) return null;
  return {
    principal: {
      userId: row.caller_id,
      role: row.caller_role === 'operator' ? 'operator' : 'user',
      secondFactor: row.caller_second_factor,
      credential: toCredential(bearer.kind, row),
    },
    partnerId: row.partner_id,
    membership: toMembership(row),
    item: row.item_is,
    ownAsksSecondFactor: row.own_asks_second_factor,
    banned: row.caller_banned,
    slideDue: row.caller_slide_due,
    row,
  };
}

/** Where a credential is found, and what it says about a second factor and the reach of its bearer. */
const credentials = {
  session: {
    table: sql`auth.session`,
    columns: sql`credential.updated_at < concord_now() - interval '1 day' as caller_slide_due, null as caller_scopes, null as caller_partner_ids,
      case when account.two_factor_enabled is not true then 'not_enabled'
        when credential.mfa_verified_at is null then 'missing' else 'proven' end as caller_second_factor`,
    secret: sql`credential.token`,
  },
  token: {
    table: sql`access_token`,
    columns: sql`false as caller_slide_due, credential.scopes as caller_scopes, credential.partner_ids as caller_partner_ids,
      case when account.two_factor_enabled is not true then 'not_enabled'
        when credential.mfa_proven then 'proven' else 'missing' end as caller_second_factor`,
    secret: sql`credential.token_hash`,
  },
} as const;

/**
 * The columns of the feature come first: of two with one name the later counts, so that none can pose as the caller's.
 * No row: the token is not valid. `partner_id` null: no such partner, or an id of the wrong form, which comes here as null; the
 * caller cannot tell the two apart, nor either from a partner that is hidden.
 */
function accessStatement({ bearer, parameters, read }: Question): Sql {
  const { table, columns, secret } = credentials[bearer.kind];
  return sql`
    select ${read?.columns ? sql`${read.columns}, ` : sql``}
      credential.id as credential_id, ${columns}, account.id as caller_id, account.role as caller_role,
      account.banned is true and (account.ban_expires is null or account.ban_expires > concord_now()) as caller_banned
      ${read ? partnerColumns(read) : outsidePartners}
    from ${table} credential
    join auth."user" account on account.id = credential.user_id
    ${read ? partnerJoins(read, parameters) : sql``}
    where ${secret} = ${bearer.secret} and credential.expires_at > concord_now()`;
}

/** Of the table `agreement`: what it gives, and whether it gives it now (behaviour A6; pending ones have no user). */
export const membershipColumns = sql`
  agreement.id as membership_id, agreement.owner as membership_owner, agreement.mfa_required as membership_mfa_required,
  agreement.expires_at as membership_expires_at, agreement.acl_permissions as membership_permissions, (
    select jsonb_agg(jsonb_build_object('id', permission_group.id, 'aclPermissions', permission_group.acl_permissions)
      order by agreement_group.position)
    from agreement_group join permission_group on permission_group.id = agreement_group.group_id
    where agreement_group.agreement_id = agreement.id) as membership_groups`;
export const isLive = sql`(agreement.expires_at is null or agreement.expires_at > concord_now())`;

const outsidePartners = sql`, null as partner_id, null as membership_id, 'none' as item_is, false as own_asks_second_factor`;

const partnerColumns = ({ item }: Read): Sql => sql`,
  partner.id as partner_id, mine.*, ${item ? itemColumns(item) : noItem}`;

const noItem = sql`'none' as item_is, false as own_asks_second_factor`;
const itemColumns = ({ own = sql`false`, ownAsksSecondFactor = sql`false` }: NonNullable<Read['item']>): Sql => sql`
  case when item.id is null then 'missing' when ${own} then 'own' else 'there' end as item_is,
  ${ownAsksSecondFactor} as own_asks_second_factor`;

const partnerJoins = ({ item }: Read, parameters: Question['parameters']): Sql => sql`
  left join partner on partner.id = ${parseId('partner', parameters.id ?? '')} and partner.deleted_at is null
  left join lateral (
    select ${membershipColumns} from agreement
    where agreement.partner_id = partner.id and agreement.user_id = account.id and ${isLive}
    limit 1
  ) mine on true
  ${item ? item.join(itemId(item, parameters), item.within ? itemId(item.within, parameters) : null) : sql``}`;

/** Bare UUID of what the path names inside the partner. */
export const itemId = (
  { kind, parameter }: Pick<NonNullable<Read['item']>, 'kind' | 'parameter'>,
  parameters: Question['parameters'],
) => parseId(kind, parameters[parameter] ?? '');

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
    expiresAt: row.membership_expires_at,
    aclPermissions: row.membership_permissions,
    groups: row.membership_groups ?? [],
  };
}
