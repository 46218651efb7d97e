// The HTTP of signing in and linking with other providers: the only operations that a browser takes part in.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../http/server.ts';
import { SignedIn } from '../schema.ts';
import { ProviderName, ProviderPath, ProviderRedirect, ProviderReturn } from './schema.ts';
import type { SignIn } from './sign-in.ts';

/** Names the browser that left, so that nobody else can come back in its place. It authenticates nobody. */
const stateCookie = 'concord_oauth_state';

type Options = { signIn: SignIn; access: Access; baseUrl: string };

export function registerProviderRoutes(server: HttpServer, { signIn, access, baseUrl }: Options): void {
  const tags = ['Sign-in'];
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';

  function redirect(reply: FastifyReply, { url, stateToken }: { url: string; stateToken: string }) {
    const cookie = `${stateCookie}=${stateToken}; Path=/api/auth/callback; Max-Age=600; HttpOnly; SameSite=Lax${secure}`;
    return reply.header('set-cookie', cookie).send({ url });
  }

  server.post(
    '/api/auth/sign-in/social',
    {
      onRequest: access.anyone,
      schema: {
        operationId: 'signInWithProvider',
        tags,
        summary: 'Begin to sign in with a provider',
        description: 'Answers with the URL to send the browser to.',
        body: ProviderName,
        response: { 200: ProviderRedirect },
      },
    },
    async (request, reply) => redirect(reply, await signIn.leaveForProvider(request, request.body.provider, false)),
  );
  server.post(
    '/api/auth/link-social',
    {
      onRequest: access.accountInSession.hook,
      schema: {
        operationId: 'linkProvider',
        tags,
        security: [{ bearer: [] }],
        summary: 'Begin to link the account of a provider',
        description: 'Answers with the URL to send the browser to. Both accounts must have the same verified address.',
        body: ProviderName,
        response: { 200: ProviderRedirect },
      },
    },
    async (request, reply) => redirect(reply, await signIn.leaveForProvider(request, request.body.provider, true)),
  );
  server.get(
    '/api/auth/callback/:provider',
    {
      onRequest: access.anyone,
      schema: {
        operationId: 'returnFromProvider',
        tags,
        summary: 'End a sign-in or a link with a provider',
        description: 'The provider sends the browser here. Answers with a session token, or with `linked`.',
        params: ProviderPath,
        querystring: ProviderReturn,
        response: { 200: SignedIn },
      },
    },
    async (request, reply) => {
      const { provider } = request.params;
      const answer = await signIn.returnFromProvider(request, provider, definedOnly(request.query), readState(request));
      return reply.header('set-cookie', `${stateCookie}=; Path=/api/auth/callback; Max-Age=0`).send(answer);
    },
  );
}

function readState(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; )${stateCookie}=([A-Za-z0-9._%+/=-]{1,400})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}

/** Only members of the schema reach the library. */
function definedOnly({ code, state, error, iss }: { code?: string; state?: string; error?: string; iss?: string }) {
  return Object.fromEntries(
    Object.entries({ code, state, error, iss }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
