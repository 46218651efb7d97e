// The HTTP of the audit log.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../access/index.ts';
import { sendList } from '../http/lists.ts';
import { serializer } from '../http/serialization.ts';
import type { HttpServer } from '../http/server.ts';
import { readTimeRange } from '../http/time-range.ts';
import type { Database } from '../postgres/database.ts';
import { listRecords } from './audit-log.ts';
import * as wire from './schema.ts';

const toJson = serializer(wire.AuditRecord);

type Options = { db: Database; access: Access };
type Query = { [F in keyof typeof wire.auditList.filters as `filter[${F}]`]?: string | undefined };

export function registerAuditLogRoutes(server: HttpServer, { db, access }: Options): void {
  const common = {
    tags: ['Audit log'],
    security: [{ bearer: [] }],
    description:
      'Newest first, unless `sort_dir` is `asc`. With `Accept: application/x-ndjson` the answer is a stream with one record in each line.',
    querystring: wire.AuditListQuery,
    response: { 200: Type.Array(wire.AuditRecord) },
  };
  const list = (query: Query, partnerId?: string) => ({
    definition: wire.auditList,
    source: listRecords(db, {
      partnerId,
      actorId: query['filter[actor_id]'],
      action: query['filter[action]'],
      target: query['filter[target]'],
      outcome: query['filter[outcome]'],
      ...readTimeRange(query['filter[at]'], '/filter[at]'),
    }),
    toJson,
    newestFirst: true,
    ndjson: true,
  });

  const ofPartner = access.onPartner({ resource: 'audit_log', method: 'query' }, partnerOnly);
  server.get(
    '/partners/:id/audit-log',
    {
      onRequest: ofPartner.hook,
      schema: {
        ...common,
        operationId: 'listAuditLog',
        summary: 'List the audit log of a partner',
        params: wire.PartnerPath,
      },
    },
    async (request, reply) => sendList(request, reply, list(request.query, ofPartner.granted(request).partnerId)),
  );

  const operators = access.onPlatform({ resource: 'audit_log', method: 'query' });
  server.get(
    '/audit-log',
    {
      onRequest: operators.hook,
      schema: { ...common, operationId: 'listWholeAuditLog', summary: 'List the whole audit log (operators)' },
    },
    async (request, reply) => sendList(request, reply, list(request.query)),
  );
}
