// Serialises a response once, by its closed schema. The text is the body, the source of the ETag, and the
// answer that is kept.
import build from 'fast-json-stringify';
import type { Static, TSchema } from 'typebox';

const writers = new WeakMap<object, (value: unknown) => string>();

/**
 * Writes values of the schema as JSON. Members that the schema lacks are left out. A schema is compiled once,
 * at its first use.
 * `const toJson = serializer(Partner); toJson(partner)`
 */
export function serializer<S extends TSchema>(schema: S): (value: Static<S>) => string {
  return (value) => {
    const write = writers.get(schema) ?? build(schema);
    writers.set(schema, write);
    return write(value);
  };
}
