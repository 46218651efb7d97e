// The judgements about secrets, the machine, instances, keys and mail, and how checks are run.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { version } from '../../../base/version.ts';
import { judgeBackup } from './database.ts';
import { type Finding, ok } from './finding.ts';
import { judgeDisk, judgeMemory, judgeNode } from './host.ts';
import { judgeClock, judgeInstances } from './instances.ts';
import { judgeKeys } from './keys.ts';
import { judgeMailQueue } from './network.ts';
import { runChecks } from './run-checks.ts';
import { judgeFiles } from './secrets.ts';

const complaints = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, text }) => `${level} ${text}`);

it('O42: a check that fails or hangs does not affect the others', async () => {
  const start = performance.now();
  const reports = await runChecks([
    { area: 'well', timeoutMs: 1_000, run: () => [ok('yes')] },
    {
      area: 'fails',
      timeoutMs: 1_000,
      run: () => {
        throw new Error('no such table');
      },
    },
    { area: 'hangs', timeoutMs: 50, run: () => delay(60_000, [], { ref: false }) },
  ]);
  expect(performance.now() - start).toBeLessThan(30_000);
  expect(reports.map(({ area, findings }) => [area, findings[0]?.level, findings[0]?.text])).toEqual([
    ['well', 'ok', 'yes'],
    ['fails', 'error', 'The check failed: no such table.'],
    ['hangs', 'error', 'The check did not end within 0.05 s.'],
  ]);
});

it('O44: only their owner may read the secrets', () => {
  const file = (mode: number) => ({ path: '/data/secrets', mode });
  expect(complaints(judgeFiles(file(0o100600), []))).toEqual([]);
  expect(complaints(judgeFiles(file(0o100400), []))).toEqual([]);
  for (const mode of [0o100644, 0o100640, 0o100620])
    expect(complaints(judgeFiles(file(mode), []))).toEqual([
      expect.stringContaining('error Other users can read'),
    ]);
  // A group for the secrets of containers is usual.
  expect(complaints(judgeFiles(null, [file(0o100440)]))).toEqual([]);
  expect(complaints(judgeFiles(null, [file(0o100444)]))).toEqual([
    expect.stringContaining('warning Every user of this machine'),
  ]);
});

it('O49: warns of a disk that fills, of space or of files', () => {
  const disk = { path: '/data', totalBytes: 1_000, freeBytes: 500, totalFiles: 1_000, freeFiles: 500 };
  expect(judgeDisk(disk).level).toBe('ok');
  expect(judgeDisk({ ...disk, freeBytes: 100 }).level).toBe('ok');
  expect(judgeDisk({ ...disk, freeBytes: 99 }).level).toBe('warning');
  expect(judgeDisk({ ...disk, freeBytes: 29 }).level).toBe('error');
  expect(judgeDisk({ ...disk, freeFiles: 20 })).toMatchObject({
    level: 'error',
    text: expect.stringContaining('2 % free of the files'),
  });
  // Some file systems do not count files.
  expect(judgeDisk({ ...disk, totalFiles: 0, freeFiles: 0 }).level).toBe('ok');
});

it('O49: warns of an old backup, and of none after two days; notes a missing one before', () => {
  const embedded = { databaseSeconds: 172_800, isEmbedded: true };
  const judge = (ageSeconds: number | null) => judgeBackup({ ...embedded, ageSeconds });
  expect([judge(null), judge(0), judge(172_800), judge(172_801)].map(({ level }) => level)).toEqual([
    ...['note', 'ok', 'ok', 'warning'],
  ]);
  expect(judge(3 * 86_400).text).toBe('The last backup is 72 h old.');
  expect(judgeBackup({ ...embedded, ageSeconds: null, databaseSeconds: 3 * 86_400 })).toMatchObject({
    level: 'warning',
    text: 'No backup was made since the first start 72 h ago.',
  });
  const own = judgeBackup({ ageSeconds: null, databaseSeconds: 3 * 86_400, isEmbedded: false });
  expect([own.level, own.action]).toEqual(['note', expect.stringContaining('your PostgreSQL')]);
});

it('O49: warns of too little memory, too few files, and another Node', () => {
  const gibibyte = 2 ** 30;
  expect(judgeMemory({ totalBytes: gibibyte, workers: 2, embedded: true }).level).toBe('ok');
  expect(judgeMemory({ totalBytes: gibibyte, workers: 8, embedded: true }).level).toBe('warning');
  const alone = (totalBytes: number) => judgeMemory({ totalBytes, workers: 0, embedded: false }).level;
  expect([gibibyte / 2, gibibyte / 4].map(alone)).toEqual(['ok', 'warning']);
  expect(complaints(judgeNode({ version: '26.10.0', openFiles: 20_000 }))).toEqual([]);
  expect(complaints(judgeNode({ version: '26.10.0', openFiles: null }))).toEqual([]);
  expect(complaints(judgeNode({ version: '26.10.0', openFiles: 1_024 }))).toEqual([
    expect.stringContaining('may open 1024 files'),
  ]);
  expect(complaints(judgeNode({ version: '20.1.0', openFiles: null }))).toEqual([
    expect.stringContaining('Node is 20.1.0'),
  ]);
});

it('O47: compares the clocks', () => {
  const judge = (ms: number) => judgeClock(ms).level;
  expect([0, 2_000, -2_000, 2_100, -2_100, 30_000, 31_000, -31_000].map(judge)).toEqual([
    ...['ok', 'ok', 'ok', 'warning', 'warning', 'warning', 'error', 'error'],
  ]);
  expect(judgeClock(-40).text).toBe('The clock of this machine agrees with that of the database.');
  expect(judgeClock(-5_000).text).toBe('The clock of this machine is 5 s behind that of the database.');
});

it('O47: reports missing roles, different versions, and instances that died', () => {
  const row = { alive: true, role: 'all', version, host_name: 'a', seen_at: new Date(0) } as const;
  expect(complaints(judgeInstances([row, row]))).toEqual([]);
  expect(complaints(judgeInstances([]))).toEqual([
    expect.stringContaining('warning No instance has had a heartbeat'),
  ]);
  expect(complaints(judgeInstances([{ ...row, role: 'api' }]))).toEqual([
    expect.stringContaining('error No instance sends webhooks'),
  ]);
  expect(complaints(judgeInstances([{ ...row, role: 'worker' }]))).toEqual([
    expect.stringContaining('warning No instance answers'),
  ]);
  expect(complaints(judgeInstances([row, { ...row, version: '0.0.9' }]))).toEqual([
    expect.stringContaining(`${version}, 0.0.9`),
  ]);
  expect(complaints(judgeInstances([row, { ...row, alive: false }]))).toEqual([
    expect.stringContaining('note 1 instance ended'),
  ]);
});

it('O47: reports keys that do not sign, that have no successor, and that are overdue', () => {
  const day = 86_400_000;
  const key = (environment: 'live' | 'sandbox', from: number, to: number) => ({
    environment,
    kid: `${environment} ${from}`,
    sequence: 1,
    createdAt: 0,
    revokedAt: null,
    activatesAt: from * day,
    retiresAt: to * day,
  });
  const sandbox = [
    { key: key('sandbox', 0, 30), state: 'active' as const },
    { key: key('sandbox', 30, 60), state: 'pending' as const },
  ];
  const live = (from: number, to: number, state: 'active' | 'pending') => ({
    key: key('live', from, to),
    state,
  });
  const judge = (keys: Parameters<typeof judgeKeys>[0]) =>
    complaints(judgeKeys([...sandbox, ...keys], 10 * day));
  expect(judge([live(0, 30, 'active'), live(30, 60, 'pending')])).toEqual([]);
  expect(judge([live(0, 30, 'active')])).toEqual([
    expect.stringContaining('warning No key follows the live key, which retires in 20 days'),
  ]);
  expect(judge([])).toEqual([expect.stringContaining('error No live key signs')]);
  expect(judge([live(-19, 11, 'active')])).toEqual([expect.stringContaining('which retires in 1 day.')]);
  expect(judge([live(-19, 11, 'active'), live(11, 41, 'pending')])).toEqual([]);
  expect(judge([live(-30, 30, 'active'), live(30, 60, 'pending')])).toEqual([
    expect.stringContaining('warning The live key has signed for 40 days'),
  ]);
  expect(judge([live(0, 30, 'active'), live(1, 31, 'active'), live(31, 61, 'pending')])).toEqual([
    expect.stringContaining('error 2 live keys'),
  ]);
});

it('O48: warns of mail that fails or waits long', () => {
  expect(judgeMailQueue({ waiting: 0, failing: 0, oldest_age_seconds: null }).level).toBe('ok');
  expect(judgeMailQueue({ waiting: 3, failing: 0, oldest_age_seconds: 5 }).level).toBe('ok');
  expect(judgeMailQueue({ waiting: 3, failing: 1, oldest_age_seconds: 5 }).level).toBe('warning');
  expect(judgeMailQueue({ waiting: 3, failing: 0, oldest_age_seconds: 601 }).level).toBe('warning');
});
