// The HTTP of links in mails. Their pages (console/) send these requests. A GET never completes a link: mail
// scanners open links.
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, deletionStays } from '../schema.ts';
import { EmailOnly } from '../sign-in/schema.ts';
import type { MailLinks } from './mail-links.ts';
import * as wire from './schema.ts';
import type { createVerifyEmail } from './verify-email.ts';

type Options = { mailLinks: MailLinks; verifyEmail: ReturnType<typeof createVerifyEmail>; access: Access };

export function registerMailLinkRoutes(
  server: HttpServer,
  { mailLinks, verifyEmail, access }: Options,
): void {
  const tags = ['Sign-in'];
  const onRequest = access.anyone;

  server.post(
    '/api/auth/verify-email',
    {
      onRequest: access.accountIfAny.hook,
      schema: {
        operationId: 'verifyEmail',
        tags,
        security: [{}, { bearer: [] }],
        summary: 'Verify an address with the token from a mail',
        description:
          'Completes a sign-up with its password, or a change of the address with the password of the account. Ten wrong passwords end the token. The session that asked for the new address needs no password.',
        body: wire.VerifyEmail,
        response: { 200: Done },
      },
    },
    (request) => verifyEmail(request, access.accountIfAny.granted(request), request.body),
  );
  server.post(
    '/api/auth/request-password-reset',
    {
      onRequest,
      schema: {
        operationId: 'requestPasswordReset',
        tags,
        summary: 'Request a mail with a token that sets a new password',
        description: 'The answer is the same for every address.',
        body: EmailOnly,
        response: { 200: Done },
      },
    },
    (request) => mailLinks.requestPasswordReset(request, request.body.email),
  );
  server.post(
    '/api/auth/reset-password',
    {
      onRequest,
      schema: {
        operationId: 'resetPassword',
        tags,
        summary: 'Set a new password with the token from a mail',
        description:
          'Also verifies the address. Ends every session and every access token of the user. If the address was not verified before, this also unlinks accounts of providers.',
        body: wire.ResetPassword,
        response: { 200: Done },
      },
    },
    (request) => mailLinks.resetPassword(request, request.body),
  );
  server.post(
    '/api/auth/reset-password/check',
    {
      onRequest,
      schema: {
        operationId: 'checkPasswordReset',
        tags,
        summary: 'Check the token from a mail that sets a new password',
        description:
          'Changes nothing: a page can say that its link is dead before somebody types a password.',
        body: wire.CheckPasswordReset,
        response: { 200: Done },
      },
    },
    (request) => mailLinks.checkReset(request.body.token),
  );
  server.post(
    '/api/auth/delete-user/confirm',
    {
      onRequest,
      schema: {
        operationId: 'confirmDeletion',
        tags,
        summary: 'Delete your user with the token from a mail',
        description: deletionStays,
        body: wire.ConfirmDeletion,
        response: { 200: Done },
      },
    },
    (request) => mailLinks.confirmDeletion(request, request.body.token),
  );
}
