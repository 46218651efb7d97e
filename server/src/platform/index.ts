// The door of the platform: the status of the installation, and the sign of life of each instance.
import type { Access } from '../access/index.ts';
import type { Feature } from '../feature.ts';
import { PlatformStatus } from './schema.ts';
import { createSignOfLife } from './sign-of-life.ts';
import { createReadStatus, type StatusOptions } from './status.ts';
import { deleteDead } from './store.ts';

export { version } from './sign-of-life.ts';
export { type InstanceRow, selectDatabaseState, selectInstances } from './store.ts';

type Options = StatusOptions & Parameters<typeof createSignOfLife>[0] & { access: Access };

export function createPlatform({ access, ...options }: Options): Feature {
  const readStatus = createReadStatus(options);
  const { start, stop } = createSignOfLife(options);
  return {
    routes(server) {
      const operators = access.onPlatform({ resource: 'deliveries', method: 'query' });
      server.get(
        '/platform/status',
        {
          onRequest: operators.hook,
          schema: {
            tags: ['Platform'],
            security: [{ bearer: [] }],
            operationId: 'getPlatformStatus',
            summary: 'Get the status of the installation (operators)',
            description:
              'The version, the database, the running instances, the mail queue, the clocks, and the pending deliveries.',
            response: { 200: PlatformStatus },
          },
        },
        readStatus,
      );
    },
    tasks: [{ name: 'forget dead instances', intervalMs: 10 * 60_000, run: deleteDead }],
    start,
    stop,
  };
}
