// Grants as sets: what a list of ACL permissions covers, what a change adds, and whether a grantor holds it.
import { type AclPermission, type Membership, type Method, methodNames, type Permission, type Principal } from './vocabulary.ts';

/** One method on one resource, or on `*`: all resources. Only `*` covers `*`. */
export type Grant = { readonly resource: AclPermission['resource']; readonly method: Method };

export const covers = (permissions: readonly AclPermission[], { resource, method }: Grant | Permission): boolean =>
  permissions.some((each) => each[method] && (each.resource === resource || each.resource === '*'));

/** The grants that `after` covers and `before` does not. */
export function addedGrants(before: readonly AclPermission[], after: readonly AclPermission[]): Grant[] {
  return after
    .flatMap((each) => methodNames.filter((method) => each[method]).map((method) => ({ resource: each.resource, method })))
    .filter((grant) => !covers(before, grant));
}

/** What an owner holds. */
export const everything: readonly AclPermission[] = [
  { resource: '*', get: true, put: true, post: true, patch: true, delete: true, query: true },
];

/** What the agreement grants its user, whatever the credential. */
function permissionsOf(membership: Membership): readonly AclPermission[] {
  if (membership.owner) return everything;
  return [...membership.aclPermissions, ...membership.groups.flatMap((group) => group.aclPermissions)];
}

/** Whether the caller holds each grant. An access token also needs it in its scopes. */
export function holds(
  { role, credential }: Pick<Principal, 'role' | 'credential'>,
  membership: Membership | null,
  grants: readonly Grant[],
): boolean {
  const own = role === 'operator' ? everything : membership ? permissionsOf(membership) : [];
  return grants.every((grant) => covers(own, grant) && (credential.kind === 'session' || covers(credential.scopes, grant)));
}
