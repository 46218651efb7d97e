// Answers that take long: a client that reads slowly can hold one open for days. Its access is asked for
// again on the way.
import type { FastifyRequest } from 'fastify';

/** @throws ServiceError when the caller may no longer have the answer */
type Check = () => Promise<void>;

const checks = new WeakMap<FastifyRequest, Check>();

/** To be called when the caller was allowed. */
export const setCheck = (request: FastifyRequest, check: Check): void => {
  checks.set(request, check);
};

/** Routes that are open to anyone have no check. */
export const requireStillAllowed: (request: FastifyRequest) => Promise<void> = async (request) =>
  checks.get(request)?.();
