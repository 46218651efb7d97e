import { expect, it } from 'vitest';
import { readFilter } from './filter.ts';
import { knowsPath, requireKnownPaths } from './known-paths.ts';

const order = {
  type: 'object',
  $defs: {
    address: {
      type: 'object',
      properties: { city: { type: 'string' }, parent: { $ref: '#/$defs/address' } },
    },
    'odd~/name %': { properties: { odd: true } },
  },
  properties: {
    id: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    items: { type: 'array', items: { properties: { sku: { type: 'string' } } } },
    pair: { prefixItems: [{ type: 'number' }, { properties: { x: {} } }], items: false },
    open: { type: ['object', 'null'] },
    anything: {},
    yes: true,
    no: false,
    map: { type: 'object', additionalProperties: { properties: { value: {} } } },
    closed: { type: 'object', additionalProperties: false },
    either: { oneOf: [{ type: 'string' }, { properties: { left: {} } }, { $ref: '#/$defs/address' }] },
    named: { patternProperties: { '^x-': { properties: { deep: {} } } } },
    conditional: { if: { properties: { kind: { const: 1 } } }, else: { properties: { other: {} } } },
    odd: { $ref: '#/$defs/odd~0~1name%20%25' },
    foreign: { $ref: 'https://example.com/schema' },
    required: { allOf: [{ properties: { a: {} } }, { required: ['a'] }] },
  },
};

it.each([
  '',
  '/id',
  '/address/city',
  '/address/parent/parent/city',
  '/items/7/sku',
  '/pair/0',
  '/pair/1/x',
  '/open/what/ever',
  '/anything/0/below',
  '/yes/x',
  '/map/key/value',
  '/either/left',
  '/either/parent/city',
  '/named/x-1/deep',
  '/conditional/kind',
  '/conditional/other',
  '/odd/odd',
  '/foreign/x/y',
  '/required/a',
])('W69: a schema knows %s', (path) => {
  expect(knowsPath(order, path.split('/').slice(1))).toBe(true);
});

it.each([
  '/ID',
  '/id/0',
  '/address/street',
  '/items/sku',
  '/items/7/name',
  '/pair/2',
  '/no',
  '/map/key/other',
  '/closed/x',
  '/either/right',
  '/named/x-1/other',
  '/required/b',
  '/constructor',
  '/__proto__',
])('W69: a schema does not know %s', (path) => {
  expect(knowsPath(order, path.split('/').slice(1))).toBe(false);
});

it('W69: the message names the path, and the pointer is that of the condition', () => {
  const { conditions } = readFilter({
    all: [{ path: '/id', exists: true }, { not: { path: '/x', exists: true } }],
  });
  expect(() => requireKnownPaths(conditions, [{ type: 'string' }, order])).toThrow(
    expect.objectContaining({
      faults: [
        expect.objectContaining({
          pointer: '/filter/all/1/not/path',
          message: expect.stringContaining('/x'),
        }),
      ],
    }),
  );
  expect(() => requireKnownPaths(conditions, [order, { properties: { x: {} } }])).not.toThrow();
});

it('W69: a schema that contains itself in many ways ends', () => {
  const loop = { properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }, { anyOf: [{ $ref: '#' }] }] };
  expect(knowsPath(loop, Array(20).fill('a'))).toBe(true);
  expect(knowsPath(loop, [...Array(19).fill('a'), 'b'])).toBe(false);
  const wide = {
    properties: { a: { $ref: '#' } },
    anyOf: Array.from({ length: 5_000 }, () => ({ properties: {} })),
  };
  // 50,000 parts would block other requests for more than 50 ms.
  const { conditions } = readFilter({ path: '/a'.repeat(10), exists: true });
  expect(() => requireKnownPaths(conditions, [wide])).toThrow(
    expect.objectContaining({
      faults: [expect.objectContaining({ message: expect.stringContaining('takes too long') })],
    }),
  );
});
