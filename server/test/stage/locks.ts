// Lets a test that holds a lock by hand wait until the service waits for that lock.
import type { Client } from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from './start-service.ts';

/**
 * Resolves when `count` connections of this database wait for a lock; with `statement`, only those whose SQL
 * contains it. Then no transaction may be open on the connection of `sql`: PostgreSQL shows the statements that a
 * transaction saw at its first look.
 */
export const untilWaiting = ({ sql }: TestDatabase, count: number, statement = '') =>
  expect
    .poll(() =>
      sql(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
        [statement],
      ),
    )
    .toHaveLength(count);

/** Of rows of `pg_locks`, which has those of all databases, whose tables can have the same numbers. */
export const ofThisDatabase = 'database = (select oid from pg_database where datname = current_database())';

/**
 * The processes that wait for a table, a sequence or an advisory lock of this database. A transaction may be open on
 * the connection of `sql`.
 */
export const waiters = ({ sql }: Pick<TestDatabase, 'sql'>): Promise<{ pid: number }[]> =>
  sql(`select pid from pg_locks where not granted and ${ofThisDatabase}`);

/** `commit`: of a transaction that has inserted into the table. `when`: SQL about `old` or `new`. */
export type Stop = { table: string; event: 'insert' | 'update' | 'delete' | 'commit'; when?: string };

/**
 * Stops the next transaction that does this. `reached` resolves when it waits; `release` lets it go on, and
 * stops no other.
 */
export async function stopAt(database: TestDatabase, { table, event, when = 'true' }: Stop) {
  const { sql } = database;
  await sql('select pg_advisory_lock(4711)');
  await sql(`
    create function stop_for_test() returns trigger language plpgsql as $$
      begin if ${when} then perform pg_advisory_xact_lock(4711); end if; return coalesce(new, old); end $$`);
  await sql(
    event === 'commit'
      ? `create constraint trigger stop_for_test after insert on ${table} deferrable initially deferred for each row execute function stop_for_test()`
      : `create trigger stop_for_test before ${event} on ${table} for each row execute function stop_for_test()`,
  );
  return {
    reached: () => expect.poll(() => waiters(database)).toHaveLength(1),
    async release() {
      await sql('select pg_advisory_unlock(4711)');
      await sql('drop function stop_for_test() cascade');
    },
  };
}

/** A transaction of another client that has run this statement. `end` rolls back what is not committed. */
export async function hold(database: TestDatabase, statement: string, values: unknown[] = []) {
  const client = await database.connect();
  await client.query('begin');
  await client.query(statement, values);
  return client;
}

export async function commit(client: Client) {
  await client.query('commit');
  await client.end();
}

/** Another client runs this statement before the request, and commits it when the request waits for it. */
export async function meanwhile<T>(
  database: TestDatabase,
  statement: string,
  values: unknown[],
  request: () => Promise<T>,
) {
  const client = await hold(database, statement, values);
  const answer = request();
  await untilWaiting(database, 1);
  await commit(client);
  return answer;
}

/** Events of this condition on `new` commit when no test holds the advisory lock 4711. */
export const holdEvents = ({ sql }: TestDatabase, condition: string) =>
  sql(`
    create or replace function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(4711); return null; end $$;
    create or replace trigger wait_for_test after insert on event for each row when (${condition}) execute function wait_for_test()`);

/** Ends that. The trigger stays: to drop it locks tables, which can end in a deadlock with the service. */
export const letEventsGo = ({ sql }: TestDatabase) =>
  sql(
    `create or replace function wait_for_test() returns trigger language plpgsql as $$ begin return null; end $$`,
  );
