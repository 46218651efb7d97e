// What a JSON Schema is, for those who read one here.
import { stepsOf } from '#format/json.ts';

export type Schema = boolean | { readonly [keyword: string]: unknown };

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What `#/$defs/address` refers to. Undefined: it leads out of the schema, or nowhere. */
export const follow = (root: Schema, reference: string): unknown =>
  /^#(?:\/|$)/.test(reference)
    ? stepsOf(reference).reduce<unknown>(
        (from, step) =>
          typeof from === 'object' && from !== null && Object.hasOwn(from, step)
            ? (from as Readonly<Record<string, unknown>>)[step]
            : undefined,
        root,
      )
    : undefined;
