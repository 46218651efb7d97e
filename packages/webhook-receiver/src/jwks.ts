// Parses a JWKS document into the keys that verify webhooks (RFC 7517).
import { createVerifier, importKey, type Verifier } from '@concord/http-message-signatures';

/** Every webhook is signed with this algorithm. */
export const algorithm = 'ecdsa-p384-sha384';

/** The usable keys by kid, and what is wrong with each unusable one. */
export type ParsedJwks = {
  readonly verifiers: ReadonlyMap<string, Verifier>;
  readonly problems: readonly string[];
};

/**
 * Reads the P-384 keys and skips keys for other purposes. An invalid key is not used, and does not affect the
 * others. A key whose private part is published is invalid, and so is each key whose kid appears twice.
 */
export async function parseJwks(text: string): Promise<ParsedJwks> {
  const document: unknown = JSON.parse(text);
  const keys = isObject(document) ? document.keys : undefined;
  if (!Array.isArray(keys)) throw new Error('The JWKS must have an array named keys');
  const counts = new Map<unknown, number>();
  for (const key of keys) if (isObject(key)) counts.set(key.kid, (counts.get(key.kid) ?? 0) + 1);
  const verifiers = new Map<string, Verifier>();
  const problems: string[] = [];
  for (const [index, key] of keys.entries()) {
    const problem = await readKey(key, counts, verifiers).catch(String);
    if (problem !== undefined) problems.push(`key ${index + 1}: ${problem}`);
  }
  // Nothing is usable, so a cached document stays in use.
  if (verifiers.size === 0 && problems.length > 0)
    throw new Error(`The JWKS has only invalid keys: ${problems.join('; ')}`);
  return { verifiers, problems };
}

/** Adds the key to the verifiers, or returns its problem. */
async function readKey(
  key: unknown,
  counts: ReadonlyMap<unknown, number>,
  verifiers: Map<string, Verifier>,
): Promise<string | undefined> {
  if (!isObject(key)) return 'a key must be an object';
  const { kid, x, y } = key;
  if (typeof kid !== 'string' || !isForWebhooks(key)) return undefined;
  if ('d' in key) return `the private part of ${kid} is published`;
  if ((counts.get(kid) ?? 0) > 1) return `the kid ${kid} appears more than once`;
  // Passes on only the point. The other members are checked above.
  verifiers.set(
    kid,
    createVerifier(algorithm, await importKey(algorithm, { kty: 'EC', crv: 'P-384', x, y }, 'verify')),
  );
  return undefined;
}

function isForWebhooks({ kty, crv, use, key_ops, alg }: Record<string, unknown>): boolean {
  const verifies = key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes('verify'));
  return (
    kty === 'EC' &&
    crv === 'P-384' &&
    verifies &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === 'ES384')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
