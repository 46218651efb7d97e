// A database as an older version left it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../start-service.ts';

const migrations = join(import.meta.dirname, '../../migrations');

/** A database with the migrations before `next`, a number such as `0017`. */
export async function createOlderDatabase(next: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ migrated: false });
  const count = readdirSync(migrations).filter((file) => file.endsWith('.sql') && file < next).length;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await runner({
      dbClient: client,
      dir: migrations,
      direction: 'up',
      count,
      migrationsTable: 'schema_migration',
      log: () => {},
    });
  } finally {
    await client.end();
  }
  return database;
}
