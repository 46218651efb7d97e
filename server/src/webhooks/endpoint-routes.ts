// The HTTP of webhook endpoints.
import { Type } from 'typebox';
import { type Access, grantedTo, membershipRead } from '../agreements/index.ts';
import { sendRepresentation } from '../http/entity-tag.ts';
import { readIdempotencyKey, sendAnswer } from '../http/idempotency.ts';
import { sendJson, sendList } from '../http/lists.ts';
import { PathId } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import type { Method } from '../permissions/index.ts';
import * as wire from './endpoint-schema.ts';
import { endpointRead } from './endpoint-store.ts';
import type { Endpoints } from './endpoints.ts';
import { Event } from './event-schema.ts';

type Options = { endpoints: Endpoints; access: Access };

export function registerEndpointRoutes(server: HttpServer, { endpoints, access }: Options): void {
  const tags = { tags: ['Webhook endpoints'], security: [{ bearer: [] }] };
  const inPartner = { ...tags, params: Type.Object({ id: PathId('The partner') }) };
  const common = { ...tags, params: wire.EndpointPath };
  const may = (method: Method) => access.onPartner({ resource: 'webhook_endpoints', method }, membershipRead);
  const mayOne = (method: Method) => access.onPartner({ resource: 'webhook_endpoints', method }, endpointRead);

  server.get(
    '/partners/:id/webhook-endpoints',
    {
      onRequest: may('query'),
      schema: {
        ...inPartner,
        summary: 'List the webhook endpoints of a partner',
        querystring: wire.EndpointListQuery,
        response: { 200: Type.Array(wire.Endpoint) },
      },
    },
    async (request, reply) => {
      const { 'filter[environment]': environment, 'filter[status]': status } = request.query;
      return sendList(request, reply, {
        definition: wire.endpointList,
        source: endpoints.list(grantedTo(request), { environment, status }),
        item: wire.Endpoint,
      });
    },
  );

  server.post(
    '/partners/:id/webhook-endpoints',
    {
      onRequest: may('post'),
      schema: { ...inPartner, summary: 'Create a webhook endpoint', body: wire.CreateEndpoint, response: { 201: wire.Endpoint } },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const answer = await endpoints.create(grantedTo(request), request.body, key);
      const { id } = answer.body as wire.Endpoint;
      return sendAnswer(request, reply.header('location', `/partners/${request.params.id}/webhook-endpoints/${id}`), answer);
    },
  );

  server.get(
    '/partners/:id/webhook-endpoints/:endpoint_id',
    {
      onRequest: mayOne('get'),
      schema: { ...common, summary: 'Get a webhook endpoint', response: { 200: wire.Endpoint } },
    },
    async (request, reply) => sendRepresentation(request, reply, endpoints.get(grantedTo(request))),
  );

  server.patch(
    '/partners/:id/webhook-endpoints/:endpoint_id',
    {
      onRequest: mayOne('patch'),
      schema: {
        ...common,
        summary: 'Update a webhook endpoint',
        consumes: ['application/json', 'application/merge-patch+json'],
        body: wire.UpdateEndpoint,
        response: { 200: wire.Endpoint },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, await endpoints.update(grantedTo(request), request.body, request.headers['if-match'])),
  );

  for (const action of ['pause', 'resume'] as const) {
    server.post(
      `/partners/:id/webhook-endpoints/:endpoint_id/${action}`,
      {
        onRequest: mayOne('post'),
        schema: {
          ...common,
          summary: action === 'pause' ? 'Let deliveries wait' : 'Deliver again, also when it was disabled',
          response: { 200: wire.Endpoint },
        },
      },
      async (request, reply) => {
        const key = readIdempotencyKey(request);
        return sendAnswer(request, reply, await endpoints[action](grantedTo(request), key, request.headers['if-match']));
      },
    );
  }

  server.post(
    '/partners/:id/webhook-endpoints/:endpoint_id/test',
    {
      onRequest: mayOne('post'),
      schema: {
        ...common,
        summary: 'Send a test event to a sandbox endpoint',
        description: 'The example of a type that it wants, to this endpoint alone.',
        response: { 202: Event },
      },
    },
    async (request, reply) => {
      const answer = await endpoints.test(grantedTo(request), readIdempotencyKey(request), request.headers['if-match']);
      return sendJson(reply.code(202).headers(answer.headers), (answer.body as { text: string }).text);
    },
  );

  server.delete(
    '/partners/:id/webhook-endpoints/:endpoint_id',
    {
      onRequest: mayOne('delete'),
      schema: { ...common, summary: 'Delete a webhook endpoint', response: { 204: Type.Null({ description: 'Deleted' }) } },
    },
    async (request, reply) => {
      await endpoints.delete(grantedTo(request), request.headers['if-match']);
      return reply.code(204).send(null);
    },
  );
}
