// Every operation of the service, with the permission that a member needs, and a request that changes
// something.
import { tlsForTests } from './tls.ts';

/** The resources of permissions (behaviour R1). */
export const namedResources = [
  'partner',
  'agreements',
  'acl_permission_groups',
  'audit_log',
  'webhook_endpoints',
  'events',
  'deliveries',
];

export type World = {
  partner: string;
  agreement: string;
  /** A pending access request, and one that was approved. */
  request: string;
  approved: string;
  /** A member's agreement, and an open access review of it. */
  reviewed: string;
  review: string;
  group: string;
  serviceAccount: string;
  serviceToken: string;
  connection: string;
  provisionedGroup: string;
  domain: string;
  endpoint: string;
  delivery: string;
  event: string;
  replay: string;
  checkpoint: string;
  /** The sandbox receiver. It has no id of its own. */
  receiver: string;
  record: string;
  /** The caller's own agreement and token. When the caller has none, ids that belong to nobody. */
  own: string;
  ownToken: string;
  user: string;
};

export type Operation = {
  /** As in openapi.json. Text behind the path distinguishes two requests for one operation. */
  name: string;
  /** `resource.method`, or empty. */
  permission: string;
  path(world: World): string;
  body?: object | ((world: World) => object);
  /** The operation changes the partner or the caller, so no other operation can use the world after it. */
  consumes?: 'world';
};

const members: Readonly<Record<string, keyof World>> = {
  agreement_id: 'agreement',
  access_request_id: 'request',
  review_id: 'review',
  group_id: 'group',
  service_account_id: 'serviceAccount',
  connection_id: 'connection',
  provisioned_group_id: 'provisionedGroup',
  domain_id: 'domain',
  endpoint_id: 'endpoint',
  event_id: 'event',
  record_id: 'record',
  delivery_id: 'delivery',
  replay_id: 'replay',
  checkpoint_id: 'checkpoint',
  token_id: 'serviceToken',
};
type More = Pick<Operation, 'body' | 'consumes'> & { query?: string; eventType?: string };

function operation(
  name: string,
  permission = '',
  { query = '', eventType = 'inventory.updated', ...more }: More = {},
): Operation {
  const [, template = ''] = name.split(' ');
  const values: Record<string, string> = {
    number: '1',
    name: eventType,
    request_id: '01a20a5d-d061-7ce7-a2d8-f1042a5e552f',
  };
  const isOwn = / own|invitations|\/me\//.test(name);
  const memberOf = (parameter: string): keyof World | undefined => {
    if (parameter === 'id') return template.startsWith('/users') ? 'user' : 'partner';
    if (isOwn) return parameter === 'token_id' ? 'ownToken' : 'own';
    if (template.endsWith('/revoke')) return parameter === 'access_request_id' ? 'approved' : undefined;
    if (template.includes('/access-reviews/') && parameter === 'agreement_id') return 'reviewed';
    return members[parameter];
  };
  const fill = (world: World) => (_: string, parameter: string) => {
    const member = memberOf(parameter);
    return member ? world[member] : (values[parameter] ?? 'unknown');
  };
  return {
    name,
    permission,
    path: (world) => template.replace(/\{(\w+)\}/g, fill(world)) + query,
    ...more,
  };
}

const partner = '/partners/{id}';
const agreement = `${partner}/agreements/{agreement_id}`;
const request = `${partner}/access-requests/{access_request_id}`;
const reviews = `${partner}/access-reviews`;
const groups = `${partner}/acl-permission-groups`;
const endpoint = `${partner}/webhook-endpoints/{endpoint_id}`;
const listener = `${partner}/listeners/{endpoint_id}`;
const serviceAccount = `${partner}/service-accounts/{service_account_id}`;
const connection = `${partner}/connections/{connection_id}`;
const checkpoints = `${partner}/webhook-endpoints/{endpoint_id}/checkpoints`;
const delivery = `${partner}/deliveries/{delivery_id}`;
const receiver = `${partner}/sandbox-receiver`;

/** About a person who is not there. Strangers are answered, too: that the partner is hidden. */
const askOfAnother = ({ partner }: World) => ({
  evaluations: [{}],
  subject: { type: 'user', id: 'other@concord.test' },
  action: { name: 'get' },
  resource: { type: 'partner', id: partner },
});
type Row = Parameters<typeof operation>;

const table: Row[] = [
  [`GET ${partner}`, 'partner.get'],
  [`PATCH ${partner}`, 'partner.patch', { body: { phone: '1' } }],
  [`DELETE ${partner}`, 'partner.delete', { consumes: 'world' }],
  [`GET ${partner}/agreements`, 'agreements.query'],
  [`POST ${partner}/agreements`, 'agreements.post', { body: { email: 'new@concord.test' } }],
  [`GET ${agreement}`, 'agreements.get'],
  [`GET ${agreement} own`, 'agreements.get'],
  [`PATCH ${agreement}`, 'agreements.patch', { body: { mfa_required: true } }],
  [`PATCH ${agreement} own, accept`, 'agreements.patch', { body: { accepted: true }, consumes: 'world' }],
  [
    `PATCH ${agreement} own, change`,
    'agreements.patch',
    { body: { expires_at: '2999-01-01T00:00:00Z' }, consumes: 'world' },
  ],
  [`DELETE ${agreement}`, 'agreements.delete'],
  [`DELETE ${agreement} own`, 'agreements.delete', { consumes: 'world' }],
  [`POST ${agreement}/resend`, 'agreements.post'],
  [`GET ${agreement}/effective-permissions`, 'agreements.get'],
  [`GET ${agreement}/effective-permissions own`, 'agreements.get'],
  [`GET ${groups}`, 'acl_permission_groups.query'],
  [`POST ${groups}`, 'acl_permission_groups.post', { body: { name: 'new', acl_permissions: [] } }],
  [`GET ${groups}/default`, 'acl_permission_groups.get'],
  [
    `PUT ${groups}/default`,
    'acl_permission_groups.put',
    { body: (world) => ({ acl_permission_group_id: world.group }) },
  ],
  [`GET ${groups}/{group_id}`, 'acl_permission_groups.get'],
  [`PATCH ${groups}/{group_id}`, 'acl_permission_groups.patch', { body: { name: 'other' } }],
  [`POST ${groups}/{group_id}/preview`, 'acl_permission_groups.patch', { body: { acl_permissions: [] } }],
  [`DELETE ${groups}/{group_id}`, 'acl_permission_groups.delete'],
  [`GET ${partner}/grantors`, 'agreements.query', { query: '?permission=deliveries.query' }],
  [`GET ${partner}/access-requests`],
  [
    `POST ${partner}/access-requests`,
    '',
    { body: { permissions: ['partner.get'], duration_seconds: 3_600, reason: 'Support' } },
  ],
  [`GET ${request}`, 'agreements.get'],
  ...['approve', 'deny', 'withdraw', 'revoke'].map(
    (verb): Row => [`POST ${request}/${verb}`, 'agreements.patch'],
  ),
  [`GET ${partner}/access-review-policy`],
  [`PUT ${partner}/access-review-policy`, '', { body: { interval_days: 90 } }],
  [`GET ${reviews}`],
  [`GET ${reviews}/{review_id}`],
  [`GET ${reviews}/{review_id}/items`],
  [`GET ${reviews}/{review_id}/document`],
  [`POST ${reviews}/{review_id}/items/{agreement_id}/confirm`],
  [`POST ${reviews}/{review_id}/items/{agreement_id}/end`],
  [`POST ${reviews}/{review_id}/confirm`, '', { body: ({ reviewed }) => ({ agreement_ids: [reviewed] }) }],
  [`GET ${partner}/service-accounts`],
  [`POST ${partner}/connections/{connection_id}/test`],
  [`GET ${partner}/sign-in-policy`],
  [
    `PUT ${partner}/sign-in-policy`,
    '',
    {
      body: {
        sso_required: false,
        max_age_seconds: 600,
        sso_required_agreement_ids: [],
        break_glass_agreement_ids: [],
      },
    },
  ],
  [`GET ${partner}/break-glass`],
  [`POST ${partner}/break-glass`, '', { body: { reason: 'a test' } }],
  [`POST ${partner}/service-accounts`, '', { body: { name: 'robot' } }],
  [`GET ${serviceAccount}`],
  [`DELETE ${serviceAccount}`],
  [`GET ${serviceAccount}/access-tokens`],
  [`POST ${serviceAccount}/access-tokens`, '', { body: { name: 'token', scopes: [] } }],
  [`DELETE ${serviceAccount}/access-tokens/{token_id}`],
  [`GET ${partner}/connections`],
  [
    `POST ${partner}/connections`,
    '',
    {
      body: {
        name: 'Directory',
        issuer: 'https://127.0.0.1/',
        client_id: 'concord',
        authentication: 'private_key_jwt',
      },
    },
  ],
  [`GET ${connection}`],
  [`PATCH ${connection}`, '', { body: { name: 'Other' } }],
  [`PUT ${connection}/enable`],
  [`PUT ${connection}/disable`],
  [`DELETE ${connection}`],
  [`GET ${connection}/domains`],
  [`POST ${connection}/domains`, '', { body: { domain: 'other.example' } }],
  [`GET ${connection}/domains/{domain_id}`],
  [`POST ${connection}/domains/{domain_id}/verify`],
  [`DELETE ${connection}/domains/{domain_id}`],
  [`GET ${connection}/provisioning`],
  [`POST ${connection}/provisioning-token`],
  [`DELETE ${connection}/provisioning-token`],
  [`GET ${connection}/provisioned-groups`],
  [`GET ${connection}/provisioned-groups/{provisioned_group_id}`],
  [
    `PUT ${connection}/provisioned-groups/{provisioned_group_id}`,
    '',
    { body: (world) => ({ acl_permission_group_id: world.group }) },
  ],
  [`GET ${partner}/webhook-endpoints`, 'webhook_endpoints.query'],
  [
    `POST ${partner}/webhook-endpoints`,
    'webhook_endpoints.post',
    { body: { url: 'https://hooks.example.com/' } },
  ],
  [
    `POST ${partner}/webhook-endpoints/filter-check`,
    'webhook_endpoints.post',
    { body: { filter: { path: '', exists: true } } },
  ],
  [`GET ${endpoint}`, 'webhook_endpoints.get'],
  [`PATCH ${endpoint}`, 'webhook_endpoints.patch', { body: { ordering: 'strict' } }],
  [`DELETE ${endpoint}`, 'webhook_endpoints.delete'],
  [`POST ${endpoint}/pause`, 'webhook_endpoints.post'],
  [`POST ${endpoint}/resume`, 'webhook_endpoints.post'],
  [`POST ${endpoint}/test`, 'webhook_endpoints.post'],
  [`POST ${endpoint}/signing-secret`, 'webhook_endpoints.patch'],
  [`DELETE ${endpoint}/signing-secret`, 'webhook_endpoints.patch'],
  [`GET ${endpoint}/client-certificate`, 'webhook_endpoints.get'],
  [
    `PUT ${endpoint}/client-certificate`,
    'webhook_endpoints.patch',
    { body: { certificate: tlsForTests.cert, private_key: tlsForTests.key } },
  ],
  [`POST ${endpoint}/client-certificate`, 'webhook_endpoints.patch'],
  [`DELETE ${endpoint}/client-certificate`, 'webhook_endpoints.patch'],
  [`POST ${partner}/listeners`, 'webhook_endpoints.post', { body: { forward_to: 'http://localhost:4000/' } }],
  [`GET ${listener}/requests`, 'webhook_endpoints.post'],
  [
    `POST ${listener}/requests/{request_id}/answer`,
    'webhook_endpoints.post',
    { body: { status: 200, duration_ms: 1 } },
  ],
  [`POST ${endpoint}/check`, 'webhook_endpoints.post'],
  [`GET ${endpoint}/check`, 'webhook_endpoints.get'],
  [`POST ${endpoint}/check/waive`, '', { body: { reason: 'none' } }],
  [`GET ${endpoint}/stats`, 'deliveries.query'],
  [`GET ${partner}/webhook-endpoint-stats`, 'deliveries.query'],
  [`GET ${partner}/stats`, 'deliveries.query'],
  ['GET /platform/stats', 'deliveries.query'],
  ['GET /platform/traffic', 'deliveries.query'],
  ['GET /platform/failing-endpoints', 'deliveries.query'],
  ['GET /metrics', 'deliveries.query'],
  ['GET /platform/held-deliveries', 'deliveries.query'],
  ['POST /platform/held-deliveries', 'deliveries.post', { body: { choice: 'send' } }],
  ['GET /platform/status', 'deliveries.query'],
  [
    `POST ${partner}/events`,
    'events.post',
    { body: { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } } },
  ],
  [`POST ${partner}/events/batch`, 'events.post', { body: [] }],
  [`GET ${partner}/events`, 'events.query'],
  [`GET ${partner}/events/{event_id}`, 'events.get'],
  [`GET ${partner}/audit-log`, 'audit_log.query'],
  [`GET ${partner}/audit-log/{record_id}`, 'audit_log.query'],
  [`GET ${partner}/deliveries`, 'deliveries.query'],
  [`GET ${delivery}`, 'deliveries.get'],
  [`GET ${delivery}/attempts/{number}`, 'deliveries.get'],
  [`POST ${delivery}/replay`, 'deliveries.post'],
  [`POST ${partner}/deliveries/replay`, 'deliveries.post', { body: { status: 'failed' } }],
  [`POST ${delivery}/send-now`, 'deliveries.post'],
  [`POST ${partner}/deliveries/send-now`, 'deliveries.post', { body: { status: 'pending' } }],
  [`GET ${partner}/delivery-counts`, 'deliveries.query'],
  [`POST ${partner}/replays/{replay_id}/stop`, 'deliveries.post'],
  [`GET ${checkpoints}`, 'deliveries.query'],
  [`GET ${checkpoints}/{checkpoint_id}`, 'deliveries.get'],
  [`GET ${checkpoints}/{checkpoint_id}/deliveries`, 'deliveries.query'],
  [`GET ${partner}/replays`, 'deliveries.query'],
  [`GET ${partner}/replays/{replay_id}`, 'deliveries.get'],
  [`PUT ${receiver}`, 'webhook_endpoints.post'],
  [`GET ${receiver}`, 'deliveries.get'],
  [`GET ${receiver}/requests`, 'deliveries.query'],
  [`DELETE ${receiver}`, 'webhook_endpoints.delete'],
  [
    'POST /webhook-debug/verify',
    '',
    { body: { method: 'POST', url: 'https://x.example/', headers: {}, body: '' } },
  ],
  ['GET /search', '', { query: '?q=ptr_01h2xcejqtf2nbrexx3vqjhp41' }],
  ['GET /event-types'],
  ['GET /event-types/{name}'],
  ['GET /event-types/export'],
  ['POST /event-types/import', '', { body: { document: '' } }],
  ['POST /event-types/{name}/check', '', { body: { schema: {} } }],
  ['PUT /event-types/{name}', '', { eventType: 'a.b', body: { description: '', schema: {}, example: {} } }],
  ['GET /partners'],
  ['POST /partners', 'partner.post', { body: { name: 'new' } }],
  [`POST ${partner}/restore`, 'partner.post'],
  ['GET /platform/deleted-partners', 'partner.query'],
  ['GET /me'],
  ['PATCH /me', '', { body: { name: 'other' } }],
  ['GET /me/export'],
  ['GET /me/agreements'],
  ['POST /invitations/{agreement_id}/accept'],
  ['POST /invitations/{agreement_id}/decline'],
  ['POST /access/v1/evaluation', 'agreements.query', { body: askOfAnother }],
  ['POST /access/v1/evaluations', '', { body: askOfAnother }],
  ['GET /acl-resources'],
  ['GET /me/access-tokens'],
  ['POST /me/access-tokens', '', { body: { name: 'token', scopes: [] } }],
  ['DELETE /me/access-tokens/{token_id}'],
  ['GET /me/device-authorizations/{user_code}'],
  ['POST /me/device-authorizations/{user_code}/approve', '', { body: { name: 'laptop', scopes: [] } }],
  ['POST /me/device-authorizations/{user_code}/deny'],
  ['GET /audit-log'],
  ['GET /audit-log/{record_id}'],
  ['GET /users'],
  ['DELETE /users/{id}'],
  ['GET /users/{id}/sessions'],
  ['DELETE /users/{id}/sessions/{session_id}'],
  ['DELETE /users/{id}/sessions'],
  ['POST /users/{id}/ban', '', { body: {} }],
  ['POST /users/{id}/unban'],
  ['PUT /users/{id}/role', '', { body: { role: 'user' } }],
  ['GET /signing-keys'],
  ['POST /signing-keys/rotate', '', { body: { environment: 'sandbox' } }],
  ['POST /signing-keys/{kid}/revoke'],
  ['GET /api/auth/list-accounts'],
  ['POST /api/auth/two-factor/generate-backup-codes', '', { body: {} }],
  ['GET /api/auth/list-sessions'],
  ['POST /api/auth/sign-out', '', { body: {}, consumes: 'world' }],
  ['GET /api/auth/passkeys'],
  ['PATCH /api/auth/passkeys/{id}', '', { body: { name: 'other' } }],
  ['DELETE /api/auth/passkeys/{id}'],
  ...[
    'step-up',
    'unlink-account',
    'change-password',
    'change-email',
    'delete-user',
    'revoke-session',
    'revoke-other-sessions',
    'two-factor/enable',
    'two-factor/disable',
    'two-factor/get-totp-uri',
    'two-factor/verify-totp',
    'two-factor/verify-backup-code',
    'two-factor/options',
    'passkeys/options',
    'passkeys',
    'verify-email',
    'link-social',
    'connections/prove',
    'connections/link',
  ].map((path): Row => [`POST /api/auth/${path}`, '', { body: {} }]),
];
export const operations: readonly Operation[] = table.map((row) => operation(...row));

/** Anyone may call these operations, so there is nothing to decide. */
export const open = new Set([
  'GET /.well-known/jwks.json',
  'GET /sandbox/.well-known/jwks.json',
  'GET /.well-known/authzen-configuration',
  'GET /invitations/{agreement_id}',
  'GET /console/settings',
  'GET /packages',
  'GET /packages/{file}',
  'GET /health/live',
  'GET /health/ready',
  'GET /api/auth/callback/{provider}',
  'GET /api/auth/connections/{connection_id}/callback',
  'POST /api/auth/connections/{connection_id}/backchannel-logout',
  'POST /oauth/device_authorization',
  'POST /oauth/token',
  'POST /oauth/revoke',
  ...[
    'sign-up/email',
    'sign-in/email',
    'set-up',
    'sign-in/social',
    'sign-in/provider-code',
    'sign-in/methods',
    'sign-in/connection',
    'passkey/sign-in/options',
    'passkey/sign-in',
    'two-factor/verify-passkey',
    'send-verification-email',
    'request-password-reset',
    'reset-password',
    'reset-password/check',
    'delete-user/confirm',
  ].map((path) => `POST /api/auth/${path}`),
]);
