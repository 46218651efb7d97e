// Failed statements of better-auth. It goes on after some, as if there were no row, and then refuses a right code.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isAboutRows } from '../../base/errors.ts';

export type Failures = ReturnType<typeof createFailures>;

export function createFailures() {
  const calls = new AsyncLocalStorage<unknown[]>();
  return {
    note(error: unknown): void {
      if (!isAboutRows(error)) calls.getStore()?.push(error);
    },
    /** @throws the first failure, whatever `call` made of it */
    async surface<T>(call: () => Promise<T>): Promise<T> {
      const failures: unknown[] = [];
      const result = await calls.run(failures, call);
      if (failures.length > 0) throw failures[0];
      return result;
    },
  };
}
