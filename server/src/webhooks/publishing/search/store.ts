// The filters of events, and the SQL of searching them. A page examines a limited number of them, and of their bytes.
import sql, { type Sql } from 'sql-template-tag';
import type { Part } from '../../../base/http/lists.ts';
import { readTimeRange, type TimeRange } from '../../../base/http/time-range.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Queryable } from '../../../base/postgres/database.ts';
import { ways } from '../../../base/postgres/sql/keyset.ts';
import { allOf, anyOf, queryValues, requireRow } from '../../../base/postgres/sql/rows.ts';
import { type Environment, environments } from '../../environments.ts';
import { createBudget } from '../../history/deliveries/search/budget.ts';
import { idsBetween, selectOfRareType } from '../../history/deliveries/search/candidates/store.ts';
import { pageBudget } from '../../history/deliveries/search/store.ts';
import type { eventList } from '../schema.ts';
import {
  type EventRow,
  type FeedStep,
  maxPageBytes,
  selectEvents,
  selectPosition,
  startingAfter,
} from '../store.ts';

export type GivenFeedFilter = { readonly [N in keyof (typeof eventList)['filters']]?: string | undefined };

/** The id is that of the wire. */
export type FeedFilter = Omit<GivenFeedFilter, 'environment' | 'created_at'> &
  TimeRange & { readonly environments: readonly Environment[] };

/** @throws ServiceError invalid_request */
export const readFeedFilter = ({ environment, created_at, ...wire }: GivenFeedFilter): FeedFilter => ({
  ...wire,
  ...readTimeRange(created_at, '/filter[created_at]'),
  environments: environments.filter((each) => environment === undefined || each === environment),
});

/** Whether every event of its environments matches. */
export const isWholeFeed = ({ environments: _, ...conditions }: FeedFilter) =>
  Object.values(conditions).every((condition) => condition === undefined);

/** A page that has examined so much ends early. The bytes of texts count, since they are read. */
const maxBytes = 32 * 1024 * 1024;
const bytesAtOnce = 1024 * 1024;
/** A position is drawn up to this time after the clock was read. */
const slack = sql`interval '1 minute'`;

/** What can match: the events with these ids, or all in this range of positions. */
type Candidates = Readonly<{ ids: readonly string[] | null; positions: Sql }>;

export async function searchEvents(
  on: Queryable,
  partnerId: string,
  filter: FeedFilter,
  { reached, after, direction, limit }: FeedStep,
): Promise<Part<EventRow>> {
  const candidates = await findCandidates(on, partnerId, filter);
  const found: string[] = [];
  let position = after && (await selectPosition(on, partnerId, after));
  const budget = createBudget(pageBudget, 2 * limit);
  let last = after;
  let shown = 0;
  let bytesLeft = maxBytes;
  const upTo = async (id: string | null | undefined) => ({
    items: await inOrder(on, found),
    reached: id ? formatId('event', id) : null,
  });
  for (let window = budget.next(); window > 0 && bytesLeft > 0; window = budget.next()) {
    const next = { reached, position, direction, limit: limit - found.length };
    const bounds = { window, bytes: Math.min(bytesAtOnce, bytesLeft) };
    const examined = await examineNext(on, partnerId, filter, candidates, next, bounds);
    for (const { id, bytes } of examined.found) {
      // The first is shown however large it is.
      if (found.length > 0 && shown + bytes > maxPageBytes) return upTo(found.at(-1));
      found.push(id);
      shown += bytes;
    }
    if (examined.isLast || found.length === limit) return upTo(null);
    ({ last, position } = examined);
    budget.spend(examined.count);
    bytesLeft -= filter.text === undefined ? 0 : examined.bytes;
  }
  return upTo(last);
}

async function inOrder(on: Queryable, ids: readonly string[]): Promise<EventRow[]> {
  const rows = new Map((await selectEvents(on, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

async function findCandidates(on: Queryable, partnerId: string, filter: FeedFilter): Promise<Candidates> {
  const ids = await findIds(on, partnerId, filter);
  const { from, to } = filter;
  const positions = allOf(
    sql`true`,
    from !== undefined && sql`position >= ${positionAt(sql`${from}::timestamptz - ${slack}`)}`,
    to !== undefined && sql`position <= ${positionAt(sql`${to}::timestamptz + ${slack}`)}`,
  );
  return { ids, positions: ids === null ? positions : sql`true` };
}

/** Null: no index has few that can match. */
async function findIds(
  on: Queryable,
  partnerId: string,
  { id, producer_id, type, environments, from, to }: FeedFilter,
): Promise<string[] | null> {
  if (id !== undefined) return [parseId('event', id)].filter((each) => each !== null);
  if (producer_id !== undefined)
    return queryValues(
      on,
      sql`
      select event_id from known_producer_id
      where partner_id = ${partnerId} and environment = any(${[...environments]}::text[]) and producer_id = ${producer_id}`,
    );
  return type === undefined ? null : selectOfRareType(on, partnerId, type, { from, to });
}

/** The first position from a time on, whatever its partner. Beyond the last one: there is no event since. */
const positionAt = (time: Sql) =>
  sql`coalesce((select position from event where id >= first_id_of(${time}) order by id limit 1), 9223372036854775807)`;

type Examined = {
  found: { id: string; bytes: number }[];
  /** The last one that was examined, how many they are, and their bytes. */
  last: string | null;
  position: string | null;
  count: number;
  bytes: number;
  isLast: boolean;
};

async function examineNext(
  on: Queryable,
  partnerId: string,
  filter: FeedFilter,
  { ids, positions }: Candidates,
  { reached, position, direction, limit }: Omit<FeedStep, 'after'> & Pick<Examined, 'position'>,
  { window, bytes }: { window: number; bytes: number },
): Promise<Examined> {
  const { way, back, after: comparison } = ways[direction];
  const start = startingAfter(position, direction);
  const columns = sql`id, type, position, octet_length(body)::bigint as bytes`;
  const inRange = sql`partner_id = ${partnerId} and position <= ${reached} ${start} and ${positions}`;
  /** The next ones, in their order. */
  const read = (conditions: Sql, most: number) =>
    ids !== null
      ? sql`select ${columns} from event where id = ${anyOf(ids)} and environment = any(${[...filter.environments]}::text[])
          and ${inRange} ${conditions} order by position ${way} limit ${most}`
      : sql`select next.* from unnest(${[...filter.environments]}::text[]) wanted (environment) cross join lateral (
          select ${columns} from event where environment = wanted.environment and ${inRange} ${conditions} order by position ${way} limit ${most}) next
        order by position ${way} limit ${most}`;
  // Without a text, no body is read. With one, bodies are read a second time in the same order, up to the last that is
  // examined.
  // `is true`: no index of the types, which would read those of all partners.
  const [most, found] =
    filter.text === undefined
      ? [sql``, sql`select * from examined where ${matches(filter)} order by position ${way} limit ${limit}`]
      : [
          sql`where before < ${bytes}`,
          read(
            sql`and not position ${comparison} (select position from last)
              and (${matches(filter)}) is true and ${hasText(filter.text)}`,
            limit,
          ),
        ];
  const rows = await on.query<Examined>(sql`
    with read as materialized (${read(sql``, window)}),
    examined as materialized (
      select * from (select *, sum(bytes) over (order by position ${way}) - bytes as before from read) sized ${most}),
    last as materialized (select id, position from examined order by position ${back} limit 1),
    found as materialized (${found})
    select (select coalesce(json_agg(json_build_object('id', id, 'bytes', bytes) order by position ${way}), '[]') from found) as found,
      (select id from last) as last, (select position::text from last) as position,
      (select count(*)::int from examined) as count, (select coalesce(sum(bytes), 0)::float8 from examined) as bytes,
      (select count(*) from read) < ${window} and (select count(*) from read) = (select count(*) from examined) as "isLast"`);
  return requireRow(rows, 'window');
}

/**
 * The data is the end of the body, and begins behind this member. Most bodies have the text nowhere: cutting them takes
 * long. Not `ilike`, which takes seconds for a megabyte that repeats almost all of the text.
 */
const hasText = (text: string): Sql => {
  const has = (part: Sql) => sql`strpos(lower(${part}), lower(${text})) > 0`;
  return sql`${has(sql`body`)} and ${has(sql`substr(body, strpos(body, ',"data":') + 8)`)}`;
};

const matches = ({ type, from, to }: FeedFilter): Sql =>
  allOf(idsBetween(from, to), type !== undefined && sql`type = ${type}`);
