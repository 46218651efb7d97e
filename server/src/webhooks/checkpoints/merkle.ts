// The Merkle tree of RFC 9162, section 2.1.1, with SHA-256, as a stream: memory grows with the logarithm.
import { hash } from 'node:crypto';

type MerkleTree = {
  add(entry: string): void;
  /** The root of the leaves so far, in hexadecimal digits. */
  root(): string;
};

const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);
const sha256 = (...parts: readonly Buffer[]) => hash('sha256', Buffer.concat(parts), 'buffer');

export function createMerkleTree(): MerkleTree {
  /** The roots of full subtrees, the largest first: one for each bit of `count`. */
  const full: Buffer[] = [];
  let count = 0;
  return {
    add(entry) {
      let node: Buffer = sha256(leafPrefix, Buffer.from(entry));
      for (let size = count; size % 2 === 1; size = (size - 1) / 2) node = join(full.pop(), node);
      full.push(node);
      count++;
    },
    root: () => full.reduceRight<Buffer | null>(joinLeft, null)?.toString('hex') ?? sha256().toString('hex'),
  };
}

function join(left: Buffer | undefined, right: Buffer): Buffer {
  if (left === undefined) throw new Error('A full subtree is missing');
  return sha256(nodePrefix, left, right);
}
const joinLeft = (right: Buffer | null, left: Buffer) => (right === null ? left : join(left, right));
