// The shapes of identity connections and their domains.
import { closed, flag, idOf, listOf, nullableInteger, nullableTimestamp, text, timestamp } from './basics.ts';

export const connection = closed({
  id: idOf('idc'),
  name: text,
  issuer: text,
  client_id: text,
  authentication: { enum: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] },
  public_jwk: {
    anyOf: [
      { type: 'null' },
      closed({ kty: text, crv: text, x: text, y: text, use: text, alg: text, kid: text }),
    ],
  },
  redirect_uri: text,
  backchannel_logout_uri: text,
  enabled: flag,
  tested_at: nullableTimestamp,
  admits_new_members: flag,
  terms: closed({
    acl_permission_group_ids: listOf(idOf('apg')),
    days: nullableInteger,
    mfa_required: flag,
  }),
  created_at: timestamp,
  updated_at: timestamp,
});

export const verifiedDomain = closed({
  id: idOf('idd'),
  domain: text,
  status: { enum: ['pending', 'verified', 'lost'] },
  record: closed({ type: { const: 'TXT' }, name: text, value: text }),
  last_check: { enum: ['found', 'missing', 'failed', null] },
  checked_at: nullableTimestamp,
  verified_at: nullableTimestamp,
  lost_at: nullableTimestamp,
  created_at: timestamp,
});
