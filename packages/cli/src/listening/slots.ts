// Runs at most so many tasks at the same time; the others wait in their order.

export function createSlots(count: number) {
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<void>>();
  let free = count;

  async function run(task: () => Promise<void>): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  }

  return {
    /** `task` must not reject. */
    add(task: () => Promise<void>): void {
      const done = run(task).finally(() => running.delete(done));
      running.add(done);
    },
    /** Resolves when nothing runs. */
    idle: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}
