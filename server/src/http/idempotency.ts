// Idempotency-Key: a POST that is sent again gets the first answer again, and has no second effect.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import sql from 'sql-template-tag';
import { ServiceError } from '../errors.ts';
import type { Transaction } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import { sendRepresentation } from './entity-tag.ts';

/** What was answered: all that a repetition needs. */
export type Answer = { status: number; headers: Record<string, string>; body: object };

const keyForm = /^[\x21-\x7e]{1,255}$/;

/** What makes two requests the same one; null without an Idempotency-Key. */
export type Repeatable = { method: string; path: string; key: string; bodyHash: Buffer } | null;

/**
 * `content`: what makes its body the same one, when that is not what it means as JSON.
 * @throws ServiceError invalid_request: the key has not 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey(request: FastifyRequest, content?: string): Repeatable {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !keyForm.test(key)) {
    throw new ServiceError('invalid_request', {
      detail: 'Idempotency-Key must have 1 to 255 visible ASCII characters.',
    });
  }
  // The route and its parameters, not the target: one path can be spelled in many ways.
  const path = JSON.stringify([request.routeOptions.url, request.params]);
  const body = content ?? JSON.stringify(request.body, (_member, value) => (Math.abs(value) === Infinity ? `${value}` : value));
  return {
    method: request.method,
    path,
    key,
    bodyHash: createHash('sha256')
      .update(body ?? '')
      .digest(),
  };
}

/**
 * Runs `effect` at most once for a repeatable request within 24 hours, in the transaction of the effect: both are committed
 * or neither. The caller has authorised the principal already, in this transaction.
 * @throws ServiceError idempotency_in_flight, idempotency_key_reused
 */
export async function answerOnce(
  tx: Transaction,
  request: Repeatable,
  principalId: string,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  if (request === null) return effect();
  const { method, path, key, bodyHash } = request;

  // The mark of being in flight is a lock, not a row: it dies with its process.
  const mark = JSON.stringify([principalId, method, path, key]);
  const [lock] = await tx.query<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended(${mark}, 0)) as free`);
  if (!lock?.free) throw new ServiceError('idempotency_in_flight', { headers: { 'retry-after': '1' } });

  const [kept] = await tx.query<{
    body_hash: Buffer;
    status: number;
    headers: Record<string, string>;
    body: string;
  }>(sql`
    select body_hash, status, headers, body from idempotent_answer
    where principal_id = ${principalId} and key = ${key} and method = ${method} and path = ${path}
      and created_at > concord_now() - interval '24 hours'`);
  if (kept) {
    if (!kept.body_hash.equals(bodyHash)) throw new ServiceError('idempotency_key_reused');
    return {
      status: kept.status,
      headers: { ...kept.headers, 'idempotent-replayed': 'true' },
      body: JSON.parse(kept.body),
    };
  }

  const answer = await effect();
  await tx.query(sql`
    insert into idempotent_answer (principal_id, key, method, path, body_hash, status, headers, body)
    values (${principalId}, ${key}, ${method}, ${path}, ${bodyHash}, ${answer.status}, ${answer.headers}, ${JSON.stringify(answer.body)})
    on conflict (principal_id, key, method, path) do update set
      body_hash = excluded.body_hash, status = excluded.status, headers = excluded.headers,
      body = excluded.body, created_at = excluded.created_at`);
  return answer;
}

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  return sendRepresentation(request, reply.code(answer.status).headers(answer.headers), answer.body);
}

export const forgetOldAnswers: ScheduledTask = {
  name: 'forget idempotent answers',
  intervalMs: 10 * 60_000,
  async run(tx) {
    await tx.query(sql`delete from idempotent_answer where created_at < concord_now() - interval '24 hours'`);
  },
};
