// The HTTP of events.
import type { preValidationAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { type Access, grantedTo, membershipRead } from '../agreements/index.ts';
import { ServiceError } from '../errors.ts';
import { type Answer, readIdempotencyKey } from '../http/idempotency.ts';
import { textOf } from '../http/json-body.ts';
import { sendJson, sendList } from '../http/lists.ts';
import { PathId } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import * as wire from './event-schema.ts';
import type { Events } from './events.ts';

type Options = { events: Events; access: Access };

const mostEvents = 1_000;
const requireBatch: preValidationAsyncHookHandler = async ({ body }) => {
  if (Array.isArray(body) && body.length > mostEvents) {
    throw new ServiceError('invalid_request', {
      faults: [{ pointer: '', code: 'too_long', message: `must have ${mostEvents} items at most` }],
    });
  }
};

export function registerEventRoutes(server: HttpServer, { events, access }: Options): void {
  const common = { tags: ['Events'], security: [{ bearer: [] }], params: Type.Object({ id: PathId('The partner') }) };
  const mayPost = access.onPartner({ resource: 'events', method: 'post' }, membershipRead);
  const jsonOf = ({ body }: Answer) => (body as { text: string }).text;

  server.post(
    '/partners/:id/events',
    {
      onRequest: mayPost,
      bodyLimit: 256 * 1024,
      schema: {
        ...common,
        summary: 'Publish an event',
        description: 'When this answers, the event and all its deliveries are kept. At most 256 KiB.',
        body: wire.PublishEvent,
        response: { 202: wire.Event },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request, textOf(request.body));
      const answer = await events.publish(grantedTo(request), request.body, key);
      return sendJson(reply.code(202).headers(answer.headers), jsonOf(answer));
    },
  );

  server.post(
    '/partners/:id/events/batch',
    {
      onRequest: mayPost,
      bodyLimit: 4 * 1024 * 1024,
      // Before its schema is, which would list the faults of every item.
      preValidation: requireBatch,
      schema: {
        ...common,
        summary: 'Publish many events, all or none',
        description: 'At most 1,000 events and 4 MiB.',
        body: wire.PublishEvents,
        response: { 202: Type.Array(wire.Event) },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request, textOf(request.body));
      const answer = await events.publishBatch(grantedTo(request), request.body, key);
      return sendJson(reply.code(202).headers(answer.headers), jsonOf(answer));
    },
  );

  server.get(
    '/partners/:id/events',
    {
      onRequest: access.onPartner({ resource: 'events', method: 'query' }, membershipRead),
      schema: {
        ...common,
        summary: 'Read the feed of events',
        description:
          'In the order in which they were published; what appears later stands behind. `page_from` also takes the id of the last event that you have.',
        querystring: wire.EventListQuery,
        response: { 200: Type.Array(wire.Event) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.eventList,
        source: events.feed(grantedTo(request), request.query['filter[environment]']),
        item: wire.Event,
        write: ({ text }) => text,
      }),
  );
}
