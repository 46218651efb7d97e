// The shapes of what concerns several features: the audit log, the export, access questions, search and
// status.
import { accessToken, linkedAccount, passkey, session, user } from './accounts.ts';
import {
  anything,
  closed,
  flag,
  idOf,
  integer,
  listOf,
  matching,
  natural,
  nullableNatural,
  nullableString,
  nullableTimestamp,
  orNull,
  text,
  timestamp,
} from './basics.ts';
import { accessRequest, myAgreement, ownAccessReviewItem } from './partners.ts';

export const healthy = closed({ status: { const: 'ok' } });

export const auditRecord = closed({
  id: idOf('aud'),
  at: timestamp,
  partner_id: orNull(idOf('ptr')),
  partner_name: nullableString,
  actor: closed({
    kind: { enum: ['person', 'service_account', 'operator', 'connection', 'command', 'task', 'nobody'] },
    id: text,
    name: nullableString,
    email: nullableString,
    address: nullableString,
  }),
  credential: closed({
    kind: {
      enum: ['session', 'token', 'provisioning_token', 'mail_link', 'provider', 'task', 'command', 'none'],
    },
    id: text,
  }),
  request_id: nullableString,
  action: matching('^[a-z_]+\\.[a-z_]+$'),
  target: nullableString,
  target_name: nullableString,
  outcome: { enum: ['done', 'intended', 'failed', 'denied'] },
  details: { type: 'object' },
  changes: { type: 'object', additionalProperties: closed({ before: anything, after: anything }) },
  email: nullableString,
  erased: flag,
});
export const personalData = closed({
  exported_at: timestamp,
  profile: user,
  linked_accounts: listOf(linkedAccount),
  passkeys: listOf(passkey),
  sessions: listOf(session),
  access_tokens: listOf(accessToken),
  pending_changes: listOf(
    closed({
      purpose: { enum: ['reset_password', 'change_email', 'delete_user'] },
      email: nullableString,
      expires_at: timestamp,
    }),
  ),
  agreements: listOf(myAgreement),
  invitations: listOf(myAgreement),
  access_requests: listOf(accessRequest),
  access_reviews: listOf(ownAccessReviewItem),
  provisioned_users: listOf(
    closed({
      id: matching('^scu_'),
      partner_id: matching('^ptr_'),
      attributes: { type: 'object' },
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  waiting_mails: listOf(closed({ subject: text, created_at: timestamp, attempts: integer })),
  audit_records: listOf(auditRecord),
});

// OpenID AuthZEN Authorization API 1.0, sections 5.5, 7.2 and 9.1; the context is ours (behaviour R6)
const decided = (decision: boolean, ...contexts: object[]) =>
  closed({ decision: { const: decision }, context: { anyOf: contexts } });
const because = (...names: string[]) => closed({ reason: { enum: names } });
export const evaluation = {
  anyOf: [
    decided(
      true,
      because('operator', 'owner', 'direct', 'access_request'),
      closed({
        reason: { const: 'group' },
        acl_permission_group_id: idOf('apg'),
      }),
    ),
    decided(
      false,
      because('hidden', 'mfa_required', 'sso_required', 'not_granted', 'out_of_scope'),
      because('unknown_subject_type', 'unknown_resource_type', 'unknown_action'),
    ),
  ],
};
const refusedEvaluation = decided(
  false,
  closed({
    error: closed({
      status: { const: 403 },
      code: { enum: ['forbidden', 'mfa_required', 'sso_required'] },
      message: text,
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
  policy_decision_point: text,
  access_evaluation_endpoint: text,
  access_evaluations_endpoint: text,
});

// docs/behaviour/lists.md, Q3
export const searchResult = closed({
  kind: { enum: ['partner', 'agreement', 'user', 'webhook_endpoint', 'event', 'delivery', 'event_type'] },
  id: text,
  label: text,
  partner_id: nullableString,
  partner_name: nullableString,
});

// docs/behaviour/instances.md, I3 and I4

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
  instances: listOf(
    closed({
      id: text,
      host_name: text,
      role: { enum: ['all', 'api', 'worker'] },
      version: text,
      started_at: timestamp,
      seen_at: timestamp,
      alive: flag,
      lanes: natural,
    }),
  ),
  mail: closed({ waiting: natural, failing: natural, oldest_age_seconds: nullableNatural }),
  clock_difference_ms: integer,
  backlog: closed({ pending: natural, oldest_pending_age_seconds: nullableNatural }),
});

// behaviour B15
export const consoleSettings = closed({
  base_url: text,
  version: text,
  cookie_sign_in: closed({ allowed: flag, reason: nullableString }),
  providers: listOf(closed({ provider: { enum: ['google', 'github', 'microsoft', 'oidc'] }, name: text })),
  mail: closed({ kind: { enum: ['smtp', 'files'] }, folder: nullableString }),
  endpoint_retries: closed({
    retry_schedule: listOf({ type: 'number' }),
    timeout_seconds: { type: 'number' },
    disable_after_hours: natural,
    most_retry_seconds: natural,
    most_timeout_seconds: natural,
    most_disable_after_hours: natural,
  }),
  webhook_retention_seconds: natural,
  set_up: flag,
  session_cookie: flag,
});

// behaviour V2
export const installable = closed({
  name: text,
  version: text,
  url: text,
  immutable_url: text,
  integrity: text,
  size: natural,
});
