// The cluster on disk: where it lies, how it is made, and whether somebody else is using it.
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
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asServer, canReach, makeRootStateDir, runAs } from './binaries.ts';

export const superuser = 'concord';
type Progress = (line: string) => void;

/** The real path of the cluster, made on the first start, whole or not at all. */
export function prepareCluster(dataDir: string, binaries: string, progress: Progress): string {
  const place = join(dataDir, 'postgres');
  if (!lstatSync(place, { throwIfNoEntry: false })) makeCluster(dataDir, place, binaries, progress);
  if (!existsSync(place)) {
    throw new Error(`${place} is a link to a folder that is gone. Restore it from a backup, or remove the link to start empty.`);
  }
  const cluster = realpathSync(place);
  if (dirname(cluster) !== realpathSync(dataDir)) {
    progress(`The database lies in ${cluster}, since the account that runs it cannot reach ${dataDir}: back up both.`);
  }
  refuseOtherOwner(cluster);
  refuseOtherVersion(cluster, binaries);
  return cluster;
}

function makeCluster(dataDir: string, place: string, binaries: string, progress: Progress): void {
  progress('Creating the database (only on the first start)…');
  const home = canReach(dataDir, 'x') ? dataDir : makeHomeElsewhere(dataDir);
  const draft = mkdtempSync(join(home, 'postgres.new-'));
  if (runAs) chownSync(draft, runAs.uid, runAs.gid);
  const made = spawnSync(
    join(binaries, 'bin', 'initdb'),
    // The socket's folder is the lock (mode 0700); the collation is the same on every machine.
    [
      ['--pgdata', draft],
      ['--username', superuser, '--auth', 'trust'],
      ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      '--no-instructions',
    ].flat(),
    { ...asServer, encoding: 'utf8' },
  );
  const cluster = join(home, 'postgres');
  try {
    if (made.status !== 0) {
      throw new Error(`The database could not be created in ${dataDir}:\n${made.error?.message ?? made.stderr.trim()}`);
    }
    renameSync(draft, cluster);
    if (home !== dataDir) symlinkSync(cluster, place);
  } catch (error) {
    rmSync(home === dataDir ? draft : home, { recursive: true, force: true });
    // Another start was faster: its cluster is as good, and whether it is in use is asked next.
    if (!['ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
  removeOldDrafts(dataDir);
}

/** For root alone: the account of the server cannot pass through to the data directory. */
function makeHomeElsewhere(dataDir: string): string {
  const home = mkdtempSync(join(makeRootStateDir(), 'data-'));
  chmodSync(home, 0o711);
  writeFileSync(join(home, 'README'), `The database of the Concord whose data directory is ${dataDir}.\n`);
  return home;
}

/** What a first start that was killed left behind. */
function removeOldDrafts(dataDir: string): void {
  const anHourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith('postgres.new-'))) {
    const draft = join(dataDir, name);
    if (statSync(draft).mtimeMs < anHourAgo) rmSync(draft, { recursive: true, force: true });
  }
}

function refuseOtherOwner(cluster: string): void {
  const { uid } = statSync(cluster);
  const ours = runAs?.uid ?? process.getuid?.() ?? uid;
  if (uid !== ours) {
    throw new Error(
      `The database in ${cluster} belongs to the user with id ${uid}, and would be run by the one with id ${ours}. ` +
        'Start Concord as the user who made it.',
    );
  }
}

function refuseOtherVersion(cluster: string, binaries: string): void {
  const file = join(cluster, 'PG_VERSION');
  const theirs = lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8').trim() : 'unknown';
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
export async function waitForPredecessor(cluster: string, binaries: string, progress: Progress): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  for (let waitedMs = 0; existsSync(pidFile); waitedMs += 100) {
    const { pid, socketDir } = readPidFile(pidFile);
    const owner = whoIs(pid, cluster, binaries);
    if (owner !== 'its server') {
      // PostgreSQL replaces a stale file itself, but not one whose number somebody else has by now.
      if (owner === 'another') rmSync(pidFile, { force: true });
      // Written by the server's account, so removed as that account: root must not be told what to delete.
      if (socketDir !== undefined) spawnSync('/bin/rm', ['-rf', '--', socketDir], asServer);
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

/** The socket directory of the server that runs on the cluster of this data directory. */
export function runningSocketDir(dataDir: string, binaries: string): string | undefined {
  const place = join(dataDir, 'postgres');
  const pidFile = join(place, 'postmaster.pid');
  if (!existsSync(pidFile)) return undefined;
  const { pid, socketDir } = readPidFile(pidFile);
  return whoIs(pid, realpathSync(place), binaries) === 'its server' ? socketDir : undefined;
}

/** The file's lines: process, cluster, start time, port, socket directory. Another account may have written it. */
function readPidFile(pidFile: string): { pid: number; socketDir: string | undefined } {
  const [line = '', , , , socketDir = ''] = readFileSync(pidFile, 'utf8').split('\n');
  return {
    pid: Number(line),
    socketDir: /^\/tmp\/concord-[A-Za-z0-9]{6}$/.test(socketDir) ? socketDir : undefined,
  };
}

/** Whose the process is: after a reboot, or in a new container, the number may be another's. In doubt it is the server's. */
function whoIs(pid: number, cluster: string, binaries: string): 'its server' | 'another' | 'nobody' {
  if (!existsSync('/proc/self/cwd')) {
    const pgCtl = join(binaries, 'bin', 'pg_ctl');
    return spawnSync(pgCtl, ['status', '-D', cluster], asServer).status === 0 ? 'its server' : 'nobody';
  }
  // A server's working directory is its cluster. Asked as its account: even root may lack the right to look.
  const asked = spawnSync('/bin/sh', ['-c', 'stat -L -c %d:%i "/proc/$1/cwd"', 'sh', String(pid)], {
    ...asServer,
    encoding: 'utf8',
  });
  const { dev, ino } = statSync(cluster);
  if (!runs(pid)) return 'nobody';
  return asked.status === 0 && asked.stdout.trim() !== `${dev}:${ino}` ? 'another' : 'its server';
}

/** One that has ended and was not collected by its parent yet does not run. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The last lines of the server's own log: after the first moments its reasons stand there. */
export function lastWords(cluster: string): string {
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
