// The wire of permissions: docs/interface.md 2.4.
import { Type } from 'typebox';
import { faultAt, ServiceError } from '../../base/errors.ts';
import { Closed } from '../../base/http/schemas.ts';
import { toAclPermission, withMethods } from './grants.ts';
import { type Method, methods, resourceNames, type AclPermission as Value } from './vocabulary.ts';

export const AclPermission = Closed(
  'AclPermission',
  {
    resource: Type.Enum(['*', ...resourceNames], { description: '`*` stands for all resources' }),
    ...(Object.fromEntries(
      Object.entries(methods).map(([method, description]) => [method, Type.Boolean({ description })]),
    ) as Record<Method, ReturnType<typeof Type.Boolean>>),
  },
  toAclPermission('agreements', ['get', 'post', 'query']),
);

/** In a body. `requireDistinct` checks what a schema cannot: each resource is listed once. */
export const AclPermissions = Type.Array(AclPermission, {
  maxItems: resourceNames.length + 1,
  description: 'Lists each resource at most once',
});

/** @throws ServiceError invalid_request when a resource is listed twice */
export function requireDistinct(permissions: readonly Value[], pointer: string): void {
  const faults = permissions.flatMap(({ resource }, index) =>
    permissions.findIndex((other) => other.resource === resource) < index
      ? [
          faultAt(
            `${pointer}/${index}/resource`,
            `must be listed once, and ${resource} is listed twice`,
            'invalid_value',
          ),
        ]
      : [],
  );
  if (faults.length > 0) throw new ServiceError('invalid_request', { faults });
}

/**
 * Puts the members into the order of the wire: jsonb does not keep their order. A method that the permission was
 * stored without is false.
 */
export const inWireOrder = (permissions: readonly Value[]): Value[] =>
  permissions.map((each) => withMethods(each.resource, (method) => each[method] ?? false));
