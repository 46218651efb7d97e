// `database copy`: copies everything into an empty database, to leave the embedded server or to change the PostgreSQL version.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { connectDatabase } from '../postgres/connection.ts';
import { copyDatabase } from '../postgres/copy.ts';

type Options = { config: Config; to: string | undefined; announce: (line: string) => void };

export async function copyDatabaseCommand({ config, to, announce }: Options): Promise<void> {
  if (to === undefined)
    throw new Error('--to is missing: npm run concord -- database copy --to postgres://user:password@host:5432/database');
  const { DATABASE_URL: databaseUrl, CONCORD_DATA_DIR: dataDir } = config;
  if (databaseUrl !== null) {
    announce('Every Concord that uses this database must be stopped: the copy does not contain what they write meanwhile.');
  } else if (!lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false })) {
    throw new Error(`There is no database in ${dataDir}. Set CONCORD_DATA_DIR to the folder of the database to copy.`);
  }
  // Not shared, so that this fails while a Concord uses the data directory.
  const { connection, stop } = await connectDatabase({
    databaseUrl,
    dataDir,
    progress: announce,
    onCrash: announce,
  });
  try {
    await copyDatabase(connection, { connectionString: to }, announce);
  } finally {
    await stop();
  }
}
