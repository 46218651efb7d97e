// The HTTP of the audit log.
import { Type } from 'typebox';
import { type Access, type Granted, partnerOnly } from '../../access/index.ts';
import type { AuditFilter } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { sendList } from '../../base/http/lists.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readTimeRange } from '../../base/http/time-range.ts';
import { findRecord, listRecords, type Reading } from './audit-log.ts';
import * as wire from './schema.ts';

const toJson = serializer(wire.AuditRecord);

/** The key of an e-mail address, which is equal for all its spellings. Null: the text is no address. */
export type EmailKey = (text: string) => string | null;
type Options = Reading & { access: Access; emailKey: EmailKey };
type Query = { [F in keyof typeof wire.auditList.filters as `filter[${F}]`]?: string | undefined };

export function registerAuditLogRoutes(server: HttpServer, { access, emailKey, ...reading }: Options): void {
  const common = {
    tags: ['Audit log'],
    security: [{ bearer: [] }],
    description:
      'Newest first, unless `sort_dir` is `asc`. With `Accept: application/x-ndjson` the answer is a stream with one record in each line.',
    querystring: wire.AuditListQuery,
    response: { 200: Type.Array(wire.AuditRecord) },
  };
  const readEmail = (name: 'actor_email' | 'email', query: Query) => {
    const text = query[`filter[${name}]`];
    const key = text === undefined ? undefined : emailKey(text);
    if (key === null)
      throw invalidRequest(`/filter[${name}]`, 'must be an e-mail address, such as ann@example.com');
    return key;
  };
  const list = (query: Query, within: AuditFilter) => ({
    definition: wire.auditList,
    source: listRecords(reading, {
      ...within,
      actorEmail: readEmail('actor_email', query),
      targetEmail: readEmail('email', query),
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
    async (request, reply) =>
      sendList(request, reply, list(request.query, withinPartner(ofPartner.granted(request)))),
  );

  const one = { tags: common.tags, security: common.security, response: { 200: wire.AuditRecord } };
  const find = async (id: string, within: AuditFilter) => {
    const record = await findRecord(reading, id, within);
    if (record === undefined) throw new ServiceError('not_found');
    return record;
  };
  server.get(
    '/partners/:id/audit-log/:record_id',
    {
      onRequest: ofPartner.hook,
      schema: {
        ...one,
        operationId: 'getAuditRecord',
        summary: 'Get a record of the audit log of a partner',
        description: 'A record of another partner, and one that retention has deleted, is 404.',
        params: wire.PartnerRecordPath,
      },
    },
    (request) => find(request.params.record_id, withinPartner(ofPartner.granted(request))),
  );

  const operators = access.onPlatform({ resource: 'audit_log', method: 'query' });
  server.get(
    '/audit-log',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'listWholeAuditLog',
        summary: 'List the whole audit log (operators)',
      },
    },
    async (request, reply) => sendList(request, reply, list(request.query, {})),
  );

  server.get(
    '/audit-log/:record_id',
    {
      onRequest: operators.hook,
      schema: {
        ...one,
        operationId: 'getRecordOfWholeAuditLog',
        summary: 'Get a record of the whole audit log (operators)',
        description:
          'Of any partner, and of changes that are about no partner. A record that retention has deleted is 404.',
        params: wire.RecordPath,
      },
    },
    (request) => find(request.params.record_id, {}),
  );
}

const withinPartner = ({ partnerId, principal }: Granted): AuditFilter => ({
  partnerId,
  hidesOperators: principal.role !== 'operator',
});
