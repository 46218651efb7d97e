// The wire of signing keys.
import { Type } from 'typebox';
import { NullableString, Timestamp } from '../http/schemas.ts';
import { environments } from './signing-key.ts';

const closed = { additionalProperties: false };
const Jwk = Type.Object(
  {
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-384'),
    x: Type.String(),
    y: Type.String(),
    kid: Type.String({ description: 'The RFC 7638 thumbprint' }),
    key_ops: Type.Array(Type.Literal('verify')),
  },
  { title: 'Jwk', ...closed },
);
export const Jwks = Type.Object({ keys: Type.Array(Jwk) }, { title: 'Jwks', ...closed });
export const SigningKey = Type.Object(
  {
    kid: Type.String(),
    environment: Type.Enum([...environments]),
    state: Type.Enum(['pending', 'active', 'retired', 'removed', 'revoked']),
    created_at: Timestamp(),
    activates_at: Timestamp(),
    retires_at: Timestamp(),
    revoked_at: NullableString(),
  },
  { title: 'SigningKey', ...closed },
);
export const RotateSigningKey = Type.Object(
  { environment: Type.Enum([...environments]) },
  { title: 'RotateSigningKey', ...closed },
);
export const Rotation = Type.Object({ rotates_at: Timestamp() }, { title: 'Rotation', ...closed });
