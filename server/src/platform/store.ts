// The SQL of the platform's status: the running instances, and the state of the database.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../postgres/database.ts';
import { requireRow } from '../postgres/sql/rows.ts';

export type Instance = { id: string; hostName: string; role: string; version: string };

/** Also inserts the row again, if a task has taken the instance for dead. */
export async function writeSign(on: Queryable, { id, hostName, role, version }: Instance, lanes: number): Promise<void> {
  await on.query(sql`
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

export type InstanceRow = {
  id: string;
  host_name: string;
  role: 'all' | 'api' | 'worker';
  version: string;
  started_at: Date;
  seen_at: Date;
  alive: boolean;
  lanes: number;
};

/** The latest first, so that many crashes do not hide the running ones. */
export const selectInstances = (on: Queryable): Promise<InstanceRow[]> =>
  on.query<InstanceRow>(sql`
    select id, host_name, role, version, started_at, seen_at, seen_at > concord_now() - interval '20 seconds' as alive, lanes
    from instance order by seen_at desc, id limit 1000`);

export type DatabaseState = {
  server_version: string;
  size_bytes: number;
  writable: boolean;
  connections: number;
  max_connections: number;
};

/** The size is that of the files. The connections are those to all databases of the server, with a few of its own workers. */
export async function selectDatabaseState(on: Queryable): Promise<DatabaseState> {
  const rows = await on.query<DatabaseState>(sql`
    select current_setting('server_version') as server_version, pg_database_size(current_database())::float8 as size_bytes,
      current_setting('transaction_read_only') = 'off' as writable,
      (select sum(numbackends)::int from pg_stat_database where datid <> 0) as connections,
      current_setting('max_connections')::int as max_connections`);
  return requireRow(rows, 'state of the database');
}
