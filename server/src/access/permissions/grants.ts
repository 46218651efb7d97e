// Grants as sets: what a list of ACL permissions covers, what a change adds, and whether a grantor holds it.
import {
  type AclPermission,
  allPermissions,
  type Membership,
  type Method,
  methodNames,
  type Permission,
  type Principal,
  permissionName,
  type TemporaryGrant,
} from './vocabulary.ts';

/** One method on one resource, or on `*`: all resources. Only `*` covers `*`. */
export type Grant = { readonly resource: AclPermission['resource']; readonly method: Method };

export const covers = (
  permissions: readonly AclPermission[],
  { resource, method }: Grant | Permission,
): boolean =>
  permissions.some((each) => each[method] && (each.resource === resource || each.resource === '*'));

export const withMethods = (
  resource: AclPermission['resource'],
  isGranted: (method: Method) => boolean,
): AclPermission => ({
  resource,
  ...(Object.fromEntries(methodNames.map((each) => [each, isGranted(each)])) as Record<Method, boolean>),
});

/** Grants these methods, and no others. */
export const toAclPermission = (resource: AclPermission['resource'], granted: readonly Method[]) =>
  withMethods(resource, (method) => granted.includes(method));

/** Only an agreement's own permissions and groups give `*`. */
export const gives = ({ permissions }: TemporaryGrant, grant: Grant): boolean =>
  permissions.includes(permissionName(grant));

export function addedGrants(before: readonly AclPermission[], after: readonly AclPermission[]): Grant[] {
  return after
    .flatMap((each) =>
      methodNames.filter((method) => each[method]).map((method) => ({ resource: each.resource, method })),
    )
    .filter((grant) => !covers(before, grant));
}

export const everything: readonly AclPermission[] = [toAclPermission('*', methodNames)];

/** What the agreement grants its user without an access request, whatever the credential. */
function permissionsOf(membership: Membership): readonly AclPermission[] {
  if (membership.owner) return everything;
  return [...membership.aclPermissions, ...membership.groups.flatMap((group) => group.aclPermissions)];
}

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

type Holder = Pick<Principal, 'role' | 'credential'>;

/**
 * Until when the caller holds all these grants, in milliseconds since 1970. Infinity: without an end.
 * -Infinity: the caller lacks one. An access token also needs each in its scopes.
 */
export function heldUntilMs(
  { role, credential }: Holder,
  membership: Membership | null,
  grants: readonly Grant[],
): number {
  const inScope = credential.kind === 'session' || grants.every((grant) => covers(credential.scopes, grant));
  if (!inScope) return Number.NEGATIVE_INFINITY;
  if (role === 'operator') return Number.POSITIVE_INFINITY;
  const { temporary = [], expiresAt = null } = membership ?? {};
  const own = membership ? permissionsOf(membership) : [];
  const endMsOf = (grant: Grant) =>
    covers(own, grant)
      ? Number.POSITIVE_INFINITY
      : Math.max(...temporary.filter((each) => gives(each, grant)).map(({ endsAt }) => endsAt.getTime()));
  return Math.min(expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, ...grants.map(endMsOf));
}

export const holds = (holder: Holder, membership: Membership | null, grants: readonly Grant[]): boolean =>
  heldUntilMs(holder, membership, grants) > Number.NEGATIVE_INFINITY;
