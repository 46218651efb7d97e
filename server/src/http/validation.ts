// Validation of requests: nothing is coerced or dropped. A query has only text, so integers and booleans are read there.
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';

type Schema = { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> };

export function createValidatorCompiler(): FastifySchemaCompiler<Schema> {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true, addUsedSchema: false });
  formats.default(ajv);
  // Our own annotation; see faults.ts.
  ajv.addVocabulary(['x-form']);
  return ({ schema, httpPart }) => {
    // Declared for the description only (request-headers.ts).
    if (httpPart === 'headers') return () => true;
    const validate = ajv.compile(schema);
    return httpPart === 'querystring' ? validateQuery(validate, schema) : validate;
  };
}

function validateQuery(validate: ValidateFunction, { properties = {} }: Schema) {
  const readers = Object.entries(properties).flatMap(([name, { type }]) => {
    const read = readerOf[String(type)];
    return read ? [{ name, read }] : [];
  });
  return (query: Record<string, unknown>) => {
    const value = { ...query };
    for (const { name, read } of readers) if (typeof value[name] === 'string') value[name] = read(value[name]);
    return validate(value) ? { value } : { error: validate.errors ?? [] };
  };
}

/** Only the canonical form is read; any other text keeps its type, and is refused for it. */
const readerOf: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};
