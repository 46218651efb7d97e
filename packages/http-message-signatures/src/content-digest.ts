// Content-Digest: a hash of the content. Covering it protects the content with the signature (RFC 9530).
import { type Item, serializeDictionary } from 'structured-headers';
import { SignatureError } from './errors.ts';
import { parseStrictDictionary } from './structured-fields.ts';

const hashes = { 'sha-256': 'SHA-256', 'sha-512': 'SHA-512' } as const;

/** The digest algorithms with status "Active" in RFC 9530, section 7.2. */
export type DigestAlgorithm = keyof typeof hashes;

/**
 * Creates the value of Content-Digest.
 *
 * @param content the bytes of the content; a string is encoded as UTF-8
 * @param algorithms one digest for each, in this order; `['sha-256']` by default
 * @see RFC 9530, section 2
 * @example
 * await createContentDigest('{"hello": "world"}'); // sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
 */
export async function createContentDigest(
  content: Uint8Array | string,
  algorithms: readonly DigestAlgorithm[] = ['sha-256'],
): Promise<string> {
  const digest = async (algorithm: DigestAlgorithm): Promise<[string, Item]> => [
    algorithm,
    [await hash(algorithm, content), new Map()],
  ];
  return serializeDictionary(new Map(await Promise.all(algorithms.map(digest))));
}

/**
 * Compares the value of Content-Digest with the content. At least one digest must use a known algorithm, and
 * every digest with a known algorithm must match.
 *
 * @param value the field value; several lines are joined with `, `
 * @param content the bytes as received, before any decoding or parsing; a string is encoded as UTF-8
 * @throws {SignatureError} `digest_mismatch`; `unsupported` when no algorithm is known; `field_malformed`,
 *   `character_invalid`, `too_large` (over 16 KiB) or `label_duplicate` when the field cannot be read
 * @see RFC 9530, section 2
 * @example
 * const content = new Uint8Array(await request.arrayBuffer());
 * await verifyContentDigest(request.headers.get('content-digest') ?? '', content);
 */
export async function verifyContentDigest(value: string, content: Uint8Array | string): Promise<void> {
  let known = 0;
  for (const [algorithm, [expected]] of parseStrictDictionary('Content-Digest', value)) {
    if (!(expected instanceof ArrayBuffer))
      throw new SignatureError(
        'field_malformed',
        `Content-Digest: ${algorithm} must be a byte sequence, such as :AAAA:`,
      );
    if (!isKnown(algorithm)) continue;
    known += 1;
    if (!areEqual(new Uint8Array(expected), await hash(algorithm, content))) {
      throw new SignatureError(
        'digest_mismatch',
        `The ${algorithm} digest in Content-Digest does not match the content`,
      );
    }
  }
  if (known === 0)
    throw new SignatureError('unsupported', 'Content-Digest must have a sha-256 or sha-512 digest');
}

function isKnown(algorithm: string): algorithm is DigestAlgorithm {
  return Object.hasOwn(hashes, algorithm);
}

async function hash(
  algorithm: DigestAlgorithm,
  content: Uint8Array | string,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  return new Uint8Array(await crypto.subtle.digest(hashes[algorithm], bytes));
}

/** Need not take constant time: a digest is not secret. */
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
