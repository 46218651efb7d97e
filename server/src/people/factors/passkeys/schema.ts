// The wire of passkeys. Options and credentials have the members of WebAuthn level 3, as browsers read and write
// them in JSON.
import { type Static, type TSchema, Type } from 'typebox';
import { Closed, exampleId, NullableMoment, storable, Timestamp } from '../../../base/http/schemas.ts';
import { CarriedToken } from '../../schema.ts';

const base64url = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-form': 'base64url without padding',
    ...(description && { description }),
  });
const id = base64url(1_364, 'The id of the credential');
const idExample = 'WbR0CZ7pTZ6kqPfLwY3vKg';
const challengeExample = 'kR3pZ0vT8yXn5uQ1dLw7sHf2bJc9mAe4gKi6oNrUtVx';
const tokenExample = 'AAAAAXv2mQ8kD0sJ5rYw3nHc7tLp1zGx9bUe4fKa6iRoNqVy';

/** Sent back unchanged: it says which challenge was signed. */
const sealedChallenge = base64url(
  400,
  'From the options. It works once, for five minutes, and only for whom the options were made',
);
const name = Type.String({ minLength: 1, maxLength: 100, pattern: storable, description: 'For people' });

const credentialOf = <R extends TSchema>(title: string, response: R) =>
  Closed(title, {
    id,
    rawId: id,
    type: Type.Literal('public-key'),
    response,
    authenticatorAttachment: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 32 }),
    ),
    clientExtensionResults: Type.Optional(Type.Object({}, { description: 'Ignored' })),
  });
const clientDataJSON = base64url(4_096);
const authenticatorData = base64url(8_192);

const NewCredential = credentialOf(
  'PasskeyAttestation',
  Closed('PasskeyAttestationResponse', {
    clientDataJSON,
    attestationObject: base64url(16_384),
    transports: Type.Optional(
      Type.Array(Type.String({ maxLength: 32, pattern: '^[a-z-]+$', 'x-form': 'a transport' }), {
        maxItems: 8,
        description: 'How browsers reach the authenticator',
      }),
    ),
    authenticatorData: Type.Optional(authenticatorData),
    publicKey: Type.Optional(base64url(8_192)),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
  }),
);
const Credential = credentialOf(
  'PasskeyCredential',
  Closed('PasskeyResponse', {
    clientDataJSON,
    authenticatorData,
    signature: base64url(2_048),
    userHandle: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 100,
        pattern: '^[A-Za-z0-9_-]*$',
        'x-form': 'base64url without padding',
      }),
    ),
  }),
);
const credentialExample = {
  id: idExample,
  rawId: idExample,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDf3kq8yT2mVxw0Zr1pQ',
    userHandle: 'dXNyXzAxaDJ4Y2VqcXRmMm5icmV4eDN2cWpocDQx',
  },
};

export const PasskeyProof = Closed(
  'PasskeyProof',
  { sealedChallenge, credential: Credential },
  { sealedChallenge: tokenExample, credential: credentialExample },
);
export type PasskeyProof = Static<typeof PasskeyProof>;
export const AddPasskey = Closed(
  'AddPasskey',
  { name, sealedChallenge, credential: NewCredential },
  {
    name: 'Laptop',
    sealedChallenge: tokenExample,
    credential: {
      ...credentialExample,
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
        attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik',
        transports: ['internal', 'hybrid'],
      },
    },
  },
);
export type AddPasskey = Static<typeof AddPasskey>;
export const RenamePasskey = Closed('RenamePasskey', { name }, { name: 'Work laptop' });
const twoFactorToken = CarriedToken('From the sign-in to complete.');
export const twoFactorTokenIfAny = CarriedToken(
  'From the sign-in to complete. Absent: the request has a session token.',
);
export const exampleToken = '2fa-pR7wZk1uTn5cXb8y.M3hVqLs9';
export const VerifyPasskey = Closed(
  'VerifyPasskey',
  { sealedChallenge, credential: Credential, twoFactorToken },
  { sealedChallenge: tokenExample, credential: credentialExample, twoFactorToken: exampleToken },
);
export type VerifyPasskey = Static<typeof VerifyPasskey>;
export const AskSecondFactor = Closed(
  'AskSecondFactor',
  { twoFactorToken: twoFactorTokenIfAny },
  { twoFactorToken: exampleToken },
);

const descriptor = Closed('PasskeyDescriptor', {
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Array(Type.String()),
});
const challenge = Type.String({ description: '32 random bytes' });
const timeout = Type.Integer({ description: 'In milliseconds' });

const RequestOptions = Closed('PasskeyRequestOptions', {
  rpId: Type.String({ description: 'The host of this Concord' }),
  challenge,
  timeout,
  userVerification: Type.Enum(['required', 'preferred']),
  allowCredentials: Type.Array(descriptor, { description: 'Empty: any passkey of this Concord' }),
});
const requestExample = {
  sealedChallenge: tokenExample,
  publicKey: {
    rpId: 'concord.example',
    challenge: challengeExample,
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [],
  },
};
export const PasskeyRequest = Closed(
  'PasskeyRequest',
  { sealedChallenge, publicKey: RequestOptions },
  requestExample,
);
export type PasskeyRequest = Static<typeof PasskeyRequest>;
export const SecondFactorOptions = Closed(
  'SecondFactorOptions',
  {
    app: Type.Boolean({ description: 'Codes of an authenticator app work' }),
    passkey: Type.Optional(PasskeyRequest),
  },
  { app: true, passkey: requestExample },
);

const CreationOptions = Closed('PasskeyCreationOptions', {
  rp: Closed('PasskeyRelyingParty', { id: Type.String(), name: Type.String() }),
  user: Closed('PasskeyUser', { id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge,
  pubKeyCredParams: Type.Array(
    Closed('PasskeyAlgorithm', { type: Type.Literal('public-key'), alg: Type.Integer() }),
  ),
  timeout,
  attestation: Type.Literal('none'),
  authenticatorSelection: Closed('PasskeySelection', {
    residentKey: Type.Literal('preferred'),
    userVerification: Type.Literal('preferred'),
  }),
  excludeCredentials: Type.Array(descriptor),
});
export const PasskeyCreation = Closed(
  'PasskeyCreation',
  { sealedChallenge, publicKey: CreationOptions },
  {
    sealedChallenge: tokenExample,
    publicKey: {
      rp: { id: 'concord.example', name: 'Concord' },
      user: { id: 'dXNyXzAx', name: 'ann@nordlys.example', displayName: 'Ann Lee' },
      challenge: challengeExample,
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      timeout: 300_000,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: [],
    },
  },
);
export type PasskeyCreation = Static<typeof PasskeyCreation>;

const passkeyExample = {
  id: exampleId('psk'),
  name: 'Laptop',
  aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
  backed_up: true,
  created_at: '2026-01-31T08:00:00.000Z',
  last_used_at: null,
};
export const Passkey = Closed(
  'Passkey',
  {
    id: Type.String({ pattern: '^psk_' }),
    name: Type.String(),
    aaguid: Type.String({
      description: 'The model of the authenticator, as it says. Zeros: it does not say',
    }),
    backed_up: Type.Boolean({ description: 'true: its user has it on several devices' }),
    created_at: Timestamp(),
    last_used_at: NullableMoment('null: never'),
  },
  passkeyExample,
);
export type Passkey = Static<typeof Passkey>;
export const AddedPasskey = Closed(
  'AddedPasskey',
  {
    passkey: Passkey,
    backupCodes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The first second factor of the user brings these. Only this response shows them.',
      }),
    ),
    token: Type.Optional(
      Type.String({ description: 'Replaces the session token that you sent, which has ended' }),
    ),
  },
  { passkey: passkeyExample, backupCodes: ['k3Jx8-Qw2Zp'], token: 'YXvGkzNp0qJc4mRt7wLh2sBd9fKe5uAi' },
);
