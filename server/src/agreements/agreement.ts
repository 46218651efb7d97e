// An agreement, and the rule that nobody grants what they do not hold (behaviour A8). Pure: no SQL, no HTTP.
import { ServiceError } from '../errors.ts';
import {
  type AclPermission,
  addedGrants,
  everything,
  grantOf,
  holds,
  type Membership,
  methodNames,
  type Principal,
  resourceNames,
} from '../permissions/index.ts';

export type PermissionGroup = {
  id: string;
  account_id: string;
  name: string;
  type: 'managed' | 'custom';
  created_at: string;
  updated_at: string;
  acl_permissions: AclPermission[];
};

export type Agreement = {
  id: string;
  accepted: boolean;
  owner: boolean;
  mfa_required: boolean;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  user: { email: string; name: string | null };
  acl_permissions: AclPermission[];
  acl_permission_groups: PermissionGroup[];
  acl_permission_group_ids: string[];
};

/** Lists filter by it; it is not a member of the wire. */
export type State = 'pending' | 'active' | 'expired';

/** The members that an update can change, with the permissions of the groups. */
export type Terms = Pick<Agreement, 'owner' | 'mfa_required' | 'expires_at' | 'acl_permissions'> & {
  groups: readonly Pick<PermissionGroup, 'id' | 'acl_permissions'>[];
};

export const termsOf = ({
  owner,
  mfa_required,
  expires_at,
  acl_permissions,
  acl_permission_groups: groups,
}: Agreement): Terms => ({
  owner,
  mfa_required,
  expires_at,
  acl_permissions,
  groups,
});

/** The caller who grants: operators need no membership. */
export type Grantor = { readonly principal: Principal; readonly membership: Membership | null };

export const isOwnerOrOperator = (grantor: Grantor) =>
  grantor.principal.role === 'operator' || grantor.membership?.owner === true;

const held = (terms: Terms): readonly AclPermission[] =>
  terms.owner ? everything : [...terms.acl_permissions, ...terms.groups.flatMap((group) => group.acl_permissions)];

/** When it ends, in milliseconds; Infinity when it has no end. */
const end = (moment: string | Date | null): number => (moment === null ? Number.POSITIVE_INFINITY : new Date(moment).getTime());

/**
 * Nobody grants what their credential does not hold, or for longer than their own agreement lasts. `before` is null for a new
 * agreement. A later end grants everything in it again.
 * @throws ServiceError forbidden
 */
export function requireHeld(grantor: Grantor, before: Terms | null, after: Terms): void {
  const lasts = end(after.expires_at);
  const prolonged = before !== null && lasts > end(before.expires_at);
  const added = addedGrants(before === null || prolonged ? [] : held(before), held(after));
  if (added.length === 0) return;
  if (!holds(grantor.principal, grantor.membership, added)) {
    throw new ServiceError('forbidden', { detail: 'You cannot grant permissions that you do not hold.' });
  }
  if (grantor.principal.role !== 'operator' && grantor.membership && lasts > end(grantor.membership.expiresAt)) {
    throw new ServiceError('forbidden', {
      detail: 'You cannot grant permissions for longer than you hold them: set an earlier expires_at.',
    });
  }
}

/**
 * Only owners and operators change ownership, or an owner's agreement, or the terms of their own agreement.
 * @throws ServiceError forbidden
 */
export function requireMayChange(grantor: Grantor, current: Agreement, isOwn: boolean, touched: { owner: boolean }): void {
  if (isOwnerOrOperator(grantor)) return;
  if (isOwn) throw new ServiceError('forbidden', { detail: 'You cannot change the terms of your own agreement.' });
  if (current.owner || touched.owner) {
    throw new ServiceError('forbidden', {
      detail: 'Only owners and operators can set owner, and change the agreements of owners.',
    });
  }
}

type Effective = {
  resource: (typeof resourceNames)[number];
  method: (typeof methodNames)[number];
  allowed: boolean;
  because: 'owner' | 'direct' | 'group' | 'pending' | 'expired' | 'not_granted';
  acl_permission_group_id: string | null;
};

/** For each resource and method whether it is allowed, and by which part of the agreement. Requests are decided the same way. */
export function explain(agreement: Agreement, state: State): Effective[] {
  const membership: Membership = {
    agreementId: agreement.id,
    owner: agreement.owner,
    mfaRequired: agreement.mfa_required,
    expiresAt: null,
    aclPermissions: agreement.acl_permissions,
    groups: agreement.acl_permission_groups.map(({ id, acl_permissions }) => ({ id, aclPermissions: acl_permissions })),
  };
  return resourceNames.flatMap((resource) =>
    methodNames.map((method): Effective => {
      const refused = (because: Effective['because']) => ({
        resource,
        method,
        allowed: false,
        because,
        acl_permission_group_id: null,
      });
      if (state !== 'active') return refused(state);
      const grant = grantOf(membership, { resource, method });
      if (grant === null) return refused('not_granted');
      return { resource, method, allowed: true, because: grant.because, acl_permission_group_id: grant.groupId ?? null };
    }),
  );
}
