// The HTTP of what is held after a restore, for operators.
import { type Access, createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { chooseHeld, readHeld } from './held-deliveries.ts';
import { ChooseHeld, HeldDeliveries } from './schema.ts';

type Options = { db: Database; access: Access };

export function registerHeldRoutes(server: HttpServer, { db, access }: Options): void {
  const routes = createRoutes(server, 'Platform');

  routes.plain('GET', '/platform/held-deliveries', {
    operationId: 'getHeldDeliveries',
    summary: 'Get what is held after a restore (operators)',
    description:
      'Deliveries and mails that waited in a restored backup are held until an operator chooses: nobody can know which of them were sent since the backup.',
    access: access.onPlatform({ resource: 'deliveries', method: 'query' }),
    answer: HeldDeliveries,
    run: () => readHeld(db),
  });

  routes.plain('POST', '/platform/held-deliveries', {
    operationId: 'chooseHeldDeliveries',
    summary: 'Send or fail what is held after a restore (operators)',
    description:
      'The work runs in the background. GET shows its progress. Another choice changes what is still held.',
    access: access.onPlatform({ resource: 'deliveries', method: 'post' }),
    body: ChooseHeld,
    status: 202,
    answer: HeldDeliveries,
    run: ({ granted: { actor, recheck }, body }) =>
      db.transaction(async (tx) => {
        await recheck(tx);
        await chooseHeld(tx, actor, body.choice);
        return readHeld(tx);
      }),
  });
}
