// The HTTP of sign-up, sign-in and password reset. These operations need no token.
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../http/server.ts';
import { Done, SignedIn } from '../schema.ts';
import * as wire from './schema.ts';
import type { SignIn } from './sign-in.ts';

export function registerSignInRoutes(server: HttpServer, { signIn, access }: { signIn: SignIn; access: Access }): void {
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
          'Sends a mail with a link. The account exists after the link is opened. The answer is the same for every address.',
        body: wire.SignUp,
        response: { 200: Done },
      },
    },
    (request) => signIn.signUp(request, request.body),
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
  server.get(
    '/api/auth/verify-email',
    {
      onRequest,
      schema: {
        operationId: 'verifyEmail',
        tags,
        summary: 'Verify an address with the token from a mail',
        querystring: wire.VerifyEmail,
        response: { 200: Done },
      },
    },
    (request) => signIn.verifyEmail(request, request.query.token),
  );
  server.post(
    '/api/auth/sign-in/email',
    {
      onRequest,
      schema: {
        operationId: 'signIn',
        tags,
        summary: 'Sign in with a password',
        description: 'Answers with a session token, or with a `twoFactorToken` if the user has a second factor.',
        body: wire.SignIn,
        response: { 200: SignedIn },
      },
    },
    (request) => signIn.signIn(request, request.body),
  );
  server.post(
    '/api/auth/request-password-reset',
    {
      onRequest,
      schema: {
        operationId: 'requestPasswordReset',
        tags,
        summary: 'Request a mail with a token that resets the password',
        description: 'The answer is the same for every address.',
        body: wire.EmailOnly,
        response: { 200: Done },
      },
    },
    (request) => signIn.requestPasswordReset(request, request.body.email),
  );
  server.post(
    '/api/auth/reset-password',
    {
      onRequest,
      schema: {
        operationId: 'resetPassword',
        tags,
        summary: 'Set a new password with the token from a mail',
        description: 'Ends every session of the user.',
        body: wire.ResetPassword,
        response: { 200: Done },
      },
    },
    (request) => signIn.resetPassword(request, request.body),
  );
}
