// An agreement, and the rules on who may change it: grantors must hold what they grant (behaviour A8). Pure:
// no SQL, no HTTP.
import type { Static } from 'typebox';
import {
  type AclPermission,
  addedGrants,
  allPermissions,
  everything,
  grantOf,
  heldUntilMs,
  holds,
  type Membership,
  type Principal,
  type TemporaryGrant,
} from '../access/permissions/index.ts';
import { forbidden } from '../base/errors.ts';
import type * as wire from './schema.ts';

export type PermissionGroup = Static<typeof wire.AclPermissionGroup>;
export type Agreement = Static<typeof wire.Agreement>;

export type State = (typeof wire.states)[number];

/** The members that an update can change, with the permissions of each group. */
export type Terms = Pick<Agreement, 'owner' | 'mfa_required' | 'expires_at' | 'acl_permissions'> & {
  groups: readonly Pick<PermissionGroup, 'id' | 'acl_permissions'>[];
};

/** Terms that give nothing else. */
export const memberTerms = (given: Partial<Terms> & Pick<Terms, 'mfa_required'>): Terms => ({
  owner: false,
  expires_at: null,
  acl_permissions: [],
  groups: [],
  ...given,
});

export function termsOf({ acl_permission_groups: groups, ...agreement }: Agreement): Terms {
  const { owner, mfa_required, expires_at, acl_permissions } = agreement;
  return { owner, mfa_required, expires_at, acl_permissions, groups };
}

/** The caller who grants. Operators need no membership. */
export type Grantor = { readonly principal: Principal; readonly membership: Membership | null };

/** As the person acts in a session, with the second factor if one is required. */
export const toGrantor = (
  user: { readonly id: string; readonly isOperator: boolean } | null,
  membership: Membership | null,
): Grantor => ({
  principal: {
    userId: user?.id ?? '',
    role: user?.isOperator ? 'operator' : 'user',
    secondFactor: 'proven',
    credential: { kind: 'session', id: '' },
  },
  membership,
});

export const isOwnerOrOperator = (grantor: Grantor) =>
  grantor.principal.role === 'operator' || grantor.membership?.owner === true;

/** Whether the caller sees whose agreements they are. */
export const seesAgreements = ({ principal, membership }: Grantor) =>
  holds(principal, membership, [{ resource: 'agreements', method: 'query' }]);

/** An agreement requires a second factor from the start if that of the member who creates it does. */
export const inheritsMfa = ({ principal, membership }: Grantor) =>
  principal.role !== 'operator' && membership?.mfaRequired === true;

/**
 * Owners and operators decide who needs a second factor. A bound member grants only to agreements that
 * require one.
 */
export const isBound = (grantor: Grantor) =>
  grantor.membership?.mfaRequired === true && !isOwnerOrOperator(grantor);

const held = (terms: Terms): readonly AclPermission[] =>
  terms.owner
    ? everything
    : [...terms.acl_permissions, ...terms.groups.flatMap((group) => group.acl_permissions)];

/** Milliseconds since 1970. Infinity: the agreement never expires. */
export const toEndMs = (moment: string | Date | null) =>
  moment === null ? Number.POSITIVE_INFINITY : new Date(moment).getTime();

/** @throws ServiceError forbidden: the grantor may not make the change (`reasonToRefuse`) */
export function requireHeld(grantor: Grantor, before: Terms | null, after: Terms) {
  const detail = reasonToRefuse(grantor, before, after);
  if (detail !== null) throw forbidden(detail);
}

export const mayGive = (grantor: Grantor, before: Terms | null, after: Terms) =>
  reasonToRefuse(grantor, before, after) === null;

export const notHeld = 'You cannot grant permissions that you do not hold.';

/**
 * The grantor must hold what the change adds, for at least as long, and on terms that are no stricter.
 * `before` is null for a new agreement. A later `expires_at` grants everything in the agreement again. Null:
 * nothing is wrong.
 */
function reasonToRefuse(grantor: Grantor, before: Terms | null, after: Terms): string | null {
  const endMs = toEndMs(after.expires_at);
  const prolonged = before !== null && endMs > toEndMs(before.expires_at);
  const added = addedGrants(before === null || prolonged ? [] : held(before), held(after));
  if (added.length === 0) return null;
  const { principal, membership } = grantor;
  const heldMs = heldUntilMs(principal, membership, added);
  if (heldMs === Number.NEGATIVE_INFINITY) return notHeld;
  if (isBound(grantor) && !after.mfa_required) {
    return 'Your own agreement requires a second factor, so the agreement must require one too: set mfa_required to true.';
  }
  return endMs > heldMs ? outlives(heldMs) : null;
}

/** What is wrong with a grant that ends later than its grantor holds it. */
export const outlives = (heldMs: number) =>
  `You cannot grant permissions for longer than you hold them: until ${new Date(heldMs).toISOString()} at the latest.`;

type Reserved = {
  owner: boolean;
  /** `mfa_required` becomes false. */
  mfaLifted?: boolean;
};

/**
 * Only owners and operators may set `owner`, lift `mfa_required`, change the agreement of an owner, or change
 * the terms of their own agreement.
 * @throws ServiceError forbidden
 */
export function requireMayChange(
  grantor: Grantor & { readonly isOwn: boolean },
  current: Agreement,
  changed: Reserved,
) {
  if (isOwnerOrOperator(grantor)) return;
  if (grantor.isOwn)
    throw forbidden('Only owners and operators can change the terms of their own agreement.');
  if (current.owner || changed.owner)
    throw forbidden('Only owners and operators can set owner, or change the agreement of an owner.');
  if (changed.mfaLifted)
    throw forbidden('Only owners and operators can change mfa_required from true to false.');
}

/**
 * For each resource and method: whether the agreement allows it, and why. Requests are decided the same way
 * (`grantOf`).
 */
export function explain(
  agreement: Agreement,
  state: State,
  temporary: readonly TemporaryGrant[] = [],
): Static<typeof wire.EffectivePermission>[] {
  const membership: Membership = {
    agreementId: agreement.id,
    owner: agreement.owner,
    mfaRequired: agreement.mfa_required,
    lacksSso: false,
    expiresAt: null,
    aclPermissions: agreement.acl_permissions,
    groups: agreement.acl_permission_groups.map(({ id, acl_permissions }) => ({
      id,
      aclPermissions: acl_permissions,
    })),
    temporary,
  };
  return allPermissions.map((permission) => {
    const grant = state === 'active' ? grantOf(membership, permission) : null;
    return {
      ...permission,
      allowed: grant !== null,
      because: state === 'active' ? (grant?.because ?? 'not_granted') : state,
      acl_permission_group_id: grant?.groupId ?? null,
    };
  });
}
