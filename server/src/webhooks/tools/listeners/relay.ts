// Carries requests from the process that makes an attempt to the one whose stream a command reads, and the answers
// back. Both can be any process of the installation, so the requests are rows, and notifications wake who waits.
import { EventEmitter } from 'node:events';
import type { Outcome } from '../../../base/egress/index.ts';
import { newUuid } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import type { Listen } from '../../../base/postgres/notifications.ts';
import type { ListenerRequest } from '../../delivering/attempt.ts';
import type { ListenerAnswer } from './schema.ts';
import * as store from './store.ts';

type Options = { db: Database; listen: Listen; onFault: (error: unknown) => void };

/** Called when a request may wait, or when this stream begins. */
type Watcher = (begun?: string) => void;

export type Relay = ReturnType<typeof createRelay>;

export function createRelay({ db, listen, onFault }: Options) {
  /** By request: what to do with its answer. */
  const asking = new Map<string, (answer: ListenerAnswer | null) => void>();
  /** The streams of each endpoint. */
  const streams = new EventEmitter().setMaxListeners(0);

  async function remove(ids: readonly string[], which: { unanswered: boolean }): Promise<void> {
    const removed = await db.forAll(() => store.removeRequests(db, ids, which));
    for (const { id, answer } of removed) asking.get(id)?.(answer);
  }

  const notifications = listen(store.listenerChannel, (payload) => {
    const [kind, id = '', begun] = payload?.split(' ') ?? [];
    if (kind === 'request' || kind === 'stream') streams.emit(id, begun);
    else if (kind === 'answer') {
      if (asking.has(id)) remove([id], { unanswered: false }).catch(onFault);
    } else {
      // Notifications were missed while the connection was lost.
      for (const endpointId of streams.eventNames()) streams.emit(endpointId);
      if (asking.size > 0) remove([...asking.keys()], { unanswered: false }).catch(onFault);
    }
  });

  return {
    start: notifications.start,
    /** Nobody waits for an answer any more: no stream shows these requests again. */
    async stop(): Promise<void> {
      await notifications.stop();
      const ids = [...asking.keys()];
      if (ids.length > 0) await remove(ids, { unanswered: true }).catch(onFault);
      for (const resolve of asking.values()) resolve(null);
    },

    /** Resolves with the answer of the command. Without one in time it is a timeout. */
    async ask(request: ListenerRequest): Promise<Outcome> {
      const id = newUuid();
      const { promise, resolve } = Promise.withResolvers<ListenerAnswer | null>();
      const timer = setTimeout(
        () =>
          void remove([id], { unanswered: true })
            .catch(onFault)
            .finally(() => resolve(null)),
        request.timeoutMs,
      );
      asking.set(id, resolve);
      const start = performance.now();
      try {
        if (!(await db.forAll(() => store.insertRequest(db, id, request)))) resolve(null);
        return toOutcome(await promise, Math.round(performance.now() - start));
      } finally {
        clearTimeout(timer);
        asking.delete(id);
      }
    },

    /** Returns how to end it. */
    watch(endpointId: string, tell: Watcher): () => void {
      streams.on(endpointId, tell);
      return () => void streams.off(endpointId, tell);
    },
  };
}

function toOutcome(answer: ListenerAnswer | null, durationMs: number): Outcome {
  if (answer === null)
    return { kind: 'failed', reason: 'timeout', detail: 'no command that listens has answered', durationMs };
  const { status, body = '', error, duration_ms: tookMs } = answer;
  return status === undefined
    ? { kind: 'failed', reason: 'connection', detail: toLine(error), durationMs: tookMs }
    : { kind: 'answered', status, body: Buffer.from(body), retryAfter: undefined, durationMs: tookMs };
}

/** As the details of other failures: one line, and never empty. */
const toLine = (text = ''): string => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim() || 'no answer';
