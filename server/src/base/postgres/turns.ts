// Turns before the pool: few requests of one user, and few about one partner, use its connections at the same
// time.
import { AsyncLocalStorage } from 'node:async_hooks';

type Options = {
  /** How many connections the requests of this owner use at once. Its other requests wait. */
  shareOf: (owner: string) => number;
  /** How many requests of one owner wait at most. */
  maxWaiting: number;
  /** How long a request waits for its turn. */
  patienceMs: number;
  /** The error of a request that is not allowed to wait, or has waited too long. */
  refusal: () => Error;
};

/** A request, and the turn that its first connection waits or has waited for. */
type Request = { readonly owners: readonly string[]; connections: number; turn: Promise<void> | null };
type Waiting = { readonly owners: readonly string[]; start(): void };

export type Turns = ReturnType<typeof createTurns>;

export function createTurns({ shareOf, maxWaiting, patienceMs, refusal }: Options) {
  const requests = new AsyncLocalStorage<Request | undefined>();
  const running = new Map<string, number>();
  /** By owner, in the order of arrival. A request waits in the line of each of its owners. */
  const lines = new Map<string, Set<Waiting>>();

  const hasRoom = (owners: readonly string[]) =>
    owners.every((owner) => (running.get(owner) ?? 0) < shareOf(owner));

  function begin(owners: readonly string[]): void {
    for (const owner of owners) running.set(owner, (running.get(owner) ?? 0) + 1);
  }

  function end(owners: readonly string[]): void {
    for (const owner of owners) {
      const left = (running.get(owner) ?? 0) - 1;
      if (left > 0) running.set(owner, left);
      else running.delete(owner);
    }
    for (const owner of owners) {
      for (const waiting of lines.get(owner) ?? []) {
        if (!hasRoom([owner])) break;
        if (hasRoom(waiting.owners)) waiting.start();
      }
    }
  }

  function leave(waiting: Waiting): void {
    for (const owner of waiting.owners) {
      const line = lines.get(owner);
      line?.delete(waiting);
      if (line?.size === 0) lines.delete(owner);
    }
  }

  function wait(owners: readonly string[]): Promise<void> {
    if (owners.some((owner) => (lines.get(owner)?.size ?? 0) >= maxWaiting)) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const waiting = {
        owners,
        start() {
          clearTimeout(timer);
          leave(waiting);
          begin(owners);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave(waiting);
        reject(refusal());
      }, patienceMs);
      for (const owner of owners) lines.set(owner, (lines.get(owner) ?? new Set()).add(waiting));
    });
  }

  return {
    /**
     * Runs `work`, and what it starts, as a request of these owners: its connections wait for a turn of each.
     */
    runFor<T>(owners: readonly string[], work: () => T): T {
      return requests.run({ owners, connections: 0, turn: null }, work);
    },

    /**
     * Runs `work`, and what it starts, for no request: for work that a request starts and that serves others
     * too.
     */
    runForAll<T>(work: () => T): T {
      return requests.run(undefined, work);
    },

    /**
     * Counts one connection of the request that is running. Its first waits until each owner has room. The
     * others count without waiting, so requests cannot wait for each other. Call the result when the
     * connection is released. @throws the refusal
     */
    take(): (() => void) | Promise<() => void> {
      const request = requests.getStore();
      if (request === undefined) return () => {};
      const { owners } = request;
      const isFirst = request.connections++ === 0;
      const release = () => {
        if (--request.connections === 0) request.turn = null;
        end(owners);
      };
      const begun = () => {
        begin(owners);
        return release;
      };
      if (request.turn === null) {
        if (!isFirst || hasRoom(owners)) return begun();
        request.turn = wait(owners);
      }
      return request.turn.then(
        // The one that waited has begun by then.
        () => (isFirst ? release : begun()),
        (error: unknown) => {
          if (--request.connections === 0) request.turn = null;
          throw error;
        },
      );
    },
  };
}
