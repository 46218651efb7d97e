// A JWKS document: the P-384 keys in it that verify webhooks, by kid (RFC 7517).
import { createVerifier, importKey, type Verifier } from '@concord/http-message-signatures';

/** The one algorithm of webhooks. */
export const algorithm = 'ecdsa-p384-sha384';

/**
 * Keys for something else are passed over. A document that has a kid twice, or a private key, is refused whole: whoever
 * publishes that is not to be trusted with the rest.
 */
export async function parseJwks(text: string): Promise<ReadonlyMap<string, Verifier>> {
  const document: unknown = JSON.parse(text);
  const keys = isObject(document) ? document.keys : undefined;
  if (!Array.isArray(keys)) throw new Error('The JWKS has no array of keys');
  const seen = new Set<unknown>();
  const verifiers = new Map<string, Verifier>();
  for (const key of keys) {
    if (!isObject(key)) throw new Error('The JWKS has a key that is no object');
    const { kid, x, y } = key;
    if (kid !== undefined && seen.has(kid)) throw new Error('The JWKS has a kid twice');
    if ('d' in key) throw new Error('The JWKS has a private key');
    seen.add(kid);
    if (typeof kid !== 'string' || !isForWebhooks(key)) continue;
    // Only the point is handed on: what else stands in the key has been looked at here.
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
