// The wire of agreements: docs/interface.md 2.3, 2.5 and 4.3, and the update that it leaves open.
import { type Static, Type } from 'typebox';
import { listQuery } from '../http/lists.ts';
import { NullableMoment, NullableString, PathId, Text, Timestamp } from '../http/schemas.ts';
import { AclPermissionSchema, AclPermissions, methodNames, resourceNames } from '../permissions/index.ts';

const closed = { additionalProperties: false };

export const AclPermissionGroup = Type.Object(
  {
    id: Type.String({ examples: ['apg_01h2xcejqtf2nbrexx3vqjhp41'] }),
    account_id: Type.String({ description: 'The partner whose group it is; a fixed id for managed ones' }),
    name: Type.String(),
    type: Type.Enum(['managed', 'custom']),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    acl_permissions: Type.Array(AclPermissionSchema),
  },
  { title: 'AclPermissionGroup', ...closed },
);

const agreement = {
  id: Type.String({ examples: ['agr_01h2xcejqtf2nbrexx3vqjhp41'] }),
  accepted: Type.Boolean(),
  owner: Type.Boolean(),
  mfa_required: Type.Boolean(),
  created_at: Timestamp(),
  updated_at: Timestamp('Moves only when something changed'),
  expires_at: NullableString(),
  user: Type.Object({ email: Type.String(), name: NullableString() }, closed),
  acl_permissions: Type.Array(AclPermissionSchema, { description: 'The direct ones' }),
  acl_permission_groups: Type.Array(AclPermissionGroup),
  acl_permission_group_ids: Type.Array(Type.String()),
};
export const Agreement = Type.Object(agreement, { title: 'Agreement', ...closed });

export const CreateAgreement = Type.Object(
  {
    email: Text(254),
    owner: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description: 'null: false' })),
  },
  { title: 'CreateAgreement', ...closed },
);
export type CreateAgreement = Static<typeof CreateAgreement>;

export const UpdateAgreement = Type.Object(
  {
    accepted: Type.Optional(Type.Literal(true, { description: 'By the invited user only' })),
    owner: Type.Optional(Type.Boolean()),
    mfa_required: Type.Optional(Type.Boolean()),
    expires_at: Type.Optional(NullableMoment('null: never')),
    acl_permissions: Type.Optional(AclPermissions),
    acl_permission_group_ids: Type.Optional(
      Type.Array(Text(255), { maxItems: 50, uniqueItems: true, description: 'In this order' }),
    ),
  },
  { title: 'UpdateAgreement', ...closed },
);
export type UpdateAgreement = Static<typeof UpdateAgreement>;

/** The caller's own, with the partner that it is with. */
export const MyAgreement = Type.Object(
  { ...agreement, partner: Type.Object({ id: Type.String(), name: Type.String() }, closed) },
  { title: 'MyAgreement', ...closed },
);

export const EffectivePermission = Type.Object(
  {
    resource: Type.Enum(resourceNames),
    method: Type.Enum(methodNames),
    allowed: Type.Boolean(),
    because: Type.Enum(['owner', 'direct', 'group', 'pending', 'expired', 'not_granted'], {
      description: 'Which part of the agreement grants it, or why it is not granted',
    }),
    acl_permission_group_id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The group that grants it' }),
  },
  { title: 'EffectivePermission', ...closed },
);

export const AclResource = Type.Object(
  {
    resource: Type.String(),
    description: Type.String(),
    methods: Type.Array(Type.Object({ method: Type.String(), description: Type.String() }, closed)),
  },
  { title: 'AclResource', ...closed },
);

export const AgreementPath = Type.Object({ id: PathId('The partner'), agreement_id: PathId('The agreement') });
export const agreementList = {
  kind: 'agreement',
  sortable: { created_at: 'timestamp', updated_at: 'timestamp' },
  filters: {
    state: { description: 'Agreements in this state', values: ['pending', 'active', 'expired'] },
    email: 'Agreements whose e-mail contains this text, in any case',
  },
} as const;
export const AgreementListQuery = listQuery(agreementList);
