// The entry point of accounts: people, how they sign in, and their tokens. The only folder that imports better-auth.
import type { Access } from '../access/index.ts';
import type { Secret } from '../base/config-values.ts';
import type { ErasePerson, Feature } from '../base/feature.ts';
import { addressGroup } from '../base/http/address-group.ts';
import type { HttpServer } from '../base/http/server.ts';
import type { Window } from '../base/limits/index.ts';
import type { EnqueueMail } from '../base/mail/index.ts';
import type { Database } from '../base/postgres/database.ts';
import { createAccountMail } from './account-mail.ts';
import { createAudited } from './audited.ts';
import { newBackupCodes } from './better-auth/backup-codes.ts';
import { createAuth } from './better-auth/better-auth.ts';
import { createBridge } from './better-auth/bridge.ts';
import { createNewChallenge } from './better-auth/challenge.ts';
import { createPrepareProvider } from './better-auth/openid-provider.ts';
import { createPasswords } from './better-auth/passwords.ts';
import type { Providers } from './better-auth/providers.ts';
import { createAttempts } from './factors/attempts.ts';
import { createCeremony } from './factors/passkeys/ceremony.ts';
import { createPasskeys } from './factors/passkeys/passkeys.ts';
import { createPasskeyProofs } from './factors/passkeys/proofs.ts';
import { registerPasskeyRoutes } from './factors/passkeys/routes.ts';
import { registerCodeRoutes, registerSecondFactorRoutes, registerStepUpRoutes } from './factors/routes.ts';
import { createSecondFactor } from './factors/second-factor.ts';
import { createStepUp } from './factors/step-up.ts';
import { createGuards, type InvitationGuard } from './guards.ts';
import { createMailLinks } from './links/mail-links.ts';
import { registerMailLinkRoutes } from './links/routes.ts';
import { createVerifyEmail } from './links/verify-email.ts';
import { createNotices } from './notices/notices.ts';
import { createOwnAccount } from './own-account/own-account.ts';
import { createPersonalData } from './own-account/personal-data.ts';
import { registerOwnAccountRoutes, registerWayRoutes } from './own-account/routes.ts';
import { createPasswordCheck } from './password-check.ts';
import { createConsoleVisits } from './providers/console-visits.ts';
import { createProviderLinks } from './providers/provider-links.ts';
import { createNewSessions, type OnChallengeMet } from './sessions/new-sessions.ts';
import { type ConnectionSignIn, createConnectionSignIn } from './sign-in/by-connection.ts';
import { registerProviderRoutes } from './sign-in/provider-routes.ts';
import { registerSignInRoutes } from './sign-in/routes.ts';
import { createSetup } from './sign-in/setup.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { deleteExpired } from './store.ts';
import { type AccessTokens, createAccessTokens } from './tokens/access-tokens.ts';
import { createDeviceAuthorizations } from './tokens/device/device-authorizations.ts';
import { registerDeviceRoutes } from './tokens/device/routes.ts';
import { registerTokenRoutes } from './tokens/routes.ts';
import { warnOfEnds } from './tokens/warnings.ts';
import { createDeletePerson } from './users/deletion.ts';
import { createMyUser } from './users/me/me.ts';
import { registerMeRoutes } from './users/me/routes.ts';
import { ensureFirstOperator } from './users/operators.ts';
import { registerUserRoutes } from './users/routes.ts';
import { registerUserSessionRoutes } from './users/session-routes.ts';
import { deleteWaiting, isBanned, selectVerifiedEmail } from './users/store.ts';
import { createUsers } from './users/users.ts';

export { createPasswords } from './better-auth/passwords.ts';
export { domainOf, emailKey, parseEmail, storedEmailKey } from './email.ts';
export type { InvitationGuard } from './guards.ts';
export { countNotice, maxNoticesAnHour } from './notices/store.ts';
export { SignedIn } from './schema.ts';
export { hashOf, newToken } from './secret-tokens.ts';
export type { ConnectionSignIn } from './sign-in/by-connection.ts';
export * as invitationTokens from './sign-in/invitation-tokens.ts';
export { ProviderRedirect, ProviderReturn, readReturn } from './sign-in/schema.ts';
export type { AccessTokens } from './tokens/access-tokens.ts';
export * as tokenWire from './tokens/schema.ts';
export { createOperator, ensureFirstOperator, resetOperatorPassword } from './users/operators.ts';
export { OrphanQuery } from './users/schema.ts';
export { allowOrphan, insertServiceUser, toRefusal } from './users/store.ts';

/** What an installation sets. */
export type AccountSettings = {
  /** False: attempts to sign in are not limited, for load tests. */
  guarded: boolean;
  /** The mails that each network address can cause. */
  mails: Window;
  /** False: this process answers no requests, so it prints no link. */
  answers: boolean;
  providers: Providers;
  /** `password` null: a password is generated and announced. */
  firstOperator: { email: string; password: string | null; announce: (line: string) => void };
};

type Options = AccountSettings & {
  db: Database;
  access: Access;
  secrets: readonly Secret[];
  /** The URL of the service for clients, without a trailing slash. */
  baseUrl: string;
  enqueueMail: EnqueueMail;
  /** Blanks what names a person, in every feature. */
  erasePerson: ErasePerson;
  onProviderFailure: (error: unknown) => void;
  onChallengeMet: OnChallengeMet;
  /** Called at each start, while no operator has signed in. */
  announceSetup?: (setup: { link: string; email: string }) => void;
};

/** For other features. */
export type Accounts = Feature & {
  readonly tokens: AccessTokens;
  readonly invitationGuard: InvitationGuard;
  readonly connectionSignIn: ConnectionSignIn;
  /** Null: the address is not verified. */
  readonly readVerifiedEmail: (userId: string) => Promise<string | null>;
  /** @throws ServiceError rate_limited */
  readonly countExport: (userId: string) => Promise<void>;
  /** Whether an operator has signed in. */
  readonly isSetUp: () => Promise<boolean>;
};

export function createAccounts(options: Options): Accounts {
  const { db, access, secrets, baseUrl, enqueueMail, providers, firstOperator, announceSetup } = options;
  const passwords = createPasswords();
  const mail = createAccountMail({ baseUrl, enqueue: enqueueMail });
  const notices = createNotices({ db, enqueue: enqueueMail });
  const providerLinks = createProviderLinks({ db, providers, notices });
  const auth = createAuth({
    pool: db.pool,
    baseUrl,
    secrets,
    passwords,
    providers,
    beforeLink: providerLinks.beforeLink,
    isBanned: (userId) => isBanned(db, userId),
  });
  const bridge = createBridge({ auth });
  const guards = createGuards({ db, enabled: options.guarded, mails: options.mails });
  const deletePerson = createDeletePerson(options.erasePerson);
  const prepareProvider = createPrepareProvider({ auth, providers, onFailure: options.onProviderFailure });
  const newSessions = createNewSessions({ db, guards, onChallengeMet: options.onChallengeMet });
  const consoleVisits = createConsoleVisits({ db, secrets });
  const signIn = createSignIn({
    db,
    bridge,
    guards,
    passwords,
    mail,
    prepareProvider,
    newSessions,
    providerLinks,
    consoleVisits,
  });
  const setup = createSetup({
    db,
    secrets,
    guards,
    passwords,
    notices,
    signIn,
    baseUrl,
    email: firstOperator.email,
  });
  const passwordCheck = createPasswordCheck({ db, passwords });
  const ownAccount = createOwnAccount({ db, guards, passwords, passwordCheck, mail, notices, deletePerson });
  const attempts = createAttempts({ db, guards });
  const secondFactor = createSecondFactor({
    db,
    bridge,
    guards,
    attempts,
    passwordCheck,
    notices,
    newSessions,
  });
  const ceremony = createCeremony({ secrets, baseUrl });
  const passkeys = createPasskeys({ db, ceremony, notices, newBackupCodes: () => newBackupCodes(auth) });
  const passkeyProofs = createPasskeyProofs({ db, ceremony, guards, attempts, newSessions });
  const stepUp = createStepUp({ db, guards, passwordCheck, secondFactor, passkeyProofs });
  const mailLinks = createMailLinks({ db, guards, passwords, mail, notices, deletePerson });
  const verifyEmail = createVerifyEmail({ db, passwordCheck, notices });
  const tokens = createAccessTokens({ db });
  const users = createUsers({ db, deletePerson });
  return {
    tokens,
    invitationGuard: guards.invitations,
    connectionSignIn: createConnectionSignIn({
      newSessions,
      newChallenge: createNewChallenge(auth),
      consoleVisits,
      notices,
    }),
    readVerifiedEmail: (userId) => selectVerifiedEmail(db, userId),
    countExport: (userId) => guards.exports.count(userId),
    isSetUp: setup.isComplete,
    personalData: createPersonalData({ db, ownAccount, passkeys, tokens }),
    routes(server) {
      const audited = createAudited({ db });
      guardAnswers(server, passwords);
      registerSignInRoutes(server, { signIn, setup, access });
      registerMailLinkRoutes(server, { mailLinks, verifyEmail, access });
      registerProviderRoutes(server, { signIn, consoleVisits, providerLinks, access, baseUrl });
      registerWayRoutes(server, { ownAccount, audited, access });
      registerOwnAccountRoutes(server, { ownAccount, audited, access });
      registerStepUpRoutes(server, { stepUp, access });
      registerCodeRoutes(server, { secondFactor, audited, access });
      registerSecondFactorRoutes(server, { secondFactor, audited, access });
      registerPasskeyRoutes(server, { passkeys, passkeyProofs, access });
      registerMeRoutes(server, { myUser: createMyUser({ db }), access });
      registerUserRoutes(server, { users, access });
      registerUserSessionRoutes(server, { users, access });
      const createToken = registerTokenRoutes(server, { db, tokens, notices, access });
      const authorizations = createDeviceAuthorizations({ db, guards, secrets, baseUrl });
      registerDeviceRoutes(server, { db, authorizations, createToken, tokens, access });
    },
    erasePerson: (tx, { emails }) => deleteWaiting(tx, emails),
    tasks: [deleteExpired, warnOfEnds(enqueueMail)],
    async start() {
      await ensureFirstOperator({ db, passwords, ...firstOperator });
      const open = options.answers ? await setup.renewLink() : null;
      if (open !== null) announceSetup?.(open);
      // The log says at start when the provider is away. The start does not wait for it.
      prepareProvider('oidc').catch(() => {});
    },
  };
}

function guardAnswers(server: HttpServer, passwords: ReturnType<typeof createPasswords>): void {
  // These answers hold tokens, codes or personal data, so no cache may keep them.
  server.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/api/auth/')) void reply.header('cache-control', 'no-store');
  });
  // Not earlier: reading the body leaves the asynchronous context of an earlier hook.
  server.addHook('preHandler', (request, reply, next) => {
    if (!request.routeOptions.url?.startsWith('/api/auth/')) return next();
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    passwords.askedBy({ group: addressGroup(request.ip), gone: gone.signal }, next);
  });
}
