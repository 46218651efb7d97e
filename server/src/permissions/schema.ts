// The wire of permissions: docs/interface.md 2.4.
import { Type } from 'typebox';
import { ServiceError } from '../errors.ts';
import { methodNames, resourceNames, type AclPermission as Value } from './vocabulary.ts';

export const AclPermission = Type.Object(
  {
    resource: Type.Enum(['*', ...resourceNames], { description: '`*` is all of them' }),
    get: Type.Boolean(),
    put: Type.Boolean(),
    post: Type.Boolean(),
    patch: Type.Boolean(),
    delete: Type.Boolean(),
    query: Type.Boolean(),
  },
  { title: 'AclPermission', additionalProperties: false },
);

/** As a body brings them: each resource once, which `requireDistinct` sees to. */
export const AclPermissions = Type.Array(AclPermission, { maxItems: resourceNames.length + 1 });

/** @throws ServiceError invalid_request when a resource is there twice */
export function requireDistinct(permissions: readonly Value[], pointer: string): void {
  const faults = permissions.flatMap(({ resource }, index) =>
    permissions.findIndex((other) => other.resource === resource) < index
      ? [{ pointer: `${pointer}/${index}/resource`, code: 'invalid_value' as const, message: 'is there twice' }]
      : [],
  );
  if (faults.length > 0) throw new ServiceError('invalid_request', { faults });
}

/** With the members in the order of the wire; the database keeps them in its own. */
export function inWireOrder(permissions: readonly Value[]): Value[] {
  return permissions.map((each) => ({
    resource: each.resource,
    ...(Object.fromEntries(methodNames.map((method) => [method, each[method]])) as Record<(typeof methodNames)[number], boolean>),
  }));
}
