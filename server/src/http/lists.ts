// Lists: bare arrays, keyset pages with Link and Total-Count, and without paging parameters the whole list as a stream.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../errors.ts';
import { type IdKind, parseId } from '../ids.ts';
import { Text } from './schemas.ts';

const defaultPageSize = 100;
const maxPageSize = 1_000;
const streamBatch = 500;

/** Where a page starts: after the item with this sort value and this id. */
export type Position = { readonly value: string; readonly id: string };
export type Order<S extends string> = { readonly by: S; readonly direction: 'asc' | 'desc' };

export type ListSource<S extends string, Item> = {
  /** At most `limit` items in `order`, those after `after`. */
  page(order: Order<S>, after: Position | null, limit: number): Promise<Item[]>;
  /** A page may have fewer items than asked for though more follow: only an empty one is the end. */
  readonly mayBeShort?: boolean;
  /** How many there are in all; lists that grow without an end do not say. */
  count?(): Promise<number>;
};

type ListDefinition<S extends string, F extends string> = {
  /** Whose ids the items have. */
  kind: IdKind;
  /** What each sort value is; `id` is always there and the default. */
  sortable: Readonly<Record<S, 'text' | 'timestamp'>>;
  /** The filters, each with its description, and with the values it takes when they are not any text. */
  filters: Readonly<Record<F, string | { readonly description: string; readonly values: readonly string[] }>>;
};

/** The query schema of a list. Unknown parameters are ignored, so no additionalProperties here. */
export function listQuery<S extends string, F extends string>({ sortable, filters }: Omit<ListDefinition<S, F>, 'kind'>) {
  return Type.Object({
    page_size: Type.Optional(
      Type.String({
        pattern: '^(?:[1-9]\\d{0,2}|1000)$',
        description: `1 to ${maxPageSize}; ${defaultPageSize} when only page_from is given`,
      }),
    ),
    page_from: Type.Optional(
      Type.String({
        maxLength: 4_096,
        description: 'The cursor from the Link header of the page before, or, in the order of id, the id of the item before',
      }),
    ),
    sort_by: Type.Optional(Type.Enum(['id', ...(Object.keys(sortable) as S[])], { description: 'Default: id, the newest last' })),
    sort_dir: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: asc' })),
    ...(Object.fromEntries(
      Object.entries<ListDefinition<S, F>['filters'][F]>(filters).map(([name, filter]) => [
        `filter[${name}]`,
        Type.Optional(
          typeof filter === 'string' ? Text(255, filter) : Type.Enum([...filter.values], { description: filter.description }),
        ),
      ]),
    ) as Record<`filter[${F}]`, ReturnType<typeof optionalText>>),
  });
}
const optionalText = () => Type.Optional(Text(255));

type ListQuery = { page_size?: string; page_from?: string; sort_by?: string; sort_dir?: 'asc' | 'desc' };

type SendOptions<S extends string, Item extends { id: string }> = {
  definition: Omit<ListDefinition<S, string>, 'filters'>;
  source: ListSource<NoInfer<S> | 'id', Item>;
  /** What an item is. */
  item: TSchema;
  /** How it is written, when not by its schema. */
  write?: (item: Item) => string;
};

export async function sendList<S extends string, Item extends { id: string } & Record<S, unknown>>(
  request: FastifyRequest,
  reply: FastifyReply,
  { definition, source, item, write }: SendOptions<S, Item>,
): Promise<FastifyReply> {
  const query = request.query as ListQuery;
  const order: Order<S | 'id'> = {
    by: (query.sort_by ?? 'id') as S | 'id',
    direction: query.sort_dir ?? 'asc',
  };
  const positionOf = (last: Item): Position => ({ value: String(last[order.by as keyof Item]), id: last.id });
  const after = query.page_from === undefined ? null : readCursor(query.page_from, order, definition);
  const serialize = write ?? reply.compileSerializationSchema(item as Record<string, unknown>);

  if (source.count) void reply.header('total-count', String(await source.count()));
  void reply.type('application/json');
  if (query.page_size === undefined && query.page_from === undefined) {
    const first = await source.page(order, null, streamBatch);
    const next = (last: Item) => source.page(order, positionOf(last), streamBatch);
    const isLast = ({ length }: Item[]) => length === 0 || (length < streamBatch && !source.mayBeShort);
    return reply.send(Readable.from(wholeList(first, { next, isLast }, serialize)));
  }

  const size = query.page_size === undefined ? defaultPageSize : Number(query.page_size);
  // One more than asked for tells whether there is a next page.
  const found = await source.page(order, after, size + 1);
  const items = found.slice(0, size);
  const last = items.at(-1);
  const follows = async (item: Item) =>
    found.length > size || (source.mayBeShort === true && (await source.page(order, positionOf(item), 1)).length > 0);
  if (last !== undefined && (await follows(last))) {
    // A relative reference (RFC 8288, section 3.1): right behind any proxy.
    const next = new URL(request.url, 'http://localhost');
    next.searchParams.set('page_from', writeCursor(positionOf(last), order));
    void reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
  }
  return sendJson(reply, `[${items.map((each) => serialize(each)).join(',')}]`);
}

/** Sends a JSON text as it is. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply
    .type('application/json')
    .serializer((text) => text as string)
    .send(json);

async function* wholeList<Item>(
  first: Item[],
  { next, isLast }: { next: (last: Item) => Promise<Item[]>; isLast: (batch: Item[]) => boolean },
  serialize: (item: Item) => string,
): AsyncGenerator<string> {
  let separator = '[';
  for (let batch = first; ; ) {
    for (const item of batch) {
      yield separator + serialize(item);
      separator = ',';
    }
    const last = batch.at(-1);
    if (isLast(batch) || last === undefined) break;
    batch = await next(last);
  }
  yield separator === '[' ? '[]' : ']';
}

function writeCursor({ value, id }: Position, { by, direction }: Order<string>): string {
  return Buffer.from(JSON.stringify([by, direction, value, id])).toString('base64url');
}

function readCursor(
  text: string,
  order: Order<string>,
  { kind, sortable }: { kind: IdKind; sortable: Readonly<Record<string, 'text' | 'timestamp'>> },
): Position {
  const refuse = (message: string) =>
    new ServiceError('invalid_request', {
      faults: [{ pointer: '/page_from', code: 'invalid_value', message }],
    });
  if (order.by === 'id' && parseId(kind, text) !== null) return { value: text, id: text };
  const [by, direction, value, id] = cursorParts(text) ?? [];
  if (value === undefined || id === undefined || parseId(kind, id) === null) throw refuse('is not a cursor of this list');
  if (by !== order.by || direction !== order.direction) throw refuse('belongs to a list in another order');
  // What is no moment at all would fail in the database.
  if (sortable[by] === 'timestamp' && !isMoment(value)) throw refuse('is not a cursor of this list');
  return { value, id };
}

/** A moment that PostgreSQL takes: our form, and no year 0. */
const isMoment = (text: string) =>
  /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

function cursorParts(text: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const valid =
      Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string' && !part.includes('\0'));
    return valid ? parts : null;
  } catch {
    return null;
  }
}
