// Generated from server/src/webhooks/catalogue/built-in.ts by `npm run generate`.

export const builtInEventTypes: readonly string[] = [
  'inventory.updated',
  'order.status_changed',
];
