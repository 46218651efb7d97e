// The HTTP of sign-in by identity connections.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createRoutes, partnerOnly } from '../../../access/index.ts';
import type { GuardedFetch } from '../../../base/egress/index.ts';
import { asForm } from '../../../base/http/raw-body.ts';
import { PathId } from '../../../base/http/schemas.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { ProviderRedirect, ProviderReturn, readReturn } from '../../../people/index.ts';
import type { Options } from '../../options.ts';
import { createAnswers } from './answers.ts';
import { createLogout } from './logout.ts';
import { createSignInPolicies, readPolicy } from './policy.ts';
import { createIdentityProviders, type IdentityProviders } from './provider.ts';
import * as wire from './schema.ts';
import { createComeBack, createDepartures, findSignInMethods, type Left } from './visits.ts';

const params = Type.Object({ connection_id: PathId('The connection') });

export function registerSingleSignOnRoutes(server: HttpServer, options: Options, fetch: GuardedFetch) {
  const providers = createIdentityProviders(options, fetch);
  registerDepartures(server, options, providers);
  registerReturns(server, options, providers);
  registerPolicy(server, options);
}

function registerDepartures(server: HttpServer, options: Options, providers: IdentityProviders) {
  const routes = createRoutes(server, 'Sign-in');
  const { db, access, baseUrl } = options;
  const departures = createDepartures(options, providers);
  const redirect = (reply: FastifyReply, { url, cookie, browser }: Left) =>
    reply.header('set-cookie', cookieHeader(baseUrl, cookie, browser)).send({ url });

  routes.plain('POST', '/api/auth/sign-in/methods', {
    operationId: 'findSignInMethods',
    summary: 'Find the identity provider of an e-mail address',
    description: 'Tells about the domain of the address, and nothing about accounts.',
    access: access.anyone,
    body: wire.AskMethods,
    answer: wire.Methods,
    run: ({ body }) => findSignInMethods(db, body.email),
  });
  routes.plain('POST', '/api/auth/sign-in/connection', {
    operationId: 'signInWithConnection',
    summary: 'Start a sign-in with the identity provider of a company',
    description:
      'Answers with the URL to which the client redirects the browser. The body names the e-mail address, or the connection.',
    access: access.anyone,
    body: wire.SignInWithConnection,
    answer: ProviderRedirect,
    run: async ({ body, request, reply }) => redirect(reply, await departures.signIn(request, body)),
  });
  routes.plain('POST', '/api/auth/connections/prove', {
    operationId: 'proveSignIn',
    summary: 'Prove the sign-in with the identity provider of a partner, in this session',
    description: 'For 403 `sso_required`. Answers with the URL to which the client redirects the browser.',
    access: access.inSession,
    body: wire.Prove,
    answer: ProviderRedirect,
    run: async ({ body, granted, request, reply }) =>
      redirect(reply, await departures.prove(request, granted, body.partner_id)),
  });
  routes.plain('POST', '/partners/:id/connections/:connection_id/test', {
    operationId: 'testConnection',
    summary: 'Test a connection by a real sign-in',
    description:
      'Answers with the URL to which the client redirects the browser. The connection can be switched on when the browser has come back.',
    access: access.asOwner('connection.test', partnerOnly, { needsProof: true }),
    answer: ProviderRedirect,
    run: async ({ params: { connection_id }, granted, request, reply }) =>
      redirect(reply, await departures.test(request, granted, connection_id)),
  });
}

function registerReturns(server: HttpServer, options: Options, providers: IdentityProviders) {
  const routes = createRoutes(server, 'Sign-in');
  const { access, baseUrl } = options;
  const answers = createAnswers(options);
  const comeBack = createComeBack(options, providers, answers);
  const logOut = createLogout(options, providers);

  routes.plain('GET', '/api/auth/connections/:connection_id/callback', {
    operationId: 'returnFromConnection',
    summary: 'Complete a visit to the identity provider of a company',
    description:
      'The provider redirects the browser here. Answers like a sign-in; with `linkCode` if the address has an account that is not linked yet; with `proved` or `tested`. If the console asked, it redirects the browser to a page of the console.',
    access: access.anyone,
    params,
    query: ProviderReturn,
    answer: wire.Returned,
    otherAnswers: {
      303: Type.Null({ description: 'To a page of the console, with a code or an error in its fragment' }),
    },
    async run({ params: { connection_id }, query, request, reply }) {
      const browserOf = (cookie: string) => {
        void reply.header('set-cookie', cookieHeader(baseUrl, cookie, null));
        return readCookie(request, cookie);
      };
      const outcome = await comeBack(request, connection_id, readReturn(query), browserOf);
      if (!('page' in outcome)) return reply.send(outcome);
      return reply.header('referrer-policy', 'no-referrer').redirect(outcome.page, 303);
    },
  });
  routes.plain('POST', '/api/auth/connections/link', {
    operationId: 'linkConnection',
    summary: 'Link an account at the identity provider of a company',
    description:
      'For the `linkCode` of a sign-in whose address has an account. It works for ten minutes, in a session of that account that has just proven it. The session then has the proof of the partner.',
    access: access.inProvenSession,
    body: wire.LinkConnection,
    answer: wire.Proved,
    run: ({ body, granted, request }) => answers.link(request, granted, body.code),
  });
  routes.plain('POST', '/api/auth/connections/:connection_id/backchannel-logout', {
    operationId: 'logOutByConnection',
    summary: 'End sessions after a logout at the identity provider',
    description:
      'OpenID Connect Back-Channel Logout 1.0. Ends the sessions that the connection signed in, and its proofs in others.',
    access: access.anyone,
    params,
    bodyLimit: 32 * 1024,
    schema: { consumes: ['application/x-www-form-urlencoded'] },
    noStore: true,
    body: asForm(wire.LogoutToken),
    answer: wire.LoggedOut,
    run: ({ params: { connection_id }, body, request }) => logOut(request, connection_id, body.logout_token),
  });
}

/** Binds a visit to the browser that began. It is not a credential. Null deletes it. */
function cookieHeader(baseUrl: string, name: string, value: string | null) {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const age = value === null ? 0 : 600;
  return `${name}=${value ?? ''}; Path=/api/auth/connections; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}

function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([A-Za-z0-9_-]{32})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
}

function registerPolicy(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Single sign-on');
  const { db, access } = options;
  const policies = createSignInPolicies(options);
  const path = '/partners/:id/sign-in-policy';

  routes.read(path, {
    operationId: 'getSignInPolicy',
    summary: 'Get the sign-in policy of a partner',
    description: 'Who must sign in with the identity provider of the partner, and who may work without it.',
    access: access.asOwner('sign_in_policy.get', partnerOnly),
    answer: wire.SignInPolicy,
    run: ({ granted }) => readPolicy(db, granted.partnerId),
  });
  routes.change(path, {
    operationId: 'setSignInPolicy',
    summary: 'Set the sign-in policy of a partner',
    description:
      'To require more, a connection must be on, and the session of an owner must have its proof. Tokens of service accounts work as before.',
    access: access.asOwner('sign_in_policy.put', partnerOnly, { needsProof: true }),
    method: 'PUT',
    // It can name each agreement of the partner.
    bodyLimit: 512 * 1024,
    body: wire.SignInPolicy,
    answer: wire.SignInPolicy,
    run: ({ granted, body, ifMatch }) => policies.update(granted, body, ifMatch),
  });
  routes.read('/partners/:id/break-glass', {
    operationId: 'getBreakGlass',
    summary: 'Ask whether you may work without the identity provider',
    description: 'Also in a session without the proof of the provider.',
    access: access.asOwner('partner.get_break_glass', partnerOnly, { needsProof: false, mayLackSso: true }),
    answer: wire.MayBreakGlass,
    run: ({ granted }) => policies.mayBreakGlass(granted),
  });
  routes.plain('POST', '/partners/:id/break-glass', {
    operationId: 'breakGlass',
    summary: 'Work without the identity provider for an hour',
    description:
      'For the owners who are named for it, in a session that has proven a second factor. All owners get a mail.',
    access: access.asOwner('partner.break_glass', partnerOnly, { needsProof: true, mayLackSso: true }),
    body: wire.BreakGlass,
    answer: wire.BrokenGlass,
    run: ({ granted, body }) => policies.breakGlass(granted, body.reason),
  });
}
