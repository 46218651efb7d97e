// The HTTP of event types.
import { Type } from 'typebox';
import { type Access, createRoutes } from '../../access/index.ts';
import { filterQuery } from '../../base/http/lists.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { exportTypes } from './documents/export.ts';
import type { ImportTypes } from './documents/imports.ts';
import { ExportedDocument, ExportQuery, ImportEventTypes, ImportPlan } from './documents/schema.ts';
import type { EventTypes } from './event-types.ts';
import * as wire from './schema.ts';

type Options = { eventTypes: EventTypes; importTypes: ImportTypes; access: Access };

/** All types at once: the list, and documents of them. */
export function registerCatalogueRoutes(
  server: HttpServer,
  { eventTypes, importTypes, access }: Options,
): void {
  const routes = createRoutes(server, 'Event types');

  routes.plain('GET', '/event-types', {
    operationId: 'listEventTypes',
    summary: 'List event types',
    description:
      'The built-in types and those that operators have added, each with the JSON Schema of its data. ' +
      'Private types are listed for those who have access to one of their partners.',
    access: access.signedIn,
    query: filterQuery(wire.eventTypeFilters),
    answer: Type.Array(wire.EventType),
    run: ({ granted, query }) => eventTypes.list(granted, query['filter[archived]'] === 'true'),
  });

  routes.plain('GET', '/event-types/export', {
    operationId: 'exportEventTypes',
    summary: 'Export the event types as a document',
    description:
      'The types of the list, as the webhooks of OpenAPI 3.1 or as AsyncAPI 3, with the envelope and the headers.',
    access: access.signedIn,
    query: ExportQuery,
    answer: ExportedDocument,
    run: async ({ granted, query }) =>
      exportTypes(await eventTypes.list(granted, false), query.format ?? 'openapi'),
  });

  routes.plain('POST', '/event-types/import', {
    operationId: 'importEventTypes',
    summary: 'Import event types from a document (operators)',
    description:
      'Answers with a plan, and changes nothing. With `apply` and the hash of that plan it applies exactly this plan, in one transaction, or nothing: 409. ' +
      'The body has at most 3 MiB.',
    access: access.onPlatform(null),
    errors: [409],
    bodyLimit: 3 * 1024 * 1024,
    body: ImportEventTypes,
    answer: ImportPlan,
    run: ({ granted, body }) => importTypes(granted, body),
  });
}

export function registerEventTypeRoutes(server: HttpServer, { eventTypes, access }: Options): void {
  const routes = createRoutes(server, 'Event types');
  const operators = access.onPlatform(null);

  routes.read('/event-types/:name', {
    operationId: 'getEventType',
    summary: 'Get an event type',
    description: 'Also an archived one.',
    access: access.signedIn,
    errors: [404],
    params: wire.EventTypePath,
    answer: wire.EventType,
    run: ({ granted, params }) => eventTypes.get(granted, params.name),
  });

  routes.change('/event-types/:name', {
    method: 'PUT',
    operationId: 'putEventType',
    summary: 'Create or replace an event type (operators)',
    description:
      'A built-in type cannot be replaced. A schema that refuses any of the last 1,000 events of the type needs `force=true`, ' +
      'and so does a change that takes the type away from endpoints which name it.',
    access: operators,
    params: wire.EventTypePath,
    query: wire.PutEventTypeQuery,
    body: wire.PutEventType,
    answer: wire.EventType,
    run: ({ granted, params, query, body, ifMatch }) =>
      eventTypes.put(granted, params.name, body, { force: query.force === true, ifMatch }),
  });

  routes.plain('POST', '/event-types/:name/check', {
    operationId: 'checkEventType',
    summary: 'Check a schema against the last events of a type (operators)',
    description:
      'Says which of the last 1,000 events of the type, of all partners, do not fit the schema. Changes nothing.',
    access: operators,
    errors: [404],
    params: wire.EventTypePath,
    body: wire.CheckEventType,
    answer: wire.EventTypeCheck,
    run: ({ params, body }) => eventTypes.check(params.name, body.schema),
  });
}
