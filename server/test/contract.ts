// The answers that each operation may give, written by hand from the interface.
import { Ajv } from 'ajv';
import {
  accessRequest,
  accessReview,
  accessReviewItem,
  accessReviewPolicy,
  accessToken,
  aclPermissionGroup,
  aclResource,
  addedPasskey,
  agreement,
  anything,
  attemptWithRequest,
  auditRecord,
  authzenConfiguration,
  backupCodes,
  checkpoint,
  checkpointDelivery,
  clientCertificate,
  closed,
  connection,
  consoleSettings,
  defaultGroup,
  deletedPartner,
  delivery,
  deliveryCounts,
  deliveryWithAttempts,
  deviceAuthorization,
  done,
  effectivePermission,
  endpointCheck,
  endpointStats,
  error,
  evaluation,
  evaluations,
  event,
  eventType,
  eventTypeCheck,
  eventWithDeliveries,
  failingEndpoint,
  filterCheck,
  flag,
  grantor,
  groupPreview,
  healthy,
  heldDeliveries,
  importPlan,
  installable,
  invitation,
  issuedToken,
  jwks,
  linkedAccount,
  listOf,
  me,
  myAgreement,
  newAccessToken,
  newProvisioningToken,
  nothing,
  nullableString,
  oauthError,
  openDeviceAuthorization,
  partner,
  passkey,
  passkeyCreation,
  passkeyRequest,
  personalData,
  platformStatus,
  proved,
  provisionedGroup,
  provisioning,
  replay,
  returnedFromConnection,
  sandboxReceiver,
  sandboxReceiverRequest,
  scimError,
  searchResult,
  secondFactorOptions,
  serviceAccount,
  session,
  signedIn,
  signInMethods,
  signInPolicy,
  signingKey,
  signingSecret,
  stats,
  text,
  timestamp,
  traffic,
  user,
  userSession,
  verifiedDomain,
  webhookEndpoint,
} from './contract-shapes.ts';

/** As JSON, or as lines, which the tests of the audit log validate. */
const auditRecords = { anyOf: [listOf(auditRecord), text, { type: 'null' }] };

type Answers = { method: string; path: RegExp; success: Record<number, object> };
const on = (method: string, path: string, success: Record<number, object>): Answers => ({
  method,
  path: new RegExp(`^${path}$`),
  success,
});

const inPartner = (method: string, path: string, success: Record<number, object>) =>
  on(method, `/partners/[^/]+/${path}`, success);
const auth = (method: string, path: string, schema: object) =>
  on(method, `/api/auth/${path}`, { 200: schema });

/** The successful answers of each operation. */
const operations: Answers[] = [
  on('GET', '/partners/[^/]+', { 200: partner, 304: nothing }),
  on('PATCH', '/partners/[^/]+', { 200: partner }),
  on('DELETE', '/partners/[^/]+', { 204: nothing }),
  on('POST', '/partners/[^/]+/restore', { 200: partner }),
  on('POST', '/partners', { 201: partner }),
  on('GET', '/partners', { 200: listOf(partner) }),
  on('GET', '/platform/deleted-partners', { 200: listOf(deletedPartner) }),
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
  inPartner('GET', 'access-requests', { 200: listOf(accessRequest) }),
  inPartner('POST', 'access-requests', { 200: accessRequest, 201: accessRequest }),
  inPartner('GET', 'access-requests/[^/]+', { 200: accessRequest, 304: nothing }),
  inPartner('POST', 'access-requests/[^/]+/(approve|deny|withdraw|revoke)', { 200: accessRequest }),
  inPartner('GET', 'access-review-policy', { 200: accessReviewPolicy, 304: nothing }),
  inPartner('PUT', 'access-review-policy', { 200: accessReviewPolicy }),
  inPartner('GET', 'access-reviews', { 200: listOf(accessReview) }),
  inPartner('GET', 'access-reviews/[^/]+', { 200: accessReview, 304: nothing }),
  inPartner('GET', 'access-reviews/[^/]+/items', { 200: listOf(accessReviewItem) }),
  inPartner('GET', 'access-reviews/[^/]+/document', { 200: text }),
  inPartner('POST', 'access-reviews/[^/]+/items/[^/]+/(confirm|end)', { 200: accessReviewItem }),
  inPartner('POST', 'access-reviews/[^/]+/confirm', { 200: listOf(accessReviewItem) }),
  inPartner('GET', 'grantors', { 200: { ...listOf(grantor), maxItems: 100 } }),
  inPartner('GET', 'connections/[^/]+/provisioning', { 200: provisioning, 304: nothing }),
  inPartner('POST', 'connections/[^/]+/provisioning-token', { 201: newProvisioningToken }),
  inPartner('DELETE', 'connections/[^/]+/provisioning-token', { 204: nothing }),
  inPartner('GET', 'connections/[^/]+/provisioned-groups', { 200: listOf(provisionedGroup) }),
  inPartner('GET', 'connections/[^/]+/provisioned-groups/[^/]+', { 200: provisionedGroup, 304: nothing }),
  inPartner('PUT', 'connections/[^/]+/provisioned-groups/[^/]+', { 200: provisionedGroup }),
  inPartner('GET', 'service-accounts', { 200: listOf(serviceAccount) }),
  inPartner('POST', 'service-accounts', { 201: serviceAccount }),
  inPartner('GET', 'service-accounts/[^/]+', { 200: serviceAccount }),
  inPartner('DELETE', 'service-accounts/[^/]+(/access-tokens/[^/]+)?', { 204: nothing }),
  inPartner('GET', 'service-accounts/[^/]+/access-tokens', { 200: listOf(accessToken) }),
  inPartner('POST', 'service-accounts/[^/]+/access-tokens', { 201: newAccessToken }),
  inPartner('GET', 'connections', { 200: listOf(connection) }),
  inPartner('POST', 'connections', { 201: connection }),
  inPartner('GET', 'connections/[^/]+', { 200: connection, 304: nothing }),
  inPartner('PATCH', 'connections/[^/]+', { 200: connection }),
  inPartner('PUT', 'connections/[^/]+/(enable|disable)', { 200: connection }),
  inPartner('DELETE', 'connections/[^/]+(/domains/[^/]+)?', { 204: nothing }),
  inPartner('GET', 'connections/[^/]+/domains', { 200: listOf(verifiedDomain) }),
  inPartner('POST', 'connections/[^/]+/domains', { 201: verifiedDomain }),
  inPartner('GET', 'connections/[^/]+/domains/[^/]+', { 200: verifiedDomain, 304: nothing }),
  inPartner('POST', 'connections/[^/]+/domains/[^/]+/verify', { 200: verifiedDomain }),
  inPartner('GET', 'webhook-endpoints', { 200: listOf(webhookEndpoint) }),
  inPartner('POST', 'webhook-endpoints', { 201: webhookEndpoint }),
  inPartner('GET', 'webhook-endpoints/[^/]+', { 200: webhookEndpoint, 304: nothing }),
  inPartner('PATCH', 'webhook-endpoints/[^/]+', { 200: webhookEndpoint }),
  inPartner('DELETE', 'webhook-endpoints/[^/]+', { 204: nothing }),
  inPartner('POST', 'webhook-endpoints/[^/]+/(pause|resume)', { 200: webhookEndpoint }),
  inPartner('POST', 'webhook-endpoints/[^/]+/test', { 202: event }),
  inPartner('POST', 'webhook-endpoints/[^/]+/check', { 202: endpointCheck }),
  inPartner('GET', 'webhook-endpoints/[^/]+/check', { 200: endpointCheck, 304: nothing }),
  inPartner('POST', 'webhook-endpoints/[^/]+/check/waive', { 200: endpointCheck }),
  inPartner('GET', 'webhook-endpoints/[^/]+/checkpoints', { 200: listOf(checkpoint) }),
  inPartner('GET', 'webhook-endpoints/[^/]+/checkpoints/[^/]+', { 200: checkpoint, 304: nothing }),
  inPartner('GET', 'webhook-endpoints/[^/]+/checkpoints/[^/]+/deliveries', {
    200: listOf(checkpointDelivery),
  }),
  inPartner('GET', 'webhook-endpoints/[^/]+/stats', { 200: endpointStats }),
  inPartner('POST', 'webhook-endpoints/[^/]+/signing-secret', { 201: signingSecret }),
  inPartner('DELETE', 'webhook-endpoints/[^/]+/signing-secret', { 204: nothing }),
  inPartner('GET', 'webhook-endpoints/[^/]+/client-certificate', { 200: clientCertificate, 304: nothing }),
  inPartner('PUT', 'webhook-endpoints/[^/]+/client-certificate', { 200: clientCertificate }),
  inPartner('POST', 'webhook-endpoints/[^/]+/client-certificate', { 201: clientCertificate }),
  inPartner('DELETE', 'webhook-endpoints/[^/]+/client-certificate', { 204: nothing }),
  inPartner('POST', 'listeners', { 201: webhookEndpoint }),
  inPartner('GET', 'listeners/[^/]+/requests', { 200: text }),
  inPartner('POST', 'listeners/[^/]+/requests/[^/]+/answer', { 204: nothing }),
  inPartner('GET', 'webhook-endpoint-stats', { 200: listOf(endpointStats) }),
  inPartner('GET', 'stats', { 200: stats }),
  on('GET', '/platform/held-deliveries', { 200: heldDeliveries }),
  on('POST', '/platform/held-deliveries', { 202: heldDeliveries }),
  on('GET', '/platform/status', { 200: platformStatus }),
  on('GET', '/metrics', { 200: text }),
  on('GET', '/platform/stats', { 200: stats }),
  on('GET', '/platform/traffic', { 200: traffic }),
  on('GET', '/platform/failing-endpoints', { 200: listOf(failingEndpoint) }),
  inPartner('POST', 'events', { 202: event }),
  inPartner('POST', 'events/batch', { 202: listOf(event) }),
  inPartner('GET', 'events', { 200: listOf(event) }),
  inPartner('GET', 'events/[^/]+', { 200: eventWithDeliveries, 304: nothing }),
  inPartner('GET', 'audit-log', { 200: auditRecords }),
  inPartner('GET', 'audit-log/[^/]+', { 200: auditRecord }),
  on('GET', '/audit-log', { 200: auditRecords }),
  on('GET', '/audit-log/[^/]+', { 200: auditRecord }),
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
  on('POST', '/webhook-debug/verify', {
    200: closed({
      verified: flag,
      step: nullableString,
      code: nullableString,
      reason: nullableString,
      checked_url: nullableString,
      signature_base: nullableString,
      matching_url: nullableString,
    }),
  }),
  inPartner('PUT', 'sandbox-receiver', { 200: sandboxReceiver }),
  inPartner('GET', 'sandbox-receiver', { 200: sandboxReceiver }),
  inPartner('DELETE', 'sandbox-receiver', { 204: nothing }),
  inPartner('GET', 'sandbox-receiver/requests', { 200: { ...listOf(sandboxReceiverRequest), maxItems: 50 } }),
  on('GET', '/console/settings', { 200: consoleSettings }),
  on('GET', '/packages', { 200: listOf(installable), 304: nothing }),
  on('GET', '/packages/[^/]+', { 200: anything, 304: nothing }),
  on('POST', '/console/receiver/[^/]+', { 204: nothing }),
  on('GET', '/search', { 200: listOf(searchResult) }),
  on('GET', '/event-types', { 200: listOf(eventType) }),
  on('GET', '/event-types/export', { 200: { type: 'object' } }),
  on('POST', '/event-types/import', { 200: importPlan }),
  on('GET', '/event-types/[^/]+', { 200: eventType }),
  on('PUT', '/event-types/[^/]+', { 200: eventType }),
  on('GET', '/me', { 200: me, 304: nothing }),
  on('PATCH', '/me', { 200: me }),
  on('POST', '/event-types/[^/]+/check', { 200: eventTypeCheck }),
  on('POST', '/partners/[^/]+/webhook-endpoints/filter-check', { 200: filterCheck }),
  on('GET', '/me/export', { 200: personalData }),
  on('GET', '/me/agreements', { 200: listOf(myAgreement) }),
  on('GET', '/invitations/[^/]+', { 200: invitation }),
  on('POST', '/invitations/[^/]+/accept', { 200: agreement }),
  on('POST', '/invitations/[^/]+/decline', { 204: nothing }),
  on('POST', '/access/v1/evaluation', { 200: evaluation }),
  on('POST', '/access/v1/evaluations', { 200: evaluations }),
  on('GET', '/\\.well-known/authzen-configuration', { 200: authzenConfiguration, 304: nothing }),
  on('GET', '/acl-resources', { 200: listOf(aclResource) }),
  on('GET', '/me/access-tokens', { 200: listOf(accessToken) }),
  on('POST', '/me/access-tokens', { 201: newAccessToken }),
  on('DELETE', '/me/access-tokens/[^/]+', { 204: nothing }),
  on('POST', '/oauth/device_authorization', { 200: deviceAuthorization }),
  on('POST', '/oauth/token', { 200: issuedToken }),
  on('POST', '/oauth/revoke', { 200: closed({}) }),
  on('GET', '/me/device-authorizations/[^/]+', { 200: openDeviceAuthorization }),
  on('POST', '/me/device-authorizations/[^/]+/approve', { 200: accessToken }),
  on('POST', '/me/device-authorizations/[^/]+/deny', { 204: nothing }),
  auth('POST', '(sign-in/email|set-up)', signedIn),
  auth('POST', 'two-factor/verify-(totp|backup-code)', signedIn),
  auth('GET', 'list-accounts', listOf(linkedAccount)),
  auth('POST', 'two-factor/generate-backup-codes', backupCodes),
  auth('GET', 'list-sessions', listOf(session)),
  auth('POST', '(verify-email|delete-user/confirm)', done),
  auth('POST', '(sign-in|link)[/-]social', closed({ url: text })),
  on('GET', '/api/auth/callback/[^/]+', { 200: signedIn, 303: nothing }),
  auth('POST', 'sign-in/provider-code', signedIn),
  auth('POST', 'sign-in/methods', signInMethods),
  auth('POST', '(sign-in/connection|connections/prove)', closed({ url: text })),
  on('GET', '/api/auth/connections/[^/]+/callback', { 200: returnedFromConnection, 303: nothing }),
  auth('POST', 'connections/link', proved),
  auth('POST', 'connections/[^/]+/backchannel-logout', done),
  on('POST', '/partners/[^/]+/connections/[^/]+/test', { 200: closed({ url: text }) }),
  on('GET', '/partners/[^/]+/sign-in-policy', { 200: signInPolicy, 304: nothing }),
  on('PUT', '/partners/[^/]+/sign-in-policy', { 200: signInPolicy }),
  on('GET', '/partners/[^/]+/break-glass', { 200: closed({ allowed: { type: 'boolean' } }), 304: nothing }),
  on('POST', '/partners/[^/]+/break-glass', { 200: closed({ until: timestamp }) }),
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
  auth('POST', 'two-factor/enable', closed({ totpURI: text, backupCodes: listOf(text) })),
  auth('POST', 'two-factor/get-totp-uri', closed({ totpURI: text })),
  auth('POST', 'two-factor/disable', closed({ token: text })),
  auth('GET', 'passkeys', listOf(passkey)),
  auth('POST', 'passkeys/options', passkeyCreation),
  auth('POST', 'passkeys', addedPasskey),
  auth('PATCH', 'passkeys/[^/]+', passkey),
  on('DELETE', '/api/auth/passkeys/[^/]+', { 204: nothing }),
  auth('POST', 'passkey/sign-in/options', passkeyRequest),
  auth('POST', '(passkey/sign-in|two-factor/verify-passkey)', signedIn),
  auth('POST', 'two-factor/options', secondFactorOptions),
  on('GET', '/users', { 200: listOf(user) }),
  on('POST', '/users/[^/]+/(ban|unban)', { 200: user }),
  on('PUT', '/users/[^/]+/role', { 200: user }),
  on('GET', '/users/[^/]+/sessions', { 200: listOf(userSession) }),
  on('DELETE', '/users/[^/]+/sessions(/[^/]+)?', { 204: nothing }),
  on('DELETE', '/users/[^/]+', { 204: nothing }),
  on('POST', '/api/auth/sign-out', { 204: nothing }),
  on('GET', '(/sandbox)?/\\.well-known/jwks\\.json', { 200: jwks, 304: nothing }),
  on('GET', '/signing-keys', { 200: listOf(signingKey) }),
  on('POST', '/signing-keys/rotate', { 200: closed({ rotates_at: timestamp }) }),
  on('POST', '/signing-keys/[^/]+/revoke', { 204: nothing }),
  on('GET', '/health/(live|ready)', { 200: healthy }),
  on('GET', '/console/(verify|reset|delete|links\\.js|links\\.css|invitation\\.js|invitations/[^/]+)', {
    200: anything,
  }),
  on('GET', '/(openapi(-3\\.0)?\\.json|llms\\.txt|docs.*)', { 200: anything, 304: anything }),
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
  if (path.startsWith('/scim/v2')) {
    holdToScim(headers, status, body, fail);
    return;
  }
  const isOauth = path.startsWith('/oauth/') && typeof body === 'object' && body !== null && 'error' in body;
  const failure = isOauth && status === 400 ? oauthError : error(status);
  const schema = status >= 400 ? failure : successSchema(method, path, status);
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

/** Other programs describe its answers: here only the form of errors. */
function holdToScim(
  headers: Exchange['headers'],
  status: number,
  body: unknown,
  fail: (problem: string) => never,
): void {
  if (body !== null && headers['content-type'] !== 'application/scim+json')
    fail(`an answer of type ${headers['content-type']}`);
  if (status >= 400 && !ajv.validate(scimError(status), body)) fail(ajv.errorsText());
  if (status === 401 && !headers['www-authenticate']) fail('401 without WWW-Authenticate');
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
