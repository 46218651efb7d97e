// Restores of a data directory in which another restore is at work, was killed, or has planted something.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeDatabase } from '../../src/base/postgres/new-database.ts';
import { kill, launch, newDataDir, newScratchDir, runCommand } from '../stage/launch.ts';
import { waiters } from '../stage/locks.ts';
import { newDatabase } from '../stage/new-database.ts';

async function newBackup(): Promise<string> {
  const file = join(newScratchDir(), 'concord.backup');
  const { url } = await newDatabase();
  await runCommand({ CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: url }, ['backup', '--to', file]);
  return file;
}

it('O23: a restore that another one overtakes fails, and disturbs it in nothing', async () => {
  const [dataDir, file] = [newDataDir(), await newBackup()];
  const restore = async (line: string) => {
    const started = launch({ CONCORD_DATA_DIR: dataDir }, ['restore', '--from', file]);
    await expect.poll(() => started.lines.join('\n')).toContain(line);
    started.child.kill('SIGSTOP');
    return started;
  };
  const first = await restore('Creating the database');
  const second = await restore('Migrating the database');
  first.child.kill('SIGCONT');
  expect(await first.ended).toBe(1);
  second.child.kill('SIGCONT');
  expect([await second.ended, second.lines.join('\n')]).toEqual([0, expect.stringContaining('Restored')]);
  expect(readdirSync(dataDir)).toEqual(['postgres']);
});

it('O23: a restore whose draft another one removes at its end says so', async () => {
  const dataDir = newDataDir();
  mkdirSync(dataDir, { mode: 0o711 });
  const ready = () => {
    const [draft = ''] = readdirSync(dataDir);
    renameSync(join(dataDir, draft), join(dataDir, 'restore.partial-taken'));
  };
  const nothing = { progress: () => {}, prepare: async () => {}, fill: async () => {} };
  await expect(makeDatabase({ dataDir, ...nothing, ready })).rejects.toThrow(
    `Another restore has begun in ${dataDir}`,
  );
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
});

it.runIf(process.getuid?.() === 0)(
  'O23: a restore deletes what a killed one has left elsewhere, also by another name of the data directory',
  async () => {
    const [home, file] = [newScratchDir(), await newBackup()];
    const [dataDir, link] = [join(home, 'data'), join(home, 'link')];
    mkdirSync(dataDir, { mode: 0o700 });
    symlinkSync(dataDir, link);
    const restore = (name: string) => launch({ CONCORD_DATA_DIR: name }, ['restore', '--from', file]);
    const placeOf = ({ lines }: typeof first) =>
      /The database is in (\S+)\/postgres,/.exec(lines.join('\n'))?.[1] ?? '';
    const first = restore(link);
    await expect.poll(() => first.lines.join('\n')).toContain('Migrating the database');
    await kill(first.child);
    expect(existsSync(placeOf(first))).toBe(true);
    const second = restore(dataDir);
    expect(await second.ended).toBe(0);
    onTestFinished(() => rm(placeOf(second), { recursive: true }));
    expect(existsSync(placeOf(first))).toBe(false);
  },
);

it('O23: the audit log has a restore that is killed after its commit', async () => {
  const [own, file] = [await newDatabase(), await newBackup()];
  // The restore fills all tables but this one, and waits here after its commit, to analyze it.
  await own.sql('begin');
  await own.sql('lock table schema_migration in share update exclusive mode');
  const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: own.url };
  const { child } = launch(environment, ['restore', '--from', file]);
  await expect.poll(() => waiters(own)).toHaveLength(1);
  await kill(child);
  await own.sql('rollback');
  expect(await own.sql(`select from audit_log where action = 'database.restore'`)).toHaveLength(1);
});

it('O23: a restore deletes nothing that a link in the data directory leads to', async () => {
  const [dataDir, other] = [newDataDir(), newScratchDir()];
  const draft = join(dataDir, 'restore.partial');
  for (const folder of [draft, join(other, 'postgres')]) mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeFileSync(join(other, 'README'), 'The database of the Concord whose data directory is /srv/concord.\n');
  symlinkSync(join(other, 'postgres'), join(draft, 'postgres'));
  const nothing = { progress: () => {}, prepare: async () => {}, fill: async () => {}, ready: () => {} };
  await makeDatabase({ dataDir, ...nothing });
  expect(readdirSync(other).toSorted()).toEqual(['README', 'postgres']);
  expect(readdirSync(dataDir)).toEqual(['postgres']);
});

it('O23: with a restrictive umask too, the database is in the data directory', async () => {
  const [dataDir, file] = [newDataDir(), await newBackup()];
  const before = process.umask(0o077);
  const { ended } = launch({ CONCORD_DATA_DIR: dataDir }, ['restore', '--from', file]);
  process.umask(before);
  expect(await ended).toBe(0);
  expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true);
});

it('O23: what a killed restore has left does not take the space of the next one', async ({ skip }) => {
  const dataDir = join(newScratchDir(), 'data');
  mkdirSync(dataDir);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=711', 'tmpfs', dataDir]);
  skip(status !== 0, 'This user may not mount a tmpfs.');
  onTestFinished(() => void spawnSync('umount', ['-l', dataDir]));
  mkdirSync(join(dataDir, 'restore.partial'));
  writeFileSync(join(dataDir, 'restore.partial', 'large'), Buffer.alloc(200_000_000));
  const restored = await runCommand({ CONCORD_DATA_DIR: dataDir }, ['restore', '--from', await newBackup()]);
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('Restored') });
  expect(existsSync(join(dataDir, 'restore.partial'))).toBe(false);
});
