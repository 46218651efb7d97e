// The HTTP of statistics.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { EndpointPath } from '../../endpoints/schema.ts';
import { endpointRead } from '../../endpoints/store.ts';
import * as wire from './schema.ts';
import type { StatsOperations } from './stats.ts';

type Options = { stats: StatsOperations; access: Access };

export function registerStatsRoutes(server: HttpServer, { stats, access }: Options): void {
  const common = { tags: ['Statistics'], security: [{ bearer: [] }] };
  const permission = { resource: 'deliveries', method: 'query' } as const;

  const one = access.onPartner(permission, endpointRead);
  server.get(
    '/partners/:id/webhook-endpoints/:endpoint_id/stats',
    {
      onRequest: one.hook,
      schema: {
        ...common,
        operationId: 'getWebhookEndpointStats',
        summary: 'Get the statistics of an endpoint',
        description: 'Counts of attempts, their latency, and what is pending, for a period in steps.',
        params: EndpointPath,
        querystring: wire.PeriodQuery,
        response: { 200: wire.EndpointStats },
      },
    },
    async (request) => stats.endpoint(one.granted(request), request.query),
  );

  const partner = access.onPartner(permission, partnerOnly);
  server.get(
    '/partners/:id/webhook-endpoint-stats',
    {
      onRequest: partner.hook,
      schema: {
        ...common,
        operationId: 'listWebhookEndpointStats',
        summary: 'Get the statistics of several endpoints',
        description: 'Ids of endpoints that the partner does not have are left out.',
        params: wire.PartnerPath,
        querystring: wire.EndpointStatsQuery,
        response: { 200: Type.Array(wire.EndpointStats) },
      },
    },
    async (request) => {
      const { endpoint_id: ids, ...query } = request.query;
      return stats.endpoints(partner.granted(request), ids, query);
    },
  );

  server.get(
    '/partners/:id/stats',
    {
      onRequest: partner.hook,
      schema: {
        ...common,
        operationId: 'getPartnerStats',
        summary: 'Get the statistics of a partner',
        description: 'All endpoints together, also those that are deleted.',
        params: wire.PartnerPath,
        querystring: wire.PeriodQuery,
        response: { 200: wire.Stats },
      },
    },
    async (request) => stats.partner(partner.granted(request), request.query),
  );

  const operators = access.onPlatform(permission);
  server.get(
    '/platform/stats',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'getPlatformStats',
        summary: 'Get the statistics of the platform (operators)',
        description:
          'All partners together, also those that are purged. A step below 1h is for at most 6 hours.',
        querystring: wire.PeriodQuery,
        response: { 200: wire.Stats },
      },
    },
    async (request) => stats.platform(operators.granted(request), request.query),
  );
}
