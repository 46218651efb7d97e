// Listeners: sandbox endpoints whose requests a command of the integrator fetches and answers.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Granted } from '../../../access/index.ts';
import { recordAction, systemActor } from '../../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../../base/errors.ts';
import type { Answer, IdempotentRequest } from '../../../base/idempotency/index.ts';
import { formatId } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import type { ScheduledTask } from '../../../base/postgres/scheduled-tasks.ts';
import type { Endpoints, OnDelete } from '../../endpoints/endpoints.ts';
import { bodyFor } from '../../endpoints/payload.ts';
import { deleteEndpoint, type EndpointRow } from '../../endpoints/store.ts';
import type { Relay } from './relay.ts';
import type { CreateListener, ListenerAnswer } from './schema.ts';
import * as store from './store.ts';

/** A stream ends after this time. The command asks again, so its access is checked again. */
const streamMs = 60_000;
const heartbeatMs = 15_000;
/** Without a command for this long, the endpoint is deleted. */
const patienceMs = 5 * 60_000;

type Options = { db: Database; relay: Relay; endpoints: Endpoints; onDelete: OnDelete };

export type Listeners = ReturnType<typeof createListeners>;

export function createListeners({ db, relay, endpoints, onDelete }: Options) {
  /** By endpoint. A new stream ends the one before. */
  const open = new Map<string, AbortController>();

  return {
    create(granted: Granted, body: CreateListener, key: IdempotentRequest): Promise<Answer> {
      const { forward_to: url, ...members } = body;
      return endpoints.create(granted, { url, environment: 'sandbox', ...members }, key, { listener: true });
    },

    /** Server-sent events: each request that waits for an answer, as it comes. */
    async stream({ row }: Granted<EndpointRow>, requireStillAllowed: () => Promise<void>): Promise<Readable> {
      requireListener(row);
      await store.noteSeen(db, row.endpoint_id);
      const ending = new AbortController();
      open.get(row.endpoint_id)?.abort();
      open.set(row.endpoint_id, ending);
      const timer = setTimeout(() => ending.abort(), streamMs);
      const parts = events({
        db,
        relay,
        endpointId: row.endpoint_id,
        requireStillAllowed,
        ended: ending.signal,
      });
      return Readable.from(parts, { objectMode: false }).once('close', () => {
        clearTimeout(timer);
        if (open.get(row.endpoint_id) === ending) open.delete(row.endpoint_id);
        ending.abort();
      });
    },

    async answer({ row }: Granted<EndpointRow>, id: string, answer: ListenerAnswer): Promise<void> {
      requireListener(row);
      if ((answer.status === undefined) === (answer.error === undefined))
        throw invalidRequest('/status', 'or /error is required, and not both');
      // PostgreSQL stores no NUL and no half of a character.
      const body = answer.body?.toWellFormed().replaceAll('\0', '\ufffd');
      const given = { ...answer, ...(body !== undefined && { body }) };
      const found = await store.answerRequest(db, { id, endpointId: row.endpoint_id, answer: given });
      if (!found) throw new ServiceError('not_found');
    },

    tasks: [
      {
        name: 'delete listeners without a command',
        intervalMs: 60_000,
        async run(tx) {
          await store.deleteEnded(tx);
          for (const { id, partner_id: partnerId, url } of await store.selectGone(tx, patienceMs)) {
            await onDelete.before(tx, partnerId);
            await deleteEndpoint(tx, id);
            await onDelete.after(tx, id);
            await recordAction(tx, {
              actor: systemActor('delete listeners without a command'),
              partnerId,
              action: 'webhook_endpoint.delete',
              target: formatId('webhook_endpoint', id),
              targetName: new URL(url).host,
            });
          }
        },
      },
    ] satisfies ScheduledTask[],

    async stop(): Promise<void> {
      for (const ending of open.values()) ending.abort();
    },
  };
}

function requireListener({ listener }: EndpointRow): void {
  if (!listener) throw new ServiceError('invalid_request', { detail: 'The endpoint is no listener.' });
}

type Stream = {
  db: Database;
  relay: Relay;
  endpointId: string;
  requireStillAllowed: () => Promise<void>;
  ended: AbortSignal;
};

async function* events({
  db,
  relay,
  endpointId,
  requireStillAllowed,
  ended,
}: Stream): AsyncGenerator<string> {
  const stream = randomUUID();
  let wake = () => {};
  let isWoken = true;
  const unwatch = relay.watch(endpointId, () => {
    isWoken = true;
    wake();
  });
  ended.addEventListener('abort', () => wake());
  try {
    yield 'retry: 1000\n\n';
    while (!ended.aborted) {
      if (isWoken) {
        isWoken = false;
        await requireStillAllowed();
        const waiting = await store.takeRequests(db, endpointId, stream);
        for (const request of waiting) yield toEvent(request);
        if (waiting.length > 0) isWoken = true;
      } else {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, heartbeatMs);
        await promise;
        clearTimeout(timer);
        if (!isWoken) yield ': still here\n\n';
      }
    }
  } finally {
    unwatch();
  }
}

const toEvent = (waiting: store.Waiting): string => {
  const { id, delivery_id, event_id, attempt, type, url, headers, body, thin } = waiting;
  const data = {
    id,
    delivery_id: formatId('delivery', delivery_id),
    event_id: formatId('event', event_id),
    event_type: type,
    attempt,
    method: 'POST',
    url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: bodyFor(thin ? 'thin' : 'full', body),
  };
  return `id: ${id}\nevent: request\ndata: ${JSON.stringify(data)}\n\n`;
};
