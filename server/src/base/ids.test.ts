// Identifiers: the vectors of the TypeID specification, and texts that are not ids.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatId, newId, parseId, timeOf, uuidAt } from './ids.ts';

// github.com/jetify-com/typeid, spec/valid.yml, with our prefix.
const vectors = [
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
  ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
  ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
  ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
  ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
] as const;

describe('ids', () => {
  it.each(vectors)('F1: %s is ptr_%s', (uuid, suffix) => {
    expect(formatId('partner', uuid)).toBe(`ptr_${suffix}`);
    expect(parseId('partner', `ptr_${suffix}`)).toBe(uuid);
  });

  it('F1: every UUID has one id, and back', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => parseId('user', formatId('user', uuid)) === uuid));
  });

  it('F1: text that is not an id of the kind is null', () => {
    const id = newId('partner');
    for (const text of [
      '',
      'ptr_',
      id.toUpperCase(),
      `${id}0`,
      id.slice(0, -1),
      id.replace('ptr', 'usr'),
      `ptr_8${id.slice(5)}`,
      `${id.slice(0, -1)}l`,
      `${id.slice(0, -1)}é`,
      ` ${id}`,
    ]) {
      expect(parseId('partner', text)).toBeNull();
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseId('partner', text) === null));
  });

  it('F1: an id has the time at which it was made', () => {
    expect(timeOf(uuidAt(1_795_358_620_557))).toBe(1_795_358_620_557);
  });
});
