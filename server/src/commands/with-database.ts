// The database, for a command: the one of DATABASE_URL, or the embedded one, whether Concord is running or not.
import type { Config } from '../config.ts';
import { createDatabase, type Database } from '../postgres/database.ts';
import { findRunningServer, startEmbeddedServer } from '../postgres/embedded-server.ts';
import { migrate } from '../postgres/migrations.ts';

export async function withDatabase(
  config: Config,
  announce: (line: string) => void,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const { connection, stop } = await connect(config, announce);
  try {
    await migrate(connection, announce);
    const db = createDatabase({ connection, maxConnections: 1, onConnectionLost: () => {} });
    await work(db).finally(() => db.close());
  } finally {
    await stop();
  }
}

async function connect(config: Config, announce: (line: string) => void) {
  const stop = async () => {};
  if (config.DATABASE_URL !== null) return { connection: { connectionString: config.DATABASE_URL }, stop };
  const running = findRunningServer(config.CONCORD_DATA_DIR);
  if (running) return { connection: running, stop };
  return startEmbeddedServer({ dataDir: config.CONCORD_DATA_DIR, progress: announce, onCrash: announce });
}
