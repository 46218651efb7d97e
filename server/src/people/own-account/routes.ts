// The HTTP of the caller's own account.
import { Type } from 'typebox';
import { createRoutes, sessions } from '../../access/index.ts';
import { changesBetween, secretChange } from '../../audit/index.ts';
import { setCookie } from '../../base/browser-session/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { Done, deletionStays, done } from '../schema.ts';
import type { Services } from '../services.ts';
import { changeOwn } from '../users/own-change.ts';
import { createOwnAccount, listAccounts, listSessions } from './own-account.ts';
import * as wire from './schema.ts';

export function registerWayRoutes(server: HttpServer, { db, audited, access }: Services) {
  const routes = createRoutes(server, 'Account');
  const session = access.accountInSession;

  routes.plain('POST', '/api/auth/sign-out', {
    operationId: 'signOut',
    summary: 'Sign out: end this session',
    description: 'The token stops working at once. Other sessions and access tokens keep working.',
    access: session,
    answer: Type.Null({ description: 'Signed out' }),
    async run({ granted, request }) {
      const { actor, principal } = granted;
      const { userId, credential } = principal;
      const changes = { session: { before: credential.id, after: null } };
      // Ours, because better-auth answers with success even when it fails to delete the session.
      const signOut = () => changeOwn(db, granted, (tx) => sessions.deleteSession(tx, userId, credential.id));
      await audited(actor, 'account.sign_out', signOut, changes);
      setCookie(request, 'session', null);
    },
  });
  routes.plain('GET', '/api/auth/list-accounts', {
    operationId: 'listLinkedAccounts',
    summary: 'List the ways in which you can sign in',
    description: 'The password (`credential`) and the linked accounts of providers.',
    access: access.account,
    errors: [400, 401, 403, 404, 429, 500],
    answer: Type.Array(wire.LinkedAccount),
    run: ({ granted }) => listAccounts(db, granted.principal.userId),
  });
  routes.plain('GET', '/api/auth/list-sessions', {
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Every session of yours that has not ended yet.',
    access: session,
    answer: Type.Array(wire.Session),
    run({ granted }) {
      const { userId, credential } = granted.principal;
      return listSessions(db, userId, credential.id);
    },
  });
  routes.plain('POST', '/api/auth/revoke-session', {
    operationId: 'revokeSession',
    summary: 'End one of your sessions',
    description: 'The token of that session stops working at once.',
    access: session,
    body: wire.RevokeSession,
    answer: Done,
    async run({ granted, body, request }) {
      const { actor, principal } = granted;
      const { id } = body;
      const revoke = () =>
        changeOwn(db, granted, async (tx) => {
          if (!(await sessions.deleteSession(tx, principal.userId, id))) throw new ServiceError('not_found');
        });
      const changes = { session: { before: id, after: null } };
      await audited(actor, 'account.revoke_session', revoke, changes);
      if (id === principal.credential.id) setCookie(request, 'session', null);
      return done;
    },
  });
  routes.plain('POST', '/api/auth/revoke-other-sessions', {
    operationId: 'revokeOtherSessions',
    summary: 'End all your other sessions',
    description:
      'Their tokens stop working at once. The session of this request and all access tokens keep working.',
    access: session,
    answer: Done,
    async run({ granted }) {
      const { userId, credential } = granted.principal;
      const revoke = () =>
        changeOwn(db, granted, (tx) => sessions.deleteOtherSessions(tx, userId, credential.id));
      await audited(granted.actor, 'account.revoke_other_sessions', revoke, (ended) =>
        changesBetween({ sessions: ended }, { sessions: [] }),
      );
      return done;
    },
  });
}

export function registerOwnAccountRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Account');
  const { audited } = services;
  const proven = services.access.accountProven;
  const account = createOwnAccount(services);

  routes.plain('POST', '/api/auth/change-password', {
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Ends your other sessions and your access tokens, unless `revokeOtherSessions` is false.',
    access: proven,
    body: wire.ChangePassword,
    answer: Done,
    run({ granted, body, request }) {
      const changePassword = () => account.changePassword(request, granted, body);
      return audited(granted.actor, 'account.change_password', changePassword, secretChange('password'));
    },
  });
  routes.plain('POST', '/api/auth/change-email', {
    operationId: 'changeEmail',
    summary: 'Change your e-mail address',
    description:
      'A mail to the new address has a link; POST /api/auth/verify-email completes the change with its token. A mail to the old address tells about the request. The answer is the same if the new address already has an account.',
    access: proven,
    body: wire.ChangeEmail,
    answer: Done,
    run: ({ granted, body, request }) => account.changeEmail(request, granted, body.newEmail),
  });
  routes.plain('POST', '/api/auth/delete-user', {
    operationId: 'deleteOwnUser',
    summary: 'Delete your user',
    description: `${deletionStays} Without \`password\` a mail with a link asks you to confirm it; POST /api/auth/delete-user/confirm deletes your user with its token.`,
    access: proven,
    body: wire.DeleteUser,
    answer: Done,
    async run({ granted, body, request }) {
      const { password } = body;
      if (password === undefined) return account.requestDeletion(request, granted);
      // The row that says how it ended is written after the user's personal values were erased.
      const actor = { ...granted.actor, address: null };
      const remove = () => account.deleteUser(request, granted, password);
      await audited(actor, 'account.delete', remove, (changes) => changes);
      setCookie(request, 'session', null);
      return done;
    },
  });
}
