// Tests that hold a lock by hand wait here until the service waits for it.
import { expect } from 'vitest';
import type { TestDatabase } from './start-service.ts';

/** Resolves when so many connections of this database, and no other of the server, wait for a lock; `statement`: whose text has this in it. */
export const untilWaiting = ({ sql }: TestDatabase, count: number, statement = '') =>
  expect
    .poll(() =>
      sql(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
        [statement],
      ),
    )
    .toHaveLength(count);
