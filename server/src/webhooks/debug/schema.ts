// The wire of the verification of captured webhooks.
import { Type } from 'typebox';
import { NullableString, Text } from '../../http/schemas.ts';
import { environments } from '../../signing-keys/index.ts';

const closed = { additionalProperties: false };
export const CapturedRequest = Type.Object(
  {
    method: Text(20),
    url: Text(4_096, 'The URL of the endpoint, as it is registered'),
    headers: Type.Record(
      Type.String(),
      Type.Unsafe<string | string[]>({ type: ['string', 'array'], items: { type: 'string' } }),
      {
        maxProperties: 200,
        description: 'The value, or values, of each name',
      },
    ),
    body: Type.String({ description: 'The body as it was received, byte for byte' }),
    body_encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { description: 'Default: utf8' })),
    environment: Type.Optional(Type.Enum([...environments], { description: 'Default: live' })),
    at: Type.Optional(Type.String({ format: 'date-time', description: 'The time to verify at. Default: now' })),
  },
  { title: 'CapturedRequest', ...closed },
);
export const Verification = Type.Object(
  {
    verified: Type.Boolean(),
    step: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The step that fails (docs/receiving-webhooks.md); null when none does',
    }),
    code: NullableString(),
    reason: NullableString(),
  },
  { title: 'Verification', ...closed },
);
