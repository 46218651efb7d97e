// The HTTP of events.
import { Type } from 'typebox';
import { type Access, createRoutes, partnerOnly } from '../../access/index.ts';
import { textOf } from '../../base/http/json-body.ts';
import { rawBodyOf, readByHandler } from '../../base/http/raw-body.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { endpointRead } from '../endpoints/store.ts';
import type { Events } from './events.ts';
import type { Feed } from './feed.ts';
import type { CheckOfFilter } from './filter-check.ts';
import * as wire from './schema.ts';
import { eventRead } from './store.ts';

type Options = { events: Events; feed: Feed; checkFilter: CheckOfFilter; access: Access };

export function registerEventRoutes(server: HttpServer, { events, feed, access }: Options): void {
  const routes = createRoutes(server, 'Events');
  const post = { resource: 'events', method: 'post' } as const;

  routes.create('/partners/:id/events', {
    namesPerson: false,
    operationId: 'publishEvent',
    summary: 'Publish an event',
    description: 'Answers when the event and all its deliveries are committed. The body has at most 256 KiB.',
    access: access.onPartnerAgain(post),
    bodyLimit: 256 * 1024,
    body: wire.PublishEvent,
    status: 202,
    answer: wire.Event,
    tagged: false,
    content: ({ body }) => textOf(body as object),
    run: ({ granted, body, key }) => events.publish(granted, body, key),
  });

  routes.create('/partners/:id/events/batch', {
    namesPerson: false,
    operationId: 'publishEvents',
    summary: 'Publish a batch of events',
    description: 'Publishes all events or none. The body has at most 1,000 events and 4 MiB.',
    access: access.onPartner(post, partnerOnly),
    bodyLimit: 4 * 1024 * 1024,
    body: readByHandler(wire.PublishEvents),
    status: 202,
    answer: Type.Array(wire.Event),
    tagged: false,
    content: rawBodyOf,
    run: ({ granted, request, key }) => events.publishBatch(granted, rawBodyOf(request), key),
  });

  routes.list('/partners/:id/events', {
    operationId: 'listEvents',
    summary: 'Read the feed of events',
    description:
      'Lists events in the order of publishing. `page_from` also takes the id of the last event that you have.',
    access: access.onPartner({ resource: 'events', method: 'query' }, partnerOnly),
    definition: wire.eventList,
    item: wire.Event,
    toJson: ({ json }: { id: string; json: string }) => json,
    run: ({ granted, filter }) => feed.list(granted, filter),
  });

  routes.read('/partners/:id/events/:event_id', {
    operationId: 'getEvent',
    summary: 'Get an event with its deliveries',
    description: '`deliveries` is null for a caller without the permission `deliveries.query`.',
    access: access.onPartner({ resource: 'events', method: 'get' }, eventRead),
    answer: wire.EventWithDeliveries,
    run: async ({ granted }) => ({ json: await feed.get(granted) }),
  });
}

/** Tries what an endpoint gets: a test event, and a filter. */
export function registerTrialRoutes(server: HttpServer, { events, checkFilter, access }: Options): void {
  const routes = createRoutes(server, 'Webhook endpoints');

  routes.act('/partners/:id/webhook-endpoints/:endpoint_id/test', {
    namesPerson: false,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event to a sandbox endpoint',
    description:
      'Publishes the example of an event type, or your data, to this endpoint only, also of a type that the endpoint does not want. ' +
      'The body can be left out: the type is then the first one that the endpoint wants.',
    access: access.onPartner({ resource: 'webhook_endpoints', method: 'post' }, endpointRead),
    body: wire.TestEndpoint,
    status: 202,
    answer: wire.Event,
    tagged: false,
    run: ({ granted, key, body, ifMatch }) => events.publishTest(granted, key, { body, ifMatch }),
  });

  routes.plain('POST', '/partners/:id/webhook-endpoints/filter-check', {
    operationId: 'checkFilter',
    summary: 'Check a filter against past events',
    description:
      'Says how many of the last 1,000 events of the partner match the filter. Changes nothing. Also needs the permission `events.query`.',
    access: access.onPartner({ resource: 'webhook_endpoints', method: 'post' }, partnerOnly),
    body: wire.CheckFilter,
    answer: wire.FilterCheck,
    run: ({ granted, body }) => checkFilter(granted, body),
  });
}
