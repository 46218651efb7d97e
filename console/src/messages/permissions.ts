// Words for resources, methods and permissions, the same on every page.
import type { AclPermission } from '@concord/client';

export type Resource = Exclude<AclPermission['resource'], '*'>;
export type Method = Exclude<keyof AclPermission, 'resource'>;

export const resourceNames: Readonly<Record<Resource | '*', string>> = {
  '*': 'Everything',
  partner: 'Partner',
  agreements: 'Agreements',
  acl_permission_groups: 'Groups',
  audit_log: 'Audit log',
  webhook_endpoints: 'Endpoints',
  events: 'Events',
  deliveries: 'Deliveries',
};
export const methodNames: Readonly<Record<Method, string>> = {
  get: 'Read',
  query: 'List',
  post: 'Create',
  patch: 'Change',
  put: 'Replace',
  delete: 'Delete',
};
export const resources = Object.keys(resourceNames).filter((name) => name !== '*') as Resource[];
export const methods = Object.keys(methodNames) as Method[];

/** What a sentence calls the resources. */
export const namesInSentences: Readonly<Record<Resource | '*', string>> = {
  '*': 'everything',
  partner: 'partners',
  agreements: 'agreements',
  acl_permission_groups: 'groups',
  audit_log: 'the audit log',
  webhook_endpoints: 'endpoints',
  events: 'events',
  deliveries: 'deliveries',
};

/** `Deliveries: list`. */
export const permissionName = (resource: Resource | '*', method: Method): string =>
  `${resourceNames[resource]}: ${methodNames[method].toLowerCase()}`;

/** `deliveries.query` in words. Anything else stays as it is. */
export function namePermission(permission: string): string {
  const [resource, method] = permission.split('.') as [Resource, Method];
  return resource in resourceNames && method in methodNames ? permissionName(resource, method) : permission;
}

/** `Deliveries: list, read; Events: list`. */
export const namePermissions = (permissions: readonly string[]): string =>
  resources
    .flatMap((resource) => {
      const found = methods.filter((method) => permissions.includes(`${resource}.${method}`));
      return found.length === 0
        ? []
        : [`${resourceNames[resource]}: ${found.map((one) => methodNames[one].toLowerCase()).join(', ')}`];
    })
    .join('; ');
