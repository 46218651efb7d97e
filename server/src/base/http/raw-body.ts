// Bodies that their handler reads from bytes: too large for the event loop.
import type { FastifyRequest } from 'fastify';

const schemas = new WeakSet<object>();
const bodies = new WeakMap<FastifyRequest, Buffer>();

/** The schema only describes the body. The handler calls `rawBodyOf` and checks it. */
export function readByHandler<S extends object>(schema: S): S {
  const marked = { ...schema };
  schemas.add(marked);
  return marked;
}

export const isReadByHandler = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && schemas.has(schema);

export const keepRawBody = (request: FastifyRequest, bytes: Buffer): void => {
  bodies.set(request, bytes);
};

/** Empty for a request without a body. */
export const rawBodyOf = (request: FastifyRequest): Buffer => bodies.get(request) ?? Buffer.alloc(0);
