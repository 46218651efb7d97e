// The requests of the console, and their cookies. Every other request has no cookie here, whatever it sends.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieKind, Cookies } from './cookies.ts';

type ConsoleRequest = {
  readonly cookies: Cookies;
  readonly reply: FastifyReply;
  hasSession: boolean;
  /** What the answer sets. */
  readonly set: Map<CookieKind, string | null>;
};

const requests = new WeakMap<FastifyRequest, ConsoleRequest>();

/** To be called when the request has passed the rules of the door. */
export function admit(request: FastifyRequest, { cookies, reply }: { cookies: Cookies; reply: FastifyReply }): void {
  requests.set(request, { cookies, reply, hasSession: false, set: new Map() });
}

/** The session of the cookie is the credential of this request. */
export function useSession(request: FastifyRequest): void {
  const known = requests.get(request);
  if (known) known.hasSession = true;
}

/** Whether the request came through the door. */
export const isFromConsole = (request: FastifyRequest): boolean => requests.has(request);

/** Whether a session in a cookie is the credential of the request. */
export const hasCookieSession = (request: FastifyRequest): boolean => requests.get(request)?.hasSession === true;

export const cookieOf = (request: FastifyRequest, kind: CookieKind): string | undefined =>
  requests.get(request)?.cookies.read(request.headers.cookie, kind);

/** Sets a cookie with the answer, whatever the answer is. Null deletes it. Without effect on a request that is not of the console. */
export function setCookie(request: FastifyRequest, kind: CookieKind, value: string | null): void {
  const known = requests.get(request);
  // The browser has this value, or gets it.
  if (!known || value === (known.set.has(kind) ? known.set.get(kind) : cookieOf(request, kind))) return;
  known.set.set(kind, value);
  void known.reply.header('set-cookie', known.cookies.write(kind, value));
}
