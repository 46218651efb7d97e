// Paths below /console/api are the paths of the API, for the console's own pages.
import type { IncomingMessage } from 'node:http';
import { createAttached } from '../attached.ts';
import { invalidRequest, ServiceError } from '../errors.ts';
import { isBelow } from '../http/server.ts';

const prefix = '/console/api';
/** No route has this path. */
const nowhere = '/*';

const belowPrefix = createAttached<IncomingMessage, boolean>();

export const isBelowPrefix = (request: IncomingMessage): boolean => belowPrefix.get(request) === true;

/**
 * The path of the API, with a mark on the request. The bare prefix, and one with an encoded character, lead nowhere.
 */
export function rewriteTarget(target: string, request: IncomingMessage): string {
  if (target.startsWith(`${prefix}/`)) {
    belowPrefix.set(request, true);
    return target.slice(prefix.length);
  }
  return isBelow(prefix, target) ? nowhere : target;
}

const fetchMetadata = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-user'];
const safeMethods = new Set<string | undefined>(['GET', 'HEAD']);

/** SameSite alone does not protect: another port of this host is the same site. @throws ServiceError */
export function requireOwnPage(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  origin: string,
): void {
  if (headers.authorization !== undefined) {
    throw invalidRequest(
      '/authorization',
      'must be absent below /console/api; with a token, use the same path without /console/api',
    );
  }
  const site = headers['sec-fetch-site'];
  if (fetchMetadata.some((name) => headers[name] !== undefined)) {
    if (site === 'same-origin') return;
  } else if (headers['concord-console'] === '1') {
    if (headers.origin === undefined ? safeMethods.has(method) : headers.origin === origin) return;
  }
  throw new ServiceError('unauthenticated', {
    detail: `Only pages of ${origin} may call /console/api. Send a bearer token to the same path without /console/api.`,
  });
}
