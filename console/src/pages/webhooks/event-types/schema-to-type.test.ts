import { expect, it } from 'vitest';
import { schemaToType, typeName } from './schema-to-type.ts';

const cases: [what: string, schema: Parameters<typeof schemaToType>[1], type: string][] = [
  [
    'objects, optional members and limits',
    {
      type: 'object',
      required: ['sku', 'quantity'],
      properties: {
        sku: { type: 'string', description: 'The article' },
        quantity: { type: 'integer', minimum: 0 },
        location: { type: ['string', 'null'] },
        'ship-to': { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
      },
    },
    `{
  /** The article */
  sku: string;
  /** an integer, minimum: 0 */
  quantity: number;
  location?: string | null;
  "ship-to"?: {
    city: string;
  };
}`,
  ],
  ['choices', { enum: ['new', 2, null] }, '"new" | 2 | null'],
  ['constants', { const: true }, 'true'],
  ['lists of choices', { type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [
    'tuples',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    '[string?, number?]',
  ],
  ['maps', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  ['objects without members', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
  [
    'one of several',
    { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    'string | string[]',
  ],
  [
    'all of several',
    { allOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { const: 'a' }] },
    '(string | null) & "a"',
  ],
  ['references', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'boolean' } } }, 'boolean'],
  ['whatever', {}, 'unknown'],
  ['nothing', false, 'never'],
];

it.each(cases)('writes %s', (_, schema, type) => {
  expect(schemaToType('Data', schema)).toBe(`export type Data = ${type};\n`);
});

it('says what a type cannot express', () => {
  const schema = {
    type: 'string',
    pattern: '^[a-z]+$',
    not: { const: 'x' },
    oneOf: [{ const: 'a' }, { const: 'b' }],
  } as const;
  expect(schemaToType('Data', schema)).toBe(
    '/** pattern: "^[a-z]+$", not: {"const":"x"}, exactly one of the types */\nexport type Data = string & ("a" | "b");\n',
  );
});

it('keeps a description inside its comment', () => {
  expect(schemaToType('Data', { type: 'string', description: 'ends */ export const x = 1;\n/*' })).toBe(
    '/** ends *\\/ export const x = 1; /* */\nexport type Data = string;\n',
  );
});

it('keeps a reference inside its comment', () => {
  expect(schemaToType('Data', { $ref: '#/*/export const x' })).toBe(
    'export type Data = unknown /* #/*\\/export const x */;\n',
  );
});

it('ends at a reference to itself', () => {
  const schema = { type: 'object', properties: { parent: { $ref: '#' } } };
  expect(schemaToType('Data', schema)).toContain('unknown /* # refers to itself */');
});

it('ends at references to references', () => {
  const schema = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
  expect(schemaToType('Data', schema)).toContain('refers to itself');
});

it.each([
  ['inventory.updated', 'InventoryUpdated'],
  ['order.status_changed', 'OrderStatusChanged'],
  ['2fa.used', 'Event2faUsed'],
])('names the type of %s', (event, name) => {
  expect(typeName(event)).toBe(name);
});

it('ends at references that double', () => {
  const twice = (to: number) => ({
    properties: { a: { $ref: `#/$defs/${to}` }, b: { $ref: `#/$defs/${to}` } },
  });
  const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [index, twice(index + 1)]));
  const text = schemaToType('Data', { $defs: { ...$defs, 40: { type: 'string' } }, $ref: '#/$defs/0' });
  expect(text).toContain('a?: string;');
  expect(text).toContain('unknown /* #/$defs/');
});
