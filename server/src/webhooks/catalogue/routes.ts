// The HTTP of event types.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { EventTypes } from './event-types.ts';
import {
  CheckEventType,
  EventType,
  EventTypeCheck,
  EventTypePath,
  PutEventType,
  PutEventTypeQuery,
} from './schema.ts';

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
        description:
          'The built-in types and those that operators have added, each with the JSON Schema of its data.',
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
        description:
          'A built-in type cannot be replaced. A schema that refuses any of the last 1,000 events of the type needs `force=true`.',
        params: EventTypePath,
        querystring: PutEventTypeQuery,
        body: PutEventType,
        response: { 200: EventType },
      },
    },
    (request) => {
      const type = { name: request.params.name, ...request.body };
      return eventTypes.put(operators.granted(request), type, request.query.force === true);
    },
  );
  server.post(
    '/event-types/:name/check',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'checkEventType',
        summary: 'Check a schema against the last events of a type (operators)',
        description:
          'Says which of the last 1,000 events of the type, of all partners, do not fit the schema. Changes nothing.',
        'x-errors': [404],
        params: EventTypePath,
        body: CheckEventType,
        response: { 200: EventTypeCheck },
      },
    },
    (request) => eventTypes.check(request.params.name, request.body.schema),
  );
}
