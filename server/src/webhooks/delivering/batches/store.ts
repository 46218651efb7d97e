// The SQL of batches: what can be in one, and the batches that are there. The membership of a batch is committed
// before its first attempt, so that it repeats whole (behaviour W70).
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { anyOf, unnest } from '../../../base/postgres/sql/rows.ts';
import type { Lease } from '../../lanes/store.ts';
import type { DueDelivery } from '../store.ts';
import { type BatchTerms, type Candidate, maxBatchBytes } from './choose.ts';

type AskedLane = Lease & BatchTerms;

type Carried = Pick<DueDelivery, 'event_id' | 'attempt_count' | 'round_attempts' | 'traceparent'>;
export type Row = Candidate & Carried & Pick<DueDelivery, 'endpoint_id' | 'now'>;

/** The longest that a delivery waits for others. */
const maxWait = sql`interval '60 seconds'`;

/**
 * What the next requests of these lanes can carry, in its order: what is due, and what has had no attempt. Keeps the
 * lanes until the commit, so no other owner forms batches meanwhile. `busy`: the batches in flight.
 */
export function selectCandidates(
  tx: Transaction,
  lanes: readonly AskedLane[],
  busy: readonly string[],
): Promise<Row[]> {
  const columns = sql`id, event_id, batch_id, attempt_count, round_attempts, next_attempt_at, position`;
  const ids = sql`all(${[...busy]}::uuid[])`;
  const notBusy = sql`id <> ${ids} and (batch_id is null or batch_id <> ${ids})`;
  const pending = sql`delivery.endpoint_id = ours.endpoint_id and delivery.status = 'pending'`;
  const asked = lanes.map(({ maxEvents, share, ...lane }) => ({
    ...lane,
    most: maxEvents * share,
    mostBytes: maxBatchBytes * share,
  }));
  const types = { endpointId: 'uuid', epoch: 'bigint', ordering: 'text', most: 'int', mostBytes: 'bigint' };
  return tx.query<Row>(
    sql`
    with ours as materialized (
      select asked.* from ${unnest(asked, types, 'asked')}
      join lane on lane.endpoint_id = asked.endpoint_id and lane.epoch = asked.epoch
      order by lane.endpoint_id for share of lane)
    select ours.endpoint_id, found.id, found.event_id, found.batch_id, found.attempt_count, found.round_attempts,
      extract(epoch from found.next_attempt_at - concord_now())::float8 * 1000 as due_in_ms, event.traceparent, concord_now() as now,
      case when found.batch_id is null and sum(octet_length(event.body)) over places - octet_length(event.body) < ours.most_bytes
        then event.body end as body
    from ours cross join lateral (
      (select ${columns}, next_attempt_at as at from delivery
       where ours.ordering = 'none' and ${pending} and next_attempt_at <= concord_now() + ${maxWait}
         and (next_attempt_at <= concord_now() or attempt_count = 0) and ${notBusy}
       order by next_attempt_at limit ours.most)
      union all
      (select ${columns}, null from delivery where ours.ordering = 'strict' and ${pending} and next_attempt_at < 'infinity'
       order by position limit ours.most)
    ) found
    cross join lateral (select body, traceparent from event where event.id = found.event_id) event
    window places as (partition by ours.endpoint_id, found.batch_id is null order by found.at, found.position, found.id)
    order by ours.endpoint_id, found.at, found.position, found.id`,
    'select candidates of batches',
  );
}

/** Forms batches. Returns their deliveries in order, without those that have completed meanwhile. */
export const insertBatches = (
  tx: Transaction,
  members: readonly Readonly<{ id: string; batchId: string; number: number }>[],
) =>
  tx.query<{ id: string; delivery_ids: string[] }>(
    sql`
    with changed as (
      update delivery set batch_id = given.batch_id from ${unnest(members, { id: 'uuid', batchId: 'uuid', number: 'int' })}
      where delivery.id = given.id and delivery.status = 'pending' and delivery.batch_id is null
      returning delivery.id, delivery.batch_id, delivery.partner_id, given.number)
    insert into delivery_batch (id, partner_id, delivery_ids)
    select batch_id, partner_id, array_agg(id order by number) from changed group by 1, 2
    returning id, delivery_ids`,
    'insert batches',
  );

/** A delivery of a batch. `id` null: it is not pending in this batch any more. */
type Member = Carried & Readonly<{ batch_id: string; id: string | null; body: string }>;

/** All deliveries of these batches, in their order. */
export const selectMembers = (on: Queryable, batchIds: readonly string[]) =>
  on.query<Member>(
    sql`
    select batch.id as batch_id, delivery.id, delivery.event_id, delivery.attempt_count, delivery.round_attempts,
      event.body, event.traceparent
    from delivery_batch batch
    cross join lateral unnest(batch.delivery_ids) with ordinality as member (id, number)
    left join delivery on delivery.id = member.id and delivery.batch_id = batch.id and delivery.status = 'pending'
    left join lateral (select body, traceparent from event where event.id = delivery.event_id) event on true
    where batch.id = ${anyOf(batchIds)} order by batch.id, member.number`,
    'select members of batches',
  );

/** Its pending deliveries are in no batch any more. */
export const dissolveBatches = (tx: Transaction, batchIds: readonly string[]) =>
  tx.write(sql`
    update delivery set batch_id = null from delivery_batch batch, unnest(batch.delivery_ids) as member (id)
    where batch.id = ${anyOf(batchIds)} and delivery.id = member.id and delivery.batch_id = batch.id and delivery.status = 'pending'`);

/** The bodies of the events of a batch. Null: one of them is no longer kept. */
export const batchBodies = (batchId: Sql): Sql => sql`(
  select case when bool_and(event.body is not null) then array_agg(event.body order by member.number) end
  from delivery_batch cross join lateral unnest(delivery_ids) with ordinality as member (id, number)
    left join lateral (select event_id from delivery where delivery.id = member.id) sent on true
    left join lateral (select body from event where event.id = sent.event_id) event on true
  where delivery_batch.id = ${batchId})`;
