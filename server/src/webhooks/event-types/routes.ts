// The HTTP of event types.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../http/server.ts';
import type { EventTypes } from './event-types.ts';
import { EventType, EventTypePath, PutEventType } from './schema.ts';

type Options = { eventTypes: EventTypes; access: Access };

export function registerEventTypeRoutes(server: HttpServer, { eventTypes, access }: Options): void {
  const common = { tags: ['Event types'], security: [{ bearer: [] }] };
  server.get(
    '/event-types',
    {
      onRequest: access.signedIn.hook,
      schema: {
        ...common,
        operationId: 'listEventTypes',
        summary: 'List event types',
        response: { 200: Type.Array(EventType) },
      },
    },
    () => eventTypes.list(),
  );
  const operators = access.onPlatform(null);
  server.put(
    '/event-types/:name',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'putEventType',
        summary: 'Create or replace an event type (operators)',
        params: EventTypePath,
        body: PutEventType,
        response: { 200: EventType },
      },
    },
    (request) => eventTypes.put(operators.granted(request), { name: request.params.name, ...request.body }),
  );
}
