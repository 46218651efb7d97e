// What a copy consists of: tables in the order of their foreign keys, partitions, and sequences.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client, PoolConfig } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Manifest } from './backup/manifest.ts';
import { openSession } from './long-session.ts';
import { migrate, migrateEmpty, ownMigrations, ownTables } from './migrations.ts';

type Contents = Pick<Manifest, 'tables' | 'partitions' | 'sequences'>;
/** `columns` has no generated columns. */
export type Table = Contents['tables'][number];

/** In a repeatable read transaction. @throws Error when there are tables or columns of others */
export async function readContents(source: Client): Promise<Contents> {
  const tables = await tablesInOrder(source);
  const own = ownTables();
  const foreign = tables.map(({ table }) => table).filter((table) => !own.has(table));
  if (foreign.length > 0)
    throw new Error(
      `The database has tables that are not Concord's: ${foreign.join(', ')}. Move them to a schema of their own, such as: ` +
        `create schema mine; alter table ${foreign[0]} set schema mine`,
    );
  const [added] = tables.flatMap(({ table, columns }) =>
    columns
      .split(', ')
      .filter((column) => !own.get(table)?.has(column.replaceAll('"', '')))
      .map((column) => ({ table, column })),
  );
  if (added)
    throw new Error(
      `The database has a column that is not Concord's, which no restore could fill: ${added.column} of ${added.table}. ` +
        `Keep it in a table of your own, and run: alter table ${added.table} drop column ${added.column}`,
    );
  const partitions = await source.query<Contents['partitions'][number]>(`
    select c.oid::regclass::text as name, inhparent::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits join pg_class c on c.oid = inhrelid join pg_class p on p.oid = inhparent join pg_namespace n on n.oid = p.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'auth') order by 1`);
  const sequences = await source.query<Contents['sequences'][number]>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text from pg_sequences
    where schemaname in ('public', 'auth') and last_value is not null order by 1`);
  return { tables, partitions: partitions.rows, sequences: sequences.rows };
}

/** `copy TABLE to stdout` refuses partitioned tables. */
export const rowsOf = (source: Client, { table, columns }: Table) =>
  source.query(copyTo(`copy (select ${columns} from ${table}) to stdout`));

type Fill = {
  /** With the schema of the contents, in a transaction that the caller commits. */
  target: Client;
  contents: Contents;
  rows: (table: Table) => Readable;
  onTable: (table: string, rowCount: number) => void;
};

/** @throws Error if the target is not empty */
export async function fillTables({ target, contents, rows, onTable }: Fill): Promise<void> {
  const { tables, partitions, sequences } = contents;
  for (const { name, parent, bounds } of partitions)
    await target.query(`create table if not exists ${name} partition of ${parent} ${bounds}`);
  // Triggers that follow changes would delete rows, such as access tokens.
  for (const { table } of tables) await target.query(`alter table ${table} disable trigger user`);
  for (const made of madeByMigrations) await target.query(`delete from ${made}`);
  for (const { table } of tables) {
    const found = await target.query(`select exists (select from ${table}) as filled`);
    if (found.rows[0].filled)
      throw new Error(`The target is not empty: ${table} has rows. Use a new database.`);
  }
  for (const table of tables) {
    const sink = target.query(copyFrom(`copy ${table.table} (${table.columns}) from stdin`));
    await pipeline(rows(table), sink);
    onTable(table.table, sink.rowCount);
  }
  // One of others is not in the target.
  for (const { name, last_value } of sequences)
    await target.query('select setval(to_regclass($1), $2)', [name, last_value]);
  // A table with deferred checks that have not run cannot be altered.
  await target.query('set constraints all immediate');
  for (const { table } of tables) await target.query(`alter table ${table} enable trigger user`);
}

/** The target gets the rows of the source instead. */
const madeByMigrations = [
  'permission_group where partner_id is null',
  'event_type',
  'delivery_hour_progress',
  'webhook_policy',
  'setup',
];

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
      throw new Error(
        'The tables refer to each other in a circle, so no order can satisfy their foreign keys',
      );
    ordered.push(...free.map(({ table, columns }) => ({ table, columns })));
    left = left.filter(({ table }) => !isOrdered(table));
  }
  return ordered;
}

export async function copyDatabase(
  from: PoolConfig,
  to: PoolConfig,
  announce: (line: string) => void,
): Promise<void> {
  await migrate(from, announce);
  await migrateEmpty(to, ownMigrations(), announce);
  await migrate(to, announce);
  await openSession(from, (source) =>
    openSession(to, async (target) => {
      await source.query('begin isolation level repeatable read read only');
      await target.query('begin');
      await fillTables({
        target,
        contents: await readContents(source),
        rows: (table) => rowsOf(source, table),
        onTable: (table, rowCount) => announce(`${table}: ${rowCount} rows`),
      });
      await target.query('commit');
    }),
  );
  announce('Copied. Set DATABASE_URL to the target and start Concord with the same secrets.');
}
