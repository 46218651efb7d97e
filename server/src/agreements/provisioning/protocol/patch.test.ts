import { expect, it } from 'vitest';
import { groupKind } from './attributes.ts';
import { applyPatch } from './patch.ts';

it('K23: the filters of one request look at a million items at most', () => {
  const members = Array.from({ length: 1_001 }, (_, index) => ({ value: `scu_${index}` }));
  const operation = { op: 'remove', path: 'members[value eq "nobody"]' };
  const change = (operations: number) =>
    applyPatch(
      groupKind,
      { displayName: 'Large', members },
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: Array.from({ length: operations }, () => operation),
      },
    );
  expect(change(999).members).toHaveLength(1_001);
  expect(() => change(1_000)).toThrow('look at too many items');
});
