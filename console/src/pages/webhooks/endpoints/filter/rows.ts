// A filter as rows of a form, and in words.
import type { EventFilter } from '@concord/client';

/** The operators of the form. `is_not` is `equals` inside `not`, and `missing` is `exists: false`. */
export const operators = {
  equals: { label: 'is', value: 'text' },
  is_not: { label: 'is not', value: 'text' },
  one_of: { label: 'is one of', value: 'list' },
  prefix: { label: 'begins with', value: 'text' },
  suffix: { label: 'ends with', value: 'text' },
  lt: { label: 'is less than', value: 'number' },
  lte: { label: 'is at most', value: 'number' },
  gt: { label: 'is more than', value: 'number' },
  gte: { label: 'is at least', value: 'number' },
  exists: { label: 'exists', value: 'none' },
  missing: { label: 'is missing', value: 'none' },
} as const satisfies Record<string, { label: string; value: 'text' | 'number' | 'list' | 'none' }>;
export type Operator = keyof typeof operators;
export const isOperator = (text: string): text is Operator => Object.hasOwn(operators, text);

/** `given`: the condition that it was made from. It counts until the person changes the row. */
export type FilterRow = {
  readonly path: string;
  readonly operator: Operator;
  readonly value: string;
  readonly given?: EventFilter | undefined;
};
/** `given`: the filter, until the person changes anything of it. */
export type Rows = {
  readonly joined: 'all' | 'any';
  readonly rows: readonly FilterRow[];
  readonly given?: EventFilter;
};
export const noRows: Rows = { joined: 'all', rows: [] };

/** Null: the rows of the form cannot say it. */
export function toRows(filter: EventFilter): Rows | null {
  const joined = filter.any ? 'any' : 'all';
  const rows = (filter.all ?? filter.any ?? [filter]).map(toRow);
  return rows.every((row) => row !== null) ? { joined, rows, given: filter } : null;
}

function toRow(given: EventFilter): FilterRow | null {
  const { all: _all, any: _any, not, path, equals, one_of, prefix, suffix, exists, range, ...others } = given;
  // An operator that has no row yet is a type error here.
  others satisfies Record<string, never>;
  const row = (operator: Operator, value = '') => ({ path: path ?? '', operator, value, given });
  if (not?.equals !== undefined)
    return { path: not.path ?? '', operator: 'is_not', value: toText(not.equals), given };
  if (path === undefined) return null;
  if (equals !== undefined) return row('equals', toText(equals));
  // A value with a comma would be read as two, and one with a space at its end without it.
  if (one_of)
    return one_of.some((one) => /^\s|,|\s$/.test(toText(one)))
      ? null
      : row('one_of', one_of.map(toText).join(', '));
  if (prefix !== undefined) return row('prefix', prefix);
  if (suffix !== undefined) return row('suffix', suffix);
  if (exists !== undefined) return row(exists ? 'exists' : 'missing');
  const [bound, ...bounds] = Object.entries(range ?? {});
  if (bound === undefined || bounds.length > 0 || !isOperator(bound[0])) return null;
  return row(bound[0], String(bound[1]));
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Null: there are no rows. `typesAt`: the types that the schemas have for the value at a path. */
export function toFilter(
  { joined, rows, given }: Rows,
  typesAt: (path: string) => readonly string[],
): EventFilter | null {
  if (given) return given;
  const filters = rows.map((row) => row.given ?? fromRow(row, typesAt(row.path)));
  if (filters.length < 2) return filters[0] ?? null;
  return joined === 'all' ? { all: filters } : { any: filters };
}

function fromRow({ path, operator, value }: FilterRow, types: readonly string[]): EventFilter {
  switch (operator) {
    case 'equals':
      return { path, equals: toValue(value, types) };
    case 'is_not':
      return { not: { path, equals: toValue(value, types) } };
    case 'one_of':
      return { path, one_of: value.split(',').map((one) => toValue(one.trim(), types)) };
    case 'prefix':
      return { path, prefix: value };
    case 'suffix':
      return { path, suffix: value };
    case 'exists':
      return { path, exists: true };
    case 'missing':
      return { path, exists: false };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { path, range: { [operator]: Number(value) } };
  }
}

/** `12` is a text where the schema says so, and otherwise a number. */
function toValue(text: string, types: readonly string[]): string | number | boolean | null {
  if (text === 'null' && (types.includes('null') || types.length === 0)) return null;
  if (types.includes('string')) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

/** Undefined: it is not JSON of an object. Null: no filter. */
export function readFilter(text: string): EventFilter | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as EventFilter | null) : undefined;
  } catch {
    return undefined;
  }
}

/** Such as `/quantity is less than 10 and /location is one of Oslo, Bergen`. */
export function inWords(filter: EventFilter, isInside = false): string {
  const { all, any, not } = filter;
  const rows = all || any ? null : toRows(filter);
  const [row] = rows?.rows ?? [];
  if (row)
    return [row.path || 'the data', operators[row.operator].label, row.value].filter(Boolean).join(' ');
  if (not) return `not (${inWords(not)})`;
  const parts = (all ?? any ?? []).map((part) => inWords(part, true));
  const words = all || any ? parts.join(any ? ' or ' : ' and ') : rangeInWords(filter);
  return isInside && parts.length > 1 ? `(${words})` : words;
}

function rangeInWords({ path, range, one_of }: EventFilter): string {
  if (one_of) return `${path} is one of ${one_of.map((one) => JSON.stringify(one)).join(', ')}`;
  const bounds = Object.entries(range ?? {}).map(
    ([bound, value]) => `${isOperator(bound) ? operators[bound].label : bound} ${value}`,
  );
  return `${path} ${bounds.join(' and ')}`;
}
