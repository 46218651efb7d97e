// The SQL of deliveries: reading, creating, replaying and cancelling them.
import sql, { type Sql } from 'sql-template-tag';
import type { Read } from '../../../access/index.ts';
import { formatId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { columnOf, requireRow, selectCount } from '../../../base/postgres/sql/rows.ts';
import type { Attempt, Delivery } from './schema.ts';

/** A row of the table `delivery`, ids as bare UUIDs. */
export type DeliveryRow = Pick<Delivery, 'event_type' | 'environment' | 'status' | 'attempt_count'> & {
  delivery_id: string;
  event_id: string;
  endpoint_id: string;
  round_attempts: number;
  last_status_code: number | null;
  last_reason: string | null;
  next_attempt_at: Date | null;
  created_at: Date;
  completed_at: Date | null;
};

/**
 * Nothing is planned while the endpoint is paused or disabled, or the delivery is held (O26), so the due time
 * is not shown.
 */
const columns = (table: Sql) => sql`
  ${table}.id as delivery_id, ${table}.event_id, ${table}.event_type, ${table}.endpoint_id, ${table}.environment, ${table}.status,
  ${table}.attempt_count, ${table}.round_attempts, ${table}.last_reason, ${table}.created_at, ${table}.completed_at,
  ${table}.last_status_code,
  case when (select endpoint.status from webhook_endpoint endpoint where endpoint.id = ${table}.endpoint_id) = 'active'
    then nullif(${table}.next_attempt_at, 'infinity') end as next_attempt_at`;
export const ownColumns = columns(sql`delivery`);

/** The delivery that the path names. */
export const deliveryRead: Read<DeliveryRow> = {
  name: 'delivery',
  columns: columns(sql`item`),
  item: {
    kind: 'delivery',
    parameter: 'delivery_id',
    join: (id) => sql`left join delivery item on item.id = ${id} and item.partner_id = partner.id`,
  },
};

function stateOf({ status, next_attempt_at, round_attempts }: DeliveryRow): Delivery['state'] {
  if (status !== 'pending') return status;
  if (next_attempt_at === null) return 'waiting';
  return round_attempts === 0 ? 'queued' : 'retrying';
}

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: formatId('delivery', row.delivery_id),
  event_id: formatId('event', row.event_id),
  event_type: row.event_type,
  endpoint_id: formatId('webhook_endpoint', row.endpoint_id),
  environment: row.environment,
  status: row.status,
  state: stateOf(row),
  attempt_count: row.attempt_count,
  status_code: row.last_status_code,
  reason: row.last_reason as Delivery['reason'],
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

export async function selectAttempts(on: Queryable, deliveryId: string): Promise<Attempt[]> {
  const rows = await on.query<Omit<Attempt, 'started_at'> & { started_at: Date }>(sql`
    select number, started_at, duration_ms, status_code, error, response_body from attempt
    where delivery_id = ${deliveryId} order by number`);
  return rows.map((row) => ({ ...row, started_at: row.started_at.toISOString() }));
}

export async function lockDelivery(tx: Transaction, deliveryId: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(
    sql`select ${ownColumns} from delivery where id = ${deliveryId} for update`,
  );
  return row;
}

/** Bounded, since one response has all attempts of a delivery, each with 16 KiB of its answer. */
export const maxAttempts = 200;

/** A new round of attempts. The first attempt is due now. */
const newRound = sql`status = 'pending', round_attempts = 0, next_attempt_at = concord_now(), completed_at = null`;

export async function replayDelivery(tx: Transaction, deliveryId: string): Promise<DeliveryRow> {
  const rows = await tx.query<DeliveryRow>(
    sql`update delivery set ${newRound} where id = ${deliveryId} returning ${ownColumns}`,
  );
  return requireRow(rows, 'delivery');
}

/** `number` is the index of its event. */
export type NewDelivery = { id: string; endpointId: string; number: number };
/** What a delivery copies from its event. */
type Copied = {
  id: string;
  partner_id: string;
  type: string;
  environment: string;
  position: string;
  created_at: Date;
};
/** One statement must end well before the statement timeout. */
const insertAtOnce = 5_000;

export async function insertDeliveries(
  tx: Transaction,
  events: readonly Copied[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const column = columnOf(events);
  for (let from = 0; from < deliveries.length; from += insertAtOnce) {
    const batch = deliveries.slice(from, from + insertAtOnce);
    await tx.query(
      sql`
      with event as materialized (
        select * from unnest(${column('id')}::uuid[], ${column('partner_id')}::uuid[], ${column('type')}::text[],
          ${column('environment')}::text[], ${column('position')}::bigint[], ${column('created_at')}::timestamptz[])
        with ordinality as event (id, partner_id, type, environment, position, created_at, number))
      insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, next_attempt_at, created_at)
      select given.id, event.id, type, partner_id, given.endpoint_id, environment, position, created_at, created_at
      from unnest(${batch.map(({ id }) => id)}::uuid[], ${batch.map(({ endpointId }) => endpointId)}::uuid[],
        ${batch.map(({ number }) => number + 1)}::bigint[]) as given (id, endpoint_id, number)
      join event on event.number = given.number`,
      'insert deliveries',
    );
  }
}

/**
 * Deliveries that were created between `since` and `until` and had failed by `failedBy`. Later failures do
 * not count.
 */
type Failed = { partnerId: string; endpointId: string; since: Date; until: Date; failedBy: Date };
const isFailed = ({ partnerId, endpointId, since, until, failedBy }: Failed) => sql`
  partner_id = ${partnerId} and endpoint_id = ${endpointId} and status = 'failed' and attempt_count < ${maxAttempts} and completed_at <= ${failedBy} and id >= first_id_of(${since}) and id < first_id_of(${until})`;

export const countFailed = (on: Queryable, failed: Failed): Promise<number> =>
  selectCount(on, sql`delivery where ${isFailed(failed)}`);

export async function selectEndpointsOf(on: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await on.query<{ endpoint_id: string }>(
    sql`select distinct endpoint_id from delivery where id = any(${[...ids]}::uuid[])`,
  );
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/**
 * Starts a new round of those deliveries of these endpoints that have not changed since `settledBy`. Call it
 * with the lanes held.
 * Returns how many they are.
 */
export async function replayDeliveries(
  tx: Transaction,
  ids: readonly string[],
  endpointIds: readonly string[],
  settledBy: Date,
): Promise<number> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from delivery where id = any(${[...ids]}::uuid[]) and endpoint_id = any(${[...endpointIds]}::uuid[])
      and status <> 'pending' and completed_at <= ${settledBy} and attempt_count < ${maxAttempts} order by id for update`);
  await tx.query(sql`update delivery set ${newRound} where id = any(${rows.map(({ id }) => id)}::uuid[])`);
  return rows.length;
}

/** Deliveries that wait for an attempt. Those of a restored backup are held (O26). */
const isWaiting = sql`status = 'pending' and next_attempt_at < 'infinity'`;
/** More would keep the transaction long. They are sent when those before them are. */
const earlierAtOnce = 1_000;

/**
 * Makes those of these deliveries of active endpoints due that wait, and at strict endpoints those before
 * them: none may overtake. A delivery in flight is due already, so it stays as it is. Call it with the lanes
 * held. `reached`: the last delivery of the steps before, which have moved those before it. One that has
 * failed again since is not moved again. `sent`: how many are due now. `moved`: for how many that is new.
 */
export async function sendDeliveriesNow(
  tx: Transaction,
  ids: readonly string[],
  endpointIds: readonly string[],
  reached: string | null,
): Promise<{ sent: number; moved: number }> {
  const chosen = sql`id = any(${[...ids]}::uuid[]) and endpoint_id = any(${[...endpointIds]}::uuid[]) and ${isWaiting}`;
  const sent = await selectCount(tx, sql`delivery where ${chosen}`);
  const later = await tx.query<{ id: string }>(sql`
    select id from delivery where ${chosen} and next_attempt_at > concord_now()
    union
    select earlier.id from (
      select endpoint_id, max(position) as position from delivery where ${chosen} group by endpoint_id) last
    join webhook_endpoint endpoint on endpoint.id = last.endpoint_id and endpoint.ordering = 'strict'
    cross join lateral (
      select id from delivery where endpoint_id = last.endpoint_id and ${isWaiting} and next_attempt_at > concord_now()
        and position < last.position and (${reached}::uuid is null or id > ${reached}) order by position limit ${earlierAtOnce}) earlier
    limit ${earlierAtOnce}`);
  const locked = await tx.query<{ id: string }>(sql`
    select id from delivery where id = any(${later.map(({ id }) => id)}::uuid[]) and ${isWaiting} and next_attempt_at > concord_now()
    order by id for update`);
  await tx.query(
    sql`update delivery set next_attempt_at = concord_now() where id = any(${locked.map(({ id }) => id)}::uuid[])`,
  );
  return { sent, moved: locked.length };
}

/** How many deliveries of the endpoint are pending. Null: more than `most`. */
export async function countPending(on: Queryable, endpointId: string, most: number): Promise<number | null> {
  const count = await selectCount(
    on,
    sql`(select from delivery where endpoint_id = ${endpointId} and status = 'pending' limit ${most + 1}) counted`,
  );
  return count > most ? null : count;
}

/** How many of these deliveries a replay would send again, and how many can be sent now. */
export async function countAble(
  on: Queryable,
  partnerId: string,
  ids: readonly string[],
): Promise<{ replayable: number; sendable: number }> {
  const ofEndpoints = (condition: Sql) =>
    sql`endpoint_id = any(array(select id from webhook_endpoint where partner_id = ${partnerId} and ${condition}))`;
  const rows = await on.query<{ replayable: number; sendable: number }>(sql`
    select count(*) filter (where status <> 'pending' and attempt_count < ${maxAttempts} and ${ofEndpoints(sql`status <> 'disabled'`)})::int as replayable,
      count(*) filter (where ${isWaiting} and ${ofEndpoints(sql`status = 'active'`)})::int as sendable
    from delivery where id = any(${[...ids]}::uuid[])`);
  return requireRow(rows, 'count');
}

/** One statement must end before the statement timeout. */
const cancelAtOnce = 5_000;

/**
 * Cancels pending deliveries in steps. Returns whether none is left. By ids, since a join would read every
 * partition.
 */
export async function cancelDeliveries(tx: Transaction, endpointId: string, steps: number): Promise<boolean> {
  for (let step = 0; step < steps; step++) {
    const rows = await tx.query<{ id: string }>(
      sql`select id from delivery where endpoint_id = ${endpointId} and status = 'pending' limit ${cancelAtOnce} for update`,
    );
    await tx.query(sql`
      update delivery set status = 'cancelled', next_attempt_at = null, completed_at = concord_now()
      where id = any(${rows.map(({ id }) => id)}::uuid[])`);
    if (rows.length < cancelAtOnce) return true;
  }
  return false;
}

/** A scheduled task then cancels the rest. */
export async function insertCancellation(tx: Transaction, endpointId: string): Promise<void> {
  await tx.query(sql`insert into cancellation (endpoint_id) values (${endpointId})`);
}

/** Continues one cancellation. */
export async function continueCancellation(tx: Transaction, steps: number): Promise<void> {
  const [cancellation] = await tx.query<{ endpoint_id: string }>(
    sql`select endpoint_id from cancellation limit 1 for update skip locked`,
  );
  if (!cancellation || !(await cancelDeliveries(tx, cancellation.endpoint_id, steps))) return;
  await tx.query(sql`delete from cancellation where endpoint_id = ${cancellation.endpoint_id}`);
}
