// Entity tags and the conditions on them (RFC 9110, sections 8.8.3 and 13.1).
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';

/** A strong entity tag: the same for the same representation on every instance. */
function entityTag(representation: object): string {
  return `"${createHash('sha256').update(JSON.stringify(representation)).digest('base64url').slice(0, 27)}"`;
}

/** Sends a single resource with its ETag; a GET whose If-None-Match has it gets 304. */
export function sendRepresentation(request: FastifyRequest, reply: FastifyReply, representation: object): FastifyReply {
  const tag = entityTag(representation);
  void reply.header('etag', tag);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads) requireMatch(request.headers['if-match'], representation);
  // Weak comparison: here the W/ prefix does not matter.
  if (reads && lists(request.headers['if-none-match'], (listed) => listed.replace(/^W\//, '') === tag)) {
    return reply.code(304).send();
  }
  return reply.send(representation);
}

/**
 * To be called with the row locked, so that what is compared is what is changed.
 * @throws ServiceError precondition_failed when the client sent If-Match and the resource is another by now.
 */
export function requireMatch(ifMatch: string | undefined, representation: object): void {
  if (ifMatch !== undefined && !lists(ifMatch, (listed) => listed === entityTag(representation))) {
    throw new ServiceError('precondition_failed');
  }
}

function lists(header: string | undefined, matches: (tag: string) => boolean): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some(matches);
}
