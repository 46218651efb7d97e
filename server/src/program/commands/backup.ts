// `backup`: writes everything into one file while Concord runs, or checks such a file.
import { resolve } from 'node:path';
import { refuseExisting } from '../../base/postgres/backup/file.ts';
import { recordBackup } from '../../base/postgres/backup/last.ts';
import { verifyBackup } from '../../base/postgres/backup/read.ts';
import { writeBackup } from '../../base/postgres/backup/write.ts';
import type { Connection } from '../../base/postgres/connection.ts';
import { requireOwnSchema } from '../../base/postgres/migrations.ts';
import { requireSecrets, selectChecks } from '../../base/secrets/index.ts';
import { version } from '../../base/version.ts';
import { type Config, secretSettingsOf } from '../config.ts';
import { formatCount, formatMegabytes, reportEvery } from './progress.ts';
import { type Command, recordCommand, useDatabase, withConnection } from './with-database.ts';

type Options = Command & { to?: string; verify?: string; 'with-secrets'?: boolean };

export async function backupCommand({ to, verify, ...options }: Options): Promise<void> {
  if ((to === undefined) === (verify === undefined))
    throw new Error(
      'Name one file: npm run concord -- backup --to FILE, or npm run concord -- backup --verify FILE',
    );
  if (verify !== undefined) await checkFile(resolve(verify), options);
  if (to !== undefined) await writeFile(resolve(to), options);
}

async function checkFile(
  path: string,
  { 'with-secrets': withSecrets, announce, report }: Options,
): Promise<void> {
  if (withSecrets) throw new Error('--with-secrets is for backup --to FILE.');
  const tell = reportEvery(report);
  const { manifest, end } = await verifyBackup(path, ({ table, bytes }) =>
    tell(`Read ${formatMegabytes(bytes)} (${table})`),
  );
  const secrets = manifest.secrets === null ? 'It has no secrets' : 'It has the secrets';
  announce(
    `${path} is complete: ${formatCount(end.rows)} rows in ${manifest.tables.length} tables, ${formatMegabytes(end.bytes)}.`,
  );
  announce(`Concord ${manifest.concord} wrote it, as of ${manifest.taken_at}. ${secrets}.`);
}

async function writeFile(
  path: string,
  { config, 'with-secrets': withSecrets = false, announce, report }: Options,
): Promise<void> {
  const tell = reportEvery(report);
  await refuseExisting(path);
  await withConnection({ config, announce: report }, async (connection) => {
    await requireOwnSchema(connection);
    const secrets = withSecrets ? await readSecrets(connection, config) : null;
    // Written first, so that the backup has it.
    const about = {
      action: 'database.backup',
      outcome: 'intended',
      details: { with_secrets: withSecrets },
    } as const;
    await useDatabase(connection, (db) => recordCommand(db, 'backup', about));
    const written = await writeBackup({
      connection,
      path,
      version,
      secrets,
      onProgress: ({ table, bytes }) => tell(`Copied ${formatMegabytes(bytes)} (${table})`),
    });
    announce(
      `${path} has ${formatCount(written.rows)} rows, ${formatMegabytes(written.bytes)} in ${formatMegabytes(written.size)}.`,
    );
    await useDatabase(connection, (db) => recordBackup(db, written.takenAt)).catch((error: Error) =>
      announce(
        `The backup is complete, but its time could not be written to the database (${error.message}). Metrics still show the age of the previous backup.`,
      ),
    );
    if (!withSecrets)
      announce(
        'It does not have the secrets, and cannot be restored without them. Keep them in another place.',
      );
  });
}

async function readSecrets(connection: Connection, config: Config): Promise<string> {
  const known = await useDatabase(connection, selectChecks);
  const secrets = requireSecrets({ known, ...secretSettingsOf(config) });
  return secrets.map(({ version: number, value }) => `${number}:${value}`).join(',');
}
