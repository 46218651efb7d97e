// Failed statements inside better-auth. It goes on after some, as if there were no row, and then refuses a right code.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isAboutRows } from '../../base/errors.ts';

export type Failures = ReturnType<typeof createFailures>;

export function createFailures() {
  const calls = new AsyncLocalStorage<unknown[]>();
  function note(error: unknown): void {
    if (!isAboutRows(error)) calls.getStore()?.push(error);
  }
  return {
    note,
    /** A function whose failures are noted, too. */
    noting:
      <Of extends readonly unknown[], T>(ask: (...of: Of) => Promise<T>) =>
      (...of: Of): Promise<T> =>
        ask(...of).catch((error: unknown) => {
          note(error);
          throw error;
        }),
    /** @throws the first failure, whatever `call` made of it */
    surface<T>(call: () => Promise<T>): Promise<T> {
      const failures: unknown[] = [];
      return calls.run(failures, call).finally(() => {
        if (failures.length > 0) throw failures[0];
      });
    },
  };
}
