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

export const covers = (
  permissions: readonly AclPermission[],
  { resource, method }: Grant | Permission,
): boolean =>
  permissions.some((each) => each[method] && (each.resource === resource || each.resource === '*'));

/** The grants that `after` covers and `before` does not. */
export function addedGrants(before: readonly AclPermission[], after: readonly AclPermission[]): Grant[] {
  return after
    .flatMap((each) =>
      methodNames.filter((method) => each[method]).map((method) => ({ resource: each.resource, method })),
    )
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

type Effect = { gained: Permission[]; lost: Permission[] };

/**
 * What an agreement gains and loses when the group grants `after`. What it has in another way, it neither
 * gains nor loses. The result is for many agreements, which share groups: it computes once what a list of
 * permissions covers.
 */
export function effectOfGroup(
  groupId: string,
  after: readonly AclPermission[],
): (membership: Membership) => Effect {
  const known = new Map<readonly AclPermission[], ReadonlySet<Permission>>();
  function coveredBy(permissions: readonly AclPermission[]): ReadonlySet<Permission> {
    const covered =
      known.get(permissions) ??
      new Set(allPermissions.filter((permission) => covers(permissions, permission)));
    known.set(permissions, covered);
    return covered;
  }
  return ({ owner, aclPermissions, groups }) => {
    const before = groups.find(({ id }) => id === groupId)?.aclPermissions ?? [];
    const otherGroups = groups.filter(({ id }) => id !== groupId).map((group) => group.aclPermissions);
    const others = (owner ? [everything] : [aclPermissions, ...otherGroups]).map(coveredBy);
    const onlyIn = (one: readonly AclPermission[], other: readonly AclPermission[]) =>
      [...coveredBy(one)].filter(
        (permission) =>
          !coveredBy(other).has(permission) && !others.some((covered) => covered.has(permission)),
      );
    return { gained: onlyIn(after, before), lost: onlyIn(before, after) };
  };
}

/** Whether the caller holds each grant. An access token also needs it in its scopes. */
export function holds(
  { role, credential }: Pick<Principal, 'role' | 'credential'>,
  membership: Membership | null,
  grants: readonly Grant[],
): boolean {
  const own = role === 'operator' ? everything : membership ? permissionsOf(membership) : [];
  return grants.every(
    (grant) => covers(own, grant) && (credential.kind === 'session' || covers(credential.scopes, grant)),
  );
}
