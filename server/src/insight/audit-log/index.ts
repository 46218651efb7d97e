// The audit log: its lists, and the tasks of its seals. What writes it is in audit/.
import { type Access, createRoutes, type Granted, partnerOnly } from '../../access/index.ts';
import { type AuditFilter, createAuditTasks } from '../../audit/index.ts';
import { storedEmailKey } from '../../base/email.ts';
import { invalidRequest, requireFound } from '../../base/errors.ts';
import type { Feature } from '../../base/feature.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readTimeRange } from '../../base/http/time-range.ts';
import type { Database } from '../../base/postgres/database.ts';
import { findRecord, listRecords, readRecordsAbout } from './audit-log.ts';
import * as wire from './schema.ts';

type Routes = { db: Database; access: Access };
type Options = Routes & Parameters<typeof createAuditTasks>[0];

export const createAuditLog = ({ db, access, ...options }: Options): Feature => ({
  routes: (server) => registerRoutes(server, { db, access }),
  personalData: [
    {
      name: 'audit_records',
      schema: wire.AuditRecord,
      read: (person) => readRecordsAbout(db, person),
    },
  ],
  tasks: createAuditTasks(options),
});

type Filter = { [F in keyof typeof wire.auditList.filters]?: string | undefined };

function registerRoutes(server: HttpServer, { db, access }: Routes): void {
  const routes = createRoutes(server, 'Audit log');
  const ofPartner = access.onPartner({ resource: 'audit_log', method: 'query' }, partnerOnly);
  const operators = access.onPlatform({ resource: 'audit_log', method: 'query' });
  const readEmail = (name: 'actor_email' | 'email', text: string | undefined) => {
    const key = text === undefined ? undefined : storedEmailKey(text);
    if (key === null)
      throw invalidRequest(`/filter[${name}]`, 'must be an e-mail address, such as ann@example.com');
    return key;
  };
  const list = (filter: Filter, within: AuditFilter) =>
    listRecords(db, {
      ...within,
      actorEmail: readEmail('actor_email', filter.actor_email),
      targetEmail: readEmail('email', filter.email),
      actorId: filter.actor_id,
      action: filter.action,
      target: filter.target,
      outcome: filter.outcome,
      ...readTimeRange(filter.at, '/filter[at]'),
    });
  const find = async (id: string, within: AuditFilter) => requireFound(await findRecord(db, id, within));
  const common = {
    description:
      'Newest first, unless `sort_dir` is `asc`. With `Accept: application/x-ndjson` the answer is a stream with one record in each line.',
    definition: wire.auditList,
    item: wire.AuditRecord,
    newestFirst: true,
    ndjson: true,
  };

  routes.list('/partners/:id/audit-log', {
    ...common,
    operationId: 'listAuditLog',
    summary: 'List the audit log of a partner',
    access: ofPartner,
    run: ({ granted, filter }) => list(filter, withinPartner(granted)),
  });

  routes.read('/partners/:id/audit-log/:record_id', {
    operationId: 'getAuditRecord',
    summary: 'Get a record of the audit log of a partner',
    description: 'A record of another partner, and one that retention has deleted, is 404.',
    access: ofPartner,
    answer: wire.AuditRecord,
    run: ({ granted, params }) => find(params.record_id, withinPartner(granted)),
  });

  routes.list('/audit-log', {
    ...common,
    operationId: 'listWholeAuditLog',
    summary: 'List the whole audit log (operators)',
    access: operators,
    run: ({ filter }) => list(filter, {}),
  });

  routes.read('/audit-log/:record_id', {
    operationId: 'getRecordOfWholeAuditLog',
    summary: 'Get a record of the whole audit log (operators)',
    description: 'About any partner, or about none. A record that retention has deleted is 404.',
    access: operators,
    answer: wire.AuditRecord,
    run: ({ params }) => find(params.record_id, {}),
  });
}

const withinPartner = ({ partnerId, principal }: Granted): AuditFilter => ({
  partnerId,
  hidesOperators: principal.role !== 'operator',
});
