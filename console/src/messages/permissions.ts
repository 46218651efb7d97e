// Words for resources, methods and permissions, the same on every page.
import type { AclPermission } from '@concord/client';
import { resources } from './resources.gen.ts';

export { resources };
export type Resource = (typeof resources)[number];
export type Method = Exclude<keyof AclPermission, 'resource'>;

/** Where the words differ from the identifier: `audit_log` is `Audit log` without a line here. */
const otherWords: { readonly [R in Resource | '*']?: { name?: string; inSentence?: string } } = {
  '*': { name: 'Everything' },
  partner: { inSentence: 'partners' },
  acl_permission_groups: { name: 'Groups' },
  audit_log: { inSentence: 'the audit log' },
  webhook_endpoints: { name: 'Endpoints' },
};
export const nameResource = (resource: Resource | '*'): string =>
  otherWords[resource]?.name ?? `${resource[0]?.toUpperCase()}${resource.slice(1).replaceAll('_', ' ')}`;
export const resourceInSentence = (resource: Resource | '*'): string =>
  otherWords[resource]?.inSentence ?? nameResource(resource).toLowerCase();

export const methodNames: Readonly<Record<Method, string>> = {
  get: 'Read',
  query: 'List',
  post: 'Create',
  patch: 'Change',
  put: 'Replace',
  delete: 'Delete',
};
export const methods = Object.keys(methodNames) as Method[];

/** `Deliveries: list`. */
export const permissionName = (resource: Resource | '*', method: Method): string =>
  `${nameResource(resource)}: ${methodNames[method].toLowerCase()}`;

/** `deliveries.query` in words. Anything else stays as it is. */
export function namePermission(permission: string): string {
  const [resource, method] = permission.split('.') as [Resource, Method];
  return resources.includes(resource) && method in methodNames
    ? permissionName(resource, method)
    : permission;
}

/** `Deliveries: list, read; Events: list`. */
export const namePermissions = (permissions: readonly string[]): string =>
  resources
    .flatMap((resource) => {
      const found = methods.filter((method) => permissions.includes(`${resource}.${method}`));
      return found.length === 0
        ? []
        : [`${nameResource(resource)}: ${found.map((one) => methodNames[one].toLowerCase()).join(', ')}`];
    })
    .join('; ');
