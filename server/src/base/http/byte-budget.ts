// A number of bytes that callers share. A request for more than is free waits.
import { createTally } from '../tally.ts';
import { queueFull } from './limit-reached.ts';

type Options = {
  bytes: number;
  /** The rest is left for others. */
  bytesPerCaller: number;
  maxWaiting: number;
  maxWaitingPerCaller: number;
  patienceMs: number;
};
type Waiting = { caller: string; bytes: number; grant: () => void };

export function createByteBudget({
  bytes: total,
  bytesPerCaller,
  maxWaiting,
  maxWaitingPerCaller,
  patienceMs,
}: Options) {
  let free = total;
  const heldBy = createTally();
  const queue = new Set<Waiting>();

  function grantNext(): void {
    /** Requests of these callers keep their order, and others overtake them. */
    const full = new Set<string>();
    for (const waiting of queue) {
      if (full.has(waiting.caller) || !mayHold(waiting.caller, waiting.bytes)) {
        full.add(waiting.caller);
        continue;
      }
      // Small requests could starve a large one.
      if (waiting.bytes > free) return;
      queue.delete(waiting);
      waiting.grant();
    }
  }

  const mayHold = (caller: string, bytes: number) => heldBy.of(caller) + bytes <= bytesPerCaller;

  function change(caller: string, bytes: number): void {
    free -= bytes;
    heldBy.add(caller, bytes);
  }

  function hold(caller: string, bytes: number): () => void {
    change(caller, bytes);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      change(caller, -bytes);
      grantNext();
    };
  }

  return {
    free: () => free,
    waiting: () => queue.size,
    /**
     * Resolves to the function that gives the bytes back. `gone`: the client has left. @throws ServiceError
     * rate_limited
     */
    take(caller: string, wanted: number, gone: AbortSignal): Promise<() => void> {
      const bytes = Math.min(wanted, bytesPerCaller);
      const refusal = () =>
        queueFull('large-bodies', maxWaitingPerCaller, 5, 'large requests of a user', patienceMs);
      const own = [...queue].filter((waiting) => waiting.caller === caller).length;
      if (queue.size >= maxWaiting || own >= maxWaitingPerCaller) return Promise.reject(refusal());
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.delete(waiting);
          clearTimeout(timer);
          reject(refusal());
          grantNext();
        };
        const timer = setTimeout(leave, patienceMs);
        const waiting = {
          caller,
          bytes,
          grant() {
            clearTimeout(timer);
            resolve(hold(caller, bytes));
          },
        };
        queue.add(waiting);
        gone.addEventListener('abort', leave);
        grantNext();
      });
    },
  };
}
