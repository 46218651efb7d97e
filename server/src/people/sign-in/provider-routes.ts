// The HTTP of signing in with a provider, and of linking one. Only these operations involve a browser.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import {
  ProviderCode,
  ProviderName,
  ProviderRedirect,
  ProviderReturn,
  readReturn,
  UnlinkAccount,
} from './schema.ts';
import { createProviderSignIn } from './sign-in.ts';

/** Binds the sign-in to the browser that started it. It is not a credential. */
const stateCookie = 'concord_oauth_state';

export function registerProviderRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Sign-in');
  const { consoleVisits, providerLinks, access, baseUrl } = services;
  const { leaveForProvider, returnFromProvider } = createProviderSignIn(services);
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';

  function redirect(reply: FastifyReply, { url, stateToken }: { url: string; stateToken: string }) {
    const cookie = `${stateCookie}=${stateToken}; Path=/api/auth/callback; Max-Age=600; HttpOnly; SameSite=Lax${secure}`;
    return reply.header('set-cookie', cookie).send({ url });
  }

  routes.plain('POST', '/api/auth/sign-in/social', {
    operationId: 'signInWithProvider',
    summary: 'Start a sign-in with a provider',
    description: 'Answers with the URL to which the client redirects the browser.',
    access: access.anyone,
    body: ProviderName,
    answer: ProviderRedirect,
    run: async ({ body, request, reply }) =>
      redirect(reply, await leaveForProvider(request, 'signInSocial', body.provider)),
  });
  routes.plain('POST', '/api/auth/link-social', {
    operationId: 'linkProvider',
    summary: 'Start to link an account of a provider',
    description:
      'Answers with the URL to which the client redirects the browser. Both accounts must have the same verified address.',
    access: access.accountProven,
    body: ProviderName,
    answer: ProviderRedirect,
    run: async ({ body, request, reply }) =>
      redirect(reply, await leaveForProvider(request, 'linkSocialAccount', body.provider)),
  });
  routes.plain('POST', '/api/auth/unlink-account', {
    operationId: 'unlinkAccount',
    summary: 'Unlink an account of a provider',
    description:
      'The provider no longer signs you in. Your sessions stay. The last way to sign in cannot be removed.',
    access: access.accountProven,
    body: UnlinkAccount,
    answer: Done,
    run: ({ granted, body, request }) => providerLinks.unlink(request, granted, body.id),
  });
  routes.plain('GET', '/api/auth/callback/:provider', {
    operationId: 'returnFromProvider',
    summary: 'Complete a sign-in or a link with a provider',
    description:
      'The provider redirects the browser here. Answers with a session token, with a `twoFactorToken` if the user has a second factor, or with `linked`. If the console asked, it redirects the browser to a page of the console.',
    access: access.anyone,
    query: ProviderReturn,
    answer: SignedIn,
    otherAnswers: {
      303: Type.Null({ description: 'To a page of the console, with a code or an error in its fragment' }),
    },
    async run({ params, query, request, reply }) {
      const state = readState(request);
      const answer = await returnFromProvider(request, params.provider, readReturn(query), state);
      void reply.header('set-cookie', `${stateCookie}=; Path=/api/auth/callback; Max-Age=0`);
      if ('signedIn' in answer) return reply.send(answer.signedIn);
      return reply.header('referrer-policy', 'no-referrer').redirect(answer.page, 303);
    },
  });
  routes.plain('POST', '/api/auth/sign-in/provider-code', {
    operationId: 'completeProviderSignIn',
    summary: 'Complete a sign-in with a provider that the console began',
    description:
      'Takes the code that the page of the console got in its fragment. It works once, for a minute, and only below `/console/api` in the browser that began. Answers like a sign-in.',
    access: access.anyone,
    body: ProviderCode,
    answer: SignedIn,
    run: ({ body, request }) => consoleVisits.complete(request, body.code),
  });
}

function readState(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; )${stateCookie}=([A-Za-z0-9._%+/=-]{1,400})(?:;|$)`).exec(
    request.headers.cookie ?? '',
  )?.[1];
}
