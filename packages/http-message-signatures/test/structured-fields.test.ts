// The structured-field tests of the HTTP working group, run as fields that are covered with sf.
import { DisplayString } from 'structured-headers';
import { describe, expect, it } from 'vitest';
import {
  component,
  createSignatureBase,
  type FieldType,
  parseSignatureInput,
  serializeSignatureInputs,
} from '../src/index.ts';
import { codeOf } from './code-of.ts';
import data from './structured-fields.json' with { type: 'json' };

type Case = {
  name: string;
  type: string;
  raw: string[];
  fails?: boolean;
  mayFail?: boolean;
  canonical?: string;
};
/**
 * These do not apply: outer whitespace and line folding are removed before parsing (RFC 9421, section 2.1).
 */
const excluded = ['item: leading space', 'item: trailing space', 'string: newline in string'];
const cases = (data.cases as Case[]).filter(({ name }) => !excluded.includes(name));

function serialize(lines: string[], type: FieldType): string {
  const headers = lines.map((line) => ['x-field', line] as const);
  const message = { method: 'GET', url: 'https://example.com/', headers };
  const components = [component('x-field', { sf: true })];
  const base = createSignatureBase(message, { components, parameters: {}, fieldTypes: { 'x-field': type } });
  return base.split('\n')[0]!.replace('"x-field";sf: ', '');
}

describe('httpwg/structured-field-tests', () => {
  it.each(cases.filter(({ fails, mayFail }) => !fails && !mayFail))('$name', ({ raw, type, canonical }) => {
    expect(serialize(raw, type as FieldType)).toBe(canonical);
  });

  it.each(cases.filter(({ fails }) => fails))('refuses $name', ({ raw, type }) => {
    expect(['field_malformed', 'character_invalid', 'unsupported']).toContain(
      codeOf(() => serialize(raw, type as FieldType)),
    );
  });

  it.each(cases.filter(({ mayFail }) => mayFail))('reads or refuses $name', ({ raw, type, canonical }) => {
    expect([canonical, 'field_malformed']).toContain(codeOf(() => serialize(raw, type as FieldType)));
  });
});

describe('values that structured-headers alone does not preserve', () => {
  it.each([
    ['item', '1.0', '1.0'],
    ['item', '-0.0', '0.0'],
    ['item', '010.00', '10.0'],
    [
      'list',
      '1.0, "1.0", D1.0, (1.0 2.50 3);a=-4.00;b=:MS4w:',
      '1.0, "1.0", D1.0, (1.0 2.5 3);a=-4.0;b=:MS4w:',
    ],
    ['dictionary', 'a=1.0, DD=1', 'field_malformed'],
    ['dictionary', 'a=1.0;d=DDD, b, a=2.0', 'a=2.0, b'],
    ['list', 'D0:, D1:1.0, 1.0;a=D3:;b="D2:", :AAD4:', 'D0:, D1:1.0, 1.0;a=D3:;b="D2:", :AAD4:'],
    ['list', '1.0 1.0', 'field_malformed'],
    ['item', '@1659578233', 'unsupported'],
    ['dictionary', 'a="@"', 'a="@"'],
    ['item', '%"a"', 'unsupported'],
    ['item', '"%\\""', '"%\\""'],
  ])('%s %s', (type, raw, expected) => {
    expect(codeOf(() => serialize([raw], type as FieldType))).toBe(expected);
  });

  it('refuses decimals and dates as signature parameters', () => {
    expect(codeOf(() => parseSignatureInput('a=();x=1.0'))).toBe('unsupported');
    expect(codeOf(() => parseSignatureInput('a=();x=-1.0'))).toBe('unsupported');
    expect(codeOf(() => parseSignatureInput('a=();created=1618884473.0'))).toBe('unsupported');
    expect(codeOf(() => parseSignatureInput('a=();x=@1'))).toBe('unsupported');
    for (const x of [1.5, Number.NaN, new Date(0), new DisplayString('a')]) {
      const inputs = new Map([['a', { components: [], parameters: new Map([['x', x]]) }]]);
      expect(codeOf(() => serializeSignatureInputs(inputs))).toBe('unsupported');
    }
  });

  it.each([
    'sig1=("@target-uri" "@authority" "date" "cache-control");keyid="test-key-rsa-pss";alg="rsa-pss-sha512";created=1618884475;expires=1618884775',
    'sig1=("@method" "@target-uri" "@authority" "content-digest" "cache-control");created=1618884475;keyid="test-key-rsa-pss"',
    'sig1=("@method" "@target-uri" "@authority" "content-digest" "cache-control");keyid="test-key-rsa-pss";created;tag="app-123"',
  ])('preserves an example of RFC 9421, sections 2.3, 4.1 and 5.1: %s', (value) => {
    expect(serializeSignatureInputs(parseSignatureInput(value))).toBe(value);
  });

  it('does not take the content of strings for syntax', () => {
    const value = 'a=("x;y,z");keyid="=1.0;a=1, b;@%\\"\\\\";tag="("';
    expect(serializeSignatureInputs(parseSignatureInput(value))).toBe(value);
  });
});
