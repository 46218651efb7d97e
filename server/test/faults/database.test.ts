// The database stops, its disk is full, and its connections are used up, under load.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { newDataDir } from '../stage/launch.ts';
import { databasePids, type FaultStage, socketDirOf, startFaultStage } from './stage.ts';

/** Longer than a statement may take (12 s). */
const stoppedMs = 20_000;

it('O60: PostgreSQL stops answering: every request is answered with 500 in time, and everything goes on when it continues', async () => {
  const stage = await startFaultStage();
  await stage.suffer('PostgreSQL stopped (SIGSTOP, 20 s)', async () => {
    const pids = databasePids(stage.dataDir);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      const began = performance.now();
      const { status } = await stage.request('GET', '/partners');
      expect(status).toBe(500);
      await pause(stoppedMs - (performance.now() - began));
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  });
});

it('O61: the disk of the database is full: nothing is acknowledged that is not kept, and everything goes on when there is space', async ({
  skip,
}) => {
  const dataDir = newDataDir();
  skip(!mountSmallDisk(dataDir), 'This user may not mount a tmpfs.');
  const stage = await startFaultStage({ dataDir });
  const ballast = join(dataDir, 'ballast');
  await stage.suffer('disk full (15 s)', async () => {
    fill(ballast);
    await expect.poll(() => publishStatus(stage)).toBe(500);
    await pause(15_000);
    rmSync(ballast);
  });
});

it('O62: other programs use up the connections of PostgreSQL: requests are answered with 500, and everything goes on when there are some', async () => {
  const stage = await startFaultStage();
  const host = socketDirOf(stage.dataDir);
  const others: Client[] = [];
  async function takeAll() {
    for (;;) {
      const client = new Client({
        host,
        user: 'concord',
        database: 'postgres',
        application_name: 'another program',
      });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch {
        return;
      }
      others.push(client);
    }
  }
  await stage.suffer('connections used up (10 s)', async () => {
    await takeAll();
    const [first] = others;
    const end = () =>
      first?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'concord'`,
      );
    // Until Concord has none: it opens a connection at the same moment.
    for (const since = performance.now(); performance.now() - since < 10_000; ) {
      await end();
      await takeAll();
    }
    expect(await stage.isReady()).toBe(false);
    await Promise.all(others.map((client) => client.end()));
  });
});

const publishStatus = async ({ request }: FaultStage) =>
  (await request('POST', '/partners', { name: 'x'.repeat(200) }).catch(() => undefined))?.status;

/** Mounts 300 MiB on this folder, which does not exist yet. */
function mountSmallDisk(dir: string) {
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=711', '--mkdir', 'tmpfs', dir]).status === 0;
  if (mounted) onTestFinished(() => void spawnSync('umount', ['--lazy', dir]));
  return mounted;
}

/** Writes until nothing fits. */
function fill(file: string) {
  const descriptor = openSync(file, 'w');
  try {
    for (let block = Buffer.alloc(1024 * 1024, 1); block.length > 0; ) {
      try {
        writeSync(descriptor, block);
      } catch {
        block = block.subarray(0, Math.floor(block.length / 2));
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
