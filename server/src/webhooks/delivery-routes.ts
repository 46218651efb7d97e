// The HTTP of deliveries and recoveries.
import { Type } from 'typebox';
import { type Access, grantedTo, membershipRead, type Read } from '../agreements/index.ts';
import { sendRepresentation } from '../http/entity-tag.ts';
import { readIdempotencyKey, sendAnswer } from '../http/idempotency.ts';
import { sendList } from '../http/lists.ts';
import { PathId } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import type { Method } from '../permissions/index.ts';
import type { Deliveries } from './deliveries.ts';
import * as wire from './delivery-schema.ts';
import { deliveryRead } from './delivery-store.ts';
import { EndpointPath } from './endpoint-schema.ts';
import { endpointRead } from './endpoint-store.ts';
import type { Recoveries } from './recoveries.ts';
import { recoveryRead } from './recovery-store.ts';

type Options = { deliveries: Deliveries; recoveries: Recoveries; access: Access };

export function registerDeliveryRoutes(server: HttpServer, { deliveries, recoveries, access }: Options): void {
  const common = { tags: ['Deliveries'], security: [{ bearer: [] }] };
  const may = (method: Method, read: Read) => access.onPartner({ resource: 'deliveries', method }, read);

  server.get(
    '/partners/:id/deliveries',
    {
      onRequest: may('query', membershipRead),
      schema: {
        ...common,
        summary: 'List deliveries',
        params: Type.Object({ id: PathId('The partner') }),
        querystring: wire.DeliveryListQuery,
        response: { 200: Type.Array(wire.Delivery) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = {
        status: query['filter[status]'],
        endpointId: query['filter[endpoint_id]'],
        eventId: query['filter[event_id]'],
        eventType: query['filter[event_type]'],
        createdAt: query['filter[created_at]'],
      };
      return sendList(request, reply, {
        definition: wire.deliveryList,
        source: deliveries.list(grantedTo(request), filter),
        item: wire.Delivery,
      });
    },
  );

  server.get(
    '/partners/:id/deliveries/:delivery_id',
    {
      onRequest: may('get', deliveryRead),
      schema: {
        ...common,
        summary: 'Get a delivery with its attempts',
        params: wire.DeliveryPath,
        response: { 200: wire.DeliveryWithAttempts },
      },
    },
    async (request, reply) => sendRepresentation(request, reply, await deliveries.get(grantedTo(request))),
  );

  server.post(
    '/partners/:id/deliveries/:delivery_id/replay',
    {
      onRequest: may('post', deliveryRead),
      schema: {
        ...common,
        summary: 'Send a delivery again',
        description:
          'A new round of attempts of the same delivery, whatever came of it before. One that is pending stays as it is.',
        params: wire.DeliveryPath,
        response: { 200: wire.Delivery },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const { status, headers, body } = await deliveries.replay(grantedTo(request), key, request.headers['if-match']);
      // Without an ETag: that of a GET is of the attempts too.
      return reply
        .code(status as 200)
        .headers(headers)
        .send(body as wire.Delivery);
    },
  );

  server.post(
    '/partners/:id/webhook-endpoints/:endpoint_id/recover',
    {
      onRequest: may('post', endpointRead),
      schema: {
        ...common,
        summary: 'Send all failed deliveries of a time again',
        description: 'It goes on in the background; GET it to see how far it is.',
        params: EndpointPath,
        body: wire.StartRecovery,
        response: { 202: wire.Recovery },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const answer = await recoveries.start(grantedTo(request), request.body, key, request.headers['if-match']);
      const { id, endpoint_id: endpointId } = request.params;
      const location = `/partners/${id}/webhook-endpoints/${endpointId}/recover/${(answer.body as wire.Recovery).id}`;
      return sendAnswer(request, reply.header('location', location), answer);
    },
  );

  server.get(
    '/partners/:id/webhook-endpoints/:endpoint_id/recover/:job_id',
    {
      onRequest: may('get', recoveryRead),
      schema: { ...common, summary: 'See how far a recovery is', params: wire.RecoveryPath, response: { 200: wire.Recovery } },
    },
    async (request, reply) => sendRepresentation(request, reply, recoveries.get(grantedTo(request))),
  );
}
