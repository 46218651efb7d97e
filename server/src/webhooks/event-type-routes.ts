// The HTTP of event types.
import { Type } from 'typebox';
import { type Access, grantedTo } from '../agreements/index.ts';
import { Text } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import type { EventTypes } from './event-types.ts';

const closed = { additionalProperties: false };
const content = {
  description: Text(2_000),
  schema: Type.Object({}, { description: 'JSON Schema (draft 2020-12) of `data`', additionalProperties: true }),
  example: Type.Unknown({ description: 'Data that fits' }),
};
const EventType = Type.Object({ name: Type.String(), ...content }, { title: 'EventType', ...closed });

type Options = { eventTypes: EventTypes; access: Access };

export function registerEventTypeRoutes(server: HttpServer, { eventTypes, access }: Options): void {
  const common = { tags: ['Event types'], security: [{ bearer: [] }] };
  server.get(
    '/event-types',
    {
      onRequest: access.signedIn,
      schema: { ...common, summary: 'List what events there can be', response: { 200: Type.Array(EventType) } },
    },
    () => eventTypes.list(),
  );
  server.put(
    '/event-types/:name',
    {
      onRequest: access.onPlatform(null),
      schema: {
        ...common,
        summary: 'Add an event type, or change it (operators)',
        params: Type.Object({ name: Type.String({ maxLength: 100, pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$' }) }, closed),
        body: Type.Object(content, closed),
        response: { 200: EventType },
      },
    },
    (request) => eventTypes.put(grantedTo(request), { name: request.params.name, ...request.body }),
  );
}
