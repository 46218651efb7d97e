// The schemas of the description, for generators. A published schema may say less than what is checked.
import { isObject } from './schemas.ts';

/** The whole type would be larger than this file. */
export type Json = { [member: string]: unknown };

type ChangeSchema = (schema: Json, name: string) => Json;

export const mapValues = (object: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** Changes each schema of a part of the document. Examples stay. */
export function mapSchemas(value: unknown, change: ChangeSchema, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => mapSchemas(each, change, name));
  if (!isObject(value)) return value;
  const called = typeof value.operationId === 'string' ? toName(value.operationId) : name;
  return mapValues(value, (each, member) => {
    if (member === 'example' || member === 'examples') return each;
    return member === 'schema' && isObject(each) ? change(each, called) : mapSchemas(each, change, called);
  });
}

/** A part is named after the members that lead to it. */
export function mapParts(schema: Json, change: ChangeSchema, name = ''): Json {
  const one = (part: unknown, called: string) => (isObject(part) ? change(part, called) : part);
  return mapValues(schema, (value, keyword) => {
    if (keyword === 'properties' && isObject(value))
      return mapValues(value, (part, member) => one(part, name + toName(member)));
    if (keyword === 'items' || keyword === 'additionalProperties') return one(value, toSingular(name));
    if ((keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') && Array.isArray(value))
      return value.map((part) => one(part, name));
    return value;
  });
}

/**
 * Moves each object to the named schemas, under its title or its place. @throws Error when two schemas have
 * one name
 */
export function publishSchema(original: Json, place: string, named: Record<string, Json>): Json {
  const { title, ...schema } = readable(original);
  const name = typeof title === 'string' ? title : place;
  const published = mapParts(schema, (part, called) => publishSchema(part, called, named), name);
  if (typeof title !== 'string' && !isObject(published.properties)) return published;

  const types = typesOf(published);
  const component = {
    ...published,
    ...(types.length > 1 && { type: single(types.filter((type) => type !== 'null')) }),
  };
  const known = named[name];
  if (known && shapeOf(known) !== shapeOf(component))
    throw new Error(`Two different schemas are named ${name}: give one of them another title`);
  named[name] = { ...component, ...known };
  const reference = { $ref: `#/components/schemas/${name}` };
  return types.includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference;
}

/** `x-published` stands for a schema that generators cannot read. */
function readable({ pattern, 'x-published': instead, ...checked }: Json): Json {
  const schema: Json = isObject(instead) ? { ...instead } : checked;
  if (typeof pattern === 'string' && isReadableEverywhere(pattern)) schema.pattern = pattern;
  schema.type ??= typeOfValues(schema);
  if (schema.type === undefined) delete schema.type;
  // openapi-generator makes an enum of it that Java does not compile.
  if (schema.type === 'boolean') {
    delete schema.enum;
    delete schema.const;
  }
  if (schema.type === 'integer' && !(Math.abs(Number(schema.maximum ?? Infinity)) <= 0x7fffffff))
    schema.format ??= 'int64';
  if (isObject(schema.properties) && Object.keys(schema.properties).length === 0) {
    delete schema.properties;
    schema.additionalProperties ??= true;
  }
  return joinNull(schema);
}

/** RE2 and Python lack parts of ECMAScript's patterns. */
export const isReadableEverywhere = (pattern: string): boolean => !/\\[upP1-9k]|\(\?(?!:)/.test(pattern);

function typeOfValues(schema: Json): unknown {
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
  const types = new Set(
    values.map((value) => (value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value)),
  );
  return types.size === 0 ? undefined : single([...types]);
}

/** `anyOf` a schema with a type and null is the schema with both types. */
function joinNull(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const [option, ...others] = anyOf.filter(({ type }: Json) => type !== 'null') as Json[];
  const joins =
    option?.type !== undefined && option.title === undefined && others.length === 0 && anyOf.length === 2;
  return joins ? { ...rest, ...option, type: [...typesOf(option), 'null'] } : schema;
}

export const typesOf = ({ type }: Json): unknown[] => (type === undefined ? [] : [type].flat());
const single = (types: readonly unknown[]): unknown => (types.length === 1 ? types[0] : types);

/** The swagger plugin moves some of both. */
const shapeOf = ({ examples: _, description: _description, ...shape }: Json) => JSON.stringify(shape);

/** `acl_permission` is `AclPermission`. */
const toName = (member: string): string =>
  member.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const toSingular = (name: string): string =>
  name.replace(/(?:(ss)|ies|s)$/, (end, double) => double ?? (end === 'ies' ? 'y' : ''));
