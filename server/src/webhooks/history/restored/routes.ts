// The HTTP of what was pending in a restored backup, for operators.
import { type Access, createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { chooseRestored, readRestored } from './restored.ts';
import * as wire from './schema.ts';

export function registerRestoredRoutes(
  server: HttpServer,
  { db, access }: { db: Database; access: Access },
): void {
  const routes = createRoutes(server, 'Platform');

  routes.plain('GET', '/platform/held-deliveries', {
    operationId: 'getHeldDeliveries',
    summary: 'Get what is held after a restore (operators)',
    description:
      'Deliveries and mails that waited in a restored backup are held until an operator chooses: nobody can know which of them were sent since the backup.',
    access: access.onPlatform({ resource: 'deliveries', method: 'query' }),
    answer: wire.Restored,
    run: () => readRestored(db),
  });

  routes.plain('POST', '/platform/held-deliveries', {
    operationId: 'chooseHeldDeliveries',
    summary: 'Send or fail what is held after a restore (operators)',
    description:
      'The work runs in the background. GET shows its progress. Another choice changes what is still held.',
    access: access.onPlatform({ resource: 'deliveries', method: 'post' }),
    body: wire.ChooseRestored,
    status: 202,
    answer: wire.Restored,
    run: ({ granted: { actor, recheck }, body }) =>
      db.transaction(async (tx) => {
        await recheck(tx);
        await chooseRestored(tx, actor, body.choice);
        return readRestored(tx);
      }),
  });
}
