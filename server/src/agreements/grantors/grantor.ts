// Who can give a permission to somebody, by an agreement: the rules of granting (behaviour A8, A12). Pure: no
// SQL, no HTTP.
import { covers, holds, type Method, methodNames, type Permission } from '../../access/permissions/index.ts';
import { type Grantor, inheritsMfa, mayGive, type PermissionGroup, type Terms } from '../agreement.ts';

type Group = Pick<PermissionGroup, 'id' | 'acl_permissions'>;

/** `defaultGroup`: what new agreements carry. */
export function canGive(grantor: Grantor, permission: Permission, defaultGroup: Group | undefined): boolean {
  return (
    (mayOnAgreements(grantor, 'patch') && canGiveByUpdate(grantor, permission)) ||
    (mayOnAgreements(grantor, 'post') &&
      defaultGroup !== undefined &&
      canGiveByInvitation(grantor, permission, defaultGroup))
  );
}

const mayOnAgreements = ({ principal, membership }: Grantor, method: Method) =>
  holds(principal, membership, [{ resource: 'agreements', method }]);

/** Adds it to an agreement on terms as strict as the grantor's own. */
function canGiveByUpdate(grantor: Grantor, { resource, method }: Permission): boolean {
  const none = Object.fromEntries(methodNames.map((each) => [each, each === method])) as Record<
    Method,
    boolean
  >;
  const end = grantor.membership?.expiresAt?.toISOString() ?? null;
  const before: Terms = {
    owner: false,
    mfa_required: true,
    expires_at: end,
    acl_permissions: [],
    groups: [],
  };
  return mayGive(grantor, before, { ...before, acl_permissions: [{ resource, ...none }] });
}

/** A new agreement has nothing but the default group, and no end. */
function canGiveByInvitation(grantor: Grantor, permission: Permission, group: Group): boolean {
  if (!covers(group.acl_permissions, permission)) return false;
  const mfa_required = inheritsMfa(grantor);
  return mayGive(grantor, null, {
    owner: false,
    mfa_required,
    expires_at: null,
    acl_permissions: [],
    groups: [group],
  });
}
