// The account operations under /api/auth: a closed list; what better-auth does is reached only through it.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { Actor } from '../audit/index.ts';
import type { HttpServer } from '../http/server.ts';
import type { Principal } from '../permissions/index.ts';
import type { Accounts } from './accounts.ts';
import type { Audited } from './audited.ts';
import * as wire from './schema.ts';
import type { Proof, SecondFactor } from './second-factor.ts';

/** The access rules, which live above this feature. */
export type AccountAccess = {
  /** Anyone, within the window of their address. */
  anyone: onRequestAsyncHookHandler;
  /** Who is signed in; a banned user is told so. */
  signedIn: onRequestAsyncHookHandler;
  /** The same, or with an access token. */
  withToken: onRequestAsyncHookHandler;
  /** The one or the other: a token that is sent must be valid. */
  either: onRequestAsyncHookHandler;
  principalOf(request: FastifyRequest): Principal;
  principalIfAny(request: FastifyRequest): Principal | null;
  actorOf(request: FastifyRequest): Actor;
};

type Options = { accounts: Accounts; secondFactor: SecondFactor; audited: Audited; access: AccountAccess };

export function registerAccountRoutes(server: HttpServer, { accounts, secondFactor, audited, access }: Options): void {
  const { principalOf, principalIfAny } = access;
  /** A change that is written down, before and after. */
  const change = <T>(request: FastifyRequest, action: string, work: () => Promise<T>) =>
    audited(access.actorOf(request), `account.${action}`, work);
  /** In a session it steps that up, or enables the second factor: a change. Without one it completes a sign-in. */
  const verify = (request: FastifyRequest, kind: 'totp' | 'backup-code', proof: Proof) => {
    const principal = principalIfAny(request);
    const work = () => secondFactor.verify(request, kind, proof, principal);
    return principal ? change(request, 'prove_second_factor', work) : work();
  };
  const open = { tags: ['Accounts'] };
  const own = { tags: ['Accounts'], security: [{ bearer: [] }] };
  const path = (operation: string) => `/api/auth/${operation}`;
  // Nothing here is for a cache: answers hold tokens, codes, or what only their user may see.
  server.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url?.startsWith(path(''))) void reply.header('cache-control', 'no-store');
  });

  server.post(
    path('sign-up/email'),
    {
      onRequest: access.anyone,
      schema: {
        ...open,
        summary: 'Sign up; a mail verifies the address',
        body: wire.SignUp,
        response: { 200: wire.Done },
      },
    },
    (request) => accounts.signUp(request, request.body),
  );
  server.post(
    path('send-verification-email'),
    {
      onRequest: access.anyone,
      schema: {
        ...open,
        summary: 'Send the mail that verifies the address again',
        body: wire.EmailOnly,
        response: { 200: wire.Done },
      },
    },
    (request) => accounts.sendVerification(request, request.body.email),
  );
  server.get(
    path('verify-email'),
    {
      onRequest: access.anyone,
      schema: {
        ...open,
        summary: 'Verify an address by the link of a mail',
        querystring: wire.VerifyEmail,
        response: { 200: wire.Done },
      },
    },
    (request) => accounts.verifyEmail(request, request.query.token),
  );
  server.post(
    path('sign-in/email'),
    {
      onRequest: access.anyone,
      schema: { ...open, summary: 'Sign in', body: wire.SignIn, response: { 200: wire.SignedIn } },
    },
    (request) => accounts.signIn(request, request.body),
  );
  server.post(
    path('two-factor/verify-totp'),
    {
      onRequest: access.either,
      schema: {
        ...open,
        summary: 'Complete a sign-in, step a session up or enable the second factor, with a code',
        body: wire.VerifyTotp,
        response: { 200: wire.SignedIn },
      },
    },
    (request) => verify(request, 'totp', request.body),
  );
  server.post(
    path('two-factor/verify-backup-code'),
    {
      onRequest: access.either,
      schema: {
        ...open,
        summary: 'The same with a backup code, which is used up',
        body: wire.VerifyBackupCode,
        response: { 200: wire.SignedIn },
      },
    },
    (request) => verify(request, 'backup-code', request.body),
  );
  server.post(
    path('request-password-reset'),
    {
      onRequest: access.anyone,
      schema: {
        ...open,
        summary: 'Send a mail with a token for a new password',
        body: wire.EmailOnly,
        response: { 200: wire.Done },
      },
    },
    (request) => accounts.requestPasswordReset(request, request.body.email),
  );
  server.post(
    path('reset-password'),
    {
      onRequest: access.anyone,
      schema: {
        ...open,
        summary: 'Set a new password with that token; ends every session',
        body: wire.ResetPassword,
        response: { 200: wire.Done },
      },
    },
    (request) => accounts.resetPassword(request, request.body),
  );

  server.post(
    path('sign-out'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'Sign out: end this session',
        response: { 204: Type.Null({ description: 'Signed out' }) },
      },
    },
    async (request, reply) => {
      await change(request, 'sign_out', () => accounts.signOut(principalOf(request)));
      return reply.code(204).send(null);
    },
  );
  server.get(
    path('list-accounts'),
    {
      onRequest: access.withToken,
      schema: {
        ...own,
        summary: 'List the accounts linked to the user',
        response: { 200: Type.Array(wire.LinkedAccount) },
      },
    },
    (request) => accounts.listAccounts(principalOf(request)),
  );
  server.get(
    path('list-sessions'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'List the sessions of the user',
        response: { 200: Type.Array(wire.Session) },
      },
    },
    (request) => accounts.listSessions(principalOf(request)),
  );
  server.post(
    path('revoke-session'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'End a session of the user',
        body: wire.RevokeSession,
        response: { 200: wire.Done },
      },
    },
    (request) => change(request, 'revoke_session', () => accounts.revokeSession(principalOf(request), request.body.id)),
  );
  server.post(
    path('revoke-other-sessions'),
    {
      onRequest: access.signedIn,
      schema: { ...own, summary: 'End every other session of the user', response: { 200: wire.Done } },
    },
    (request) => change(request, 'revoke_other_sessions', () => accounts.revokeOtherSessions(principalOf(request))),
  );
  server.post(
    path('change-password'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'Change the password; ends other sessions unless asked not to',
        body: wire.ChangePassword,
        response: { 200: wire.Done },
      },
    },
    (request) => change(request, 'change_password', () => accounts.changePassword(principalOf(request), request.body)),
  );
  server.post(
    path('change-email'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'Change the address: confirmed at the old one, verified at the new one',
        body: wire.ChangeEmail,
        response: { 200: wire.Done },
      },
    },
    (request) =>
      change(request, 'change_email', () => accounts.changeEmail(request, principalOf(request), request.body.newEmail)),
  );
  server.post(
    path('delete-user'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'Delete the account of the user',
        body: wire.PasswordOnly,
        response: { 200: wire.Done },
      },
    },
    (request) => change(request, 'delete', () => accounts.deleteUser(principalOf(request), request.body.password)),
  );
  server.post(
    path('two-factor/enable'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'Begin with the second factor: a TOTP secret and backup codes; a first code then enables it',
        body: wire.PasswordOnly,
        response: { 200: wire.TotpEnrolment },
      },
    },
    (request) =>
      change(request, 'enable_second_factor', () => secondFactor.enable(request, principalOf(request), request.body.password)),
  );
  server.post(
    path('two-factor/get-totp-uri'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'Show the TOTP secret again',
        body: wire.PasswordOnly,
        response: { 200: wire.TotpUri },
      },
    },
    (request) => secondFactor.showSecret(request, principalOf(request), request.body.password),
  );
  server.post(
    path('two-factor/disable'),
    {
      onRequest: access.signedIn,
      schema: {
        ...own,
        summary: 'Disable the second factor',
        body: wire.PasswordOnly,
        response: { 200: wire.NewToken },
      },
    },
    (request) =>
      change(request, 'disable_second_factor', () => secondFactor.disable(request, principalOf(request), request.body.password)),
  );
  server.post(
    path('two-factor/generate-backup-codes'),
    {
      onRequest: [access.withToken, (request) => secondFactor.countBackupCodes(principalOf(request))],
      schema: {
        ...own,
        summary: 'Generate new backup codes; the old ones are void',
        body: wire.GenerateBackupCodes,
        response: { 200: wire.BackupCodes },
      },
    },
    (request) =>
      change(request, 'generate_backup_codes', () =>
        secondFactor.generateBackupCodes(request, principalOf(request), request.body.password),
      ),
  );
}
