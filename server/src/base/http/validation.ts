// Validation of requests: nothing is coerced or dropped. In a query, integers and booleans are read from
// text.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { ServiceError } from '../errors.ts';
import { escapePointer, toFaults } from './faults.ts';
import { textOf } from './json-body.ts';
import { isForm, isReadByHandler } from './raw-body.ts';
import { isObject } from './schemas.ts';

type Schema = { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> };

/** A larger body can have tens of thousands of faults. */
const maxTextForAllFaults = 16 * 1024;

const compileToFirst = compileOnce({ allErrors: false });
const compileToAll = compileOnce({ allErrors: true });

export const compileValidator: FastifySchemaCompiler<Schema> = ({ schema, httpPart }) => {
  // Declared for the description only (request-headers.ts, raw-body.ts).
  if (httpPart === 'headers' || isReadByHandler(schema)) return () => true;
  // Compiled at their first use, to save time at start and memory.
  let findFirst: ValidateFunction | undefined;
  let findAll: ValidateFunction | undefined;
  const validate = (value: unknown): ValidationResult => {
    // Checks lengths and names before what is in them.
    findFirst ??= compileToFirst(schema);
    if (findFirst(value)) return { value };
    if (typeof value === 'object' && value !== null && textOf(value).length > maxTextForAllFaults)
      return { error: findFirst.errors ?? [] };
    findAll ??= compileToAll(schema);
    findAll(value);
    return { error: findAll.errors ?? [] };
  };
  if (isForm(schema)) return refuseRepeated(validate, schema);
  return httpPart === 'querystring' ? validateQuery(refuseRepeated(validate, schema), schema) : validate;
};

/** Checks a body that its handler reads. @throws ServiceError invalid_request */
export function createCheck<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  let validate: ((value: unknown) => unknown) | undefined;
  return (body) => {
    validate ??= compileValidator({ schema, httpPart: 'body', method: '', url: '' });
    const { error } = validate(body) as { error?: ErrorObject[] };
    if (error) throw new ServiceError('invalid_request', { faults: toFaults(error) });
    return body as Static<S>;
  };
}

type ValidationResult = { value: unknown } | { error: ErrorObject[] };

/** Compiles a schema once. Schemas of the same text, such as those of ids in paths, share it. */
function compileOnce(options: { allErrors: boolean }) {
  let ajv: Ajv | undefined;
  const compiled = new Map<string, ValidateFunction>();
  return (schema: Schema): ValidateFunction => {
    const text = JSON.stringify(schema);
    ajv ??= createAjv(options);
    const validate = compiled.get(text) ?? ajv.compile(schema);
    compiled.set(text, validate);
    return validate;
  };
}

function createAjv(options: { allErrors: boolean }): Ajv {
  const ajv = new Ajv({ ...options, allowUnionTypes: true, verbose: true, addUsedSchema: false });
  formats.default(ajv);
  ajv.addFormat('date-time', isDateTime);
  // Our own annotations; see faults.ts and openapi-schemas.ts.
  ajv.addVocabulary(['x-form', 'x-published']);
  return ajv;
}

const { validate: isLooseDateTime } = formats.default.get('date-time') as { validate(text: string): boolean };
/** RFC 3339, section 5.6. The library also takes the offsets `+02` and `+0200`. */
const isDateTime = (text: string) => /(?:z|:\d\d)$/i.test(text) && isLooseDateTime(text);

type Validate = (value: unknown) => ValidationResult;

/** No parameter of a query or a form is a list, so an array is one that came several times. */
const refuseRepeated =
  (validate: Validate, { properties = {} }: Schema): Validate =>
  (value) => {
    if (!isObject(value)) return validate(value);
    const error = Object.keys(properties)
      .filter((name) => Array.isArray(value[name]))
      .map((name) => ({
        keyword: 'repeated',
        instancePath: `/${escapePointer(name)}`,
        schemaPath: '',
        params: {},
        message: 'must be sent once',
      }));
    return error.length > 0 ? { error } : validate(value);
  };

function validateQuery(validate: Validate, { properties = {} }: Schema) {
  const readers = Object.entries(properties).flatMap(([name, { type }]) => {
    const read = readerOf[String(type)];
    return read ? [{ name, read }] : [];
  });
  return (query: Record<string, unknown>) => {
    const value = { ...query };
    for (const { name, read } of readers)
      if (typeof value[name] === 'string') value[name] = read(value[name]);
    return validate(value);
  };
}

/** Only the canonical form. Other text is refused for its type. */
const readerOf: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};
