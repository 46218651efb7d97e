// Every operation of the service, with the permission that a member needs, and a request that would change
// something.
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
  group: string;
  serviceAccount: string;
  serviceToken: string;
  endpoint: string;
  delivery: string;
  event: string;
  replay: string;
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
  permission?: [resource: string, method: string];
  path(world: World): string;
  body?: object | ((world: World) => object);
  /** The operation changes the partner or the caller, so no other operation can use the world after it. */
  consumes?: 'world';
};

const partner =
  (rest = '') =>
  (world: World) =>
    `/partners/${world.partner}${rest}`;
const agreement =
  (which: 'agreement' | 'own', rest = '') =>
  (world: World) =>
    `/partners/${world.partner}/agreements/${world[which]}${rest}`;
const group = (world: World) => `/partners/${world.partner}/acl-permission-groups/${world.group}`;
const serviceAccount =
  (rest = '') =>
  (world: World) =>
    `/partners/${world.partner}/service-accounts/${world.serviceAccount}${rest}`;
const endpoint =
  (rest = '') =>
  (world: World) =>
    `/partners/${world.partner}/webhook-endpoints/${world.endpoint}${rest}`;
const delivery =
  (rest = '') =>
  (world: World) =>
    `/partners/${world.partner}/deliveries/${world.delivery}${rest}`;
const fixed = (path: string) => () => path;

const onAgreement = '/partners/{id}/agreements/{agreement_id}';
const onGroup = '/partners/{id}/acl-permission-groups/{group_id}';
const onEndpoint = '/partners/{id}/webhook-endpoints/{endpoint_id}';
const onServiceAccount = '/partners/{id}/service-accounts/{service_account_id}';
/** About a person who is not there. Strangers are answered, too: that the partner is hidden. */
const askOfAnother = ({ partner }: World) => ({
  evaluations: [{}],
  subject: { type: 'user', id: 'other@concord.test' },
  action: { name: 'get' },
  resource: { type: 'partner', id: partner },
});
const account = (method: string, path: string, body?: object): Operation => ({
  name: `${method} /api/auth/${path}`,
  path: fixed(`/api/auth/${path}`.replace('{provider}', 'google')),
  ...(method === 'POST' && { body: body ?? {} }),
});

export const operations: readonly Operation[] = [
  { name: 'GET /partners/{id}', permission: ['partner', 'get'], path: partner() },
  { name: 'PATCH /partners/{id}', permission: ['partner', 'patch'], path: partner(), body: { phone: '1' } },
  { name: 'DELETE /partners/{id}', permission: ['partner', 'delete'], path: partner(), consumes: 'world' },
  {
    name: 'GET /partners/{id}/agreements',
    permission: ['agreements', 'query'],
    path: partner('/agreements'),
  },
  {
    name: 'POST /partners/{id}/agreements',
    permission: ['agreements', 'post'],
    path: partner('/agreements'),
    body: { email: 'new@concord.test' },
  },
  { name: `GET ${onAgreement}`, permission: ['agreements', 'get'], path: agreement('agreement') },
  { name: `GET ${onAgreement} own`, permission: ['agreements', 'get'], path: agreement('own') },
  {
    name: `PATCH ${onAgreement}`,
    permission: ['agreements', 'patch'],
    path: agreement('agreement'),
    body: { mfa_required: true },
  },
  {
    name: `PATCH ${onAgreement} own, accept`,
    permission: ['agreements', 'patch'],
    path: agreement('own'),
    body: { accepted: true },
    consumes: 'world',
  },
  {
    name: `PATCH ${onAgreement} own, change`,
    permission: ['agreements', 'patch'],
    path: agreement('own'),
    body: { expires_at: '2999-01-01T00:00:00Z' },
    consumes: 'world',
  },
  { name: `DELETE ${onAgreement}`, permission: ['agreements', 'delete'], path: agreement('agreement') },
  {
    name: `DELETE ${onAgreement} own`,
    permission: ['agreements', 'delete'],
    path: agreement('own'),
    consumes: 'world',
  },
  {
    name: `POST ${onAgreement}/resend`,
    permission: ['agreements', 'post'],
    path: agreement('agreement', '/resend'),
  },
  {
    name: `GET ${onAgreement}/effective-permissions`,
    permission: ['agreements', 'get'],
    path: agreement('agreement', '/effective-permissions'),
  },
  {
    name: `GET ${onAgreement}/effective-permissions own`,
    permission: ['agreements', 'get'],
    path: agreement('own', '/effective-permissions'),
  },
  {
    name: 'GET /partners/{id}/acl-permission-groups',
    permission: ['acl_permission_groups', 'query'],
    path: partner('/acl-permission-groups'),
  },
  {
    name: 'POST /partners/{id}/acl-permission-groups',
    permission: ['acl_permission_groups', 'post'],
    path: partner('/acl-permission-groups'),
    body: { name: 'new', acl_permissions: [] },
  },
  {
    name: 'GET /partners/{id}/acl-permission-groups/default',
    permission: ['acl_permission_groups', 'get'],
    path: partner('/acl-permission-groups/default'),
  },
  {
    name: 'PUT /partners/{id}/acl-permission-groups/default',
    permission: ['acl_permission_groups', 'put'],
    path: partner('/acl-permission-groups/default'),
    body: (world) => ({ acl_permission_group_id: world.group }),
  },
  { name: `GET ${onGroup}`, permission: ['acl_permission_groups', 'get'], path: group },
  {
    name: `PATCH ${onGroup}`,
    permission: ['acl_permission_groups', 'patch'],
    path: group,
    body: { name: 'other' },
  },
  {
    name: `POST ${onGroup}/preview`,
    permission: ['acl_permission_groups', 'patch'],
    path: (world) => `${group(world)}/preview`,
    body: { acl_permissions: [] },
  },
  { name: `DELETE ${onGroup}`, permission: ['acl_permission_groups', 'delete'], path: group },
  {
    name: 'GET /partners/{id}/grantors',
    permission: ['agreements', 'query'],
    path: partner('/grantors?permission=deliveries.query'),
  },
  { name: 'GET /partners/{id}/service-accounts', path: partner('/service-accounts') },
  {
    name: 'POST /partners/{id}/service-accounts',
    path: partner('/service-accounts'),
    body: { name: 'robot' },
  },
  { name: `GET ${onServiceAccount}`, path: serviceAccount() },
  { name: `DELETE ${onServiceAccount}`, path: serviceAccount() },
  { name: `GET ${onServiceAccount}/access-tokens`, path: serviceAccount('/access-tokens') },
  {
    name: `POST ${onServiceAccount}/access-tokens`,
    path: serviceAccount('/access-tokens'),
    body: { name: 'token', scopes: [] },
  },
  {
    name: `DELETE ${onServiceAccount}/access-tokens/{token_id}`,
    path: (world) => `${serviceAccount('/access-tokens')(world)}/${world.serviceToken}`,
  },
  {
    name: 'GET /partners/{id}/webhook-endpoints',
    permission: ['webhook_endpoints', 'query'],
    path: partner('/webhook-endpoints'),
  },
  {
    name: 'POST /partners/{id}/webhook-endpoints',
    permission: ['webhook_endpoints', 'post'],
    path: partner('/webhook-endpoints'),
    body: { url: 'https://hooks.example.com/' },
  },
  { name: `GET ${onEndpoint}`, permission: ['webhook_endpoints', 'get'], path: endpoint() },
  {
    name: `PATCH ${onEndpoint}`,
    permission: ['webhook_endpoints', 'patch'],
    path: endpoint(),
    body: { ordering: 'strict' },
  },
  { name: `DELETE ${onEndpoint}`, permission: ['webhook_endpoints', 'delete'], path: endpoint() },
  { name: `POST ${onEndpoint}/pause`, permission: ['webhook_endpoints', 'post'], path: endpoint('/pause') },
  { name: `POST ${onEndpoint}/resume`, permission: ['webhook_endpoints', 'post'], path: endpoint('/resume') },
  { name: `POST ${onEndpoint}/test`, permission: ['webhook_endpoints', 'post'], path: endpoint('/test') },
  { name: `GET ${onEndpoint}/stats`, permission: ['deliveries', 'query'], path: endpoint('/stats') },
  {
    name: 'GET /partners/{id}/webhook-endpoint-stats',
    permission: ['deliveries', 'query'],
    path: partner('/webhook-endpoint-stats'),
  },
  { name: 'GET /partners/{id}/stats', permission: ['deliveries', 'query'], path: partner('/stats') },
  { name: 'GET /platform/stats', permission: ['deliveries', 'query'], path: fixed('/platform/stats') },
  { name: 'GET /platform/traffic', permission: ['deliveries', 'query'], path: fixed('/platform/traffic') },
  {
    name: 'GET /platform/failing-endpoints',
    permission: ['deliveries', 'query'],
    path: fixed('/platform/failing-endpoints'),
  },
  { name: 'GET /metrics', permission: ['deliveries', 'query'], path: fixed('/metrics') },
  {
    name: 'GET /platform/held-deliveries',
    permission: ['deliveries', 'query'],
    path: fixed('/platform/held-deliveries'),
  },
  {
    name: 'POST /platform/held-deliveries',
    permission: ['deliveries', 'post'],
    path: fixed('/platform/held-deliveries'),
    body: { choice: 'send' },
  },
  { name: 'GET /platform/status', permission: ['deliveries', 'query'], path: fixed('/platform/status') },
  {
    name: 'POST /partners/{id}/events',
    permission: ['events', 'post'],
    path: partner('/events'),
    body: { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } },
  },
  {
    name: 'POST /partners/{id}/events/batch',
    permission: ['events', 'post'],
    path: partner('/events/batch'),
    body: [],
  },
  { name: 'GET /partners/{id}/events', permission: ['events', 'query'], path: partner('/events') },
  {
    name: 'GET /partners/{id}/events/{event_id}',
    permission: ['events', 'get'],
    path: (world) => `${partner('/events')(world)}/${world.event}`,
  },
  { name: 'GET /partners/{id}/audit-log', permission: ['audit_log', 'query'], path: partner('/audit-log') },
  {
    name: 'GET /partners/{id}/audit-log/{record_id}',
    permission: ['audit_log', 'query'],
    path: (world) => `/partners/${world.partner}/audit-log/${world.record}`,
  },
  {
    name: 'GET /partners/{id}/deliveries',
    permission: ['deliveries', 'query'],
    path: partner('/deliveries'),
  },
  {
    name: 'GET /partners/{id}/deliveries/{delivery_id}',
    permission: ['deliveries', 'get'],
    path: delivery(),
  },
  {
    name: 'GET /partners/{id}/deliveries/{delivery_id}/attempts/{number}',
    permission: ['deliveries', 'get'],
    path: delivery('/attempts/1'),
  },
  {
    name: 'POST /partners/{id}/deliveries/{delivery_id}/replay',
    permission: ['deliveries', 'post'],
    path: delivery('/replay'),
  },
  {
    name: 'POST /partners/{id}/deliveries/replay',
    permission: ['deliveries', 'post'],
    path: partner('/deliveries/replay'),
    body: { status: 'failed' },
  },
  {
    name: 'POST /partners/{id}/deliveries/{delivery_id}/send-now',
    permission: ['deliveries', 'post'],
    path: delivery('/send-now'),
  },
  {
    name: 'POST /partners/{id}/deliveries/send-now',
    permission: ['deliveries', 'post'],
    path: partner('/deliveries/send-now'),
    body: { status: 'pending' },
  },
  {
    name: 'GET /partners/{id}/delivery-counts',
    permission: ['deliveries', 'query'],
    path: partner('/delivery-counts'),
  },
  {
    name: 'POST /partners/{id}/replays/{replay_id}/stop',
    permission: ['deliveries', 'post'],
    path: (world) => `${partner('/replays')(world)}/${world.replay}/stop`,
  },
  { name: 'GET /partners/{id}/replays', permission: ['deliveries', 'query'], path: partner('/replays') },
  {
    name: 'GET /partners/{id}/replays/{replay_id}',
    permission: ['deliveries', 'get'],
    path: (world) => `${partner('/replays')(world)}/${world.replay}`,
  },
  {
    name: 'PUT /partners/{id}/sandbox-receiver',
    permission: ['webhook_endpoints', 'post'],
    path: partner('/sandbox-receiver'),
  },
  {
    name: 'GET /partners/{id}/sandbox-receiver',
    permission: ['deliveries', 'get'],
    path: partner('/sandbox-receiver'),
  },
  {
    name: 'GET /partners/{id}/sandbox-receiver/requests',
    permission: ['deliveries', 'query'],
    path: partner('/sandbox-receiver/requests'),
  },
  {
    name: 'DELETE /partners/{id}/sandbox-receiver',
    permission: ['webhook_endpoints', 'delete'],
    path: partner('/sandbox-receiver'),
  },
  {
    name: 'POST /webhook-debug/verify',
    path: fixed('/webhook-debug/verify'),
    body: { method: 'POST', url: 'https://x.example/', headers: {}, body: '' },
  },
  { name: 'GET /search', path: fixed('/search?q=ptr_01h2xcejqtf2nbrexx3vqjhp41') },
  { name: 'GET /event-types', path: fixed('/event-types') },
  {
    name: 'POST /event-types/{name}/check',
    path: fixed('/event-types/inventory.updated/check'),
    body: { schema: {} },
  },
  {
    name: 'PUT /event-types/{name}',
    path: fixed('/event-types/a.b'),
    body: { description: '', schema: {}, example: {} },
  },
  { name: 'GET /partners', path: fixed('/partners') },
  {
    name: 'POST /partners',
    permission: ['partner', 'post'],
    path: fixed('/partners'),
    body: { name: 'new' },
  },
  { name: 'POST /partners/{id}/restore', permission: ['partner', 'post'], path: partner('/restore') },
  {
    name: 'GET /platform/deleted-partners',
    permission: ['partner', 'query'],
    path: fixed('/platform/deleted-partners'),
  },
  { name: 'GET /me', path: fixed('/me') },
  { name: 'PATCH /me', path: fixed('/me'), body: { name: 'other' } },
  { name: 'GET /me/export', path: fixed('/me/export') },
  { name: 'GET /me/agreements', path: fixed('/me/agreements') },
  ...['accept', 'decline'].map((answer) => ({
    name: `POST /invitations/{agreement_id}/${answer}`,
    path: (world: World) => `/invitations/${world.own}/${answer}`,
  })),
  {
    name: 'POST /access/v1/evaluation',
    permission: ['agreements', 'query'],
    path: fixed('/access/v1/evaluation'),
    body: askOfAnother,
  },
  { name: 'POST /access/v1/evaluations', path: fixed('/access/v1/evaluations'), body: askOfAnother },
  { name: 'GET /acl-resources', path: fixed('/acl-resources') },
  { name: 'GET /me/access-tokens', path: fixed('/me/access-tokens') },
  { name: 'POST /me/access-tokens', path: fixed('/me/access-tokens'), body: { name: 'token', scopes: [] } },
  { name: 'DELETE /me/access-tokens/{token_id}', path: (world) => `/me/access-tokens/${world.ownToken}` },
  { name: 'GET /audit-log', path: fixed('/audit-log') },
  { name: 'GET /audit-log/{record_id}', path: (world) => `/audit-log/${world.record}` },
  { name: 'GET /users', path: fixed('/users') },
  { name: 'DELETE /users/{id}', path: (world) => `/users/${world.user}` },
  { name: 'GET /users/{id}/sessions', path: (world) => `/users/${world.user}/sessions` },
  {
    name: 'DELETE /users/{id}/sessions/{session_id}',
    path: (world) => `/users/${world.user}/sessions/unknown`,
  },
  { name: 'DELETE /users/{id}/sessions', path: (world) => `/users/${world.user}/sessions` },
  { name: 'POST /users/{id}/ban', path: (world) => `/users/${world.user}/ban`, body: {} },
  { name: 'POST /users/{id}/unban', path: (world) => `/users/${world.user}/unban` },
  { name: 'PUT /users/{id}/role', path: (world) => `/users/${world.user}/role`, body: { role: 'user' } },
  { name: 'GET /signing-keys', path: fixed('/signing-keys') },
  {
    name: 'POST /signing-keys/rotate',
    path: fixed('/signing-keys/rotate'),
    body: { environment: 'sandbox' },
  },
  { name: 'POST /signing-keys/{kid}/revoke', path: fixed('/signing-keys/unknown/revoke') },
  account('GET', 'list-accounts'),
  account('POST', 'two-factor/generate-backup-codes'),
  account('GET', 'list-sessions'),
  { ...account('POST', 'sign-out'), consumes: 'world' },
  ...[
    'step-up',
    'unlink-account',
    'change-password',
    'change-email',
    'delete-user',
    'revoke-session',
    'revoke-other-sessions',
  ].map((path) => account('POST', path)),
  ...['enable', 'disable', 'get-totp-uri', 'verify-totp', 'verify-backup-code'].map((path) =>
    account('POST', `two-factor/${path}`),
  ),
  ...['verify-email', 'link-social'].map((path) => account('POST', path)),
];

/** Anyone may call these operations, so there is nothing to decide. */
export const open = new Set([
  'GET /.well-known/jwks.json',
  'GET /sandbox/.well-known/jwks.json',
  'GET /.well-known/authzen-configuration',
  'GET /invitations/{agreement_id}',
  'GET /console/settings',
  'GET /health/live',
  'GET /health/ready',
  'GET /api/auth/callback/{provider}',
  ...[
    'sign-up/email',
    'sign-in/email',
    'set-up',
    'sign-in/social',
    'sign-in/provider-code',
    'send-verification-email',
    'request-password-reset',
    'reset-password',
    'reset-password/check',
    'delete-user/confirm',
  ].map((path) => `POST /api/auth/${path}`),
]);
