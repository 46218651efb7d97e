// The HTTP of replays.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../../access/index.ts';
import { sendRepresentation } from '../../../base/http/entity-tag.ts';
import { sendList } from '../../../base/http/lists.ts';
import { idempotentHeaders, readHeaders } from '../../../base/http/request-headers.ts';
import { PathId } from '../../../base/http/schemas.ts';
import { serializer } from '../../../base/http/serialization.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../../../base/idempotency/index.ts';
import type { Replays } from './replays.ts';
import * as wire from './schema.ts';
import { replayRead } from './store.ts';

const toJson = serializer(wire.Replay);

type Options = { replays: Replays; access: Access };

export function registerReplayRoutes(server: HttpServer, { replays, access }: Options): void {
  const common = { tags: ['Deliveries'], security: [{ bearer: [] }] };
  const params = Type.Object({ id: PathId('The partner') });

  const start = access.onPartner({ resource: 'deliveries', method: 'post' }, partnerOnly);
  server.post(
    '/partners/:id/deliveries/replay',
    {
      onRequest: start.hook,
      schema: {
        ...common,
        operationId: 'startReplay',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Replay all deliveries that match a filter',
        description:
          'Starts a replay, which runs in the background. The body has at least one filter. GET it to see its progress.',
        params,
        body: wire.StartReplay,
        response: { 202: wire.Replay },
      },
    },
    async (request, reply) =>
      sendAnswer(
        request,
        reply,
        await replays.start(start.granted(request), request.body, readIdempotencyKey(request)),
      ),
  );

  server.post(
    '/partners/:id/deliveries/send-now',
    {
      onRequest: start.hook,
      schema: {
        ...common,
        operationId: 'startSendNow',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Send now all pending deliveries that match a filter',
        description:
          'Starts a send-now, a replay with the action `send_now`. It makes the next attempt of each delivery due, and runs in the background. ' +
          'The body has at least one filter, or `delivery_ids`. With `endpoint_id` alone it sends what waits for an endpoint.',
        params,
        body: wire.StartSendNow,
        response: { 202: wire.Replay },
      },
    },
    async (request, reply) =>
      sendAnswer(
        request,
        reply,
        await replays.startSendNow(start.granted(request), request.body, readIdempotencyKey(request)),
      ),
  );

  const list = access.onPartner({ resource: 'deliveries', method: 'query' }, partnerOnly);
  server.get(
    '/partners/:id/replays',
    {
      onRequest: list.hook,
      schema: {
        ...common,
        operationId: 'listReplays',
        summary: 'List replays and send-nows',
        description: 'The replays and send-nows of the partner, running and completed.',
        params,
        querystring: wire.ReplayListQuery,
        response: { 200: Type.Array(wire.Replay) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.replayList,
        source: replays.list(list.granted(request)),
        toJson,
      }),
  );

  const get = access.onPartner({ resource: 'deliveries', method: 'get' }, replayRead);
  server.get(
    '/partners/:id/replays/:replay_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getReplay',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get a replay or a send-now',
        description:
          'How many deliveries match, and how many of them have been replayed or sent now, and skipped, so far.',
        params: wire.ReplayPath,
        response: { 200: wire.Replay },
      },
    },
    async (request, reply) => sendRepresentation(request, reply, toJson(replays.get(get.granted(request)))),
  );

  const stop = access.onPartner({ resource: 'deliveries', method: 'post' }, replayRead);
  server.post(
    '/partners/:id/replays/:replay_id/stop',
    {
      onRequest: stop.hook,
      schema: {
        ...common,
        operationId: 'stopReplay',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Stop a replay or a send-now',
        description:
          'What it has replayed or sent now so far goes out. The rest stays as it is, and so does one that has ended.',
        params: wire.ReplayPath,
        response: { 200: wire.Replay },
      },
    },
    async (request, reply) =>
      sendAnswer(request, reply, await replays.stop(stop.granted(request), readIdempotencyKey(request))),
  );
}
