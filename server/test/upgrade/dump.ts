// A database as a released version left it: data that were made through its API (tools/make-dump.ts), and the
// migrations of then.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { hashMigration, migrateEmpty } from '../../src/base/postgres/migrations.ts';
import { tablesInOrder } from '../../src/base/postgres/tables.ts';
import { createTestDatabase, type TestDatabase } from '../stage/start-service.ts';

export type Dump = {
  commit: string;
  /** In order. `hash`: see hashMigration. */
  migrations: { name: string; hash: string }[];
  partitions: string[];
  sequences: { name: string; value: string }[];
  /** Each after the tables that it references. `rows`: as COPY writes them. */
  tables: { table: string; columns: string; rows: string }[];
  facts: Facts;
};

/** What the program was asked to make. */
export type Facts = {
  partner: string;
  /** A member who has signed up and accepted. */
  member: { email: string; agreement: string; accessToken: string };
  serviceToken: string;
  endpoint: string;
  /** The kids of the JWKS. */
  kids: string[];
  /** Events that were delivered, and one that every attempt has failed to deliver so far. */
  events: { delivered: string[]; pending: string };
};

export const operator = { email: 'operator@concord.test', password: 'a password for the tests' };
export const memberPassword = 'a password of a member';
export const secrets = `1:${'d'.repeat(40)}`;

const folder = join(import.meta.dirname, 'dumps');
const migrations = join(import.meta.dirname, '../../migrations');

/** The names of all dumps: each is that of its last migration. */
export const dumpNames = readdirSync(folder).map((file) => file.replace(/\.json\.gz$/, ''));

export const readDump = (name: string) =>
  JSON.parse(gunzipSync(readFileSync(join(folder, `${name}.json.gz`))).toString()) as Dump;

/** Today's migrations up to the last one of the dump. */
export const migrationsUpTo = (last: string) => readMigrations(migrations).filter(({ name }) => name <= last);

const readMigrations = (dir: string) =>
  readdirSync(dir)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => ({
      name: file.slice(0, -'.sql'.length),
      hash: hashMigration(readFileSync(join(dir, file), 'utf8')),
    }));

/** Everything in a database that the migrations of this folder have made. */
export async function readDatabase(client: Client, dir: string): Promise<Omit<Dump, 'commit' | 'facts'>> {
  const tables: Dump['tables'] = [];
  for (const { table, columns } of await tablesInOrder(client)) {
    const rows = await text(client.query(copyTo(`copy (select ${columns} from ${table}) to stdout`)));
    if (rows !== '') tables.push({ table, columns, rows });
  }
  const partitions = await client.query<{ statement: string }>(`
    select format('create table if not exists %s partition of %s %s', c.oid::regclass, inhparent::regclass, pg_get_expr(relpartbound, c.oid)) as statement
    from pg_inherits join pg_class c on c.oid = inhrelid where c.relkind = 'r'`);
  const sequences = await client.query<{ name: string; value: string }>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
    where schemaname in ('public', 'auth') and last_value is not null`);
  return {
    migrations: readMigrations(dir),
    partitions: partitions.rows.map(({ statement }) => statement),
    sequences: sequences.rows,
    tables,
  };
}

/** A database with the schema and the rows of the dump. */
export async function restoreDump({
  migrations: applied,
  partitions,
  sequences,
  tables,
}: Dump): Promise<TestDatabase> {
  const database = await createTestDatabase({ migrated: false });
  await migrateEmpty(
    { connectionString: database.url },
    applied.map(({ name }) => name),
    () => {},
  );
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('begin');
    for (const statement of partitions) await client.query(statement);
    const all = await client.query<{ name: string }>(`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'auth') and c.relname <> 'schema_migration'`);
    const names = all.rows.map(({ name }) => name);
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    // Rows that migrations insert are in the dump too.
    await client.query(`truncate ${names.join(', ')}`);
    for (const { table, columns, rows } of tables)
      await pipeline(Readable.from([rows]), client.query(copyFrom(`copy ${table} (${columns}) from stdin`)));
    for (const { name, value } of sequences)
      await client.query('select setval($1::regclass, $2)', [name, value]);
    await client.query('set constraints all immediate');
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    await client.query('commit');
  } finally {
    await client.end();
  }
  return database;
}
