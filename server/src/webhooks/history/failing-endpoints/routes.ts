// The HTTP of failing endpoints.
import { Type } from 'typebox';
import { type Access, createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { listFailing } from './failing-endpoints.ts';
import { FailingEndpoint } from './schema.ts';

export function registerFailingRoutes(
  server: HttpServer,
  { db, access }: { db: Database; access: Access },
): void {
  createRoutes(server, 'Platform').plain('GET', '/platform/failing-endpoints', {
    operationId: 'listFailingEndpoints',
    summary: 'List the endpoints that fail, the worst first (operators)',
    description:
      'At most 50, of all partners: endpoints that Concord disabled in the last week, and those whose last attempts all failed, or failed in part.',
    access: access.onPlatform({ resource: 'deliveries', method: 'query' }),
    answer: Type.Array(FailingEndpoint),
    run: () => listFailing(db),
  });
}
