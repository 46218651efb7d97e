// Closed schemas written by hand from the interface: every response of the suite is held against them.
import { Ajv } from 'ajv';

const nullableString = { type: ['string', 'null'] };
const timestamp = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };

/** All members required, no others allowed. */
const closed = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const coordinate = { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity', null] }] };

// interface.md 2.1 and 2.2
const partner = closed({
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

// interface.md 2.4, 2.5 and 2.3; the two members that it leaves out at will are always there (behaviour.md A5)
const flag = { type: 'boolean' };
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
const aclPermissionGroup = closed({
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
const agreement = closed(agreementMembers);
const myAgreement = closed({ ...agreementMembers, partner: closed({ id: { type: 'string' }, name: { type: 'string' } }) });
const method = { enum: ['get', 'put', 'post', 'patch', 'delete', 'query'] };
const effectivePermission = closed({
  resource: { enum: resource },
  method,
  allowed: flag,
  because: { enum: ['owner', 'direct', 'group', 'pending', 'expired', 'not_granted'] },
  acl_permission_group_id: nullableString,
});
const aclResource = closed({
  resource: { enum: resource },
  description: { type: 'string' },
  methods: { type: 'array', items: closed({ method, description: { type: 'string' } }) },
});
const defaultGroup = closed({ acl_permission_group_id: nullableString });

const tokenMembers = {
  id: { type: 'string', pattern: '^pat_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  name: { type: 'string' },
  prefix: { type: 'string', pattern: '^concord_pat_[0-9A-Za-z]{6}$' },
  scopes: aclPermissions,
  partner_ids: { type: ['array', 'null'], items: { type: 'string', pattern: '^ptr_' } },
  expires_at: timestamp,
  created_at: timestamp,
};
const accessToken = closed(tokenMembers);
const newAccessToken = closed({ ...tokenMembers, token: { type: 'string', pattern: '^concord_pat_[0-9A-Za-z]{38}$' } });
const serviceAccount = closed({
  id: { type: 'string', pattern: '^usr_' },
  name: { type: 'string' },
  agreement_id: { type: 'string', pattern: '^agr_' },
  created_at: timestamp,
});
const listOf = (items: object) => ({ type: 'array', items });

// behaviour.md E1
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
    'last_owner',
    'invitation_expired',
    'group_in_use',
    'limit_reached',
    'producer_id_reused',
    'endpoint_disabled',
    'endpoint_deleted',
    'endpoint_live',
    'recovery_running',
    'service_account_rules_nothing',
  ],
  401: ['unauthenticated', 'invalid_credentials', 'invalid_code'],
  403: ['mfa_required', 'forbidden', 'banned', 'email_not_verified'],
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
};
const error = (status: number) => ({
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

const nothing = { type: 'null' };
const anything = {};
const healthy = closed({ status: { const: 'ok' } });
const done = closed({ status: { const: true } });
const signedInUser = closed({
  id: { type: 'string', pattern: '^usr_' },
  email: { type: 'string' },
  name: { type: 'string' },
});
const signedIn = {
  anyOf: [
    closed({ token: { type: 'string' }, user: signedInUser }),
    closed({ token: { type: 'string' }, user: signedInUser, trustDeviceToken: { type: 'string' } }),
    closed({ linked: { const: true } }),
    closed({ twoFactorRedirect: { const: true }, twoFactorToken: { type: 'string' } }),
  ],
};

// interface.md 2.6 and 2.7
const linkedAccount = closed({
  id: { type: 'string' },
  providerId: { type: 'string' },
  createdAt: timestamp,
  updatedAt: timestamp,
  accountId: { type: 'string' },
  userId: { type: 'string' },
  scopes: { type: 'array', items: { type: 'string' } },
});
const backupCodes = closed({
  status: { const: true },
  backupCodes: { type: 'array', items: { type: 'string' }, minItems: 1 },
});

const session = closed({
  id: { type: 'string' },
  current: { type: 'boolean' },
  createdAt: timestamp,
  updatedAt: timestamp,
  expiresAt: timestamp,
  ipAddress: nullableString,
  userAgent: nullableString,
  mfaVerifiedAt: nullableString,
});
const user = closed({
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
const auth = (method: string, path: string, schema: object) => ({
  method,
  path: new RegExp(`^/api/auth/${path}$`),
  success: { 200: schema },
});

const inPartner = (method: string, path: string, success: Record<number, object>) => ({
  method,
  path: new RegExp(`^/partners/[^/]+/${path}$`),
  success,
});

// interface.md, Webhook signatures; webhooks.md W5
const jwks = closed({
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
const signingKey = closed({
  kid: { type: 'string' },
  environment: { enum: ['live', 'sandbox'] },
  state: { enum: ['pending', 'active', 'retired', 'removed', 'revoked'] },
  created_at: timestamp,
  activates_at: timestamp,
  retires_at: timestamp,
  revoked_at: { anyOf: [timestamp, { type: 'null' }] },
});

// webhooks.md W8 and W12
const webhookEndpoint = closed({
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
const eventType = closed({
  name: { type: 'string' },
  description: { type: 'string' },
  schema: { type: 'object' },
  example: anything,
});

// webhooks.md W9 and W11
const idOf = (prefix: string) => ({ type: 'string', pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` });
const nullableTimestamp = { anyOf: [timestamp, { type: 'null' }] };
const event = closed({
  id: idOf('evt'),
  type: { type: 'string' },
  environment: { enum: ['live', 'sandbox'] },
  producer_id: nullableString,
  created_at: timestamp,
  data: anything,
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
const delivery = closed(deliveryMembers);
const attempt = closed({
  number: { type: 'integer', minimum: 1 },
  started_at: timestamp,
  duration_ms: { type: 'integer', minimum: 0 },
  status_code: { type: ['integer', 'null'] },
  error: nullableString,
  response_body: nullableString,
});
const deliveryWithAttempts = closed({ ...deliveryMembers, attempts: listOf(attempt) });
const recovery = closed({
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

/** What each operation may answer with when it succeeds. */
const operations: { method: string; path: RegExp; success: Record<number, object> }[] = [
  { method: 'GET', path: /^\/partners\/[^/]+$/, success: { 200: partner, 304: nothing } },
  { method: 'PATCH', path: /^\/partners\/[^/]+$/, success: { 200: partner } },
  { method: 'DELETE', path: /^\/partners\/[^/]+$/, success: { 204: nothing } },
  { method: 'POST', path: /^\/partners\/[^/]+\/restore$/, success: { 200: partner } },
  { method: 'POST', path: /^\/partners$/, success: { 201: partner } },
  { method: 'GET', path: /^\/partners$/, success: { 200: { type: 'array', items: partner } } },
  inPartner('GET', 'agreements', { 200: listOf(agreement) }),
  inPartner('POST', 'agreements', { 201: agreement }),
  inPartner('GET', 'agreements/[^/]+', { 200: agreement, 304: nothing }),
  inPartner('PATCH', 'agreements/[^/]+', { 200: agreement }),
  inPartner('DELETE', 'agreements/[^/]+', { 204: nothing }),
  inPartner('POST', 'agreements/[^/]+/resend', { 200: agreement }),
  inPartner('GET', 'agreements/[^/]+/effective-permissions', { 200: listOf(effectivePermission) }),
  inPartner('(GET|PUT)', 'acl-permission-groups/default', { 200: defaultGroup }),
  inPartner('GET', 'acl-permission-groups', { 200: listOf(aclPermissionGroup) }),
  inPartner('POST', 'acl-permission-groups', { 201: aclPermissionGroup }),
  inPartner('GET', 'acl-permission-groups/[^/]+', { 200: aclPermissionGroup, 304: nothing }),
  inPartner('PATCH', 'acl-permission-groups/[^/]+', { 200: aclPermissionGroup }),
  inPartner('DELETE', 'acl-permission-groups/[^/]+', { 204: nothing }),
  inPartner('GET', 'service-accounts', { 200: listOf(serviceAccount) }),
  inPartner('POST', 'service-accounts', { 201: serviceAccount }),
  inPartner('GET', 'service-accounts/[^/]+', { 200: serviceAccount }),
  inPartner('DELETE', 'service-accounts/[^/]+(/access-tokens/[^/]+)?', { 204: nothing }),
  inPartner('GET', 'service-accounts/[^/]+/access-tokens', { 200: listOf(accessToken) }),
  inPartner('POST', 'service-accounts/[^/]+/access-tokens', { 201: newAccessToken }),
  inPartner('GET', 'webhook-endpoints', { 200: listOf(webhookEndpoint) }),
  inPartner('POST', 'webhook-endpoints', { 201: webhookEndpoint }),
  inPartner('GET', 'webhook-endpoints/[^/]+', { 200: webhookEndpoint, 304: nothing }),
  inPartner('PATCH', 'webhook-endpoints/[^/]+', { 200: webhookEndpoint }),
  inPartner('DELETE', 'webhook-endpoints/[^/]+', { 204: nothing }),
  inPartner('POST', 'webhook-endpoints/[^/]+/(pause|resume)', { 200: webhookEndpoint }),
  inPartner('POST', 'webhook-endpoints/[^/]+/test', { 202: event }),
  inPartner('POST', 'webhook-endpoints/[^/]+/recover', { 202: recovery }),
  inPartner('GET', 'webhook-endpoints/[^/]+/recover/[^/]+', { 200: recovery, 304: nothing }),
  inPartner('POST', 'events', { 202: event }),
  inPartner('POST', 'events/batch', { 202: listOf(event) }),
  inPartner('GET', 'events', { 200: listOf(event) }),
  inPartner('GET', 'deliveries', { 200: listOf(delivery) }),
  inPartner('GET', 'deliveries/[^/]+', { 200: deliveryWithAttempts, 304: nothing }),
  inPartner('POST', 'deliveries/[^/]+/replay', { 200: delivery }),
  {
    method: 'POST',
    path: /^\/webhook-debug\/verify$/,
    success: { 200: closed({ verified: flag, step: nullableString, code: nullableString, reason: nullableString }) },
  },
  { method: 'GET', path: /^\/event-types$/, success: { 200: listOf(eventType) } },
  { method: 'PUT', path: /^\/event-types\/[^/]+$/, success: { 200: eventType } },
  { method: 'GET', path: /^\/me\/agreements$/, success: { 200: listOf(myAgreement) } },
  { method: 'GET', path: /^\/acl-resources$/, success: { 200: listOf(aclResource) } },
  { method: 'GET', path: /^\/me\/access-tokens$/, success: { 200: listOf(accessToken) } },
  { method: 'POST', path: /^\/me\/access-tokens$/, success: { 201: newAccessToken } },
  { method: 'DELETE', path: /^\/me\/access-tokens\/[^/]+$/, success: { 204: nothing } },
  auth('POST', 'sign-in/email', signedIn),
  auth('POST', 'two-factor/verify-(totp|backup-code)', signedIn),
  auth('GET', 'list-accounts', { type: 'array', items: linkedAccount }),
  auth('POST', 'two-factor/generate-backup-codes', backupCodes),
  auth('GET', 'list-sessions', { type: 'array', items: session }),
  auth('GET', 'verify-email', done),
  auth('POST', '(sign-in|link)[/-]social', closed({ url: { type: 'string' } })),
  auth('GET', 'callback/[^/]+', signedIn),
  auth('POST', '(sign-up/email|send-verification-email|request-password-reset|reset-password)', done),
  auth('POST', '(change-password|change-email|delete-user|revoke-session|revoke-other-sessions)', done),
  auth(
    'POST',
    'two-factor/enable',
    closed({ totpURI: { type: 'string' }, backupCodes: { type: 'array', items: { type: 'string' } } }),
  ),
  auth('POST', 'two-factor/get-totp-uri', closed({ totpURI: { type: 'string' } })),
  auth('POST', 'two-factor/disable', closed({ token: { type: 'string' } })),
  { method: 'GET', path: /^\/users$/, success: { 200: { type: 'array', items: user } } },
  { method: 'POST', path: /^\/users\/[^/]+\/(ban|unban)$/, success: { 200: user } },
  { method: 'PUT', path: /^\/users\/[^/]+\/role$/, success: { 200: user } },
  { method: 'DELETE', path: /^\/users\/[^/]+$/, success: { 204: nothing } },
  { method: 'POST', path: /^\/api\/auth\/sign-out$/, success: { 204: nothing } },
  { method: 'GET', path: /^(\/sandbox)?\/\.well-known\/jwks\.json$/, success: { 200: jwks, 304: nothing } },
  { method: 'GET', path: /^\/signing-keys$/, success: { 200: listOf(signingKey) } },
  { method: 'POST', path: /^\/signing-keys\/rotate$/, success: { 200: closed({ rotates_at: timestamp }) } },
  { method: 'POST', path: /^\/signing-keys\/[^/]+\/revoke$/, success: { 204: nothing } },
  { method: 'GET', path: /^\/health\/(live|ready)$/, success: { 200: healthy } },
  { method: 'GET', path: /^\/(openapi\.json|docs.*)$/, success: { 200: anything, 304: anything } },
];

const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true });
const compiled = new Map<object, ReturnType<Ajv['compile']>>();

export type Exchange = {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed body; null when there is none. */
  body: unknown;
};

/** @throws Error when the response is not one that the interface allows for this operation. */
export function holdToContract({ method, path, status, headers, body }: Exchange): void {
  const fail = (problem: string): never => {
    throw new Error(
      `${method} ${path.slice(0, 200)} -> ${status} breaks the contract: ${problem}\n${JSON.stringify(body)?.slice(0, 2_000)}`,
    );
  };
  if (headers['x-request-id'] === undefined) fail('no X-Request-Id');
  if (headers['api-version'] !== '2.0') fail('no API-Version');
  // A response to HEAD is that of GET without its body.
  if (method === 'HEAD') return;
  const schema = status >= 400 ? error(status) : successSchema(method, path, status);
  if (!schema) throw fail('no such success for this operation');
  if (schema === nothing && headers['content-type'] !== undefined) fail('a Content-Type without a body');
  if (status >= 400) {
    if (headers['content-type'] !== 'application/json') fail(`an error of type ${headers['content-type']}`);
    if ((body as { request_id?: string } | null)?.request_id !== headers['x-request-id'])
      fail('request_id and X-Request-Id differ');
    if (status === 401 && !headers['www-authenticate']) fail('401 without WWW-Authenticate');
    if (status === 405 && !headers.allow) fail('405 without Allow');
    if (status === 429 && !headers['retry-after']) fail('429 without Retry-After');
  }
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (!validate(body)) fail(ajv.errorsText(validate.errors));
}

function successSchema(method: string, path: string, status: number): object | undefined {
  // One path can be spelled in many ways.
  const pathname = (path.split('?', 1)[0] ?? '').replace(/%[46-7][0-9a-f]/gi, decodeURIComponent);
  return operations.find((operation) => new RegExp(`^${operation.method}$`).test(method) && operation.path.test(pathname))
    ?.success[status];
}
