// A PostgreSQL server as a child of this process: started, restarted if it dies, and stopped with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { within } from '../../within.ts';
import { asServer, locateBinaries, runAs } from './binaries.ts';
import {
  inUse,
  lastLogLines,
  prepareCluster,
  runningSocketDir,
  superuser,
  waitForPredecessor,
} from './cluster.ts';

type EmbeddedServerOptions = {
  /** The folder that holds the cluster as `postgres`; it exists. */
  dataDir: string;
  settings?: Readonly<Record<string, string>>;
  progress: (line: string) => void;
  /** Called when the server ended by itself. It is then started again. Default: `progress`. */
  onCrash?: (message: string) => void;
  /** A server that hangs, for example with its disk, is left to its watchdog. */
  stopPatienceMs?: number;
};

const socketCheckMs = 2_000;

const connectionTo = (host: string, database: string) => ({ host, user: superuser, database });

type EmbeddedServer = {
  connection: ReturnType<typeof connectionTo>;
  stop(): Promise<void>;
};

/**
 * The shell between this process and the server. When its standard input closes, because this process ends in
 * any way (even by `kill -9`), it sends SIGINT, a fast shutdown, until the server is gone: a server that has
 * just started can miss the first.
 *
 * The processes of the server hold a lock. PostgreSQL does not see one in another container, and both would write.
 * Some disks have no locks, and macOS no `flock`.
 */
const watchdog = `
exec 3<&0
socket_dir=$1; cluster=$2; shift 2
exec 4<"$cluster"; flock -w 10 -E 75 4 2>/dev/null
[ $? = 75 ] && { echo "Another Concord uses the database, perhaps in another container. Stop it." >&2; exit 1; }
"$@" </dev/null 3<&- & server=$!
exec 4<&-
{ read -r _ <&3; exec 3<&-; ( : > "$socket_dir/stopping" ); while kill -INT "$server"; do sleep 0.2; done; } 2>/dev/null & watch=$!
exec 3<&-
wait "$server"; status=$?
[ -e "$socket_dir/stopping" ] && rm -rf "$socket_dir"
kill "$watch" 2>/dev/null
exit "$status"
`;

/** @throws Error when this process cannot reach it */
export function findRunningServer(dataDir: string): EmbeddedServer['connection'] | undefined {
  const host = runningSocketDir(dataDir, locateBinaries(dataDir));
  if (host !== undefined && !existsSync(host))
    throw new Error(
      `Concord is running on ${dataDir}, but this command cannot see the socket of its database in ${host}. ` +
        'A systemd service has a /tmp of its own: use concord-command, or stop Concord first.',
    );
  return host === undefined ? undefined : connectionTo(host, 'concord');
}

export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { dataDir, progress, onCrash = progress, stopPatienceMs = 15_000 } = options;
  const binaries = locateBinaries(dataDir);
  const cluster = prepareCluster(dataDir, binaries, progress);
  await waitForPredecessor(cluster, binaries, progress);

  // A socket path may have 107 bytes at most, so it cannot be in the data directory.
  const socketDir = mkdtempSync('/tmp/concord-');
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
  const child = createChild([cluster, join(binaries, 'bin', 'postgres'), '-D', cluster, ...args], socketDir);
  const lastWords = () => `${child.errorOutput()}\n${lastLogLines(cluster)}`;

  let stopping = false;
  async function supervise(): Promise<void> {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      const startedAt = Date.now();
      const socketIsGone = endWithoutSocket(socketDir, child.end);
      await child.gone();
      const words = socketIsGone()
        ? `Somebody deleted ${socketDir}, so nobody could connect to the database server; starting it again.`
        : `The database server ended unexpectedly; starting it again. ${lastWords()}`;
      if (stopping) return;
      // A server that ran for a minute is restarted without back-off.
      if (Date.now() - startedAt > 60_000) pauseMs = 500;
      onCrash(words);
      await delay(pauseMs, undefined, { ref: false });
      if (stopping) return;
      child.launch();
    }
  }

  async function stop(): Promise<void> {
    stopping = true;
    child.end();
    const isGone = await within(
      stopPatienceMs,
      child.gone().then(() => true),
      () => false,
    );
    if (isGone) return rmSync(socketDir, { recursive: true, force: true });
    child.leave();
    progress(`The database server did not stop within ${stopPatienceMs / 1_000} s. It stops when it can.`);
  }

  async function ready(): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += 20) {
      if (await answers(socketDir)) return;
      if (child.hasEnded()) {
        const words = lastWords();
        // It began at the same time.
        const other = /"postmaster\.pid" already exists.*\(PID (\d+)\)/s.exec(words)?.[1];
        throw other ? inUse(cluster, other) : new Error(`PostgreSQL did not start in ${cluster}:\n${words}`);
      }
      if (waitedMs > 0 && waitedMs % 10_000 === 0) progress('Waiting for PostgreSQL to recover its data…');
      await delay(20);
    }
  }

  try {
    await launchPatiently(child.launch, ready);
    await createDatabase(socketDir);
  } catch (error) {
    await stop();
    throw error;
  }
  void supervise();
  return { connection: connectionTo(socketDir, 'concord'), stop };
}

/**
 * Ends a server whose socket somebody deleted, as a cleaning of /tmp does: nobody could connect to it. The returned
 * function stops looking, and says whether it happened.
 */
function endWithoutSocket(socketDir: string, end: () => void): () => boolean {
  const socket = join(socketDir, '.s.PGSQL.5432');
  let isThere = existsSync(socket);
  let isGone = false;
  const timer = setInterval(() => {
    const was = isThere;
    isThere = existsSync(socket);
    if (!was || isThere) return;
    isGone = true;
    end();
  }, socketCheckMs).unref();
  return () => {
    clearInterval(timer);
    return isGone;
  };
}

/** Backends of a killed server hold its shared memory until they notice. Until then a start fails. */
async function launchPatiently(launch: () => void, ready: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    launch();
    try {
      return await ready();
    } catch (error) {
      if (tries === 15 || !/pre-existing shared memory/.test(String(error))) throw error;
      await delay(1_000);
    }
  }
}

/** The server under its watchdog. It can be launched again. */
function createChild(command: readonly string[], socketDir: string) {
  let child: ChildProcess | undefined;
  let gone = Promise.resolve();
  let ended = false;
  let errorOutput = '';

  function launch(): void {
    errorOutput = '';
    ended = false;
    gone = run()
      .catch((error: Error) => {
        errorOutput += error.message;
      })
      .then(() => {
        ended = true;
      });
  }

  async function run(): Promise<void> {
    restoreSocketDir(socketDir);
    // detached: Ctrl-C in the terminal must not reach the database.
    const launched = spawn('/bin/sh', ['-c', watchdog, 'concord-postgres', socketDir, ...command], {
      ...asServer,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child = launched;
    launched.stdin?.on('error', () => {}); // EPIPE when the server died first
    launched.stderr?.on('data', (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString()).slice(-2_000);
    });
    await once(launched, 'close');
  }

  return {
    launch,
    gone: () => gone,
    hasEnded: () => ended,
    errorOutput: () => errorOutput.trim(),
    /** The watchdog stops the server. */
    end: () => void child?.stdin?.end(),
    /** This process does not wait for it any more. */
    leave(): void {
      child?.stderr?.destroy();
      child?.unref();
    },
  };
}

/** /tmp may have been cleaned up, or the shell killed while it stopped. */
function restoreSocketDir(socketDir: string): void {
  if (mkdirSync(socketDir, { recursive: true, mode: 0o700 }) !== undefined && runAs) {
    chownSync(socketDir, runAs.uid, runAs.gid);
  }
  // After a cleaning, another user can make it, and would read what goes through the socket.
  const found = lstatSync(socketDir);
  if (!found.isDirectory() || found.uid !== (runAs?.uid ?? process.getuid?.()))
    throw new Error(`${socketDir} belongs to another user. Delete it.`);
  rmSync(join(socketDir, 'stopping'), { force: true });
}

const connectTo = (socketDir: string) =>
  new Client({ ...connectionTo(socketDir, 'postgres'), connectionTimeoutMillis: 2_000 });

async function answers(socketDir: string): Promise<boolean> {
  const client = connectTo(socketDir);
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
  const client = connectTo(socketDir);
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = 'concord'");
    if (rowCount === 0) await client.query('create database concord');
  } finally {
    await client.end();
  }
}
