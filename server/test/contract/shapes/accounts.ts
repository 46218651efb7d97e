// The shapes of people: users, sessions, tokens and sign-in.
import {
  closed,
  flag,
  idOf,
  integer,
  listOf,
  matching,
  nullableString,
  nullableTimestamp,
  orNull,
  text,
  timestamp,
} from './basics.ts';
import { aclPermissions } from './partners.ts';

const tokenMembers = {
  id: idOf('pat'),
  name: text,
  prefix: matching('^concord_pat_[0-9A-Za-z]{6}$'),
  scopes: aclPermissions,
  partner_ids: { type: ['array', 'null'], items: matching('^ptr_') },
  expires_at: timestamp,
  created_at: timestamp,
};
export const accessToken = closed(tokenMembers);
export const newAccessToken = closed({
  ...tokenMembers,
  token: matching('^concord_pat_[0-9A-Za-z]{38}$'),
});

export const deviceAuthorization = closed({
  device_code: matching('^[\\w-]{32}$'),
  user_code: matching('^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$'),
  verification_uri: text,
  verification_uri_complete: text,
  expires_in: { const: 900 },
  interval: { const: 5 },
});
export const issuedToken = closed({
  access_token: matching('^concord_pat_[0-9A-Za-z]{38}$'),
  token_type: { const: 'Bearer' },
  expires_in: { type: 'integer', minimum: 1 },
  scope: text,
  partner_id: { type: ['string', 'null'], pattern: '^ptr_' },
});
/** RFC 6749, section 5.2, with the members of every error. */
export const oauthError = closed({
  error: text,
  error_description: text,
  message: text,
  code: { enum: ['invalid_request', 'malformed_http'] },
  request_id: text,
});
export const openDeviceAuthorization = closed({
  user_code: text,
  client_name: nullableString,
  requested_from: text,
  created_at: timestamp,
  expires_at: timestamp,
});

export const done = closed({ status: { const: true } });
const signedInUser = closed({
  id: matching('^usr_'),
  email: text,
  name: text,
});
export const signedIn = {
  anyOf: [
    closed({ token: text, user: signedInUser }),
    closed({ token: text, user: signedInUser, trustDeviceToken: text }),
    closed({ linked: { const: true } }),
    closed({ twoFactorRedirect: { const: true }, twoFactorToken: text }),
  ],
};

const partnerId = matching('^ptr_');
export const proved = closed({ proved: partnerId });
export const returnedFromConnection = {
  anyOf: [...signedIn.anyOf, closed({ linkCode: text }), proved, closed({ tested: matching('^idc_') })],
};
export const signInMethods = closed({
  connection: {
    anyOf: [{ type: 'null' }, closed({ id: matching('^idc_'), name: text })],
  },
});
export const signInPolicy = closed({
  sso_required: flag,
  max_age_seconds: integer,
  sso_required_agreement_ids: listOf(matching('^agr_')),
  break_glass_agreement_ids: listOf(matching('^agr_')),
});

// docs/interface.md 2.6 and 2.7
export const linkedAccount = closed({
  id: text,
  providerId: text,
  createdAt: timestamp,
  updatedAt: timestamp,
  accountId: text,
  userId: text,
  scopes: listOf(text),
});
export const backupCodes = closed({
  status: { const: true },
  backupCodes: { type: 'array', items: text, minItems: 1 },
});

export const session = closed({
  id: text,
  current: flag,
  createdAt: timestamp,
  updatedAt: timestamp,
  expiresAt: timestamp,
  ipAddress: nullableString,
  userAgent: nullableString,
  mfaVerifiedAt: nullableString,
});
export const userSession = closed({
  id: text,
  current: flag,
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: timestamp,
  ip_address: nullableString,
  user_agent: nullableString,
  mfa_verified_at: nullableTimestamp,
});
export const user = closed({
  id: matching('^usr_'),
  email: text,
  name: text,
  email_verified: flag,
  role: { enum: ['operator', 'user'] },
  banned: flag,
  ban_reason: nullableString,
  ban_expires_at: nullableString,
  two_factor_enabled: flag,
  created_at: timestamp,
  updated_at: timestamp,
});
export const me = closed({
  id: matching('^usr_'),
  email: text,
  name: text,
  email_verified: flag,
  role: { enum: ['operator', 'user'] },
  two_factor_enabled: flag,
  created_at: timestamp,
  updated_at: timestamp,
  credential: closed({
    kind: { enum: ['session', 'token'] },
    id: text,
    expires_at: timestamp,
    scopes: orNull(aclPermissions),
    partner_ids: { type: ['array', 'null'], items: matching('^ptr_') },
    second_factor_proven: flag,
    proven_at: nullableTimestamp,
  }),
});

// docs/behaviour/credentials.md, S3 to S7, and PublicKeyCredential*OptionsJSON of WebAuthn.
const passkeyMembers = {
  id: idOf('psk'),
  name: text,
  aaguid: text,
  backed_up: flag,
  created_at: timestamp,
  last_used_at: nullableTimestamp,
};
export const passkey = closed(passkeyMembers);
export const addedPasskey = {
  anyOf: [
    closed({ passkey }),
    closed({ passkey, backupCodes: { type: 'array', items: text, minItems: 10, maxItems: 10 }, token: text }),
  ],
};
const descriptor = closed({ id: text, type: { const: 'public-key' }, transports: listOf(text) });
const challenge = matching('^[\\w-]{43}$');
const timeout = { const: 300_000 };
export const passkeyRequest = closed({
  sealedChallenge: text,
  publicKey: closed({
    rpId: text,
    challenge,
    timeout,
    userVerification: { enum: ['required', 'preferred'] },
    allowCredentials: listOf(descriptor),
  }),
});
export const secondFactorOptions = {
  anyOf: [closed({ app: flag }), closed({ app: flag, passkey: passkeyRequest })],
};
export const passkeyCreation = closed({
  sealedChallenge: text,
  publicKey: closed({
    rp: closed({ id: text, name: text }),
    user: closed({ id: text, name: text, displayName: text }),
    challenge,
    pubKeyCredParams: listOf(closed({ type: { const: 'public-key' }, alg: integer })),
    timeout,
    attestation: { const: 'none' },
    authenticatorSelection: closed({
      residentKey: { const: 'preferred' },
      userVerification: { const: 'preferred' },
    }),
    excludeCredentials: listOf(descriptor),
  }),
});
