// The description as OpenAPI 3.0.3, for generators that do not read 3.1.
import { isDeepStrictEqual } from 'node:util';
import { type Json, mapParts, mapSchemas, mapValues, typesOf } from './openapi-schemas.ts';
import { isObject } from './schemas.ts';

/** 3.0 has no webhooks. The schemas of their bodies stay. */
export function toOpenApi30(document: object): Json {
  const {
    webhooks: _,
    info,
    components,
    ...rest
  } = document as {
    webhooks?: Json;
    info: { license?: Json };
    components: { schemas: Json };
  };
  const { schemas, ...otherComponents } = components;
  const { identifier: _identifier, ...license } = info.license ?? {};
  const changed = mapSchemas({ rest, otherComponents }, toSchema30) as {
    rest: { paths: Json };
    otherComponents: Json;
  };
  return {
    ...changed.rest,
    paths: mapValues(changed.rest.paths, (operations) =>
      mapValues(operations as Json, (each) => nameErrors(each as Json)),
    ),
    openapi: '3.0.3',
    info: { ...info, license },
    components: {
      ...changed.otherComponents,
      schemas: mapValues(schemas, (schema) => toSchema30(schema as Json)),
    },
  };
}

/** Some generators take `default` for a success. Some read one schema for all errors: here the special one. */
function nameErrors({ responses, ...operation }: Json): Json {
  const { default: error, ...others } = responses as Json;
  const hasOthers = Object.entries(others as Record<string, Json>).some(
    ([status, { content }]) =>
      status >= '400' && !isDeepStrictEqual(content, (error as Json | undefined)?.content),
  );
  return {
    ...operation,
    responses: { ...others, ...(error !== undefined && !hasOthers && { '4XX': error, '5XX': error }) },
  };
}

function toSchema30(original: Json): Json {
  const schema = withNullable(mapParts(original, toSchema30));
  // 3.0 has no word for it. A schema without it says less.
  delete schema.propertyNames;
  if ('const' in schema) {
    schema.enum = [schema.const];
    delete schema.const;
  }
  if (Array.isArray(schema.examples)) {
    schema.example = schema.examples[0];
    delete schema.examples;
  }
  if (schema.type === 'array') schema.items ??= {};
  return schema;
}

/** Null is no type in 3.0, and a schema has one type. */
function withNullable(schema: Json): Json {
  const { type: _, anyOf, ...rest } = schema;
  const types = typesOf(schema);
  if (types.includes('null')) return { ...rest, ...typed(types), nullable: true };
  if (!Array.isArray(anyOf)) return schema;
  const options = anyOf.filter((option: unknown) => !isNull(option));
  if (options.length === anyOf.length) return schema;
  const [option, ...others] = options as Json[];
  // Generators read a reference that can be null in this form.
  const nullable: Json =
    option?.$ref === undefined
      ? { ...option, nullable: true }
      : { type: 'object', nullable: true, allOf: [option] };
  return others.length > 0 ? { ...rest, anyOf: [nullable, ...others] } : { ...rest, ...nullable };
}

function typed(types: readonly unknown[]): Json {
  const [type, ...more] = types.filter((each) => each !== 'null');
  return type === undefined || more.length > 0 ? {} : { type };
}

const isNull = (schema: unknown) =>
  isObject(schema) && schema.nullable === true && Object.keys(schema).length === 1;
