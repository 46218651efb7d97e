// An upgrade while another session reads the tables for long.
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/base/postgres/migrations.ts';
import { createOlderDatabase } from './older-database.ts';

/** A database before the migration that locks several tables, and a session in a transaction. */
async function startReading() {
  const older = await createOlderDatabase('0034');
  const reader = new Client({ connectionString: older.url });
  await reader.connect();
  onTestFinished(() => reader.end().catch(() => {}));
  await reader.query('begin');
  return { older, reader };
}

it('I6: a migration that cannot lock a table lets others go on, and continues when the table is free', async () => {
  const { older, reader } = await startReading();
  await reader.query('select from event');
  const lines: string[] = [];
  const migrated = migrate({ connectionString: older.url }, (line) => lines.push(line));
  const waiting = `select from pg_locks join pg_database on pg_database.oid = database and datname = current_database() where not granted`;
  await expect.poll(async () => (await older.sql(waiting)).length).toBeGreaterThan(0);
  // It would wait as long as the reader if the migration went on waiting.
  await older.sql('select from event');
  await expect.poll(() => lines.at(-1)).toContain('The migration waits');
  await reader.query('rollback');
  await migrated;
  expect(await older.sql(`select from pg_constraint where conname = 'event_partner_id_fkey'`)).toEqual([]);
  await reader.end();
  await older.drop();
});

it('I6: a reader that then wants a table that the migration has locked does not end the start', async () => {
  const { older, reader } = await startReading();
  await reader.query('select from partner');
  const migrated = migrate({ connectionString: older.url }, () => {});
  const waiting = `select from pg_locks where not granted and relation = 'partner'::regclass
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await older.sql(waiting)).length, { interval: 5 }).toBeGreaterThan(0);
  // PostgreSQL ends one of the two: the one that finds the circle, which is the one that has waited for a
  // second.
  await reader.query('select from event').catch(() => {});
  await reader.query('rollback');
  await migrated;
  await reader.end();
  await older.drop();
});
