// The HTTP of sign-up and sign-in. These operations need no token.
import { type Access, createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, SignedIn } from '../schema.ts';
import { optionalHeaders, readTokenIfAny } from './invitation-tokens.ts';
import * as wire from './schema.ts';
import type { Setup } from './setup.ts';
import type { SignIn } from './sign-in.ts';

type Options = { signIn: SignIn; setup: Setup; access: Access };

export function registerSignInRoutes(server: HttpServer, { signIn, setup, access }: Options): void {
  const routes = createRoutes(server, 'Sign-in');

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
      return token === undefined
        ? signIn.signUp.signUp(request, body)
        : signIn.signUp.signUpInvited(request, body, token);
    },
  });
  routes.plain('POST', '/api/auth/send-verification-email', {
    operationId: 'sendVerificationEmail',
    summary: 'Send the verification mail again',
    description: 'The answer is the same for every address.',
    access: access.anyone,
    body: wire.EmailOnly,
    answer: Done,
    run: ({ body, request }) => signIn.signUp.sendVerification(request, body.email),
  });
  routes.plain('POST', '/api/auth/sign-in/email', {
    operationId: 'signIn',
    summary: 'Sign in with a password',
    description: 'Answers with a session token, or with a `twoFactorToken` if the user has a second factor.',
    access: access.anyone,
    body: wire.SignIn,
    answer: SignedIn,
    run: ({ body, request }) => signIn.withPassword(request, body),
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
