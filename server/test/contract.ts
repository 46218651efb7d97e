// The answers that each operation may give. The tests validate every response against them, with schemas
// written by hand from the interface.
import { Ajv } from 'ajv';
import {
  accessToken,
  aclPermissionGroup,
  aclResource,
  agreement,
  anything,
  attemptWithRequest,
  auditRecord,
  auth,
  authzenConfiguration,
  backupCodes,
  closed,
  consoleSettings,
  defaultGroup,
  deletedPartner,
  delivery,
  deliveryCounts,
  deliveryWithAttempts,
  done,
  effectivePermission,
  endpointStats,
  error,
  evaluation,
  evaluations,
  event,
  eventType,
  eventTypeCheck,
  eventWithDeliveries,
  failingEndpoint,
  flag,
  grantor,
  groupPreview,
  healthy,
  heldDeliveries,
  inPartner,
  invitation,
  jwks,
  linkedAccount,
  listOf,
  me,
  myAgreement,
  newAccessToken,
  nothing,
  nullableString,
  partner,
  personalData,
  platformStatus,
  replay,
  sandboxReceiver,
  sandboxReceiverRequest,
  searchResult,
  serviceAccount,
  session,
  signedIn,
  signingKey,
  stats,
  timestamp,
  traffic,
  user,
  userSession,
  webhookEndpoint,
} from './contract-shapes.ts';

/** As JSON, or as lines, which the tests of the audit log validate. */
const auditRecords = { anyOf: [listOf(auditRecord), { type: 'string' }, { type: 'null' }] };

/** The successful answers of each operation. */
const operations: { method: string; path: RegExp; success: Record<number, object> }[] = [
  { method: 'GET', path: /^\/partners\/[^/]+$/, success: { 200: partner, 304: nothing } },
  { method: 'PATCH', path: /^\/partners\/[^/]+$/, success: { 200: partner } },
  { method: 'DELETE', path: /^\/partners\/[^/]+$/, success: { 204: nothing } },
  { method: 'POST', path: /^\/partners\/[^/]+\/restore$/, success: { 200: partner } },
  { method: 'POST', path: /^\/partners$/, success: { 201: partner } },
  { method: 'GET', path: /^\/partners$/, success: { 200: { type: 'array', items: partner } } },
  { method: 'GET', path: /^\/platform\/deleted-partners$/, success: { 200: listOf(deletedPartner) } },
  inPartner('GET', 'agreements', { 200: listOf(agreement) }),
  inPartner('POST', 'agreements', { 201: agreement }),
  inPartner('GET', 'agreements/[^/]+', { 200: agreement, 304: nothing }),
  inPartner('PATCH', 'agreements/[^/]+', { 200: agreement }),
  inPartner('DELETE', 'agreements/[^/]+', { 204: nothing }),
  inPartner('POST', 'agreements/[^/]+/resend', { 200: agreement }),
  inPartner('GET', 'agreements/[^/]+/effective-permissions', { 200: listOf(effectivePermission) }),
  inPartner('GET', 'acl-permission-groups/default', { 200: defaultGroup }),
  inPartner('PUT', 'acl-permission-groups/default', { 200: defaultGroup }),
  inPartner('GET', 'acl-permission-groups', { 200: listOf(aclPermissionGroup) }),
  inPartner('POST', 'acl-permission-groups', { 201: aclPermissionGroup }),
  inPartner('GET', 'acl-permission-groups/[^/]+', { 200: aclPermissionGroup, 304: nothing }),
  inPartner('PATCH', 'acl-permission-groups/[^/]+', { 200: aclPermissionGroup }),
  inPartner('DELETE', 'acl-permission-groups/[^/]+', { 204: nothing }),
  inPartner('POST', 'acl-permission-groups/[^/]+/preview', { 200: groupPreview }),
  inPartner('GET', 'grantors', { 200: { ...listOf(grantor), maxItems: 100 } }),
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
  inPartner('GET', 'webhook-endpoints/[^/]+/stats', { 200: endpointStats }),
  inPartner('GET', 'webhook-endpoint-stats', { 200: listOf(endpointStats) }),
  inPartner('GET', 'stats', { 200: stats }),
  { method: 'GET', path: /^\/platform\/held-deliveries$/, success: { 200: heldDeliveries } },
  { method: 'POST', path: /^\/platform\/held-deliveries$/, success: { 202: heldDeliveries } },
  { method: 'GET', path: /^\/platform\/status$/, success: { 200: platformStatus } },
  { method: 'GET', path: /^\/metrics$/, success: { 200: { type: 'string' } } },
  { method: 'GET', path: /^\/platform\/stats$/, success: { 200: stats } },
  { method: 'GET', path: /^\/platform\/traffic$/, success: { 200: traffic } },
  { method: 'GET', path: /^\/platform\/failing-endpoints$/, success: { 200: listOf(failingEndpoint) } },
  inPartner('POST', 'events', { 202: event }),
  inPartner('POST', 'events/batch', { 202: listOf(event) }),
  inPartner('GET', 'events', { 200: listOf(event) }),
  inPartner('GET', 'events/[^/]+', { 200: eventWithDeliveries, 304: nothing }),
  inPartner('GET', 'audit-log', { 200: auditRecords }),
  inPartner('GET', 'audit-log/[^/]+', { 200: auditRecord }),
  { method: 'GET', path: /^\/audit-log$/, success: { 200: auditRecords } },
  { method: 'GET', path: /^\/audit-log\/[^/]+$/, success: { 200: auditRecord } },
  inPartner('GET', 'deliveries', { 200: listOf(delivery) }),
  inPartner('GET', 'deliveries/[^/]+', { 200: deliveryWithAttempts, 304: nothing }),
  inPartner('GET', 'deliveries/[^/]+/attempts/[^/]+', { 200: attemptWithRequest, 304: nothing }),
  inPartner('POST', 'deliveries/[^/]+/replay', { 200: delivery }),
  inPartner('POST', 'deliveries/[^/]+/send-now', { 200: delivery }),
  inPartner('POST', 'deliveries/(replay|send-now)', { 202: replay }),
  inPartner('GET', 'delivery-counts', { 200: deliveryCounts }),
  inPartner('GET', 'replays', { 200: listOf(replay) }),
  inPartner('GET', 'replays/[^/]+', { 200: replay, 304: nothing }),
  inPartner('POST', 'replays/[^/]+/stop', { 200: replay }),
  {
    method: 'POST',
    path: /^\/webhook-debug\/verify$/,
    success: {
      200: closed({
        verified: flag,
        step: nullableString,
        code: nullableString,
        reason: nullableString,
        checked_url: nullableString,
        signature_base: nullableString,
        matching_url: nullableString,
      }),
    },
  },
  inPartner('PUT', 'sandbox-receiver', { 200: sandboxReceiver }),
  inPartner('GET', 'sandbox-receiver', { 200: sandboxReceiver }),
  inPartner('DELETE', 'sandbox-receiver', { 204: nothing }),
  inPartner('GET', 'sandbox-receiver/requests', { 200: { ...listOf(sandboxReceiverRequest), maxItems: 50 } }),
  { method: 'GET', path: /^\/console\/settings$/, success: { 200: consoleSettings } },
  { method: 'POST', path: /^\/console\/receiver\/[^/]+$/, success: { 204: nothing } },
  { method: 'GET', path: /^\/search$/, success: { 200: listOf(searchResult) } },
  { method: 'GET', path: /^\/event-types$/, success: { 200: listOf(eventType) } },
  { method: 'PUT', path: /^\/event-types\/[^/]+$/, success: { 200: eventType } },
  { method: 'GET', path: /^\/me$/, success: { 200: me, 304: nothing } },
  { method: 'PATCH', path: /^\/me$/, success: { 200: me } },
  { method: 'POST', path: /^\/event-types\/[^/]+\/check$/, success: { 200: eventTypeCheck } },
  { method: 'GET', path: /^\/me\/export$/, success: { 200: personalData } },
  { method: 'GET', path: /^\/me\/agreements$/, success: { 200: listOf(myAgreement) } },
  { method: 'GET', path: /^\/invitations\/[^/]+$/, success: { 200: invitation } },
  { method: 'POST', path: /^\/invitations\/[^/]+\/accept$/, success: { 200: agreement } },
  { method: 'POST', path: /^\/invitations\/[^/]+\/decline$/, success: { 204: nothing } },
  { method: 'POST', path: /^\/access\/v1\/evaluation$/, success: { 200: evaluation } },
  { method: 'POST', path: /^\/access\/v1\/evaluations$/, success: { 200: evaluations } },
  {
    method: 'GET',
    path: /^\/\.well-known\/authzen-configuration$/,
    success: { 200: authzenConfiguration, 304: nothing },
  },
  { method: 'GET', path: /^\/acl-resources$/, success: { 200: listOf(aclResource) } },
  { method: 'GET', path: /^\/me\/access-tokens$/, success: { 200: listOf(accessToken) } },
  { method: 'POST', path: /^\/me\/access-tokens$/, success: { 201: newAccessToken } },
  { method: 'DELETE', path: /^\/me\/access-tokens\/[^/]+$/, success: { 204: nothing } },
  auth('POST', '(sign-in/email|set-up)', signedIn),
  auth('POST', 'two-factor/verify-(totp|backup-code)', signedIn),
  auth('GET', 'list-accounts', { type: 'array', items: linkedAccount }),
  auth('POST', 'two-factor/generate-backup-codes', backupCodes),
  auth('GET', 'list-sessions', { type: 'array', items: session }),
  auth('POST', '(verify-email|delete-user/confirm)', done),
  auth('POST', '(sign-in|link)[/-]social', closed({ url: { type: 'string' } })),
  { method: 'GET', path: /^\/api\/auth\/callback\/[^/]+$/, success: { 200: signedIn, 303: nothing } },
  auth('POST', 'sign-in/provider-code', signedIn),
  auth(
    'POST',
    '(sign-up/email|send-verification-email|request-password-reset|reset-password|reset-password/check)',
    done,
  ),
  auth(
    'POST',
    '(step-up|unlink-account|change-password|change-email|delete-user|revoke-session|revoke-other-sessions)',
    done,
  ),
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
  { method: 'GET', path: /^\/users\/[^/]+\/sessions$/, success: { 200: listOf(userSession) } },
  { method: 'DELETE', path: /^\/users\/[^/]+\/sessions(\/[^/]+)?$/, success: { 204: nothing } },
  { method: 'DELETE', path: /^\/users\/[^/]+$/, success: { 204: nothing } },
  { method: 'POST', path: /^\/api\/auth\/sign-out$/, success: { 204: nothing } },
  { method: 'GET', path: /^(\/sandbox)?\/\.well-known\/jwks\.json$/, success: { 200: jwks, 304: nothing } },
  { method: 'GET', path: /^\/signing-keys$/, success: { 200: listOf(signingKey) } },
  { method: 'POST', path: /^\/signing-keys\/rotate$/, success: { 200: closed({ rotates_at: timestamp }) } },
  { method: 'POST', path: /^\/signing-keys\/[^/]+\/revoke$/, success: { 204: nothing } },
  { method: 'GET', path: /^\/health\/(live|ready)$/, success: { 200: healthy } },
  {
    method: 'GET',
    path: /^\/console\/(verify|reset|delete|links\.js|links\.css|invitation\.js|invitations\/[^/]+)$/,
    success: { 200: anything },
  },
  { method: 'GET', path: /^\/(openapi(-3\.0)?\.json|docs.*)$/, success: { 200: anything, 304: anything } },
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

/** @throws Error when the interface does not allow the response for this operation. */
export function holdToContract({ method, path, status, headers, body }: Exchange): void {
  const fail = (problem: string): never => {
    throw new Error(
      `${method} ${path.slice(0, 200)} -> ${status} breaks the contract: ${problem}\n${JSON.stringify(body)?.slice(0, 2_000)}`,
    );
  };
  if (headers['x-request-id'] === undefined) fail('no X-Request-Id');
  if (headers['api-version'] !== '2.0') fail('no API-Version');
  // A response to HEAD equals the response to GET without its body.
  if (method === 'HEAD') return;
  const schema = status >= 400 ? error(status) : successSchema(method, path, status);
  if (!schema) throw fail('no such success for this operation');
  if (schema === nothing && headers['content-type'] !== undefined) fail('a Content-Type without a body');
  if (/json; /.test(String(headers['content-type']))) fail('a parameter in the type of JSON (F7)');
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
  // A path can be spelled in many ways.
  const pathname = (path.split('?', 1)[0] ?? '').replace(/%[46-7][0-9a-f]/gi, decodeURIComponent);
  const prefix = '/console/api';
  const find = (at: string) =>
    operations.find((operation) => operation.method === method && operation.path.test(at))?.success[status];
  if (!pathname.startsWith(`${prefix}/`)) return find(pathname);
  const schema = find(pathname.slice(prefix.length));
  return schema && withoutTokens(schema);
}

type Shape = { anyOf?: Shape[]; properties?: Record<string, { pattern?: string }>; required?: string[] };
const shapesWithoutTokens = new Map<object, object>();

/**
 * Below the prefix, no body has a token of a session (behaviour B4). Returns the same object for the same
 * schema.
 */
function withoutTokens(schema: Shape): object {
  const known = shapesWithoutTokens.get(schema);
  if (known) return known;
  const isKept = (name: string) =>
    !['token', 'twoFactorToken', 'trustDeviceToken'].includes(name) ||
    schema.properties?.[name]?.pattern !== undefined;
  const { anyOf, properties, required } = schema;
  const made = {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(withoutTokens) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    }),
    ...(required && { required: required.filter(isKept) }),
  };
  shapesWithoutTokens.set(schema, made);
  return made;
}
