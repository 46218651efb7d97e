// The HTTP of deliveries.
import { type Static, Type } from 'typebox';
import { type Access, partnerOnly } from '../../../access/index.ts';
import { sendRepresentation } from '../../../base/http/entity-tag.ts';
import { requireKnownFilters, sendList } from '../../../base/http/lists.ts';
import { actionHeaders, readHeaders } from '../../../base/http/request-headers.ts';
import { PathId } from '../../../base/http/schemas.ts';
import { serializer } from '../../../base/http/serialization.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { readIdempotencyKey, sendAnswerWithoutTag } from '../../../base/idempotency/index.ts';
import type { Deliveries } from './deliveries.ts';
import * as wire from './schema.ts';
import { readFilter, type WireFilter } from './search/filter.ts';
import { deliveryRead } from './store.ts';

const toJson = serializer(wire.Delivery);
const toJsonWithAttempts = serializer(wire.DeliveryWithAttempts);

type Query = Static<typeof wire.DeliveryCountQuery>;

const toFilter = (query: Query): WireFilter => ({
  status: query['filter[status]'],
  state: query['filter[state]'],
  environment: query['filter[environment]'],
  endpoint_id: query['filter[endpoint_id]'],
  event_id: query['filter[event_id]'],
  event_type: query['filter[event_type]'],
  created_at: query['filter[created_at]'],
  status_code: query['filter[status_code]'],
  reason: query['filter[reason]'],
  attempt_count: query['filter[attempt_count]'],
  attempt_outcome: query['filter[attempt_outcome]'],
});

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
      return sendList(request, reply, {
        definition: wire.deliveryList,
        source: deliveries.list(list.granted(request), toFilter(request.query)),
        toJson,
      });
    },
  );

  const count = access.onPartner({ resource: 'deliveries', method: 'query' }, partnerOnly);
  server.get(
    '/partners/:id/delivery-counts',
    {
      onRequest: count.hook,
      schema: {
        ...common,
        operationId: 'countDeliveries',
        summary: 'Count the deliveries that match a filter',
        description:
          'Says what a replay and a send-now of the same filters would do. It examines 100,000 deliveries at most.',
        params: Type.Object({ id: PathId('The partner') }),
        querystring: wire.DeliveryCountQuery,
        response: { 200: wire.DeliveryCounts },
      },
    },
    (request) => {
      requireKnownFilters(request.query, Object.keys(wire.deliveryList.filters));
      return deliveries.count(
        count.granted(request),
        readFilter(toFilter(request.query), (name) => `/filter[${name}]`),
      );
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
    async (request, reply) =>
      sendRepresentation(request, reply, toJsonWithAttempts(await deliveries.get(get.granted(request)))),
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

  server.post(
    '/partners/:id/deliveries/:delivery_id/send-now',
    {
      onRequest: replay.hook,
      schema: {
        ...common,
        operationId: 'sendDeliveryNow',
        headers: actionHeaders,
        summary: 'Send a pending delivery now',
        description:
          'Makes its next attempt due. Earlier attempts still count, and a failure is retried by the schedule. At a strict endpoint the deliveries before it go first. A delivery that is not pending, or whose endpoint is paused or disabled, is 400.',
        params: wire.DeliveryPath,
        response: { 200: wire.Delivery },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswerWithoutTag(
        reply,
        await deliveries.sendNow(replay.granted(request), key, request.headers['if-match']),
      );
    },
  );
}
