// Reports errors: to the application, or to the console. A report never throws, so that it cannot end the
// process.
import { WebhookError } from './errors.ts';

export type OnError = (error: unknown) => unknown;

/** Wraps `onError` of the options; the console by default. */
export function createReport(onError: OnError | undefined, now: () => number): (error: unknown) => void {
  const call = onError ?? createConsoleReport(now);
  return (error) => {
    try {
      // It may return a promise, as async functions do.
      Promise.resolve(call(error)).catch(writeError);
    } catch (failure) {
      writeError(failure);
    }
  };
}

const quietMs = 60_000;

/**
 * Writes every error of the handler and the stores. Anyone can cause refused requests, so it writes each of
 * their codes at most once a minute.
 */
function createConsoleReport(now: () => number): (error: unknown) => void {
  const writtenAt = new Map<string, number>();
  return (error) => {
    if (error instanceof WebhookError && error.code !== 'replay_unavailable') {
      if (Math.abs(now() - (writtenAt.get(error.code) ?? -quietMs)) < quietMs) return;
      writtenAt.set(error.code, now());
    }
    writeError(error);
  };
}

export function writeError(error: unknown): void {
  // Without onError, the console is the only place where anyone looks.
  console.error(error);
}
