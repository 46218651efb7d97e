// The Merkle tree against the recursion of RFC 9162, section 2.1.1, as it is written there.
import { expect, it } from 'vitest';
import { rootOf } from '../../../test/webhooks/checkpoints/checkpoint-stage.ts';
import { createMerkleTree } from './merkle.ts';

it('W77: the stream has the root of the recursion, at every number of leaves', () => {
  const tree = createMerkleTree();
  const entries: string[] = [];
  for (let count = 0; count <= 260; count++) {
    expect(tree.root()).toBe(rootOf(entries));
    tree.add(`evt_${count}`);
    entries.push(`evt_${count}`);
  }
});

it('W77: the roots of the vectors of Certificate Transparency', () => {
  // github.com/google/certificate-transparency, reference_root: leaves in hexadecimal digits.
  const tree = createMerkleTree();
  expect(tree.root()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  tree.add('');
  expect(tree.root()).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  tree.add('\0');
  expect(tree.root()).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
});
