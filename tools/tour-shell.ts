// What a tour runs in: a scratch folder, a service of its own, and the shell that its commands are pasted
// into.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const startTimeoutMs = 120_000;
const stepTimeoutMs = 60_000;

/** A temporary folder in which the paths of a fresh clone work: `./data`, and packages in `node_modules`. */
export function makeScratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'concord-tour-'));
  // The embedded PostgreSQL of root runs as another user, who must be able to pass.
  chmodSync(folder, 0o711);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** `preferred` when nothing listens on it, else a free port. */
export async function findPort(preferred: number): Promise<number> {
  const bind = async (port: number) => {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    return typeof address === 'object' && address ? address.port : port;
  };
  return bind(preferred).catch(() => bind(0));
}

/** Starts the service with nothing but these settings. Resolves when it is ready. */
export async function startService(
  folder: string,
  settings: Record<string, string>,
  program = join(root, 'server/src/main.ts'),
) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CONCORD_.*|DATABASE_URL.*|HOST|PORT)$/.test(name),
  );
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), CONCORD_LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  let output = '';
  try {
    const url = await within(startTimeoutMs, 'The service did not start', (resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
          const ready = /^Concord is ready at (\S+)$/m.exec(output)?.[1];
          if (ready) resolve(ready);
        });
      }
      void ended.then(() => reject(new Error(`The service did not start:\n${output}`)));
    });
    return { url, output: () => output, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One `sh` for all steps, so that variables, functions and background processes live on. */
export function openShell(folder: string) {
  // A group of its own, so that closing ends what the steps left in the background too.
  const child = spawn('sh', ['-c', 'exec sh 2>&1'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  child.stdout.setEncoding('utf8');
  // A shell that has ended is reported by the next step, not by its pipe.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close');
  const script = join(folder, 'step.sh');
  return {
    /** Resolves with what the commands printed. */
    async run(commands: string): Promise<string> {
      const marker = `end-of-step-${randomUUID()}`;
      writeFileSync(script, `${commands}\n`);
      let output = '';
      try {
        return await within(stepTimeoutMs, 'The step did not end', (resolve, reject) => {
          child.stdout.on('data', (chunk: string) => {
            output += chunk;
            if (output.includes(marker)) resolve(output.slice(0, output.indexOf(marker)));
          });
          void ended.then(() => reject(new Error(`The shell ended:\n${output}`)));
          child.stdin.write(`. ./step.sh; echo; echo ${marker}\n`);
        });
      } finally {
        child.stdout.removeAllListeners('data');
      }
    },
    async close(): Promise<void> {
      killGroup(child);
      await ended;
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

type Settle<Value> = (resolve: (value: Value) => void, reject: (error: Error) => void) => void;

async function within(timeoutMs: number, complaint: string, settle: Settle<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${complaint} within ${timeoutMs / 1_000} seconds`)),
        timeoutMs,
      );
      settle(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
  }
}
