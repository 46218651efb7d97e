// The HTTP of sign-up and sign-in. These operations need no token.
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, SignedIn } from '../schema.ts';
import { optionalHeaders, readTokenIfAny } from './invitation-tokens/invitation-tokens.ts';
import * as wire from './schema.ts';
import type { SignIn } from './sign-in.ts';

export function registerSignInRoutes(
  server: HttpServer,
  { signIn, access }: { signIn: SignIn; access: Access },
): void {
  const tags = ['Sign-in'];
  const onRequest = access.anyone;

  server.post(
    '/api/auth/sign-up/email',
    {
      onRequest,
      schema: {
        operationId: 'signUp',
        tags,
        summary: 'Sign up',
        description:
          'Sends a mail with a link. POST /api/auth/verify-email creates the account with its token and this password. The answer is the same for every address. With the token of an invitation, the account is created at once: the token proves the address.',
        headers: optionalHeaders,
        body: wire.SignUp,
        response: { 200: Done },
      },
    },
    (request) => {
      const token = readTokenIfAny(request);
      return token === undefined
        ? signIn.signUp(request, request.body)
        : signIn.signUpInvited(request, request.body, token);
    },
  );
  server.post(
    '/api/auth/send-verification-email',
    {
      onRequest,
      schema: {
        operationId: 'sendVerificationEmail',
        tags,
        summary: 'Send the verification mail again',
        description: 'The answer is the same for every address.',
        body: wire.EmailOnly,
        response: { 200: Done },
      },
    },
    (request) => signIn.sendVerification(request, request.body.email),
  );
  server.post(
    '/api/auth/sign-in/email',
    {
      onRequest,
      schema: {
        operationId: 'signIn',
        tags,
        summary: 'Sign in with a password',
        description:
          'Answers with a session token, or with a `twoFactorToken` if the user has a second factor.',
        body: wire.SignIn,
        response: { 200: SignedIn },
      },
    },
    (request) => signIn.signIn(request, request.body),
  );
}
