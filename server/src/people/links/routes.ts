// The HTTP of links in mails. Their pages (console/) send these requests. A GET never completes a link: mail
// scanners open links.
import { createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, deletionStays } from '../schema.ts';
import type { Services } from '../services.ts';
import { EmailOnly } from '../sign-in/schema.ts';
import { createMailLinks } from './mail-links.ts';
import * as wire from './schema.ts';
import { createVerifyEmail } from './verify-email.ts';

export function registerMailLinkRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Sign-in');
  const { access } = services;
  const mailLinks = createMailLinks(services);
  const verifyEmail = createVerifyEmail(services);

  routes.plain('POST', '/api/auth/verify-email', {
    operationId: 'verifyEmail',
    summary: 'Verify an address with the token from a mail',
    description:
      'Completes a sign-up with its password, or a change of the address with the password of the account. Ten wrong passwords end the token. The session that asked for the new address needs no password.',
    access: access.accountIfAny,
    body: wire.VerifyEmail,
    answer: Done,
    run: ({ granted, body, request }) => verifyEmail(request, granted, body),
  });
  routes.plain('POST', '/api/auth/request-password-reset', {
    operationId: 'requestPasswordReset',
    summary: 'Request a mail with a token that sets a new password',
    description: 'The answer is the same for every address.',
    access: access.anyone,
    body: EmailOnly,
    answer: Done,
    run: ({ body, request }) => mailLinks.requestPasswordReset(request, body.email),
  });
  routes.plain('POST', '/api/auth/reset-password', {
    operationId: 'resetPassword',
    summary: 'Set a new password with the token from a mail',
    description:
      'Also verifies the address. Ends every session and every access token of the user. If the address was not verified before, this also unlinks accounts of providers.',
    access: access.anyone,
    body: wire.ResetPassword,
    answer: Done,
    run: ({ body, request }) => mailLinks.resetPassword(request, body),
  });
  routes.plain('POST', '/api/auth/reset-password/check', {
    operationId: 'checkPasswordReset',
    summary: 'Check the token from a mail that sets a new password',
    description: 'Changes nothing: a page can say that its link is dead before somebody types a password.',
    access: access.anyone,
    body: wire.CheckPasswordReset,
    answer: Done,
    run: ({ body }) => mailLinks.checkReset(body.token),
  });
  routes.plain('POST', '/api/auth/delete-user/confirm', {
    operationId: 'confirmDeletion',
    summary: 'Delete your user with the token from a mail',
    description: deletionStays,
    access: access.anyone,
    body: wire.ConfirmDeletion,
    answer: Done,
    run: ({ body, request }) => mailLinks.confirmDeletion(request, body.token),
  });
}
