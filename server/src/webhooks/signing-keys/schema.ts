// The wire of signing keys.
import { Type } from 'typebox';
import { Closed, NullableMoment, Timestamp } from '../../base/http/schemas.ts';
import { environments } from '../environments.ts';
import { keyStates } from './signing-key.ts';

const kid = '3iAIswqh9Ap9OQuNvPs3T1Q4i_7_escmfsAP2BB0KmI';
const jwk = {
  kty: 'EC',
  crv: 'P-384',
  x: 'yICl_4maBd-NuKg2AtUiye3USI0dXAdW1zu3CpP-BtCO9oNUKolj5jfbcthuMMkq',
  y: 'iFNb368HX_TzUZaJLotUegLNKLcCJTdSDEH8HV0BDeYQPzVjRowuTFpzUnqnRh9p',
  kid,
  key_ops: ['verify'],
};

const Jwk = Closed(
  'Jwk',
  {
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-384'),
    x: Type.String({ description: 'The x coordinate, base64url' }),
    y: Type.String({ description: 'The y coordinate, base64url' }),
    kid: Type.String({ description: 'The RFC 7638 thumbprint of the key, which signatures name as `keyid`' }),
    key_ops: Type.Array(Type.Literal('verify')),
  },
  jwk,
);
export const Jwks = Closed(
  'Jwks',
  { keys: Type.Array(Jwk, { description: 'The keys that are pending, active or retired' }) },
  { keys: [jwk] },
);
export const SigningKey = Closed(
  'SigningKey',
  {
    kid: Type.String({ description: 'The RFC 7638 thumbprint of the key' }),
    environment: Type.Enum(environments, {
      description: 'The environment whose webhooks the key signs',
    }),
    state: Type.Enum(keyStates, {
      description:
        'The JWKS has keys that are pending (not signing yet), active (signing) or retired (no longer signing)',
    }),
    created_at: Timestamp(),
    activates_at: Timestamp('When the key starts to sign'),
    retires_at: Timestamp('When the key stops signing. It is removed from the JWKS 21 days later'),
    revoked_at: NullableMoment('When the key was revoked. null: it is not revoked'),
  },
  {
    kid,
    environment: 'live',
    state: 'active',
    created_at: '2026-01-29T08:00:00.000Z',
    activates_at: '2026-01-31T08:00:00.000Z',
    retires_at: '2026-03-02T08:00:00.000Z',
    revoked_at: null,
  },
);
export const RotateSigningKey = Closed(
  'RotateSigningKey',
  {
    environment: Type.Enum(environments, { description: 'The environment whose key is rotated' }),
    immediately: Type.Optional(
      Type.Boolean({
        description:
          'Only for sandbox: the next key signs at once, so that you can test how a receiver reads the JWKS again. Default: false',
      }),
    ),
  },
  { environment: 'live' },
);
export const Rotation = Closed(
  'Rotation',
  { rotates_at: Timestamp('When the next key starts to sign') },
  { rotates_at: '2026-02-02T08:00:00.000Z' },
);
