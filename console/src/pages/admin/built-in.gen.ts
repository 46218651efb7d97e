// Generated from server/src/webhooks/catalogue/built-in.ts by `npm run generate`.

export const builtInEventTypes: readonly string[] = [
  'agreement.accepted',
  'agreement.ended',
  'delivery.failed',
  'inventory.updated',
  'order.status_changed',
  'partner.created',
  'partner.deleted',
  'signing_key.rotated',
  'webhook_endpoint.checkpoint',
  'webhook_endpoint.disabled',
  'webhook_endpoint.failing',
  'webhook_endpoint.recovered',
];
