// Starts the program as a real process. When a test finishes, its remaining processes are killed.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, inject, onTestFinished } from 'vitest';
import { toTerminal } from '../../src/base/log.ts';
import { run } from '../../src/program/run.ts';
import { databaseFolder } from './database-folder.ts';
import { createClient } from './start-service.ts';

const root = join(import.meta.dirname, '../../..');
/** Creates a folder for the running test, or with `afterAll` for a file of tests, and removes it when that finishes. */
export function newScratchDir(atEnd: (remove: () => Promise<void>) => void = onTestFinished) {
  const dir = mkdtempSync(join(databaseFolder, 'concord-program-'));
  chmodSync(dir, 0o711);
  // Servers that end may still delete files in it.
  atEnd(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));
  return dir;
}

/** A path with spaces and quotes, longer than a socket path may be. */
export function newDataDir(...atEnd: Parameters<typeof newScratchDir>) {
  const dir = join(newScratchDir(...atEnd), `it's a "dir" ${'long '.repeat(20)}`, 'data');
  mkdirSync(join(dir, '..'), { mode: 0o711 });
  return dir;
}

/** The password of the operator in a data directory that has been used. */
export const usedPassword = 'correct horse battery';

/**
 * A copy of the data directory of a Concord that has run. The first test that needs it makes it for the run: the first
 * start takes twice the work of others.
 */
export async function newUsedDataDir(): Promise<string> {
  const used = join(databaseFolder, inject('template'));
  const admin = new Client(inject('adminUrl'));
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [used]);
    if (!existsSync(used)) {
      const draft = newDataDir();
      const first = launch({ CONCORD_DATA_DIR: draft, CONCORD_OPERATOR_PASSWORD: usedPassword });
      await first.ready();
      first.child.kill('SIGTERM');
      expect(await first.ended).toBe(0);
      renameSync(draft, used);
    }
  } finally {
    // The others would wait for the lock, and not say what failed.
    await admin.end();
  }
  const dataDir = newDataDir();
  // The database belongs to another user.
  execFileSync('cp', ['-a', used, dataDir]);
  return dataDir;
}

export function launch(environment: Record<string, string>, args: string[] = [], how: How = {}) {
  const CONCORD_DATA_DIR = environment.CONCORD_DATA_DIR ?? newDataDir();
  const program = launchProgram({ ...environment, CONCORD_DATA_DIR }, args, how);
  onTestFinished(() => kill(program.child));
  return program;
}

/**
 * `onHost` makes the command that runs another command, for example on a host, and becomes it. `checkout`:
 * where the program is.
 */
type How = { onHost?: (command: string[]) => string[]; checkout?: string | undefined };

/** Starts the program; the caller kills it. */
export function launchProgram(
  environment: Record<string, string>,
  args: string[] = [],
  { onHost = (command) => command, checkout = root }: How = {},
) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const [file = '', ...rest] = onHost([process.execPath, join(checkout, 'server/src/main.ts'), ...args]);
  const child = spawn(file, rest, {
    env: { ...inherited, PORT: '0', CONCORD_LOG_LEVEL: 'error', CONCORD_WORKERS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    lines.splice(0, lines.length, ...output.trimEnd().split('\n'));
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = () =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        // Workers beside the program write to the same output.
        const [url] = lines.flatMap((line) => /^Concord is ready at (\S+)$/.exec(line)?.[1] ?? []);
        if (url) resolve(url);
      };
      child.stdout.on('data', look);
      void ended.then(() => reject(new Error(`It ended:\n${output}`)));
    });
  return { child, lines, ended, ready };
}

/** Runs a command in this process: its exit code, and what a process would print. */
export async function runCommand(environment: Record<string, string>, args: string[]) {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(...toTerminal(text).split('\n'));
  const serve = () => expect.unreachable();
  const settings = { PORT: '0', CONCORD_LOG_LEVEL: 'error', CONCORD_WORKERS: '0', ...environment };
  const code = await run(args, settings, { say: print, complain: print, serve, work: serve });
  return { code, lines, text: lines.join('\n') };
}

export async function kill(child: ChildProcess) {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined;
  child.kill('SIGKILL');
  await ended;
}

export async function workersOf({ pid }: ChildProcess) {
  // pgrep fails when it finds nothing.
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid), '-f', 'main\\.ts worker$']).catch(
    () => ({
      stdout: '',
    }),
  );
  return stdout.split('\n').filter(Boolean).map(Number);
}

export const postmasterPid = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
export const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // A zombie is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
};

export async function signIn(url: string, password: string) {
  const { request, close } = createClient(url);
  const { status, body } = await request('POST', '/api/auth/sign-in/email', {
    body: { email: 'operator@concord.local', password },
  });
  expect(status).toBe(200);
  return {
    close,
    token: String(body.token),
    request: (method: string, path: string, body_?: unknown) =>
      request(method, path, { token: body.token, body: body_ }),
  };
}
