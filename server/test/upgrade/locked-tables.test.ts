// An upgrade while another session reads the tables for long.
import { Client } from 'pg';
import sql from 'sql-template-tag';
import { expect, it, onTestFinished } from 'vitest';
import { migrate, readApplied } from '../../src/base/postgres/migrations.ts';
import { waiters } from '../stage/locks.ts';
import { newDatabase } from '../stage/new-database.ts';
import { makeNextMigrations, nextStep } from './next-step.ts';

/** A database before the step that locks two tables, and a session in a transaction. */
async function startReading() {
  const migrations = makeNextMigrations();
  const older = await newDatabase();
  const reader = new Client({ connectionString: older.url });
  await reader.connect();
  onTestFinished(() => reader.end().catch(() => {}));
  await reader.query('begin');
  const lines: string[] = [];
  const upgrade = () => migrate({ connectionString: older.url }, (line) => void lines.push(line), migrations);
  return { older, reader, lines, upgrade };
}

const hasStep = `select from pg_attribute where attrelid = 'event'::regclass and attname = 'of_next_step'`;

it('I6: a migration that cannot lock a table lets others go on, and continues when the table is free', async () => {
  const { older, reader, lines, upgrade } = await startReading();
  await reader.query('select from event');
  const migrated = upgrade();
  await expect.poll(() => waiters(older)).not.toHaveLength(0);
  // It would wait as long as the reader if the migration went on waiting.
  await older.sql('select from event');
  await expect.poll(() => lines.at(-1)).toContain('The migration waits');
  await reader.query('rollback');
  await migrated;
  expect(await older.sql(hasStep)).toEqual([{}]);
  await reader.end();
});

it('I6: a reader that then wants a table that the migration has locked does not end the start', async () => {
  const { older, reader, upgrade } = await startReading();
  await reader.query('select from partner');
  const migrated = upgrade();
  await expect.poll(() => waiters(older), { interval: 5 }).not.toHaveLength(0);
  // PostgreSQL ends one of the two: the one that finds the circle, which is the one that has waited for a
  // second.
  await reader.query('select from event').catch(() => {});
  await reader.query('rollback');
  await migrated;
  await reader.end();
});

it('I6: a statement that PostgreSQL ends because of the locks of a migration runs again', async () => {
  const older = await newDatabase();
  await older.sql(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''3s''', current_database()); end $$`,
  );
  const migration = new Client({ connectionString: older.url });
  await migration.connect();
  onTestFinished(() => migration.end().catch(() => {}));
  // The statement finds the circle.
  await migration.query(`set deadlock_timeout = '1min'`);
  const db = older.open();
  onTestFinished(db.close);
  for (const ask of [db, db.pipelined]) {
    await migration.query('begin; lock table partner');
    const read = ask.query(sql`select count(*)::int from event, partner`);
    await expect.poll(() => waiters(older)).not.toHaveLength(0);
    await migration.query('lock table event');
    await migration.query('commit');
    expect(await read).toEqual([{ count: 0 }]);
  }
});

it('I6: a migration that fails, or whose session is killed, leaves the schema as it was', async () => {
  const older = await newDatabase();
  const connection = { connectionString: older.url };
  const change = 'alter table event add column of_next_step integer;';
  const failing = makeNextMigrations(`${change}\nselect 1 / 0;`);
  await expect(migrate(connection, () => {}, failing)).rejects.toThrow(`The migration ${nextStep} failed`);
  expect(await older.sql(hasStep)).toEqual([]);

  const slow = makeNextMigrations(`${change}\nselect pg_sleep(60);`);
  const killed = migrate(connection, () => {}, slow).catch(String);
  const working = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await expect.poll(async () => (await older.sql(working)).length).toBe(1);
  // The doctor and another start read meanwhile how far it is.
  expect(await readApplied(connection, { lock_timeout: '1s' })).not.toContain(nextStep);
  await older.sql(`select pg_terminate_backend(pid) from (${working}) as each`);
  // PgBouncer has its own words.
  expect(await killed).toMatch(/terminat|server conn crashed/);
  expect(await older.sql(hasStep)).toEqual([]);
  await migrate(connection, () => {}, makeNextMigrations());
  expect(await older.sql(hasStep)).toEqual([{}]);
});
