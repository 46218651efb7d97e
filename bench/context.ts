// What a case may start, and the guarantee that all of it stops again.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

type Undo = () => unknown;

export type Context = {
  /** True with `--quick`: a case then measures a small load, which proves that it works. */
  readonly quick: boolean;
  /** Of the database that `--seed` fills. */
  readonly size: { partners: number; deliveries: number };
  /** A folder for files, readable by everyone; it is removed after the case. */
  readonly folder: string;
  /** What the head of the table says about the service, such as its version of PostgreSQL. */
  readonly about: Map<string, string>;
  say(line: string): void;
  /** Registers how to stop something that was started. What was registered last stops first. */
  defer(undo: Undo): void;
  /** Starts a script as a process of its own. If it fails, so does the case. */
  fork(script: URL, options?: ForkOptions): ChildProcess;
  /** Does work with a context of its own, and stops everything that the work started. */
  scope<T>(work: (context: Context) => Promise<T>): Promise<T>;
};

type ForkOptions = {
  args?: string[];
  environment?: Record<string, string>;
  nodeOptions?: string[];
  /** The file that gets the standard output, by its number. Without it, the output is dropped. */
  output?: number;
};

type Run = Pick<Context, 'quick' | 'size' | 'folder' | 'about' | 'say'> & {
  fail(reason: unknown): void;
  /** Aborted when the case failed: processes are killed then. */
  readonly failed: AbortSignal;
};

export type OpenContext = Context & {
  end(): Promise<void>;
};

const root = new URL('..', import.meta.url);
const endWithParent = new URL('./processes/end-with-parent.ts', import.meta.url).href;
/** Longer than a service needs to finish its requests. */
const patienceMs = 15_000;

export function createContext(run: Run): OpenContext {
  const { fail, failed, ...given } = run;
  const undos: Undo[] = [];
  let ended = false;
  let unwinding: Promise<void> | undefined;

  function defer(undo: Undo): void {
    undos.push(undo);
    // The case was still starting something when it failed.
    if (ended) void end();
  }

  function end(): Promise<void> {
    ended = true;
    unwinding ??= unwind().finally(() => {
      unwinding = undefined;
    });
    return unwinding;
  }

  async function unwind(): Promise<void> {
    for (let undo = undos.pop(); undo; undo = undos.pop()) {
      try {
        await undo();
      } catch (error) {
        // One failure must not keep the rest running.
        given.say(`stopping failed: ${error}`);
      }
    }
  }

  function forkChild(script: URL, options: ForkOptions = {}): ChildProcess {
    const { args = [], environment, nodeOptions = [], output = 'ignore' } = options;
    const child = fork(script, args, {
      execArgv: ['--import', endWithParent, ...nodeOptions],
      cwd: root,
      env: { ...environmentOfMachine(), ...environment },
      stdio: ['ignore', output, 'inherit', 'ipc'],
      signal: failed,
      killSignal: 'SIGKILL',
    });
    let stopping = false;
    const exited = new Promise<void>((resolve) => {
      child.once('exit', (code, signal) => {
        if (code !== 0 && !stopping) fail(`${script.pathname} ended with ${signal ?? code}`);
        resolve();
      });
    });
    child.on('error', fail);
    defer(async () => {
      stopping = true;
      child.kill();
      const impatience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await exited;
      clearTimeout(impatience);
    });
    return child;
  }

  async function scope<T>(work: (context: Context) => Promise<T>): Promise<T> {
    const inner = createContext(run);
    defer(inner.end);
    try {
      return await work(inner);
    } finally {
      await inner.end();
    }
  }

  return { ...given, defer, fork: forkChild, scope, end };
}

/**
 * The environment without settings of Concord, since they would change what is measured. The signer may be
 * chosen.
 */
function environmentOfMachine(): NodeJS.ProcessEnv {
  const foreign = Object.entries(process.env).filter(
    ([name]) => !/^(CONCORD_(?!SIGNER$)|DATABASE_URL$|HOST$|PORT$)/.test(name),
  );
  return Object.fromEntries(foreign);
}

/** The next message of a process, after it got one of ours if there is any. */
export async function ask<Answer>(child: ChildProcess, message?: object | string | number): Promise<Answer> {
  const answer = once(child, 'message');
  if (message !== undefined) child.send(message);
  return (await answer)[0] as Answer;
}
