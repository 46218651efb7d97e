// Request headers that operations declare, and those that may come only once.
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** `headers` has only the first Host, Authorization and Content-Type. */
export function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) count++;
  return count > 1;
}

export const isZero = (parameter: string): boolean => /^\s*q=0(\.0*)?\s*$/i.test(parameter);

/** Whether a header such as Accept names it, without the quality 0 (RFC 9110, section 12.4.2). */
export const accepts = (header: string | string[] | undefined, name: string): boolean =>
  String(header ?? '')
    .split(',')
    .some((each) => {
      const [given = '', ...parameters] = each.split(';');
      return given.trim().toLowerCase() === name && !parameters.some(isZero);
    });

const etag = (description: string) => Type.Optional(Type.String({ description }));
const ifMatch = etag('The ETag that the resource must still have; 412 otherwise');

export const readHeaders = Type.Object({
  'if-none-match': etag('ETags that the client has; 304 when one of them is current'),
});
export const changeHeaders = Type.Object({ 'if-match': ifMatch });

const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
    description:
      'Makes the request safe to repeat: a repetition with the same key within 24 hours gets the first answer again. A key has 1 to 255 visible ASCII characters.',
  }),
);
export const idempotentHeaders = Type.Object({ 'idempotency-key': idempotencyKey });
export const actionHeaders = Type.Object({ 'idempotency-key': idempotencyKey, 'if-match': ifMatch });

export const onlyReads = ({ method }: Pick<FastifyRequest, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';
