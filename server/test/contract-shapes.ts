// The shapes of answers: closed schemas written by hand from the interface.

export const nullableString = { type: ['string', 'null'] };
export const timestamp = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };

/** Every member is required, and no other is allowed. */
export const closed = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const listOf = (items: object) => ({ type: 'array', items });

const coordinate = { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity', null] }] };

// docs/interface.md 2.1 and 2.2
export const partner = closed({
  id: { type: 'string', pattern: '^ptr_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  name: { type: 'string' },
  description: nullableString,
  phone: nullableString,
  vat_no: nullableString,
  website: nullableString,
  billing_address: closed({
    street: nullableString,
    postal_code: nullableString,
    city: nullableString,
    region: nullableString,
    country: nullableString,
    latitude: coordinate,
    longitude: coordinate,
  }),
  billing_email: nullableString,
  support_email: nullableString,
  support_phone: nullableString,
  created_at: timestamp,
  updated_at: timestamp,
});

export const deletedPartner = closed({
  ...{ id: { type: 'string', pattern: '^ptr_[0-7][0-9a-hjkmnp-tv-z]{25}$' }, name: { type: 'string' } },
  ...{ deleted_at: timestamp, restorable_until: timestamp },
});

// docs/interface.md 2.4, 2.5 and 2.3; its two optional members are always present (behaviour A5)
export const flag = { type: 'boolean' };
const resource = ['partner', 'agreements', 'acl_permission_groups', 'audit_log', 'webhook_endpoints', 'events', 'deliveries'];
const aclPermission = closed({
  resource: { enum: ['*', ...resource] },
  get: flag,
  put: flag,
  post: flag,
  patch: flag,
  delete: flag,
  query: flag,
});
const aclPermissions = { type: 'array', items: aclPermission };
export const aclPermissionGroup = closed({
  id: { type: 'string', pattern: '^apg_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  account_id: { type: 'string', pattern: '^ptr_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  name: { type: 'string' },
  type: { enum: ['managed', 'custom'] },
  created_at: timestamp,
  updated_at: timestamp,
  acl_permissions: aclPermissions,
});
const agreementMembers = {
  id: { type: 'string', pattern: '^agr_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  accepted: flag,
  owner: flag,
  mfa_required: flag,
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: { anyOf: [timestamp, { type: 'null' }] },
  user: closed({ email: { type: 'string' }, name: nullableString }),
  acl_permissions: aclPermissions,
  acl_permission_groups: { type: 'array', items: aclPermissionGroup, maxItems: 50 },
  acl_permission_group_ids: { type: 'array', items: { type: 'string' }, maxItems: 50 },
};
export const agreement = closed(agreementMembers);
export const myAgreement = closed({ ...agreementMembers, partner: closed({ id: { type: 'string' }, name: { type: 'string' } }) });
export const invitation = closed({
  ...{ id: agreementMembers.id, partner: closed({ id: { type: 'string' }, name: { type: 'string' } }) },
  ...{
    inviter: { anyOf: [closed({ name: { type: 'string' } }), { type: 'null' }] },
    email: { type: 'string' },
    has_account: flag,
  },
  ...{ owner: flag, mfa_required: flag, expires_at: agreementMembers.expires_at, invitation_expires_at: timestamp },
  ...{ acl_permissions: aclPermissions, acl_permission_groups: agreementMembers.acl_permission_groups },
});
const method = { enum: ['get', 'put', 'post', 'patch', 'delete', 'query'] };
export const effectivePermission = closed({
  resource: { enum: resource },
  method,
  allowed: flag,
  because: { enum: ['owner', 'direct', 'group', 'pending', 'expired', 'not_granted'] },
  acl_permission_group_id: nullableString,
});
export const aclResource = closed({
  resource: { enum: resource },
  description: { type: 'string' },
  methods: { type: 'array', items: closed({ method, description: { type: 'string' } }) },
});
const permissionNames = listOf({ enum: resource.flatMap((name) => method.enum.map((each) => `${name}.${each}`)) });
export const groupPreview = closed({
  total: { type: 'integer', minimum: 0 },
  agreements: {
    ...listOf(
      closed({
        ...{ agreement_id: nullableString, email: nullableString, name: nullableString, owner: flag },
        ...{ state: { enum: ['pending', 'active', 'expired'] }, gained: permissionNames, lost: permissionNames },
      }),
    ),
    maxItems: 1_000,
  },
});
export const grantor = closed({ name: { type: 'string' }, owner: flag, email: nullableString, agreement_id: nullableString });
export const defaultGroup = closed({ acl_permission_group_id: nullableString });

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
export const newAccessToken = closed({ ...tokenMembers, token: { type: 'string', pattern: '^concord_pat_[0-9A-Za-z]{38}$' } });
export const serviceAccount = closed({
  id: { type: 'string', pattern: '^usr_' },
  name: { type: 'string' },
  agreement_id: { type: 'string', pattern: '^agr_' },
  created_at: timestamp,
});

// behaviour E1
const codesByStatus: Record<number, string[]> = {
  400: [
    'invalid_request',
    'invalid_json',
    'malformed_http',
    'invalid_password',
    'invalid_token',
    'provider_refused',
    'two_factor_not_enabled',
    'two_factor_enabled',
    'last_operator',
    'agreement_exists',
    'already_member',
    'last_way_to_sign_in',
    'last_owner',
    'account_exists',
    'invitation_used',
    'invitation_replaced',
    'invitation_withdrawn',
    'invitation_expired',
    'group_in_use',
    'group_name_taken',
    'limit_reached',
    'producer_id_reused',
    'endpoint_disabled',
    'headers_required',
    'event_type_built_in',
    'event_type_refuses_events',
    'endpoint_deleted',
    'endpoint_live',
    'recovery_running',
    'replay_running',
    'service_account_rules_nothing',
  ],
  401: ['unauthenticated', 'invalid_credentials', 'invalid_code'],
  403: ['step_up_required', 'mfa_required', 'forbidden', 'banned', 'email_not_verified', 'invitation_for_other'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  406: ['unsupported_version'],
  409: ['idempotency_in_flight'],
  412: ['precondition_failed'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_key_reused'],
  429: ['rate_limited'],
  500: ['internal', 'not_ready'],
  503: ['provider_unavailable'],
};
const errorOf = (status: number) => ({
  type: 'object',
  properties: {
    message: { type: 'string', minLength: 1 },
    code: { enum: codesByStatus[status] ?? [] },
    request_id: { type: 'string', minLength: 1 },
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: closed({
        pointer: { type: 'string', maxLength: 200 },
        code: { enum: ['required', 'unknown_member', 'wrong_type', 'too_long', 'invalid_value'] },
        message: { type: 'string' },
      }),
    },
  },
  required: ['message', 'code', 'request_id'],
  additionalProperties: false,
});
const errors = new Map<number, object>();
/** Returns the same object for the same status, so its schema is compiled once. */
export function error(status: number): object {
  const known = errors.get(status) ?? errorOf(status);
  errors.set(status, known);
  return known;
}

export const nothing = { type: 'null' };
export const anything = {};
export const healthy = closed({ status: { const: 'ok' } });
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
  ...{
    id: { type: 'string' },
    current: { type: 'boolean' },
    created_at: timestamp,
    updated_at: timestamp,
    expires_at: timestamp,
  },
  ...{ ip_address: nullableString, user_agent: nullableString, mfa_verified_at: { anyOf: [timestamp, { type: 'null' }] } },
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
  ...{ id: { type: 'string', pattern: '^usr_' }, email: { type: 'string' }, name: { type: 'string' } },
  ...{ email_verified: flag, role: { enum: ['operator', 'user'] }, two_factor_enabled: flag },
  ...{ created_at: timestamp, updated_at: timestamp },
  credential: closed({
    ...{ kind: { enum: ['session', 'token'] }, id: { type: 'string' }, expires_at: timestamp },
    scopes: { anyOf: [aclPermissions, { type: 'null' }] },
    partner_ids: { type: ['array', 'null'], items: { type: 'string', pattern: '^ptr_' } },
    ...{ second_factor_proven: flag, proven_at: { anyOf: [timestamp, { type: 'null' }] } },
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

// docs/interface.md 5.3; behaviour W5
export const jwks = closed({
  keys: {
    type: 'array',
    items: closed({
      kty: { const: 'EC' },
      crv: { const: 'P-384' },
      x: { type: 'string', pattern: '^[\\w-]{64}$' },
      y: { type: 'string', pattern: '^[\\w-]{64}$' },
      kid: { type: 'string', pattern: '^[\\w-]{43}$' },
      key_ops: { const: ['verify'] },
    }),
  },
});
export const signingKey = closed({
  kid: { type: 'string' },
  environment: { enum: ['live', 'sandbox'] },
  state: { enum: ['pending', 'active', 'retired', 'removed', 'revoked'] },
  created_at: timestamp,
  activates_at: timestamp,
  retires_at: timestamp,
  revoked_at: { anyOf: [timestamp, { type: 'null' }] },
});

// webhooks.md W8 and W12
export const webhookEndpoint = closed({
  id: { type: 'string', pattern: '^whe_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  url: { type: 'string' },
  description: nullableString,
  event_types: { type: ['array', 'null'], items: { type: 'string' } },
  environment: { enum: ['live', 'sandbox'] },
  ordering: { enum: ['none', 'strict'] },
  max_concurrency: { type: 'integer' },
  rate_limit_per_second: { type: ['integer', 'null'] },
  header_names: { type: 'array', items: { type: 'string' } },
  status: { enum: ['active', 'paused', 'disabled'] },
  disabled_reason: nullableString,
  created_at: timestamp,
  updated_at: timestamp,
});
export const eventType = closed({
  name: { type: 'string' },
  description: { type: 'string' },
  schema: { type: 'object' },
  example: anything,
});

// webhooks.md W9 and W11
const idOf = (prefix: string) => ({ type: 'string', pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` });
const nullableTimestamp = { anyOf: [timestamp, { type: 'null' }] };
const eventMembers = {
  id: idOf('evt'),
  type: { type: 'string' },
  environment: { enum: ['live', 'sandbox'] },
  producer_id: nullableString,
  created_at: timestamp,
  data: anything,
};
export const event = closed(eventMembers);
export const auditRecord = closed({
  id: idOf('aud'),
  at: timestamp,
  partner_id: { anyOf: [idOf('ptr'), { type: 'null' }] },
  actor: closed({
    kind: { enum: ['person', 'service_account', 'operator', 'command', 'task', 'nobody'] },
    id: { type: 'string' },
    address: nullableString,
  }),
  credential: closed({
    kind: { enum: ['session', 'token', 'mail_link', 'provider', 'task', 'command', 'none'] },
    id: { type: 'string' },
  }),
  request_id: nullableString,
  action: { type: 'string', pattern: '^[a-z_]+\\.[a-z_]+$' },
  target: nullableString,
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
const deliveryMembers = {
  id: idOf('dlv'),
  event_id: idOf('evt'),
  event_type: { type: 'string' },
  endpoint_id: idOf('whe'),
  environment: { enum: ['live', 'sandbox'] },
  status: { enum: ['pending', 'delivered', 'failed', 'cancelled'] },
  attempt_count: { type: 'integer', minimum: 0 },
  next_attempt_at: nullableTimestamp,
  created_at: timestamp,
  completed_at: nullableTimestamp,
};
export const delivery = closed(deliveryMembers);
export const eventWithDeliveries = closed({
  ...eventMembers,
  deliveries: { anyOf: [{ type: 'array', items: delivery }, { type: 'null' }] },
});
const attemptMembers = {
  number: { type: 'integer', minimum: 1 },
  started_at: timestamp,
  duration_ms: { type: 'integer', minimum: 0 },
  status_code: { type: ['integer', 'null'] },
  error: nullableString,
  response_body: nullableString,
};
const attempt = closed(attemptMembers);
const signedRequest = closed({
  method: { const: 'POST' },
  url: { type: 'string' },
  headers: { type: 'array', items: closed({ name: { type: 'string' }, value: { type: 'string' } }) },
  body: { type: 'string' },
});
export const attemptWithRequest = closed({
  ...attemptMembers,
  request: { anyOf: [signedRequest, { type: 'null' }] },
  ...{ signature_base: nullableString, key_id: nullableString, signature: nullableString },
  created: { type: ['integer', 'null'] },
});
export const deliveryWithAttempts = closed({ ...deliveryMembers, attempts: listOf(attempt) });
export const recovery = closed({
  id: idOf('rcv'),
  endpoint_id: idOf('whe'),
  status: { enum: ['running', 'completed'] },
  since: timestamp,
  until: timestamp,
  total: { type: 'integer', minimum: 0 },
  replayed: { type: 'integer', minimum: 0 },
  created_at: timestamp,
  completed_at: nullableTimestamp,
});

const filters = [
  'status',
  'environment',
  'endpoint_id',
  'event_id',
  'event_type',
  'created_at',
  'status_code',
  'reason',
  'attempt_count',
];
export const replay = closed({
  id: idOf('rpl'),
  status: { enum: ['running', 'completed'] },
  filter: {
    type: 'object',
    minProperties: 1,
    properties: Object.fromEntries(filters.map((name) => [name, { type: 'string' }])),
    additionalProperties: false,
  },
  examined: { type: 'integer', minimum: 0 },
  replayed: { type: 'integer', minimum: 0 },
  skipped: { type: 'integer', minimum: 0 },
  created_at: timestamp,
  completed_at: nullableTimestamp,
});

// behaviour N1
const reasons = ['address_refused', 'dns', 'connection', 'tls', 'timeout', 'invalid_answer', 'proxy', 'internal', 'expired'];
const natural = { type: 'integer', minimum: 0 };
const nullableNatural = { type: ['integer', 'null'], minimum: 0 };
const counts = {
  attempts: natural,
  delivered: natural,
  failed: listOf(
    closed({ reason: { enum: [...reasons, 'redirect', 'status_4xx', 'status_5xx'] }, count: { type: 'integer', minimum: 1 } }),
  ),
  p50_ms: nullableNatural,
  p95_ms: nullableNatural,
};
const statsMembers = {
  from: timestamp,
  to: timestamp,
  step: { enum: ['1m', '5m', '15m', '1h', '6h', '1d'] },
  ...counts,
  pending: natural,
  oldest_pending_age_seconds: nullableNatural,
  steps: listOf(closed({ at: timestamp, ...counts })),
};
export const stats = closed(statsMembers);
export const endpointStats = closed({ endpoint_id: idOf('whe'), ...statsMembers });

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
    error: closed({ status: { const: 403 }, code: { enum: ['forbidden', 'mfa_required'] }, message: { type: 'string' } }),
  }),
);
export const evaluations = {
  anyOf: [
    evaluation,
    closed({ evaluations: { type: 'array', items: { anyOf: [evaluation, refusedEvaluation] }, maxItems: 100 } }),
  ],
};
export const authzenConfiguration = closed({
  policy_decision_point: { type: 'string' },
  access_evaluation_endpoint: { type: 'string' },
  access_evaluations_endpoint: { type: 'string' },
});

// docs/behaviour/lists.md, Q3
export const searchResult = closed({
  kind: { enum: ['partner', 'agreement', 'user', 'webhook_endpoint', 'event', 'delivery'] },
  id: { type: 'string' },
  label: { type: 'string' },
  partner_id: nullableString,
  partner_name: nullableString,
});

// docs/behaviour/instances.md, I3 and I4
const whole = { type: 'integer', minimum: 0 };
const nullableWhole = { type: ['integer', 'null'], minimum: 0 };
const text = { type: 'string' };
export const platformStatus = closed({
  version: text,
  database: closed({ server_version: text, size_bytes: whole, writable: flag, connections: whole, max_connections: whole }),
  instances: {
    type: 'array',
    items: closed({
      ...{ id: text, host_name: text, role: { enum: ['all', 'api', 'worker'] }, version: text },
      ...{ started_at: timestamp, seen_at: timestamp, alive: flag, lanes: whole },
    }),
  },
  mail: closed({ waiting: whole, failing: whole, oldest_age_seconds: nullableWhole }),
  clock_difference_ms: { type: 'integer' },
  backlog: closed({ pending: whole, oldest_pending_age_seconds: nullableWhole }),
});

// docs/behaviour/webhooks-endpoints-events.md, W33
export const eventTypeCheck = closed({
  ...{ checked: whole, failed: whole, complete: flag },
  failures: { type: 'array', items: closed({ event_id: text, partner_id: text, pointer: text, message: text }), maxItems: 20 },
});
