// The SQL of what is due, and of what came of it. Every write is guarded: by the lease, and by the attempts that were known.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../postgres/database.ts';
import type { Environment } from '../../signing-keys/index.ts';
import type { Lease } from './lane-store.ts';

/**
 * Every statement of a deliverer looks some rows up by an index. A table that was nearly empty when its statement was planned, or that has grown
 * since it was analysed, makes PostgreSQL think that reading all of it is cheaper (measured: a third of the throughput, until the next analyze);
 * and planning over all partitions anew takes longer than the statement.
 */
export const queueSettings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

export type Due = {
  endpoint_id: string;
  url: string;
  sealed_headers: Buffer | null;
  ordering: 'none' | 'strict';
  max_concurrency: number;
  rate_limit_per_second: number | null;
  failing_since: Date | null;
  environment: Environment;
  id: string;
  event_id: string;
  /** In all, and in this round. */
  attempt_count: number;
  round_attempts: number;
  body: string;
  /** The database's clock. */
  now: Date;
};

/** What is due in these lanes, in each as much as there is room for, and nothing that is `busy`. */
export async function selectDue(
  on: Queryable,
  lanes: readonly (Lease & { room: number })[],
  busy: readonly string[],
): Promise<Due[]> {
  const columns = sql`delivery.id, delivery.event_id, delivery.attempt_count, delivery.round_attempts, delivery.next_attempt_at`;
  const pending = sql`delivery.endpoint_id = lane.endpoint_id and delivery.status = 'pending'`;
  return on.query<Due>(
    sql`
    select lane.endpoint_id, lane.failing_since, endpoint.url, endpoint.sealed_headers, endpoint.ordering, endpoint.max_concurrency,
      endpoint.rate_limit_per_second, endpoint.environment, due.id, due.event_id, due.attempt_count, due.round_attempts,
      (select body from event where event.id = due.event_id) as body, concord_now() as now
    from unnest(${lanes.map(({ endpointId }) => endpointId)}::uuid[], ${lanes.map(({ epoch }) => epoch)}::bigint[],
      ${lanes.map(({ room }) => room)}::int[]) as asked (endpoint_id, epoch, room)
    join lane on lane.endpoint_id = asked.endpoint_id and lane.epoch = asked.epoch
    join webhook_endpoint endpoint on endpoint.id = lane.endpoint_id and endpoint.status = 'active'
    join partner on partner.id = endpoint.partner_id and partner.deleted_at is null
    cross join lateral (
      (select ${columns} from delivery
       where endpoint.ordering = 'none' and ${pending} and next_attempt_at <= concord_now() and id <> all(${busy}::uuid[])
       order by next_attempt_at limit asked.room)
      union all
      (select * from (select ${columns} from delivery where endpoint.ordering = 'strict' and ${pending} order by position limit 1) head
       where head.next_attempt_at <= concord_now() and head.id <> all(${busy}::uuid[]))
    ) due`,
    'select due deliveries',
  );
}

/** What came of an attempt. */
export type Result = Lease & {
  deliveryId: string;
  attemptsBefore: number;
  /** Where it was sent to. */
  url: string;
  status: 'delivered' | 'pending' | 'failed';
  /** When it is pending still: until the next attempt. */
  retryMs: number | null;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
  /** It says that it is gone for good. */
  gone: boolean;
  /** There was no answer. */
  unanswered: boolean;
  /** As it was known before: since when every attempt at the endpoint has failed. */
  failingSince: Date | null;
};

export async function recordResults(tx: Transaction, results: readonly Result[]): Promise<void> {
  const of = <K extends keyof Result>(member: K) => results.map((result) => result[member]);
  await tx.query(
    sql`
    with done as (
      select * from unnest(${of('deliveryId')}::uuid[], ${of('endpointId')}::uuid[], ${of('epoch')}::bigint[], ${of('attemptsBefore')}::int[],
        ${of('status')}::text[], ${of('retryMs')}::float8[], ${of('startedAt')}::timestamptz[], ${of('durationMs')}::int[],
        ${of('statusCode')}::int[], ${of('error')}::text[], ${of('responseBody')}::text[])
      as done (id, endpoint_id, epoch, attempts_before, status, retry_ms, started_at, duration_ms, status_code, error, response_body)),
    changed as (
      update delivery set status = done.status, attempt_count = delivery.attempt_count + 1, round_attempts = round_attempts + 1,
        next_attempt_at = case done.status when 'pending' then concord_now() + done.retry_ms * interval '1 millisecond' end,
        completed_at = case done.status when 'pending' then null else concord_now() end
      from done join lane on lane.endpoint_id = done.endpoint_id and lane.epoch = done.epoch
      where delivery.id = done.id and delivery.status = 'pending' and delivery.attempt_count = done.attempts_before
      returning delivery.id, delivery.attempt_count)
    insert into attempt (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
    select changed.id, changed.attempt_count, done.started_at, done.duration_ms, done.status_code, done.error, done.response_body
    from changed join done on done.id = changed.id`,
    'record results',
  );
}

/** Since when all attempts of these lanes have failed: for those that succeed, never. */
export async function updateFailing(tx: Transaction, lanes: readonly (Lease & { failing: boolean })[]): Promise<void> {
  if (lanes.length === 0) return;
  await tx.query(sql`
    with told as (
      select told.endpoint_id, told.failing from unnest(${lanes.map(({ endpointId }) => endpointId)}::uuid[],
        ${lanes.map(({ epoch }) => epoch)}::bigint[], ${lanes.map(({ failing }) => failing)}::boolean[]) as told (endpoint_id, epoch, failing)
      join lane on lane.endpoint_id = told.endpoint_id and lane.epoch = told.epoch
      order by told.endpoint_id for no key update of lane)
    update lane set failing_since = case when told.failing then concord_now() end
    from told where lane.endpoint_id = told.endpoint_id and (lane.failing_since is null) = told.failing`);
}

export type Disabled = { id: string; partner_id: string; partner_name: string; url: string; disabled_reason: string };

/**
 * Disables those that said they are gone, where the URL is still the one that said so, and those that have been failing for so long. Not for
 * who has lost the lane meanwhile.
 */
export async function disableEndpoints(
  tx: Transaction,
  gone: readonly (Lease & { url: string })[],
  failing: readonly Lease[],
  patienceMs: number,
): Promise<Disabled[]> {
  const suspects = [...gone, ...failing.map((lease) => ({ ...lease, url: null }))];
  return tx.query<Disabled>(sql`
    update webhook_endpoint endpoint set status = 'disabled', disabled_at = concord_now(),
      disabled_reason = case when suspect.url is not null then 'It answered 410 Gone.' else 'Every attempt failed for five days.' end,
      updated_at = greatest(concord_now(), endpoint.updated_at + interval '1 millisecond')
    from unnest(${suspects.map(({ endpointId }) => endpointId)}::uuid[], ${suspects.map(({ epoch }) => epoch)}::bigint[],
      ${suspects.map(({ url }) => url)}::text[]) as suspect (endpoint_id, epoch, url)
    join lane on lane.endpoint_id = suspect.endpoint_id and lane.epoch = suspect.epoch, partner
    where endpoint.id = suspect.endpoint_id and partner.id = endpoint.partner_id and endpoint.status = 'active'
      and coalesce(suspect.url = endpoint.url, lane.failing_since <= concord_now() - ${patienceMs} * interval '1 millisecond')
    returning endpoint.id, endpoint.partner_id, partner.name as partner_name, endpoint.url, endpoint.disabled_reason`);
}
