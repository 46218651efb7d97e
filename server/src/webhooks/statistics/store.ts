// The SQL of statistics: counts of attempts by the minute, and their sums by the hour.
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { msAgo } from '../../base/postgres/sql/clock.ts';
import { deleteSome, type Some } from '../../base/postgres/sql/deletion.ts';
import { anyOf, hasRows, unnest } from '../../base/postgres/sql/rows.ts';
import { unanswered } from './latency.ts';
import { hourMs, minutesKeptMs, type Period } from './period.ts';

/** In place of an endpoint: all endpoints of the partner. In place of a partner: all partners. */
const all = '00000000-0000-0000-0000-000000000000';
const hour = sql`interval '1 hour'`;
const now = sql`concord_now()`;
const progress = sql`(select hours_until from delivery_hour_progress)`;
/** The folding of hours, and results that come after their hour was folded, exclude each other. */
const lock = sql`select pg_advisory_xact_lock(hashtextextended('concord statistics', 0))`;

type Counted = {
  partnerId: string;
  endpointId: string;
  startedAt: Date;
  outcome: string;
  bucket: number;
};

/** Adds rows to a table of counts. */
const addCounts = (table: Sql, rows: Sql) => sql`
  insert into ${table} as known (partner_id, endpoint_id, at, outcome, bucket, count) ${rows}
  on conflict (partner_id, endpoint_id, at, outcome, bucket) do update set count = known.count + excluded.count`;

/**
 * The part of a statement that counts the attempts it records. `attempts` yields their partner_id,
 * endpoint_id, started_at, outcome and bucket. Afterwards call `countLate` for those that `isLate`.
 */
export const countAttempts = (attempts: Sql): Sql =>
  addCounts(
    sql`delivery_minute`,
    sql`
    select partner_id, endpoint_id, date_trunc('minute', started_at, 'UTC'), outcome, bucket, count(*)
    from (${attempts}) given group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  );

/** Whether the hour of the attempt is folded, or can be folded before this transaction commits. */
export const isLate = (startedAt: Sql): Sql =>
  sql`${startedAt} < greatest(${progress}, date_trunc('hour', ${now} - interval '30 minutes', 'UTC'))`;

/** Adds late attempts to their hours, if a statement after the lock sees that these are folded. */
export async function countLate(tx: Transaction, attempts: readonly Counted[]): Promise<void> {
  if (attempts.length === 0) return;
  const late = unnest(attempts, {
    partnerId: 'uuid',
    endpointId: 'uuid',
    startedAt: 'timestamptz',
    outcome: 'text',
    bucket: 'smallint',
  });
  await tx.query(lock);
  await tx.query(
    addToHours(sql`
      select partner_id, endpoint_id, started_at as at, outcome, bucket, 1 as count from ${late}
      where date_trunc('minute', started_at, 'UTC') < ${progress}`),
  );
}

/** Adds rows of `delivery_minute` to the hours of their endpoint, of their partner, and of everyone. */
const addToHours = (rows: Sql) =>
  addCounts(
    sql`delivery_hour`,
    sql`
    select coalesce(partner_id, ${all}), coalesce(endpoint_id, ${all}), at, outcome, bucket, sum(count)
    from (select partner_id, endpoint_id, date_trunc('hour', at, 'UTC') as at, outcome, bucket, count from (${rows}) given) given
    group by grouping sets ((partner_id, endpoint_id, at, outcome, bucket), (partner_id, at, outcome, bucket), (at, outcome, bucket))
    order by 1, 2, 3, 4, 5`,
  );

/** Events that filters kept from an endpoint, as an outcome of the counts. */
const filtered = 'filtered';
export type Filtered = { partnerId: string; endpointId: string; at: Date; count: number };

/** In the transaction that publishes the events. */
export async function insertFiltered(tx: Transaction, counts: readonly Filtered[]): Promise<void> {
  if (counts.length === 0) return;
  const given = unnest(counts, { partnerId: 'uuid', endpointId: 'uuid', at: 'timestamptz', count: 'int' });
  await tx.query(
    sql`insert into filtered_count (partner_id, endpoint_id, at, count) select partner_id, endpoint_id, at, count from ${given}`,
    'count filtered events',
  );
}

export const hasFiltered = (on: Queryable) => hasRows(on, sql`select from filtered_count limit 1`);

/** One statement must end well before the statement timeout. */
const movedAtOnce = 20_000;

/** Moves these counts to their minutes, and adds them to the hours that are folded already. True: there may be more. */
export async function moveFiltered(tx: Transaction): Promise<boolean> {
  await tx.query(lock);
  const moved = await tx.query(sql`
    with moved as (
      delete from filtered_count where ctid = any(array(select ctid from filtered_count limit ${movedAtOnce})) returning *),
    counted as (
      select partner_id, endpoint_id, date_trunc('minute', at, 'UTC') as at, ${filtered} as outcome, ${unanswered}::smallint as bucket, sum(count) as count
      from moved group by 1, 2, 3 order by 1, 2, 3),
    in_minutes as (${addCounts(sql`delivery_minute`, sql`select * from counted`)}),
    in_hours as (${addToHours(sql`select * from counted where at < ${progress}`)})
    select 1 from moved`);
  return moved.length === movedAtOnce;
}

/** Bounds one run. The next run goes on. */
const hoursAtOnce = 48;
/** Bounds one statement: an hour of thousands of endpoints takes longer than the statement timeout. */
const partMs = hourMs / 6;

/** Sums up the hours that ended more than an hour ago. Their late attempts add themselves (`countLate`). */
export async function foldHours(tx: Transaction): Promise<void> {
  await tx.query(lock);
  const limit = sql`date_trunc('hour', ${now} - ${hour}, 'UTC')`;
  for (let folded = 0; folded < hoursAtOnce; folded++) {
    const [next] = await tx.query<{ at: Date | null }>(sql`
      select date_trunc('hour', min(at), 'UTC') as at from delivery_minute where at >= ${progress} and at < ${limit}`);
    if (!next?.at) {
      await tx.query(sql`update delivery_hour_progress set hours_until = greatest(hours_until, ${limit})`);
      return;
    }
    for (let from = next.at.getTime(); from < next.at.getTime() + hourMs; from += partMs) {
      const [first, end] = [new Date(from), new Date(from + partMs)];
      await tx.query(addToHours(sql`select * from delivery_minute where at >= ${first} and at < ${end}`));
    }
    await tx.query(sql`update delivery_hour_progress set hours_until = ${next.at}::timestamptz + ${hour}`);
  }
}

/** An hour late, so that a period which begins 7 days ago has all of its first minute. */
export const oldMinutes: Some = [
  sql`from delivery_minute`,
  sql`at < ${msAgo(minutesKeptMs + hourMs)} and at < ${progress}`,
];
export const oldHours = (retentionMs: number): Some => [
  sql`from delivery_hour`,
  sql`at < ${msAgo(retentionMs)}`,
];

/** The same for a partner's counts. The sums of everyone stay: they name nobody. */
export async function deletePartnerCounts(tx: Transaction, partnerId: string): Promise<boolean> {
  // These counts first: what the task moves meanwhile is deleted with the minutes.
  for (const from of [sql`from filtered_count`, sql`from delivery_minute`, sql`from delivery_hour`])
    if (await deleteSome(tx, [from, sql`partner_id = ${partnerId}`])) return false;
  return true;
}

/** Without endpoints: all of the partner together, also deleted ones. Without a partner: everyone. */
export type Scope = { partnerId: string | null; endpointIds?: readonly string[] };

type CountRow = {
  /** Null unless the scope names endpoints. */
  endpoint_id: string | null;
  at: Date;
  outcome: string;
  buckets: number[];
  counts: number[];
};

/**
 * The counts of each step and outcome, in the order of endpoints and steps. A step can have two rows of an
 * outcome. Percentiles are not computed here: SQL takes several times as long.
 */
export function selectCounts(on: Queryable, scope: Scope, { from, to, stepMs }: Period): Promise<CountRow[]> {
  const step = sql`${stepMs} * interval '1 millisecond'`;
  const summed = (rows: Sql) => sql`
    select endpoint_id, date_bin(${step}, at, 'epoch') as at, outcome, bucket, sum(count) as count from (${rows}) given group by 1, 2, 3, 4`;
  const packed = (rows: Sql) => sql`
    select endpoint_id, at, outcome, array_to_json(array_agg(bucket)) as buckets, array_to_json(array_agg(count)) as counts from (${rows}) given group by 1, 2, 3`;
  const minutes = packed(
    summed(minutesOf(scope, stepMs < hourMs ? from : sql`greatest(${from}, ${progress})`, to)),
  );
  const hours = hoursOf(scope, from, to);
  const found =
    stepMs < hourMs
      ? minutes
      : sql`${packed(stepMs === hourMs ? hours : summed(hours))} union all ${minutes}`;
  return on.query<CountRow>(sql`
    select nullif(endpoint_id, ${all}) as endpoint_id, at, outcome, buckets, counts from (${found}) found order by endpoint_id, at`);
}

function minutesOf({ partnerId, endpointIds }: Scope, from: Date | Sql, to: Date): Sql {
  const key = endpointIds ? sql`endpoint_id` : sql`${all}::uuid`;
  const ofPartner = partnerId === null ? sql`` : sql`partner_id = ${partnerId} and`;
  const ofEndpoints = endpointIds ? sql`endpoint_id = ${anyOf(endpointIds)} and` : sql``;
  return sql`select ${key} as endpoint_id, at, outcome, bucket, count from delivery_minute where ${ofPartner} ${ofEndpoints} at >= ${from} and at < ${to}`;
}

const hoursOf = ({ partnerId, endpointIds = [all] }: Scope, from: Date, to: Date): Sql => sql`
  select endpoint_id, at, outcome, bucket, count from delivery_hour
  where partner_id = ${partnerId ?? all} and endpoint_id = ${anyOf(endpointIds)} and at >= ${from} and at < least(${to}, ${progress})`;

/** An endpoint of a partner. Ids are bare UUIDs. */
type Endpoint = { partner_id: string; endpoint_id: string };
export type Recent = { attempts: number; delivered: number };

const recentAttempts = 5;
const recentRows = 200;

/** The attempts of the latest minutes of a day that have five together. No attempt: no entry. */
export async function selectRecent(
  on: Queryable,
  endpoints: readonly Endpoint[],
): Promise<Map<string, Recent>> {
  if (endpoints.length === 0) return new Map();
  const rows = await on.query<Recent & { endpoint_id: string }>(sql`
    select endpoint_id, sum(count)::int as attempts, coalesce(sum(count) filter (where outcome = 'delivered'), 0)::int as delivered
    from ${unnest(endpoints, { partner_id: 'uuid', endpoint_id: 'uuid' }, 'asked')},
      lateral (
        select outcome, count, sum(count) over (order by at desc groups between unbounded preceding and 1 preceding) as later
        from (select at, outcome, count from delivery_minute minute
          where minute.partner_id = asked.partner_id and minute.endpoint_id = asked.endpoint_id and outcome <> ${filtered} and at > ${now} - interval '1 day'
          order by at desc limit ${recentRows}) latest) latest
    where coalesce(later, 0) < ${recentAttempts} group by 1`);
  return new Map(rows.map(({ endpoint_id, ...recent }) => [endpoint_id, recent]));
}

/** The end of the last minute or hour that began after `since` and in which something was delivered. Null: none. */
export const lastDelivered = (partnerId: Sql, endpointId: Sql, since: Sql): Sql => {
  const delivered = sql`partner_id = ${partnerId} and endpoint_id = ${endpointId} and outcome = 'delivered' and at > ${since}`;
  return sql`greatest(
    (select max(at) + interval '1 minute' from delivery_minute where ${delivered}),
    (select max(at) + ${hour} from delivery_hour where ${delivered} and at < ${msAgo(minutesKeptMs)}))`;
};

const lateRows = 50_000;
const failedLately = 200;

export const selectFailedLately = (on: Queryable) =>
  on.query<Endpoint>(sql`
    select partner_id, endpoint_id
    from (select * from delivery_minute where at > ${now} - ${hour} order by at desc limit ${lateRows}) latest
    where outcome not in ('delivered', ${filtered}) group by 1, 2 order by sum(count) desc, endpoint_id limit ${failedLately}`);
