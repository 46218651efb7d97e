// The wire of access tokens.
import { type Static, Type } from 'typebox';
import { listQuery } from '../../http/lists.ts';
import { NullableMoment, PathId, Text, Timestamp } from '../../http/schemas.ts';
import { AclPermissionSchema, AclPermissions } from '../../permissions/index.ts';

const closed = { additionalProperties: false };
const token = {
  name: Text(255),
  scopes: AclPermissions,
  expires_at: Type.Optional(NullableMoment('At most 365 days from now; null: 90 days')),
};

export const CreateServiceAccessToken = Type.Object(token, { title: 'CreateServiceAccessToken', ...closed });
export type CreateServiceAccessToken = Static<typeof CreateServiceAccessToken>;
export const CreateAccessToken = Type.Object(
  {
    ...token,
    partner_ids: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: Text(255),
        maxItems: 100,
        uniqueItems: true,
        description: 'With these partners only; null: with every partner of yours',
      }),
    ),
  },
  { title: 'CreateAccessToken', ...closed },
);

const shown = {
  id: Type.String({ examples: ['pat_01h2xcejqtf2nbrexx3vqjhp41'] }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token' }),
  scopes: Type.Array(AclPermissionSchema),
  partner_ids: Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } }),
  expires_at: Timestamp(),
  created_at: Timestamp(),
};
export const AccessToken = Type.Object(shown, { title: 'AccessToken', ...closed });
export const NewAccessToken = Type.Object(
  { ...shown, token: Type.String({ description: 'Shown only this once' }) },
  { title: 'NewAccessToken', ...closed },
);
export const TokenPath = Type.Object({ token_id: PathId('The access token') });

export const tokenList = {
  kind: 'access_token',
  sortable: { name: 'text', created_at: 'timestamp', expires_at: 'timestamp' },
  filters: {},
} as const;
export const TokenListQuery = listQuery(tokenList);
