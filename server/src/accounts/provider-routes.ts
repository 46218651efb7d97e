// Signing in and linking with other providers: the one part of accounts that a browser does.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpServer } from '../http/server.ts';
import type { Accounts } from './accounts.ts';
import type { AccountAccess } from './routes.ts';
import { Leave, ProviderName, ProviderPath, ProviderReturn, SignedIn } from './schema.ts';

/** It says which browser has left, so that nobody else can come back in its place. It lets nobody in. */
const stateCookie = 'concord_oauth_state';

type Options = { accounts: Accounts; access: AccountAccess; baseUrl: string };

export function registerProviderRoutes(server: HttpServer, { accounts, access, baseUrl }: Options): void {
  const tags = ['Accounts'];
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';

  function leave(reply: FastifyReply, { url, stateToken }: { url: string; stateToken: string }) {
    const cookie = `${stateCookie}=${stateToken}; Path=/api/auth/callback; Max-Age=600; HttpOnly; SameSite=Lax${secure}`;
    return reply.header('set-cookie', cookie).send({ url });
  }

  server.post(
    '/api/auth/sign-in/social',
    {
      onRequest: access.anyone,
      schema: {
        tags,
        summary: 'Sign in with a provider: where to send the browser',
        body: ProviderName,
        response: { 200: Leave },
      },
    },
    async (request, reply) => leave(reply, await accounts.leaveForProvider(request, request.body.provider, false)),
  );
  server.post(
    '/api/auth/link-social',
    {
      onRequest: access.signedIn,
      schema: {
        tags,
        security: [{ bearer: [] }],
        summary: 'Link the account of a provider with the same address: where to send the browser',
        body: ProviderName,
        response: { 200: Leave },
      },
    },
    async (request, reply) => leave(reply, await accounts.leaveForProvider(request, request.body.provider, true)),
  );
  server.get(
    '/api/auth/callback/:provider',
    {
      onRequest: access.anyone,
      schema: {
        tags,
        summary: 'Where the provider sends the browser back to: the token, or that the account is linked',
        params: ProviderPath,
        querystring: ProviderReturn,
        response: { 200: SignedIn },
      },
    },
    async (request, reply) => {
      const { provider } = request.params;
      const answer = await accounts.returnFromProvider(request, provider, definedOnly(request.query), readState(request));
      return reply.header('set-cookie', `${stateCookie}=; Path=/api/auth/callback; Max-Age=0`).send(answer);
    },
  );
}

function readState(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; )${stateCookie}=([A-Za-z0-9._%+/=-]{1,400})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}

/** Only what the schema knows goes on. */
function definedOnly({ code, state, error, iss }: { code?: string; state?: string; error?: string; iss?: string }) {
  return Object.fromEntries(
    Object.entries({ code, state, error, iss }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
