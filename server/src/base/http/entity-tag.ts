// Entity tags and the conditions on them (RFC 9110, sections 8.8.3 and 13.1).
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { onlyReads } from './request-headers.ts';

/** Every instance makes the same tag. */
export const entityTag = (content: string | Uint8Array): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;

export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply
    .type('application/json')
    .serializer((text) => text as string)
    .send(json);

/** A GET whose If-None-Match has the ETag gets 304. */
export const sendRepresentation = (
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): FastifyReply =>
  isKnown(request, reply, entityTag(json)) ? reply.code(304).send() : sendJson(reply, json);

/**
 * Sets the ETag. True: the answer is 304, since a GET names it in If-None-Match.
 * @throws ServiceError precondition_failed
 */
export function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  void reply.header('etag', tag);
  if (!onlyReads(request)) return false;
  requireTag(request.headers['if-match'], () => tag);
  return isListed(request, tag);
}

/** Whether If-None-Match names the tag, by weak comparison. */
export const isListed = ({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean =>
  lists(headers['if-none-match'], (listed) => opaque(listed) === opaque(tag));

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** Call it with the row locked. `json` undefined: there is no resource. @throws ServiceError precondition_failed */
export function requireMatch(ifMatch: string | undefined, json: string | undefined): void {
  if (ifMatch === undefined) return;
  if (json === undefined) throw new ServiceError('precondition_failed');
  requireTag(ifMatch, () => entityTag(json));
}

/** @throws ServiceError precondition_failed */
export function requireTag(ifMatch: string | undefined, tag: () => string): void {
  if (ifMatch === undefined) return;
  // Once: a header can list thousands of tags.
  const own = tag();
  if (!lists(ifMatch, (listed) => listed === own)) throw new ServiceError('precondition_failed');
}

function lists(header: string | undefined, matches: (tag: string) => boolean): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some(matches);
}
