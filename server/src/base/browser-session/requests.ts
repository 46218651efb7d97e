// The requests of the console, and their cookies. Every other request has no cookie here, whatever it sends.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createAttached } from '../attached.ts';
import { ServiceError } from '../errors.ts';
import type { CookieKind, CookieSignIn, Cookies } from './cookies.ts';

type ConsoleRequest = {
  readonly cookies: Cookies;
  readonly reply: FastifyReply;
  readonly signIn: CookieSignIn;
  hasSession: boolean;
  readonly set: Map<CookieKind, string | null>;
};

const requests = createAttached<FastifyRequest, ConsoleRequest>();

export function admit(
  request: FastifyRequest,
  given: Pick<ConsoleRequest, 'cookies' | 'reply' | 'signIn'>,
): void {
  requests.set(request, { ...given, hasSession: false, set: new Map() });
}

/** @throws ServiceError insecure_base_url */
export function refuse({ reason }: CookieSignIn): never {
  throw new ServiceError('insecure_base_url', { detail: reason ?? '' });
}

export function useSession(request: FastifyRequest): void {
  const known = requests.get(request);
  if (known) known.hasSession = true;
}

export const isFromConsole = (request: FastifyRequest): boolean => requests.get(request) !== undefined;

export const hasCookieSession = (request: FastifyRequest): boolean =>
  requests.get(request)?.hasSession === true;

export const setsCookies = (request: FastifyRequest): boolean => (requests.get(request)?.set.size ?? 0) > 0;

export const cookieOf = (request: FastifyRequest, kind: CookieKind): string | undefined =>
  requests.get(request)?.cookies.read(request.headers.cookie, kind);

/**
 * Whatever the answer is. Null deletes it. Without effect outside the console. @throws ServiceError
 * insecure_base_url
 */
export function setCookie(request: FastifyRequest, kind: CookieKind, value: string | null): void {
  const known = requests.get(request);
  // The browser has this value, or gets it.
  if (!known || value === (known.set.has(kind) ? known.set.get(kind) : cookieOf(request, kind))) return;
  if (!known.signIn.allowed && value !== null) refuse(known.signIn);
  known.set.set(kind, value);
  void known.reply.header('set-cookie', known.cookies.write(kind, value));
}
