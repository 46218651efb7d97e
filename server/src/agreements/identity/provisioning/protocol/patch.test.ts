import { expect, it } from 'vitest';
import { groupKind } from './attributes.ts';
import { applyPatch } from './patch.ts';

it('K23: the filters of one request make a million comparisons at most', () => {
  const members = Array.from({ length: 1_001 }, (_, index) => ({ value: `scu_${index}` }));
  const one = 'value eq "nobody"';
  const change = (operations: number, filter = one) =>
    applyPatch(
      groupKind,
      { displayName: 'Large', members },
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: Array.from({ length: operations }, () => ({ op: 'remove', path: `members[${filter}]` })),
      },
    );
  expect(change(999).members).toHaveLength(1_001);
  expect(() => change(1_000)).toThrow('compare too many items');
  expect(() => change(99, Array(11).fill(one).join(' or not (').concat(')'.repeat(10)))).toThrow(
    'compare too',
  );
});
