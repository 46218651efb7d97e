// Listeners: sandbox endpoints whose requests a command of the integrator fetches and answers.
import { Readable } from 'node:stream';
import type { Granted } from '../../../access/index.ts';
import { systemActor } from '../../../audit/index.ts';
import { anywhere } from '../../../base/egress/index.ts';
import { invalidRequest, requireFound, ServiceError } from '../../../base/errors.ts';
import { toStorable } from '../../../base/http/schemas.ts';
import { streamOf } from '../../../base/http/text-stream.ts';
import type { Answer, IdempotentRequest } from '../../../base/idempotency/index.ts';
import { formatId } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import type { ScheduledTask } from '../../../base/postgres/scheduled-tasks.ts';
import { within } from '../../../base/within.ts';
import { record } from '../../endpoints/change.ts';
import type { DeleteEndpoint, Endpoints } from '../../endpoints/endpoints.ts';
import { requestBody } from '../../endpoints/payload.ts';
import { readDestination } from '../../endpoints/secrets.ts';
import type { EndpointRow, GrantedEndpoint } from '../../endpoints/store.ts';
import type { Relay } from './relay.ts';
import type { CreateListener, ListenerAnswer } from './schema.ts';
import * as store from './store.ts';

/** A stream ends after this time. The command asks again, so its access is checked again. */
const streamMs = 60_000;
const heartbeatMs = 15_000;
/** A reader that takes nothing is cut off so long after its stream has ended. */
const graceMs = 2_000;
/** Without a command for this long, the endpoint is deleted. */
const patienceMs = 5 * 60_000;

type Options = { db: Database; relay: Relay; endpoints: Endpoints; deleteEndpoint: DeleteEndpoint };

export type Listeners = ReturnType<typeof createListeners>;

export function createListeners({ db, relay, endpoints, deleteEndpoint }: Options) {
  const open = new Set<AbortController>();
  let stopping = false;

  return {
    create(granted: Granted, body: CreateListener, key: IdempotentRequest): Promise<Answer> {
      const { forward_to: given, ...members } = body;
      const url = readDestination(anywhere, given, '/forward_to');
      return endpoints.create(granted, { url, environment: 'sandbox', ...members }, key, { listener: true });
    },

    /** Server-sent events: each request that waits for an answer, as it comes. */
    async stream(
      { row }: GrantedEndpoint,
      requireStillAllowed: () => Promise<void>,
      isHead = false,
    ): Promise<Readable> {
      requireListener(row);
      // It ends no open stream (T8).
      if (isHead) return Readable.from([]);
      const ending = new AbortController();
      const news = watch(relay, row.endpoint_id, ending);
      try {
        // It can be deleted meanwhile.
        const id = requireFound(await db.transaction((tx) => store.beginStream(tx, row.endpoint_id)));
        news.begin(id);
        const next = () => store.takeRequest(db, row.endpoint_id, id);
        const parts = events({ news, next, requireStillAllowed, ended: ending.signal });
        const stream = streamOf(parts);
        const timer = setTimeout(() => ending.abort(), streamMs);
        open.add(ending);
        // Requests still get answers then (O55). A stream would hold up the stop.
        if (stopping) ending.abort();
        // Its end waits for a slow reader, who holds a request in memory.
        const cutOff = () => setTimeout(() => stream.destroy(), graceMs).unref();
        if (ending.signal.aborted) cutOff();
        else ending.signal.addEventListener('abort', cutOff);
        return stream.once('close', () => {
          clearTimeout(timer);
          open.delete(ending);
          news.stop();
        });
      } catch (error) {
        news.stop();
        throw error;
      }
    },

    async answer({ row }: GrantedEndpoint, id: string, answer: ListenerAnswer): Promise<void> {
      requireListener(row);
      if ((answer.status === undefined) === (answer.error === undefined))
        throw invalidRequest('/status', 'or /error is required, and not both');
      const given = { ...answer, ...(answer.body !== undefined && { body: toStorable(answer.body) }) };
      const found = await store.answerRequest(db, { id, endpointId: row.endpoint_id, answer: given });
      if (!found) throw new ServiceError('not_found');
    },

    tasks: [
      {
        name: 'delete listeners without a command',
        intervalMs: 60_000,
        async run(tx) {
          await store.deleteEnded(tx);
          for (const { id, partner_id: partnerId, url } of await store.lockGone(tx, patienceMs)) {
            await deleteEndpoint(tx, partnerId, id);
            const actor = systemActor('delete listeners without a command');
            const endpoint = { id: formatId('webhook_endpoint', id), url };
            await record(tx, { actor, partnerId }, { action: 'delete', endpoint });
          }
        },
      },
    ] satisfies ScheduledTask[],

    async stop(): Promise<void> {
      stopping = true;
      for (const ending of open) ending.abort();
    },
  };
}

function requireListener({ listener }: EndpointRow): void {
  if (!listener) throw new ServiceError('invalid_request', { detail: 'The endpoint is not a listener.' });
}

type News = ReturnType<typeof watch>;

/** A later stream ends this one, also if it begins before this one has its id. */
function watch(relay: Relay, endpointId: string, ending: AbortController) {
  let own: string | undefined;
  let latest = '';
  let isNew = true;
  let wake = () => {};
  function tell(begun = ''): void {
    if (begun > latest) latest = begun;
    if (own !== undefined && latest > own) ending.abort();
    isNew = true;
    wake();
  }
  ending.signal.addEventListener('abort', () => wake());
  return {
    stop: relay.watch(endpointId, tell),
    /** Call it with the id of the stream. */
    begin(id: string): void {
      own = id;
      tell();
    },
    /** Resolves with news, or with false when there was none for so long. News in between is not lost. */
    async wait(ms: number): Promise<boolean> {
      if (!isNew) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await within(ms, promise, () => {});
      }
      const was = isNew;
      isNew = false;
      return was;
    },
  };
}

type Stream = {
  news: News;
  next: () => Promise<store.Waiting | undefined>;
  requireStillAllowed: () => Promise<void>;
  ended: AbortSignal;
};

async function* events({ news, next, requireStillAllowed, ended }: Stream): AsyncGenerator<string> {
  yield 'retry: 1000\n\n';
  while (!ended.aborted) {
    if (!(await news.wait(heartbeatMs)) && !ended.aborted) yield ': still here\n\n';
    // One at a time: a slow reader holds one in memory.
    while (!ended.aborted) {
      const request = await next();
      if (!request) break;
      // After it was taken: access that was lost while it waited counts. The next stream takes what is not sent.
      await requireStillAllowed();
      yield toEvent(request);
    }
  }
}

const toEvent = (waiting: store.Waiting): string => {
  const { id, delivery_id, event_id, batch_id, attempt, type, url, headers, bodies, thin } = waiting;
  const data = {
    id,
    delivery_id: formatId('delivery', delivery_id),
    event_id: formatId('event', event_id),
    // The other members are those of its first event.
    batch_id: batch_id && formatId('batch', batch_id),
    event_type: type,
    attempt,
    method: 'POST',
    url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: requestBody(thin ? 'thin' : 'full', bodies, batch_id !== null),
  };
  return `id: ${id}\nevent: request\ndata: ${JSON.stringify(data)}\n\n`;
};
