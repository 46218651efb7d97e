// Turns before the pool: one user, and one partner, use few of its connections at the same time. A request that
// only reads loses its connections when its client leaves.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { createTally } from '../tally.ts';
import { socketOf } from './session.ts';

type Options = {
  /** How many connections the requests of this owner use at once. Its other requests wait. */
  shareOf: (owner: string) => number;
  maxWaiting: number;
  patienceMs: number;
  refusal: () => Error;
  /**
   * A request that holds a transaction asks for another connection. Requests that do so at the same time wait for
   * each other, so it is a fault of the program.
   */
  onNested: (fault: Error) => void;
};

/** `response`: of a request that only reads. `turn`: of the first connection. */
type Request = {
  readonly owners: readonly string[];
  readonly response: ServerResponse | undefined;
  connections: number;
  transactions: number;
  turn: Promise<void> | null;
};
type Waiting = { readonly owners: readonly string[]; start(): void };

export type Turns = ReturnType<typeof createTurns>;

/** The client closed its connection before it had its answer. */
const hasLeft = ({ destroyed, writableFinished }: ServerResponse) => destroyed && !writableFinished;

function createLines({ shareOf, maxWaiting, patienceMs, refusal }: Omit<Options, 'onNested'>) {
  const running = createTally();
  /** A request waits in the line of each of its owners. */
  const lines = new Map<string, Set<Waiting>>();

  const hasRoom = (owners: readonly string[]) => owners.every((owner) => running.of(owner) < shareOf(owner));

  function begin(owners: readonly string[]): void {
    for (const owner of owners) running.add(owner, 1);
  }

  function end(owners: readonly string[]): void {
    for (const owner of owners) running.add(owner, -1);
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

  return { hasRoom, begin, end, wait };
}

const requestOf = (owners: readonly string[], response: ServerResponse | undefined): Request => ({
  owners,
  response,
  connections: 0,
  transactions: 0,
  turn: null,
});

export function createTurns(options: Options) {
  const requests = new AsyncLocalStorage<Request | undefined>();
  const { onNested } = options;
  const { hasRoom, begin, end, wait } = createLines(options);
  return {
    /**
     * Runs `work`, and what it starts, as a request of these owners: it waits for a turn of each. `response`: of
     * a request that only reads. When its client has left, its statements end, and it gets no more connections.
     */
    runFor<T>(owners: readonly string[], work: () => T, response?: ServerResponse): T {
      return requests.run(requestOf(owners, response), work);
    },

    /** Runs `work`, and what it starts, for no request: a request starts it, and it serves others too. */
    runForAll<T>(work: () => T): T {
      return requests.run(undefined, work);
    },

    /** Runs `work` of a request that is also of this owner, which its access rule did not know. */
    runAlsoFor<T>(owner: string, work: () => T): T {
      const request = requests.getStore();
      if (request === undefined || request.owners.includes(owner)) return work();
      return requests.run(requestOf([...request.owners, owner], request.response), work);
    },

    runWithoutTurn<T>(work: () => T): T {
      const response = requests.getStore()?.response;
      return requests.run(requestOf([], response), work);
    },

    /** Notes that the request holds a transaction. Call the result at its end. */
    beginTransaction(): () => void {
      const request = requests.getStore();
      if (request === undefined) return () => {};
      request.transactions++;
      return () => {
        request.transactions--;
      };
    },

    /** The response of the request, if it only reads. */
    response: () => requests.getStore()?.response,

    /**
     * Counts a connection. The first of a request waits until each owner has room; others do not, so requests
     * cannot wait for each other. Call the result at its release. @throws the refusal
     */
    take(): (() => void) | Promise<() => void> {
      const request = requests.getStore();
      if (request === undefined) return () => {};
      const { owners, response } = request;
      if (response && hasLeft(response)) return Promise.reject(new Error('The client has left'));
      if (request.transactions > 0)
        onNested(new Error('A request asks for a connection inside its transaction'));
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

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

export class TurnPool extends Pool {
  readonly #turns: Turns;

  constructor(config: PoolConfig, turns: Turns) {
    super(config);
    this.#turns = turns;
  }

  /** `query` of a pool comes through here, too. */
  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | undefined {
    if (connected === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    }
    const taken = this.#turns.take();
    if (typeof taken === 'function') this.#connectIn(taken, connected);
    else
      taken.then(
        (endTurn) => this.#connectIn(endTurn, connected),
        (error: Error) => connected(error, undefined, () => {}),
      );
    return undefined;
  }

  #connectIn(endTurn: () => void, connected: Connected): void {
    // The pool calls back in the context of whoever gave the connection back.
    const response = this.#turns.response();
    super.connect((error, client, release) => {
      if (client === undefined) {
        endTurn();
        return connected(error, undefined, release);
      }
      if (response && hasLeft(response)) {
        // Later: the pool serves the next one inside `release`, and thousands may have left.
        queueMicrotask(() => {
          release();
          endTurn();
        });
        return connected(new Error('The client has left'), undefined, () => {});
      }
      const { release: giveBack } = client;
      // The server ends the statement of a connection that is gone (client_connection_check_interval).
      const leave = () => response && hasLeft(response) && socketOf(client).destroy();
      response?.once('close', leave);
      client.release = (failure) => {
        response?.off('close', leave);
        giveBack(failure);
        endTurn();
      };
      connected(undefined, client, client.release);
    });
  }
}
