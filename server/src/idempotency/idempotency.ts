// Idempotency-Key: a POST that is sent again gets the first answer again, and has no second effect.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { sendJson, sendRepresentation } from '../http/entity-tag.ts';
import type { Transaction } from '../postgres/database.ts';
import { type Answer, type IdempotentRequest, insertAnswer, selectAnswer, tryLock } from './store.ts';

const keyForm = /^[\x21-\x7e]{1,255}$/;

/**
 * `content` identifies the body where its parsed value does not: numbers lose digits, for example.
 * @throws ServiceError invalid_request: the key has not 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey(request: FastifyRequest, content?: string): IdempotentRequest {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !keyForm.test(key)) {
    throw new ServiceError('invalid_request', { detail: 'Idempotency-Key must have 1 to 255 visible ASCII characters.' });
  }
  // The route and its parameters, not the target: one path can be spelled in many ways.
  const path = JSON.stringify([request.routeOptions.url, request.params]);
  const body = content ?? JSON.stringify(request.body, (_member, value) => (Math.abs(value) === Infinity ? `${value}` : value));
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest();
  return { method: request.method, path, key, bodyHash };
}

/**
 * Runs `effect` at most once in 24 hours for an idempotent request. The answer is kept in the transaction of the effect: both
 * commit or neither does. The caller must have authorised the principal in this transaction.
 * @throws ServiceError idempotency_in_flight, idempotency_key_reused
 */
export async function runIdempotent(
  tx: Transaction,
  request: IdempotentRequest,
  principalId: string,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  if (request === null) return effect();
  // The mark of being in flight is a lock and not a row: it ends with its process.
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

/** Sends an answer without an ETag: it is not the representation that a GET of the resource has. */
export const sendAnswerWithoutTag = (reply: FastifyReply, { status, headers, json }: Answer): FastifyReply =>
  sendJson(reply.code(status).headers(headers), json);
