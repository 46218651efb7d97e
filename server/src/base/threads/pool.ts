// Runs work that could take long in threads of their own, so that it blocks no request.
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, type Fault, ServiceError } from '../errors.ts';
import { createFairQueue } from '../limits/index.ts';

/** What a thread sends: first `begun`, then one of the others. `thread.ts` is the other side. */
export type Message =
  | { begun: true }
  | { output: unknown }
  | { fault: { code: ErrorCode; detail: string; faults: readonly Fault[] } }
  | { failure: string };

type Options = {
  /** The module that runs in each thread. It calls `serveJobs`. */
  script: URL;
  threads: number;
  /** The heap of each thread. A job that needs more fails alone. */
  maxHeapMiB: number;
};

/** A job that was still running at its deadline. Its thread has ended. */
export class DeadlineError extends Error {}

type Job = {
  name: string;
  deadlineMs: number;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
};
type JobOptions = { caller: string; deadlineMs: number; transfer?: ArrayBuffer[] };
type Thread = { worker: Worker; job: Job | null; timer: NodeJS.Timeout | undefined };

/** Each waiting job holds its input in memory. */
const queueLimits = {
  name: 'large-data',
  maxQueued: 200,
  maxQueuedPerGroup: 40,
  retryAfterSeconds: 5,
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
  // One caller's slow jobs must not keep the jobs of others waiting.
  const queue = createFairQueue({ ...queueLimits, concurrency: limit });
  const threads = new Set<Thread>();
  let stopped = false;

  function startThread(): Thread {
    // Without the options of the process: they can load modules that are meant for the main thread.
    const worker = new Worker(script, { resourceLimits, execArgv: [], env: {} });
    worker.unref();
    const thread: Thread = { worker, job: null, timer: undefined };
    threads.add(thread);
    worker.on('message', (message: Message) => receive(thread, message));
    worker.on('error', (error) => end(thread, new Error('The thread failed', { cause: error })));
    worker.on('exit', () => end(thread, new Error('The thread ended')));
    return thread;
  }

  function end(thread: Thread, reason: Error): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.job?.reject(reason);
    thread.job = null;
  }

  /** By the time on the processor, so that a busy machine refuses nothing. */
  async function holdToDeadline(thread: Thread, job: Job): Promise<void> {
    const before = await cpuMsOf(thread.worker);
    for (
      let left = job.deadlineMs;
      left > 0;
      left = job.deadlineMs - ((await cpuMsOf(thread.worker)) - before)
    ) {
      await setTimeoutPromise(Math.max(left, 10), undefined, { ref: false });
      if (thread.job !== job) return;
    }
    if (thread.job === job) end(thread, new DeadlineError(`${job.name} takes too long`));
  }

  function receive(thread: Thread, message: Message): void {
    const { job } = thread;
    if (job === null) return;
    clearTimeout(thread.timer);
    if ('begun' in message) {
      return void holdToDeadline(thread, job).catch((error) => end(thread, error));
    }
    thread.job = null;
    thread.timer = setTimeout(() => end(thread, new Error('idle')), idleMs).unref();
    if ('output' in message) job.resolve(message.output);
    else if ('fault' in message) job.reject(new ServiceError(message.fault.code, message.fault));
    else job.reject(new Error(message.failure));
  }

  /**
   * Runs a job in a thread that is idle, or in a new one: the queue lets no more jobs in than there may be
   * threads.
   */
  function start(job: Job, input: unknown, transfer: ArrayBuffer[]): void {
    const thread = [...threads].find((each) => each.job === null) ?? startThread();
    clearTimeout(thread.timer);
    thread.job = job;
    thread.worker.postMessage({ name: job.name, input }, transfer);
  }

  return {
    /**
     * Runs a job. Callers take turns. `deadlineMs` is time on the processor, from the moment it begins.
     * @throws DeadlineError
     * @throws ServiceError as the job threw it; rate_limited: too many jobs wait
     */
    run(name: string, input: unknown, { caller, deadlineMs, transfer = [] }: JobOptions): Promise<unknown> {
      return queue.run(
        caller,
        () =>
          new Promise((resolve, reject) => {
            if (stopped) throw new Error('The service is stopping');
            start({ name, deadlineMs, resolve, reject }, input, transfer);
          }),
      );
    },
    /** The number of threads that exist now. */
    size: () => threads.size,
    /** Ends all threads. Jobs that run or wait are rejected. */
    async stop(): Promise<void> {
      stopped = true;
      const ending = [...threads].map(({ worker }) => worker.terminate());
      await Promise.all(ending);
    },
  };
}
