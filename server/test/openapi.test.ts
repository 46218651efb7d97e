// The examples of openapi.json fit the schemas that they illustrate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';

type Schema = { readonly [keyword: string]: unknown };
type Media = { readonly schema?: Schema; readonly example?: unknown; readonly examples?: Record<string, { value: unknown }> };
type Content = { readonly content?: Record<string, Media> };
type Operation = {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { name: string; schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
};
type Example = { readonly place: string; readonly schema: Schema; readonly value: unknown };

const description = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
formats.default(ajv);
ajv.addVocabulary(['x-form', 'components']);
ajv.addSchema({ components: description.components }, 'openapi.json');

/** What is wrong with the example; empty when it fits. */
function findFaults({ place, schema, value }: Example): string[] {
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi.json#/components')) as Schema;
  return ajv.validate(rooted, value) ? [] : [`${place}: ${ajv.errorsText()}`];
}

/** The examples of a schema, and of the schemas inside it. */
function inSchema(place: string, schema: Schema): Example[] {
  const own = ((schema.examples ?? []) as unknown[]).map((value) => ({ place, schema, value }));
  const inside = [
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>),
    ...['items', 'additionalProperties', 'not'].flatMap((keyword) =>
      typeof schema[keyword] === 'object' ? [[keyword, schema[keyword] as Schema] as const] : [],
    ),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
      ((schema[keyword] ?? []) as Schema[]).map((each, index) => [`${keyword}/${index}`, each] as const),
    ),
  ];
  return [...own, ...inside.flatMap(([name, each]) => inSchema(`${place}/${name}`, each))];
}

/** The examples of a body: the generator moves those of its schema beside the schema. */
function ofBody(place: string, { content = {} }: Content): Example[] {
  return Object.values(content).flatMap(({ schema = {}, example, examples = {} }) => [
    ...[example, ...Object.values(examples).map(({ value }) => value)]
      .filter((value) => value !== undefined)
      .map((value) => ({ place, schema, value })),
    ...inSchema(place, schema),
  ]);
}

function ofOperation({ operationId, parameters = [], requestBody = {}, responses }: Operation): Example[] {
  return [
    ...parameters.flatMap(({ name, schema }) => inSchema(`${operationId} parameter ${name}`, schema)),
    ...ofBody(`${operationId} body`, requestBody),
    ...Object.entries(responses).flatMap(([status, response]) => ofBody(`${operationId} ${status}`, response)),
  ];
}

const examples = [
  ...Object.entries(description.components.schemas).flatMap(([name, schema]) => inSchema(name, schema)),
  ...operations.flatMap(ofOperation),
];

it('every example fits its schema', () => {
  expect(examples.length).toBeGreaterThan(100);
  expect(examples.flatMap(findFaults)).toEqual([]);
});

/** Areas whose bodies have examples. */
const areas = [
  'Partners',
  'Agreements',
  'Permission groups',
  'Service accounts',
  'Access tokens',
  'Users',
  'Account',
  'Sign-in',
  'Second factor',
];

it('every body of these areas has an example', () => {
  const isObject = ({ value }: Example) => typeof value === 'object';
  const bodies = operations
    .filter(({ tags = [] }) => tags.some((tag) => areas.includes(tag)))
    .flatMap(({ operationId, requestBody = {}, responses: { default: _error, ...successes } }) => [
      { place: `${operationId} body`, body: requestBody },
      ...Object.entries(successes).map(([status, body]) => ({ place: `${operationId} ${status}`, body })),
    ])
    .filter(({ body }) => Object.values(body.content ?? {}).some(({ schema }) => schema?.type !== 'null'));
  expect(bodies.length).toBeGreaterThan(areas.length);
  expect(bodies.filter(({ place, body }) => !ofBody(place, body).some(isObject)).map(({ place }) => place)).toEqual([]);
});
