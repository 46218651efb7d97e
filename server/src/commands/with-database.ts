// Opens the database for a command, whether Concord is running or not.
import type { Config } from '../config.ts';
import { connectDatabase } from '../postgres/connection.ts';
import { createDatabase, type Database } from '../postgres/database.ts';
import { migrate } from '../postgres/migrations.ts';

export async function withDatabase(
  config: Config,
  announce: (line: string) => void,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const { connection, stop } = await connectDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.CONCORD_DATA_DIR,
    progress: announce,
    onCrash: announce,
    share: true,
  });
  try {
    await migrate(connection, announce);
    const db = createDatabase({ connection, maxConnections: 1, onConnectionLost: () => {} });
    await work(db).finally(() => db.close());
  } finally {
    await stop();
  }
}
