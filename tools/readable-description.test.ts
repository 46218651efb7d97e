// The check of openapi.json: each thing that generators stumble over is found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publishSchema } from '../server/src/base/http/openapi-schemas.ts';
import { findUnreadable } from './readable-description.ts';

const operation = { operationId: 'get', description: 'Gets it.' };
const describe = (schemas: Record<string, object>, changes: object = {}) =>
  findUnreadable({
    paths: { '/a': { get: { ...operation, ...changes } } },
    components: { schemas: schemas as never },
  });

it('F9: openapi.json has nothing that generators stumble over', () => {
  expect(
    findUnreadable(JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8'))),
  ).toEqual([]);
});

it('F9: a schema, a name or an operation that generators stumble over is found', () => {
  const inA = (part: object) => describe({ A: { type: 'object', properties: { part } } });
  expect(inA({ enum: ['x'] })).toEqual(['APart: an enum or const without a type']);
  expect(inA({ const: 1 })).toEqual(['APart: an enum or const without a type']);
  expect(inA({ type: ['object', 'array'] })).toEqual(['APart: several types: object, array']);
  for (const pattern of ['^[^\\u0000]*$', '\\p{Cc}', '^(?!x)', '(?<=x)y', '(a)\\1'])
    expect(inA({ type: 'string', pattern })).toEqual([`APart: the pattern ${pattern}`]);
  expect(inA({ type: ['string', 'null'], pattern: '^(?:a|b)$' })).toEqual([]);
  expect(inA({ type: 'array', items: { type: 'object', properties: {} } })).toEqual([
    expect.stringContaining('give it a name'),
  ]);
  expect(describe({ Token: {}, NewToken: {} })).toEqual([expect.stringMatching(/^NewToken: .*constructor/)]);
  expect(describe({ A: { properties: { step_at: { type: 'string', enum: ['x'] } } }, AStepAt: {} })).toEqual([
    expect.stringMatching(/^AStepAt: .*member of A/),
  ]);
  expect(describe({}, { description: '' })).toEqual(['GET /a: it has no description']);
  expect(describe({}, { parameters: [{ name: 'code' }, { name: 'state', description: 's' }] })).toEqual([
    'GET /a: its parameter code has no description',
  ]);
  const content = { 'application/json': {}, 'application/merge-patch+json': {} };
  expect(describe({}, { requestBody: { content } })).toEqual([
    expect.stringContaining('several media types'),
  ]);
});

it('F9: a schema is published with types, names and patterns that generators read', () => {
  const named = {};
  const person = {
    type: ['object', 'null'],
    properties: { kind: { enum: ['a', null] }, at: { type: 'string', pattern: '^(?!x)' } },
  };
  const schema = {
    title: 'Note',
    type: 'object',
    properties: { written_by: person, tags: { type: 'array', items: person } },
  };
  expect(publishSchema(schema, '', named)).toEqual({ $ref: '#/components/schemas/Note' });
  const inner = {
    type: 'object',
    properties: { kind: { enum: ['a', null], type: ['string', 'null'] }, at: { type: 'string' } },
  };
  const nullable = (name: string) => ({
    anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }],
  });
  expect(named).toEqual({
    NoteWrittenBy: inner,
    NoteTag: inner,
    Note: {
      type: 'object',
      properties: {
        written_by: nullable('NoteWrittenBy'),
        tags: { type: 'array', items: nullable('NoteTag') },
      },
    },
  });
  expect(() => publishSchema({ title: 'Note', type: 'string' }, '', named)).toThrow(
    'Two different schemas are named Note',
  );
});
