// Grants as sets: what a list of ACL permissions covers, what a change adds, and whether a grantor holds it.
import {
  type AclPermission,
  type Membership,
  type Method,
  methodNames,
  type Permission,
  type Principal,
  resourceNames,
} from './vocabulary.ts';

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

/** Every permission that there is, in the order of the wire. */
const allPermissions: readonly Permission[] = resourceNames.flatMap((resource) =>
  methodNames.map((method) => ({ resource, method })),
);

/** What the agreement gains and loses when one of its groups grants `after`. What it has in another way, it neither gains nor loses. */
export function effectOfGroup(
  membership: Membership,
  groupId: string,
  after: readonly AclPermission[],
): { gained: Permission[]; lost: Permission[] } {
  const changed = membership.groups.map((group) => (group.id === groupId ? { ...group, aclPermissions: after } : group));
  const [was, is] = [permissionsOf(membership), permissionsOf({ ...membership, groups: changed })];
  return {
    gained: allPermissions.filter((permission) => covers(is, permission) && !covers(was, permission)),
    lost: allPermissions.filter((permission) => covers(was, permission) && !covers(is, permission)),
  };
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
