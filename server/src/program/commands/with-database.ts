// Opens the database for a command, whether Concord is running or not.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditEntry, commandActor, recordAction } from '../../audit/index.ts';
import { type Connection, connectDatabase } from '../../base/postgres/connection.ts';
import { createDatabase, type Database, type Queryable } from '../../base/postgres/database.ts';
import { migrate, readApplied } from '../../base/postgres/migrations.ts';
import type { Config } from '../config.ts';

export type Command = {
  config: Config;
  announce: (line: string) => void;
  /** Progress, which is not the result. */
  report: (line: string) => void;
};

/** `mayCreate`: makes the database if there is none. */
type Options = Omit<Command, 'report'> & { mayCreate?: boolean };

export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }) !== undefined;

/** @throws Error when there is no database */
export const withDatabase = (options: Options, work: (db: Database) => Promise<void>): Promise<void> =>
  withConnection(options, async (connection) => {
    await migrate(connection, options.announce);
    await useDatabase(connection, work);
  });

export function useDatabase<T>(connection: Connection, work: (db: Database) => Promise<T>): Promise<T> {
  const db = createDatabase({ connection, maxConnections: 1, onConnectionLost: () => {} });
  return work(db).finally(() => db.close());
}

/** With the schema that it has. @throws Error when there is no database */
export async function withConnection(
  { config, announce, mayCreate = false }: Options,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  if (!mayCreate && config.DATABASE_URL === null && !hasEmbeddedDatabase(config.CONCORD_DATA_DIR)) {
    throw new Error(
      `There is no database in ${config.CONCORD_DATA_DIR}. Set CONCORD_DATA_DIR to the folder of the database, or start Concord first.`,
    );
  }
  const { connection, stop } = await connectDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.CONCORD_DATA_DIR,
    progress: announce,
    share: true,
  });
  try {
    if (!mayCreate && (await readApplied(connection)).length === 0) {
      throw new Error(
        'The database is empty. Set DATABASE_URL to the database of Concord, or start Concord first.',
      );
    }
    await work(connection);
  } finally {
    await stop();
  }
}

export const recordCommand = (
  on: Queryable,
  command: string,
  entry: Pick<AuditEntry, 'action' | 'outcome' | 'details'>,
): Promise<void> =>
  recordAction(on, { actor: commandActor(command), partnerId: null, target: null, ...entry });
