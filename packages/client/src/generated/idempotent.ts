// Generated from openapi.json by `npm run generate`.

/** The operations that take an `Idempotency-Key`. */
export const takesIdempotencyKey: ReadonlySet<string> = new Set([
  'POST /invitations/{agreement_id}/accept',
  'POST /invitations/{agreement_id}/decline',
  'POST /partners',
  'POST /partners/{id}/access-requests',
  'POST /partners/{id}/access-requests/{access_request_id}/approve',
  'POST /partners/{id}/access-requests/{access_request_id}/deny',
  'POST /partners/{id}/access-requests/{access_request_id}/revoke',
  'POST /partners/{id}/access-requests/{access_request_id}/withdraw',
  'POST /partners/{id}/acl-permission-groups',
  'POST /partners/{id}/agreements',
  'POST /partners/{id}/agreements/{agreement_id}/resend',
  'POST /partners/{id}/deliveries/replay',
  'POST /partners/{id}/deliveries/send-now',
  'POST /partners/{id}/deliveries/{delivery_id}/replay',
  'POST /partners/{id}/deliveries/{delivery_id}/send-now',
  'POST /partners/{id}/events',
  'POST /partners/{id}/events/batch',
  'POST /partners/{id}/listeners',
  'POST /partners/{id}/replays/{replay_id}/stop',
  'POST /partners/{id}/restore',
  'POST /partners/{id}/service-accounts',
  'POST /partners/{id}/webhook-endpoints',
  'POST /partners/{id}/webhook-endpoints/{endpoint_id}/check',
  'POST /partners/{id}/webhook-endpoints/{endpoint_id}/check/waive',
  'POST /partners/{id}/webhook-endpoints/{endpoint_id}/pause',
  'POST /partners/{id}/webhook-endpoints/{endpoint_id}/resume',
  'POST /partners/{id}/webhook-endpoints/{endpoint_id}/test',
  'POST /users/{id}/ban',
  'POST /users/{id}/unban'
]);
