// The embedded database beside other users of the machine, other containers, and what a power cut leaves.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../src/base/postgres/connection.ts';
import { asServer, locateBinaries } from '../../src/base/postgres/embedded/binaries.ts';
import { findRunningServer, startEmbeddedServer } from '../../src/base/postgres/embedded/embedded-server.ts';
import { alive, launch, newDataDir, postmasterPid } from '../stage/launch.ts';

const isRoot = process.getuid?.() === 0;
const dataDir = newDataDir(afterAll);
mkdirSync(dataDir, { mode: 0o711 });

async function start(options: { stopPatienceMs?: number } = {}) {
  const said: string[] = [];
  const progress = (line: string) => void said.push(line);
  const { connection, stop } = await startEmbeddedServer({ dataDir, progress, ...options });
  onTestFinished(stop);
  const isOpen = () => existsSync(join(connection.host, '.s.PGSQL.5432'));
  return { socketDir: connection.host, said, stop, isOpen };
}

it('O67: restarts its database when its socket was deleted from /tmp', async () => {
  const { socketDir, said, isOpen } = await start();
  const first = postmasterPid(dataDir);
  rmSync(socketDir, { recursive: true });
  await expect.poll(isOpen).toBe(true);
  expect(alive(first)).toBe(false);
  expect(said).toContainEqual(expect.stringContaining(`Somebody deleted ${socketDir}`));
});

it('O55: a stop does not wait for a database server that hangs, which ends when it can', async () => {
  const { socketDir, said, stop } = await start({ stopPatienceMs: 100 });
  const database = postmasterPid(dataDir);
  process.kill(database, 'SIGSTOP');
  onTestFinished(() => void (alive(database) && process.kill(database, 'SIGCONT')));
  await stop();
  expect([alive(database), said.at(-1)]).toEqual([
    true,
    'The database server did not stop within 0.1 s. It stops when it can.',
  ]);
  process.kill(database, 'SIGCONT');
  await expect.poll(() => alive(database)).toBe(false);
  await expect.poll(() => existsSync(socketDir)).toBe(false);
});

it.runIf(isRoot)('O67: puts no socket into a folder that another user has made in its place', async () => {
  const { socketDir, said, isOpen } = await start();
  rmSync(socketDir, { recursive: true });
  mkdirSync(socketDir);
  chmodSync(socketDir, 0o777);
  chownSync(socketDir, 12_345, 12_345);
  await expect.poll(() => said.join('\n')).toContain(`${socketDir} belongs to another user`);
  expect(isOpen()).toBe(false);
  rmSync(socketDir, { recursive: true });
  await expect.poll(isOpen).toBe(true);
});

it('O89: starts with an empty postmaster.pid, which a power cut can leave', async () => {
  const first = await start();
  await first.stop();
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  writeFileSync(file, '');
  chownSync(file, uid, gid);
  expect((await start()).isOpen()).toBe(true);
});

it('O57: a command uses the database of a Concord that starts at the same time', async () => {
  const { socketDir } = await start();
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  // The command looks before the server writes it.
  renameSync(file, `${file}.later`);
  const command = connectDatabase({ dataDir, databaseUrl: null, progress: () => {}, share: true });
  renameSync(`${file}.later`, file);
  expect((await command).connection.host).toBe(socketDir);
});

it('O89: refuses a data directory while somebody repairs its database with postgres --single', async () => {
  await (await start()).stop();
  const cluster = join(dataDir, 'postgres');
  const read = () => readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n', 1)[0];
  const program = join(locateBinaries(dataDir), 'bin', 'postgres');
  const single = spawn(program, ['--single', '-D', cluster, 'concord'], {
    ...asServer,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(single, 'exit');
  onTestFinished(async () => {
    single.stdin.end();
    await ended;
  });
  await expect.poll(() => existsSync(join(cluster, 'postmaster.pid')) && read()).toBe(`-${single.pid}`);
  const refused = launch({ CONCORD_DATA_DIR: dataDir });
  await expect(refused.ready()).rejects.toThrow('Another Concord uses');
  expect(read()).toBe(`-${single.pid}`);
});

it('O89: ends a session that goes on after somebody killed its server', async () => {
  const first = launch({ CONCORD_DATA_DIR: dataDir });
  await first.ready();
  const client = new Client(findRunningServer(dataDir)!);
  await client.connect();
  const [lost, busy] = [once(client, 'error'), once(client, 'notice')];
  client.query(`do $$ begin raise notice 'busy'; loop end loop; end $$`).catch(() => {});
  await busy;
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  first.child.kill('SIGKILL');
  await first.ended;
  await launch({ CONCORD_DATA_DIR: dataDir }).ready();
  await lost;
});

const apart = ['unshare', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'];
const mayUnshare = spawnSync('unshare', [...apart.slice(1), 'flock', '--version']).status === 0;

it.runIf(mayUnshare)(
  'O89: refuses a data directory on which a Concord in another container runs',
  async () => {
    await start();
    const pid = postmasterPid(dataDir);
    const other = launch({ CONCORD_DATA_DIR: dataDir }, [], { onHost: (command) => [...apart, ...command] });
    await expect(other.ready()).rejects.toThrow('perhaps of another container');
    expect(postmasterPid(dataDir)).toBe(pid);
  },
);
