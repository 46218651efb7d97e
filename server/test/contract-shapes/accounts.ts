// The shapes of people: users, sessions, tokens and sign-in.
import { closed, flag, nullableString, timestamp } from './basics.ts';
import { aclPermissions } from './partners.ts';

const tokenMembers = {
  id: { type: 'string', pattern: '^pat_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  name: { type: 'string' },
  prefix: { type: 'string', pattern: '^concord_pat_[0-9A-Za-z]{6}$' },
  scopes: aclPermissions,
  partner_ids: { type: ['array', 'null'], items: { type: 'string', pattern: '^ptr_' } },
  expires_at: timestamp,
  created_at: timestamp,
};
export const accessToken = closed(tokenMembers);
export const newAccessToken = closed({
  ...tokenMembers,
  token: { type: 'string', pattern: '^concord_pat_[0-9A-Za-z]{38}$' },
});

export const done = closed({ status: { const: true } });
const signedInUser = closed({
  id: { type: 'string', pattern: '^usr_' },
  email: { type: 'string' },
  name: { type: 'string' },
});
export const signedIn = {
  anyOf: [
    closed({ token: { type: 'string' }, user: signedInUser }),
    closed({ token: { type: 'string' }, user: signedInUser, trustDeviceToken: { type: 'string' } }),
    closed({ linked: { const: true } }),
    closed({ twoFactorRedirect: { const: true }, twoFactorToken: { type: 'string' } }),
  ],
};

// docs/interface.md 2.6 and 2.7
export const linkedAccount = closed({
  id: { type: 'string' },
  providerId: { type: 'string' },
  createdAt: timestamp,
  updatedAt: timestamp,
  accountId: { type: 'string' },
  userId: { type: 'string' },
  scopes: { type: 'array', items: { type: 'string' } },
});
export const backupCodes = closed({
  status: { const: true },
  backupCodes: { type: 'array', items: { type: 'string' }, minItems: 1 },
});

export const session = closed({
  id: { type: 'string' },
  current: { type: 'boolean' },
  createdAt: timestamp,
  updatedAt: timestamp,
  expiresAt: timestamp,
  ipAddress: nullableString,
  userAgent: nullableString,
  mfaVerifiedAt: nullableString,
});
export const userSession = closed({
  id: { type: 'string' },
  current: { type: 'boolean' },
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: timestamp,
  ip_address: nullableString,
  user_agent: nullableString,
  mfa_verified_at: { anyOf: [timestamp, { type: 'null' }] },
});
export const user = closed({
  id: { type: 'string', pattern: '^usr_' },
  email: { type: 'string' },
  name: { type: 'string' },
  email_verified: { type: 'boolean' },
  role: { enum: ['operator', 'user'] },
  banned: { type: 'boolean' },
  ban_reason: nullableString,
  ban_expires_at: nullableString,
  two_factor_enabled: { type: 'boolean' },
  created_at: timestamp,
  updated_at: timestamp,
});
export const me = closed({
  id: { type: 'string', pattern: '^usr_' },
  email: { type: 'string' },
  name: { type: 'string' },
  email_verified: flag,
  role: { enum: ['operator', 'user'] },
  two_factor_enabled: flag,
  created_at: timestamp,
  updated_at: timestamp,
  credential: closed({
    kind: { enum: ['session', 'token'] },
    id: { type: 'string' },
    expires_at: timestamp,
    scopes: { anyOf: [aclPermissions, { type: 'null' }] },
    partner_ids: { type: ['array', 'null'], items: { type: 'string', pattern: '^ptr_' } },
    second_factor_proven: flag,
    proven_at: { anyOf: [timestamp, { type: 'null' }] },
  }),
});
export const auth = (method: string, path: string, schema: object) => ({
  method,
  path: new RegExp(`^/api/auth/${path}$`),
  success: { 200: schema },
});

export const inPartner = (method: string, path: string, success: Record<number, object>) => ({
  method,
  path: new RegExp(`^/partners/[^/]+/${path}$`),
  success,
});
