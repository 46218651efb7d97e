// Reads JSON strictly: text that two parsers could read differently is refused.
import { isUtf8 } from 'node:buffer';
import { invalidRequest, ServiceError } from '../errors.ts';
import { escapePointer } from './faults.ts';
import { findRepeatedMember, measure, valuesOfMember } from './json-text.ts';

const maxDepth = 32;
/** The text of each parsed body. Events keep their data as it was written. */
const texts = new WeakMap<object, string>();

/**
 * `maxValues` are counted before parsing: many small values take far longer than a large one. @throws
 * ServiceError invalid_json, body_too_large
 */
export function parseJson(bytes: Uint8Array, maxValues = Infinity): unknown {
  if (bytes.length === 0) throw invalid('The request body is empty.');
  if (!isUtf8(bytes)) throw invalid('The request body is not UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const { depth, values, members, escapedName } = measure(text);
  if (values > maxValues)
    throw new ServiceError('body_too_large', {
      detail: `The request body has more than ${maxValues} values.`,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(undefined, cause);
  }
  if (depth > maxDepth) throw invalid(`The request body is nested deeper than ${maxDepth} levels.`);
  // JSON.parse keeps the last of two members with one name. V8 14 can misread names with escapes, so those
  // are looked at too.
  if (escapedName || members > countMembers(value)) {
    const name = findRepeatedMember(text);
    if (name !== undefined)
      throw invalid(
        `An object in the request body has the member ${JSON.stringify(name.slice(0, 100))} twice.`,
      );
  }
  if (typeof value === 'object' && value !== null) texts.set(value, text);
  return value;
}

export const textOf = (body: object): string => texts.get(body) ?? '';

/** The text of a member, or of that in each object of an array, without insignificant whitespace. */
export const textsOfMember = (body: object, member: string): string[] =>
  valuesOfMember(textOf(body), member, Array.isArray(body) ? 2 : 1);

/** JSON.parse reads `1e400` as Infinity. `pointer`: of the value. @throws ServiceError invalid_request */
export function requireBinary64(value: unknown, pointer: string): void {
  const inside = findInfinite(value);
  if (inside !== null)
    throw invalidRequest(
      pointer + inside,
      `must be between ${-Number.MAX_VALUE} and ${Number.MAX_VALUE} (binary64)`,
    );
}

/** The recursion is bounded by `maxDepth`. */
function findInfinite(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    // Not `for in`, which makes a text of each index.
    for (const [index, each] of value.entries()) {
      const inside = findInfinite(each);
      if (inside !== null) return `/${index}${inside}`;
    }
    return null;
  }
  for (const name in value) {
    const inside = findInfinite((value as Record<string, unknown>)[name]);
    if (inside !== null) return `/${escapePointer(name)}${inside}`;
  }
  return null;
}

/** The recursion is bounded by `maxDepth`. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = inside === value ? 0 : inside.length;
  for (const each of inside) count += countMembers(each);
  return count;
}

function invalid(detail?: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid_json', { ...(detail === undefined ? {} : { detail }), cause });
}
