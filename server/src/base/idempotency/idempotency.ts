// Idempotency-Key: a retried POST gets the answer of the first one, and has no second effect.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalidHeader, ServiceError } from '../errors.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';
import {
  type Answer,
  type IdempotentRequest,
  insertAnswers,
  type Keyed,
  nameOf,
  selectAnswers,
  tryLock,
} from './store.ts';

const keyForm = /^[\x21-\x7e]{1,255}$/;

/**
 * `content` replaces the parsed body in the comparison, where parsing loses digits. `query`: what the route reads
 * of it. @throws ServiceError invalid_request
 */
export function readIdempotencyKey(
  request: FastifyRequest,
  {
    namesPerson,
    content,
    query = {},
  }: { namesPerson: boolean; content?: string | Uint8Array | undefined; query?: object | undefined },
): IdempotentRequest {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !keyForm.test(key)) {
    throw invalidHeader('Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
  }
  // One path can be written in several ways.
  const path = JSON.stringify([request.routeOptions.url, request.params]);
  const body =
    content ??
    JSON.stringify(request.body, (_member, value) =>
      typeof value === 'number' && !Number.isFinite(value) ? `\0${value}` : value,
    );
  const bodyHash = createHash('sha256')
    .update(Object.keys(query).length > 0 ? `?${JSON.stringify(query)}` : '')
    .update(body ?? '')
    .digest();
  return { method: request.method, path, key, bodyHash, namesPerson };
}

type Sent = { readonly request: IdempotentRequest; readonly principalId: string };
/** `expired`: the new answer can wait for the deletion of an old one. */
type Begun = 'new' | 'expired' | { readonly answer: Answer } | { readonly error: ServiceError };

/** Decide access in this transaction, too. `keepAnswers` keeps the new ones. */
export async function beginIdempotent(tx: Transaction, sent: readonly Sent[]): Promise<Begun[]> {
  const keyed = sent.map(toKeyed);
  // The transaction would get the lock again for the same request.
  const first = new Map(keyed.flatMap((each) => (each ? [[nameOf(each), each] as const] : [])).toReversed());
  if (first.size === 0) return sent.map(() => 'new');
  // A lock marks a request in flight: a row would stay when the process dies.
  const [locked, kept] = await Promise.all([
    tryLock(tx, [...first.values()]),
    selectAnswers(tx, [...first.values()]),
  ]);
  return keyed.map((request) => {
    if (!request) return 'new';
    const name = nameOf(request);
    if (!locked.has(name) || first.get(name) !== request) {
      return { error: new ServiceError('idempotency_in_flight', { headers: { 'retry-after': '1' } }) };
    }
    const found = kept.get(name);
    if (!found) return 'new';
    if (!found.isKept) return 'expired';
    if (!found.bodyHash.equals(request.bodyHash))
      return { error: new ServiceError('idempotency_key_reused') };
    return {
      answer: { ...found.answer, headers: { ...found.answer.headers, 'idempotent-replayed': 'true' } },
    };
  });
}

export async function keepAnswers(
  tx: Transaction,
  answers: readonly (Sent & { answer: Answer })[],
): Promise<void> {
  const kept = answers.flatMap(({ answer, ...sent }) => {
    const request = toKeyed(sent);
    return request ? [{ request, answer }] : [];
  });
  if (kept.length > 0) await insertAnswers(tx, kept);
}

const toKeyed = ({ request, principalId }: Sent): Keyed | null => request && { ...request, principalId };

/**
 * Runs `effect` once in 24 hours, in one commit with the answer. Decide access first. @throws ServiceError
 * idempotency_in_flight, idempotency_key_reused
 */
export async function runIdempotent(
  tx: Transaction,
  request: IdempotentRequest,
  principalId: string,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  const [begun] = await beginIdempotent(tx, [{ request, principalId }]);
  if (begun && begun !== 'new' && begun !== 'expired') {
    if ('error' in begun) throw begun.error;
    return begun.answer;
  }
  const answer = await effect();
  await keepAnswers(tx, [{ request, principalId, answer }]);
  return answer;
}

export async function isAnswered(
  on: Queryable,
  request: IdempotentRequest,
  principalId: string,
): Promise<boolean> {
  const keyed = toKeyed({ request, principalId });
  return keyed !== null && (await selectAnswers(on, [keyed])).get(nameOf(keyed))?.isKept === true;
}

/** The same in a transaction of its own, in which `decide` first decides access again. */
export const transactIdempotent = <Allowed extends { actor: { userId: string } }>(
  db: Database,
  decide: (tx: Transaction) => Promise<Allowed>,
  request: IdempotentRequest,
  effect: (tx: Transaction, allowed: Allowed) => Promise<Answer>,
): Promise<Answer> =>
  db.transaction(async (tx) => {
    const allowed = await decide(tx);
    return runIdempotent(tx, request, allowed.actor.userId, () => effect(tx, allowed));
  });
