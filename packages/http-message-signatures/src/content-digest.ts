// Content-Digest: the hash that brings the content of a message under its signature (RFC 9530).
import { serializeDictionary } from 'structured-headers';
import { SignatureError } from './errors.ts';
import { parseStrictDictionary } from './structured-fields.ts';

const hashes = { 'sha-256': 'SHA-256', 'sha-512': 'SHA-512' } as const;

/** The algorithms that RFC 9530 calls active. */
export type DigestAlgorithm = keyof typeof hashes;

/**
 * Makes the value of Content-Digest for the bytes of the content; a string counts as UTF-8.
 *
 * @see RFC 9530, section 2
 * @example
 * await createContentDigest('{"hello": "world"}'); // sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
 */
export async function createContentDigest(
  content: Uint8Array | string,
  algorithms: readonly DigestAlgorithm[] = ['sha-256'],
): Promise<string> {
  const digests = await Promise.all(algorithms.map((algorithm) => hash(algorithm, content)));
  return serializeDictionary(new Map(algorithms.map((algorithm, index) => [algorithm, [digests[index] ?? '', new Map()]])));
}

/**
 * Holds the value of Content-Digest against the bytes of the content as they were received. Every digest of a known
 * algorithm must be right, and there must be one.
 *
 * @throws {SignatureError} `digest_mismatch`; `unsupported` when no algorithm is known; `field_malformed`,
 *   `character_invalid`, `too_large` or `label_duplicate` when the field cannot be read
 * @see RFC 9530, section 2
 * @example
 * await verifyContentDigest(request.headers.get('content-digest') ?? '', new Uint8Array(await request.arrayBuffer()));
 */
export async function verifyContentDigest(value: string, content: Uint8Array | string): Promise<void> {
  let known = 0;
  for (const [algorithm, [expected]] of parseStrictDictionary('Content-Digest', value)) {
    if (!(expected instanceof ArrayBuffer))
      throw new SignatureError('field_malformed', `Content-Digest: ${algorithm} is no byte sequence`);
    if (!isKnown(algorithm)) continue;
    known += 1;
    if (!areEqual(new Uint8Array(expected), await hash(algorithm, content))) {
      throw new SignatureError('digest_mismatch', `The content is not what ${algorithm} says`);
    }
  }
  if (known === 0) throw new SignatureError('unsupported', 'Content-Digest has neither sha-256 nor sha-512');
}

function isKnown(algorithm: string): algorithm is DigestAlgorithm {
  return Object.hasOwn(hashes, algorithm);
}

async function hash(algorithm: DigestAlgorithm, content: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  return new Uint8Array(await crypto.subtle.digest(hashes[algorithm], bytes));
}

/** The digest is no secret, so this may stop early. */
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
