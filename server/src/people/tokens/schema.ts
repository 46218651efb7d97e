// The wire of access tokens.
import { type Static, Type } from 'typebox';
import { AclPermissionSchema, AclPermissions, toAclPermission } from '../../access/permissions/index.ts';
import { Closed, exampleId, NullableMoment, Text, Timestamp } from '../../base/http/schemas.ts';
import { PartnerIds } from '../users/schema.ts';

const newToken = {
  name: Text(255),
  scopes: AclPermissions,
  expires_at: Type.Optional(
    NullableMoment('At most 365 days from now. null: 90 days from now. Default: null'),
  ),
};
const newTokenExample = {
  name: 'Nightly import',
  scopes: [toAclPermission('events', ['get', 'post', 'query'])],
  expires_at: null,
};

export const CreateServiceAccessToken = Closed('CreateServiceAccessToken', newToken, newTokenExample);
export type CreateServiceAccessToken = Static<typeof CreateServiceAccessToken>;
export const CreateAccessToken = Closed(
  'CreateAccessToken',
  {
    ...newToken,
    partner_ids: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: Text(255),
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'The token works only with these partners. null: with every partner of its user. Default: null',
      }),
    ),
  },
  { ...newTokenExample, partner_ids: [exampleId('ptr')] },
);

export type CreateAccessToken = Static<typeof CreateAccessToken>;

const token = {
  id: Type.String({ pattern: '^pat_' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first 18 characters of the token, to recognise it' }),
  scopes: Type.Array(AclPermissionSchema, {
    description: 'The token may do what both its scopes and its user may do',
  }),
  partner_ids: PartnerIds('The token works only with these partners. null: with every partner of its user'),
  expires_at: Timestamp('When the token stops working'),
  created_at: Timestamp(),
};
const tokenExample = {
  id: exampleId('pat'),
  name: newTokenExample.name,
  prefix: 'concord_pat_4fGh2k',
  scopes: newTokenExample.scopes,
  partner_ids: [exampleId('ptr')],
  expires_at: '2026-12-31T23:00:00.000Z',
  created_at: '2026-01-31T08:00:00.000Z',
};
export const AccessToken = Closed('AccessToken', token, tokenExample);
export type AccessToken = Static<typeof AccessToken>;
export const CreatedAccessToken = Closed(
  'CreatedAccessToken',
  {
    ...token,
    token: Type.String({
      pattern: '^concord_pat_',
      description: 'Send it as `Authorization: Bearer <token>`. Only this response shows it.',
    }),
  },
  { ...tokenExample, token: `${tokenExample.prefix}...` },
);

export const tokenList = {
  kind: 'access_token',
  sortable: { name: 'text', created_at: 'timestamp', expires_at: 'timestamp' },
  filters: {},
} as const;
