// A real PostgreSQL server as a child of this process: made on the first start, restarted when it dies, stopped with us.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { canReach, locateBinaries, rootStateDir, runAs } from './binaries.ts';

export type EmbeddedServerOptions = {
  /** The folder that holds the cluster as `postgres`; made when absent. */
  dataDir: string;
  /** Server settings, as in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
  /** Tells a person what takes long. */
  progress: (line: string) => void;
  /** Called when the server died by itself; it is started again. */
  onCrash: (message: string) => void;
};

export type EmbeddedServer = {
  /** Connection parameters of the database `concord`. */
  connection: { host: string; user: string; database: string };
  /** Ends the server (a fast shutdown) and waits until it is gone. */
  stop(): Promise<void>;
};

const superuser = 'concord';
const socketDirPrefix = '/tmp/concord-';

/**
 * The shell that stands between us and the server. Its standard input is a pipe that we hold: when we close it, or die in
 * any way, even by `kill -9`, the read ends and the server gets SIGINT, its fast shutdown. No process is ever orphaned.
 */
const watchdog = `
exec 3<&0
socket_dir=$1; shift
"$@" </dev/null 3<&- & server=$!
{ read -r _ <&3; : > "$socket_dir/stopping"; kill -INT "$server"; } 2>/dev/null & watch=$!
exec 3<&-
wait "$server"; status=$?
kill "$watch" 2>/dev/null
[ -e "$socket_dir/stopping" ] && rm -rf "$socket_dir"
exit "$status"
`;

export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { progress, onCrash } = options;
  const binaries = locateBinaries();
  const cluster = prepareCluster(options.dataDir, binaries, progress);
  refuseOtherVersion(cluster, binaries);
  await waitForPredecessor(cluster, binaries, progress);

  // A socket path may have 107 bytes at most, so it cannot lie in the data directory. Mode 0700 is what guards it.
  const socketDir = mkdtempSync(socketDirPrefix);
  if (runAs) chownSync(socketDir, runAs.uid, runAs.gid);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    logging_collector: 'on',
    log_filename: 'postgresql-%a.log',
    log_truncate_on_rotation: 'on',
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  let stopping = false;
  let child: ChildProcess;
  let gone: Promise<void>;
  let complaint = '';

  function launch(): void {
    complaint = '';
    const command = [join(binaries, 'bin', 'postgres'), '-D', cluster, ...args];
    // detached: a session of its own, so that Ctrl-C in the terminal reaches us and not the database.
    child = spawn('/bin/sh', ['-c', watchdog, 'concord-postgres', socketDir, ...command], {
      ...(runAs ?? {}),
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
    child.stdin?.on('error', () => {}); // EPIPE when the server died first
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-2_000);
    });
    gone = new Promise((resolve) => {
      child.once('error', (error) => {
        complaint += error.message;
        resolve();
      });
      child.once('close', () => resolve());
    });
  }

  /** Resolves when the server answers; rejects when it ended instead. */
  async function ready(): Promise<void> {
    let ended = false;
    void gone.then(() => {
      ended = true;
    });
    for (let waitedMs = 0; ; waitedMs += 20) {
      if (await answers(socketDir)) return;
      if (ended)
        throw new Error(
          `PostgreSQL did not start in ${cluster}:\n${complaint.trim() || 'it gave no reason'}`,
        );
      if (waitedMs > 0 && waitedMs % 10_000 === 0) progress('Waiting for PostgreSQL to recover its data…');
      await delay(20);
    }
  }

  /** After a crash: backends of the dead server may hold its memory for a moment, so a refused start is tried again. */
  async function supervise(): Promise<void> {
    while (!stopping) {
      await gone;
      if (stopping) return;
      onCrash(`The database server ended unexpectedly; starting it again. ${complaint.trim()}`);
      await delay(500);
      if (stopping) return;
      launch();
    }
  }

  async function stop(): Promise<void> {
    stopping = true;
    child.stdin?.end();
    await gone;
    rmSync(socketDir, { recursive: true, force: true });
  }

  launch();
  try {
    await ready();
    await createDatabase(socketDir);
  } catch (error) {
    await stop();
    throw error;
  }
  void supervise();
  return { connection: { host: socketDir, user: superuser, database: 'concord' }, stop };
}

/** Makes the cluster on the first start, whole or not at all; answers with its real path. */
function prepareCluster(dataDir: string, binaries: string, progress: (line: string) => void): string {
  // As root the server's account must pass through the folder to reach its own part of it.
  mkdirSync(dataDir, { recursive: true, mode: runAs ? 0o711 : 0o700 });
  const place = join(dataDir, 'postgres');
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found) {
    if (!existsSync(place)) {
      throw new Error(
        `${place} is a link to a folder that is gone. Restore it from a backup, or remove the link to start empty.`,
      );
    }
    return realpathSync(place);
  }

  progress('Creating the database (only on the first start)…');
  let home = dataDir;
  if (!canReach(dataDir, 'x')) {
    mkdirSync(rootStateDir, { recursive: true, mode: 0o755 });
    home = mkdtempSync(join(rootStateDir, 'data-'));
    chmodSync(home, 0o711);
  }
  const draft = mkdtempSync(join(home, 'postgres.new-'));
  if (runAs) chownSync(draft, runAs.uid, runAs.gid);
  const made = spawnSync(
    join(binaries, 'bin', 'initdb'),
    // The socket's folder is the lock (mode 0700); the collation is the same on every machine.
    [
      '-D',
      draft,
      '-U',
      superuser,
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    {
      ...(runAs ?? {}),
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
    },
  );
  if (made.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(
      `The database could not be created in ${dataDir}:\n${made.error?.message ?? made.stderr.trim()}`,
    );
  }
  const cluster = join(home, 'postgres');
  renameSync(draft, cluster);
  if (home !== dataDir) symlinkSync(cluster, place);
  return realpathSync(place);
}

function refuseOtherVersion(cluster: string, binaries: string): void {
  const theirs = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const shown = spawnSync(join(binaries, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  const ours = /(\d+)/.exec(shown)?.[1];
  if (theirs !== ours) {
    throw new Error(
      `The data in ${cluster} was written by PostgreSQL ${theirs}; this Concord brings PostgreSQL ${ours}. ` +
        'Start the Concord that wrote it and move the data with `npm run concord -- database copy` (docs/operating.md, Upgrade).',
    );
  }
}

/** A server that lost its Concord a moment ago needs a moment to shut down; one that stays belongs to somebody. */
async function waitForPredecessor(
  cluster: string,
  binaries: string,
  progress: (line: string) => void,
): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  for (let waitedMs = 0; existsSync(pidFile); waitedMs += 100) {
    // The file's lines: process, cluster, start time, port, socket directory.
    const [line = '', , , , socketDir = ''] = readFileSync(pidFile, 'utf8').split('\n');
    const pid = Number(line);
    if (!runsOn(pid, cluster, binaries)) {
      rmSync(pidFile, { force: true });
      if (socketDir.startsWith(socketDirPrefix)) rmSync(socketDir, { recursive: true, force: true });
      return;
    }
    if (waitedMs === 500) progress('Waiting for the previous database server to end…');
    if (waitedMs >= 10_000) {
      throw new Error(
        `Another Concord uses ${cluster}: its database server is running (process ${pid}). ` +
          `Stop that Concord or set CONCORD_DATA_DIR to another folder. If no Concord is running, end the server with: kill -INT ${pid}`,
      );
    }
    await delay(100);
  }
}

/** Whether process `pid` is a server on this cluster: after a reboot, or in a new container, the number may be another's. */
function runsOn(pid: number, cluster: string, binaries: string): boolean {
  const proc = `/proc/${pid}`;
  if (existsSync('/proc/self/cwd')) {
    // A server's working directory is its cluster.
    return existsSync(proc) && attempt(() => readlinkSync(`${proc}/cwd`)) === cluster;
  }
  const pgCtl = join(binaries, 'bin', 'pg_ctl');
  return spawnSync(pgCtl, ['status', '-D', cluster], { ...(runAs ?? {}), cwd: '/' }).status === 0;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

async function answers(socketDir: string): Promise<boolean> {
  const client = new Client({
    host: socketDir,
    user: superuser,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(socketDir: string): Promise<void> {
  const client = new Client({ host: socketDir, user: superuser, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'concord'");
    if (rowCount === 0) await client.query('create database concord');
  } finally {
    await client.end();
  }
}
