// `database copy`: copies everything into an empty database.
import { parseDatabaseUrl } from '../../base/config-values.ts';
import { connectDatabase } from '../../base/postgres/connection.ts';
import { migrate } from '../../base/postgres/migrations.ts';
import { copyDatabase } from '../../base/postgres/tables.ts';
import { type Command, hasEmbeddedDatabase, recordCommand, useDatabase } from './with-database.ts';

type Options = Omit<Command, 'report'> & { to?: string };

export async function copyDatabaseCommand({ config, to, announce }: Options): Promise<void> {
  const {
    DATABASE_URL: databaseUrl,
    CONCORD_DATA_DIR: dataDir,
    CONCORD_DATABASE_COPY_URL: configured,
  } = config;
  const target = readTarget(to, configured);
  if (databaseUrl !== null) {
    announce(
      'Every Concord that uses this database must be stopped: the copy does not contain what they write meanwhile.',
    );
  } else if (!hasEmbeddedDatabase(dataDir)) {
    throw new Error(
      `There is no database in ${dataDir}. Set CONCORD_DATA_DIR to the folder of the database to copy.`,
    );
  }
  // Not shared: it must fail while a Concord uses the data directory.
  const { connection, stop } = await connectDatabase({ databaseUrl, dataDir, progress: announce });
  try {
    // Recorded first, so that both databases have it.
    await migrate(connection, announce);
    await useDatabase(connection, (db) =>
      recordCommand(db, 'database copy', { action: 'database.copy', outcome: 'intended' }),
    );
    await copyDatabase(connection, { connectionString: target }, announce);
  } finally {
    await stop();
  }
}

/** Every user of the machine can read arguments, so they must not hold a password. */
function readTarget(to: string | undefined, configured: string | null): string {
  if (to === undefined && configured !== null) return configured;
  const setting = 'CONCORD_DATABASE_COPY_URL';
  if (to === undefined)
    throw new Error(`The target is missing: set ${setting} to postgres://user:password@host:5432/database.`);
  if (configured !== null) throw new Error(`--to must not be set together with ${setting}.`);
  const url = parseTarget(to);
  if (url.password || url.searchParams.has('password')) {
    throw new Error(
      `--to must not have a password, which other users of the machine could read. Set ${setting} to the URL instead.`,
    );
  }
  return to;
}

function parseTarget(to: string): URL {
  try {
    return new URL(parseDatabaseUrl(to));
  } catch (error) {
    throw new Error(`--to ${(error as Error).message}`, { cause: error });
  }
}
