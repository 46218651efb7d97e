// The audit log as a feature: its lists, and the tasks of its seals. What writes it is in audit/, which access rules need too.
import type { Access } from '../access/index.ts';
import { createAuditTasks } from '../audit/index.ts';
import type { Feature } from '../feature.ts';
import type { Database } from '../postgres/database.ts';
import { readRecordsAbout } from './audit-log.ts';
import { type EmailKey, registerAuditLogRoutes } from './routes.ts';
import { AuditRecord } from './schema.ts';

type Options = { db: Database; access: Access; emailKey: EmailKey } & Parameters<typeof createAuditTasks>[0];

export const createAuditLog = ({ db, access, emailKey, ...options }: Options): Feature => ({
  routes: (server) => registerAuditLogRoutes(server, { db, access, emailKey }),
  personalData: [{ name: 'audit_records', schema: AuditRecord, read: (person) => readRecordsAbout(db, person) }],
  tasks: createAuditTasks(options),
});
