// Where JSON that a person writes is wrong, and where its members are.
import { expect, it } from 'vitest';
import { findFault, lineOf } from './json-text.ts';

const text = `{
  "a~/b": [1, {"x": "}, \\" {"}],
  "list": [
    {},
    { "deep": [
      null ] }
  ],
  "after": true
}`;

it.each([
  ['', 1],
  ['/a~0~1b/1/x', 2],
  ['/list', 3],
  ['/list/0', 4],
  ['/list/1/deep', 5],
  ['/list/1/deep/0', 6],
  ['/after', 8],
  ['/missing', null],
  ['/list/2', null],
  ['/after/deeper', null],
])('B41: the line of %o is %o', (pointer, line) => {
  expect(lineOf(text, pointer)).toBe(line);
});

it('B41: what is not JSON has a fault with its place, and no lines', () => {
  expect(findFault(text)).toBe(null);
  expect(findFault('{\n  "a": 1\n  "b": 2\n}')).toMatch(/^Line 3, column 3: /);
  expect(findFault('{"a": 1, }')).toMatch(/^Line 1, column 10: /);
  expect(lineOf('{"a": 1,', '/a')).toBe(null);
});
