// The wire of grantors.
import { Type } from 'typebox';
import { allPermissions, type Permission, permissionName } from '../../access/permissions/index.ts';
import { Closed, exampleId, NullableString } from '../../base/http/schemas.ts';

/** Each permission by its name, such as `deliveries.query`. */
const permissions: ReadonlyMap<string, Permission> = new Map(
  allPermissions.map((permission) => [permissionName(permission), permission]),
);

export const permissionNames: readonly string[] = [...permissions.keys()];

export const PermissionName = Type.Enum([...permissionNames], {
  title: 'PermissionName',
  examples: ['deliveries.query'],
  description: 'A resource and a method, as the message of a 403 names them',
});

export const GrantorsQuery = Type.Object({ permission: PermissionName });

export function readPermission(name: string) {
  const permission = permissions.get(name);
  if (permission === undefined) throw new Error(`The schema lets the permission ${name} pass`);
  return permission;
}

const Hidden = NullableString('null: you lack the permission agreements.query');

export const Grantor = Closed(
  'Grantor',
  {
    name: Type.String(),
    owner: Type.Boolean(),
    email: Hidden,
    agreement_id: Hidden,
  },
  {
    name: 'Ann Lee',
    owner: true,
    email: 'ann@nordlys.example',
    agreement_id: exampleId('agr'),
  },
);
