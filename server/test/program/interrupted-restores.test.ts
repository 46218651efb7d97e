// Restores of a data directory in which another restore is at work, was killed, or has planted something.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeDatabase } from '../../src/base/postgres/new-database.ts';
import { launch, newDataDir, newScratchDir, runCommand } from '../stage/launch.ts';
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
