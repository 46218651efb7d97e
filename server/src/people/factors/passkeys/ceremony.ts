// The ceremonies of WebAuthn: makes challenges, and checks what an authenticator signed. The relying party follows
// from CONCORD_BASE_URL alone. A challenge is sealed in a token that its asker keeps, so asking writes nothing.
import { randomBytes } from 'node:crypto';
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../../base/errors.ts';
import type { Queryable } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { createEncryption } from '../../../base/secrets/index.ts';
import type { Services } from '../../services.ts';
import type { AddPasskey, PasskeyProof } from './schema.ts';
import type { Assertion, StoredPasskey } from './store.ts';

export const timeoutMs = 5 * 60_000;
/** ES256, Ed25519, RS256: what authenticators have. */
export const algorithms = [-7, -8, -257];

type Encryption = ReturnType<typeof createEncryption>;

/** Loaded when the first passkey is used: it takes 30 MB. */
const library = () => import('@simplewebauthn/server');

export function createCeremony({ secrets, baseUrl }: Services) {
  const url = new URL(baseUrl);
  const encryption = createEncryption(secrets, 'passkey challenge');

  return {
    rpId: url.hostname,

    /** `purpose`: who may use the challenge, and what for. */
    async begin(on: Queryable, purpose: string) {
      const challenge = randomBytes(32).toString('base64url');
      const expiresAt = new Date((await readClock(on)).getTime() + timeoutMs).toISOString();
      const sealed = encryption.encrypt(`${challenge} ${expiresAt}`, purpose);
      return { challenge, sealedChallenge: sealed.toString('base64url') };
    },

    /** A new passkey. @throws ServiceError invalid_token, invalid_passkey */
    async register({ sealedChallenge, credential }: Omit<AddPasskey, 'name'>, purpose: string) {
      const challenge = open(encryption, sealedChallenge, purpose);
      const { aaguid, ...info } = await refusing(async () => {
        const { clientDataJSON, attestationObject } = credential.response;
        const rules = expected(url, challenge.challenge, clientDataJSON);
        await requireNoCertificates(attestationObject);
        const { verifyRegistrationResponse } = await library();
        const answer = await verifyRegistrationResponse({
          ...rules,
          response: toResponse(credential),
          requireUserVerification: false,
          supportedAlgorithmIDs: algorithms,
        });
        return requireVerified(answer);
      });
      const { id, publicKey, counter } = info.credential;
      return {
        challenge,
        made: {
          credentialId: Buffer.from(id, 'base64url'),
          publicKey: Buffer.from(publicKey),
          counter,
          transports: credential.response.transports ?? [],
          aaguid,
          backedUp: info.credentialBackedUp,
        },
      };
    },

    async authenticate(
      { sealedChallenge, credential }: PasskeyProof,
      purpose: string,
      passkey: StoredPasskey | undefined,
      { alone = false } = {},
    ): Promise<Assertion> {
      const challenge = open(encryption, sealedChallenge, purpose);
      return refusing(async () => {
        if (passkey === undefined) throw new Error('The credential is not registered');
        const { userHandle, clientDataJSON } = credential.response;
        const handle = handleOf(passkey.userId);
        if (alone ? userHandle !== handle : userHandle && userHandle !== handle)
          throw new Error('The credential is that of another user');
        const rules = expected(url, challenge.challenge, clientDataJSON);
        const { verifyAuthenticationResponse } = await library();
        const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
          ...rules,
          response: toResponse(credential),
          requireUserVerification: alone,
          credential: {
            id: passkey.credentialId.toString('base64url'),
            publicKey: new Uint8Array(passkey.publicKey),
            counter: passkey.counter,
          },
        });
        if (!verified) throw new Error('The signature is wrong');
        const { newCounter: counter, credentialBackedUp: backedUp, userVerified } = info;
        return { passkey, challenge, counter, backedUp, userVerified };
      });
    },
  };
}

/** @throws ServiceError invalid_token when the token was made for another purpose, or not by us */
function open(encryption: Encryption, sealedChallenge: string, purpose: string) {
  try {
    const [challenge = '', expiresAt = ''] = encryption
      .decrypt(Buffer.from(sealedChallenge, 'base64url'), purpose)
      .split(' ');
    return { challenge, expiresAt: new Date(expiresAt) };
  } catch (cause) {
    throw new ServiceError('invalid_token', { cause });
  }
}

function expected({ origin, hostname }: URL, challenge: string, clientDataJSON: string) {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
    crossOrigin?: unknown;
  };
  if (crossOrigin === true) throw new Error('The passkey was used inside the page of another origin');
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: hostname };
}

/** The handle of the user that an authenticator keeps. It says nothing about the person. */
export const handleOf = (userId: string) => Buffer.from(userId).toString('base64url');

/** Every error of a ceremony is one answer. The log has its cause. */
async function refusing<T>(work: () => Promise<T>) {
  try {
    return await work();
  } catch (cause) {
    throw new ServiceError('invalid_passkey', { cause });
  }
}

/** Browsers send null, and members that we do not read. */
function toResponse<C extends AddPasskey['credential'] | PasskeyProof['credential']>(credential: C) {
  const { id, rawId, type, response } = credential;
  return { id, rawId, type, response, clientExtensionResults: {} } as never;
}

/**
 * We ask for no attestation, so no certificate is needed. The library would check one, and fetch lists of revoked
 * ones from addresses that it names.
 */
async function requireNoCertificates(attestationObject: string) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const isSelfMade = decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (decoded.get('fmt') !== 'none' && !isSelfMade) throw new Error('The attestation has certificates');
}

function requireVerified({ verified, registrationInfo }: VerifiedRegistrationResponse) {
  if (!verified || registrationInfo === undefined) throw new Error('The attestation is wrong');
  return registrationInfo;
}

/** For `catch`: an operator who looks for a cloned authenticator finds its counter in the log. */
export const loggingRefusal =
  ({ log }: FastifyRequest) =>
  (error: unknown): never => {
    if (error instanceof ServiceError && error.code === 'invalid_passkey')
      log.warn({ reason: String(error.cause) }, 'a passkey was refused');
    throw error;
  };
