// What does the work: cores of a host, threads on them, a database with its disk, and batches that run one at
// a time.
import { type Cost, chosen } from './assumptions.ts';
import { type Clock, createFifo } from './clock.ts';

type Job = { readonly cpuMs: number; readonly done: () => void };

export type Worker = {
  run(cpuMs: number, done: () => void): void;
  /** How long cores were busy with what has started. */
  readonly busyMs: number;
};

export type Host = Worker & { readonly cores: number; stop(): void; start(): void };

/**
 * Cores that share one queue. A core needs longer than the CPU time that is counted. While the host is
 * stopped, no job starts.
 */
export function createHost(clock: Clock, cores: number): Host {
  const waiting = createFifo<Job>();
  let free = cores;
  let stopped = false;
  let busyMs = 0;
  function next(): void {
    while (free > 0 && !stopped) {
      const [job] = waiting.take(1);
      if (job === undefined) return;
      free--;
      const coreMs = job.cpuMs / chosen.countedShare;
      busyMs += coreMs;
      clock.after(coreMs, () => {
        free++;
        job.done();
        next();
      });
    }
  }
  return {
    cores,
    get busyMs() {
      return busyMs;
    },
    run(cpuMs, done) {
      waiting.push({ cpuMs, done });
      next();
    },
    stop() {
      stopped = true;
    },
    start() {
      stopped = false;
      next();
    },
  };
}

/** One thread of a host: one job at a time, in the order in which they came. */
export function createThread(host: Host): Worker {
  const waiting = createFifo<Job>();
  let running = false;
  let busyMs = 0;
  function next(): void {
    const [job] = waiting.take(1);
    running = job !== undefined;
    if (job === undefined) return;
    busyMs += job.cpuMs / chosen.countedShare;
    host.run(job.cpuMs, () => {
      job.done();
      next();
    });
  }
  return {
    get busyMs() {
      return busyMs;
    },
    run(cpuMs, done) {
      waiting.push({ cpuMs, done });
      if (!running) next();
    },
  };
}

export type Database = {
  readonly host: Host;
  readonly fsyncs: number;
  commit(cpuMs: number, done: () => void): void;
};

/**
 * A transaction uses one core. Commits that wait while the disk works share its next fsync, as in PostgreSQL.
 */
export function createDatabase(clock: Clock, host: Host, fsyncMs: number): Database {
  let waiting: (() => void)[] = [];
  let syncing = false;
  let fsyncs = 0;
  function sync(): void {
    const group = waiting;
    waiting = [];
    syncing = group.length > 0;
    if (!syncing) return;
    fsyncs++;
    clock.after(fsyncMs, () => {
      for (const done of group) done();
      sync();
    });
  }
  return {
    host,
    get fsyncs() {
      return fsyncs;
    },
    commit: (cpuMs, done) =>
      host.run(cpuMs, () => {
        waiting.push(done);
        if (!syncing) sync();
      }),
  };
}

export const costOf = ({ fixedMs, eachMs }: Cost, count: number): number => fixedMs + eachMs * count;

/** Collects items while a batch is under way; the next batch takes them. `run` calls `done` when its batch has ended. `begin` can wait
 * before the first batch after a rest. */
export function createBatches<T>(
  maxItems: number,
  run: (items: T[], done: () => void) => void,
  begin = (work: () => void) => work(),
) {
  const waiting = createFifo<T>();
  let running = false;
  function next(): void {
    const items = waiting.take(maxItems);
    running = items.length > 0;
    if (running) run(items, next);
  }
  return {
    add(item: T): void {
      waiting.push(item);
      if (running) return;
      running = true;
      begin(next);
    },
  };
}
