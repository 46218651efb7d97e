// The HTTP of webhook endpoints.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../access/index.ts';
import type { Method } from '../../access/permissions/index.ts';
import { sendRepresentation } from '../../base/http/entity-tag.ts';
import { sendList } from '../../base/http/lists.ts';
import {
  actionHeaders,
  changeHeaders,
  idempotentHeaders,
  readHeaders,
} from '../../base/http/request-headers.ts';
import { PathId } from '../../base/http/schemas.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../../base/idempotency/index.ts';
import type { Endpoints } from './endpoints.ts';
import * as wire from './schema.ts';
import { endpointRead } from './store.ts';

const toJson = serializer(wire.Endpoint);

type Options = { endpoints: Endpoints; access: Access };

export function registerEndpointRoutes(server: HttpServer, { endpoints, access }: Options): void {
  const tags = { tags: ['Webhook endpoints'], security: [{ bearer: [] }] };
  const inPartner = { ...tags, params: Type.Object({ id: PathId('The partner') }) };
  const common = { ...tags, params: wire.EndpointPath };
  const all = (method: Method) => access.onPartner({ resource: 'webhook_endpoints', method }, partnerOnly);
  const one = (method: Method) => access.onPartner({ resource: 'webhook_endpoints', method }, endpointRead);

  const list = all('query');
  server.get(
    '/partners/:id/webhook-endpoints',
    {
      onRequest: list.hook,
      schema: {
        ...inPartner,
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'The URLs that receive webhooks of the partner, with the state of each.',
        querystring: wire.EndpointListQuery,
        response: { 200: Type.Array(wire.Endpoint) },
      },
    },
    async (request, reply) => {
      const {
        'filter[environment]': environment,
        'filter[status]': status,
        'filter[state]': state,
      } = request.query;
      const filter = { environment, status, state, text: request.query['filter[text]'] };
      return sendList(request, reply, {
        definition: wire.endpointList,
        source: await endpoints.list(list.granted(request), filter),
        toJson,
      });
    },
  );

  const create = all('post');
  server.post(
    '/partners/:id/webhook-endpoints',
    {
      onRequest: create.hook,
      schema: {
        ...inPartner,
        operationId: 'createWebhookEndpoint',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Create a webhook endpoint',
        description: 'The endpoint gets events that are published from now on.',
        body: wire.CreateEndpoint,
        response: { 201: wire.Endpoint },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await endpoints.create(create.granted(request), request.body, key));
    },
  );

  const get = one('get');
  server.get(
    '/partners/:id/webhook-endpoints/:endpoint_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getWebhookEndpoint',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get a webhook endpoint',
        description: 'One endpoint with its state and limits. Of its headers, only the names are shown.',
        response: { 200: wire.Endpoint },
      },
    },
    async (request, reply) => sendRepresentation(request, reply, toJson(endpoints.get(get.granted(request)))),
  );

  const update = one('patch');
  server.patch(
    '/partners/:id/webhook-endpoints/:endpoint_id',
    {
      onRequest: update.hook,
      schema: {
        ...common,
        operationId: 'updateWebhookEndpoint',
        headers: changeHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Update a webhook endpoint',
        description:
          'Changes only the members that are given. An endpoint with headers that moves to another origin needs `headers` too.',
        consumes: ['application/json', 'application/merge-patch+json'],
        body: wire.UpdateEndpoint,
        response: { 200: wire.Endpoint },
      },
    },
    async (request, reply) => {
      const endpoint = await endpoints.update(
        update.granted(request),
        request.body,
        request.headers['if-match'],
      );
      return sendRepresentation(request, reply, toJson(endpoint));
    },
  );

  const act = one('post');
  server.post(
    '/partners/:id/webhook-endpoints/:endpoint_id/pause',
    {
      onRequest: act.hook,
      schema: {
        ...common,
        operationId: 'pauseWebhookEndpoint',
        headers: actionHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Pause a webhook endpoint',
        description: 'Its deliveries wait until it is resumed. A disabled endpoint cannot be paused.',
        response: { 200: wire.Endpoint },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(
        request,
        reply,
        await endpoints.pause(act.granted(request), key, request.headers['if-match']),
      );
    },
  );

  server.post(
    '/partners/:id/webhook-endpoints/:endpoint_id/resume',
    {
      onRequest: act.hook,
      schema: {
        ...common,
        operationId: 'resumeWebhookEndpoint',
        headers: actionHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Resume a webhook endpoint',
        description:
          'Sends the deliveries that became due. With `send_now`, also those that wait for a retry: this needs the permission `deliveries.post`. ' +
          'Also enables a disabled endpoint. The body can be left out.',
        body: wire.ResumeEndpoint,
        response: { 200: wire.Endpoint },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const options = { ifMatch: request.headers['if-match'], sendNow: request.body?.send_now ?? false };
      return sendAnswer(request, reply, await endpoints.resume(act.granted(request), key, options));
    },
  );

  const remove = one('delete');
  server.delete(
    '/partners/:id/webhook-endpoints/:endpoint_id',
    {
      onRequest: remove.hook,
      schema: {
        ...common,
        operationId: 'deleteWebhookEndpoint',
        headers: changeHeaders,
        summary: 'Delete a webhook endpoint',
        description: 'Nothing is sent to the endpoint any more.',
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await endpoints.delete(remove.granted(request), request.headers['if-match']);
      return reply.code(204).send(null);
    },
  );
}
