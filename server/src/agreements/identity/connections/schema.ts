// The wire of identity connections.
import { type Static, Type } from 'typebox';
import {
  Closed,
  closed,
  exampleId,
  Id,
  NullableInteger,
  NullableObject,
  NullableString,
  Text,
  Timestamp,
  visibleName,
} from '../../../base/http/schemas.ts';

const Authentication = Type.Enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt'], {
  description:
    'How Concord authenticates at the token endpoint (OpenID Connect Core 1.0, section 9). `private_key_jwt`: with a key that Concord makes',
});

const Terms = Type.Object(
  {
    acl_permission_group_ids: Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 50,
      uniqueItems: true,
    }),
    days: NullableInteger('After how many days an agreement ends. null: it does not end', {
      minimum: 1,
      maximum: 3650,
    }),
    mfa_required: Type.Boolean(),
  },
  {
    description: 'For agreements that a sign-in or provisioning makes. None is that of an owner.',
    ...closed,
  },
);
export type Terms = Static<typeof Terms>;

const PublicJwk = Type.Object(
  Object.fromEntries(['kty', 'crv', 'x', 'y', 'use', 'alg', 'kid'].map((name) => [name, Type.String()])),
  closed,
);

const example = {
  id: exampleId('idc'),
  name: 'Nordlys directory',
  issuer: 'https://login.nordlys.example/realms/staff',
  client_id: 'concord',
  authentication: 'private_key_jwt',
  public_jwk: {
    kty: 'EC',
    crv: 'P-256',
    x: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
    y: 'K7t0bZ2yVwq3n5p8s1xdhAfHkxZsRGC9XsNzbLsXh8u',
    use: 'sig',
    alg: 'ES256',
    kid: 'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
  },
  redirect_uri: 'https://concord.example.com/api/auth/connections/idc_01h2xcejqtf2nbrexx3vqjhp41/callback',
  backchannel_logout_uri:
    'https://concord.example.com/api/auth/connections/idc_01h2xcejqtf2nbrexx3vqjhp41/backchannel-logout',
  enabled: true,
  tested_at: '2026-01-31T08:00:00.000Z',
  admits_new_members: true,
  terms: { acl_permission_group_ids: [exampleId('apg')], days: 365, mfa_required: false },
  created_at: '2026-01-31T08:00:00.000Z',
  updated_at: '2026-01-31T08:00:00.000Z',
};

export const Connection = Closed(
  'IdentityConnection',
  {
    id: Id('idc'),
    name: Type.String(),
    issuer: Type.String(),
    client_id: Type.String(),
    authentication: Authentication,
    public_jwk: Type.Unsafe<object | null>(
      NullableObject(PublicJwk, 'The public key to register at the provider, for `private_key_jwt`'),
    ),
    redirect_uri: Type.String({ description: 'To register at the provider' }),
    backchannel_logout_uri: Type.String({
      description: 'To register at the provider, if it can tell Concord of logouts',
    }),
    enabled: Type.Boolean(),
    tested_at: NullableString(
      'When a sign-in of an owner last succeeded with this issuer and client. null: it was not tested',
    ),
    admits_new_members: Type.Boolean({
      description: 'People of its domains become members at their first sign-in',
    }),
    terms: Terms,
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  example,
);
export type Connection = Static<typeof Connection>;

const name = Type.String(visibleName);
const members = {
  name,
  issuer: Text(2048, 'Exactly as the provider states it: an issuer with a slash at its end is another one'),
  client_id: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]*$',
    'x-form': 'printable ASCII',
  }),
  authentication: Authentication,
  client_secret: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[\\x20-\\x7e]*$',
    'x-form': 'printable ASCII',
    description: 'Not for `private_key_jwt`. A change of the issuer needs it again. No answer shows it',
  }),
};
const settings = {
  admits_new_members: Type.Optional(Type.Boolean({ description: 'Default: false' })),
  terms: Type.Optional(Terms),
};

export const CreateConnection = Closed(
  'CreateIdentityConnection',
  { ...members, client_secret: Type.Optional(members.client_secret), ...settings },
  {
    name: example.name,
    issuer: example.issuer,
    client_id: 'concord',
    authentication: 'client_secret_basic',
    client_secret: 'a secret of the provider',
  },
);
export type CreateConnection = Static<typeof CreateConnection>;

export const UpdateConnection = Closed(
  'UpdateIdentityConnection',
  {
    ...Type.Partial(Type.Object(members)).properties,
    ...settings,
  },
  { admits_new_members: true },
);
export type UpdateConnection = Static<typeof UpdateConnection>;

export const connectionList = {
  kind: 'identity_connection',
  sortable: { created_at: 'timestamp' },
  filters: {},
} as const;
