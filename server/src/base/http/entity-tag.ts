// Entity tags and the conditions on them (RFC 9110, sections 8.8.3 and 13.1).
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';

/** A strong entity tag. Every instance makes the same tag for the same representation. */
const entityTag = (json: string) => `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;

/** Sends JSON text without serialising it again. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply
    .type('application/json')
    .serializer((text) => text as string)
    .send(json);

/** Sends a single resource with its ETag. A GET whose If-None-Match has that ETag gets 304. */
export function sendRepresentation(request: FastifyRequest, reply: FastifyReply, json: string): FastifyReply {
  const tag = entityTag(json);
  void reply.header('etag', tag);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads) requireMatch(request.headers['if-match'], json);
  // Weak comparison: the W/ prefix does not matter here.
  if (reads && lists(request.headers['if-none-match'], (listed) => listed.replace(/^W\//, '') === tag)) {
    return reply.code(304).send();
  }
  return sendJson(reply, json);
}

/**
 * Call it with the row locked, so that the compared version is the version that is changed.
 * @throws ServiceError precondition_failed: the client sent If-Match and the resource has changed
 */
export function requireMatch(ifMatch: string | undefined, json: string): void {
  if (ifMatch !== undefined && !lists(ifMatch, (listed) => listed === entityTag(json))) {
    throw new ServiceError('precondition_failed');
  }
}

function lists(header: string | undefined, matches: (tag: string) => boolean): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some(matches);
}
