// What an agreement is, and what nobody may do with one: hand on what they do not hold (behaviour A8).
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

/** Not emitted; lists filter by it. */
export type State = 'pending' | 'active' | 'expired';

/** The members that a change can change, with the permissions of the groups at hand. */
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

/** Who gives: their own agreement, and what let them in. Operators need none. */
export type Giver = { readonly principal: Principal; readonly membership: Membership | null };

export const isOwnerOrOperator = (giver: Giver) => giver.principal.role === 'operator' || giver.membership?.owner === true;

const held = (terms: Terms): readonly AclPermission[] =>
  terms.owner ? everything : [...terms.acl_permissions, ...terms.groups.flatMap((group) => group.acl_permissions)];

/** How long it lasts, for comparing; Infinity when it has no end. */
const end = (moment: string | Date | null): number => (moment === null ? Number.POSITIVE_INFINITY : new Date(moment).getTime());

/**
 * Nobody gives what their credential does not hold, nor for longer than they have it themselves. `before` is null for what is new;
 * a later end gives all of it anew.
 * @throws ServiceError forbidden
 */
export function requireHeld(giver: Giver, before: Terms | null, after: Terms): void {
  const lasts = end(after.expires_at);
  const prolonged = before !== null && lasts > end(before.expires_at);
  const added = addedGrants(before === null || prolonged ? [] : held(before), held(after));
  if (added.length === 0) return;
  if (!holds(giver.principal, giver.membership, added)) {
    throw new ServiceError('forbidden', { detail: 'You cannot give permissions that you do not hold.' });
  }
  if (giver.principal.role !== 'operator' && giver.membership && lasts > end(giver.membership.expiresAt)) {
    throw new ServiceError('forbidden', { detail: 'You cannot give permissions for longer than you have them: set expires_at.' });
  }
}

/**
 * Who owns is a matter of owners and operators; and nobody else changes the terms of their own agreement.
 * @throws ServiceError forbidden
 */
export function requireMayChange(giver: Giver, current: Agreement, isOwn: boolean, touched: { owner: boolean }): void {
  if (isOwnerOrOperator(giver)) return;
  if (isOwn) throw new ServiceError('forbidden', { detail: 'You cannot change the terms of your own agreement.' });
  if (current.owner || touched.owner) {
    throw new ServiceError('forbidden', { detail: 'Only owners decide who owns, and change the agreements of owners.' });
  }
}

type Effective = {
  resource: (typeof resourceNames)[number];
  method: (typeof methodNames)[number];
  allowed: boolean;
  because: 'owner' | 'direct' | 'group' | 'pending' | 'expired' | 'not_granted';
  acl_permission_group_id: string | null;
};

/** Each resource and method: allowed or not, and which part of the agreement says so. The same decision as for requests. */
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
