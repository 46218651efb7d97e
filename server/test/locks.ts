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

/** A transaction of another client that has run this statement. `end` rolls back what is not committed. */
export async function hold(
  database: TestDatabase,
  statement: string,
  values: unknown[] = [],
): Promise<Client> {
  const client = await database.connect();
  await client.query('begin');
  await client.query(statement, values);
  return client;
}

/** Events of this condition on `new` commit when no test holds the advisory lock 4711. */
export const holdEvents = ({ sql }: TestDatabase, condition: string) =>
  sql(`
    create function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(4711); return null; end $$;
    create trigger wait_for_test after insert on event for each row when (${condition}) execute function wait_for_test()`);
