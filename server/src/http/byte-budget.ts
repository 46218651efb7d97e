// A number of bytes that several holders share. Who asks for more than is free waits in a fair queue.
import { ServiceError } from '../errors.ts';

type Options = {
  bytes: number;
  maxWaiting: number;
  /** Waiting longer is refused. */
  patienceMs: number;
};
type Waiting = { bytes: number; grant: () => void };

export function createByteBudget({ bytes: total, maxWaiting, patienceMs }: Options) {
  let free = total;
  const queue = new Set<Waiting>();

  function grantNext(): void {
    for (const waiting of queue) {
      // A large request is not overtaken by small ones, which could starve it.
      if (waiting.bytes > free) return;
      queue.delete(waiting);
      waiting.grant();
    }
  }

  function hold(bytes: number): () => void {
    free -= bytes;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      free += bytes;
      grantNext();
    };
  }

  return {
    free: () => free,
    waiting: () => queue.size,
    /**
     * Resolves to the function that gives the bytes back. `gone` ends the wait of a client that has left.
     * @throws ServiceError rate_limited: too many wait, or the wait is too long
     */
    take(wanted: number, gone: AbortSignal): Promise<() => void> {
      const bytes = Math.min(wanted, total);
      if (queue.size === 0 && bytes <= free) return Promise.resolve(hold(bytes));
      const refusal = () =>
        new ServiceError('rate_limited', {
          detail: 'Too many large requests are in work. Try again after the time in Retry-After.',
          headers: { 'retry-after': '5' },
        });
      if (queue.size >= maxWaiting) return Promise.reject(refusal());
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.delete(waiting);
          clearTimeout(timer);
          reject(refusal());
          grantNext();
        };
        const timer = setTimeout(leave, patienceMs);
        const waiting = {
          bytes,
          grant() {
            clearTimeout(timer);
            gone.removeEventListener('abort', leave);
            resolve(hold(bytes));
          },
        };
        queue.add(waiting);
        gone.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
