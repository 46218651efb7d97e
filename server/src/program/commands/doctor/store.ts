// The SQL of the doctor. It only reads.
import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import { requireRow } from '../../../base/postgres/sql/rows.ts';

export const doctorName = 'concord doctor';

export type ServerFacts = {
  version: string;
  versionNumber: number;
  encoding: string;
  /** Of the collation: when the database was made, and now. Null: it has none. */
  collationMade: string | null;
  collationNow: string | null;
  writable: boolean;
  /** Partitions and migrations need it. True before the first start. */
  ownsTables: boolean;
  /** The first start installs the extension, if it can. */
  textSearch: boolean;
  sizeBytes: number;
  connections: number;
  maxConnections: number;
  /** Those that only superusers get. */
  reservedConnections: number;
  sharedBuffersBytes: number;
  settings: Record<'fsync' | 'full_page_writes' | 'synchronous_commit' | 'autovacuum' | 'wal_level', string>;
};

export async function selectServer(on: Queryable): Promise<ServerFacts> {
  // Concord sets none of these for its own sessions.
  const rows = await on.query<ServerFacts>(sql`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
      current_setting('server_encoding') as encoding,
      (select datcollversion from pg_database where datname = current_database()) as "collationMade",
      (select pg_database_collation_actual_version(oid) from pg_database where datname = current_database()) as "collationNow",
      not pg_is_in_recovery() and (select reset_val = 'off' from pg_settings where name = 'default_transaction_read_only') as writable,
      coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.event')), true) as "ownsTables",
      exists (select from pg_available_extensions where name = 'pg_trgm'
        and (installed_version is not null or to_regclass('public.schema_migration') is null)) as "textSearch",
      pg_database_size(current_database())::float8 as "sizeBytes",
      (select sum(numbackends)::int from pg_stat_database) as connections,
      current_setting('max_connections')::int as "maxConnections",
      current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0) as "reservedConnections",
      pg_size_bytes(current_setting('shared_buffers'))::float8 as "sharedBuffersBytes",
      (select jsonb_object_agg(name, setting) from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'wal_level')) as settings`);
  return requireRow(rows, 'server');
}

export type SessionFacts = {
  transactions: { pid: number; user: string; application: string; state: string; ageMs: number }[];
  /** Sessions of other roles, without the role pg_read_all_stats. */
  hidden: number;
  prepared: { gid: string; ageMs: number }[];
  slots: { name: string; active: boolean; retainedBytes: number; lost: boolean }[];
};

/** Ages are in the time of the database. */
export async function selectSessions(on: Queryable): Promise<SessionFacts> {
  const age = (since: string) =>
    raw(`(extract(epoch from concord_now() - ${since}) * 1000)::float8 as "ageMs"`);
  const [transactions, [hidden], prepared, slots] = [
    await on.query<SessionFacts['transactions'][number]>(sql`
      select pid, coalesce(usename, '') as user, coalesce(application_name, '') as application, coalesce(state, '') as state, ${age('xact_start')}
      from pg_stat_activity
      where xact_start is not null and application_name <> ${doctorName} and backend_type = 'client backend' and datname = current_database()
      order by xact_start limit 20`),
    await on.query<{ count: number }>(sql`
      select count(*)::int from pg_stat_activity where datname = current_database() and query = '<insufficient privilege>'`),
    await on.query<SessionFacts['prepared'][number]>(sql`
      select gid, ${age('prepared')} from pg_prepared_xacts where database = current_database() order by prepared limit 20`),
    await on.query<SessionFacts['slots'][number]>(sql`
      select slot_name::text as name, active, coalesce(wal_status, '') = 'lost' as lost,
        coalesce(case when pg_is_in_recovery() then 0 else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end, 0)::float8 as "retainedBytes"
      from pg_replication_slots limit 100`),
  ];
  return { transactions, hidden: hidden?.count ?? 0, prepared, slots };
}

export type TableFacts = {
  tables: { name: string; dead: number; live: number; vacuumedAt: Date | null }[];
  invalidIndexes: { name: string; table: string }[];
  missingWeeks: string[];
  thisWeek: string;
};

export const selectDeadRows = (on: Queryable): Promise<TableFacts['tables']> =>
  on.query(sql`
    select relid::regclass::text as name, n_dead_tup::float8 as dead, n_live_tup::float8 as live,
      greatest(last_vacuum, last_autovacuum) as "vacuumedAt"
    from pg_stat_user_tables where n_dead_tup > 0 order by n_dead_tup desc limit 20`);

/** An index that somebody makes now is not valid yet. */
export const selectInvalidIndexes = (on: Queryable): Promise<TableFacts['invalidIndexes']> =>
  on.query(sql`
    select indexrelid::regclass::text as name, indrelid::regclass::text as table from pg_index
    where not indisvalid and indexrelid not in (select index_relid from pg_stat_progress_create_index)
    order by 1 limit 20`);

/** Seconds since the first start. */
export async function selectDatabaseAge(on: Queryable): Promise<number> {
  const rows = await on.query<{ age: number }>(
    sql`select extract(epoch from concord_now() - min(run_on))::float8 as age from schema_migration`,
  );
  return requireRow(rows, 'age').age;
}
