// The HTTP of what was pending in a restored backup, for operators.
import type { Access } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { chooseRestored, readRestored } from './restored.ts';
import * as wire from './schema.ts';

export function registerRestoredRoutes(
  server: HttpServer,
  { db, access }: { db: Database; access: Access },
): void {
  const path = '/platform/held-deliveries';
  const common = { tags: ['Platform'], security: [{ bearer: [] }] };
  const read = access.onPlatform({ resource: 'deliveries', method: 'query' });
  server.get(
    path,
    {
      onRequest: read.hook,
      schema: {
        ...common,
        operationId: 'getHeldDeliveries',
        summary: 'Get what is held after a restore (operators)',
        description:
          'Deliveries and mails that waited in a restored backup are held until an operator chooses: nobody can know which of them were sent since the backup.',
        response: { 200: wire.Restored },
      },
    },
    () => readRestored(db),
  );

  const choose = access.onPlatform({ resource: 'deliveries', method: 'post' });
  server.post(
    path,
    {
      onRequest: choose.hook,
      schema: {
        ...common,
        operationId: 'chooseHeldDeliveries',
        summary: 'Send or fail what is held after a restore (operators)',
        description:
          'The work runs in the background. GET shows its progress. Another choice changes what is still held.',
        body: wire.ChooseRestored,
        response: { 202: wire.Restored },
      },
    },
    async (request, reply) => {
      const { actor, recheck } = choose.granted(request);
      const restored = await db.transaction(async (tx) => {
        await recheck(tx);
        await chooseRestored(tx, actor, request.body.choice);
        return readRestored(tx);
      });
      return reply.code(202).send(restored);
    },
  );
}
