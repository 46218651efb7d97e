// The doctor's way into the database: read only, and never by starting a server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, type Database } from '../../../base/postgres/database.ts';
import { findRunningServer } from '../../../base/postgres/embedded/embedded-server.ts';
import { ownMigrations, readApplied } from '../../../base/postgres/migrations.ts';
import type { Config, Environment } from '../../config.ts';
import { judgeMigrations } from './database.ts';
import { error, type Finding, note } from './finding.ts';
import { doctorName } from './store.ts';

/** `db` null: it cannot be read, and `findings` say why. */
type Opened = { db: Database | null; hasSchema: boolean; findings: readonly Finding[] };

const closed = (finding: Finding): Opened => ({ db: null, hasSchema: false, findings: [finding] });

/** By the SQLSTATE of the refusal. */
const actions: Readonly<Record<string, string>> = {
  '28000': 'Correct the user in DATABASE_URL, or pg_hba.conf.',
  '28P01': 'Correct the user and the password in DATABASE_URL.',
  '3D000': 'Correct the database in DATABASE_URL, or create it (docs/operating/install.md).',
  '42501': 'Set DATABASE_URL to the role that owns the tables.',
  '53300':
    'Find out who holds the connections (pg_stat_activity), or raise max_connections or the limit of the role.',
};

export async function openDatabase(
  { DATABASE_URL: url, CONCORD_DATA_DIR: dataDir }: Config,
  environment: Environment,
): Promise<Opened> {
  // The embedded database is another one.
  if (url === null && (environment.DATABASE_URL || environment.DATABASE_URL_FILE))
    return closed(
      note('No database was examined: DATABASE_URL is wrong.', 'Correct it, and run doctor again.'),
    );
  try {
    const connection = url === null ? findEmbedded(dataDir) : { connectionString: url };
    if (connection === undefined)
      return closed(
        note(
          `No Concord runs on the data directory ${dataDir}, so the embedded database was not examined.`,
          'Run doctor again while Concord runs. With a database of your own, set DATABASE_URL.',
        ),
      );
    const applied = await readApplied(
      { ...connection, connectionTimeoutMillis: 5_000, query_timeout: 6_000, application_name: doctorName },
      { statement_timeout: '5s' },
    );
    const db = createDatabase({
      connection: { ...connection, application_name: doctorName },
      maxConnections: 3,
      // PostgreSQL refuses every write.
      settings: { default_transaction_read_only: 'on', statement_timeout: '8000' },
      onConnectionLost: () => {},
    });
    return {
      db,
      hasSchema: applied.length > 0,
      findings: judgeMigrations({ ours: ownMigrations(), applied }),
    };
  } catch (problem) {
    const { message, code } = problem as NodeJS.ErrnoException;
    const text = (message || String(code)).replace(/\.$/, '');
    if (url === null)
      return closed(
        error(
          `The embedded database cannot be reached: ${text}.`,
          `Look into its log in ${join(dataDir, 'postgres/log')}.`,
        ),
      );
    const { host } = new URL(url);
    const what = `The database${host === '' ? '' : ` at ${host}`}`;
    const action = actions[code ?? ''];
    return closed(
      action === undefined
        ? error(
            `${what} cannot be reached: ${text}.`,
            'Check DATABASE_URL, the server, and its pg_hba.conf. Every request is answered with 500 meanwhile.',
          )
        : error(`${what} refuses Concord: ${text}.`, action),
    );
  }
}

function findEmbedded(dataDir: string) {
  // Looking for a server could copy programs, so there must be this file.
  return existsSync(join(dataDir, 'postgres/postmaster.pid')) ? findRunningServer(dataDir) : undefined;
}
