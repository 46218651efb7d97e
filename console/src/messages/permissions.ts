// Words for resources, methods and permissions, the same on every page.
import type { AclPermission } from '@concord/client';

export type Resource = Exclude<AclPermission['resource'], '*'>;
export type Method = Exclude<keyof AclPermission, 'resource'>;

type ResourceWords = {
  readonly name: string;
  readonly inSentence: string;
  /** The command line uses it. */
  readonly ofWebhooks: boolean;
};
export const resourceWords: Readonly<Record<Resource | '*', ResourceWords>> = {
  '*': { name: 'Everything', inSentence: 'everything', ofWebhooks: false },
  partner: { name: 'Partner', inSentence: 'partners', ofWebhooks: false },
  agreements: { name: 'Agreements', inSentence: 'agreements', ofWebhooks: false },
  acl_permission_groups: { name: 'Groups', inSentence: 'groups', ofWebhooks: false },
  audit_log: { name: 'Audit log', inSentence: 'the audit log', ofWebhooks: false },
  webhook_endpoints: { name: 'Endpoints', inSentence: 'endpoints', ofWebhooks: true },
  events: { name: 'Events', inSentence: 'events', ofWebhooks: true },
  deliveries: { name: 'Deliveries', inSentence: 'deliveries', ofWebhooks: true },
};
export const methodNames: Readonly<Record<Method, string>> = {
  get: 'Read',
  query: 'List',
  post: 'Create',
  patch: 'Change',
  put: 'Replace',
  delete: 'Delete',
};
export const resources = Object.keys(resourceWords).filter((name) => name !== '*') as Resource[];
export const methods = Object.keys(methodNames) as Method[];

/** `Deliveries: list`. */
export const permissionName = (resource: Resource | '*', method: Method): string =>
  `${resourceWords[resource].name}: ${methodNames[method].toLowerCase()}`;

/** `deliveries.query` in words. Anything else stays as it is. */
export function namePermission(permission: string): string {
  const [resource, method] = permission.split('.') as [Resource, Method];
  return resource in resourceWords && method in methodNames ? permissionName(resource, method) : permission;
}

/** `Deliveries: list, read; Events: list`. */
export const namePermissions = (permissions: readonly string[]): string =>
  resources
    .flatMap((resource) => {
      const found = methods.filter((method) => permissions.includes(`${resource}.${method}`));
      return found.length === 0
        ? []
        : [
            `${resourceWords[resource].name}: ${found.map((one) => methodNames[one].toLowerCase()).join(', ')}`,
          ];
    })
    .join('; ');
