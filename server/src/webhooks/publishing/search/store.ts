// The SQL of searching events. A page examines a limited number of them, and of their bytes.
import sql, { type Sql } from 'sql-template-tag';
import type { Part } from '../../../base/http/lists.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Queryable } from '../../../base/postgres/database.ts';
import { anyOf, queryValues, requireRow } from '../../../base/postgres/sql/rows.ts';
import { contains } from '../../../base/postgres/sql/text.ts';
import { and, idsBetween, selectOfRareType } from '../../history/deliveries/search/candidates/store.ts';
import { firstWindow, growth, largestWindow } from '../../history/deliveries/search/store.ts';
import { type EventRow, type FeedStep, maxPageBytes, selectEvents, startingAfter } from '../store.ts';
import type { EventFilter } from './filter.ts';

/** A page that has examined so much ends early. The bytes of texts count, since they are read. */
const maxExamined = { events: 100_000, bytes: 32 * 1024 * 1024 };
const bytesAtOnce = 1024 * 1024;
/** A page that takes longer ends early, too. */
const patienceMs = 1_000;
/** A position is drawn up to this time after the clock was read. */
const slack = sql`interval '1 minute'`;

/** What can match: the events with these ids, or all in this range of positions. */
type Candidates = { readonly ids: readonly string[] | null; readonly positions: Sql };

export async function searchEvents(
  on: Queryable,
  partnerId: string,
  filter: EventFilter,
  { reached, after, descending, limit }: FeedStep,
): Promise<Part<EventRow>> {
  const candidates = await findCandidates(on, partnerId, filter);
  const found: string[] = [];
  let last = after;
  let shown = 0;
  let window = Math.max(firstWindow, 2 * limit);
  const left = { ...maxExamined };
  const startedAt = performance.now();
  const upTo = async (id: string | null | undefined) => ({
    items: await inOrder(on, found),
    reached: id ? formatId('event', id) : null,
  });
  for (;;) {
    const next = { reached, after: last, descending, limit: limit - found.length };
    const bounds = {
      window: Math.min(window, largestWindow, left.events),
      bytes: Math.min(bytesAtOnce, left.bytes),
    };
    const examined = await examineNext(on, partnerId, filter, candidates, next, bounds);
    for (const { id, bytes } of examined.found) {
      // The first is shown however large it is.
      if (found.length > 0 && shown + bytes > maxPageBytes) return upTo(found.at(-1));
      found.push(id);
      shown += bytes;
    }
    if (examined.isLast || found.length === limit) return upTo(null);
    last = examined.last;
    window *= growth;
    left.events -= examined.count;
    left.bytes -= filter.text === undefined ? 0 : examined.bytes;
    const isLate = performance.now() - startedAt > patienceMs;
    if (left.events <= 0 || left.bytes <= 0 || isLate) return upTo(last);
  }
}

async function inOrder(on: Queryable, ids: readonly string[]): Promise<EventRow[]> {
  const rows = new Map((await selectEvents(on, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

async function findCandidates(on: Queryable, partnerId: string, filter: EventFilter): Promise<Candidates> {
  const { id, producer_id: producerId, type, from, to } = filter;
  if (id !== undefined)
    return { ids: [parseId('event', id)].filter((each) => each !== null), positions: sql`` };
  if (producerId !== undefined) {
    const ids = await queryValues<string>(
      on,
      sql`
      select event_id from known_producer_id
      where partner_id = ${partnerId} and environment = any(${[...filter.environments]}::text[]) and producer_id = ${producerId}`,
    );
    return { ids, positions: sql`` };
  }
  if (type !== undefined) {
    const ids = await selectOfRareType(on, partnerId, type, filter);
    if (ids !== null) return { ids, positions: sql`` };
  }
  return { ids: null, positions: sql`${positionFrom(from)} ${positionBefore(to)}` };
}

/** The first position from a time on, whatever its partner. Beyond the last one: there is no event since. */
const positionAt = (time: Sql) =>
  sql`coalesce((select position from event where id >= first_id_of(${time}) order by id limit 1), ${maxPosition})`;
const maxPosition = sql`9223372036854775807`;
const positionFrom = (from: Date | undefined) =>
  from === undefined ? sql`` : sql`and position >= ${positionAt(sql`${from}::timestamptz - ${slack}`)}`;
const positionBefore = (to: Date | undefined) =>
  to === undefined ? sql`` : sql`and position <= ${positionAt(sql`${to}::timestamptz + ${slack}`)}`;

type Examined = {
  found: { id: string; bytes: number }[];
  /** The last one that was examined, how many they are, and their bytes. */
  last: string | null;
  count: number;
  bytes: number;
  isLast: boolean;
};

async function examineNext(
  on: Queryable,
  partnerId: string,
  filter: EventFilter,
  { ids, positions }: Candidates,
  { reached, after, descending, limit }: FeedStep,
  { window, bytes }: { window: number; bytes: number },
): Promise<Examined> {
  const way = descending ? sql`desc` : sql`asc`;
  const start = startingAfter(partnerId, after, descending);
  const columns = sql`id, type, position, octet_length(body)::bigint as bytes`;
  const inRange = sql`partner_id = ${partnerId} and position <= ${reached} ${start} ${positions}`;
  const read =
    ids !== null
      ? sql`select ${columns} from event where id = ${anyOf(ids)} and environment = any(${[...filter.environments]}::text[])
          and ${inRange} order by position ${way} limit ${window}`
      : sql`select next.* from unnest(${[...filter.environments]}::text[]) wanted (environment) cross join lateral (
          select ${columns} from event where environment = wanted.environment and ${inRange} order by position ${way} limit ${window}) next
        order by position ${way} limit ${window}`;
  // Without a text, no body is read.
  const most = filter.text === undefined ? sql`` : sql`where before < ${bytes}`;
  const rows = await on.query<Omit<Examined, 'found'> & { found: string[]; sizes: string[] }>(sql`
    with read as materialized (${read}),
    examined as materialized (
      select * from (select *, sum(bytes) over (order by position ${way}) - bytes as before from read) sized ${most}),
    found as materialized (
      select id, position, bytes from examined where true ${matches(filter)} order by position ${way} limit ${limit})
    select array(select id from found order by position ${way}) as found, array(select bytes::text from found order by position ${way}) as sizes,
      (select id from examined order by position ${descending ? sql`asc` : sql`desc`} limit 1) as last,
      (select count(*)::int from examined) as count, (select coalesce(sum(bytes), 0)::float8 from examined) as bytes,
      (select count(*) from read) < ${window} and (select count(*) from read) = (select count(*) from examined) as "isLast"`);
  const { found, sizes, ...examined } = requireRow(rows, 'window');
  return { ...examined, found: found.map((id, index) => ({ id, bytes: Number(sizes[index]) })) };
}

/** The data is the end of the body, and begins behind this member. */
const dataOf = sql`(select substr(body, strpos(body, ',"data":') + 8) from event where event.id = examined.id)`;

function matches({ type, from, to, text }: EventFilter): Sql {
  const conditions = idsBetween(from, to);
  if (type !== undefined) conditions.push(sql`type = ${type}`);
  if (text !== undefined) conditions.push(sql`${dataOf} ilike ${contains(text)}`);
  return and(conditions);
}
