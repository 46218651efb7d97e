// Worker processes, for machines with more cores: each is this program, sends webhooks, and has lanes of its own.
import { type ChildProcess, fork } from 'node:child_process';

const restartMs = 1_000;

type Options = {
  count: number;
  /** Settings that differ from those of this process. */
  environment: Readonly<Record<string, string>>;
  onStart: (pid: number) => void;
  /** A worker ended by itself. Another one takes its place, and its lanes when their leases end. */
  onEnd: (reason: { pid: number | undefined; code: number | null; signal: string | null }) => void;
};

export type WorkerProcesses = {
  /** Lets the workers finish what is in flight. Those that take longer than this are killed. */
  stop(patienceMs: number): Promise<void>;
};

export function startWorkerProcesses({ count, environment, onStart, onEnd }: Options): WorkerProcesses {
  const running = new Set<ChildProcess>();
  let stopping = false;

  function start(): void {
    if (stopping) return;
    const child = fork(new URL('./main.ts', import.meta.url), ['worker'], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const end = (code: number | null, signal: string | null) => {
      running.delete(child);
      if (stopping) return;
      onEnd({ pid: child.pid, code, signal });
      setTimeout(start, restartMs);
    };
    // Without a pid it was not started, for want of memory or processes, and has no exit.
    child.once('error', () => child.pid === undefined && end(null, null));
    if (child.pid === undefined) return;
    running.add(child);
    onStart(child.pid);
    child.once('exit', end);
  }

  for (let worker = 0; worker < count; worker++) start();
  return {
    async stop(patienceMs) {
      stopping = true;
      const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of running) child.kill('SIGTERM');
      const timer = setTimeout(() => {
        for (const child of running) child.kill('SIGKILL');
      }, patienceMs);
      await Promise.all(ends);
      clearTimeout(timer);
    },
  };
}
