// `restore`: fills an empty data directory, or an empty database, with a backup.
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseSecrets } from '../../base/config-values.ts';
import { hasCode } from '../../base/errors.ts';
import { recordBackup } from '../../base/postgres/backup/last.ts';
import { verifyBackup } from '../../base/postgres/backup/read.ts';
import { restoreBackup } from '../../base/postgres/backup/restore.ts';
import { type Connection, prepareDataDir } from '../../base/postgres/connection.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { diskOfCluster } from '../../base/postgres/embedded/cluster.ts';
import { ownMigrations } from '../../base/postgres/migrations.ts';
import { makeDatabase, refuseDatabase } from '../../base/postgres/new-database.ts';
import { hasSecrets, keepSecrets, requireSecrets } from '../../base/secrets/index.ts';
import { readRestored } from '../../webhooks/index.ts';
import { type Config, secretSettingsOf } from '../config.ts';
import { formatCount, formatMegabytes, reportEvery } from './progress.ts';
import { type Command, recordCommand, useDatabase } from './with-database.ts';

type Options = Command & { from?: string };
type Manifest = Awaited<ReturnType<typeof verifyBackup>>['manifest'];

export async function restoreCommand({ config, from, announce, report }: Options): Promise<void> {
  if (from === undefined) throw new Error('Name the file: npm run concord -- restore --from FILE');
  const { CONCORD_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  const path = resolve(from);
  if (databaseUrl === null) refuseDatabase(dataDir);
  report('Checking the backup…');
  const tell = reportEvery(report);
  const { manifest, end } = await verifyBackup(path, ({ bytes }) =>
    tell(`Checked ${formatMegabytes(bytes)}`),
  );
  refuseOtherSchema(manifest);
  const takesSecrets = checkSecrets(manifest, config);
  const keep = () => {
    if (takesSecrets && manifest.secrets !== null) keepSecrets(dataDir, manifest.secrets);
    // Another process may have made some since the first look.
    checkSecrets(manifest, config);
  };
  let holds = false;
  const record = async (on: Queryable) => {
    await recordCommand(on, 'restore', {
      action: 'database.restore',
      details: { taken_at: manifest.taken_at },
    });
    await recordBackup(on, manifest.taken_at);
  };
  // With the rows, but for an earlier schema, which may lack what is written.
  const isCurrent = manifest.migrations.length === ownMigrations().length;
  const fill = async (connection: Connection, ready: () => void) => {
    await restoreBackup({
      connection,
      path,
      progress: report,
      ready: async (on) => {
        ready();
        if (isCurrent) await record(on);
      },
      onBytes: ({ table, bytes }) =>
        tell(`Restored ${formatMegabytes(bytes)} of ${formatMegabytes(end.bytes)} (${table})`),
    });
    await useDatabase(connection, async (db) => {
      if (!isCurrent) await record(db);
      holds = (await readRestored(db)).state !== 'none';
    });
  };
  prepareDataDir(dataDir);
  try {
    if (databaseUrl === null) {
      await makeDatabase({
        dataDir,
        progress: report,
        prepare: () => refuseSmallDisk(diskOfCluster(dataDir), manifest),
        fill: (connection) => fill(connection, () => {}),
        ready: keep,
      });
    } else {
      await fill({ connectionString: databaseUrl }, keep);
    }
  } catch (error) {
    throw hasCode(error, 'ENOSPC', 'EDQUOT', diskFull)
      ? new Error('There is no space for the database. Nothing was restored. Make space, and restore again.')
      : error;
  }
  announce(
    `Restored ${formatCount(end.rows)} rows, as of ${manifest.taken_at}. Start Concord with the same secrets.`,
  );
  announce('All sessions have ended.');
  if (!holds) return;
  announce(
    'Deliveries and mails that waited in the backup are held until an operator chooses, in the console or with a command:',
  );
  announce('  npm run concord -- pending send    or    npm run concord -- pending fail');
}

function refuseOtherSchema({ migrations, concord }: Manifest): void {
  const ours = ownMigrations();
  const unknown = migrations.find((name) => !ours.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `Concord ${concord} wrote the backup, with the migration ${unknown}, which this Concord does not have. Restore it with version ${concord}.`,
    );
  if (migrations.some((name, index) => name !== ours[index]))
    throw new Error(
      `The schema of the backup is not one of this Concord. Restore it with the version that wrote it (${concord}).`,
    );
}

/** Returns whether to keep the secrets of the backup. @throws Error when secrets are missing or differ */
function checkSecrets(manifest: Manifest, config: Config): boolean {
  const settings = secretSettingsOf(config);
  const known = manifest.secret_checks.map(({ version, check_value }) => ({
    version,
    check_value: Buffer.from(check_value, 'hex'),
  }));
  if (manifest.secrets !== null && !hasSecrets(settings)) {
    requireSecrets({ ...settings, known, configured: readGiven(manifest.secrets) });
    return true;
  }
  // A database that no service has used has no secrets.
  if (known.length > 0) requireSecrets({ known, ...settings });
  return false;
}

function readGiven(text: string): ReturnType<typeof parseSecrets> {
  try {
    return parseSecrets(text);
  } catch (cause) {
    throw new Error(`The secrets in the backup cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

/** SQLSTATE. */
const diskFull = '53100';

/** The log of the server meanwhile (new-database.ts), and a cluster without rows. */
const [walBytes, emptyBytes] = [1_000_000_000, 100_000_000];

async function refuseSmallDisk(folder: string, { database_bytes: bytes }: Manifest): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [free, needed] = [bavail * bsize, bytes + Math.min(bytes, walBytes) + emptyBytes];
  if (free < needed)
    throw new Error(
      `There is no space in ${folder}: a restore needs ${formatMegabytes(needed)}, and ${formatMegabytes(free)} are free.`,
    );
}
