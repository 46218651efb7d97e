// The SQL of events: publishing, and the feed.
import sql, { raw, type Sql } from 'sql-template-tag';
import { readOf } from '../../access/index.ts';
import { formatId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { type Order, ways } from '../../base/postgres/sql/keyset.ts';
import {
  anyOf,
  columnList,
  queryValue,
  queryValues,
  requireRow,
  unnest,
} from '../../base/postgres/sql/rows.ts';
import { dataMember } from '../endpoints/payload.ts';
import type { Environment } from '../environments.ts';
import type { Clock } from '../lanes/hand-over.ts';

/** A row of the table `event`, ids as bare UUIDs. */
export type EventRow = {
  id: string;
  type: string;
  environment: Environment;
  producer_id: string | null;
  body: string;
  created_at: Date;
  /** The endpoints whose filters it does not match. Null: none. */
  filtered_for: string[] | null;
};

const publishingOf = (partnerId: Sql) => sql`hashtextextended('concord publishing ' || ${partnerId}, 0)`;
const publishingOfEach = publishingOf(sql`partner_id`);
const lockOf = (partnerId: string) => publishingOf(sql`${partnerId}::text`);

/** Holds the publish lock, shared, until commit. Readers of the feed see its holders. */
export const lockPublishingShared = (tx: Transaction, partnerId: string) =>
  tx.write(sql`select pg_advisory_xact_lock_shared(${lockOf(partnerId)})`, 'begin publishing');

/** The same for many partners, without waiting. Returns those whose lock it holds. */
export async function tryLockPublishingShared(
  tx: Transaction,
  partnerIds: readonly string[],
): Promise<Set<string>> {
  const tried = sql`
    select partner_id from unnest(${[...partnerIds]}::text[]) as given (partner_id)
    where pg_try_advisory_xact_lock_shared(${publishingOfEach})`;
  return new Set(await queryValues<string>(tx, tried, 'try to begin publishing'));
}

/** Holds the publish lock, alone, until commit: only a deletion does. Nobody publishes to the partner meanwhile. */
export const lockPublishing = (tx: Transaction, partnerId: string) =>
  tx.write(sql`select pg_advisory_xact_lock(${lockOf(partnerId)})`, 'hold publishing');

export type Drawn = Clock & { readonly positions: readonly string[] };

/** The time, and a position for each event. Call it with the publish lock. */
export async function drawPositions(tx: Transaction, count: number): Promise<Drawn> {
  const rows = await tx.query<Pick<Drawn, 'now' | 'positions'>>(
    sql`select concord_now() as now, array(select nextval('event_position')::text from generate_series(1, ${count}::int)) as positions`,
    'draw positions',
  );
  return { ...requireRow(rows, 'clock'), readAt: performance.now() };
}

export type ProducerId = {
  environment: Environment;
  producerId: string;
  eventId: string;
  contentHash: Buffer;
};

/**
 * Claims the producer ids that are new, or whose event is no longer kept (no event is dropped within a week),
 * and returns the owner of each. A second transaction that claims one waits for the first.
 */
export async function claimProducerIds(
  tx: Transaction,
  partnerId: string,
  now: Date,
  wanted: readonly ProducerId[],
): Promise<ProducerId[]> {
  const types = { environment: 'text', producerId: 'text', eventId: 'uuid', contentHash: 'bytea' };
  const given = unnest(wanted, types);
  await tx.query(sql`
    insert into known_producer_id (partner_id, environment, producer_id, event_id, content_hash, created_at)
    select ${partnerId}, environment, producer_id, event_id, content_hash, ${now} from ${given} order by environment, producer_id
    on conflict (partner_id, environment, producer_id) do update
      set event_id = excluded.event_id, content_hash = excluded.content_hash, created_at = excluded.created_at
      where known_producer_id.created_at < ${now}::timestamptz - interval '7 days'
        and not exists (select from event where event.id = known_producer_id.event_id)`);
  return tx.query<ProducerId>(sql`
    select known.environment, known.producer_id as "producerId", known.event_id as "eventId", known.content_hash as "contentHash"
    from ${given} join known_producer_id known on known.partner_id = ${partnerId} and known.environment = given.environment
      and known.producer_id = given.producer_id`);
}

export type NewEvent = EventRow & { partner_id: string; position: string; traceparent: string | null };

const eventTypes = {
  id: 'uuid',
  partner_id: 'uuid',
  environment: 'text',
  type: 'text',
  producer_id: 'text',
  position: 'bigint',
  body: 'text',
  created_at: 'timestamptz',
  traceparent: 'text',
  filtered_for: 'text',
};
const eventColumns = columnList(Object.keys(eventTypes));
const eventValues = raw(Object.keys(eventTypes).join(', ').replace('filtered_for', 'filtered_for::uuid[]'));

export async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  // An array of arrays has one length, so these are the texts of arrays.
  const rows = events.map((event) => ({
    ...event,
    filtered_for: event.filtered_for && `{${event.filtered_for.join(',')}}`,
  }));
  await tx.query(
    sql`insert into event (${eventColumns}) select ${eventValues} from ${unnest(rows, eventTypes)}`,
    'insert events',
  );
}

const columns = sql`event.id, event.type, event.environment, event.producer_id, event.body, event.created_at, event.filtered_for`;

/** The body can be large, so it is read later. */
export const eventRead = readOf<{ event_id: string }>('event', sql`item.id as event_id`, {
  parameter: 'event_id',
});

export const selectEvents = (on: Queryable, ids: readonly string[]) =>
  on.query<EventRow>(sql`select ${columns} from event where id = ${anyOf(ids)}`);

/** The last events of a partner, the latest first. No body is read. */
export const selectLastEvents = (on: Queryable, partnerId: string, environment: Environment, limit: number) =>
  on.query<{ id: string; type: string; bytes: number }>(sql`
    select id, type, octet_length(body) as bytes from event
    where partner_id = ${partnerId} and environment = ${environment} order by position desc limit ${limit}`);

/** In the same order. What the retention has deleted meanwhile is left out. */
export const selectBodies = (on: Queryable, ids: readonly string[]) =>
  on.query<{ id: string; body: string }>(
    sql`select id, body from event where id = ${anyOf(ids)} order by position desc`,
  );

/** A thousand events of 256 KiB would take too much memory. */
export const maxPageBytes = 8 * 1024 * 1024;

/** At most `limit` events after one, up to the position `reached`. */
export type FeedStep = Readonly<{
  reached: string;
  after: string | null;
  direction: Order<'id'>['direction'];
  limit: number;
}>;

/**
 * Where a page starts: if the event is no longer kept, at the oldest event. A statement of its own, so that the
 * planner knows how many events follow.
 */
export const selectPosition = async (on: Queryable, partnerId: string, after: string) =>
  (await queryValue<string>(
    on,
    sql`select position::text from event where id = ${after} and partner_id = ${partnerId}`,
  )) ?? '0';

export const startingAfter = (position: string | null, direction: FeedStep['direction']): Sql =>
  position === null ? sql`` : sql`and position ${ways[direction].after} ${position}`;

/** A page of the feed in the order of positions. It has fewer events if they are large. */
export async function selectFeed(
  on: Queryable,
  partnerId: string,
  environments: readonly Environment[],
  { reached, after, direction, limit }: FeedStep,
): Promise<EventRow[]> {
  const { way } = ways[direction];
  const from = startingAfter(after && (await selectPosition(on, partnerId, after)), direction);
  return on.query<EventRow>(sql`
    with page as (
      select found.*, sum(bytes) over (order by place ${way}) - bytes as before
      from unnest(${[...environments]}::text[]) wanted (environment) cross join lateral (
        select id, position as place, octet_length(body) as bytes from event
        where partner_id = ${partnerId} and event.environment = wanted.environment and position <= ${reached} ${from}
        order by position ${way} limit ${limit}) found
      order by place ${way} limit ${limit})
    select ${columns} from page join event on event.id = page.id where before < ${maxPageBytes} order by place ${way}`);
}

/** A position, and the time at which it was read. */
export type LastPosition = Readonly<{ position: string; now: Date }>;

/**
 * The last position that was drawn, for whatever partner. Read it outside transactions: they have the time of their
 * begin.
 */
export async function selectLastPosition(on: Queryable): Promise<LastPosition> {
  const positions = await on.query<LastPosition>(
    sql`select (case when is_called then last_value else 0 end)::text as position, concord_now() as now from event_position`,
    'last position',
  );
  return requireRow(positions, 'sequence');
}

/** A transaction that holds the publish lock of a partner. */
export type Publisher = Readonly<{ partner_id: string; publisher: string }>;

/** The transactions that hold the publish locks of the partners now. Takes no lock, and waits for none. */
export const selectPublishers = (on: Queryable, partnerIds: readonly string[]) =>
  on.query<Publisher>(
    sql`
    select partner_id, virtualtransaction || ' ' || pid as publisher
    from (select partner_id, ${publishingOfEach} as key from unnest(${[...partnerIds]}::text[]) as given (partner_id)) lock join pg_locks on
      locktype = 'advisory' and granted and objsubid = 1 and classid = (key >> 32 & 4294967295)::oid and objid = (key & 4294967295)::oid
    where database = (select oid from pg_database where datname = current_database())`,
    'publishers',
  );

/**
 * The event in wire format, with more members. The stored body ends with the data as it was published.
 * `showsFiltered`: the caller may know which endpoints do not get the event.
 */
export function toEventJson(
  { id, type, environment, producer_id, created_at, body, filtered_for }: EventRow,
  showsFiltered: boolean,
  more = '',
): string {
  const shown = {
    id: formatId('event', id),
    type,
    environment,
    producer_id,
    created_at: created_at.toISOString(),
    filtered_endpoint_ids: showsFiltered
      ? (filtered_for ?? []).map((endpointId) => formatId('webhook_endpoint', endpointId))
      : null,
  };
  return `${JSON.stringify(shown).slice(0, -1)}${body.slice(body.indexOf(dataMember), -1)}${more}}`;
}

/** The event as receivers get it. */
export function toBody(
  partnerId: string,
  { id, type, environment, created_at }: Omit<EventRow, 'body' | 'filtered_for'>,
  data: string,
): string {
  const shown = {
    id: formatId('event', id),
    type,
    created_at: created_at.toISOString(),
    partner_id: formatId('partner', partnerId),
    environment,
  };
  return `${JSON.stringify(shown).slice(0, -1)}${dataMember}${data}}`;
}
