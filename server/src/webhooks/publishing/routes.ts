// The HTTP of events.
import { type Static, Type } from 'typebox';
import { type Access, partnerOnly } from '../../access/index.ts';
import { sendRepresentation } from '../../base/http/entity-tag.ts';
import { textOf } from '../../base/http/json-body.ts';
import { sendList } from '../../base/http/lists.ts';
import { rawBodyOf, readByHandler } from '../../base/http/raw-body.ts';
import { actionHeaders, idempotentHeaders, readHeaders } from '../../base/http/request-headers.ts';
import { PathId } from '../../base/http/schemas.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readIdempotencyKey, sendAnswerWithoutTag } from '../../base/idempotency/index.ts';
import { EndpointPath } from '../endpoints/schema.ts';
import { endpointRead } from '../endpoints/store.ts';
import type { Events } from './events.ts';
import * as wire from './schema.ts';
import type { WireFilter } from './search/filter.ts';
import { eventRead } from './store.ts';

const toFilter = (query: Static<typeof wire.EventListQuery>): WireFilter => ({
  environment: query['filter[environment]'],
  type: query['filter[type]'],
  created_at: query['filter[created_at]'],
  id: query['filter[id]'],
  producer_id: query['filter[producer_id]'],
  text: query['filter[text]'],
});

type Options = { events: Events; access: Access };

export function registerEventRoutes(server: HttpServer, { events, access }: Options): void {
  const common = {
    tags: ['Events'],
    security: [{ bearer: [] }],
    params: Type.Object({ id: PathId('The partner') }),
  };
  const post = access.onPartner({ resource: 'events', method: 'post' }, partnerOnly);

  server.post(
    '/partners/:id/events',
    {
      onRequest: post.hook,
      bodyLimit: 256 * 1024,
      schema: {
        ...common,
        operationId: 'publishEvent',
        headers: idempotentHeaders,
        summary: 'Publish an event',
        description:
          'Answers when the event and all its deliveries are committed. The body has at most 256 KiB.',
        body: wire.PublishEvent,
        response: { 202: wire.Event },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request, textOf(request.body));
      const answer = await events.publish(post.granted(request), request.body, key);
      return sendAnswerWithoutTag(reply, answer);
    },
  );

  server.post(
    '/partners/:id/events/batch',
    {
      onRequest: post.hook,
      bodyLimit: 4 * 1024 * 1024,
      schema: {
        ...common,
        operationId: 'publishEvents',
        headers: idempotentHeaders,
        summary: 'Publish a batch of events',
        description: 'Publishes all events or none. The body has at most 1,000 events and 4 MiB.',
        body: readByHandler(wire.PublishEvents),
        response: { 202: Type.Array(wire.Event) },
      },
    },
    async (request, reply) => {
      const body = rawBodyOf(request);
      const key = readIdempotencyKey(request, body);
      const answer = await events.publishBatch(post.granted(request), body, key);
      return sendAnswerWithoutTag(reply, answer);
    },
  );

  const feed = access.onPartner({ resource: 'events', method: 'query' }, partnerOnly);
  server.get(
    '/partners/:id/events',
    {
      onRequest: feed.hook,
      schema: {
        ...common,
        operationId: 'listEvents',
        summary: 'Read the feed of events',
        description:
          'Lists events in the order of publishing. `page_from` also takes the id of the last event that you have.',
        querystring: wire.EventListQuery,
        response: { 200: Type.Array(wire.Event) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.eventList,
        source: events.feed(feed.granted(request), toFilter(request.query)),
        toJson: ({ json }) => json,
      }),
  );

  const get = access.onPartner({ resource: 'events', method: 'get' }, eventRead);
  server.get(
    '/partners/:id/events/:event_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getEvent',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get an event with its deliveries',
        description: '`deliveries` is null for a caller without the permission `deliveries.query`.',
        params: wire.EventPath,
        response: { 200: wire.EventWithDeliveries },
      },
    },
    async (request, reply) => sendRepresentation(request, reply, await events.get(get.granted(request))),
  );

  const test = access.onPartner({ resource: 'webhook_endpoints', method: 'post' }, endpointRead);
  server.post(
    '/partners/:id/webhook-endpoints/:endpoint_id/test',
    {
      onRequest: test.hook,
      schema: {
        tags: ['Webhook endpoints'],
        security: [{ bearer: [] }],
        operationId: 'testWebhookEndpoint',
        headers: actionHeaders,
        summary: 'Send a test event to a sandbox endpoint',
        description:
          'Publishes the example of an event type to this endpoint only, also of a type that the endpoint does not want. ' +
          'The body can be left out: the type is then the first one that the endpoint wants.',
        params: EndpointPath,
        body: wire.TestEndpoint,
        response: { 202: wire.Event },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const options = { type: request.body?.type, ifMatch: request.headers['if-match'] };
      return sendAnswerWithoutTag(reply, await events.publishTest(test.granted(request), key, options));
    },
  );
}
