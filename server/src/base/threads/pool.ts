// Runs long work in threads, so that it blocks no request.
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, type Fault, ServiceError } from '../errors.ts';
import { createFairQueue } from '../limits/index.ts';

/** First `begun`, then one of the others. */
export type Message =
  | { begun: true }
  | { output: unknown }
  | { fault: { code: ErrorCode; detail: string; faults: readonly Fault[] } }
  | { failure: string };

type Options = {
  /** It calls `serveJobs`. */
  script: URL;
  threads: number;
  /** A job that needs more fails alone. */
  maxHeapMiB: number;
};

/** A job that needed more time or memory than it may have. Its thread has ended. */
export class LimitError extends Error {}

type Job = {
  name: string;
  deadlineMs: number;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
};
type JobOptions = { caller: string; deadlineMs: number; transfer?: ArrayBuffer[] };
type Thread = ReturnType<typeof startThread>;

/** Each waiting job holds its input in memory. */
const queueLimits = {
  name: 'large-data',
  maxQueuedPerGroup: 40,
  what: 'large requests of a user',
};
/** A thread without work ends, and gives its memory back. */
const idleMs = 60_000;

async function cpuMsOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}

export type Pool = ReturnType<typeof createPool>;

export function createPool({ script, threads: limit, maxHeapMiB }: Options) {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMiB, maxYoungGenerationSizeMb: 16 };
  // The options of the process can load modules for the main thread. Its variables can be secret.
  const { NODE_COMPILE_CACHE: cache } = process.env;
  const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };
  const options = { resourceLimits, execArgv: [], env };
  // One caller's slow jobs must not keep the jobs of others waiting.
  const queue = createFairQueue({ ...queueLimits, concurrency: limit });
  const threads = new Set<Thread>();
  let stopped = false;

  function idleThread(): Thread {
    const idle = [...threads].find((each) => each.isIdle());
    if (idle) return idle;
    const thread = startThread(new Worker(script, options), () => threads.delete(thread));
    threads.add(thread);
    return thread;
  }

  return {
    /**
     * `deadlineMs`: on the processor. @throws LimitError, ServiceError (that of the job, or rate_limited)
     */
    run(name: string, input: unknown, { caller, deadlineMs, transfer = [] }: JobOptions): Promise<unknown> {
      const work = () =>
        new Promise((resolve, reject) => {
          if (stopped) throw new Error('The service is stopping');
          idleThread().start({ name, deadlineMs, resolve, reject }, input, transfer);
        });
      return queue.run(caller, work);
    },
    size: () => threads.size,
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all([...threads].map((thread) => thread.stop()));
    },
  };
}

/** `onEnd` is called before the job is rejected. */
function startThread(worker: Worker, onEnd: () => void) {
  let running: Job | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function end(reason: Error): void {
    if (ended) return;
    ended = true;
    onEnd();
    clearTimeout(timer);
    void worker.terminate();
    running?.reject(reason);
    running = null;
  }

  /** Time on the processor: a busy machine refuses nothing. */
  async function holdToDeadline(job: Job): Promise<void> {
    const before = await cpuMsOf(worker);
    const leftMs = async () => job.deadlineMs - ((await cpuMsOf(worker)) - before);
    for (let left = job.deadlineMs; left > 0; left = await leftMs()) {
      await setTimeoutPromise(Math.max(left, 10), undefined, { ref: false });
      if (running !== job) return;
    }
    if (running === job) end(new LimitError(`${job.name} takes too long`));
  }

  function receive(message: Message): void {
    const job = running;
    if (job === null) return;
    clearTimeout(timer);
    // The events of a thread that has ended say why.
    if ('begun' in message) return void holdToDeadline(job).catch(() => worker.terminate());
    running = null;
    timer = setTimeout(() => end(new Error('idle')), idleMs).unref();
    if ('output' in message) job.resolve(message.output);
    else if ('fault' in message) job.reject(new ServiceError(message.fault.code, message.fault));
    else job.reject(new Error(message.failure));
  }

  worker.unref();
  worker.on('message', receive);
  // An output can be too deep for the stack of this thread.
  worker.on('messageerror', (cause) => end(new Error('The output cannot be read', { cause })));
  worker.on('error', (cause) => {
    const needsMemory = Object(cause).code === 'ERR_WORKER_OUT_OF_MEMORY';
    end(new (needsMemory ? LimitError : Error)('The thread failed', { cause }));
  });
  worker.on('exit', () => end(new Error('The thread ended')));
  return {
    isIdle: () => running === null,
    start(job: Job, input: unknown, transfer: ArrayBuffer[]): void {
      worker.postMessage({ name: job.name, input }, transfer);
      clearTimeout(timer);
      running = job;
    },
    stop: () => worker.terminate(),
  };
}
