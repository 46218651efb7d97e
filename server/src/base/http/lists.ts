// Lists: JSON arrays in keyset pages, or streamed as a whole.
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { invalidRequest } from '../errors.ts';
import { type IdKind, parseId } from '../ids.ts';
import type { Order, Position } from '../postgres/sql/keyset.ts';
import type { Total } from '../postgres/sql/rows.ts';
import { sendJson } from './entity-tag.ts';
import { escapePointer } from './faults.ts';
import { accepts } from './request-headers.ts';
import { Text } from './schemas.ts';
import { requireStillAllowed } from './still-allowed.ts';
import { streamOf } from './text-stream.ts';

const defaultPageSize = 100;
const maxPageSize = 1_000;
const streamBatch = 500;

/** `reached`: the search stopped there. Null: it did not stop early. */
export type Part<Item> = { readonly items: Item[]; readonly reached: string | null };

export type ListSource<S extends string, Item> = {
  /** At most `limit` items after `after`. A list sorted by id can limit the work for one page. */
  page(order: Order<S>, after: Position | null, limit: number): Promise<Item[] | Part<Item>>;
  /** Only an empty page is the end. */
  readonly mayBeShort?: boolean;
  count?(): Promise<Total>;
};

type Filter =
  | string
  | { readonly description: string; readonly values: readonly string[] }
  /** `form` says what the pattern takes. */
  | { readonly description: string; readonly pattern: string; readonly form: string };
export type ListDefinition<S extends string, F extends string> = {
  kind: IdKind;
  /** In addition to `id`. */
  sortable: Readonly<Record<S, 'text' | 'timestamp'>>;
  /** Without values or a form, a filter takes any text. */
  filters: Readonly<Record<F, Filter>>;
  /** It grows without end, so its source has no count. */
  endless?: true;
};
export type FilterNames<D extends ListDefinition<string, string>> = keyof D['filters'] & string;

/** Open: unknown parameters are ignored. Routes refuse unknown filters. */
export function listQuery<S extends string, F extends string>({
  sortable,
  filters,
}: Omit<ListDefinition<S, F>, 'kind'>) {
  return Type.Object({
    page_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxPageSize,
        description: `The number of items in a page. Default: ${defaultPageSize} with page_from. Without page_size and page_from the answer is the whole list.`,
      }),
    ),
    page_from: Type.Optional(
      Type.String({
        maxLength: 4_096,
        description:
          'The cursor from the Link header of the previous page. In a list sorted by id, also the id of the last item that you have.',
      }),
    ),
    sort_by: Type.Optional(
      Type.Enum(['id', ...(Object.keys(sortable) as S[])], {
        description: 'The member to sort by. Default: id, oldest first.',
      }),
    ),
    sort_dir: Type.Optional(
      Type.Enum(['asc', 'desc'], { description: 'The direction of the order. Default: asc.' }),
    ),
    ...filterParameters(filters),
  });
}

const filterParameters = <F extends string>(filters: Readonly<Record<F, Filter>>) =>
  Object.fromEntries(
    Object.entries(filterMembers(filters)).map(([name, schema]) => [`filter[${name}]`, schema]),
  ) as Record<`filter[${F}]`, OptionalText>;

/** For operations that take only filters. */
export const filterQuery = <F extends string>(filters: Readonly<Record<F, Filter>>) =>
  Type.Object(filterParameters(filters));

export const filtersIn = <D extends ListDefinition<string, string>>({ filters }: D, query: object) =>
  Object.fromEntries(
    Object.keys(filters).map((name) => [name, (query as Record<string, unknown>)[`filter[${name}]`]]),
  ) as Readonly<Partial<Record<FilterNames<D>, string>>>;

/** An action on all that match takes them as members of its body. */
export const filterMembers = <F extends string>(filters: Readonly<Record<F, Filter>>) =>
  Object.fromEntries(
    Object.entries<Filter>(filters).map(([name, filter]) => [name, Type.Optional(filterSchema(filter))]),
  ) as Record<F, OptionalText>;

type OptionalText = Type.TOptional<Type.TString>;

function filterSchema(filter: Filter) {
  if (typeof filter === 'string') return Text(255, filter);
  const { description } = filter;
  if ('values' in filter) return Type.Enum([...filter.values], { description });
  return Type.String({ description, pattern: filter.pattern, 'x-form': filter.form });
}

type ListQuery = { page_size?: number; page_from?: string; sort_by?: string; sort_dir?: 'asc' | 'desc' };

type SendOptions<S extends string, Item extends { id: string }> = {
  definition: ListDefinition<S, string>;
  source: ListSource<NoInfer<S> | 'id', Item>;
  toJson: (item: Item) => string;
  /** The order without `sort_dir`. */
  newestFirst?: boolean;
  /** `Accept: application/x-ndjson` gets one item in each line. */
  ndjson?: boolean;
};

export async function sendList<S extends string, Item extends { id: string } & Record<S, unknown>>(
  request: FastifyRequest,
  reply: FastifyReply,
  { definition, source, toJson, newestFirst = false, ndjson = false }: SendOptions<S, Item>,
): Promise<FastifyReply> {
  // openapi.json describes the totals by the definition.
  if ((source.count === undefined) !== (definition.endless === true))
    throw new Error(`A list of ${definition.kind} is endless, or it has a count`);
  const query = request.query as ListQuery;
  const order: Order<S | 'id'> = {
    by: (query.sort_by ?? 'id') as S | 'id',
    direction: query.sort_dir ?? (newestFirst ? 'desc' : 'asc'),
  };
  // A time that is null stands after all others.
  const positionOf = (last: Item): Position => ({
    value: String(last[order.by as keyof Item] ?? 'infinity'),
    id: last.id,
  });
  // A wildcard means JSON.
  const asLines = ndjson && accepts(request.headers.accept, ndjsonType);
  const list = { source, order, positionOf, toJson, asLines };
  if (query.page_size === undefined && query.page_from === undefined) return sendWhole(request, reply, list);
  const after = query.page_from === undefined ? null : readCursor(query.page_from, order, definition);
  return sendPage(request, reply, { ...list, after, size: query.page_size ?? defaultPageSize });
}

type SortedList<S extends string, Item> = {
  source: ListSource<S, Item>;
  order: Order<S>;
  positionOf: (item: Item) => Position;
  toJson: (item: Item) => string;
  asLines: boolean;
};

async function sendWhole<S extends string, Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  { source, order, positionOf, toJson, asLines }: SortedList<S, Item>,
): Promise<FastifyReply> {
  if (source.count) showTotal(reply, await source.count());
  const read = batchReader(source, order, positionOf);
  const batches = inBatches(await read(null), async (after) => {
    await requireStillAllowed(request);
    return read(after);
  });
  if (asLines) return reply.type(ndjsonType).send(streamOf(toLines(batches, toJson)));
  return reply.type('application/json').send(streamOf(toArray(batches, toJson)));
}

async function sendPage<S extends string, Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    source,
    order,
    positionOf,
    toJson,
    asLines,
    after,
    size,
  }: SortedList<S, Item> & { after: Position | null; size: number },
): Promise<FastifyReply> {
  // One item more tells whether there is a next page.
  const { items: found, reached } = toPart(await source.page(order, after, size + 1));
  const items = found.slice(0, size);
  const mayBeShort = source.mayBeShort === true;
  const isWholeList = after === null && reached === null && found.length <= size && !mayBeShort;
  // Filters that match few items can be as expensive to count as to list.
  if (source.count)
    showTotal(reply, isWholeList ? { count: found.length, estimated: false } : await source.count());
  const endOfPage = async (): Promise<Position | null> => {
    if (reached !== null) return idPosition(reached);
    const last = items.at(-1);
    if (last === undefined) return null;
    const end = positionOf(last);
    if (found.length > size) return end;
    return mayBeShort && toPart(await source.page(order, end, 1)).items.length > 0 ? end : null;
  };
  const end = await endOfPage();
  if (end !== null) {
    // A relative reference (RFC 8288, section 3.1) works behind any proxy.
    const next = new URL(request.url, 'http://localhost');
    next.searchParams.set('page_from', writeCursor(end, order));
    void reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  // Fastify gives the type of text a charset (F7).
  if (asLines)
    return reply.type(ndjsonType).send(Buffer.from(items.map((item) => `${toJson(item)}\n`).join('')));
  const json = joinUp(items, toJson);
  if (json !== null) return sendJson(reply, json);
  return reply.type('application/json').send(streamOf(toArray([items], toJson)));
}

/**
 * A larger page is written as its client reads it: a thousand agreements can have 50 MB, and share their groups. Items
 * that hold their own text, such as events, have 8 MiB: such a page is joined, so that what is not taken counts (L5).
 */
const maxJoinedLength = 10 * 1024 * 1024;

/** Null: the JSON is longer. */
function joinUp<Item>(items: readonly Item[], toJson: (item: Item) => string): string | null {
  let json = '[';
  for (const [index, item] of items.entries()) {
    json += index === 0 ? toJson(item) : `,${toJson(item)}`;
    if (json.length > maxJoinedLength) return null;
  }
  return `${json}]`;
}

const showTotal = (reply: FastifyReply, { count, estimated }: Total) =>
  void reply.headers({ 'total-count': String(count), ...(estimated && { 'total-count-estimated': 'true' }) });

/** In the order of ids. */
export async function* readInBatches<Item extends { id: string }>(
  source: ListSource<'id', Item>,
): AsyncGenerator<Item[]> {
  const read = batchReader(source, { by: 'id', direction: 'asc' }, ({ id }) => idPosition(id));
  yield* inBatches(await read(null), read);
}

const idPosition = (id: string): Position => ({ value: id, id });
const toPart = <Item>(page: Item[] | Part<Item>): Part<Item> =>
  Array.isArray(page) ? { items: page, reached: null } : page;

/** `next` null: this batch is the last. */
type Batch<Item> = { items: Item[]; next: Position | null };

const batchReader =
  <S extends string, Item>(
    source: ListSource<S, Item>,
    order: Order<S>,
    positionOf: (last: Item) => Position,
  ) =>
  async (after: Position | null): Promise<Batch<Item>> => {
    const { items, reached } = toPart(await source.page(order, after, streamBatch));
    if (reached !== null) return { items, next: idPosition(reached) };
    const last = items.at(-1);
    const isLast = last === undefined || (items.length < streamBatch && source.mayBeShort !== true);
    return { items, next: isLast ? null : positionOf(last) };
  };

export const isFilter = (name: string): boolean => name.startsWith('filter[');

/**
 * Without the filter, the answer would be the whole list. `known` are parameters such as `filter[name]`.
 * @throws ServiceError invalid_request
 */
export function requireKnownFilters(query: object, known: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => isFilter(name) && !known.includes(name));
  if (unknown === undefined) return;
  const allowed = known.length === 0 ? 'this list has no filters' : `its filters are ${known.join(', ')}`;
  throw invalidRequest(
    `/${escapePointer(unknown)}`,
    `is not a filter of this list; ${allowed}`,
    'unknown_member',
  );
}

/** The next batch is read when the client has taken this one. */
async function* inBatches<Item>(
  first: Batch<Item>,
  read: (after: Position) => Promise<Batch<Item>>,
): AsyncGenerator<Item[]> {
  for (let batch = first; ; ) {
    if (batch.items.length > 0 || batch.next !== null) yield batch.items;
    if (batch.next === null) return;
    batch = await read(batch.next);
  }
}

/** Characters that are written between two turns of the event loop: some milliseconds. */
const lengthAtOnce = 256 * 1024;

/** A JSON array, in turns with other work. */
export async function* toArray<Item>(
  batches: AsyncIterable<Item[]> | Iterable<Item[]>,
  toJson: (item: Item) => string,
): AsyncGenerator<string> {
  let separator = '[';
  let length = 0;
  for await (const batch of batches) {
    // So that a stream without items ends when its client has gone.
    if (batch.length === 0) yield ' ';
    for (const item of batch) {
      const json = toJson(item);
      yield separator + json;
      separator = ',';
      length += json.length;
      if (length < lengthAtOnce) continue;
      length = 0;
      await setImmediate();
    }
  }
  yield separator === '[' ? '[]' : ']';
}

const ndjsonType = 'application/x-ndjson';

async function* toLines<Item>(
  batches: AsyncIterable<Item[]>,
  toJson: (item: Item) => string,
): AsyncGenerator<string> {
  for await (const batch of batches)
    if (batch.length > 0) yield batch.map((item) => `${toJson(item)}\n`).join('');
}

function writeCursor({ value, id }: Position, { by, direction }: Order<string>): string {
  return Buffer.from(JSON.stringify([by, direction, value, id])).toString('base64url');
}

type Sortable = Readonly<Record<string, 'text' | 'timestamp'>>;

/** A list sorted by id also takes a plain id. @throws ServiceError invalid_request */
function readCursor(
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
