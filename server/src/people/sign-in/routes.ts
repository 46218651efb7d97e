// The HTTP of sign-up and sign-in. These operations need no token.
import { createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import { optionalHeaders, readTokenIfAny } from './invitation-tokens.ts';
import * as wire from './schema.ts';
import { createSetup } from './setup.ts';
import { createPasswordSignIn, createSignUp } from './sign-in.ts';

export function registerSignInRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Sign-in');
  const { access } = services;
  const signUp = createSignUp(services);
  const signIn = createPasswordSignIn(services);
  const setup = createSetup(services);

  routes.plain('POST', '/api/auth/sign-up/email', {
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'Sends a mail with a link. POST /api/auth/verify-email creates the account with its token and this password. The answer is the same for every address. With the token of an invitation, the account is created at once: the token proves the address.',
    access: access.anyone,
    schema: { headers: optionalHeaders },
    body: wire.SignUp,
    answer: Done,
    run({ body, request }) {
      const token = readTokenIfAny(request);
      return token === undefined ? signUp.signUp(request, body) : signUp.signUpInvited(request, body, token);
    },
  });
  routes.plain('POST', '/api/auth/send-verification-email', {
    operationId: 'sendVerificationEmail',
    summary: 'Send the verification mail again',
    description: 'The answer is the same for every address.',
    access: access.anyone,
    body: wire.EmailOnly,
    answer: Done,
    run: ({ body, request }) => signUp.sendVerification(request, body.email),
  });
  routes.plain('POST', '/api/auth/sign-in/email', {
    operationId: 'signIn',
    summary: 'Sign in with a password',
    description: 'Answers with a session token, or with a `twoFactorToken` if the user has a second factor.',
    access: access.anyone,
    body: wire.SignIn,
    answer: SignedIn,
    run: ({ body, request }) => signIn(request, body),
  });
  routes.plain('POST', '/api/auth/set-up', {
    operationId: 'setUp',
    summary: 'Set up the first operator',
    description:
      'Sets the password of the first operator with the token of the link that the start printed, and answers like a sign-in. It works once, and never after an operator has signed in.',
    access: access.anyone,
    body: wire.SetUp,
    answer: SignedIn,
    run: ({ body, request }) => setup.setUp(request, body),
  });
}
