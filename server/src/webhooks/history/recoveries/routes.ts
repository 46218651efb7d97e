// The HTTP of recoveries.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Access } from '../../../access/index.ts';
import { sendRepresentation } from '../../../base/http/entity-tag.ts';
import { sendList } from '../../../base/http/lists.ts';
import { actionHeaders, idempotentHeaders, readHeaders } from '../../../base/http/request-headers.ts';
import { serializer } from '../../../base/http/serialization.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { type Answer, readIdempotencyKey } from '../../../base/idempotency/index.ts';
import { EndpointPath } from '../../endpoints/schema.ts';
import { endpointRead } from '../../endpoints/store.ts';
import type { Recoveries } from './recoveries.ts';
import * as wire from './schema.ts';
import { recoveryRead } from './store.ts';

const toJson = serializer(wire.Recovery);

const sendAnswer = (request: FastifyRequest, reply: FastifyReply, { status, headers, json }: Answer) =>
  sendRepresentation(request, reply.code(status).headers(headers), json);

type Options = { recoveries: Recoveries; access: Access };

export function registerRecoveryRoutes(server: HttpServer, { recoveries, access }: Options): void {
  const common = { tags: ['Deliveries'], security: [{ bearer: [] }] };

  const start = access.onPartner({ resource: 'deliveries', method: 'post' }, endpointRead);
  server.post(
    '/partners/:id/webhook-endpoints/:endpoint_id/recover',
    {
      onRequest: start.hook,
      schema: {
        ...common,
        operationId: 'startRecovery',
        headers: actionHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Replay all failed deliveries of a period',
        description: 'Starts a recovery, which runs in the background. GET it to see its progress.',
        params: EndpointPath,
        body: wire.StartRecovery,
        response: { 202: wire.Recovery },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request, { namesPerson: false });
      const answer = await recoveries.start(
        start.granted(request),
        request.body,
        key,
        request.headers['if-match'],
      );
      return sendAnswer(request, reply, answer);
    },
  );

  const list = access.onPartner({ resource: 'deliveries', method: 'query' }, endpointRead);
  server.get(
    '/partners/:id/webhook-endpoints/:endpoint_id/recover',
    {
      onRequest: list.hook,
      schema: {
        ...common,
        operationId: 'listRecoveries',
        summary: 'List the recoveries of an endpoint',
        description: 'The recoveries of the endpoint, running and completed.',
        params: EndpointPath,
        querystring: wire.RecoveryListQuery,
        response: { 200: Type.Array(wire.Recovery) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.recoveryList,
        source: recoveries.list(list.granted(request)),
        toJson,
      }),
  );

  const get = access.onPartner({ resource: 'deliveries', method: 'get' }, recoveryRead);
  server.get(
    '/partners/:id/webhook-endpoints/:endpoint_id/recover/:job_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getRecovery',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get a recovery',
        description: 'How many deliveries the recovery replays, and how many it has replayed so far.',
        params: wire.RecoveryPath,
        response: { 200: wire.Recovery },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, toJson(recoveries.get(get.granted(request)))),
  );

  const stop = access.onPartner({ resource: 'deliveries', method: 'post' }, recoveryRead);
  server.post(
    '/partners/:id/webhook-endpoints/:endpoint_id/recover/:job_id/stop',
    {
      onRequest: stop.hook,
      schema: {
        ...common,
        operationId: 'stopRecovery',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Stop a recovery',
        description:
          'What it has replayed so far goes out. The rest stays failed. A recovery that has ended stays as it is.',
        params: wire.RecoveryPath,
        response: { 200: wire.Recovery },
      },
    },
    async (request, reply) =>
      sendAnswer(
        request,
        reply,
        await recoveries.stop(stop.granted(request), readIdempotencyKey(request, { namesPerson: false })),
      ),
  );
}
