// Bounds the memory of large bodies, which share one budget (behaviour F6).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createAttached } from '../attached.ts';
import { createByteBudget } from './byte-budget.ts';
import { callerOf } from './callers.ts';
import type { HttpServer } from './server.ts';

/** The number of smaller bodies is bounded by the number of connections. */
const largeBytes = 64 * 1024;
const budgetBytes = 32 * 1024 * 1024;
const shares = {
  bytes: budgetBytes,
  bytesPerCaller: (budgetBytes * 3) / 4,
  maxWaiting: 64,
  maxWaitingPerCaller: 16,
  patienceMs: 5_000,
};
/** A sender who is slower must not keep others waiting. */
const receiveMs = 15_000;
/** A reader who is slower holds only its response. */
const sendMs = 30_000;

/** Call it before the routes are registered, so that strangers hold nothing. */
export function boundLargeBodies(server: HttpServer): void {
  const budget = createByteBudget(shares);
  const releases = createAttached<FastifyRequest, () => void>();

  server.addHook('preParsing', async (request, reply) => {
    const bytes = bytesOf(request);
    if (bytes <= largeBytes) return;
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const release = await budget.take(callerOf(request), bytes, gone.signal);
    const tooSlow = setTimeout(() => {
      if (request.raw.complete) return;
      const error = Object.assign(new Error('The body arrives too slowly'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      server.server.emit('clientError', error, request.raw.socket);
    }, receiveMs);
    request.raw.once('close', () => clearTimeout(tooSlow));
    releases.set(request, release);
    // The body never came whole: no handler will run.
    if (reply.raw.closed) release();
    else reply.raw.once('close', () => request.raw.complete || release());
  });

  // Until now, a client that leaves does not free the memory of its body.
  server.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply) => {
    const release = releases.get(request);
    if (release === undefined) return;
    if (reply.raw.closed) return release();
    const tooLong = setTimeout(release, sendMs).unref();
    reply.raw.once('close', () => {
      clearTimeout(tooLong);
      release();
    });
  });
}

/** 0: the body is not read, or is refused for its length. */
function bytesOf({ method, headers, routeOptions }: FastifyRequest): number {
  if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH') return 0;
  const limit = routeOptions.bodyLimit ?? 0;
  const declared = Number(headers['content-length'] ?? limit);
  return declared > limit ? 0 : declared;
}
