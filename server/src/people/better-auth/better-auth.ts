// The configuration of better-auth, which keeps users, credentials and sessions in the schema `auth`. Only
// this folder imports it. Its HTTP handler is never called: the bridge names the operations that we use.
// Links in mails, sign-up, and changes of the password, the address and the user are ours.
import { betterAuth } from 'better-auth';
import { APIError, createAuthMiddleware, getOAuthState } from 'better-auth/api';
import { admin } from 'better-auth/plugins/admin';
import { adminAc, userAc } from 'better-auth/plugins/admin/access';
import { bearer } from 'better-auth/plugins/bearer';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Secret } from '../../base/config-values.ts';
import { newId } from '../../base/ids.ts';
import type { Database } from '../../base/postgres/database.ts';
import { createEncryption, deriveKey } from '../../base/secrets/index.ts';
import { createFailures } from './failures.ts';
import { hashedDatabase } from './hashed-tokens.ts';
import type { Passwords } from './passwords.ts';
import { type BeforeLink, createRequireVerified, mapMicrosoft, mapVerified } from './verified-addresses.ts';

type Client = { clientId: string; clientSecret: string };
export type OidcClient = Client & { issuer: string };

export type Providers = {
  google?: Client | undefined;
  github?: Client | undefined;
  microsoft?: Client | undefined;
  oidc?: OidcClient | undefined;
};

type Options = {
  pool: Database['pool'];
  /** The URL of the service for clients, without a trailing slash. */
  baseUrl: string;
  secrets: readonly Secret[];
  passwords: Passwords;
  providers: Providers;
  beforeLink: BeforeLink;
  isBanned: (userId: string) => Promise<boolean>;
};

/** The bridge passes the caller's address to better-auth in this header. Clients cannot set it. */
export const addressHeader = 'x-concord-client-address';

/**
 * A response carries the id of the user in this header when a provider was linked to the user, who may be
 * new.
 */
export const linkedHeader = 'x-concord-linked';

/**
 * The answer of a return from a provider carries the page in this header that the state of the visit names.
 */
export const pageHeader = 'x-concord-page';

const createdAt = 'created_at';
const updatedAt = 'updated_at';
const userId = 'user_id';
const expiresAt = 'expires_at';

/** Sessions that these operations create carry the proof of a second factor. */
const proofs = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

const account = {
  // better-auth encrypts the tokens of providers before it stores them.
  encryptOAuthTokens: true,
  accountLinking: { enabled: true, allowDifferentEmails: false, trustedProviders: [] },
  fields: {
    createdAt,
    updatedAt,
    userId,
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
  },
};

function operators() {
  const { init: _, ...plugin } = admin({
    adminRoles: ['operator'],
    roles: { operator: adminAc, user: userAc },
    schema: {
      user: { fields: { banReason: 'ban_reason', banExpires: 'ban_expires' } },
      session: { fields: { impersonatedBy: 'impersonated_by' } },
    },
  });
  // Its hooks would lift a ban that an operator sets meanwhile. `databaseHooks` do the same.
  return plugin;
}

/** The second factor, after a password and after a provider alike. */
function secondFactor() {
  const plugin = twoFactor({
    // Limits are ours (guards.ts): with this lockout a stranger could lock the owner out.
    accountLockout: { enabled: false },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factor',
        fields: {
          backupCodes: 'backup_codes',
          userId: 'user_id',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
  // The plugin challenges only sign-ins with a password. Its hook works after a provider too: it replaces the
  // session by a challenge.
  // A browser that comes from a provider has no token of a trusted device, so it always gets the challenge.
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) =>
      hook.matcher(context) || context.path === '/callback/:id',
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after } };
}

function socialProviders({ google, github, microsoft }: Providers) {
  return {
    ...(google && {
      google: { ...google, scope: ['openid', 'email', 'profile'], mapProfileToUser: mapVerified },
    }),
    ...(github && { github: { ...github, scope: ['read:user', 'user:email'] } }),
    ...(microsoft && { microsoft: { ...microsoft, mapProfileToUser: mapMicrosoft } }),
  };
}

/** Its HTTP handler stays here, so that nobody can serve what the bridge leaves out. */
export type Auth = ReturnType<typeof createAuth>;

export function createAuth({ pool, baseUrl, secrets, passwords, providers, beforeLink, isBanned }: Options) {
  const failures = createFailures();
  const { api, options, $context } = betterAuth({
    appName: 'Concord',
    baseURL: baseUrl,
    basePath: '/api/auth',
    secrets: secrets.map((secret) => ({
      version: secret.version,
      value: deriveKey(secret, 'better-auth').toString('base64'),
    })),
    database: hashedDatabase({ pool, encryption: createEncryption(secrets, 'provider visit'), failures }),
    user: {
      fields: { emailVerified: 'email_verified', createdAt, updatedAt },
      validateUserInfo: createRequireVerified(failures.noting(beforeLink)),
    },
    session: {
      fields: { createdAt, updatedAt, userId, expiresAt, ipAddress: 'ip_address', userAgent: 'user_agent' },
      expiresIn: 7 * 24 * 60 * 60,
      additionalFields: {
        mfaVerifiedAt: { type: 'date', required: false, input: false, fieldName: 'mfa_verified_at' },
      },
      // T1: access rules extend sessions (access/sessions/store.ts), to 30 days at most.
      disableSessionRefresh: true,
    },
    socialProviders: socialProviders(providers),
    account,
    // A task deletes what has expired, so that no sign-in fails with that.
    verification: { fields: { createdAt, updatedAt, expiresAt }, disableCleanup: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 12,
      maxPasswordLength: 128,
      password: passwords,
      // Sign-up is ours (sign-in/): a user exists only after the address is verified.
      disableSignUp: true,
      requireEmailVerification: true,
    },
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { role: 'user', ...user } }) } },
      account: {
        create: {
          // Tells the bridge, which passes no header of better-auth on to the client.
          after: async (account, context) => context?.setHeader(linkedHeader, account.userId),
        },
      },
      session: {
        create: {
          // Set for each session, because better-auth copies the members of the previous session.
          before: async (session, context) => {
            if (await isBanned(session.userId))
              throw APIError.from('FORBIDDEN', { message: '', code: 'BANNED_USER' });
            return {
              data: { ...session, mfaVerifiedAt: proofs.has(context?.path ?? '') ? new Date() : null },
            };
          },
        },
      },
    },
    hooks: {
      // After every outcome, also when the second factor is asked for, which replaces the answer.
      after: createAuthMiddleware(async (context) => {
        if (context.path !== '/callback/:id') return;
        const state = await getOAuthState();
        if (state) context.setHeader(pageHeader, state.callbackURL);
      }),
    },
    plugins: [bearer(), secondFactor(), operators()],
    // Limits are ours (behaviour L1, http/limits.ts).
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: ({ model }) => (model === 'user' ? newId('user') : crypto.randomUUID()) },
    },
  });
  return { api, options, $context, surfaceFailures: failures.surface };
}
