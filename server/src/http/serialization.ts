// Serialises a response once, by its closed schema. The text is the body, the source of the ETag, and the answer that is kept.
import build from 'fast-json-stringify';
import type { Static, TSchema } from 'typebox';

/**
 * Writes values of the schema as JSON. Members that the schema lacks are left out. Compiled at the first use.
 * `const toJson = serializer(Partner); toJson(partner)`
 */
export function serializer<S extends TSchema>(schema: S): (value: Static<S>) => string {
  let write: ((value: unknown) => string) | undefined;
  return (value) => {
    write ??= build(schema);
    return write(value);
  };
}
