// What a JSON Schema is, for those who read one here.

export type Schema = boolean | { readonly [keyword: string]: unknown };

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
