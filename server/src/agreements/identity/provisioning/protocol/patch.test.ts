import { expect, it, vi } from 'vitest';
import { groupKind, userKind } from './attributes.ts';
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

it('K23: the filters of one request fold each text once', () => {
  const emails = Array.from({ length: 20 }, (_, index) => ({ value: `${index}${'İ'.repeat(250)}` }));
  const remove = { op: 'remove', path: 'emails[value co "nobody" or value co "Nobody else"]' };
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  const fold = vi.spyOn(String.prototype, 'toLowerCase');
  const changed = applyPatch(
    userKind,
    { userName: 'ann', emails },
    { schemas, Operations: Array(1_000).fill(remove) },
  );
  const folds = fold.mock.contexts.filter((text) => String(text).includes('İ')).length;
  fold.mockRestore();
  expect(folds).toBe(20);
  expect(changed.emails).toEqual(emails);
});

it('K23, F6: operations without a filter read the items of a long list once', () => {
  const members = Array.from({ length: 1_000 }, (_, index) => ({ value: `scu_${index}` }));
  const Operations = members.map(({ value }, index) =>
    index % 2 === 0
      ? { op: 'remove', path: 'members', value: [{ value }] }
      : { op: 'add', path: 'members', value: [{ value }, { value: `new_${index}` }] },
  );
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  const has = vi.spyOn(Set.prototype, 'has');
  const changed = applyPatch(groupKind, { displayName: 'Large', members }, { schemas, Operations });
  const looks = has.mock.calls.length;
  has.mockRestore();
  expect(looks).toBeLessThan(10 * members.length);
  const odd = Array.from({ length: 500 }, (_, index) => 2 * index + 1);
  expect(changed.members).toEqual(odd.flatMap((n) => [{ value: `scu_${n}` }, { value: `new_${n}` }]));
});
