// The wire of permission groups: docs/interface.md 2.5, and what makes and changes them.
import { type Static, Type } from 'typebox';
import { listQuery } from '../http/lists.ts';
import { PathId, Text } from '../http/schemas.ts';
import { AclPermissions } from '../permissions/index.ts';

const closed = { additionalProperties: false };

export const CreateGroup = Type.Object(
  { name: Text(255), acl_permissions: AclPermissions },
  { title: 'CreateAclPermissionGroup', ...closed },
);
export type CreateGroup = Static<typeof CreateGroup>;

export const UpdateGroup = Type.Object(
  { name: Type.Optional(Text(255)), acl_permissions: Type.Optional(AclPermissions) },
  { title: 'UpdateAclPermissionGroup', ...closed },
);
export type UpdateGroup = Static<typeof UpdateGroup>;

export const DefaultGroup = Type.Object(
  {
    acl_permission_group_id: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255, description: 'null: none' }),
  },
  { title: 'DefaultAclPermissionGroup', ...closed },
);

export const GroupPath = Type.Object({ id: PathId('The partner'), group_id: PathId('The permission group') });
export const DetachQuery = Type.Object({
  detach: Type.Optional(Type.Enum(['true', 'false'], { description: 'Take it from the agreements that carry it' })),
});

export const groupList = {
  kind: 'permission_group',
  sortable: { name: 'text', created_at: 'timestamp', updated_at: 'timestamp' },
  filters: {
    name: 'Groups whose name contains this text, in any case',
    type: { description: 'Groups of this type', values: ['managed', 'custom'] },
  },
} as const;
export const GroupListQuery = listQuery(groupList);
