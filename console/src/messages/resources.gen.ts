// Generated from server/src/access/permissions/vocabulary.ts by `npm run generate`.
export const resources = [
  'partner',
  'agreements',
  'acl_permission_groups',
  'audit_log',
  'webhook_endpoints',
  'events',
  'deliveries',
] as const;
