// The wire of provisioning for owners: its token, its state, and what groups of the directory give.
import { type Static, Type } from 'typebox';
import {
  Closed,
  Count,
  exampleId,
  Id,
  NullableMoment,
  NullableString,
  NullableText,
  Timestamp,
} from '../../../../base/http/schemas.ts';

const prefixExample = 'concord_scim_4fK9aQ';

const ProvisioningToken = Closed('ProvisioningToken', {
  prefix: Type.String({ description: 'The beginning of the token' }),
  created_at: Timestamp(),
  last_used_at: NullableMoment('To the minute'),
});

const ProvisioningRequest = Closed('ProvisioningRequest', {
  created_at: Timestamp(),
  method: Type.String(),
  path: Type.String({ description: 'Below the base URL, without the query' }),
  status: Type.Integer(),
  detail: NullableString('What was wrong. Null: nothing'),
});

export const Provisioning = Closed(
  'Provisioning',
  {
    base_url: Type.String({ description: 'To enter at the directory' }),
    provisioning_token: Type.Union([ProvisioningToken, Type.Null()]),
    user_count: Count(),
    active_user_count: Count(),
    users_without_address_count: Count(
      'Active users without an address of a verified domain. They have no agreement',
    ),
    group_count: Count(),
    requests: Type.Array(ProvisioningRequest, { description: 'The last 50, newest first', maxItems: 50 }),
  },
  {
    base_url: 'https://concord.example/scim/v2',
    provisioning_token: {
      prefix: prefixExample,
      created_at: '2026-01-31T08:00:00.000Z',
      last_used_at: '2026-01-31T09:00:00.000Z',
    },
    user_count: 2,
    active_user_count: 2,
    users_without_address_count: 0,
    group_count: 1,
    requests: [
      {
        created_at: '2026-01-31T09:00:00.000Z',
        method: 'POST',
        path: '/Users',
        status: 409,
        detail: 'uniqueness: Another user has this userName.',
      },
    ],
  },
);

export const CreatedProvisioningToken = Closed(
  'CreatedProvisioningToken',
  { token: Type.String({ description: 'Only this answer shows it' }), prefix: Type.String() },
  { token: `${prefixExample}UJmP2wXv7sRb1tZc5dEe8fGg3hH0n2Wq4L`, prefix: prefixExample },
);

export const ProvisionedGroup = Closed(
  'ProvisionedGroup',
  {
    id: Id('scg', 'The id that SCIM shows too'),
    name: Type.String({ description: 'At the directory. It gives nothing by itself' }),
    member_count: Count(),
    acl_permission_group_id: NullableString('What its members get. Null: nothing'),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  {
    id: exampleId('scg'),
    name: 'Warehouse',
    member_count: 12,
    acl_permission_group_id: exampleId('apg'),
    created_at: '2026-01-31T08:00:00.000Z',
    updated_at: '2026-01-31T08:00:00.000Z',
  },
);
export type ProvisionedGroup = Static<typeof ProvisionedGroup>;

export const MapGroup = Closed(
  'MapProvisionedGroup',
  { acl_permission_group_id: NullableText(30, 'Null: its members get nothing by it') },
  { acl_permission_group_id: exampleId('apg') },
);

export const groupList = {
  kind: 'provisioned_group',
  sortable: { name: 'text' },
  filters: {},
} as const;

export const ProvisionedPerson = Closed(
  'ProvisionedPerson',
  {
    id: Id('scu', 'The id that SCIM shows too'),
    partner_id: Id('ptr', 'The partner whose directory it is'),
    attributes: Type.Record(Type.String(), Type.Unknown(), { description: 'As SCIM shows them' }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  {
    id: exampleId('scu'),
    partner_id: exampleId('ptr'),
    attributes: { userName: 'ann@nordlys.example', displayName: 'Ann Lee', active: true },
    created_at: '2026-01-31T08:00:00.000Z',
    updated_at: '2026-01-31T08:00:00.000Z',
  },
);
