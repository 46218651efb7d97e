// The HTTP of one's own account.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../http/server.ts';
import type { Audited } from '../audited.ts';
import { Done, PasswordOnly } from '../schema.ts';
import type { OwnAccount } from './own-account.ts';
import * as wire from './schema.ts';

type Options = { ownAccount: OwnAccount; audited: Audited; access: Access };

export function registerOwnAccountRoutes(server: HttpServer, { ownAccount, audited, access }: Options): void {
  const common = { tags: ['Account'], security: [{ bearer: [] }] };
  const session = access.accountInSession;

  server.post(
    '/api/auth/sign-out',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'signOut',
        summary: 'End this session',
        response: { 204: Type.Null({ description: 'Signed out' }) },
      },
    },
    async (request, reply) => {
      const { actor, principal } = session.granted(request);
      await audited(actor, 'account.sign_out', () => ownAccount.signOut(principal));
      return reply.code(204).send(null);
    },
  );
  server.get(
    '/api/auth/list-accounts',
    {
      onRequest: access.account.hook,
      schema: {
        ...common,
        operationId: 'listLinkedAccounts',
        summary: 'List the accounts linked to the user',
        response: { 200: Type.Array(wire.LinkedAccount) },
      },
    },
    (request) => ownAccount.listAccounts(access.account.granted(request).principal),
  );
  server.get(
    '/api/auth/list-sessions',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'listSessions',
        summary: 'List the sessions of the user',
        response: { 200: Type.Array(wire.Session) },
      },
    },
    (request) => ownAccount.listSessions(session.granted(request).principal),
  );
  server.post(
    '/api/auth/revoke-session',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'revokeSession',
        summary: 'End a session of the user',
        body: wire.RevokeSession,
        response: { 200: Done },
      },
    },
    (request) => {
      const { actor, principal } = session.granted(request);
      return audited(actor, 'account.revoke_session', () => ownAccount.revokeSession(principal, request.body.id));
    },
  );
  server.post(
    '/api/auth/revoke-other-sessions',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'revokeOtherSessions',
        summary: 'End every other session of the user',
        response: { 200: Done },
      },
    },
    (request) => {
      const { actor, principal } = session.granted(request);
      return audited(actor, 'account.revoke_other_sessions', () => ownAccount.revokeOtherSessions(principal));
    },
  );
  server.post(
    '/api/auth/change-password',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'changePassword',
        summary: 'Change the password',
        description: 'Ends other sessions and access tokens, unless `revokeOtherSessions` is false.',
        body: wire.ChangePassword,
        response: { 200: Done },
      },
    },
    (request) => {
      const { actor, principal } = session.granted(request);
      return audited(actor, 'account.change_password', () => ownAccount.changePassword(principal, request.body));
    },
  );
  server.post(
    '/api/auth/change-email',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'changeEmail',
        summary: 'Change the e-mail address',
        description: 'A mail to the old address asks to confirm, then a mail to the new address asks to verify.',
        body: wire.ChangeEmail,
        response: { 200: Done },
      },
    },
    (request) => {
      const { actor, principal } = session.granted(request);
      const change = () => ownAccount.changeEmail(request, principal, request.body.newEmail);
      return audited(actor, 'account.change_email', change);
    },
  );
  server.post(
    '/api/auth/delete-user',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'deleteOwnUser',
        summary: 'Delete the own user',
        body: PasswordOnly,
        response: { 200: Done },
      },
    },
    (request) => {
      const { actor, principal } = session.granted(request);
      return audited(actor, 'account.delete', () => ownAccount.deleteUser(principal, request.body.password));
    },
  );
}
