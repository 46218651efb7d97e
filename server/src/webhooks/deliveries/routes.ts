// The HTTP of deliveries.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../access/index.ts';
import { sendRepresentation } from '../../http/entity-tag.ts';
import { sendList } from '../../http/lists.ts';
import { actionHeaders, readHeaders } from '../../http/request-headers.ts';
import { PathId } from '../../http/schemas.ts';
import { serializer } from '../../http/serialization.ts';
import type { HttpServer } from '../../http/server.ts';
import { readIdempotencyKey, sendAnswerWithoutTag } from '../../idempotency/index.ts';
import type { Deliveries } from './deliveries.ts';
import * as wire from './schema.ts';
import { deliveryRead } from './store.ts';

const toJson = serializer(wire.Delivery);
const toJsonWithAttempts = serializer(wire.DeliveryWithAttempts);

type Options = { deliveries: Deliveries; access: Access };

export function registerDeliveryRoutes(server: HttpServer, { deliveries, access }: Options): void {
  const common = { tags: ['Deliveries'], security: [{ bearer: [] }] };

  const list = access.onPartner({ resource: 'deliveries', method: 'query' }, partnerOnly);
  server.get(
    '/partners/:id/deliveries',
    {
      onRequest: list.hook,
      schema: {
        ...common,
        operationId: 'listDeliveries',
        summary: 'List deliveries',
        description: 'One delivery for each event and endpoint, with its state and its next attempt.',
        params: Type.Object({ id: PathId('The partner') }),
        querystring: wire.DeliveryListQuery,
        response: { 200: Type.Array(wire.Delivery) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = {
        status: query['filter[status]'],
        environment: query['filter[environment]'],
        endpoint_id: query['filter[endpoint_id]'],
        event_id: query['filter[event_id]'],
        event_type: query['filter[event_type]'],
        created_at: query['filter[created_at]'],
        status_code: query['filter[status_code]'],
        reason: query['filter[reason]'],
        attempt_count: query['filter[attempt_count]'],
      };
      return sendList(request, reply, {
        definition: wire.deliveryList,
        source: deliveries.list(list.granted(request), filter),
        toJson,
      });
    },
  );

  const get = access.onPartner({ resource: 'deliveries', method: 'get' }, deliveryRead);
  server.get(
    '/partners/:id/deliveries/:delivery_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getDelivery',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get a delivery with its attempts',
        description: 'The attempts show the status, the duration and the error of each request.',
        params: wire.DeliveryPath,
        response: { 200: wire.DeliveryWithAttempts },
      },
    },
    async (request, reply) => sendRepresentation(request, reply, toJsonWithAttempts(await deliveries.get(get.granted(request)))),
  );

  const replay = access.onPartner({ resource: 'deliveries', method: 'post' }, deliveryRead);
  server.post(
    '/partners/:id/deliveries/:delivery_id/replay',
    {
      onRequest: replay.hook,
      schema: {
        ...common,
        operationId: 'replayDelivery',
        headers: actionHeaders,
        summary: 'Replay a delivery',
        description:
          'Starts a new round of attempts of the same delivery, even if it was delivered. A pending delivery stays as it is. A delivery to a disabled endpoint is 400.',
        params: wire.DeliveryPath,
        response: { 200: wire.Delivery },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const answer = await deliveries.replay(replay.granted(request), key, request.headers['if-match']);
      // Without an ETag, since the representation of a GET includes the attempts.
      return sendAnswerWithoutTag(reply, answer);
    },
  );
}
