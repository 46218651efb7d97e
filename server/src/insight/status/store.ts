// The SQL of the platform's status: the running instances, and the state of the database.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { msAgo } from '../../base/postgres/sql/clock.ts';
import { requireRow, type WithDates } from '../../base/postgres/sql/rows.ts';
import type { Period } from '../../webhooks/statistics/index.ts';
import type { PlatformStatus } from './schema.ts';
import type { Counts } from './traffic.ts';

export type Instance = { id: string; hostName: string; role: string; version: string };

const addToKnown = sql`on conflict (at) do update set requests = known.requests + excluded.requests, events = known.events + excluded.events,
  client_errors = known.client_errors + excluded.client_errors, server_errors = known.server_errors + excluded.server_errors`;

/** Also when a task has taken the instance for dead. `counted`: since the last sign. */
export async function writeSign(
  on: Queryable,
  { id, hostName, role, version }: Instance,
  lanes: number,
  { requests, client_errors, server_errors, events }: Counts,
): Promise<void> {
  await on.query(sql`
    with counted as (
      insert into traffic as known (at, requests, client_errors, server_errors, events)
      select date_trunc('minute', concord_now(), 'UTC'), ${requests}, ${client_errors}, ${server_errors}, ${events}
      where ${requests + events}::bigint > 0
      ${addToKnown})
    insert into instance (id, host_name, role, version, started_at, seen_at, lanes)
    values (${id}, left(${hostName}, 255), ${role}, ${version}, concord_now(), concord_now(), ${lanes})
    on conflict (id) do update set seen_at = concord_now(), lanes = excluded.lanes`);
}

export async function deleteInstance(on: Queryable, id: string): Promise<void> {
  await on.query(sql`delete from instance where id = ${id}`);
}

export async function deleteDead(tx: Transaction): Promise<void> {
  await tx.query(sql`delete from instance where seen_at < concord_now() - interval '1 hour'`);
}

export type InstanceRow = WithDates<PlatformStatus['instances'][number], 'started_at' | 'seen_at'>;

/** The latest first: many crashes must not hide the running ones. */
export const selectInstances = (on: Queryable): Promise<InstanceRow[]> =>
  on.query<InstanceRow>(sql`
    select id, host_name, role, version, started_at, seen_at, seen_at > concord_now() - interval '20 seconds' as alive, lanes
    from instance order by seen_at desc, id limit 1000`);

export async function selectDatabaseState(on: Queryable): Promise<PlatformStatus['database']> {
  const rows = await on.query<PlatformStatus['database']>(sql`
    select current_setting('server_version') as server_version, pg_database_size(current_database())::float8 as size_bytes,
      current_setting('transaction_read_only') = 'off' as writable,
      (select sum(numbackends)::int from pg_stat_database where datid <> 0) as connections,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int as max_connections`);
  return requireRow(rows, 'state of the database');
}

type TrafficRow = Counts & { at: Date };

export function selectTraffic(on: Queryable, { from, to, stepMs }: Period): Promise<TrafficRow[]> {
  return on.query<TrafficRow>(sql`
    select date_bin(${stepMs} * interval '1 millisecond', at, 'epoch') as at, sum(requests)::float8 as requests,
      sum(client_errors)::float8 as client_errors, sum(server_errors)::float8 as server_errors, sum(events)::float8 as events
    from traffic where at >= ${from} and at < ${to} group by 1 order by 1`);
}

/** Minutes are kept for a week and an hour (behaviour N4). */
const old = sql`date_trunc('hour', concord_now() - interval '7 days 1 hour', 'UTC')`;
/** An hour that was summed up is a row at its beginning. */
const isWithinHour = sql`at <> date_trunc('hour', at, 'UTC')`;

/** A row that comes later is summed up by the next run. */
export async function foldTraffic(tx: Transaction): Promise<void> {
  await tx.query(sql`
    with minutes as (delete from traffic where at < ${old} and ${isWithinHour} returning *)
    insert into traffic as known (at, requests, client_errors, server_errors, events)
    select date_trunc('hour', at, 'UTC'), sum(requests), sum(client_errors), sum(server_errors), sum(events) from minutes group by 1
    ${addToKnown}`);
}

export async function deleteOldTraffic(tx: Transaction, retentionMs: number): Promise<void> {
  await tx.query(sql`delete from traffic where at < ${msAgo(retentionMs)}`);
}
