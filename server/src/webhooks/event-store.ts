// The SQL of events: publishing in one transaction with all deliveries, and the feed.
import sql from 'sql-template-tag';
import { formatId } from '../ids.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Environment } from '../signing-keys/index.ts';
import { holdLanes } from './deliverer/lane-store.ts';

/** A row of the table `event`, ids as bare UUIDs. */
export type EventRow = {
  id: string;
  type: string;
  environment: Environment;
  producer_id: string | null;
  position: string;
  body: string;
  created_at: Date;
};

const publishingOf = (partnerId: string) => sql`hashtextextended(${`concord publishing ${partnerId}`}, 0)`;

/**
 * Until the transaction ends, who asks for nobody to be publishing waits for it. Not a lock of the partner's row: there, publishers that come
 * one after the other would keep everyone else waiting for ever; in this queue they wait for who came before.
 */
export async function beginPublishing(tx: Transaction, partnerId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${publishingOf(partnerId)})`, 'begin publishing');
}

/** Resolves when nobody is publishing; who comes then waits for the end of this transaction. */
export async function holdPublishing(tx: Transaction, partnerId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${publishingOf(partnerId)})`, 'hold publishing');
}

/** The time, and a position for each event. To be called after beginPublishing. */
export async function drawPositions(tx: Transaction, count: number): Promise<{ now: Date; positions: string[] }> {
  const [row] = await tx.query<{ now: Date; positions: string[] }>(
    sql`select concord_now()::moment as now, array(select nextval('event_position')::text from generate_series(1, ${count}::int)) as positions`,
    'draw positions',
  );
  if (!row) throw new Error('The database does not know the time');
  return row;
}

export type Known = { environment: Environment; producerId: string; eventId: string; contentHash: Buffer };

/**
 * Takes what is new among them, or belongs to an event that is no longer kept (nothing is dropped within a week); answers with whose each of
 * them is now. Of two that take one at once, the second waits for the first.
 */
export async function takeProducerIds(tx: Transaction, partnerId: string, now: Date, wanted: readonly Known[]): Promise<Known[]> {
  const given = sql`unnest(${wanted.map(({ environment }) => environment)}::text[], ${wanted.map(({ producerId }) => producerId)}::text[],
    ${wanted.map(({ eventId }) => eventId)}::uuid[], ${wanted.map(({ contentHash }) => contentHash)}::bytea[])
    as given (environment, producer_id, event_id, content_hash)`;
  await tx.query(sql`
    insert into known_producer_id (partner_id, environment, producer_id, event_id, content_hash, created_at)
    select ${partnerId}, environment, producer_id, event_id, content_hash, ${now} from ${given} order by environment, producer_id
    on conflict (partner_id, environment, producer_id) do update
      set event_id = excluded.event_id, content_hash = excluded.content_hash, created_at = excluded.created_at
      where known_producer_id.created_at < ${now}::timestamptz - interval '7 days'
        and not exists (select from event where event.id = known_producer_id.event_id)`);
  return tx.query<Known>(sql`
    select known.environment, known.producer_id as "producerId", known.event_id as "eventId", known.content_hash as "contentHash"
    from ${given} join known_producer_id known on known.partner_id = ${partnerId} and known.environment = given.environment
      and known.producer_id = given.producer_id`);
}

export async function insertEvents(tx: Transaction, partnerId: string, events: readonly EventRow[]): Promise<void> {
  const of = <K extends keyof EventRow>(member: K) => events.map((event) => event[member]);
  await tx.query(
    sql`
    insert into event (id, partner_id, environment, type, producer_id, position, body, created_at)
    select id, ${partnerId}, environment, type, producer_id, position, body, created_at
    from unnest(${of('id')}::uuid[], ${of('environment')}::text[], ${of('type')}::text[], ${of('producer_id')}::text[],
      ${of('position')}::bigint[], ${of('body')}::text[], ${of('created_at')}::timestamptz[])
    as given (id, environment, type, producer_id, position, body, created_at)`,
    'insert events',
  );
}

type Subscriber = { id: string; environment: Environment; event_types: string[] | null };

/** The partner's endpoints, their lanes held. */
export async function holdSubscribers(tx: Transaction, partnerId: string): Promise<Subscriber[]> {
  const all = await tx.query<Subscriber>(
    sql`select id, environment, event_types from webhook_endpoint where partner_id = ${partnerId}`,
    'subscribers',
  );
  const there = new Set(
    await holdLanes(
      tx,
      all.map(({ id }) => id),
    ),
  );
  return all.filter(({ id }) => there.has(id));
}

export type NewDelivery = { id: string; endpointId: string; event: EventRow };
/** Rows of one statement: it must end well before the database's patience does. */
const insertAtOnce = 5_000;

export async function insertDeliveries(tx: Transaction, partnerId: string, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let from = 0; from < deliveries.length; from += insertAtOnce) {
    const some = deliveries.slice(from, from + insertAtOnce);
    const of = <K extends keyof EventRow>(member: K) => some.map(({ event }) => event[member]);
    await tx.query(
      sql`
      insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, next_attempt_at, created_at)
      select id, event_id, event_type, ${partnerId}, endpoint_id, environment, position, created_at, created_at
      from unnest(${some.map(({ id }) => id)}::uuid[], ${of('id')}::uuid[], ${of('type')}::text[],
        ${some.map(({ endpointId }) => endpointId)}::uuid[], ${of('environment')}::text[], ${of('position')}::bigint[],
        ${of('created_at')}::timestamptz[])
      as given (id, event_id, event_type, endpoint_id, environment, position, created_at)`,
      'insert deliveries',
    );
  }
}

const columns = sql`event.id, event.type, event.environment, event.producer_id, event.position::text as position, event.body, event.created_at`;

export async function selectEvents(tx: Transaction, ids: readonly string[]): Promise<EventRow[]> {
  return tx.query<EventRow>(sql`select ${columns} from event where id = any(${[...ids]}::uuid[])`);
}

/** Of a page, in bytes: with events of 256 KiB a thousand would be too many to hold. */
const mostPageBytes = 8 * 1024 * 1024;

/**
 * A page of the feed, in the order of positions: at most `limit` events, and fewer when they are large. What is read ends at a position that
 * nobody is behind of: no publisher was between its position and its commit when it was looked up. An event that is no longer kept stands
 * before all that are.
 */
export async function selectFeed(
  db: Database,
  partnerId: string,
  environments: readonly Environment[],
  { after, descending, limit }: { after: string | null; descending: boolean; limit: number },
): Promise<EventRow[]> {
  const reached = await readPosition(db, partnerId);
  const way = descending ? sql`desc` : sql`asc`;
  const behind = sql`coalesce((select position from event where id = ${after} and partner_id = ${partnerId}), 0)`;
  const from = after === null ? sql`` : descending ? sql`and position < ${behind}` : sql`and position > ${behind}`;
  return db.query<EventRow>(sql`
    with page as (
      select found.*, sum(bytes) over (order by place ${way}) - bytes as before
      from unnest(${[...environments]}::text[]) wanted (environment) cross join lateral (
        select id, position as place, octet_length(body) as bytes from event
        where partner_id = ${partnerId} and event.environment = wanted.environment and position <= ${reached} ${from}
        order by position ${way} limit ${limit}) found
      order by place ${way} limit ${limit})
    select ${columns} from page join event on event.id = page.id where before < ${mostPageBytes} order by place ${way}`);
}

async function readPosition(db: Database, partnerId: string): Promise<string> {
  return db.transaction(async (tx) => {
    await holdPublishing(tx, partnerId);
    const [row] = await tx.query<{ position: string }>(sql`select last_value::text as position from event_position`);
    if (!row) throw new Error('A sequence has no value');
    return row.position;
  });
}

/** As it is shown: the data is the end of the body, as it was published. */
export function toEventText({ id, type, environment, producer_id, created_at, body }: EventRow): string {
  const shown = { id: formatId('event', id), type, environment, producer_id, created_at: created_at.toISOString() };
  return `${JSON.stringify(shown).slice(0, -1)}${body.slice(body.indexOf(dataMember))}`;
}

const dataMember = ',"data":';

/** The bytes that receivers get: fixed once. No member before the data can hold its name. */
export function toBody(partnerId: string, { id, type, environment, created_at }: Omit<EventRow, 'body'>, data: string): string {
  const shown = {
    id: formatId('event', id),
    type,
    created_at: created_at.toISOString(),
    partner_id: formatId('partner', partnerId),
    environment,
  };
  return `${JSON.stringify(shown).slice(0, -1)}${dataMember}${data}}`;
}
