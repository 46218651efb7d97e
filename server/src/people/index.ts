// The entry point of accounts: people, how they sign in, and their tokens. The only folder that imports better-auth.
import type { Feature } from '../base/feature.ts';
import { addressGroup } from '../base/http/address-group.ts';
import type { HttpServer } from '../base/http/server.ts';
import { mails, warningTask } from '../base/mail/index.ts';
import { registerPasskeyProofRoutes, registerPasskeyRoutes } from './factors/passkeys/routes.ts';
import { registerCodeRoutes, registerSecondFactorRoutes, registerStepUpRoutes } from './factors/routes.ts';
import { registerMailLinkRoutes } from './links/routes.ts';
import { createPersonalData } from './own-account/personal-data.ts';
import { registerOwnAccountRoutes, registerWayRoutes } from './own-account/routes.ts';
import { createServices, type Options, type Services } from './services.ts';
import { createConnectionSignIn } from './sign-in/by-connection.ts';
import { registerProviderRoutes } from './sign-in/provider-routes.ts';
import { registerSignInRoutes } from './sign-in/routes.ts';
import { createSetup } from './sign-in/setup.ts';
import { deleteExpired } from './store.ts';
import { registerDeviceRoutes } from './tokens/device/routes.ts';
import { registerTokenRoutes } from './tokens/routes.ts';
import { takeEnding } from './tokens/store.ts';
import { registerMeRoutes } from './users/me/routes.ts';
import { ensureFirstOperator } from './users/operators.ts';
import { registerUserRoutes, registerUserSessionRoutes } from './users/routes.ts';
import { deleteWaiting, selectVerifiedEmail } from './users/store.ts';

export { createPasswords } from './better-auth/passwords.ts';
export type { InvitationGuard } from './guards.ts';
export { tellEach } from './notices/notices.ts';
export { SignedIn } from './schema.ts';
export { hashOf, newToken } from './secret-tokens.ts';
export type { AccountSettings, Setup } from './services.ts';
export type { ConnectionSignIn } from './sign-in/by-connection.ts';
export * as invitationTokens from './sign-in/invitation-tokens.ts';
export { ProviderRedirect, ProviderReturn, readReturn } from './sign-in/schema.ts';
export * as accessTokens from './tokens/access-tokens.ts';
export * as tokenWire from './tokens/schema.ts';
export { createOperator, ensureFirstOperator, resetOperatorPassword } from './users/operators.ts';
export { OrphanQuery } from './users/schema.ts';
export {
  allowOrphan,
  insertServiceUser,
  lockOwnUser,
  notBanned,
  selectVerifiedEmail,
  toRefusal,
} from './users/store.ts';

export type Accounts = ReturnType<typeof createAccounts>;

const registrations = [
  registerSignInRoutes,
  registerMailLinkRoutes,
  registerProviderRoutes,
  registerWayRoutes,
  registerOwnAccountRoutes,
  registerStepUpRoutes,
  registerCodeRoutes,
  registerSecondFactorRoutes,
  registerPasskeyRoutes,
  registerPasskeyProofRoutes,
  registerMeRoutes,
  registerUserRoutes,
  registerUserSessionRoutes,
  registerTokenRoutes,
  registerDeviceRoutes,
];

export function createAccounts(options: Options) {
  const services = createServices(options);
  const { db, passwords, guards, firstOperator, announceSetup, prepareProvider } = services;
  const setup = createSetup(services);
  const feature: Feature = {
    personalData: createPersonalData(db),
    routes(server) {
      guardAnswers(server, passwords);
      for (const register of registrations) register(server, services);
    },
    erasePerson: (tx, { emails }) => deleteWaiting(tx, emails),
    tasks: [
      deleteExpired,
      warningTask(options.enqueueMail, {
        name: 'warn before access tokens end',
        takeEnding,
        write: mails.accessTokenEnds,
      }),
    ],
    async start() {
      await ensureFirstOperator({ db, passwords, ...firstOperator });
      const open = options.answers ? await setup.renewLink() : null;
      if (open !== null) announceSetup?.(open);
      // The log says at start when the provider is away. The start does not wait for it.
      prepareProvider('oidc').catch(() => {});
    },
  };
  return {
    ...feature,
    invitationGuard: guards.invitations,
    connectionSignIn: createConnectionSignIn(services),
    /** Null: the address is not verified. */
    readVerifiedEmail: (userId: string) => selectVerifiedEmail(db, userId),
    /** @throws ServiceError rate_limited */
    countExport: (userId: string) => guards.exports.count(userId),
    /** Whether an operator has signed in. */
    isSetUp: setup.isComplete,
  };
}

function guardAnswers(server: HttpServer, passwords: Services['passwords']) {
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
