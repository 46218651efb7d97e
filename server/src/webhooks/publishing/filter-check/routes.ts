// The HTTP of the check of a filter.
import { type Access, createRoutes, partnerOnly } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { CheckOfFilter } from './filter-check.ts';
import * as wire from './schema.ts';

export function registerFilterCheckRoute(
  server: HttpServer,
  { check, access }: { check: CheckOfFilter; access: Access },
): void {
  createRoutes(server, 'Webhook endpoints').plain('POST', '/partners/:id/webhook-endpoints/filter-check', {
    operationId: 'checkFilter',
    summary: 'Check a filter against past events',
    description:
      'Says how many of the last 1,000 events of the partner match the filter. Changes nothing. Also needs the permission `events.query`.',
    access: access.onPartner({ resource: 'webhook_endpoints', method: 'post' }, partnerOnly),
    body: wire.CheckFilter,
    answer: wire.FilterCheck,
    run: ({ granted, body }) => check(granted, body),
  });
}
