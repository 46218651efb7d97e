// The HTTP of the caller's own account.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import { changesBetween, secretChange } from '../../audit/index.ts';
import { setCookie } from '../../base/browser-session/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Audited } from '../audited.ts';
import { Done, deletionStays, done } from '../schema.ts';
import type { OwnAccount } from './own-account.ts';
import * as wire from './schema.ts';

type Options = { ownAccount: OwnAccount; audited: Audited; access: Access };

export function registerOwnAccountRoutes(server: HttpServer, { ownAccount, audited, access }: Options): void {
  const common = { tags: ['Account'], security: [{ bearer: [] }] };
  const session = access.accountInSession;
  const proven = access.accountProven;

  server.post(
    '/api/auth/sign-out',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'signOut',
        summary: 'Sign out: end this session',
        description: 'The token stops working at once. Other sessions and access tokens go on.',
        response: { 204: Type.Null({ description: 'Signed out' }) },
      },
    },
    async (request, reply) => {
      const { actor, principal } = session.granted(request);
      const changes = { session: { before: principal.credential.id, after: null } };
      await audited(
        actor,
        'account.sign_out',
        () => ownAccount.signOut(principal),
        () => changes,
      );
      setCookie(request, 'session', null);
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
        'x-errors': [400, 401, 403, 404, 429, 500],
        summary: 'List the ways in which you can sign in',
        description: 'The password (`credential`) and the linked accounts of providers.',
        response: { 200: Type.Array(wire.LinkedAccount) },
      },
    },
    (request) => ownAccount.listAccounts(access.account.granted(request).principal.userId),
  );
  server.get(
    '/api/auth/list-sessions',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'listSessions',
        summary: 'List your sessions',
        description: 'Every session of yours that has not ended yet.',
        response: { 200: Type.Array(wire.Session) },
      },
    },
    (request) => {
      const { userId, credential } = session.granted(request).principal;
      return ownAccount.listSessions(userId, credential.id);
    },
  );
  server.post(
    '/api/auth/revoke-session',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'revokeSession',
        summary: 'End one of your sessions',
        description: 'The token of that session stops working at once.',
        body: wire.RevokeSession,
        response: { 200: Done },
      },
    },
    async (request) => {
      const { actor, principal } = session.granted(request);
      const { id } = request.body;
      await audited(
        actor,
        'account.revoke_session',
        () => ownAccount.revokeSession(principal, id),
        () => ({ session: { before: id, after: null } }),
      );
      if (id === principal.credential.id) setCookie(request, 'session', null);
      return done;
    },
  );
  server.post(
    '/api/auth/revoke-other-sessions',
    {
      onRequest: session.hook,
      schema: {
        ...common,
        operationId: 'revokeOtherSessions',
        summary: 'End all your other sessions',
        description:
          'Their tokens stop working at once. The session of this request and all access tokens go on.',
        response: { 200: Done },
      },
    },
    async (request) => {
      const { actor, principal } = session.granted(request);
      await audited(
        actor,
        'account.revoke_other_sessions',
        () => ownAccount.revokeOtherSessions(principal),
        (ended) => changesBetween({ sessions: ended }, { sessions: [] }),
      );
      return done;
    },
  );
  server.post(
    '/api/auth/change-password',
    {
      onRequest: proven.hook,
      schema: {
        ...common,
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Ends your other sessions and your access tokens, unless `revokeOtherSessions` is false.',
        body: wire.ChangePassword,
        response: { 200: Done },
      },
    },
    (request) => {
      const caller = proven.granted(request);
      return audited(
        caller.actor,
        'account.change_password',
        () => ownAccount.changePassword(request, caller, request.body),
        () => secretChange('password'),
      );
    },
  );
  server.post(
    '/api/auth/change-email',
    {
      onRequest: proven.hook,
      schema: {
        ...common,
        operationId: 'changeEmail',
        summary: 'Change your e-mail address',
        description:
          'A mail to the new address has a link; POST /api/auth/verify-email completes the change with its token. A mail to the old address tells about the request. The answer is the same if the new address already has an account.',
        body: wire.ChangeEmail,
        response: { 200: Done },
      },
    },
    (request) => ownAccount.changeEmail(request, proven.granted(request), request.body.newEmail),
  );
  server.post(
    '/api/auth/delete-user',
    {
      onRequest: proven.hook,
      schema: {
        ...common,
        operationId: 'deleteOwnUser',
        summary: 'Delete your user',
        description: `${deletionStays} Without \`password\` a mail with a link asks you to confirm it; POST /api/auth/delete-user/confirm deletes your user with its token.`,
        body: wire.DeleteUser,
        response: { 200: Done },
      },
    },
    async (request) => {
      const caller = proven.granted(request);
      const { password } = request.body;
      if (password === undefined) return ownAccount.requestDeletion(request, caller);
      // The row that says how it ended is written after the user's personal values were erased.
      const actor = { ...caller.actor, address: null };
      const remove = () => ownAccount.deleteUser(request, caller, password);
      await audited(actor, 'account.delete', remove, (changes) => changes);
      setCookie(request, 'session', null);
      return done;
    },
  );
}
