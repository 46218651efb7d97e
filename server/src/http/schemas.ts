// The pieces that wire schemas are made of. Bounds count code points (behaviour F5).
import { Type } from 'typebox';
import { invalidRequest } from '../errors.ts';

/** No NUL, which PostgreSQL cannot store, and no lone surrogate, which UTF-8 cannot carry. */
const storable = '^[^\\u0000\\ud800-\\udfff]*$';

export const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: storable, ...(description && { description }) });

// One `type` array instead of a union: one fault is then reported as one fault.
export const NullableText = (maxLength: number, description?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength,
    pattern: storable,
    ...(description && { description }),
  });

/** Response text: stored values need no second check. */
export const NullableString = () => Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    description: description ?? 'RFC 3339, UTC, milliseconds',
    examples: ['2026-01-31T08:00:00.000Z'],
  });

/** A path parameter. Any text is taken: what is not an id of ours is unknown, which is 404. */
export const PathId = (description: string) => Type.String({ description });

export const NullableMoment = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

/**
 * A moment of a body in the form that the database takes and the wire shows: UTC, milliseconds, a year of four digits.
 * @throws ServiceError invalid_request
 */
export function readMoment(text: string, pointer: string): Date {
  const date = new Date(text);
  const normalised = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (/^(?!0000)\d{4}-/.test(normalised)) return date;
  throw invalidRequest(pointer, 'must be a time between the years 1 and 9999');
}

/** The same of any JSON value, in members and texts. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each));
}
