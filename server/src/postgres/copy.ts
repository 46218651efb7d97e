// Copies every table into an empty database, in one transaction on each side.
import { pipeline } from 'node:stream/promises';
import { Client, type PoolConfig } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { migrate } from './migrations.ts';

/** Copies everything or nothing. @throws Error if the target is not empty */
export async function copyDatabase(from: PoolConfig, to: PoolConfig, announce: (line: string) => void): Promise<void> {
  await migrate(from, announce);
  await migrate(to, announce);
  const source = new Client(from);
  const target = new Client(to);
  /** A connection can break while it waits for the other one. Without a listener that would end the process. */
  let lost: Error | undefined;
  for (const client of [source, target])
    client.on('error', (error) => {
      lost ??= error;
    });
  await Promise.all([source.connect(), target.connect()]);
  try {
    await source.query('begin isolation level repeatable read read only');
    await target.query('begin');
    await copyPartitions(source, target);
    const tables = await tablesInOrder(source);
    // Rows are copied as they are. Triggers that follow changes would delete some, for example the access tokens of each user whose
    // password is inserted.
    for (const { table } of tables) await target.query(`alter table ${table} disable trigger user`);
    for (const rows of madeByMigrations) await target.query(`delete from ${rows}`);
    for (const { table } of tables) {
      const { rows } = await target.query(`select exists (select from ${table}) as filled`);
      if (rows[0].filled) throw new Error(`The target is not empty: ${table} has rows. Copy into a new database.`);
    }
    for (const { table, columns } of tables) {
      const sink = target.query(copyFrom(`copy ${table} (${columns}) from stdin`));
      // `copy TABLE to stdout` refuses partitioned tables.
      await pipeline(source.query(copyTo(`copy (select ${columns} from ${table}) to stdout`)), sink);
      announce(`${table}: ${sink.rowCount} rows`);
    }
    await copySequences(source, target);
    // A table with deferred checks that have not run cannot be altered.
    await target.query('set constraints all immediate');
    for (const { table } of tables) await target.query(`alter table ${table} enable trigger user`);
    await target.query('commit');
    announce('Copied. Set DATABASE_URL to the target and start Concord with the same secrets.');
  } catch (error) {
    throw lost ?? error;
  } finally {
    // Closing a connection rolls back what was not committed.
    await Promise.all([source.end(), target.end()]);
  }
}

/** Creates the partitions of the source in the target. */
async function copyPartitions(source: Client, target: Client): Promise<void> {
  const { rows } = await source.query(`
    select format('create table if not exists %s partition of %s %s', c.oid::regclass, inhparent::regclass, pg_get_expr(relpartbound, c.oid)) as statement
    from pg_inherits join pg_class c on c.oid = inhrelid where c.relkind = 'r'`);
  for (const { statement } of rows) await target.query(statement);
}

/** Sequences of the target continue after the last value of the source. */
async function copySequences(source: Client, target: Client): Promise<void> {
  const { rows } = await source.query(`
    select format('%I.%I', schemaname, sequencename) as name, last_value from pg_sequences
    where schemaname in ('public', 'auth') and last_value is not null`);
  for (const { name, last_value } of rows) await target.query('select setval($1::regclass, $2)', [name, last_value]);
}

/** `columns` has no generated columns. */
type Table = { table: string; columns: string };

/** Rows that migrations insert. The target gets the rows of the source instead. */
const madeByMigrations = ['permission_group where partner_id is null', 'event_type', 'delivery_hour_progress', 'setup'];

/** Our tables, each after the tables that it references. Both databases have the same, since both were just migrated. */
export async function tablesInOrder(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(`
    select c.oid::regclass::text as table,
           (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
             where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
           array(select distinct confrelid::regclass::text from pg_constraint
                 where conrelid = c.oid and contype = 'f' and confrelid <> c.oid
                   and not (select relispartition from pg_class where oid = confrelid)) as refers_to
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'auth') and c.relname <> 'schema_migration'
    order by 1`);
  const ordered: Table[] = [];
  const isOrdered = (name: string) => ordered.some(({ table }) => table === name);
  for (let left = rows; left.length > 0; ) {
    const free = left.filter(({ refers_to }) => refers_to.every(isOrdered));
    if (free.length === 0)
      throw new Error('The tables refer to each other in a circle, so no order can satisfy their foreign keys');
    ordered.push(...free);
    left = left.filter(({ table }) => !isOrdered(table));
  }
  return ordered;
}
