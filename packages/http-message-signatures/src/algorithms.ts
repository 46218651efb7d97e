// The signature algorithms of RFC 9421, section 3.3, on WebCrypto; any other signer or verifier can take their place.
import { SignatureError } from './errors.ts';

const algorithms = {
  'rsa-pss-sha512': { key: { name: 'RSA-PSS', hash: 'SHA-512' }, use: { name: 'RSA-PSS', saltLength: 64 } },
  'rsa-v1_5-sha256': { key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, use: { name: 'RSASSA-PKCS1-v1_5' } },
  'hmac-sha256': { key: { name: 'HMAC', hash: 'SHA-256' }, use: { name: 'HMAC' }, signatureLength: 32 },
  'ecdsa-p256-sha256': {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    use: { name: 'ECDSA', hash: 'SHA-256' },
    signatureLength: 64,
  },
  'ecdsa-p384-sha384': {
    key: { name: 'ECDSA', namedCurve: 'P-384' },
    use: { name: 'ECDSA', hash: 'SHA-384' },
    signatureLength: 96,
  },
  ed25519: { key: { name: 'Ed25519' }, use: { name: 'Ed25519' }, signatureLength: 64 },
} as const;

/** A name of the HTTP Signature Algorithms registry, as `alg` has it. */
export type AlgorithmName = keyof typeof algorithms;

/** Signs the bytes of a signature base. Bring your own for keys that WebCrypto cannot hold, such as those of an HSM. */
export type Signer = {
  /** What `alg` must be, where it is given. */
  readonly algorithm: string;
  /** ECDSA signatures are `r` and `s`, each of the curve's length (IEEE P1363), never DER. */
  sign(data: Uint8Array<ArrayBuffer>): Uint8Array | Promise<Uint8Array>;
};

/** Verifies a signature over the bytes of a signature base. */
export type Verifier = {
  /** What `alg` must be, where it is given. */
  readonly algorithm: string;
  /** The one length in bytes that a signature can have; others are refused before `verify` is asked. */
  readonly signatureLength?: number | undefined;
  verify(data: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): boolean | Promise<boolean>;
};

/**
 * A signer with a WebCrypto key, private or secret.
 *
 * @throws {SignatureError} `unsupported` for an algorithm that is not listed, `key_invalid` for a key of another one
 * @example
 * const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, ['sign', 'verify']);
 * const signer = createSigner('ecdsa-p384-sha384', privateKey);
 */
export function createSigner(algorithm: AlgorithmName, key: CryptoKey): Signer {
  const { use } = assertFits(algorithm, key, 'sign');
  return { algorithm, sign: async (data) => new Uint8Array(await crypto.subtle.sign(use, key, data)) };
}

/**
 * A verifier with a WebCrypto key, public or secret.
 *
 * @throws {SignatureError} `unsupported` for an algorithm that is not listed, `key_invalid` for a key of another one
 * @example
 * const verifier = createVerifier('ed25519', await importKey('ed25519', jwk, 'verify'));
 */
export function createVerifier(algorithm: AlgorithmName, key: CryptoKey): Verifier {
  const entry = assertFits(algorithm, key, 'verify');
  return {
    algorithm,
    signatureLength: 'signatureLength' in entry ? entry.signatureLength : undefined,
    verify: (data, signature) => crypto.subtle.verify(entry.use, key, signature, data),
  };
}

/**
 * Imports a JSON Web Key (RFC 7517) for one algorithm and one use. It cannot be exported again.
 *
 * @throws {SignatureError} `unsupported` for an algorithm that is not listed, `key_invalid` when the key is not of it
 * @example
 * const key = await importKey('ecdsa-p384-sha384', { kty: 'EC', crv: 'P-384', x: '...', y: '...' }, 'verify');
 */
export async function importKey(
  algorithm: AlgorithmName,
  jwk: Readonly<Record<string, unknown>>,
  use: 'sign' | 'verify',
): Promise<CryptoKey> {
  const { key } = find(algorithm);
  try {
    return await crypto.subtle.importKey('jwk', jwk as { kty: string }, key, false, [use]);
  } catch (cause) {
    throw new SignatureError('key_invalid', `The key does not fit ${algorithm}`, { cause });
  }
}

function find(algorithm: AlgorithmName): (typeof algorithms)[AlgorithmName] {
  if (!Object.hasOwn(algorithms, algorithm)) throw new SignatureError('unsupported', 'The algorithm is unknown');
  return algorithms[algorithm];
}

function assertFits(algorithm: AlgorithmName, key: CryptoKey, use: 'sign' | 'verify'): (typeof algorithms)[AlgorithmName] {
  const entry = find(algorithm);
  const of = key.algorithm as { name: string; namedCurve?: string; hash?: { name: string } };
  const expected: { name: string; namedCurve?: string; hash?: string } = entry.key;
  const fits = of.name === expected.name && of.namedCurve === expected.namedCurve && of.hash?.name === expected.hash;
  if (!fits || !key.usages.includes(use))
    throw new SignatureError('key_invalid', `The key does not fit ${algorithm}, or not to ${use}`);
  return entry;
}
