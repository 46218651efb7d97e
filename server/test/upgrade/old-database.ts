// A database as an older version left it, for tests of upgrades.
import { readdirSync } from 'node:fs';
import { runner } from 'node-pg-migrate';
import { createTestDatabase, type TestDatabase } from '../start-service.ts';

const dir = new URL('../../migrations', import.meta.url).pathname;

/** Has every migration before `first`, such as `0022`. A service that starts with it runs the others. */
export async function createOldDatabase(first: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ migrated: false });
  const count = readdirSync(dir).filter((file) => file < first).length;
  await runner({
    databaseUrl: database.url,
    dir,
    direction: 'up',
    migrationsTable: 'schema_migration',
    count,
    singleTransaction: true,
    log: () => {},
  });
  return database;
}
