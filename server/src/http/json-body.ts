// Reads a JSON body strictly: text that two parsers could read differently is refused.
import { isUtf8 } from 'node:buffer';
import { visit } from 'jsonc-parser';
import { ServiceError } from '../errors.ts';

const maxDepth = 32;
/** The text of each parsed body. Events keep their data as it was written. */
const texts = new WeakMap<object, string>();

/**
 * The value of a JSON text (RFC 8259) in UTF-8 without a byte order mark.
 * @throws ServiceError invalid_json: empty, not UTF-8, not JSON, deeper than 32 levels, or a member twice in one object
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw invalid('The request body is empty.');
  if (!isUtf8(bytes)) throw invalid('The request body is not UTF-8.');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(undefined, cause);
  }
  inspect(text);
  if (typeof value === 'object' && value !== null) texts.set(value, text);
  return value;
}

export const textOf = (body: object): string => texts.get(body) ?? '';

/**
 * The text of a member in a body that `parseJson` returned, or in each of its objects if the body is an array. Numbers keep
 * their digits and members their order. Insignificant whitespace is removed.
 */
export function textsOfMember(body: object, member: string): string[] {
  const text = textOf(body);
  const level = Array.isArray(body) ? 2 : 1;
  const found: string[] = [];
  let depth = 0;
  /** The offset of the value that is being read; -1 if the value comes next. */
  let start: number | undefined;
  const begin = (offset: number) => {
    if (start === -1) start = offset;
    depth++;
  };
  const end = (offset: number, length: number) => {
    depth--;
    if (depth === level && start !== undefined) keep(start, offset + length);
  };
  const keep = (from: number, to: number) => {
    found.push(withoutWhitespace(text.slice(from, to)));
    start = undefined;
  };
  visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(name) {
      if (depth === level && name === member) start = -1;
    },
    onLiteralValue(_value, offset, length) {
      if (start === -1) keep(offset, offset + length);
    },
  });
  return found;
}

const withoutWhitespace = (json: string) => json.replace(/("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g, '$1');

/** Refuses deep nesting, and members that are there twice: JSON.parse would keep the last one. */
function inspect(text: string): void {
  const open: Set<string>[] = [];
  const enter = () => {
    open.push(new Set());
    if (open.length > maxDepth) throw invalid(`The request body is nested deeper than ${maxDepth} levels.`);
  };
  const leave = () => {
    open.pop();
  };
  visit(text, {
    onObjectBegin: enter,
    onObjectEnd: leave,
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectProperty(name) {
      const names = open.at(-1);
      if (names?.has(name))
        throw invalid(`An object in the request body has the member ${JSON.stringify(name.slice(0, 100))} twice.`);
      names?.add(name);
    },
  });
}

function invalid(detail?: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid_json', { ...(detail === undefined ? {} : { detail }), cause });
}
