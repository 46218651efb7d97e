// Databases of one test, and pools on them. Both end with the test.
import { onTestFinished } from 'vitest';
import { createDatabase, type DatabaseOptions } from '../../src/base/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from './start-service.ts';

export async function newDatabase(options = {}): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  onTestFinished(() => database.drop());
  return database;
}

export function openDatabase(url: string, options: Partial<DatabaseOptions> = {}) {
  const db = createDatabase({
    connection: { connectionString: url },
    onConnectionLost: () => {},
    ...options,
  });
  onTestFinished(() => db.close());
  return db;
}
