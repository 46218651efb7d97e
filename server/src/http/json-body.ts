// Reads a JSON body strictly: what two parsers could understand differently is refused, not guessed.
import { isUtf8 } from 'node:buffer';
import { visit } from 'jsonc-parser';
import { ServiceError } from '../errors.ts';

const maxDepth = 32;

/**
 * The value of a JSON text (RFC 8259) in UTF-8 without a byte order mark.
 * @throws ServiceError invalid_json: empty, not UTF-8, not JSON, deeper than 32 levels, or a member twice in one object.
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
  return value;
}

/** JSON.parse keeps the last of two members of one name, and says nothing. */
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
      if (names?.has(name)) throw invalid('An object in the request body has a member twice.');
      names?.add(name);
    },
  });
}

function invalid(detail?: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid_json', { ...(detail === undefined ? {} : { detail }), cause });
}
