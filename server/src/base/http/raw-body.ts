// Bodies that are read in another way: by their handler from bytes, as too large for the event loop, and forms.
import type { FastifyRequest } from 'fastify';
import { createAttached } from '../attached.ts';

const readLater = new WeakSet<object>();
const forms = new WeakSet<object>();
const bodies = createAttached<FastifyRequest, Buffer>();

/** The schema only describes the body. The handler calls `rawBodyOf` and checks it. */
export function readByHandler<S extends object>(schema: S): S {
  const marked = { ...schema };
  readLater.add(marked);
  return marked;
}

/** False for what is no object. */
export const isReadByHandler = (schema: unknown): boolean => readLater.has(schema as object);

export const keepRawBody = (request: FastifyRequest, bytes: Buffer): void => {
  bodies.set(request, bytes);
};

/** Empty for a request without a body. */
export const rawBodyOf = (request: FastifyRequest): Buffer => bodies.get(request) ?? Buffer.alloc(0);

/**
 * The body is a form (`application/x-www-form-urlencoded`), and nothing else. A repeated member is an array, and an
 * empty one is missing (RFC 6749, section 3.1).
 */
export function asForm<S extends object>(schema: S): S {
  forms.add(schema);
  return schema;
}

/** False for what is no object. */
export const isForm = (schema: unknown): boolean => forms.has(schema as object);

export function parseForm(text: string): object {
  const given = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
  // `getAll` of each name would search all members each time.
  const valuesOf = [...Map.groupBy(given, ([name]) => name)].map(
    ([name, pairs]) => [name, pairs.map(([, value]) => value)] as const,
  );
  return Object.fromEntries(
    valuesOf.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}
