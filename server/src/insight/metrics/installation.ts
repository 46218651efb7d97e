// What the database says about the whole installation, read at a scrape, at most once in five seconds.

import { selectSealDelay } from '../../audit/index.ts';
import { selectQueue } from '../../base/mail/index.ts';
import { selectBackupAge } from '../../base/postgres/backup/last.ts';
import type { Database, Queryable } from '../../base/postgres/database.ts';
import { within } from '../../base/within.ts';
import { selectLaneStates, type Webhooks } from '../../webhooks/index.ts';
import { readKeyStates } from '../../webhooks/signing-keys/index.ts';
import { toGauge, type Values } from './values.ts';

const keptMs = 5_000;
type Age = number | null;

/** Bounded statements. Ages are in seconds, null: there is nothing. In the order in which they are asked. */
export const readers = {
  lanes: selectLaneStates,
  keys: readKeyStates,
  mail: selectQueue,
  seals: selectSealDelay,
  backup: selectBackupAge,
};

export type Readers = typeof readers & {
  backlog: Webhooks['backlog'];
  database(
    on: Queryable,
  ): Promise<{ size_bytes: number; connections: number; max_connections: number; writable: boolean }>;
};

/** There is one connection, so the state of the database comes first. */
const names = ['database', 'backlog', ...Object.keys(readers)] as readonly (keyof Readers)[];

type State = Partial<{ [R in keyof Readers]: Awaited<ReturnType<Readers[R]>> }>;

type Options = {
  db: Database;
  readers: Readers;
  onFailure: (error: unknown, values: readonly string[]) => void;
  /** How long a scrape waits for the database. Prometheus gives up after 10 s by default. */
  patienceMs?: number;
};

export function createInstallation({ db, readers, onFailure, patienceMs = 3_000 }: Options) {
  let last: { state: State; at: number } | undefined;
  let reading: { state: State; ended: Promise<void> } | undefined;

  /** One at a time. A read that takes longer than the patience goes on, for later scrapes. */
  function refresh(): { state: State; ended: Promise<void> } {
    if (reading) return reading;
    const state: State = {};
    const failures: { name: string; error: unknown }[] = [];
    const read = async <R extends keyof Readers>(name: R) => {
      try {
        state[name] = (await readers[name](db)) as State[R];
      } catch (error) {
        failures.push({ name, error });
      }
    };
    const ended = Promise.all(names.map(read)).then(() => {
      if (failures[0])
        onFailure(
          failures[0].error,
          failures.map(({ name }) => name),
        );
      last = { state, at: performance.now() };
      reading = undefined;
    });
    reading = { state, ended };
    return reading;
  }

  return {
    /** Never fails. What could not be read in time is missing; `concord_database_up` is then 0. */
    async read(): Promise<Values> {
      if (last && performance.now() - last.at < keptMs) return toValues(last.state);
      const { state, ended } = refresh();
      await within(patienceMs, ended, () => {});
      return toValues(state);
    },
  };
}

const plain = (value: Age | undefined) => (typeof value === 'number' ? [{ value, labels: {} }] : []);

/** The metrics of one value each. An age of nothing is 0, so that an alert about it ends. */
const singles: readonly (readonly [name: string, help: string, read: (state: State) => Age | undefined])[] = [
  [
    'database_writable',
    '0: a standby, or a database that is set to read only',
    ({ database }) => database && Number(database.writable),
  ],
  ['database_size_bytes', 'The size of the files of the database', ({ database }) => database?.size_bytes],
  [
    'database_connections',
    'Connections to the server of the database, of all programs, to all databases',
    ({ database }) => database?.connections,
  ],
  [
    'database_max_connections',
    'The most connections of the server',
    ({ database }) => database?.max_connections,
  ],
  [
    'deliveries_pending',
    'Deliveries that are pending. 100000: so many, or more',
    ({ backlog }) => backlog?.pending,
  ],
  [
    'deliveries_oldest_pending_age_seconds',
    'Time since the oldest pending delivery was published',
    ({ backlog }) => backlog?.oldest_pending_age_seconds,
  ],
  [
    'lanes_oldest_due_age_seconds',
    'How long the lane waits that is due for the longest time, and that no process has claimed',
    ({ lanes }) => lanes?.oldestDueAge,
  ],
  ['mail_waiting', 'Mails that wait. 10000: so many, or more', ({ mail }) => mail?.waiting],
  ['mail_failing', 'Mails that wait after a failed attempt', ({ mail }) => mail?.failing],
  [
    'mail_oldest_age_seconds',
    'Time since the oldest waiting mail was written',
    ({ mail }) => mail?.oldest_age_seconds,
  ],
  [
    'mail_oldest_unrefused_age_seconds',
    'Time since the oldest waiting mail was written that no answer about its recipient delays',
    ({ mail }) => mail?.oldest_unrefused_age_seconds,
  ],
  [
    'mail_refusing_domains',
    'Domains of recipients for which the mail server delays mails by its answers',
    ({ mail }) => mail?.refusing_domains,
  ],
  [
    'mail_delayed_recipients',
    'Recipients whose mails the mail server has delayed by its answers for 15 minutes',
    ({ mail }) => mail?.delayed_recipients,
  ],
  [
    'audit_seal_delay_seconds',
    'Time since the oldest audit row was written that has no seal',
    ({ seals }) => seals,
  ],
];

function toValues(state: State): Values {
  const { database, lanes, keys = [], backup } = state;
  return [
    toGauge('concord_database_up', '1: the database answers this instance', plain(database ? 1 : 0)),
    toGauge(
      'concord_installation_value_read',
      '0: this value could not be read from the database, so its metrics are missing',
      names.map((name) => ({ value: state[name] === undefined ? 0 : 1, labels: { value: name } })),
    ),
    ...singles.map(([name, help, read]) => {
      const value = read(state);
      return toGauge(`concord_${name}`, help, plain(value === null ? 0 : value));
    }),
    toGauge(
      'concord_lanes',
      'Lanes that have something to do, by state. 10000 together: so many, or more',
      Object.entries(lanes?.states ?? {}).map(([name, value]) => ({ value, labels: { state: name } })),
    ),
    toGauge(
      'concord_signing_keys',
      'Keys that sign webhooks, by state',
      keys.map(({ environment, state: name, count }) => ({
        value: count,
        labels: { environment, state: name },
      })),
    ),
    toGauge(
      'concord_signing_key_active_age_seconds',
      'Time since the active key began to sign. It is missing when no key is active',
      keys.flatMap(({ environment, ageSeconds }) =>
        ageSeconds === null ? [] : [{ value: ageSeconds, labels: { environment } }],
      ),
    ),
    toGauge(
      'concord_last_backup_age_seconds',
      'Time since the last complete backup by the command `backup` was taken. It is missing before the first one',
      plain(backup),
    ),
  ];
}
