// The wire of device authorization (RFC 8628).
import { Type } from 'typebox';
import { Closed, closed, exampleId, NullableString, Timestamp } from '../../../base/http/schemas.ts';

export const clientId = 'concord-cli';
export const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
const client_id = clientId;

const open = { additionalProperties: true };
const optional = (description: string) => Type.Optional(Type.String({ description }));

export const RevokeForm = Type.Object(
  { token: Type.String({ description: 'The access token' }), client_id: optional('`concord-cli`') },
  {
    title: 'RevokeForm',
    examples: [{ token: 'concord_pat_4fGh2k...', client_id }],
    ...open,
  },
);
export const DeviceAuthorizationForm = Type.Object(
  {
    client_id: Type.String({ description: '`concord-cli`' }),
    client_name: optional(
      'What the person sees, such as the name of the machine: 1 to 100 visible characters',
    ),
  },
  {
    title: 'DeviceAuthorizationForm',
    examples: [{ client_id, client_name: 'laptop of Ann' }],
    ...open,
  },
);
export const TokenForm = Type.Object(
  {
    grant_type: Type.String({ description: '`urn:ietf:params:oauth:grant-type:device_code`' }),
    // Another grant has none, and is told that it is not supported.
    device_code: optional('That of the device authorization, which this grant requires'),
    client_id: Type.String({ description: '`concord-cli`' }),
  },
  {
    title: 'TokenForm',
    examples: [{ grant_type: grantType, device_code: '4XyqWqLQ1rCkDZgD0cTn9mKrzKXkq7cJ', client_id }],
    ...open,
  },
);

/** RFC 7009, section 2.2: 200, and nothing else. */
export const Revoked = Type.Object(
  {},
  { title: 'Revoked', description: 'The token does not work, or never did', examples: [{}], ...closed },
);

export const DeviceAuthorization = Closed(
  'DeviceAuthorization',
  {
    device_code: Type.String({ description: 'The secret of the program' }),
    user_code: Type.String({
      description: 'The person types it in the console. Case and dash do not matter',
    }),
    verification_uri: Type.String({ format: 'uri', description: 'Where the person types it' }),
    verification_uri_complete: Type.String({ format: 'uri', description: 'The same page with the code' }),
    expires_in: Type.Integer({ description: 'In seconds' }),
    interval: Type.Integer({ description: 'The seconds between two questions for the token, at least' }),
  },
  {
    device_code: '4XyqWqLQ1rCkDZgD0cTn9mKrzKXkq7cJ',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://concord.example.com/console/device',
    verification_uri_complete: 'https://concord.example.com/console/device?user_code=WDJB-MJHT',
    expires_in: 900,
    interval: 5,
  },
);

export const IssuedToken = Closed(
  'IssuedToken',
  {
    access_token: Type.String({ pattern: '^concord_pat_' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'In seconds' }),
    scope: Type.String({
      description: 'What the token may do: resources and methods, with spaces between them',
    }),
    partner_id: NullableString('The partner, if the token works with one only'),
  },
  {
    // Cut off, so that secret scanners do not take it for a real token.
    access_token: 'concord_pat_4fGh2k...',
    token_type: 'Bearer',
    expires_in: 7_776_000,
    scope: 'events.get events.query',
    partner_id: exampleId('ptr'),
  },
);

export const OpenDeviceAuthorization = Closed(
  'OpenDeviceAuthorization',
  {
    user_code: Type.String(),
    client_name: NullableString('What the program calls itself. Anybody can choose it'),
    requested_from: Type.String({ description: 'The network address of the program' }),
    created_at: Timestamp(),
    expires_at: Timestamp(),
  },
  {
    user_code: 'WDJB-MJHT',
    client_name: 'laptop of Ann',
    requested_from: '192.0.2.7',
    created_at: '2026-01-31T08:00:00.000Z',
    expires_at: '2026-01-31T08:15:00.000Z',
  },
);
