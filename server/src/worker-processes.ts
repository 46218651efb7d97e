// Worker processes, for machines with more cores: each is this program, sends webhooks, and has lanes of its own.
import { type ChildProcess, fork } from 'node:child_process';

/** The wait before a worker is replaced. It doubles while workers end soon after their start. */
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** A worker that cannot finish in time still tells the others about its lanes before it is killed. */
const lastStepsMs = 1_500;

type Options = {
  count: number;
  /** Settings that differ from those of this process. */
  environment: Readonly<Record<string, string>>;
  onStart: (pid: number) => void;
  /** A worker ended by itself. Another one takes its place, and its lanes when their leases end. */
  onEnd: (reason: { worker: number | undefined; code: number | null; signal: string | null; restartInMs: number }) => void;
};

export type WorkerProcesses = {
  /** Gives the workers this time to finish what is in flight. A worker that takes much longer is killed. */
  stop(patienceMs: number): Promise<void>;
};

export function startWorkerProcesses({ count, environment, onStart, onEnd }: Options): WorkerProcesses {
  const running = new Set<ChildProcess>();
  const waiting = new Set<NodeJS.Timeout>();
  let stopping = false;

  function start(waitMs: number): void {
    const startedAt = performance.now();
    const child = fork(new URL('./main.ts', import.meta.url), ['worker'], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const end = (code: number | null, signal: string | null) => {
      running.delete(child);
      if (stopping) return;
      const restartInMs = performance.now() - startedAt > longestWaitMs ? firstWaitMs : waitMs;
      onEnd({ worker: child.pid, code, signal, restartInMs });
      const timer = setTimeout(() => {
        waiting.delete(timer);
        start(Math.min(longestWaitMs, restartInMs * 2));
      }, restartInMs);
      waiting.add(timer);
    };
    // Without a pid the process was not started: memory or processes ran out. Then no `exit` follows.
    child.once('error', () => child.pid === undefined && end(null, null));
    if (child.pid === undefined) return;
    running.add(child);
    onStart(child.pid);
    child.once('exit', end);
  }

  for (let worker = 0; worker < count; worker++) start(firstWaitMs);
  return {
    async stop(patienceMs) {
      stopping = true;
      for (const timer of waiting) clearTimeout(timer);
      const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of running) child.kill('SIGTERM');
      const timer = setTimeout(() => {
        for (const child of running) child.kill('SIGKILL');
      }, patienceMs + lastStepsMs);
      await Promise.all(ends);
      clearTimeout(timer);
    },
  };
}
