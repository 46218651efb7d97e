// The cluster on disk: where it is, how it is created, and whether another process uses it.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../../errors.ts';
import { asServer, canReach, makeRootStateDir, runAs } from './binaries.ts';

export const superuser = 'concord';
type Progress = (line: string) => void;

const run = (program: string, args: readonly string[]) =>
  spawnSync(program, args, { ...asServer, encoding: 'utf8' });

/** The first start creates the cluster, completely or not at all. */
export function prepareCluster(dataDir: string, binaries: string, progress: Progress): string {
  const place = join(dataDir, 'postgres');
  if (!lstatSync(place, { throwIfNoEntry: false })) makeCluster(dataDir, place, binaries, progress);
  if (!existsSync(place)) {
    throw new Error(
      `${place} is a link to a folder that does not exist. Restore the folder from a backup, or remove the link to start with an empty database.`,
    );
  }
  const cluster = realpathSync(place);
  if (dirname(cluster) !== realpathSync(dataDir)) {
    progress(
      `The database is in ${cluster}, because the account that runs it cannot reach ${dataDir}. Back up both folders.`,
    );
  }
  refuseOtherOwner(cluster);
  refuseOtherVersion(cluster, binaries);
  return cluster;
}

function makeCluster(dataDir: string, place: string, binaries: string, progress: Progress): void {
  progress('Creating the database (only on the first start)…');
  const home = canReach(dataDir) ? dataDir : makeHomeElsewhere(dataDir);
  const draft = mkdtempSync(join(home, 'postgres.new-'));
  if (runAs) chownSync(draft, runAs.uid, runAs.gid);
  const made = run(
    join(binaries, 'bin', 'initdb'),
    // `trust`: only the owner can enter the socket's folder. The builtin locale sorts the same everywhere.
    [
      ['--pgdata', draft],
      ['--username', superuser, '--auth', 'trust'],
      ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      '--no-instructions',
    ].flat(),
  );
  const cluster = join(home, 'postgres');
  try {
    if (made.status !== 0) {
      throw new Error(
        `The database could not be created in ${dataDir}:\n${made.error?.message ?? made.stderr.trim()}`,
      );
    }
    renameSync(draft, cluster);
    if (home !== dataDir) symlinkSync(cluster, place);
  } catch (error) {
    rmSync(home === dataDir ? draft : home, { recursive: true, force: true });
    // A concurrent start was faster. waitForPredecessor finds out whether it uses the cluster.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
  removeOldDrafts(dataDir);
}

/** A folder on the disk that a new cluster of this data directory goes to. */
export const diskOfCluster = (dataDir: string): string => (canReach(dataDir) ? dataDir : makeRootStateDir());

function makeHomeElsewhere(dataDir: string): string {
  const home = mkdtempSync(join(makeRootStateDir(), 'data-'));
  chmodSync(home, 0o711);
  noteOwner(home, dataDir);
  return home;
}

const noteIn = (home: string) => join(home, 'README');
const noteStart = 'The database of the Concord whose data directory is ';
const noteOwner = (home: string, dataDir: string) =>
  writeFileSync(noteIn(home), `${noteStart}${realpathSync(dataDir)}.\n`);

function removeOldDrafts(dataDir: string): void {
  const anHourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith('postgres.new-'))) {
    const draft = join(dataDir, name);
    // A start at the same time removes its own.
    const changedAt = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? anHourAgo;
    if (changedAt < anHourAgo) rmSync(draft, { recursive: true, force: true });
  }
}

function refuseOtherOwner(cluster: string): void {
  const { uid } = statSync(cluster);
  const ours = runAs?.uid ?? process.getuid?.() ?? uid;
  if (uid !== ours) {
    throw new Error(
      `The database in ${cluster} belongs to the user with id ${uid}, but would run as the user with id ${ours}. ` +
        'Start Concord as the user who created it.',
    );
  }
}

function refuseOtherVersion(cluster: string, binaries: string): void {
  const file = join(cluster, 'PG_VERSION');
  const theirs = lstatSync(file, { throwIfNoEntry: false })?.isFile()
    ? readFileSync(file, 'utf8').trim()
    : 'unknown';
  const shown = run(join(binaries, 'bin', 'postgres'), ['--version']).stdout;
  const ours = /(\d+)/.exec(shown)?.[1];
  if (theirs !== ours) {
    throw new Error(
      `The data in ${cluster} was written by PostgreSQL ${theirs}; this Concord includes PostgreSQL ${ours}. ` +
        'Start the Concord that wrote it and move the data with `npm run concord -- database copy` (docs/operating/upgrade.md).',
    );
  }
}

export const inUse = (cluster: string, pid: number | string | undefined) =>
  new Error(
    `Another Concord uses ${cluster}: its database server is running (process ${pid}, perhaps of another container). ` +
      `Stop that Concord or set CONCORD_DATA_DIR to another folder. If no Concord is running, end the server with: kill -INT ${pid}`,
  );

/** A server that keeps running belongs to another Concord. */
export async function waitForPredecessor(
  cluster: string,
  binaries: string,
  progress: Progress,
): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  for (let waitedMs = 0; ; waitedMs += 100) {
    const found = readPidFile(pidFile);
    if (!found) return;
    const { pid, socketDir } = found;
    // PostgreSQL fills it at once. A power cut can leave it empty, and PostgreSQL would not start.
    const owner = pid > 0 ? ownerOf(pid, cluster, binaries) : waitedMs < 1_000 ? 'its server' : 'another';
    if (owner !== 'its server') {
      // PostgreSQL replaces a stale file, unless another process has its pid.
      if (owner === 'another') rmSync(pidFile, { force: true });
      // Root must not delete a path that another account wrote.
      if (socketDir !== undefined) run('/bin/rm', ['-rf', '--', socketDir]);
      return;
    }
    if (waitedMs === 500) {
      progress('Waiting for the previous database server to end…');
      if (!runs(pid)) endSessions(cluster);
    }
    if (waitedMs >= 10_000) {
      throw inUse(cluster, pid);
    }
    await delay(100);
  }
}

export function runningSocketDir(dataDir: string, binaries: string): string | undefined {
  const place = join(dataDir, 'postgres');
  const found = readPidFile(join(place, 'postmaster.pid'));
  return found && ownerOf(found.pid, realpathSync(place), binaries) === 'its server'
    ? found.socketDir
    : undefined;
}

/**
 * Pid, cluster, start time, port, socket directory. Another account writes the file, so the path is checked.
 */
function readPidFile(pidFile: string): { pid: number; socketDir: string | undefined } | undefined {
  let text: string;
  try {
    text = readFileSync(pidFile, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const [line = '', , , , socketDir = ''] = text.split('\n');
  return {
    // `postgres --single` writes it negative. 0: the file is empty.
    pid: Math.abs(Number(line)),
    socketDir: /^\/tmp\/concord-[A-Za-z0-9]{6}$/.test(socketDir) ? socketDir : undefined,
  };
}

/** After a reboot another process may have the pid. If in doubt, the server has it. */
function ownerOf(pid: number, cluster: string, binaries: string): 'its server' | 'another' | 'nobody' {
  // That of another container has no process here, but the lock (embedded-server.ts). Shared, so that two that look
  // at once do not take each other for it.
  if (run('flock', ['-s', '-n', '-E', '75', cluster, 'true']).status === 75) return 'its server';
  if (!existsSync('/proc/self/cwd')) {
    const pgCtl = join(binaries, 'bin', 'pg_ctl');
    return run(pgCtl, ['status', '-D', cluster]).status === 0 ? 'its server' : 'nobody';
  }
  // A server's working directory is its cluster. Even root may lack the permission to look.
  const asked = run('/bin/sh', ['-c', 'stat -L -c %d:%i "/proc/$1/cwd"', 'sh', String(pid)]);
  const { dev, ino } = statSync(cluster);
  if (!runs(pid)) return 'nobody';
  return asked.status === 0 && asked.stdout.trim() !== `${dev}:${ino}` ? 'another' : 'its server';
}

/**
 * A session whose server was killed (`kill -9`) ends when its statement does, and holds the lock until then. The server
 * itself has another title, so one that starts now is safe.
 */
function endSessions(cluster: string): void {
  const script = `for process in /proc/[0-9]*; do
    read -r title <"$process/cmdline"
    case $title in "postgres: "*) [ "$process/cwd" -ef "$1" ] && kill "\${process#/proc/}" ;; esac
  done 2>/dev/null`;
  run('/bin/sh', ['-c', script, 'sh', cluster]);
}

function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return isThere(pid);
  }
}

/** `/proc` can hide the processes of other accounts (hidepid). */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** No server uses it. Its cluster may be elsewhere (makeHomeElsewhere). */
export async function removeDataDir(dataDir: string): Promise<void> {
  // The initdb of a killed restore can be at work. `rmSync` would stop when a file disappears.
  const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 10 });
  const place = join(dataDir, 'postgres');
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() && existsSync(place)) {
    const home = dirname(realpathSync(place));
    if (isHomeOfOneIn(realpathSync(dirname(dataDir)), home)) await remove(home);
  }
  await remove(dataDir);
}

/** A link can lead anywhere, and root may delete everything. The note can have an earlier name of a draft. */
const isHomeOfOneIn = (parent: string, home: string) =>
  existsSync(noteIn(home)) && readFileSync(noteIn(home), 'utf8').startsWith(`${noteStart}${parent}/`);

export function syncCluster(dataDir: string, binaries: string): void {
  const cluster = realpathSync(join(dataDir, 'postgres'));
  const synced = run(join(binaries, 'bin', 'initdb'), ['--sync-only', '--pgdata', cluster]);
  if (synced.status !== 0)
    throw new Error(
      `${cluster} could not be written to the disk:\n${synced.error?.message ?? synced.stderr.trim()}`,
    );
}

/** No server uses the cluster. */
export function moveCluster(from: string, to: string): void {
  const [place, target] = [join(from, 'postgres'), join(to, 'postgres')];
  // A link would replace what it meets, and a folder would not.
  if (lstatSync(target, { throwIfNoEntry: false }))
    throw new Error(`${target} exists now. Another program has made it meanwhile.`);
  renameSync(place, target);
  if (lstatSync(target).isSymbolicLink()) noteOwner(dirname(realpathSync(target)), to);
}

export function lastLogLines(cluster: string): string {
  try {
    const logDir = join(cluster, 'log');
    const newest = readdirSync(logDir)
      .map((name) => join(logDir, name))
      .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
      .at(-1);
    return newest === undefined ? '' : readFileSync(newest, 'utf8').trim().split('\n').slice(-5).join('\n');
  } catch {
    return '';
  }
}
