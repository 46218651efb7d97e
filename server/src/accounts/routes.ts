// The account operations: a closed list of routes, each handed to better-auth, each answer brought into our form.

import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { ServiceError } from '../errors.ts';
import type { HttpServer } from '../http/server.ts';
import type { Principal } from '../permissions/index.ts';
import { type Auth, addressHeader } from './better-auth.ts';
import { SignedIn, SignIn } from './schema.ts';
import type { Sessions } from './sessions.ts';

type Options = {
  auth: Auth;
  sessions: Sessions;
  baseUrl: string;
  /** The access rules, which live above this feature: anyone within the window of their address; anyone signed in. */
  publicAccess: onRequestAsyncHookHandler;
  signedInAccess: onRequestAsyncHookHandler;
  principalOf: (request: FastifyRequest) => Principal;
};

export function registerAccountRoutes(server: HttpServer, options: Options): void {
  const { auth, sessions, baseUrl, publicAccess, signedInAccess, principalOf } = options;
  const tags = ['Accounts'];

  server.post(
    '/api/auth/sign-in/email',
    {
      onRequest: publicAccess,
      schema: { tags, summary: 'Sign in', body: SignIn, response: { 200: SignedIn } },
    },
    async (request, reply) => {
      const answer = await handOver(auth, baseUrl, request);
      if (!answer.ok) throw refusal(answer);
      const { token, user } = (await answer.json()) as {
        token: string;
        user: { id: string; email: string; name: string };
      };
      return reply.header('cache-control', 'no-store').send({ token, user });
    },
  );

  server.post(
    '/api/auth/sign-out',
    {
      onRequest: signedInAccess,
      schema: {
        tags,
        summary: 'Sign out: end this session',
        security: [{ bearer: [] }],
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      // Not better-auth's: it answers with success even when the session could not be deleted.
      await sessions.end(principalOf(request).sessionId);
      return reply.code(204).send(null);
    },
  );
}

/** Calls better-auth with a request made anew: only what it needs crosses, and no header of the client decides an address. */
function handOver(auth: Auth, baseUrl: string, request: FastifyRequest): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json', [addressHeader]: request.ip });
  for (const name of ['authorization', 'user-agent'] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  return auth.handler(
    new Request(new URL(request.routeOptions.url ?? '/', baseUrl), {
      method: request.method,
      headers,
      body: JSON.stringify(request.body ?? {}),
    }),
  );
}

/** What better-auth refuses is a matter of the credentials or of the request; the rest is our fault. */
function refusal({ status }: Response): ServiceError {
  if (status === 401) return new ServiceError('invalid_credentials');
  if (status === 403) return new ServiceError('forbidden');
  if (status >= 400 && status < 500) return new ServiceError('invalid_request');
  return new ServiceError('internal', { cause: new Error(`better-auth answered ${status}`) });
}
