// `doctor`: says what is wrong with the installation and what to do. Changes nothing.

import { hasCode } from '../../../base/errors.ts';
import { selectQueue } from '../../../base/mail/index.ts';
import { selectBackupAge } from '../../../base/postgres/backup/last.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { within } from '../../../base/within.ts';
import { readClockDifference, selectInstances } from '../../../insight/status/index.ts';
import { selectMissingWeeks } from '../../../webhooks/index.ts';
import { listKeys } from '../../../webhooks/signing-keys/index.ts';
import { type Config, type Environment, signingSettingsOf } from '../../config.ts';
import { openDatabase } from './connection.ts';
import { judgeBackup, judgeServer, judgeSessions, judgeTables } from './database.ts';
import { type Check, countOf, type Finding, type Level, levels, note } from './finding.ts';
import { checkDisk, checkMachine } from './host.ts';
import { judgeClock, judgeInstances } from './instances.ts';
import { checkSigner, judgeKeys } from './keys.ts';
import { checkEgress, checkMailServer, judgeMailQueue } from './network.ts';
import { type Report, runChecks } from './run-checks.ts';
import { checkSecrets } from './secrets.ts';
import { judgeSettings, readSettings } from './settings.ts';
import {
  selectDatabaseAge,
  selectDeadRows,
  selectInvalidIndexes,
  selectServer,
  selectSessions,
} from './store.ts';

type Options = { environment: Environment; json?: boolean | undefined; announce: (line: string) => void };

/** Returns whether there is no error. */
export async function doctorCommand({ environment, json, announce }: Options): Promise<boolean> {
  const { config, ...settings } = readSettings(environment);
  const reports = await examine(config, environment, settings);
  const all = reports.flatMap(({ findings }) => findings);
  const counts = Object.fromEntries(
    levels.map((level) => [level, all.filter((each) => each.level === level).length]),
  ) as Record<Level, number>;
  if (json)
    announce(
      JSON.stringify(
        {
          counts,
          findings: reports.flatMap(({ area, findings }) =>
            findings.map((finding) => ({ area, ...finding })),
          ),
        },
        null,
        2,
      ),
    );
  else print(reports, counts, announce);
  return counts.error === 0;
}

function print(
  reports: readonly Report[],
  counts: Record<Level, number>,
  announce: (line: string) => void,
): void {
  for (const { area, findings } of reports)
    for (const { level, text, action } of findings) {
      announce(`${level.padEnd(7)} ${area}: ${text}`);
      if (action !== null) announce(`        ${action}`);
    }
  announce(
    `${countOf(counts.error, 'error')}, ${countOf(counts.warning, 'warning')}, ${countOf(counts.note, 'note')}, ${counts.ok} ok.`,
  );
}

const databasePatienceMs = 15_000;
const networkPatienceMs = 12_000;

async function examine(
  config: Config,
  environment: Environment,
  settings: { faults: readonly string[]; warnings: readonly string[] },
): Promise<Report[]> {
  const opened = openDatabase(config, environment);
  /** Null: it is away or empty. */
  const database = opened.then(({ db, hasSchema }) => (hasSchema ? db : null));
  const check = (area: string, timeoutMs: number, run: Check['run']): Check => ({ area, timeoutMs, run });
  const inDatabase = (area: string, run: (db: Database) => Promise<readonly Finding[]>) =>
    check(area, databasePatienceMs, async () => {
      const db = await database;
      return db === null ? [] : run(db).catch(explainOlderSchema);
    });
  const checks: Check[] = [
    check('settings', 1_000, () => judgeSettings({ config, environment, ...settings })),
    check('secrets', databasePatienceMs, () => checkSecrets({ config, environment, database })),
    check('database', databasePatienceMs, async () => (await opened).findings),
    check('database', databasePatienceMs, async () => {
      const { db, hasSchema } = await opened;
      if (db === null) return [];
      const instances = hasSchema ? await selectInstances(db).catch(() => []) : [];
      return judgeServer(await selectServer(db), instances.filter(({ alive }) => alive).length);
    }),
    inDatabase('sessions', async (db) => judgeSessions(await selectSessions(db))),
    inDatabase('tables', async (db) =>
      judgeTables({
        tables: await selectDeadRows(db),
        invalidIndexes: await selectInvalidIndexes(db),
        ...(await selectMissingWeeks(db)),
      }),
    ),
    inDatabase('clock', async (db) => {
      // The first statement opens the connection.
      await readClock(db);
      return [judgeClock(await readClockDifference(db))];
    }),
    inDatabase('instances', async (db) => judgeInstances(await selectInstances(db))),
    inDatabase('signing keys', async (db) => judgeKeys(await listKeys(db), (await readClock(db)).getTime())),
    check('signing keys', databasePatienceMs, async () => [
      await checkSigner(signingSettingsOf(config).loadsNative),
    ]),
    inDatabase('backups', async (db) => [
      judgeBackup({
        ageSeconds: await selectBackupAge(db),
        databaseSeconds: await selectDatabaseAge(db),
        isEmbedded: config.DATABASE_URL === null,
      }),
    ]),
    check('mail', networkPatienceMs, () => checkMailServer(config)),
    inDatabase('mail', async (db) => [judgeMailQueue(await selectQueue(db))]),
    check('egress', networkPatienceMs, () => checkEgress(config)),
    check('disk', 5_000, () => checkDisk(config)),
    check('machine', 5_000, () => checkMachine(config)),
  ];
  try {
    return await runChecks(checks);
  } finally {
    // A check that was given up may still hold a connection.
    await within(
      1_000,
      opened.then(({ db }) => db?.close()),
      () => {},
    );
  }
}

/** SQLSTATEs of a table, column or function that is missing. */
const missing = ['42P01', '42703', '42883'];

function explainOlderSchema(problem: unknown): readonly Finding[] {
  if (!hasCode(problem, ...missing)) throw problem;
  return [
    note(
      'Not examined: the database has the tables of another version.',
      'Run doctor again when the migrations are applied.',
    ),
  ];
}
