// Its lists, and the tasks of its seals. What writes the log is in audit/.
import type { Access } from '../../access/index.ts';
import { createAuditTasks } from '../../audit/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { Database } from '../../base/postgres/database.ts';
import { type PartnerNames, readRecordsAbout } from './audit-log.ts';
import { type EmailKey, registerAuditLogRoutes } from './routes.ts';
import { AuditRecord } from './schema.ts';

type Options = { db: Database; access: Access; emailKey: EmailKey; partnerNames: PartnerNames } & Parameters<
  typeof createAuditTasks
>[0];

export const createAuditLog = ({ db, access, emailKey, partnerNames, ...options }: Options): Feature => ({
  routes: (server) => registerAuditLogRoutes(server, { db, access, emailKey, partnerNames }),
  personalData: [
    {
      name: 'audit_records',
      schema: AuditRecord,
      read: (person) => readRecordsAbout({ db, partnerNames }, person),
    },
  ],
  tasks: createAuditTasks(options),
});
