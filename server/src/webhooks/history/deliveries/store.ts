// The SQL of deliveries: reading, creating, replaying and cancelling them.
import sql, { type Sql } from 'sql-template-tag';
import { readOf } from '../../../access/index.ts';
import { formatId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import {
  anyOf,
  columnList,
  pick,
  queryRow,
  queryValue,
  queryValues,
  requireRow,
  selectCount,
  unnest,
} from '../../../base/postgres/sql/rows.ts';
import { batchBodies } from '../../delivering/batches/store.ts';
import type { Attempt, Delivery } from './schema.ts';

const shownNames = ['event_type', 'environment', 'status', 'attempt_count'] as const;
/** A row of the table `delivery`, ids as bare UUIDs. */
export type DeliveryRow = Pick<Delivery, (typeof shownNames)[number]> & {
  delivery_id: string;
  event_id: string;
  endpoint_id: string;
  round_attempts: number;
  last_status_code: number | null;
  last_reason: Delivery['reason'];
  next_attempt_at: Date | null;
  created_at: Date;
  completed_at: Date | null;
};

/** The due time of a delivery that waits for its endpoint or an operator (O26) is not shown. */
export const columns = sql`
  item.id as delivery_id, item.event_id, item.endpoint_id, ${columnList(shownNames, 'item')}, item.round_attempts, item.last_status_code, item.last_reason, item.created_at, item.completed_at,
  case when (select endpoint.status = 'active' and not endpoint.unchecked from webhook_endpoint endpoint where endpoint.id = item.endpoint_id)
    then nullif(item.next_attempt_at, 'infinity') end as next_attempt_at`;

export const deliveryRead = readOf<DeliveryRow>('delivery', columns, { parameter: 'delivery_id' });

function stateOf({ status, next_attempt_at, round_attempts }: DeliveryRow): Delivery['state'] {
  if (status !== 'pending') return status;
  if (next_attempt_at === null) return 'waiting';
  return round_attempts === 0 ? 'queued' : 'retrying';
}

export const toDelivery = (row: DeliveryRow): Delivery => ({
  ...pick(row, shownNames),
  id: formatId('delivery', row.delivery_id),
  event_id: formatId('event', row.event_id),
  endpoint_id: formatId('webhook_endpoint', row.endpoint_id),
  state: stateOf(row),
  status_code: row.last_status_code,
  reason: row.last_reason,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

const attemptNames = [
  'number',
  'started_at',
  'duration_ms',
  'status_code',
  'error',
  'response_body',
] as const;
const attemptColumns = sql`${columnList(attemptNames)}, batch_id,
  (select cardinality(delivery_ids) from delivery_batch where delivery_batch.id = batch_id) as batch_events`;
type ShownAttempt = Omit<Attempt, 'started_at' | 'batch'> & {
  started_at: Date;
  batch_id: string | null;
  batch_events: number | null;
};

export const toAttempt = (row: ShownAttempt): Attempt => ({
  ...pick(row, attemptNames),
  started_at: row.started_at.toISOString(),
  batch:
    row.batch_id === null || row.batch_events === null
      ? null
      : { id: formatId('batch', row.batch_id), events: row.batch_events },
});

export async function selectAttempts(on: Queryable, deliveryId: string): Promise<Attempt[]> {
  const rows = await on.query<ShownAttempt>(
    sql`select ${attemptColumns} from attempt where delivery_id = ${deliveryId} order by number`,
  );
  return rows.map(toAttempt);
}

/** `created` is a bigint, which pg reads as text. */
type Signed = { url: string; created: string; key_id: string; signature: Buffer };
/**
 * A row of the table `attempt`, with the bodies of its events. The engine writes it. `thin`: the event was sent
 * without its data.
 */
export type AttemptRow = ShownAttempt & { bodies: readonly string[] | null; thin: boolean } & (
    | Signed
    | Record<keyof Signed, null>
  );

export const selectAttempt = (on: Queryable, deliveryId: string, number: number) =>
  queryRow<AttemptRow>(
    on,
    sql`
    select ${attemptColumns}, url, created, key_id, signature, thin,
      case when batch_id is null then (select array[body] from event where id = (select event_id from delivery where id = ${deliveryId}))
        else ${batchBodies(sql`batch_id`)} end as bodies
    from attempt where delivery_id = ${deliveryId} and number = ${number}`,
  );

export const lockDelivery = (tx: Transaction, deliveryId: string) =>
  queryRow<DeliveryRow>(tx, sql`select ${columns} from delivery item where id = ${deliveryId} for update`);

/** Bounded, since one response has all attempts of a delivery, each with 16 KiB of its answer. */
export const maxAttempts = 200;

/** The first attempt of the round is due now. */
const newRound = sql`status = 'pending', round_attempts = 0, batch_id = null, next_attempt_at = concord_now(), completed_at = null`;

export async function replayDelivery(tx: Transaction, deliveryId: string): Promise<DeliveryRow> {
  const rows = await tx.query<DeliveryRow>(
    sql`update delivery item set ${newRound} where id = ${deliveryId} returning ${columns}`,
  );
  return requireRow(rows, 'delivery');
}

/** Null: no checkpoint covers it. */
export type Proof = 'covered' | 'checkpoint' | null;
/** `wait`: the seconds until its first attempt is due. */
type NewDelivery = { id: string; event_id: string; endpoint_id: string; proof: Proof; wait: number };
const deliveryTypes = { id: 'uuid', event_id: 'uuid', endpoint_id: 'uuid', proof: 'text', wait: 'float8' };
type Copied = {
  id: string;
  partner_id: string;
  type: string;
  environment: string;
  position: string;
  created_at: Date;
};
const copiedTypes = {
  id: 'uuid',
  partner_id: 'uuid',
  type: 'text',
  environment: 'text',
  position: 'bigint',
  created_at: 'timestamptz',
};
/** One statement must end well before the statement timeout. */
const insertAtOnce = 5_000;

/** Sends its statements before it first waits. */
export async function insertDeliveries(
  tx: Transaction,
  events: readonly Copied[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const copied = unnest(events, copiedTypes, 'copied');
  const insert = (some: readonly NewDelivery[]) =>
    tx.query(
      sql`
      with event as materialized (select * from ${copied})
      insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, proof, next_attempt_at, created_at)
      select given.id, event.id, type, partner_id, given.endpoint_id, environment, position, proof,
        created_at + given.wait * interval '1 second', created_at
      from ${unnest(some, deliveryTypes)} join event on event.id = given.event_id`,
      'insert deliveries',
    );
  const writing: Promise<unknown>[] = [];
  for (let from = 0; from < deliveries.length; from += insertAtOnce)
    writing.push(insert(deliveries.slice(from, from + insertAtOnce)));
  await Promise.all(writing);
}

export const selectEndpointsOf = (on: Queryable, ids: readonly string[]) =>
  queryValues<string>(on, sql`select distinct endpoint_id from delivery where id = ${anyOf(ids)}`);

/**
 * Starts a new round of those deliveries of these endpoints that have not changed since `settledBy`, and
 * returns how many they are. Call it with the lanes locked.
 */
export async function replayDeliveries(
  tx: Transaction,
  ids: readonly string[],
  endpointIds: readonly string[],
  settledBy: Date,
): Promise<number> {
  const chosen = sql`id = ${anyOf(ids)} and endpoint_id = ${anyOf(endpointIds)}
    and status <> 'pending' and completed_at <= ${settledBy} and attempt_count < ${maxAttempts} order by id`;
  return change(tx, chosen, newRound);
}

/** Locks these deliveries, and changes them by their ids: a join would read every partition. Returns how many. */
async function change(tx: Transaction, chosen: Sql, changes: Sql): Promise<number> {
  const ids = await queryValues<string>(tx, sql`select id from delivery where ${chosen} for update`);
  await tx.query(sql`update delivery set ${changes} where id = ${anyOf(ids)}`);
  return ids.length;
}

/** Deliveries that wait for an attempt. Those of a restored backup wait for an operator (O26). */
const isWaiting = sql`status = 'pending' and next_attempt_at < 'infinity'`;
/** More would keep the transaction long. They are sent when those before them are. */
const earlierAtOnce = 1_000;

/**
 * Makes waiting deliveries of active endpoints due, and at strict endpoints those before them: none may
 * overtake. One in flight is due already. Call it with the lanes held. `since`: when the replay began, so that one
 * before them that has failed again since is not moved again. `sent`: how many are due now. `moved`: for how many
 * that is new.
 */
export async function sendDeliveriesNow(
  tx: Transaction,
  ids: readonly string[],
  endpointIds: readonly string[],
  since: Date | null,
): Promise<{ sent: number; moved: number }> {
  const chosen = sql`id = ${anyOf(ids)} and endpoint_id = ${anyOf(endpointIds)} and ${isWaiting}`;
  const isLater = sql`${isWaiting} and next_attempt_at > concord_now()`;
  // The subquery reads one partition; `not exists` could read them all.
  const isUntried = sql`(${since}::timestamptz is null or coalesce(
    (select started_at < ${since} from attempt where delivery_id = delivery.id order by number desc limit 1), true))`;
  const sent = await selectCount(tx, sql`delivery where ${chosen}`);
  const later = await queryValues<string>(
    tx,
    sql`
    select id from delivery where ${chosen} and ${isLater}
    union
    select earlier.id from (
      select endpoint_id, max(position) as position from delivery where ${chosen} group by endpoint_id) last
    join webhook_endpoint endpoint on endpoint.id = last.endpoint_id and endpoint.ordering = 'strict'
    cross join lateral (
      select id from delivery where endpoint_id = last.endpoint_id and ${isLater}
        and position < last.position and ${isUntried} order by position limit ${earlierAtOnce}) earlier
    limit ${earlierAtOnce}`,
  );
  const moved = await change(
    tx,
    sql`id = ${anyOf(later)} and ${isLater} order by id`,
    sql`next_attempt_at = concord_now()`,
  );
  return { sent, moved };
}

/** How many deliveries of the endpoint are pending. Null: more than `most`. */
export async function countPending(on: Queryable, endpointId: string, most: number): Promise<number | null> {
  const count = await selectCount(
    on,
    sql`(select from delivery where endpoint_id = ${endpointId} and status = 'pending' limit ${most + 1}) counted`,
  );
  return count > most ? null : count;
}

/** Counts rows of deliveries of the partner: all, those that can be replayed, and those that can be sent now. */
export function ableCounts(partnerId: string): Sql {
  const ofEndpoints = (condition: Sql) =>
    sql`endpoint_id = any(array(select id from webhook_endpoint where partner_id = ${partnerId} and ${condition}))`;
  return sql`count(*)::int as matching,
    count(*) filter (where status <> 'pending' and attempt_count < ${maxAttempts} and ${ofEndpoints(sql`status <> 'disabled'`)})::int as replayable,
    count(*) filter (where ${isWaiting} and ${ofEndpoints(sql`status = 'active' and not unchecked`)})::int as sendable`;
}

/** One statement must end before the statement timeout. */
const cancelAtOnce = 5_000;

/** Cancels pending deliveries. Returns whether none is left. */
async function cancelDeliveries(tx: Transaction, endpointId: string, steps: number): Promise<boolean> {
  const pending = sql`endpoint_id = ${endpointId} and status = 'pending' limit ${cancelAtOnce}`;
  const cancelled = sql`status = 'cancelled', next_attempt_at = null, completed_at = concord_now()`;
  for (let step = 0; step < steps; step++)
    if ((await change(tx, pending, cancelled)) < cancelAtOnce) return true;
  return false;
}

/**
 * In one step, since the locks of the deleting transaction make results of the endpoint wait, and all results recorded
 * with them. A task cancels the rest.
 */
export async function cancelDeliveriesOf(tx: Transaction, endpointId: string): Promise<void> {
  if (!(await cancelDeliveries(tx, endpointId, 1)))
    await tx.write(sql`insert into cancellation (endpoint_id) values (${endpointId})`);
}

/** One endpoint at a time. Returns whether there may be more. */
export async function continueCancellation(tx: Transaction, steps: number): Promise<boolean> {
  const endpointId = await queryValue<string>(
    tx,
    sql`select endpoint_id from cancellation limit 1 for update skip locked`,
  );
  if (endpointId === undefined) return false;
  if (await cancelDeliveries(tx, endpointId, steps))
    await tx.query(sql`delete from cancellation where endpoint_id = ${endpointId}`);
  return true;
}
