// What a list request asks for (RFC 7644, section 3.4.2).
import { ScimError } from '../../../../base/http/scim.ts';
import { type Kind, readPlace } from '../protocol/attributes.ts';
import { readFilter } from '../protocol/filter.ts';
import { maxResults, readWanted } from '../protocol/representation.ts';
import { everything, toCondition, toOrder } from './store.ts';

export type Query = ReturnType<typeof readQuery>;

const defaultCount = 100;
const maxStart = 1_000_000;

/** `given`: of the query, or of the body of a search. */
export function readQuery(kind: Kind, given: Readonly<Record<string, unknown>>) {
  const { filter, sortBy, sortOrder, startIndex, count, attributes, excludedAttributes } = given;
  return {
    condition:
      filter === undefined ? everything : toCondition(kind, readFilter(kind, readText('filter', filter))),
    order: toOrder(
      kind,
      sortBy === undefined ? null : readSort(kind, readText('sortBy', sortBy)),
      typeof sortOrder === 'string' && /^desc/i.test(sortOrder) ? 'desc' : 'asc',
    ),
    wanted: readWanted(kind, attributes, excludedAttributes),
    startIndex: Math.max(1, readNumber('startIndex', startIndex, 1, maxStart)),
    count: Math.max(0, readNumber('count', count, defaultCount, maxResults)),
  };
}

function readText(name: string, value: unknown) {
  if (typeof value === 'string') return value;
  throw new ScimError(400, 'invalidValue', `${name} must be one text.`);
}

function readNumber(name: string, value: unknown, otherwise: number, atMost: number) {
  if (value === undefined) return otherwise;
  const text = typeof value === 'number' ? String(value) : readText(name, value);
  if (!/^-?\d{1,15}$/.test(text)) throw new ScimError(400, 'invalidValue', `${name} must be a whole number.`);
  return Math.min(Number(text), atMost);
}

function readSort(kind: Kind, path: string) {
  const place = readPlace(kind, path);
  if (place === undefined)
    throw new ScimError(400, 'invalidPath', 'sortBy names an attribute that does not exist.');
  return place;
}
