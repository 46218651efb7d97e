// What an agreement gives, in words: one line for each part.
import type { AclPermission, AclPermissionGroup } from '@concord/client';
import { methodNames, methods, nameResource, resourceInSentence } from './permissions.ts';

type Terms = {
  readonly owner: boolean;
  readonly acl_permissions: readonly AclPermission[];
  readonly acl_permission_groups: readonly AclPermissionGroup[];
};

const methodsOf = (permission: AclPermission): string[] =>
  methods.filter((method) => permission[method]).map((method) => methodNames[method].toLowerCase());

/** `Deliveries: read, list`. */
export const describePermissions = (permissions: readonly AclPermission[]): string[] =>
  permissions.flatMap((permission) => {
    const names = methodsOf(permission);
    return names.length === 0 ? [] : [`${nameResource(permission.resource)}: ${names.join(', ')}`];
  });

const list = new Intl.ListFormat('en-GB');
/** `Read, list and create deliveries; create events`. */
export function inWords(permissions: readonly AclPermission[]): string {
  const parts = permissions.flatMap((permission) => {
    const names = methodsOf(permission);
    const what = resourceInSentence(permission.resource);
    if (names.length === 0) return [];
    return [names.length === methods.length ? `full access to ${what}` : `${list.format(names)} ${what}`];
  });
  const text = parts.join('; ');
  return text === '' ? 'Grants nothing' : text[0]?.toUpperCase() + text.slice(1);
}

export function describeTerms({
  owner,
  acl_permissions: own,
  acl_permission_groups: groups,
}: Terms): string[] {
  if (owner) return ['Everything, as an owner'];
  const lines = [...groups.map(({ name }) => `What the group ${name} grants`), ...describePermissions(own)];
  return lines.length > 0 ? lines : ['No permissions yet. Somebody at the partner can add them later.'];
}
