// better-auth, configured: it keeps users, credentials and sessions in the schema `auth`. Only this folder imports it.
import { betterAuth } from 'better-auth';
import { admin } from 'better-auth/plugins/admin';
import { adminAc, userAc } from 'better-auth/plugins/admin/access';
import { bearer } from 'better-auth/plugins/bearer';
import { PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { deriveKey, type Secret } from '../sealing.ts';

type Options = {
  pool: Pool;
  /** Where the service is reached, without a slash at the end. */
  baseUrl: string;
  secrets: readonly Secret[];
};

/** The header in which accounts/routes.ts tells better-auth the caller's address; clients cannot set it. */
export const addressHeader = 'x-concord-client-address';

const snakeCase = {
  emailVerified: 'email_verified',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  userId: 'user_id',
  expiresAt: 'expires_at',
} as const;
const { emailVerified, createdAt, updatedAt, userId, expiresAt } = snakeCase;

export type Auth = ReturnType<typeof createAuth>;

export function createAuth({ pool, baseUrl, secrets }: Options) {
  return betterAuth({
    appName: 'Concord',
    baseURL: baseUrl,
    basePath: '/api/auth',
    secrets: secrets.map((secret) => ({
      version: secret.version,
      value: deriveKey(secret, 'better-auth').toString('base64'),
    })),
    database: {
      dialect: new PostgresDialect({ pool }),
      type: 'postgres',
      schemaName: 'auth',
      transaction: true,
    },
    user: { fields: { emailVerified, createdAt, updatedAt } },
    session: {
      fields: { createdAt, updatedAt, userId, expiresAt, ipAddress: 'ip_address', userAgent: 'user_agent' },
      expiresIn: 7 * 24 * 60 * 60,
      // T1: sessions slide in the access read (agreements/access.ts), which also holds them to 30 days.
      disableSessionRefresh: true,
    },
    account: {
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
    },
    verification: { fields: { createdAt, updatedAt, expiresAt } },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12 },
    plugins: [
      bearer(),
      admin({
        defaultRole: 'user',
        adminRoles: ['operator'],
        roles: { operator: adminAc, user: userAc },
        schema: {
          user: { fields: { banReason: 'ban_reason', banExpires: 'ban_expires' } },
          session: { fields: { impersonatedBy: 'impersonated_by' } },
        },
      }),
    ],
    // Limits are ours (behaviour.md L1): http/limits.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    // What goes wrong is thrown to us, to be logged and answered in our form.
    onAPIError: { throw: true },
    advanced: {
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: ({ model }) => (model === 'user' ? newId('user') : crypto.randomUUID()) },
    },
  });
}
