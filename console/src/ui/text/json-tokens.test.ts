import { expect, it } from 'vitest';
import { tokenize } from './json-tokens.ts';

const kinds = (text: string) =>
  tokenize(text)
    .filter(({ kind }) => kind !== 'other')
    .map(({ text, kind }) => [text, kind]);

it('B58: names, texts, numbers and words are told apart', () => {
  const text = JSON.stringify({ 'a "b": c': ['d: \\\\', -1.5e3, true, null], e: '12 false' }, null, 2);
  expect(kinds(text)).toEqual([
    ['"a \\"b\\": c"', 'name'],
    [JSON.stringify('d: \\\\'), 'text'],
    ['-1500', 'number'],
    ['true', 'word'],
    ['null', 'word'],
    ['"e"', 'name'],
    ['"12 false"', 'text'],
  ]);
});

it('B58: any text stays as it is, and of a long one the beginning has colours', () => {
  const long = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ n, text: `"${n}\\` })));
  for (const text of [
    '',
    '"',
    '"\\',
    '{"a": "b',
    'not JSON at all: -',
    '"\\'.repeat(50_000),
    '"'.repeat(100_000),
    long,
  ]) {
    const tokens = tokenize(text);
    expect(tokens.map((token) => token.text).join('')).toBe(text);
    expect(tokens.length).toBeLessThan(20_000);
  }
});
