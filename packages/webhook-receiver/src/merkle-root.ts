// The root of the Merkle tree of RFC 9162, section 2.1.1, with SHA-256.
import { joinChunks } from './streams.ts';

/** Digests that run at the same time. */
const batch = 1_000;
const [leaf, node] = [Uint8Array.of(0), Uint8Array.of(1)];

/**
 * Returns the root of the entries in their order, in hexadecimal digits. Pairs are joined level by level, and the
 * last one of an odd level moves up: that is the tree of the RFC.
 */
export async function merkleRoot(entries: readonly string[]): Promise<string> {
  const encoder = new TextEncoder();
  let level = await digestAll(entries.map((entry) => [leaf, encoder.encode(entry)]));
  while (level.length > 1) {
    const pairs: Uint8Array[][] = [];
    for (let index = 0; index + 1 < level.length; index += 2)
      pairs.push([node, ...level.slice(index, index + 2)]);
    const last = level.length % 2 === 1 ? level.slice(-1) : [];
    level = [...(await digestAll(pairs)), ...last];
  }
  const [root] = level.length === 0 ? await digestAll([[]]) : level;
  return Array.from(root ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function digestAll(all: readonly (readonly Uint8Array[])[]): Promise<Uint8Array[]> {
  const digests: Uint8Array[] = [];
  for (let from = 0; from < all.length; from += batch)
    digests.push(...(await Promise.all(all.slice(from, from + batch).map(digest))));
  return digests;
}

async function digest(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const bytes = joinChunks(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
