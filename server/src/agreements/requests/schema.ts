// The wire of access requests.
import { type Static, Type } from 'typebox';
import {
  Closed,
  exampleId,
  Id,
  NullableMoment,
  NullableObject,
  NullableString,
  storable,
  Timestamp,
} from '../../base/http/schemas.ts';
import { PermissionName, permissionNames } from '../grantors/schema.ts';

const states = ['pending', 'approved', 'denied', 'withdrawn', 'lapsed', 'ended'] as const;
export type RequestState = (typeof states)[number];

const PermissionNames = Type.Array(PermissionName, {
  minItems: 1,
  maxItems: permissionNames.length,
  uniqueItems: true,
});
const DurationSeconds = Type.Integer({
  minimum: 60,
  maximum: 90 * 86_400,
  description: 'For how long, from the approval on. The access ends with the agreement at the latest',
});
const Sentence = (description: string) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: storable, description });

const asked = {
  permissions: ['deliveries.query', 'deliveries.get'],
  duration_seconds: 14_400,
  reason: 'A customer says that yesterday an order did not arrive.',
};

export const AccessRequest = Closed(
  'AccessRequest',
  {
    id: Id('arq'),
    agreement_id: Id('agr', 'The agreement of the person who asks'),
    name: Type.String({ description: 'The name of the person who asks' }),
    email: Type.String({ description: 'The address of the agreement' }),
    permissions: PermissionNames,
    duration_seconds: DurationSeconds,
    reason: Type.String(),
    state: Type.Enum([...states], {
      description: '`lapsed`: nobody answered in time. `ended`: the approved access has ended',
    }),
    created_at: Timestamp(),
    lapses_at: Timestamp('A pending request can be answered until then'),
    settled_at: NullableMoment('When it was answered, withdrawn or marked as lapsed. null: not yet'),
    decided_by: NullableString(
      'The name of the person who answered. null: nobody did, or the user is deleted',
    ),
    note: NullableString('What that person wrote'),
    ends_at: NullableMoment('When the access ends, or ended. null: the request was not approved'),
  },
  {
    id: exampleId('arq'),
    agreement_id: exampleId('agr'),
    name: 'Ann Lee',
    email: 'ann@nordlys.example',
    ...asked,
    state: 'approved',
    created_at: '2026-01-31T08:00:00.000Z',
    lapses_at: '2026-02-07T08:00:00.000Z',
    settled_at: '2026-01-31T08:20:00.000Z',
    decided_by: 'Olga Owner',
    note: null,
    ends_at: '2026-01-31T12:20:00.000Z',
  },
);
export type AccessRequest = Static<typeof AccessRequest>;

export const CreateAccessRequest = Closed(
  'CreateAccessRequest',
  {
    permissions: PermissionNames,
    duration_seconds: DurationSeconds,
    reason: Sentence('Why. Those who can approve the request read it'),
  },
  asked,
);
export type CreateAccessRequest = Static<typeof CreateAccessRequest>;

export const DenyAccessRequest = NullableObject(
  Closed(
    'DenyAccessRequest',
    { note: Type.Optional(Sentence('Why not. The person who asked reads it')) },
    { note: 'The dashboard shows it, too.' },
  ),
);

export const accessRequestList = {
  kind: 'access_request',
  sortable: { created_at: 'timestamp' },
  filters: {
    state: { description: 'Only requests in this state', values: states },
    agreement_id: 'Only requests of this agreement',
  },
} as const;
