// Cursors of lists: the sort value and id of the last item, as text that clients pass back unread.
import { invalidRequest } from '../errors.ts';
import { type IdKind, parseId } from '../ids.ts';
import type { Order, Position } from '../postgres/sql/keyset.ts';

export function writeCursor({ value, id }: Position, { by, direction }: Order<string>): string {
  return Buffer.from(JSON.stringify([by, direction, value, id])).toString('base64url');
}

type Sortable = Readonly<Record<string, 'text' | 'timestamp'>>;

/**
 * Also takes a plain id, in a list that is sorted by id.
 * @throws ServiceError invalid_request: not a cursor of this list, or of the list in another order
 */
export function readCursor(
  text: string,
  order: Order<string>,
  { kind, sortable }: { kind: IdKind; sortable: Sortable },
): Position {
  const refuse = (problem: string) => invalidRequest('/page_from', problem);
  if (order.by === 'id' && parseId(kind, text) !== null) return { value: text, id: text };
  const [by, direction, value, id] = readParts(text) ?? [];
  const isCursor = value !== undefined && id !== undefined && parseId(kind, id) !== null;
  if (!isCursor) throw refuse('must be a cursor from the Link header of this list');
  if (by !== order.by || direction !== order.direction) throw refuse('must come from a list with the same sort_by and sort_dir');
  // Anything else would fail in the database.
  if (sortable[by] === 'timestamp' && !isMoment(value)) throw refuse('must be a cursor from the Link header of this list');
  return { value, id };
}

/** A moment that PostgreSQL takes: in our form, and not in year 0. */
const isMoment = (text: string) =>
  /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

function readParts(text: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const valid =
      Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string' && !part.includes('\0'));
    return valid ? parts : null;
  } catch {
    return null;
  }
}
