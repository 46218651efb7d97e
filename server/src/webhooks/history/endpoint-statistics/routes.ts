// The HTTP of statistics, and of the endpoints that fail.
import { Type } from 'typebox';
import { type Access, createRoutes, partnerOnly } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { endpointRead } from '../../endpoints/store.ts';
import { listFailing } from './failing-endpoints.ts';
import * as wire from './schema.ts';
import type { StatsOperations } from './stats.ts';

export function registerStatsRoutes(
  server: HttpServer,
  { db, stats, access }: { db: Database; stats: StatsOperations; access: Access },
): void {
  const routes = createRoutes(server, 'Statistics');
  const permission = { resource: 'deliveries', method: 'query' } as const;
  const ofPartner = access.onPartner(permission, partnerOnly);

  routes.plain('GET', '/partners/:id/webhook-endpoints/:endpoint_id/stats', {
    operationId: 'getWebhookEndpointStats',
    summary: 'Get the statistics of an endpoint',
    description: 'Counts of attempts, their latency, and what is pending, for a period in steps.',
    access: access.onPartner(permission, endpointRead),
    query: wire.PeriodQuery,
    answer: wire.EndpointStats,
    run: ({ granted, query }) => stats.endpoint(granted, query),
  });

  routes.plain('GET', '/partners/:id/webhook-endpoint-stats', {
    operationId: 'listWebhookEndpointStats',
    summary: 'Get the statistics of several endpoints',
    description: 'Ids of endpoints that the partner does not have are left out.',
    access: ofPartner,
    query: wire.EndpointStatsQuery,
    answer: Type.Array(wire.EndpointStats),
    run: ({ granted, query: { endpoint_id: ids, ...period } }) => stats.endpoints(granted, ids, period),
  });

  routes.plain('GET', '/partners/:id/stats', {
    operationId: 'getPartnerStats',
    summary: 'Get the statistics of a partner',
    description: 'All endpoints together, also those that are deleted.',
    access: ofPartner,
    query: wire.PeriodQuery,
    answer: wire.Stats,
    run: ({ granted, query }) => stats.partner(granted, query),
  });

  routes.plain('GET', '/platform/stats', {
    operationId: 'getPlatformStats',
    summary: 'Get the statistics of the platform (operators)',
    description: 'All partners together, also those that are purged. A step below 1h is for at most 6 hours.',
    access: access.onPlatform(permission),
    query: wire.PeriodQuery,
    answer: wire.Stats,
    run: ({ granted, query }) => stats.platform(granted, query),
  });

  createRoutes(server, 'Platform').plain('GET', '/platform/failing-endpoints', {
    operationId: 'listFailingEndpoints',
    summary: 'List the endpoints that fail, the worst first (operators)',
    description:
      'At most 50, of all partners: endpoints that Concord disabled in the last week, and those whose last attempts all failed, or failed in part.',
    access: access.onPlatform({ resource: 'deliveries', method: 'query' }),
    answer: Type.Array(wire.FailingEndpoint),
    run: () => listFailing(db),
  });
}
