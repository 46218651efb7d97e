// The HTTP of replays.
import { type Access, createRoutes, partnerOnly } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import type { Replays } from './replays.ts';
import * as wire from './schema.ts';
import { replayRead, toReplay } from './store.ts';

export function registerReplayRoutes(
  server: HttpServer,
  { replays, access }: { replays: Replays; access: Access },
): void {
  const routes = createRoutes(server, 'Deliveries');
  const start = access.onPartner({ resource: 'deliveries', method: 'post' }, partnerOnly);

  routes.create('/partners/:id/deliveries/replay', {
    namesPerson: false,
    operationId: 'startReplay',
    summary: 'Replay all deliveries that match a filter',
    description:
      'Starts a replay, which runs in the background. The body has at least one filter. GET it to see its progress.',
    access: start,
    body: wire.StartReplay,
    status: 202,
    headers: ['Location'],
    answer: wire.Replay,
    run: ({ granted, body, key }) => replays.start(granted, 'replay', body, key),
  });

  routes.create('/partners/:id/deliveries/send-now', {
    namesPerson: false,
    operationId: 'startSendNow',
    summary: 'Send now all pending deliveries that match a filter',
    description:
      'Starts a send-now, a replay with the action `send_now`. It makes the next attempt of each delivery due, and runs in the background. ' +
      'The body has at least one filter, or `delivery_ids`. With `endpoint_id` alone it sends what waits for an endpoint.',
    access: start,
    body: wire.StartSendNow,
    status: 202,
    headers: ['Location'],
    answer: wire.Replay,
    run: ({ granted, body, key }) => replays.start(granted, 'send_now', body, key),
  });

  routes.list('/partners/:id/replays', {
    operationId: 'listReplays',
    summary: 'List replays and send-nows',
    description: 'The replays and send-nows of the partner, running and completed.',
    access: access.onPartner({ resource: 'deliveries', method: 'query' }, partnerOnly),
    definition: wire.replayList,
    item: wire.Replay,
    run: ({ granted }) => replays.list(granted),
  });

  routes.read('/partners/:id/replays/:replay_id', {
    operationId: 'getReplay',
    summary: 'Get a replay or a send-now',
    description:
      'How many deliveries match, and how many of them have been replayed or sent now, and skipped, so far.',
    access: access.onPartner({ resource: 'deliveries', method: 'get' }, replayRead),
    answer: wire.Replay,
    run: ({ granted }) => toReplay(granted.row),
  });

  routes.create('/partners/:id/replays/:replay_id/stop', {
    namesPerson: false,
    operationId: 'stopReplay',
    summary: 'Stop a replay or a send-now',
    description:
      'Deliveries that it has replayed or sent now go out. The rest stays as it is, and so does a replay that has ended.',
    access: access.onPartner({ resource: 'deliveries', method: 'post' }, replayRead),
    status: 200,
    answer: wire.Replay,
    run: ({ granted, key }) => replays.stop(granted, key),
  });
}
