// Grants as sets: what a list of ACL permissions covers, what one list adds to another, what a caller may hand on.
import { type AclPermission, type Membership, type Method, methodNames, type Permission, type Principal } from './vocabulary.ts';

/** One method on one resource, or on all of them: `*` is covered by `*` only. */
export type Grant = { readonly resource: AclPermission['resource']; readonly method: Method };

export const covers = (permissions: readonly AclPermission[], { resource, method }: Grant | Permission): boolean =>
  permissions.some((each) => each[method] && (each.resource === resource || each.resource === '*'));

/** What `after` covers and `before` does not. */
export function addedGrants(before: readonly AclPermission[], after: readonly AclPermission[]): Grant[] {
  return after
    .flatMap((each) => methodNames.filter((method) => each[method]).map((method) => ({ resource: each.resource, method })))
    .filter((grant) => !covers(before, grant));
}

/** All of it: what an owner holds. */
export const everything: readonly AclPermission[] = [
  { resource: '*', get: true, put: true, post: true, patch: true, delete: true, query: true },
];

/** What the agreement gives, whatever the credential: direct ones first, then the groups in their order. */
function permissionsOf(membership: Membership): readonly AclPermission[] {
  if (membership.owner) return everything;
  return [...membership.aclPermissions, ...membership.groups.flatMap((group) => group.aclPermissions)];
}

/** Whether the caller effectively holds each grant, so that it may hand it on. */
export function holds(
  { role, credential }: Pick<Principal, 'role' | 'credential'>,
  membership: Membership | null,
  grants: readonly Grant[],
): boolean {
  const own = role === 'operator' ? everything : membership ? permissionsOf(membership) : [];
  return grants.every((grant) => covers(own, grant) && (credential.kind === 'session' || covers(credential.scopes, grant)));
}
