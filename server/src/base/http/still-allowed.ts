// Access that is checked again: while a slow reader holds an answer open for days, and before an error when the
// access rule went by what it had read before.
import type { FastifyRequest } from 'fastify';
import { createAttached } from '../attached.ts';

/** `check` throws a ServiceError. `isAssumed`: the access rule went by what it had read before. */
type StillAllowed = { readonly check: () => Promise<void>; readonly isAssumed: boolean };

const known = createAttached<FastifyRequest, StillAllowed>();

export const setCheck = known.set;

/** The error to answer: a caller who has lost the access must learn nothing else. */
export async function refusalBefore(error: unknown, request: FastifyRequest): Promise<unknown> {
  const { check, isAssumed } = known.get(request) ?? {};
  if (!check || !isAssumed) return error;
  return check().then(
    () => error,
    (refusal: unknown) => refusal,
  );
}

/** Routes that are open to anyone have no check. */
export const requireStillAllowed: (request: FastifyRequest) => Promise<void> = async (request) =>
  known.get(request)?.check();
