// The doctor at a PostgreSQL where a role may not do what Concord needs, or that has changed below its data.
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { newDataDir, runCommand } from '../stage/launch.ts';
import { newDatabase } from '../stage/new-database.ts';

async function examine(environment: Record<string, string>) {
  const settings = { CONCORD_DATA_DIR: newDataDir(), CONCORD_SECRETS: `1:${'x'.repeat(40)}`, ...environment };
  const { lines } = await runCommand(settings, ['doctor']);
  return lines.filter((line) => / (database|sessions): /.test(line) || line.startsWith('   ')).join('\n');
}

it('O45, O46: a role that does not own the tables is an error with what to do, and what it may not see is no ok', async () => {
  const database = await newDatabase();
  const role = `doctor_${randomUUID().replaceAll('-', '')}`;
  await database.sql(`create role ${role} login password 'hunter2'`);
  onTestFinished(async () => {
    await database.sql(`drop owned by ${role}`);
    await database.sql(`drop role ${role}`);
  });
  const url = new URL(database.url);
  url.username = role;
  url.password = 'hunter2';
  const doctor = () => examine({ DATABASE_URL: url.href });
  expect(await doctor()).toMatch(
    /error {3}database: The database.* refuses Concord: permission denied .*\n +Set DATABASE_URL to the role that owns/,
  );

  await database.sql(`grant select on all tables in schema public to ${role}`);
  const reader = await doctor();
  expect(reader).toContain('error   database: The tables belong to another role');
  expect(reader).toMatch(/note {4}sessions: Of \d+ sessions? of other roles/);
  await database.sql(`grant pg_read_all_stats to ${role}`);
  expect(await doctor()).not.toContain('of other roles');

  await database.sql(`alter role ${role} connection limit 0`);
  expect(await doctor()).toMatch(/refuses Concord: too many connections for role .*\n +Find out who holds/);
  const shown = await doctor();
  expect(shown).not.toContain('hunter2');
});

it('O45: a collation of another version is an error until the database knows it', async () => {
  const { url, sql } = await newDatabase();
  const complaint =
    /error {3}database: The order of texts has changed since the database was made \(collation 0, now \S+\)/;
  expect(await examine({ DATABASE_URL: url })).not.toMatch(complaint);
  await sql(`update pg_database set datcollversion = '0' where datname = current_database()`);
  expect(await examine({ DATABASE_URL: url })).toMatch(complaint);
});

it('O42: with a DATABASE_URL that is wrong, no other database is examined, and one behind a socket is named', async () => {
  const dataDir = newDataDir();
  const wrong = await examine({ DATABASE_URL: 'nonsense', CONCORD_DATA_DIR: dataDir });
  expect(wrong).toContain('note    database: No database was examined: DATABASE_URL is wrong.');
  expect(wrong).not.toContain('embedded');
  expect(await examine({ DATABASE_URL: `postgres:///concord?host=${encodeURIComponent(dataDir)}` })).toMatch(
    /error {3}database: The database cannot be reached: /,
  );
});
