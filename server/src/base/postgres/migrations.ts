// Migrates the database to this program's schema. An advisory lock lets one instance migrate.
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, PoolConfig } from 'pg';
import { hasCode } from '../errors.ts';
import { openSession } from './long-session.ts';

const migrationsDir = join(import.meta.dirname, '../../../migrations');
const table = 'schema_migration';

export const ownMigrations = (folder = migrationsDir): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();

/**
 * By table, the words of its statements: at least the names of its columns. Also tables that were removed again,
 * without partitions.
 */
export function ownTables(): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  const text = ownMigrations()
    .map((name) => readFileSync(join(migrationsDir, `${name}.sql`), 'utf8'))
    .join('\n');
  const made = /^ *(?:create(?: unlogged)? table|alter table(?: \S+ rename to)?) ([^\s(;]+)[\s\S]*?;$/gm;
  for (const [statement, table = ''] of text.matchAll(made))
    words.set(table, new Set([...(words.get(table) ?? []), ...(statement.match(/\w+/g) ?? [])]));
  return words;
}

/** Of the text without comments and white space: they can be reworded later. */
export const hashMigration = (text: string) =>
  createHash('sha256').update(text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()).digest('hex');

export const migrationsName = 'concord migrations';

/** @throws Error, and changes nothing, if a newer program has migrated the database */
export async function migrate(
  connection: PoolConfig,
  progress: (line: string) => void,
  folder = migrationsDir,
): Promise<void> {
  const ours = ownMigrations(folder);
  await openSession({ application_name: migrationsName, ...connection }, async (client) => {
    await refuseServer(client, connection);
    if (missing(ours, await appliedMigrations(client, folder)).length > 0)
      await run(client, progress, ours, folder);
    await makeTextIndexes(client, progress);
  });
}

/** What the database lacks. @throws Error if it has another one */
function missing(ours: readonly string[], applied: readonly string[]): readonly string[] {
  const mismatch = findMismatch(ours, applied);
  if (mismatch) throw new Error(mismatch.join(' '));
  return ours.slice(applied.length);
}

/** Why this program refuses the database, and what to do. */
export function findMismatch(
  ours: readonly string[],
  applied: readonly string[],
): [reason: string, action: string] | undefined {
  const unknown = applied.findLast((name) => !ours.includes(name));
  if (unknown !== undefined)
    return [
      `The database has the migration ${unknown}, which this Concord does not have.`,
      unknown.endsWith(ofOtherText)
        ? 'Start the build that made it, or begin with an empty database.'
        : 'Start the version that made it, or a later one. A database cannot be migrated back.',
    ];
  return applied.some((name, index) => name !== ours[index])
    ? [`The database lacks a migration that comes before ${applied.at(-1)}.`, 'Restore a backup.']
    : undefined;
}

/** Makes a schema of this or an earlier program. @throws Error if the database is not empty */
export async function migrateEmpty(
  connection: PoolConfig,
  names: readonly string[],
  progress: (line: string) => void,
): Promise<void> {
  await openSession({ application_name: migrationsName, ...connection }, async (client) => {
    await refuseServer(client, connection);
    const applied = await appliedMigrations(client);
    // A restore that was interrupted leaves the empty schema. The rows are checked later.
    if (applied.join() === names.join()) return;
    const { rows } = await client.query(
      `select from pg_class join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'auth') and relkind in ('r', 'p') limit 1`,
    );
    if (rows.length > 0) throw new Error('The target is not empty: it has tables. Use a new database.');
    await run(client, progress, names, migrationsDir);
  });
}

/** Others queue behind a migration that waits for a table, so it waits briefly and tries again. */
const lockTimeoutMs = 2_000;
const betweenTriesMs = 3_000;

async function run(
  client: Client,
  progress: (line: string) => void,
  names: readonly string[],
  folder: string,
): Promise<void> {
  progress('Migrating the database to this version…');
  await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  for (;;) {
    try {
      await runOnce(client, names, folder);
      break;
    } catch (error) {
      await client.query('rollback');
      if (!hasCode(error, ...lostLocks)) throw error;
      progress(
        'Another session holds a lock: an older instance, a backup, or another start. The migration waits for it…',
      );
      await delay(betweenTriesMs);
    }
  }
  await client.query('set lock_timeout = 0');
}

/** One transaction: a process that dies leaves the schema as it was. */
async function runOnce(client: Client, names: readonly string[], folder: string): Promise<void> {
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtextextended('concord migrations', 0))`);
  await client.query(
    `create table if not exists public.${table} (name text collate "C" primary key, run_on timestamptz not null default now(), hash text)`,
  );
  // Only a table that is older than the column: the doctor and other starts read it during the migration.
  await client.query(
    `do $$ begin
      if not exists (select from pg_attribute where attrelid = 'public.${table}'::regclass and attname = 'hash')
      then alter table public.${table} add column hash text; end if;
    end $$`,
  );
  // Another start may have migrated meanwhile.
  for (const name of missing(names, await appliedMigrations(client, folder))) {
    const text = readFileSync(join(folder, `${name}.sql`), 'utf8');
    try {
      await client.query(text);
    } catch (error) {
      if (error instanceof Error) error.message = `The migration ${name} failed: ${error.message}`;
      throw error;
    }
    await client.query(`insert into public.${table} (name, hash) values ($1, $2)`, [
      name,
      hashMigration(text),
    ]);
  }
  await client.query('commit');
}

/** lock_not_available, and deadlock_detected. */
const lostLocks = ['55P03', '40P01'];

/** The extension can come later, so each start tries. */
async function makeTextIndexes(client: Client, progress: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>('select make_text_indexes() as made');
  if (rows[0]?.made) return;
  progress(
    'The database lacks the extension pg_trgm, so search and text filters read whole tables. ' +
      'Install it (package postgresql-contrib), let a role with the right run "create extension pg_trgm", and start Concord again.',
  );
}

export async function requireOwnSchema(connection: PoolConfig): Promise<void> {
  const applied = await readApplied(connection);
  if (applied.join() !== ownMigrations().join())
    throw new Error(
      `The database has the schema of another Concord (its last migration is ${applied.at(-1)}). Use the version that has last started on it.`,
    );
}

/** Empty if Concord has never used the database. Changes nothing. */
export const readApplied = (
  connection: PoolConfig,
  settings?: Readonly<Record<string, string>>,
): Promise<string[]> => openSession(connection, (client) => appliedMigrations(client), settings);

async function refuseServer(client: Client, connection: PoolConfig): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
       current_setting('server_encoding') as encoding`,
  );
  const [{ number, name, encoding }] = rows;
  if (number < 170_000)
    throw new Error(`The database server is PostgreSQL ${name}; Concord requires 17 or later.`);
  if (encoding !== 'UTF8')
    throw new Error(
      `The database has the encoding ${encoding}; Concord requires UTF8. Create it with: encoding 'UTF8' template template0`,
    );
  await refusePooler(client, connection);
}

/** In transaction mode the next client gets our session, with what we have set in it. */
async function refusePooler(client: Client, connection: PoolConfig): Promise<void> {
  const mark = randomUUID();
  await client.query(`select set_config('concord.session', $1, false)`, [mark]);
  await openSession({ application_name: migrationsName, ...connection }, async (other) => {
    const { rows } = await other.query(`select current_setting('concord.session', true) as found`);
    if (rows[0].found === mark)
      throw new Error(
        'The connection pooler of the database works in transaction mode; Concord requires session mode (PgBouncer: pool_mode = session).',
      );
  });
}

const ofOtherText = ' of another build';

/** A migration that had another text has another name here, which no program knows. */
async function appliedMigrations(client: Client, folder = migrationsDir): Promise<string[]> {
  const { rows } = await client.query('select to_regclass($1) as present', [`public.${table}`]);
  if (rows[0].present === null) return [];
  const ours = ownMigrations(folder);
  // A database that is older than the column has no hash.
  const applied = await client.query<{ name: string; hash: string | null }>(
    `select name, to_jsonb(each) ->> 'hash' as hash from public.${table} as each order by name`,
  );
  return applied.rows.map(({ name, hash }) =>
    hash === null ||
    !ours.includes(name) ||
    hash === hashMigration(readFileSync(join(folder, `${name}.sql`), 'utf8'))
      ? name
      : `${name}${ofOtherText}`,
  );
}
