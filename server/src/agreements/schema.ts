// The wire of agreements: docs/interface.md 2.3, 2.5 and 4.3, and the update, which it does not describe.
import { type Static, Type } from 'typebox';
import {
  AclPermissionSchema,
  AclPermissions,
  methodNames,
  resourceNames,
  toAclPermission,
} from '../access/permissions/index.ts';
import {
  Closed,
  closed,
  exampleId,
  Id,
  NullableMoment,
  NullableString,
  Text,
  Timestamp,
} from '../base/http/schemas.ts';

const groupExample = {
  id: exampleId('apg'),
  account_id: exampleId('ptr'),
  name: 'Support',
  type: 'custom',
  created_at: '2026-01-31T08:00:00.000Z',
  updated_at: '2026-01-31T08:00:00.000Z',
  acl_permissions: [toAclPermission('deliveries', ['get', 'query'])],
};

export const groupTypes = ['managed', 'custom'] as const;
export const AclPermissionGroup = Closed(
  'AclPermissionGroup',
  {
    id: Id('apg'),
    account_id: Id(
      'ptr',
      'The partner that the group belongs to. Managed groups have ptr_00000000000000000000000000.',
    ),
    name: Type.String(),
    type: Type.Enum(groupTypes, {
      description:
        '`managed`: built in, read-only, and the same for every partner. `custom`: belongs to one partner',
    }),
    created_at: Timestamp(),
    updated_at: Timestamp('When a member last changed'),
    acl_permissions: Type.Array(AclPermissionSchema),
  },
  groupExample,
);

const agreementExample = {
  id: exampleId('agr'),
  accepted: true,
  owner: false,
  mfa_required: true,
  created_at: '2026-01-31T08:00:00.000Z',
  updated_at: '2026-02-14T13:05:09.120Z',
  expires_at: '2026-12-31T23:00:00.000Z',
  user: { email: 'ann@nordlys.example', name: 'Ann Lee' },
  acl_permissions: [toAclPermission('partner', ['get', 'patch', 'query'])],
  acl_permission_groups: [groupExample],
  acl_permission_group_ids: [groupExample.id],
};

const agreement = {
  id: Id('agr'),
  accepted: Type.Boolean({ description: 'false: the invited user has not accepted it' }),
  owner: Type.Boolean({ description: 'An owner holds all permissions on the partner' }),
  mfa_required: Type.Boolean({
    description:
      'The agreement grants nothing without a second factor. True from the start if the member who created it needs one',
  }),
  created_at: Timestamp(),
  updated_at: Timestamp('When a member last changed'),
  expires_at: NullableMoment('When the agreement ends. null: never'),
  user: Closed('AgreementUser', {
    email: Type.String({ description: 'The address that was invited' }),
    name: NullableString('null: not accepted yet'),
  }),
  acl_permissions: Type.Array(AclPermissionSchema, {
    description: 'Granted directly, in addition to the groups',
  }),
  acl_permission_groups: Type.Array(AclPermissionGroup, {
    description: 'The groups that the agreement carries, in order',
  }),
  acl_permission_group_ids: Type.Array(Id('apg'), {
    description: 'The ids of the same groups',
  }),
};
export const Agreement = Closed('Agreement', agreement, agreementExample);

export const CreateAgreement = Closed(
  'CreateAgreement',
  {
    email: Text(254, 'The address of the person to invite'),
    owner: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Only owners and operators can set true. null: false. Default: false',
      }),
    ),
  },
  { email: 'ann@nordlys.example' },
);
export type CreateAgreement = Static<typeof CreateAgreement>;

export const UpdateAgreement = Closed(
  'UpdateAgreement',
  {
    accepted: Type.Optional(
      Type.Literal(true, { description: 'true: accepts the invitation. Only the invited user can send it.' }),
    ),
    owner: Type.Optional(Type.Boolean({ description: 'Only owners and operators can change it' })),
    mfa_required: Type.Optional(
      Type.Boolean({ description: 'Only owners and operators can change it from true to false' }),
    ),
    expires_at: Type.Optional(NullableMoment('When the agreement ends. null: never')),
    acl_permissions: Type.Optional(AclPermissions),
    acl_permission_group_ids: Type.Optional(
      Type.Array(Text(255), {
        maxItems: 50,
        uniqueItems: true,
        description: 'Groups of the partner and managed groups. Replaces all groups of the agreement.',
      }),
    ),
  },
  { expires_at: '2040-12-31T23:00:00Z', acl_permission_group_ids: [groupExample.id] },
);
export type UpdateAgreement = Static<typeof UpdateAgreement>;

/** What a person who has no access yet may know of a partner. */
export const PartnerName = Closed('PartnerName', {
  id: Id('ptr'),
  name: Type.String(),
});

/** An agreement in the caller's own list, which spans partners. */
export const MyAgreement = Closed(
  'MyAgreement',
  { ...agreement, partner: PartnerName },
  { ...agreementExample, partner: { id: exampleId('ptr'), name: 'Nordlys AS' } },
);

export const EffectivePermission = Closed(
  'EffectivePermission',
  {
    resource: Type.Enum(resourceNames),
    method: Type.Enum(methodNames),
    allowed: Type.Boolean(),
    because: Type.Enum(['owner', 'direct', 'group', 'access_request', 'pending', 'expired', 'not_granted'], {
      description: 'The part of the agreement that grants the permission, or the reason why it does not',
    }),
    acl_permission_group_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: '^apg_',
      description: 'The group that grants the permission. null unless `because` is `group`',
    }),
  },
  {
    resource: 'deliveries',
    method: 'get',
    allowed: true,
    because: 'group',
    acl_permission_group_id: groupExample.id,
  },
);

export const AclResource = Closed(
  'AclResource',
  {
    resource: Type.Enum(resourceNames),
    description: Type.String(),
    methods: Type.Array(Type.Object({ method: Type.Enum(methodNames), description: Type.String() }, closed)),
  },
  {
    resource: 'deliveries',
    description: 'Each event on its way to one endpoint, with its attempts',
    methods: [{ method: 'get', description: 'Read one object' }],
  },
);

/** Of an agreement. It is not a member on the wire. */
export const states = ['pending', 'active', 'expired'] as const;

export const agreementList = {
  kind: 'agreement',
  sortable: { created_at: 'timestamp', updated_at: 'timestamp', expires_at: 'timestamp' },
  filters: {
    state: { description: 'Only agreements in this state', values: states },
    email: 'Only agreements whose e-mail contains this text. Ignores case.',
  },
} as const;
