// The browser's session: below /console/api, a cookie of the console is the bearer token.
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { Feature } from '../feature.ts';
import { answersWithTokens, carryTokens, completesSignIn } from './carried-tokens.ts';
import { type CookieSignIn, cookieSignIn, createCookies } from './cookies.ts';
import { isBelowPrefix, requireOwnPage, rewriteTarget } from './prefix.ts';
import { admit, cookieOf, refuse, setCookie, setsCookies, useSession } from './requests.ts';

export { cookieOf, hasCookieSession, isFromConsole, setCookie } from './requests.ts';

/** Access tokens have another form: programs do not come through the prefix. */
const sessionToken = /^[A-Za-z0-9]{32}$/;

/** The first of the features, so that its hooks see every route and come before the access rules. */
export function createBrowserSession({
  baseUrl,
}: {
  baseUrl: string;
}): Feature & { readonly cookieSignIn: CookieSignIn } {
  const { origin } = new URL(baseUrl);
  const cookies = createCookies(baseUrl);
  const signIn = cookieSignIn(baseUrl);
  return {
    cookieSignIn: signIn,
    rewriteTarget,
    routes(server) {
      server.addHook('onRoute', carryTokens);
      server.addHook('onRequest', (request, reply, done) => {
        if (!isBelowPrefix(request.raw)) return done();
        // Pages, the documentation and openapi.json are not operations.
        if (request.routeOptions.schema?.operationId === undefined)
          return done(new ServiceError('not_found'));
        try {
          requireOwnPage(request.raw, origin);
          admit(request, { cookies, reply, signIn });
          if (signIn.allowed) readSession(request);
          else if (answersWithTokens(request)) refuse(signIn);
          done();
        } catch (error) {
          done(error as Error);
        }
      });
      // Here, since the handler of a public operation allows caches to keep its answer.
      server.addHook('onSend', (request, reply, payload, done) => {
        if (setsCookies(request)) void reply.header('cache-control', 'no-store');
        done(null, payload);
      });
    },
  };
}

/** From here on, the request is one with this bearer token. */
function readSession(request: FastifyRequest): void {
  const token = cookieOf(request, 'session');
  if (token === undefined || completesSignIn(request)) return;
  if (!sessionToken.test(token)) {
    setCookie(request, 'session', null);
    return;
  }
  request.raw.headers.authorization = `Bearer ${token}`;
  useSession(request);
}
