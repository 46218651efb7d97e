// The HTTP of checkpoints.
import { type Access, createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { onePath } from '../endpoints/routes.ts';
import { endpointRead } from '../endpoints/store.ts';
import type { Checkpoints } from './checkpoints.ts';
import * as wire from './schema.ts';

type Options = { checkpoints: Checkpoints; access: Access };

export function registerCheckpointRoutes(server: HttpServer, { checkpoints, access }: Options): void {
  const routes = createRoutes(server, 'Deliveries');
  const path = `${onePath}/checkpoints` as const;
  const query = access.onPartner({ resource: 'deliveries', method: 'query' }, endpointRead);

  routes.list(path, {
    operationId: 'listCheckpoints',
    summary: 'List checkpoints',
    description: 'The signed statements of what was published for the endpoint, each after the one before.',
    access: query,
    definition: wire.checkpointList,
    item: wire.Checkpoint,
    run: ({ granted }) => checkpoints.list(granted),
  });

  routes.read(`${path}/:checkpoint_id`, {
    operationId: 'getCheckpoint',
    summary: 'Get a checkpoint',
    description: 'One signed statement.',
    access: access.onPartner({ resource: 'deliveries', method: 'get' }, endpointRead),
    answer: wire.Checkpoint,
    run: ({ granted, params }) => checkpoints.get(granted, params.checkpoint_id),
  });

  routes.list(`${path}/:checkpoint_id/deliveries`, {
    operationId: 'listCheckpointDeliveries',
    summary: 'List the deliveries that a checkpoint covers',
    description:
      'In the order in which their events are in the Merkle tree. `page_from` also takes the id of the last event that you have.',
    access: query,
    definition: wire.checkpointDeliveryList,
    item: wire.CheckpointDelivery,
    run: ({ granted, params }) => checkpoints.deliveries(granted, params.checkpoint_id),
  });
}
