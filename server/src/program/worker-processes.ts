// Worker processes: each is this program, sends webhooks, and has lanes of its own.
import { type ChildProcess, fork } from 'node:child_process';
import { within } from '../base/within.ts';
import type { ProcessValues, Values } from '../insight/metrics/index.ts';

/** Doubles while workers end soon after their start. */
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** A late worker still tells the others about its lanes. */
const lastStepsMs = 1_500;
const answerMs = 1_000;

type Options = {
  count: number;
  environment: Readonly<Record<string, string>>;
  onStart: (pid: number) => void;
  /** Another worker takes its place, and its lanes when their leases end. */
  onEnd: (reason: {
    worker: number | undefined;
    code: number | null;
    signal: string | null;
    restartInMs: number;
  }) => void;
};

/** `values` null: a process asks. Otherwise it is the answer. */
type MetricsMessage = { readonly metrics: number; readonly values: Values | null };
const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** In a worker. */
export function answerParent(readValues: () => Promise<Values>): void {
  process.on('message', (message) => {
    if (!isMetricsMessage(message)) return;
    // The parent may be gone.
    void readValues().then((values) => process.send?.({ metrics: message.metrics, values }, () => {}));
  });
}

/** Null: the worker did not answer in time. */
function askForValues(child: ChildProcess, question: number): Promise<Values | null> {
  const answer = Promise.withResolvers<Values | null>();
  const give = () => answer.resolve(null);
  const hear = (message: unknown) => {
    if (isMetricsMessage(message) && message.metrics === question) answer.resolve(message.values);
  };
  child.on('message', hear).once('exit', give);
  child.send({ metrics: question, values: null }, (error) => error && give());
  return within(answerMs, answer.promise, () => null).finally(() =>
    child.off('message', hear).off('exit', give),
  );
}

export type WorkerProcesses = ReturnType<typeof startWorkerProcesses>;

export function startWorkerProcesses({ count, environment, onStart, onEnd }: Options) {
  /** With its place, which its replacement takes. */
  const running = new Map<ChildProcess, number>();
  const waiting = new Set<NodeJS.Timeout>();
  let stopping = false;
  let questions = 0;

  function start(place: number, waitMs: number): void {
    const startedAt = performance.now();
    const child = fork(new URL('../main.ts', import.meta.url), ['worker'], {
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
        start(place, Math.min(longestWaitMs, restartInMs * 2));
      }, restartInMs);
      waiting.add(timer);
    };
    // Without a pid the process was not started, and no `exit` follows.
    child.once('error', () => child.pid === undefined && end(null, null));
    if (child.pid === undefined) return;
    running.set(child, place);
    onStart(child.pid);
    child.once('exit', end);
  }

  for (let place = 1; place <= count; place++) start(place, firstWaitMs);
  return {
    /** Reads from the workers that answer within a second. */
    async readValues(): Promise<ProcessValues[]> {
      const asked = [...running].map(async ([child, place]) => ({
        process: `worker-${place}`,
        values: await askForValues(child, ++questions),
      }));
      return (await Promise.all(asked)).flatMap(({ process, values }) =>
        values === null ? [] : [{ process, values }],
      );
    },
    /** A worker that takes much longer is killed. */
    async stop(patienceMs: number): Promise<void> {
      stopping = true;
      for (const timer of waiting) clearTimeout(timer);
      const ends = [...running.keys()].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of running.keys()) child.kill('SIGTERM');
      const timer = setTimeout(() => {
        for (const child of running.keys()) child.kill('SIGKILL');
      }, patienceMs + lastStepsMs);
      await Promise.all(ends);
      clearTimeout(timer);
    },
  };
}
