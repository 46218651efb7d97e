// Entity tags and the conditions on them (RFC 9110, sections 8.8.3 and 13.1).
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { onlyReads } from './request-headers.ts';

/** Every instance makes the same tag. */
const entityTag = (json: string) => `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;

/** Sends JSON text without serialising it again. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply
    .type('application/json')
    .serializer((text) => text as string)
    .send(json);

/** A GET whose If-None-Match has the ETag gets 304. */
export function sendRepresentation(request: FastifyRequest, reply: FastifyReply, json: string): FastifyReply {
  const tag = entityTag(json);
  void reply.header('etag', tag);
  const reads = onlyReads(request);
  if (reads) requireMatch(request.headers['if-match'], json);
  // Weak comparison.
  if (reads && lists(request.headers['if-none-match'], (listed) => listed.replace(/^W\//, '') === tag)) {
    return reply.code(304).send();
  }
  return sendJson(reply, json);
}

/** Call it with the row locked. @throws ServiceError precondition_failed */
export function requireMatch(ifMatch: string | undefined, json: string): void {
  if (ifMatch !== undefined && !lists(ifMatch, (listed) => listed === entityTag(json))) {
    throw new ServiceError('precondition_failed');
  }
}

function lists(header: string | undefined, matches: (tag: string) => boolean): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some(matches);
}
