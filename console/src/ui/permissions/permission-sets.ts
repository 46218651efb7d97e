// Sets of permissions: what they hold, and how two of them differ.
import type { AclPermission } from '@concord/client';
import { formatCount } from '#format/numbers.ts';
import type { Method, Resource } from '#messages/permissions.ts';
import { methods, resources } from '#messages/permissions.ts';

export type Permissions = readonly AclPermission[];

/** `*` holds every resource. */
export const holds = (permissions: Permissions, resource: Resource | '*', method: Method): boolean =>
  permissions.some((one) => (one.resource === resource || one.resource === '*') && one[method]);

export const none = { get: false, query: false, post: false, put: false, patch: false, delete: false };

/** With the permission, or without it. A resource without methods is left out. */
export function togglePermission(
  permissions: Permissions,
  resource: Resource | '*',
  method: Method,
): AclPermission[] {
  const current = permissions.find((one) => one.resource === resource) ?? { resource, ...none };
  const next = { ...current, [method]: !current[method] };
  const others = permissions.filter((one) => one.resource !== resource);
  return methods.some((name) => next[name]) ? [...others, next] : others;
}

/** Each as `deliveries.query`. */
const namesOf = (permissions: Permissions): string[] =>
  resources.flatMap((resource) =>
    methods.filter((method) => holds(permissions, resource, method)).map((method) => `${resource}.${method}`),
  );

export type Difference = { readonly gained: readonly string[]; readonly lost: readonly string[] };

/** What is effective: a permission that is still held in another way is not lost. */
export function differenceOf(before: Permissions, after: Permissions): Difference {
  const old = namesOf(before);
  const next = namesOf(after);
  return {
    gained: next.filter((name) => !old.includes(name)),
    lost: old.filter((name) => !next.includes(name)),
  };
}

/** `no permissions`, `all permissions`, or `12 permissions`. */
export function summarize(permissions: Permissions): string {
  const count = namesOf(permissions).length;
  const all = resources.length * methods.length;
  return count === 0
    ? 'no permissions'
    : count === all
      ? 'all permissions'
      : formatCount(count, 'permission', 'permissions');
}
