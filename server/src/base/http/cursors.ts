// Cursors of lists: the sort value and id of the last item.
import { invalidRequest } from '../errors.ts';
import { type IdKind, parseId } from '../ids.ts';
import type { Order, Position } from '../postgres/sql/keyset.ts';

export function writeCursor({ value, id }: Position, { by, direction }: Order<string>): string {
  return Buffer.from(JSON.stringify([by, direction, value, id])).toString('base64url');
}

type Sortable = Readonly<Record<string, 'text' | 'timestamp'>>;

/** A list sorted by id also takes a plain id. @throws ServiceError invalid_request */
export function readCursor(
  text: string,
  order: Order<string>,
  { kind, sortable }: { kind: IdKind; sortable: Sortable },
): Position {
  if (order.by === 'id' && parseId(kind, text) !== null) return { value: text, id: text };
  const [by, direction, value, id] = readParts(text) ?? [];
  const isCursor = value !== undefined && id !== undefined && parseId(kind, id) !== null;
  if (!isCursor) throw notACursor();
  if (by !== order.by || direction !== order.direction)
    throw invalidRequest('/page_from', 'must come from a list with the same sort_by and sort_dir');
  // The database would refuse any other text.
  if (sortable[by] === 'timestamp' && !isMoment(value)) throw notACursor();
  return { value, id };
}

const notACursor = () => invalidRequest('/page_from', 'must be a cursor from the Link header of this list');

/** What PostgreSQL takes. Infinity is the time of a null. */
const isMoment = (text: string) =>
  text === 'infinity' ||
  (/^(?!0000)\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text);

function readParts(text: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const valid =
      Array.isArray(parts) &&
      parts.length === 4 &&
      parts.every((part) => typeof part === 'string' && !part.includes('\0'));
    return valid ? parts : null;
  } catch {
    return null;
  }
}
