// The SQL of the engine: due deliveries, and results of attempts. The lane and the attempt count guard every
// write.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { unnest } from '../../base/postgres/sql/rows.ts';
import { termColumns } from '../endpoints/store.ts';
import type { Environment } from '../environments.ts';
import type { Terms } from '../lanes/hand-over.ts';
import type { Lease } from '../lanes/store.ts';
import { countAttempts, countLate, isLate, toCounted } from '../statistics/index.ts';
import type { Signature } from './sign.ts';

/** What an attempt of a delivery needs. */
export type DueDelivery = Terms & {
  endpoint_id: string;
  failing_since: Date | null;
  environment: Environment;
  id: string;
  event_id: string;
  attempt_count: number;
  /** The attempts of this round. */
  round_attempts: number;
  body: string;
  /** From the publishing request. Null: it was not traced. */
  traceparent: string | null;
  /** The database's clock. */
  now: Date;
};

/**
 * What one request carries: a delivery alone, or the deliveries of a batch, which have the same attempts. The other
 * members are those of the first one.
 */
export type DueRequest = DueDelivery & {
  /** Null: the delivery is sent alone. */
  batch_id: string | null;
  deliveries: readonly Pick<DueDelivery, 'id' | 'event_id' | 'body'>[];
};

export const alone = (due: DueDelivery): DueRequest => ({ ...due, batch_id: null, deliveries: [due] });

/**
 * Due deliveries of these lanes, up to the share of each, without those that are `busy`. An endpoint with batches has
 * the one that is due next: its requests are formed from the others too.
 */
export async function selectDue(
  on: Queryable,
  lanes: readonly (Lease & { share: number })[],
  busy: readonly string[],
): Promise<DueDelivery[]> {
  const columns = sql`delivery.id, delivery.event_id, delivery.attempt_count, delivery.round_attempts, delivery.next_attempt_at`;
  // A batch that is in flight can be of an endpoint that has no batches any more.
  const ids = sql`all((select ids from busy)::uuid[])`;
  const notBusy = sql`id <> ${ids} and (batch_id is null or batch_id <> ${ids})`;
  const pending = sql`delivery.endpoint_id = ours.endpoint_id and delivery.status = 'pending'`;
  // The lanes first: PostgreSQL would look for the deliveries of each lane once for each partner.
  return on.query<DueDelivery>(
    sql`
    with busy as materialized (select ${[...busy]}::uuid[] as ids),
    ours as materialized (
      select lane.endpoint_id, lane.failing_since, ${termColumns}, endpoint.environment, asked.share
      from ${unnest(lanes, { endpointId: 'uuid', epoch: 'bigint', share: 'int' }, 'asked')}
      join lane on lane.endpoint_id = asked.endpoint_id and lane.epoch = asked.epoch
      join webhook_endpoint endpoint on endpoint.id = lane.endpoint_id and endpoint.status = 'active' and not endpoint.unchecked
      join partner on partner.id = endpoint.partner_id and partner.deleted_at is null)
    select ours.*, due.id, due.event_id, due.attempt_count, due.round_attempts, event.body, event.traceparent, concord_now() as now
    from ours cross join lateral (
      (select ${columns} from delivery
       where ours.batch is null and ours.ordering = 'none' and ${pending} and next_attempt_at <= concord_now() and ${notBusy}
       order by next_attempt_at limit ours.share)
      union all
      (select id, event_id, attempt_count, round_attempts, next_attempt_at
       from (select ${columns}, delivery.batch_id from delivery where ours.batch is null and ours.ordering = 'strict' and ${pending}
         and next_attempt_at < 'infinity' order by position limit 1) head
       where head.next_attempt_at <= concord_now() and ${notBusy})
      union all
      (select ${columns} from delivery where ours.batch is not null and ${pending} and next_attempt_at < 'infinity'
       order by next_attempt_at limit 1)
    ) due
    left join lateral (select body, traceparent from event where event.id = due.event_id and ours.batch is null) event on true`,
    'select due deliveries',
  );
}

export type AttemptResult = Lease & {
  batchId: string | null;
  /**
   * All of them have the same outcome. `waitMs`: from publishing to the first attempt; null: an earlier one was made.
   */
  deliveries: readonly Readonly<{ deliveryId: string; waitMs: number | null }>[];
  environment: Environment;
  ordering: Terms['ordering'];
  attemptsBefore: number;
  /** The URL of the endpoint, as it was read for this attempt. */
  url: string;
  /** The event was sent without its data. */
  thin: boolean;
  /** The request as it was signed. */
  signed: (Signature & { readonly url: string }) | null;
  status: 'delivered' | 'pending' | 'failed';
  /** The time until the next attempt. Null unless the delivery stays pending. */
  retryMs: number | null;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
  /** The receiver answered 410. */
  gone: boolean;
  /** The receiver did not answer. */
  unanswered: boolean;
  /** After how long a time of failures the endpoint is disabled. */
  disableAfterMs: number;
  /** The lane's `failing_since` before this attempt. */
  failingSince: Date | null;
};

const unsigned = { url: null, created: null, keyId: null, signature: null };
const resultTypes = {
  deliveryId: 'uuid',
  endpointId: 'uuid',
  epoch: 'bigint',
  attemptsBefore: 'int',
  status: 'text',
  retryMs: 'float8',
  startedAt: 'timestamptz',
  durationMs: 'int',
  statusCode: 'int',
  error: 'text',
  responseBody: 'text',
  url: 'text',
  created: 'bigint',
  keyId: 'text',
  signature: 'bytea',
  thin: 'boolean',
  batchId: 'uuid',
  outcome: 'text',
  bucket: 'smallint',
};

/**
 * Records results and counts their attempts. Returns them, without those that are refused: another process has
 * claimed the lane since, or another attempt was counted. Nobody else sends what an owner has in flight, so it
 * may have claimed the lane again.
 */
export async function recordResults(
  tx: Transaction,
  owner: string,
  results: readonly AttemptResult[],
): Promise<(AttemptResult['deliveries'][number] & Omit<AttemptResult, 'url'> & { outcome: string })[]> {
  // A row for each delivery. Those of a batch were delivered by the same attempt.
  const rows = results.flatMap((result) => {
    const attempt = { ...result, ...(result.signed ?? unsigned), ...toCounted(result) };
    return result.deliveries.map((each) => ({ ...attempt, ...each }));
  });
  const changed = await tx.query<{ id: string; partner_id: string; late: boolean }>(
    sql`
    with done as (select * from ${unnest(rows, resultTypes, 'done')}),
    changed as (
      update delivery set status = done.status, attempt_count = delivery.attempt_count + 1, round_attempts = round_attempts + 1,
        next_attempt_at = case done.status when 'pending' then concord_now() + done.retry_ms * interval '1 millisecond' end,
        completed_at = case done.status when 'pending' then null else concord_now() end,
        last_status_code = done.status_code, last_reason = split_part(done.error, ':', 1),
        batch_id = done.batch_id
      from done join lane on lane.endpoint_id = done.endpoint_id and (lane.epoch = done.epoch or lane.owner = ${owner})
      where delivery.id = done.delivery_id and delivery.status = 'pending' and delivery.attempt_count = done.attempts_before
      returning delivery.partner_id, delivery.attempt_count as number, done.*),
    recorded as (
      insert into attempt (${attemptColumns}) select ${attemptColumns} from changed),
    counted as (${countAttempts(sql`select partner_id, endpoint_id, started_at, outcome, bucket from changed`)})
    select delivery_id as id, partner_id, ${isLate(sql`started_at`)} as late from changed`,
    'record results',
  );
  const changes = new Map(changed.map((change) => [change.id, change]));
  const recorded = rows.flatMap((row) => {
    const change = changes.get(row.deliveryId);
    return change ? [{ ...row, partnerId: change.partner_id, late: change.late }] : [];
  });
  await countLate(
    tx,
    recorded.filter(({ late }) => late),
  );
  return recorded;
}

const attemptColumns = sql`delivery_id, number, started_at, duration_ms, status_code, error, response_body, url, created, key_id, signature, thin, batch_id`;
