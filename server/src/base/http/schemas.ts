// Building blocks of wire schemas. Lengths count code points (behaviour F5).
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { invalidRequest } from '../errors.ts';

/** No NUL, which PostgreSQL cannot store, and no lone surrogate, which UTF-8 cannot carry. */
export const storable = '^[^\\u0000\\ud800-\\udfff]*$';

const about = (description?: string) => (description ? { description } : {});

export const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: storable, ...about(description) });

// A `type` array and not a union, so that one fault is reported once.
export const NullableText = (maxLength: number, description?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength,
    pattern: storable,
    ...about(description),
  });

/** Text of a response. Stored values are not checked again. */
export const NullableString = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...about(description) });

export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    description: description ?? 'RFC 3339, UTC, milliseconds',
    examples: ['2026-01-31T08:00:00.000Z'],
  });

/** In a response. */
export const Id = (prefix: string, description?: string) =>
  Type.String({ pattern: `^${prefix}_`, ...(description && { description }) });
/** In a request. */
export const GivenId = (prefix: string) =>
  Type.String({ pattern: `^${prefix}_`, 'x-form': `an id that begins with ${prefix}_` });
export const exampleId = (prefix: string): string => `${prefix}_01h2xcejqtf2nbrexx3vqjhp41`;

/** Text that is not an id is answered with 404. */
export const PathId = (description: string) => Type.String({ description });

export const NullableMoment = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

/** The year must have four digits in UTC. @throws ServiceError invalid_request */
export function readMoment(text: string, pointer: string): Date {
  const date = new Date(text);
  const normalised = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (/^(?!0000)\d{4}-/.test(normalised)) return date;
  throw invalidRequest(pointer, 'must be a time between the years 1 and 9999, and no leap second');
}

export const closed = { additionalProperties: false };

/** An object without other members, with its name in the description, and examples. */
export const Closed = <Members extends TProperties>(
  title: string,
  members: Members,
  ...examples: unknown[]
) => Type.Object(members, { title, ...closed, ...(examples.length > 0 && { examples }) });

export const HeaderLine = Closed('HeaderLine', { name: Type.String(), value: Type.String() });
export type HeaderLine = Static<typeof HeaderLine>;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Below the space, without white space. JSON writes six characters for each. */
export const controls = /[^\P{Cc}\t\n\r\x7f-\x9f]/gu;

/** PostgreSQL stores no NUL and no half of a character. Other controls would make answers six times as long. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll(controls, '\ufffd');

export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  // A value can have 100,000 parts, so nothing is copied.
  if (Array.isArray(value)) return value.every(isStorable);
  for (const name in value)
    if (!isStorable(name) || !isStorable((value as Record<string, unknown>)[name])) return false;
  return true;
}

export const Count = (description?: string) => Type.Integer({ minimum: 0, ...about(description) });

export const NullableInteger = (description: string, bounds: { minimum?: number; maximum?: number } = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...bounds, description });

export const NullableCount = (description: string) => NullableInteger(description, { minimum: 0 });

/** An array, or null. */
export const NullableArray = <Items extends TSchema>(
  items: Items,
  description: string,
  bounds: { maxItems?: number; uniqueItems?: boolean } = {},
) => Type.Unsafe<Static<Items>[] | null>({ type: ['array', 'null'], ...bounds, items, description });

export const NullableObject = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: ['object', 'null'],
    ...about(description),
  });

/** With invisible characters, or white space at the ends, two names could look the same. */
export const visibleName = {
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!\\s)[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]*(?<!\\s)$',
  'x-form': 'text without control and invisible characters, and without white space at its ends',
} as const;
