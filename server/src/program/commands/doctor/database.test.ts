import { describe, expect, it } from 'vitest';
import { judgeMigrations, judgeServer, judgeSessions, judgeTables } from './database.ts';
import type { Finding } from './finding.ts';
import type { ServerFacts } from './store.ts';

const shown = (findings: readonly Finding[]) => findings.map(({ level, text }) => `${level} ${text}`);
const complaints = (findings: readonly Finding[]) => shown(findings).filter((line) => !line.startsWith('ok'));

const mebibyte = 1_048_576;
const healthy: ServerFacts = {
  version: '18.4',
  versionNumber: 180_004,
  encoding: 'UTF8',
  collationMade: '2.36',
  collationNow: '2.36',
  writable: true,
  ownsTables: true,
  textSearch: true,
  sizeBytes: 40 * mebibyte,
  connections: 14,
  maxConnections: 100,
  reservedConnections: 3,
  sharedBuffersBytes: 128 * mebibyte,
  settings: {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    autovacuum: 'on',
    wal_level: 'replica',
  },
};

describe('judgeServer', () => {
  it('O45: has nothing against a healthy server', () => {
    expect(complaints(judgeServer(healthy, 5))).toEqual([]);
    expect(
      complaints(
        judgeServer({ ...healthy, settings: { ...healthy.settings, synchronous_commit: 'remote_apply' } }, 1),
      ),
    ).toEqual([]);
  });

  const withSetting = (setting: Partial<ServerFacts['settings']>) => ({
    settings: { ...healthy.settings, ...setting },
  });
  it.each<[string, Partial<ServerFacts>]>([
    ['error The server is PostgreSQL 16.4', { version: '16.4', versionNumber: 160_004 }],
    ['error The database has the encoding LATIN1', { encoding: 'LATIN1' }],
    [
      'error The order of texts has changed since the database was made (collation 2.36, now 2.41)',
      { collationNow: '2.41' },
    ],
    ['error The database cannot be written', { writable: false }],
    ['error fsync is off', withSetting({ fsync: 'off' })],
    ['error full_page_writes is off', withSetting({ full_page_writes: 'off' })],
    ['error synchronous_commit is off', withSetting({ synchronous_commit: 'off' })],
    ['warning autovacuum is off', withSetting({ autovacuum: 'off' })],
    ['note wal_level is minimal', withSetting({ wal_level: 'minimal' })],
    ['note shared_buffers is 16 MiB', { sharedBuffersBytes: 16 * mebibyte }],
    ['warning The extension pg_trgm is missing', { textSearch: false }],
    [
      'warning The server accepts 37 connections of users; 5 processes of Concord use up to 90',
      { maxConnections: 40 },
    ],
    ['warning 96 of 97 connections are in use', { connections: 96 }],
  ])('O45: %s', (expected, facts) => {
    expect(complaints(judgeServer({ ...healthy, ...facts }, 5))).toEqual([expect.stringContaining(expected)]);
  });
});

describe('judgeMigrations', () => {
  it('O45: tells pending migrations from unknown and missing ones', () => {
    const ours = ['0001_a', '0002_b', '0003_c'];
    const judge = (applied: string[]) => shown(judgeMigrations({ ours, applied }));
    expect(judge(ours)).toEqual(['ok All 3 migrations are applied.']);
    expect(judge(['0001_a'])).toEqual(['note 2 migrations must be applied, from 0002_b to 0003_c.']);
    expect(judge([...ours, '0004_d'])).toEqual([
      'error The database has the migration 0004_d, which this Concord does not have.',
    ]);
    expect(judge(['0001_a', '0003_c'])).toEqual([
      'error The database lacks a migration that comes before 0003_c.',
    ]);
    expect(judge([])).toEqual(['note The database is empty.']);
  });
});

describe('judgeSessions', () => {
  it('O46: reports long transactions, every prepared one, and slots that hold WAL or lost it', () => {
    const session = { pid: 7, user: 'ann', application: 'psql', state: 'idle in transaction' };
    const slot = { name: 's', active: false, retainedBytes: 2 * 1_024 * mebibyte, lost: false };
    const judge = (facts: object) =>
      complaints(judgeSessions({ transactions: [], hidden: 0, prepared: [], slots: [], ...facts }));
    expect(judge({ transactions: [{ ...session, ageMs: 299_000 }] })).toEqual([]);
    expect(judge({ transactions: [{ ...session, ageMs: 301_000 }] })).toEqual([
      expect.stringContaining(
        'warning A transaction of ann (psql, process 7, idle in transaction) has been open for 5 min.',
      ),
    ]);
    const [backup] = judgeSessions({
      transactions: [{ ...session, application: 'concord copy', ageMs: 301_000 }],
      hidden: 0,
      prepared: [],
      slots: [],
    });
    expect(backup?.action).toBe(
      'It is a backup, restore, copy or migration by Concord. Let it end. If its process has stopped working, run: select pg_terminate_backend(7)',
    );
    expect(judge({ prepared: [{ gid: 'left', ageMs: 5_000 }] })).toEqual([
      expect.stringContaining('"left" is 5 s old'),
    ]);
    const [odd] = judgeSessions({
      transactions: [],
      hidden: 0,
      slots: [],
      prepared: [{ gid: "a'; drop role x;\u001b[2J --", ageMs: 5_000 }],
    });
    expect(odd?.action).toContain(`rollback prepared 'a''; drop role x;?[2J --'`);
    expect(odd?.text).not.toContain('\u001b');
    expect(judge({ slots: [slot] })).toEqual([expect.stringContaining('"s", which holds 2048 MiB of WAL')]);
    expect(judge({ slots: [{ ...slot, active: true }] })).toEqual([]);
    expect(judge({ slots: [{ ...slot, retainedBytes: 10 }] })).toEqual([]);
    expect(judge({ slots: [{ ...slot, active: true, lost: true }] })).toEqual([
      expect.stringContaining('has lost WAL'),
    ]);
  });
});

describe('judgeTables', () => {
  it('O46: reports tables of dead rows, invalid indexes, and weeks without partitions', () => {
    const judge = (facts: object) =>
      complaints(
        judgeTables({ tables: [], invalidIndexes: [], missingWeeks: [], thisWeek: '2026-11-19', ...facts }),
      );
    const table = { name: 'mail', live: 100, vacuumedAt: null };
    expect(judge({ tables: [{ ...table, dead: 9_000 }] })).toEqual([]);
    expect(judge({ tables: [{ ...table, live: 100_000, dead: 20_000 }] })).toEqual([]);
    expect(judge({ tables: [{ ...table, dead: 20_000 }] })).toEqual([
      expect.stringContaining('warning mail has 20000 dead rows'),
    ]);
    expect(judge({ invalidIndexes: [{ name: 'mail_due', table: 'mail' }] })).toEqual([
      'warning The index mail_due of mail is not valid: no query reads it.',
    ]);
    expect(judge({ missingWeeks: ['2026-11-19', '2026-11-26'] })).toEqual([
      expect.stringContaining('error The webhook tables have no partitions for this week'),
      expect.stringContaining('warning The webhook tables have no partitions for the weeks from 2026-11-26'),
    ]);
  });
});
