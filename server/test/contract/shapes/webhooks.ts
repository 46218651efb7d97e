// The shapes of keys, endpoints, event types, events, deliveries and statistics.
import {
  anything,
  closed,
  closedOrNull,
  environment,
  flag,
  idOf,
  integer,
  listOf,
  matching,
  natural,
  nullableInteger,
  nullableNatural,
  nullableString,
  nullableTimestamp,
  orNull,
  text,
  timestamp,
} from './basics.ts';

// docs/interface.md 5.3; behaviour W5
export const jwks = closed({
  keys: listOf(
    closed({
      kty: { const: 'EC' },
      crv: { const: 'P-384' },
      x: matching('^[\\w-]{64}$'),
      y: matching('^[\\w-]{64}$'),
      kid: matching('^[\\w-]{43}$'),
      key_ops: { const: ['verify'] },
    }),
  ),
});
export const signingKey = closed({
  kid: text,
  environment,
  state: { enum: ['pending', 'active', 'retired', 'removed', 'revoked'] },
  created_at: timestamp,
  activates_at: timestamp,
  retires_at: timestamp,
  revoked_at: nullableTimestamp,
});

// webhooks.md W8 and W12
const secretTimes = { created_at: timestamp, previous_valid_until: nullableTimestamp };
export const signingSecret = closed({ secret: text, ...secretTimes });
const certificateSummary = { subject: text, not_after: timestamp, fingerprint_sha256: text };
export const clientCertificate = closed({
  ...certificateSummary,
  issuer: text,
  serial: text,
  not_before: timestamp,
  certificate: text,
  csr: nullableString,
  made_by_concord: flag,
});
export const webhookEndpoint = closed({
  id: idOf('whe'),
  url: text,
  description: nullableString,
  event_types: { type: ['array', 'null'], items: text },
  filter: { type: ['object', 'null'], minProperties: 1, maxProperties: 2 },
  environment,
  listener: flag,
  signing_secret: closedOrNull(secretTimes),
  ordering: { enum: ['none', 'strict'] },
  max_concurrency: integer,
  rate_limit_per_second: nullableInteger,
  retry_schedule: { type: ['array', 'null'], items: integer },
  timeout_seconds: nullableInteger,
  disable_after_hours: nullableInteger,
  payload: { enum: ['full', 'thin'] },
  checkpoint_minutes: nullableInteger,
  batch: closedOrNull({ max_events: integer, max_wait_seconds: { type: 'number' } }),
  header_names: listOf(text),
  authentication: closedOrNull({
    type: { const: 'oauth2_client_credentials' },
    token_url: text,
    client_id: text,
    scope: nullableString,
    audience: nullableString,
    client_authentication: { enum: ['basic', 'form'] },
  }),
  client_certificate: closedOrNull(certificateSummary),
  status: { enum: ['active', 'paused', 'disabled'] },
  disabled_reason: nullableString,
  check: closed({
    status: { enum: ['none', 'running', 'passed', 'failed', 'waived'] },
    checked_at: nullableTimestamp,
    blocks_deliveries: flag,
  }),
  created_at: timestamp,
  updated_at: timestamp,
});

// webhooks.md W77
export const checkpoint = closed({
  id: idOf('cpt'),
  endpoint_id: idOf('whe'),
  previous_id: { ...idOf('cpt'), type: ['string', 'null'] },
  covers_from: timestamp,
  covers_until: timestamp,
  created_at: timestamp,
  count: natural,
  delivered: natural,
  pending: natural,
  failed: natural,
  cancelled: natural,
  root: matching('^[0-9a-f]{64}$'),
  jws: matching('^[\\w-]+\\.[\\w-]+\\.[\\w-]{128}$'),
});
export const checkpointDelivery = closed({
  event_id: idOf('evt'),
  delivery_id: idOf('dlv'),
  status: { enum: ['pending', 'delivered', 'failed', 'cancelled'] },
});

// webhooks.md W61 and W63
export const endpointCheck = closed({
  id: idOf('chk'),
  endpoint_id: idOf('whe'),
  url: text,
  status: { enum: ['running', 'passed', 'failed', 'waived'] },
  waived: closedOrNull({ reason: text, waived_at: timestamp }),
  started_at: timestamp,
  finished_at: nullableTimestamp,
  cases: listOf(
    closed({
      name: {
        enum: [
          'accepts_good',
          'refuses_missing_signature',
          'refuses_wrong_signature',
          'refuses_stale',
          'refuses_foreign_partner',
          'refuses_foreign_url',
          'refuses_changed_body',
          'refuses_unknown_key',
          'accepts_largest_body',
          'accepts_same_delivery_twice',
        ],
      },
      status: { enum: ['waiting', 'passed', 'failed'] },
      expected: { enum: ['2xx', 'not 2xx'] },
      status_code: { type: ['integer', 'null'], minimum: 100, maximum: 999 },
      duration_ms: nullableNatural,
      problem: nullableString,
      advice: nullableString,
    }),
  ),
});
export const eventType = closed({
  name: text,
  description: text,
  schema: { type: 'object' },
  example: anything,
  partner_ids: { type: ['array', 'null'], items: idOf('ptr') },
  deprecated: closedOrNull({ at: timestamp, successor: nullableString }),
  archived_at: nullableTimestamp,
});

// webhooks.md W9 and W11

const eventMembers = {
  id: idOf('evt'),
  type: text,
  environment,
  producer_id: nullableString,
  created_at: timestamp,
  filtered_endpoint_ids: { type: ['array', 'null'], items: idOf('whe') },
  data: anything,
};
export const event = closed(eventMembers);

const deliveryMembers = {
  id: idOf('dlv'),
  event_id: idOf('evt'),
  event_type: text,
  endpoint_id: idOf('whe'),
  environment,
  status: { enum: ['pending', 'delivered', 'failed', 'cancelled'] },
  state: { enum: ['queued', 'retrying', 'waiting', 'delivered', 'failed', 'cancelled'] },
  attempt_count: natural,
  status_code: { type: ['integer', 'null'], minimum: 100, maximum: 999 },
  reason: { type: ['string', 'null'], pattern: '^[a-z_]+$' },
  next_attempt_at: nullableTimestamp,
  created_at: timestamp,
  completed_at: nullableTimestamp,
};
export const delivery = closed(deliveryMembers);
export const eventWithDeliveries = closed({
  ...eventMembers,
  deliveries: orNull(listOf(delivery)),
});
const attemptMembers = {
  number: { type: 'integer', minimum: 1 },
  started_at: timestamp,
  duration_ms: natural,
  status_code: nullableInteger,
  error: nullableString,
  response_body: nullableString,
  batch: closedOrNull({ id: idOf('bat'), events: natural }),
};
const attempt = closed(attemptMembers);
const signedRequest = closed({
  method: { const: 'POST' },
  url: text,
  headers: listOf(closed({ name: text, value: text })),
  body: text,
});
export const attemptWithRequest = closed({
  ...attemptMembers,
  request: orNull(signedRequest),
  signature_base: nullableString,
  key_id: nullableString,
  signature: nullableString,
  created: nullableInteger,
});
export const deliveryWithAttempts = closed({ ...deliveryMembers, attempts: listOf(attempt) });

const filters = [
  'status',
  'state',
  'environment',
  'endpoint_id',
  'event_id',
  'event_type',
  'created_at',
  'status_code',
  'reason',
  'attempt_count',
];
export const deliveryCounts = closed({
  matching: natural,
  replayable: natural,
  sendable: natural,
  filtered: natural,
  complete: flag,
});
export const replay = closed({
  id: idOf('rpl'),
  action: { enum: ['replay', 'send_now'] },
  status: { enum: ['running', 'completed', 'stopped'] },
  filter: {
    type: 'object',
    minProperties: 1,
    properties: {
      ...Object.fromEntries(filters.map((name) => [name, text])),
      delivery_ids: { type: 'array', items: text, minItems: 1, maxItems: 200 },
    },
    additionalProperties: false,
  },
  total: { type: ['integer', 'null'], minimum: 0 },
  examined: natural,
  replayed: natural,
  skipped: natural,
  filtered: nullableNatural,
  created_at: timestamp,
  completed_at: nullableTimestamp,
});

// behaviour N1
const reasons = [
  'address_refused',
  'dns',
  'connection',
  'tls',
  'tls_client',
  'token',
  'timeout',
  'invalid_answer',
  'proxy',
  'internal',
  'expired',
  'restored',
];

const counts = {
  attempts: natural,
  delivered: natural,
  failed: listOf(
    closed({
      reason: { enum: [...reasons, 'redirect', 'status_4xx', 'status_5xx'] },
      count: { type: 'integer', minimum: 1 },
    }),
  ),
  p50_ms: nullableNatural,
  p95_ms: nullableNatural,
  filtered: natural,
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
const recent = closed({ attempts: natural, delivered: natural });
export const endpointStats = closed({ endpoint_id: idOf('whe'), ...statsMembers, recent });
export const failingEndpoint = closed({
  partner: closed({ id: idOf('ptr'), name: text }),
  endpoint_id: idOf('whe'),
  url: text,
  description: nullableString,
  environment,
  status: { enum: ['active', 'disabled'] },
  disabled_reason: nullableString,
  since: nullableString,
  recent,
});
const counted = { requests: natural, client_errors: natural, server_errors: natural, events: natural };
export const traffic = closed({
  from: timestamp,
  to: timestamp,
  step: { enum: ['1m', '5m', '15m', '1h', '6h', '1d'] },
  ...counted,
  steps: listOf(closed({ at: timestamp, ...counted })),
});

// docs/behaviour/webhooks-endpoints-events.md, W33
// webhooks-endpoints-events.md W75
export const importPlan = closed({
  plan: text,
  applied: flag,
  types: listOf(
    closed({
      name: text,
      action: { enum: ['new', 'changed', 'unchanged', 'refused'] },
      reason: nullableString,
    }),
  ),
});
export const eventTypeCheck = closed({
  checked: natural,
  failed: natural,
  complete: flag,
  failures: {
    type: 'array',
    items: closed({ event_id: text, partner_id: text, pointer: text, message: text }),
    maxItems: 20,
  },
});

// docs/behaviour/webhooks-endpoints-events.md, W69
export const filterCheck = closed({
  examined: natural,
  matching: natural,
  complete: flag,
  filtered_event_ids: { type: 'array', items: idOf('evt'), maxItems: 20 },
});

// behaviour B10 to B12
export const sandboxReceiver = closed({ url: text, created_at: timestamp });
export const sandboxReceiverRequest = closed({
  method: { const: 'POST' },
  headers: listOf(closed({ name: text, value: text })),
  body: text,
  body_encoding: { enum: ['utf8', 'base64'] },
  received_at: timestamp,
  verification: closed({
    verified: flag,
    step: nullableString,
    code: nullableString,
    reason: nullableString,
    key_id: nullableString,
    event_id: nullableString,
    delivery_id: nullableString,
  }),
});
