// Idempotency-Key: a retried POST gets the answer of the first one, and has no second effect.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { sendJson, sendRepresentation } from '../http/entity-tag.ts';
import type { Transaction } from '../postgres/database.ts';
import { type Answer, type IdempotentRequest, insertAnswer, selectAnswer, tryLock } from './store.ts';

const keyForm = /^[\x21-\x7e]{1,255}$/;

/**
 * `content` replaces the parsed body in the comparison of requests, where parsing loses information such as digits of numbers.
 * @throws ServiceError invalid_request when the key does not have 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey(request: FastifyRequest, content?: string | Uint8Array): IdempotentRequest {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !keyForm.test(key)) {
    throw new ServiceError('invalid_request', { detail: 'Idempotency-Key must have 1 to 255 visible ASCII characters.' });
  }
  // The route and its parameters, because one path can be written in several ways.
  const path = JSON.stringify([request.routeOptions.url, request.params]);
  const body = content ?? JSON.stringify(request.body, (_member, value) => (Math.abs(value) === Infinity ? `${value}` : value));
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest();
  return { method: request.method, path, key, bodyHash };
}

/**
 * Runs `effect` at most once in 24 hours for an idempotent request. The effect and the kept answer commit together. Decide access
 * in this transaction before you call it.
 * @throws ServiceError idempotency_in_flight, idempotency_key_reused
 */
export async function runIdempotent(
  tx: Transaction,
  request: IdempotentRequest,
  principalId: string,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  if (request === null) return effect();
  // A lock marks a request in flight. A row would stay behind when the process dies.
  if (!(await tryLock(tx, principalId, request))) {
    throw new ServiceError('idempotency_in_flight', { headers: { 'retry-after': '1' } });
  }
  const kept = await selectAnswer(tx, principalId, request);
  if (kept) {
    if (!kept.bodyHash.equals(request.bodyHash)) throw new ServiceError('idempotency_key_reused');
    return { ...kept.answer, headers: { ...kept.answer.headers, 'idempotent-replayed': 'true' } };
  }
  const answer = await effect();
  await insertAnswer(tx, principalId, request, answer);
  return answer;
}

/** Sends an answer that represents a single resource, with its ETag. */
export const sendAnswer = (request: FastifyRequest, reply: FastifyReply, { status, headers, json }: Answer): FastifyReply =>
  sendRepresentation(request, reply.code(status).headers(headers), json);

/** Sends an answer without an ETag, because a GET of the resource has another representation. */
export const sendAnswerWithoutTag = (reply: FastifyReply, { status, headers, json }: Answer): FastifyReply =>
  sendJson(reply.code(status).headers(headers), json);
