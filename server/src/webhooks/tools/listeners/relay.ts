// Carries requests from the process that makes an attempt to the one whose stream a command reads, and the answers
// back. Both can be any process of the installation, so the requests are rows, and notifications wake who waits.
import { randomUUIDv7 } from 'node:crypto';
import type { Outcome } from '../../../base/egress/index.ts';
import type { Database } from '../../../base/postgres/database.ts';
import type { Listen } from '../../../base/postgres/notifications.ts';
import type { ListenerRequest } from '../../delivering/attempt.ts';
import type { ListenerAnswer } from './schema.ts';
import * as store from './store.ts';

type Options = { db: Database; listen: Listen; onFault: (error: unknown) => void };

export type Relay = ReturnType<typeof createRelay>;

export function createRelay({ db, listen, onFault }: Options) {
  /** By request: what to do with its answer. */
  const asking = new Map<string, (answer: ListenerAnswer | null) => void>();
  /** By endpoint: what to wake. */
  const streams = new Map<string, Set<() => void>>();

  async function remove(ids: readonly string[], unanswered: boolean): Promise<void> {
    const removed = await db.forAll(() => store.removeRequests(db, ids, { unanswered }));
    for (const { id, answer } of removed) asking.get(id)?.(answer);
  }

  const notifications = listen(store.listenerChannel, (payload) => {
    const [kind, id = ''] = payload?.split(' ') ?? [];
    if (kind === 'request') for (const wake of streams.get(id) ?? []) wake();
    else if (kind === 'answer') {
      if (asking.has(id)) remove([id], false).catch(onFault);
    } else {
      // Notifications were missed while the connection was lost.
      for (const wakes of streams.values()) for (const wake of wakes) wake();
      if (asking.size > 0) remove([...asking.keys()], false).catch(onFault);
    }
  });

  return {
    start: notifications.start,
    stop: notifications.stop,

    /** Resolves with the answer of the command. Without one in time it is a timeout. */
    async ask(request: ListenerRequest): Promise<Outcome> {
      const id = randomUUIDv7();
      const { promise, resolve } = Promise.withResolvers<ListenerAnswer | null>();
      const timer = setTimeout(
        () =>
          void remove([id], true)
            .catch(onFault)
            .finally(() => resolve(null)),
        request.timeoutMs,
      );
      asking.set(id, resolve);
      const start = performance.now();
      try {
        await db.forAll(() => store.insertRequest(db, id, request));
        return toOutcome(await promise, Math.round(performance.now() - start));
      } finally {
        clearTimeout(timer);
        asking.delete(id);
      }
    },

    /** Calls `wake` when a request may wait for this endpoint. Returns how to end that. */
    watch(endpointId: string, wake: () => void): () => void {
      const wakes = streams.get(endpointId) ?? new Set();
      streams.set(endpointId, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && streams.get(endpointId) === wakes) streams.delete(endpointId);
      };
    },
  };
}

function toOutcome(answer: ListenerAnswer | null, durationMs: number): Outcome {
  if (answer === null)
    return { kind: 'failed', reason: 'timeout', detail: 'no command that listens has answered', durationMs };
  const { status, body = '', error, duration_ms } = answer;
  if (status === undefined)
    return { kind: 'failed', reason: 'connection', detail: error ?? '', durationMs: duration_ms };
  return {
    kind: 'answered',
    status,
    body: Buffer.from(body),
    retryAfter: undefined,
    durationMs: duration_ms,
  };
}
