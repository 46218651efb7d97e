// The doctor on the database.
import { longSessionName } from '../../../base/postgres/long-session.ts';
import { findMismatch, migrationsName } from '../../../base/postgres/migrations.ts';
import {
  countOf,
  error,
  type Finding,
  mebibyte,
  note,
  ok,
  orOk,
  secondsOf,
  sizeOf,
  warning,
} from './finding.ts';
import type { ServerFacts, SessionFacts, TableFacts } from './store.ts';

/** A pool of ten, two shared by requests, one for notifications, one for metrics, four of the deliverer. */
const connectionsOfProcess = 18;
const gibibyte = 1_024 * mebibyte;

const powerCut = (name: string) =>
  error(
    `${name} is off: a power cut can destroy the database.`,
    `Set ${name} to on in postgresql.conf, and reload.`,
  );

const badSettings: readonly (readonly [name: keyof ServerFacts['settings'], value: string, Finding])[] = [
  ['fsync', 'off', powerCut('fsync')],
  ['full_page_writes', 'off', powerCut('full_page_writes')],
  [
    'synchronous_commit',
    'off',
    error(
      'synchronous_commit is off: a crash loses events that were acknowledged.',
      'Set synchronous_commit to on.',
    ),
  ],
  [
    'autovacuum',
    'off',
    warning(
      'autovacuum is off: tables grow without end and become slow.',
      'Set autovacuum to on in postgresql.conf, and reload.',
    ),
  ],
  [
    'wal_level',
    'minimal',
    note(
      'wal_level is minimal: no standby and no point-in-time recovery is possible.',
      'Set wal_level to replica, if you want them.',
    ),
  ],
];

/** `processes`: those that are alive. */
export function judgeServer(facts: ServerFacts, processes: number): readonly Finding[] {
  const { version, settings } = facts;
  const findings = [
    facts.versionNumber < 170_000 &&
      error(
        `The server is PostgreSQL ${version}; Concord requires 17 or later.`,
        'Upgrade PostgreSQL (docs/operating/upgrade.md).',
      ),
    facts.encoding !== 'UTF8' &&
      error(
        `The database has the encoding ${facts.encoding}.`,
        'Create a database with the encoding UTF8, and copy the data into it.',
      ),
    facts.collationMade !== null &&
      facts.collationNow !== facts.collationMade &&
      error(
        `The order of texts has changed since the database was made (collation ${facts.collationMade}, now ${facts.collationNow ?? 'unknown'}): indexes can miss rows and take doubles.`,
        'Stop Concord, and run as the owner: reindex database NAME; alter database NAME refresh collation version',
      ),
    !facts.writable &&
      error(
        'The database cannot be written: it is a standby, or set to read only.',
        'Set DATABASE_URL to the primary, or default_transaction_read_only to off.',
      ),
    !facts.ownsTables &&
      error(
        'The tables belong to another role, so this one cannot add partitions or apply migrations, and perhaps not write.',
        'Set DATABASE_URL to the role that owns the tables, or give each to this role: alter table NAME owner to ROLE',
      ),
    ...badSettings.map(([name, value, finding]) => settings[name] === value && finding),
    ...judgeConnections(facts, Math.max(1, processes)),
    facts.sharedBuffersBytes < 128 * mebibyte &&
      note(
        `shared_buffers is ${sizeOf(facts.sharedBuffersBytes)}, less than the default.`,
        'A quarter of the memory of the database machine is usual.',
      ),
    !facts.textSearch &&
      warning(
        'The extension pg_trgm is missing, so search and text filters read whole tables.',
        'Install it (package postgresql-contrib), run "create extension pg_trgm", and start Concord again.',
      ),
  ];
  return orOk(
    findings,
    `PostgreSQL ${version} answers. ${facts.connections} of ${facts.maxConnections} connections are in use, the database has ${sizeOf(facts.sizeBytes)}.`,
  );
}

function judgeConnections(facts: ServerFacts, processes: number): readonly (Finding | false)[] {
  const { connections, maxConnections, reservedConnections } = facts;
  const free = maxConnections - reservedConnections;
  const needed = processes * connectionsOfProcess;
  if (free < needed)
    return [
      warning(
        `The server accepts ${free} connections of users; ${processes === 1 ? '1 process of Concord uses' : `${processes} processes of Concord use`} up to ${needed}.`,
        `Set max_connections to ${needed + reservedConnections + 10} or more, and restart PostgreSQL.`,
      ),
    ];
  return [
    connections > free * 0.9 &&
      warning(
        `${connections} of ${free} connections are in use.`,
        'Find out who holds them (pg_stat_activity), or raise max_connections.',
      ),
  ];
}

type MigrationFacts = { ours: readonly string[]; applied: readonly string[] };

export function judgeMigrations({ ours, applied }: MigrationFacts): readonly Finding[] {
  if (applied.length === 0)
    return [
      note(
        'The database is empty.',
        'The first start of Concord makes its tables. If you expected data, check DATABASE_URL.',
      ),
    ];
  const mismatch = findMismatch(ours, applied);
  if (mismatch) return [error(...mismatch)];
  const pending = ours.slice(applied.length);
  if (pending.length === 0) return [ok(`All ${ours.length} migrations are applied.`)];
  return [
    note(
      `${countOf(pending.length, 'migration')} must be applied, from ${pending[0]} to ${pending.at(-1)}.`,
      'The next start of this version applies them. Back up first (docs/operating/upgrade.md).',
    ),
  ];
}

/** Names of prepared transactions are chosen by others, and a superuser may paste the statement. */
const quote = (name: string) => `'${name.replaceAll("'", "''").replaceAll(/\p{Cc}/gu, '?')}'`;

const minuteMs = 60_000;
const longTransactionMs = 5 * minuteMs;
const slotBytes = gibibyte;
const ownLongWork: ReadonlySet<string> = new Set([longSessionName, migrationsName]);

export function judgeSessions({ transactions, hidden, prepared, slots }: SessionFacts): readonly Finding[] {
  const held = 'Until it ends, no table can be cleaned up, deliveries become slower, and migrations wait.';
  const findings = transactions
    .filter(({ ageMs }) => ageMs >= longTransactionMs)
    .map(({ pid, user, application, state, ageMs }) =>
      warning(
        `A transaction of ${user} (${application || 'no application name'}, process ${pid}, ${state}) has been open for ${secondsOf(ageMs)}. ${held}`,
        ownLongWork.has(application)
          ? `It is a backup, restore, copy or migration by Concord. Let it end. If its process has stopped working, run: select pg_terminate_backend(${pid})`
          : `End it, or run: select pg_terminate_backend(${pid})`,
      ),
    );
  const leftBehind = prepared.map(({ gid, ageMs }) =>
    warning(
      `The prepared transaction ${JSON.stringify(gid)} is ${secondsOf(ageMs)} old. It holds its locks until somebody ends it; Concord prepares none. ${held}`,
      `Commit or roll it back: rollback prepared ${quote(gid)}`,
    ),
  );
  const retaining = slots
    .filter(({ active, retainedBytes, lost }) => lost || (!active && retainedBytes > slotBytes))
    .map(({ name, retainedBytes, lost }) =>
      lost
        ? warning(
            `The replication slot "${name}" has lost WAL that its replica needs.`,
            'Create the replica again, and drop the slot.',
          )
        : warning(
            `Nobody reads the replication slot "${name}", which holds ${sizeOf(retainedBytes)} of WAL on the disk.`,
            `Start its replica, or run: select pg_drop_replication_slot('${name}')`,
          ),
    );
  const unknown =
    hidden > 0 &&
    note(
      `Of ${countOf(hidden, 'session')} of other roles, this one may not see how long a transaction is open.`,
      'To see it, run as a superuser, with the role of DATABASE_URL: grant pg_read_all_stats to ROLE',
    );
  return orOk(
    [...findings, ...leftBehind, ...retaining, unknown],
    'No session, prepared transaction or replication slot is in the way.',
  );
}

/** `missingWeeks`: without partitions, this week first. */
export function judgeTables({
  tables,
  invalidIndexes,
  missingWeeks,
  thisWeek,
}: TableFacts): readonly Finding[] {
  const action =
    'A running Concord makes them within an hour. If one runs, its log says why they are missing.';
  const later = missingWeeks.filter((week) => week !== thisWeek);
  const findings = [
    ...tables.map(
      ({ name, dead, live, vacuumedAt }) =>
        dead > 10_000 &&
        dead > live * 0.5 &&
        warning(
          `${name} has ${dead} dead rows beside ${live} live ones. Its last vacuum was ${vacuumedAt?.toISOString() ?? 'never'}.`,
          `Look for long transactions, and run: vacuum (analyze) ${name}`,
        ),
    ),
    ...invalidIndexes.map(({ name, table }) =>
      warning(
        `The index ${name} of ${table} is not valid: no query reads it.`,
        `Make it again: reindex index concurrently ${name}. If somebody left it behind (_ccnew, _ccold), run: drop index ${name}`,
      ),
    ),
    missingWeeks.includes(thisWeek) &&
      error(
        'The webhook tables have no partitions for this week: publishing fails.',
        `Start Concord, which makes them. ${action}`,
      ),
    later.length > 0 &&
      warning(`The webhook tables have no partitions for the weeks from ${later.join(', ')}.`, action),
  ];
  return orOk(findings, `Dead rows are few, and there are partitions for the weeks from ${thisWeek} on.`);
}

const command = 'npm run concord -- backup --to FILE';
const oldSeconds = 2 * 86_400;

type BackupFacts = {
  /** Null: the command has made none. */
  ageSeconds: number | null;
  databaseSeconds: number;
  isEmbedded: boolean;
};

export function judgeBackup({ ageSeconds, databaseSeconds, isEmbedded }: BackupFacts): Finding {
  if (ageSeconds === null && isEmbedded) {
    const action = `Make one each night: ${command}`;
    return databaseSeconds > oldSeconds
      ? warning(`No backup was made since the first start ${secondsOf(databaseSeconds * 1_000)} ago.`, action)
      : note('No backup was made.', action);
  }
  if (ageSeconds === null)
    return note(
      'No backup was made with the command backup.',
      'Make sure that your PostgreSQL is backed up.',
    );
  const text = `The last backup is ${secondsOf(ageSeconds * 1_000)} old.`;
  const otherwise = isEmbedded
    ? ''
    : ' If your PostgreSQL has backups of its own now: delete from last_backup';
  return ageSeconds > oldSeconds
    ? warning(text, `Find out why there is no newer one, and make one: ${command}.${otherwise}`)
    : ok(text);
}
