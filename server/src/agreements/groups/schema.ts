// The wire of permission groups.
import { type Static, Type } from 'typebox';
import { AclPermissions, toAclPermission } from '../../access/permissions/index.ts';
import { Closed, closed, exampleId, NullableString, visibleName } from '../../base/http/schemas.ts';
import { groupTypes, states } from '../schema.ts';

const GroupName = Type.String({
  ...visibleName,
  description: 'Unique among the groups of the partner and the managed groups. Case does not matter.',
});

const example = {
  name: 'Support',
  acl_permissions: [toAclPermission('deliveries', ['get', 'query'])],
};

const content = { name: GroupName, acl_permissions: AclPermissions };
export const CreateGroup = Closed('CreateAclPermissionGroup', content, example);
export type CreateGroup = Static<typeof CreateGroup>;

export const UpdateGroup = Closed('UpdateAclPermissionGroup', Type.Partial(Type.Object(content)).properties, {
  name: 'Support, second line',
});
export type UpdateGroup = Static<typeof UpdateGroup>;

export const PreviewGroup = Closed(
  'PreviewAclPermissionGroup',
  { acl_permissions: AclPermissions },
  { acl_permissions: example.acl_permissions },
);
export type PreviewGroup = Static<typeof PreviewGroup>;

const Names = (description: string) =>
  Type.Array(Type.String({ pattern: '^[a-z_]+\\.[a-z]+$' }), {
    description: `${description}, as \`resource.method\``,
  });

const Hidden = NullableString('null: you lack the permission agreements.query');

export const GroupPreview = Closed(
  'AclPermissionGroupPreview',
  {
    total: Type.Integer({ minimum: 0, description: 'How many agreements carry the group' }),
    agreements: Type.Array(
      Type.Object(
        {
          agreement_id: Hidden,
          email: Hidden,
          name: NullableString('null: the agreement is pending, or you lack the permission agreements.query'),
          owner: Type.Boolean(),
          state: Type.Enum(states, {
            description: 'An agreement that is not active gains and loses nothing',
          }),
          gained: Names('What it will allow, and does not allow now'),
          lost: Names('What it allows now, and will not allow'),
        },
        closed,
      ),
      { description: 'The first 1,000 agreements that carry the group, by id' },
    ),
  },
  {
    total: 1,
    agreements: [
      {
        agreement_id: exampleId('agr'),
        email: 'ann@nordlys.example',
        name: 'Ann Lee',
        owner: false,
        state: 'active',
        gained: ['deliveries.get', 'deliveries.query'],
        lost: ['events.post'],
      },
    ],
  },
);

export const DefaultGroup = Closed(
  'DefaultAclPermissionGroup',
  {
    acl_permission_group_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 255,
      description: 'A custom group of the partner, which new agreements carry. null: none',
    }),
  },
  { acl_permission_group_id: exampleId('apg') },
);

export const DetachQuery = Type.Object({
  detach: Type.Optional(
    Type.Boolean({ description: 'Removes the group from the agreements that carry it. Default: false' }),
  ),
});

export const groupList = {
  kind: 'permission_group',
  sortable: { name: 'text', created_at: 'timestamp', updated_at: 'timestamp' },
  filters: {
    name: 'Only groups whose name contains this text. Ignores case.',
    type: { description: 'Only groups of this type', values: groupTypes },
  },
} as const;
