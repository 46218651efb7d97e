// Properties of updates of a partner, over arbitrary bodies.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BillingAddress, emptyAddress, mergeAddress } from './billing-address.ts';
import { textNames } from './columns.ts';
import { blankContent, revise } from './partner.ts';

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 60 }), { nil: null });
const coordinate = fc.option(fc.oneof(fc.double(), fc.constantFrom('NaN', 'Infinity', '-Infinity')), {
  nil: null,
});
const address = fc.record({
  street: text,
  postal_code: text,
  city: text,
  region: text,
  country: text,
  latitude: coordinate,
  longitude: coordinate,
});
/** A stored address: it has no number that JSON cannot write. */
const stored = address.map((value) => mergeAddress(emptyAddress, value).address);
/** Any JSON, often with members of an address. */
const anyJson = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom(...Object.keys(emptyAddress), '__proto__', 'constructor', 'x/y~z'),
    fc.oneof(fc.jsonValue(), text, coordinate),
  ),
);

const isStored = (value: BillingAddress) =>
  Object.keys(value).sort().join() === Object.keys(emptyAddress).sort().join() &&
  Object.entries(value).every(([member, part]) =>
    part === null
      ? true
      : /itude$/.test(member)
        ? ['NaN', 'Infinity', '-Infinity'].includes(String(part)) || Number.isFinite(part)
        : typeof part === 'string',
  );

describe('the billing address', () => {
  it('P2: the merge of any JSON value gives an address with seven members', () => {
    fc.assert(
      fc.property(stored, anyJson, (current, value) => isStored(mergeAddress(current, value).address)),
      { numRuns: 2_000 },
    );
  });

  it('P2: each member is either set or named as ignored, never both', () => {
    fc.assert(
      fc.property(
        stored,
        fc.dictionary(
          fc.oneof(fc.constantFrom(...Object.keys(emptyAddress)), fc.string()),
          fc.oneof(fc.jsonValue(), text),
        ),
        (current, value) => {
          const merged = mergeAddress(current, value);
          for (const member of Object.keys(emptyAddress) as (keyof BillingAddress)[]) {
            const ignored = merged.ignored.includes(`/billing_address/${member}`);
            if (!Object.hasOwn(value, member) || ignored)
              expect(merged.address[member]).toBe(current[member]);
            else if (typeof value[member] !== 'number') expect(merged.address[member]).toBe(value[member]);
          }
          expect(merged.ignored.length).toBeLessThanOrEqual(Object.keys(value).length);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('P2: merging the same value again changes nothing', () => {
    fc.assert(
      fc.property(stored, anyJson, (current, value) => {
        const once = mergeAddress(current, value);
        expect(mergeAddress(once.address, value)).toEqual(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('P3: every number is stored unchanged, and those that JSON cannot write become text', () => {
    fc.assert(
      fc.property(fc.double(), (latitude) => {
        const kept = mergeAddress(emptyAddress, { latitude }).address.latitude;
        expect(kept).toBe(Number.isFinite(latitude) ? latitude + 0 : String(latitude));
        expect(JSON.parse(JSON.stringify({ kept })).kept).toBe(kept);
      }),
    );
  });

  it('P2: 255 code points are set and 256 are ignored, however many UTF-16 units they have', () => {
    for (const character of ['a', 'é', '😀']) {
      const taken = mergeAddress(emptyAddress, { city: character.repeat(255) });
      expect([taken.ignored, taken.address.city]).toEqual([[], character.repeat(255)]);
      expect(mergeAddress(emptyAddress, { city: character.repeat(256) }).ignored).toEqual([
        '/billing_address/city',
      ]);
    }
  });
});

describe('an update', () => {
  const members = textNames.filter((member) => member !== 'name');
  const changes = fc.record(
    { name: text, ...Object.fromEntries(members.map((member) => [member, text])), billing_address: anyJson },
    { requiredKeys: [] },
  );

  it('P1: sets the members that it has, keeps the others, and never sets the name to null', () => {
    fc.assert(
      fc.property(changes, changes, (before, change) => {
        const current = revise(blankContent, before).next;
        const { next, ignored } = revise(current, change);
        for (const member of members)
          expect(next[member]).toBe(
            Object.hasOwn(change, member) ? change[member as never] : current[member],
          );
        expect(next.name).toBe(change.name ?? current.name);
        expect(ignored.includes('/name')).toBe(change.name === null);
        expect(revise(next, change).next).toEqual(next);
      }),
      { numRuns: 2_000 },
    );
  });
});
