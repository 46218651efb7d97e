// The signature algorithms of RFC 9421, section 3.3, on WebCrypto. Callers can bring other signers and
// verifiers.
import { SignatureError } from './errors.ts';

const algorithms = {
  'rsa-pss-sha512': {
    key: { name: 'RSA-PSS', hash: 'SHA-512' },
    operation: { name: 'RSA-PSS', saltLength: 64 },
  },
  'rsa-v1_5-sha256': {
    key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    operation: { name: 'RSASSA-PKCS1-v1_5' },
  },
  'hmac-sha256': { key: { name: 'HMAC', hash: 'SHA-256' }, operation: { name: 'HMAC' }, signatureLength: 32 },
  'ecdsa-p256-sha256': {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    operation: { name: 'ECDSA', hash: 'SHA-256' },
    signatureLength: 64,
  },
  'ecdsa-p384-sha384': {
    key: { name: 'ECDSA', namedCurve: 'P-384' },
    operation: { name: 'ECDSA', hash: 'SHA-384' },
    signatureLength: 96,
  },
  ed25519: { key: { name: 'Ed25519' }, operation: { name: 'Ed25519' }, signatureLength: 64 },
} as const;

/**
 * A name from the HTTP Signature Algorithms registry, as used in the `alg` parameter (RFC 9421, section 6.2).
 */
export type AlgorithmName = keyof typeof algorithms;

/**
 * Signs the bytes of a signature base. Write your own for keys that WebCrypto cannot hold, such as keys in an
 * HSM.
 */
export type Signer = {
  /** The required value of `alg` when a signature has that parameter. */
  readonly algorithm: string;
  /**
   * Returns the signature. ECDSA signatures are `r` followed by `s`, each as long as the curve order (IEEE
   * P1363), not DER.
   */
  sign(data: Uint8Array<ArrayBuffer>): Uint8Array | Promise<Uint8Array>;
};

/** Verifies a signature over the bytes of a signature base. */
export type Verifier = {
  /** The required value of `alg` when a signature has that parameter. */
  readonly algorithm: string;
  /**
   * The only valid signature length in bytes; any by default. Other lengths are refused without a call to
   * `verify`.
   */
  readonly signatureLength?: number | undefined;
  verify(data: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): boolean | Promise<boolean>;
};

/**
 * Creates a signer from a private or secret WebCrypto key.
 *
 * @throws {SignatureError} `unsupported` when the algorithm is unknown; `key_invalid` when the key is for
 *   another algorithm or may not sign
 * @see RFC 9421, section 3.3
 * @example
 * const signer = createSigner('ecdsa-p384-sha384', await importKey('ecdsa-p384-sha384', jwk, 'sign'));
 */
export function createSigner(algorithm: AlgorithmName, key: CryptoKey): Signer {
  const { operation } = assertFits(algorithm, key, 'sign');
  return { algorithm, sign: async (data) => new Uint8Array(await crypto.subtle.sign(operation, key, data)) };
}

/**
 * Creates a verifier from a public or secret WebCrypto key.
 *
 * @throws {SignatureError} `unsupported` when the algorithm is unknown; `key_invalid` when the key is for
 *   another algorithm or may not verify
 * @see RFC 9421, section 3.3
 * @example
 * const verifier = createVerifier('ed25519', await importKey('ed25519', jwk, 'verify'));
 */
export function createVerifier(algorithm: AlgorithmName, key: CryptoKey): Verifier {
  const entry = assertFits(algorithm, key, 'verify');
  return {
    algorithm,
    signatureLength: 'signatureLength' in entry ? entry.signatureLength : undefined,
    verify: (data, signature) => crypto.subtle.verify(entry.operation, key, signature, data),
  };
}

/**
 * Imports a JSON Web Key (RFC 7517) for one algorithm and one use. The imported key is not extractable.
 *
 * @throws {SignatureError} `unsupported` when the algorithm is unknown; `key_invalid` when the JWK is
 *   malformed or for another algorithm
 * @example
 * const jwk = { kty: 'EC', crv: 'P-384', x: '...', y: '...' };
 * const key = await importKey('ecdsa-p384-sha384', jwk, 'verify');
 */
export async function importKey(
  algorithm: AlgorithmName,
  jwk: Readonly<Record<string, unknown>>,
  use: 'sign' | 'verify',
): Promise<CryptoKey> {
  const { key } = findAlgorithm(algorithm);
  try {
    return await crypto.subtle.importKey('jwk', jwk as { kty: string }, key, false, [use]);
  } catch (cause) {
    throw new SignatureError('key_invalid', `The JWK must be a valid ${algorithm} key that may ${use}`, {
      cause,
    });
  }
}

function findAlgorithm(algorithm: AlgorithmName): (typeof algorithms)[AlgorithmName] {
  if (!Object.hasOwn(algorithms, algorithm))
    throw new SignatureError(
      'unsupported',
      `The algorithm must be one of ${Object.keys(algorithms).join(', ')}`,
    );
  return algorithms[algorithm];
}

function assertFits(
  algorithm: AlgorithmName,
  key: CryptoKey,
  use: 'sign' | 'verify',
): (typeof algorithms)[AlgorithmName] {
  const entry = findAlgorithm(algorithm);
  // Without TypeScript it can be anything, such as the text of a PEM.
  const { algorithm: given, usages = [] }: Partial<CryptoKey> = key ?? {};
  const actual = (given ?? {}) as { name?: string; namedCurve?: string; hash?: { name: string } };
  const expected: { name: string; namedCurve?: string; hash?: string } = entry.key;
  const fits =
    actual.name === expected.name &&
    actual.namedCurve === expected.namedCurve &&
    actual.hash?.name === expected.hash;
  if (!fits || !usages.includes(use))
    throw new SignatureError('key_invalid', `The key must be a CryptoKey for ${algorithm} that may ${use}`);
  return entry;
}
