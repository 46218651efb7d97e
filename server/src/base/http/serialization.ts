// Serialises a response once, by its closed schema: for the body, the ETag and the kept answer.
import build from 'fast-json-stringify';
import type { Static, TSchema } from 'typebox';

const writers = new WeakMap<object, (value: unknown) => string>();

/** Members that the schema lacks are left out. A schema is compiled at its first use. */
export function serializer<S extends TSchema>(schema: S): (value: Static<S>) => string {
  return (value) => {
    const write = writers.get(schema) ?? build(schema);
    writers.set(schema, write);
    return write(value);
  };
}
