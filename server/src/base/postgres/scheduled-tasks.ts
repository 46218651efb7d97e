// Recurring work that one instance runs at a time. A row for each task says when it is due.
import sql from 'sql-template-tag';
import type { Database, Queryable, Transaction } from './database.ts';
import { msAhead } from './sql/clock.ts';

export type ScheduledTask = {
  name: string;
  /** Below the runner's poll interval, the task gets a timer of its own. */
  intervalMs: number;
  /** Asked first, so that a frequent task without work writes nothing. */
  hasWork?(on: Queryable): Promise<boolean>;
  /**
   * In the transaction that locks the task's row: another instance takes over when a process dies. True: there is
   * more to do, so it runs again at once.
   */
  run(tx: Transaction): Promise<unknown>;
};

type Options = {
  db: Database;
  tasks: readonly ScheduledTask[];
  onFailure: (task: string, error: unknown) => void;
  pollMs?: number;
};

const firstMs = 1_000;
/** Loops with one interval stay apart, so that they do not need a connection each. */
const apartMs = 50;

export type TaskRunner = ReturnType<typeof createTaskRunner>;

export function createTaskRunner({ db, tasks, onFailure, pollMs = 30_000 }: Options) {
  const isOften = ({ intervalMs }: ScheduledTask) => intervalMs < pollMs;
  /** A task that failed waits, also when another of its loop goes on at once: others may have waited for its locks. */
  const isRested = ({ name }: ScheduledTask) =>
    performance.now() - (failedAt.get(name) ?? -pollMs) >= pollMs / 2;
  const failedAt = new Map<string, number>();
  const loops = [
    createLoop(pollMs, () => runAll(tasks.filter((task) => !isOften(task) && isRested(task)))),
    ...tasks.filter(isOften).map((task) => createLoop(task.intervalMs, () => runAll([task]))),
  ];

  async function runAll(some: readonly ScheduledTask[]): Promise<Ran[]> {
    const all: Ran[] = [];
    for (const task of some) {
      try {
        const ran = await runIfDue(db, task);
        if (ran) all.push(ran);
      } catch (error) {
        failedAt.set(task.name, performance.now());
        onFailure(task.name, error);
      }
    }
    return all;
  }

  return {
    start(): void {
      for (const [index, loop] of loops.entries()) loop.start(firstMs + index * apartMs);
    },
    /** Returns the names of the tasks that ran. */
    async runDue(only?: string): Promise<string[]> {
      const ran = await runAll(tasks.filter(({ name }) => only === undefined || name === only));
      return ran.map(({ name }) => name);
    },
    async stop(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

type Ran = { readonly name: string; readonly hasMore: boolean };

/** Runs `work`, waits unless a task has more to do, and runs it again. `work` must not throw. */
function createLoop(waitMs: number, work: () => Promise<readonly Ran[]>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  function schedule(afterMs: number): void {
    timer = setTimeout(() => {
      running = work().then((ran) => {
        if (timer) schedule(ran.some(({ hasMore }) => hasMore) ? 0 : waitMs);
      });
    }, afterMs).unref();
  }
  return {
    start: schedule,
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await running;
    },
  };
}

/** A later time than a run can set: the clock was set back. */
const isDue = ({ intervalMs }: ScheduledTask) => sql`(next_at <= concord_now() or
  next_at > ${msAhead(2 * intervalMs)} + interval '1 minute' and next_at < 'infinity')`;

async function runIfDue(db: Database, task: ScheduledTask): Promise<Ran | null> {
  if (task.hasWork && !(await task.hasWork(db))) return null;
  await db.query(sql`insert into scheduled_task (name) values (${task.name}) on conflict do nothing`);
  return db.transaction(async (tx) => {
    const due = await tx.query(
      sql`select from scheduled_task where name = ${task.name} and ${isDue(task)} for update skip locked`,
    );
    if (due.length === 0) return null;
    const hasMore = (await task.run(tx)) === true;
    const waitMs = hasMore ? 0 : task.intervalMs;
    await tx.query(sql`update scheduled_task set next_at = ${msAhead(waitMs)} where name = ${task.name}`);
    return { name: task.name, hasMore };
  });
}
