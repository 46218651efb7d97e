// Access that is checked again: while a slow reader holds an answer open for days, and before an error when the
// access rule went by what it had read before.
import type { FastifyRequest } from 'fastify';
import { createAttached } from '../attached.ts';

/** @throws ServiceError */
type Check = () => Promise<void>;

const checks = createAttached<FastifyRequest, Check>();
const assumed = createAttached<FastifyRequest, boolean>();

/** `isAssumed`: the access rule went by what it had read before. */
export function setCheck(request: FastifyRequest, check: Check, isAssumed: boolean): void {
  checks.set(request, check);
  assumed.set(request, isAssumed);
}

/** The error to answer: a caller who has lost the access must learn nothing else. */
export async function refusalBefore(error: unknown, request: FastifyRequest): Promise<unknown> {
  if (!assumed.get(request)) return error;
  return checks
    .get(request)?.()
    .then(
      () => error,
      (refusal: unknown) => refusal,
    );
}

/** Routes that are open to anyone have no check. */
export const requireStillAllowed: (request: FastifyRequest) => Promise<void> = async (request) =>
  checks.get(request)?.();
