import type { EventFilter } from '@concord/client';
import { expect, it } from 'vitest';
import { pathsOf, typesOf } from './paths.ts';
import { inWords, noRows, toFilter, toRows } from './rows.ts';

const schema = {
  type: 'object',
  properties: {
    quantity: { type: 'integer' },
    code: { type: 'string' },
    grade: { enum: ['1', 2, null] },
    place: { type: ['string', 'null'] },
    items: { type: 'array', items: { properties: { 'a/b': { type: 'boolean' } } } },
  },
};
const typesAt = (path: string) => typesOf([schema, true], path);

it('W69: the form suggests the paths of the schemas', () => {
  expect(pathsOf([schema, true]).map(({ path }) => path)).toEqual([
    '/quantity',
    '/code',
    '/grade',
    '/place',
    '/items',
    '/items/0',
    '/items/0/a~1b',
  ]);
});

it.each<[EventFilter, string]>([
  [{ path: '/quantity', equals: 12 }, '/quantity is 12'],
  [{ path: '/code', equals: '12' }, '/code is 12'],
  [{ path: '/grade', equals: '1' }, '/grade is 1'],
  [{ path: '/place', equals: null }, '/place is null'],
  [{ path: '/items/0/a~1b', equals: true }, '/items/0/a~1b is true'],
  [{ not: { path: '/code', equals: 'a b' } }, '/code is not a b'],
  [{ path: '/quantity', one_of: [1, 2.5] }, '/quantity is one of 1, 2.5'],
  [{ path: '/code', prefix: 'N' }, '/code begins with N'],
  [{ path: '', exists: true }, 'the data exists'],
  [{ path: '/place', exists: false }, '/place is missing'],
  [
    {
      all: [
        { path: '/quantity', range: { lt: 10 } },
        { path: '/code', suffix: 'x' },
      ],
    },
    '/quantity is less than 10 and /code ends with x',
  ],
  [
    {
      any: [
        { path: '/quantity', range: { gte: 10 } },
        { path: '/place', exists: true },
      ],
    },
    '/quantity is at least 10 or /place exists',
  ],
])('W69: the form shows %j and gives it back', (filter, words) => {
  const { joined, rows } = toRows(filter) ?? noRows;
  expect(toFilter({ joined, rows: rows.map((row) => ({ ...row, given: undefined })) }, typesAt)).toEqual(
    filter,
  );
  expect(inWords(filter)).toBe(words);
});

it.each<[EventFilter, string]>([
  [{ path: '/quantity', range: { gt: 1, lte: 5 } }, '/quantity is more than 1 and is at most 5'],
  [{ not: { path: '/code', prefix: 'N' } }, 'not (/code begins with N)'],
  [{ path: '/code', one_of: ['a,b', 'c'] }, '/code is one of "a,b", "c"'],
  [{ path: '/code', one_of: [' a', 'b'] }, '/code is one of " a", "b"'],
  [
    {
      all: [
        { path: '/code', equals: 'x' },
        {
          any: [
            { path: '/place', exists: true },
            { path: '/quantity', equals: 1 },
          ],
        },
      ],
    },
    '/code is x and (/place exists or /quantity is 1)',
  ],
])('W69: %j is for the JSON view, and has words', (filter, words) => {
  expect(toRows(filter)).toBeNull();
  expect(inWords(filter)).toBe(words);
});

it('W69: the form knows the type of a value behind references, in lists and in maps', () => {
  const code = { $ref: '#/$defs/a~1code' };
  const schemas = [
    {
      $ref: '#/$defs/order',
      $defs: {
        'a/code': { type: 'string' },
        order: {
          properties: {
            zip: code,
            lines: { items: { $ref: '#/$defs/order' } },
            map: { additionalProperties: { const: 7 } },
          },
          allOf: [{ properties: { note: { anyOf: [code, { type: 'null' }, { $ref: '#/$defs/none' }] } } }],
        },
      },
    },
  ];
  expect(
    ['/zip', '/lines/12/lines/0/zip', '/note', '/map/other', '/zip/a'].map((path) => typesOf(schemas, path)),
  ).toEqual([['string'], ['string'], ['null', 'string'], ['number'], []]);
});

it('W69: no rows are no filter', () => {
  expect(toFilter(noRows, typesAt)).toBeNull();
});

it('B29, W69: a row that nobody changed keeps its condition', () => {
  const { joined, rows } =
    toRows({
      all: [
        { path: '/unknown', equals: '12' },
        { path: '/code', exists: true },
      ],
    }) ?? noRows;
  const changed = rows.with(1, { path: '/unknown', operator: 'equals', value: '13' });
  expect(toFilter({ joined, rows: changed }, typesAt)).toEqual({
    all: [
      { path: '/unknown', equals: '12' },
      { path: '/unknown', equals: 13 },
    ],
  });
});
