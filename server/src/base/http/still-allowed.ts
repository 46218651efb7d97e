// A slow reader can hold an answer open for days, so its access is checked on the way.
import type { FastifyRequest } from 'fastify';

/** @throws ServiceError */
type Check = () => Promise<void>;

const checks = new WeakMap<FastifyRequest, Check>();

export const setCheck = (request: FastifyRequest, check: Check): void => {
  checks.set(request, check);
};

/** Routes that are open to anyone have no check. */
export const requireStillAllowed: (request: FastifyRequest) => Promise<void> = async (request) =>
  checks.get(request)?.();
