// The shapes of what concerns several features: the audit log, the export, access questions, search and
// status.
import { accessToken, linkedAccount, session, user } from './accounts.ts';
import {
  anything,
  closed,
  flag,
  idOf,
  natural,
  nullableNatural,
  nullableString,
  text,
  timestamp,
} from './basics.ts';
import { myAgreement } from './partners.ts';

export const healthy = closed({ status: { const: 'ok' } });

export const auditRecord = closed({
  id: idOf('aud'),
  at: timestamp,
  partner_id: { anyOf: [idOf('ptr'), { type: 'null' }] },
  partner_name: nullableString,
  actor: closed({
    kind: { enum: ['person', 'service_account', 'operator', 'command', 'task', 'nobody'] },
    id: { type: 'string' },
    name: nullableString,
    email: nullableString,
    address: nullableString,
  }),
  credential: closed({
    kind: { enum: ['session', 'token', 'mail_link', 'provider', 'task', 'command', 'none'] },
    id: { type: 'string' },
  }),
  request_id: nullableString,
  action: { type: 'string', pattern: '^[a-z_]+\\.[a-z_]+$' },
  target: nullableString,
  target_name: nullableString,
  outcome: { enum: ['done', 'intended', 'failed', 'denied'] },
  details: { type: 'object' },
  changes: { type: 'object', additionalProperties: closed({ before: anything, after: anything }) },
  email: nullableString,
  erased: { type: 'boolean' },
});
export const personalData = closed({
  exported_at: timestamp,
  profile: user,
  linked_accounts: { type: 'array', items: linkedAccount },
  sessions: { type: 'array', items: session },
  access_tokens: { type: 'array', items: accessToken },
  pending_changes: {
    type: 'array',
    items: closed({
      purpose: { enum: ['reset_password', 'change_email', 'delete_user'] },
      email: nullableString,
      expires_at: timestamp,
    }),
  },
  agreements: { type: 'array', items: myAgreement },
  invitations: { type: 'array', items: myAgreement },
  waiting_mails: {
    type: 'array',
    items: closed({ subject: { type: 'string' }, created_at: timestamp, attempts: { type: 'integer' } }),
  },
  audit_records: { type: 'array', items: auditRecord },
});

// OpenID AuthZEN Authorization API 1.0, sections 5.5, 7.2 and 9.1; the context is ours (behaviour R6)
const decided = (decision: boolean, ...contexts: object[]) =>
  closed({ decision: { const: decision }, context: { anyOf: contexts } });
const because = (...names: string[]) => closed({ reason: { enum: names } });
export const evaluation = {
  anyOf: [
    decided(
      true,
      because('operator', 'owner', 'direct'),
      closed({
        reason: { const: 'group' },
        acl_permission_group_id: { type: 'string', pattern: '^apg_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
      }),
    ),
    decided(
      false,
      because('hidden', 'mfa_required', 'not_granted', 'out_of_scope'),
      because('unknown_subject_type', 'unknown_resource_type', 'unknown_action'),
    ),
  ],
};
const refusedEvaluation = decided(
  false,
  closed({
    error: closed({
      status: { const: 403 },
      code: { enum: ['forbidden', 'mfa_required'] },
      message: { type: 'string' },
    }),
  }),
);
export const evaluations = {
  anyOf: [
    evaluation,
    closed({
      evaluations: { type: 'array', items: { anyOf: [evaluation, refusedEvaluation] }, maxItems: 100 },
    }),
  ],
};
export const authzenConfiguration = closed({
  policy_decision_point: { type: 'string' },
  access_evaluation_endpoint: { type: 'string' },
  access_evaluations_endpoint: { type: 'string' },
});

// docs/behaviour/lists.md, Q3
export const searchResult = closed({
  kind: { enum: ['partner', 'agreement', 'user', 'webhook_endpoint', 'event', 'delivery', 'event_type'] },
  id: { type: 'string' },
  label: { type: 'string' },
  partner_id: nullableString,
  partner_name: nullableString,
});

// docs/behaviour/instances.md, I3 and I4

const nullableTimestamp = { anyOf: [timestamp, { type: 'null' }] };
export const heldDeliveries = closed({
  state: { enum: ['none', 'waiting', 'sending', 'failing'] },
  deliveries: natural,
  mails: natural,
  taken_at: nullableTimestamp,
  restored_at: nullableTimestamp,
});

export const platformStatus = closed({
  version: text,
  database: closed({
    server_version: text,
    size_bytes: natural,
    writable: flag,
    connections: natural,
    max_connections: natural,
  }),
  instances: {
    type: 'array',
    items: closed({
      id: text,
      host_name: text,
      role: { enum: ['all', 'api', 'worker'] },
      version: text,
      started_at: timestamp,
      seen_at: timestamp,
      alive: flag,
      lanes: natural,
    }),
  },
  mail: closed({ waiting: natural, failing: natural, oldest_age_seconds: nullableNatural }),
  clock_difference_ms: { type: 'integer' },
  backlog: closed({ pending: natural, oldest_pending_age_seconds: nullableNatural }),
});

// behaviour B15
export const consoleSettings = closed({
  base_url: text,
  version: text,
  cookie_sign_in: closed({ allowed: flag, reason: nullableString }),
  providers: {
    type: 'array',
    items: closed({ provider: { enum: ['google', 'github', 'microsoft', 'oidc'] }, name: text }),
  },
  mail: closed({ kind: { enum: ['smtp', 'files'] }, folder: nullableString }),
  webhook_retention_seconds: natural,
  set_up: flag,
  session_cookie: flag,
});
