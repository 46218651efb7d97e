// Parses a JWKS document into the keys that verify webhooks (RFC 7517).
import { createVerifier, importKey, type Verifier } from '@concord/http-message-signatures';

/** Every webhook is signed with this algorithm. */
export const algorithm = 'ecdsa-p384-sha384';

/**
 * Returns the P-384 keys by kid and skips keys for other purposes. Refuses a document with a duplicate kid or a private key:
 * its publisher cannot be trusted with the other keys either.
 */
export async function parseJwks(text: string): Promise<ReadonlyMap<string, Verifier>> {
  const document: unknown = JSON.parse(text);
  const keys = isObject(document) ? document.keys : undefined;
  if (!Array.isArray(keys)) throw new Error('The JWKS must have an array named keys');
  const seen = new Set<unknown>();
  const verifiers = new Map<string, Verifier>();
  for (const key of keys) {
    if (!isObject(key)) throw new Error('Every key of the JWKS must be an object');
    const { kid, x, y } = key;
    if (kid !== undefined && seen.has(kid)) throw new Error(`The JWKS has the kid ${kid} twice`);
    if ('d' in key) throw new Error('The JWKS must not have a private key');
    seen.add(kid);
    if (typeof kid !== 'string' || !isForWebhooks(key)) continue;
    // Passes on only the point. The other members are checked above.
    verifiers.set(kid, createVerifier(algorithm, await importKey(algorithm, { kty: 'EC', crv: 'P-384', x, y }, 'verify')));
  }
  return verifiers;
}

function isForWebhooks({ kty, crv, use, key_ops, alg }: Record<string, unknown>): boolean {
  const verifies = key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes('verify'));
  return (
    kty === 'EC' && crv === 'P-384' && verifies && (use === undefined || use === 'sig') && (alg === undefined || alg === 'ES384')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
