// The door of reading the audit log. What writes it is in audit/, which access rules need too.
import type { Access } from '../access/index.ts';
import type { Feature } from '../feature.ts';
import type { Database } from '../postgres/database.ts';
import { registerAuditLogRoutes } from './routes.ts';

type Options = { db: Database; access: Access };

export const createAuditLog = (options: Options): Feature => ({
  routes: (server) => registerAuditLogRoutes(server, options),
});
