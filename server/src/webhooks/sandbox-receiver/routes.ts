// The HTTP of sandbox receivers: the operations of a partner, and the path that receives webhooks.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../access/index.ts';
import { ServiceError } from '../../errors.ts';
import { rawBodyOf, readByHandler } from '../../http/raw-body.ts';
import type { HttpServer } from '../../http/server.ts';
import { createLimit, type Window } from '../../limits/index.ts';
import type { Permission } from '../../permissions/index.ts';
import { maxBodyBytes, receiverPath } from './receiver.ts';
import type { Addressed, SandboxReceivers } from './receivers.ts';
import * as wire from './schema.ts';

type Options = { receivers: SandboxReceivers; access: Access; rateLimit: Window };

export function registerSandboxReceiverRoutes(server: HttpServer, { receivers, access, rateLimit }: Options): void {
  const common = { tags: ['Webhook endpoints'], security: [{ bearer: [] }], params: wire.ReceiverPath };
  const rule = (resource: Permission['resource'], method: Permission['method']) =>
    access.onPartner({ resource, method }, partnerOnly);
  const path = '/partners/:id/sandbox-receiver';

  const put = rule('webhook_endpoints', 'post');
  server.put(
    path,
    {
      onRequest: put.hook,
      schema: {
        ...common,
        operationId: 'putSandboxReceiver',
        summary: 'Create the sandbox receiver of a partner',
        description:
          'A URL of Concord itself that keeps the last 50 requests. A sandbox endpoint of the partner may have exactly this URL, even where webhooks may go to https and public addresses only. Repeating the request changes nothing.',
        response: { 200: wire.SandboxReceiver },
      },
    },
    (request) => receivers.put(put.granted(request)),
  );

  const get = rule('deliveries', 'get');
  server.get(
    path,
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getSandboxReceiver',
        summary: 'Get the sandbox receiver of a partner',
        'x-errors': [404],
        description: 'A URL of Concord that receives sandbox webhooks, for tests without a public URL of your own.',
        response: { 200: wire.SandboxReceiver },
      },
    },
    (request) => receivers.get(get.granted(request)),
  );

  const remove = rule('webhook_endpoints', 'delete');
  server.delete(
    path,
    {
      onRequest: remove.hook,
      schema: {
        ...common,
        operationId: 'deleteSandboxReceiver',
        summary: 'Delete the sandbox receiver of a partner',
        description: 'Also deletes the requests that it keeps. Endpoints with its URL stay, and their attempts fail.',
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await receivers.delete(remove.granted(request));
      return reply.code(204).send(null);
    },
  );

  const list = rule('deliveries', 'query');
  server.get(
    `${path}/requests`,
    {
      onRequest: list.hook,
      schema: {
        ...common,
        operationId: 'listSandboxReceiverRequests',
        summary: 'List what the sandbox receiver got',
        description: 'The newest first: the last 50 at most, and 4 MiB of bodies at most.',
        response: { 200: Type.Array(wire.SandboxReceiverRequest, { maxItems: 50 }) },
      },
    },
    (request) => receivers.list(list.granted(request)),
  );

  const limit = createLimit('sandbox-receiver', rateLimit, 'Too many requests come to this sandbox receiver');
  const addressed = new WeakMap<FastifyRequest, Addressed>();
  server.post(
    `${receiverPath}/:token`,
    {
      // By receiver, so that a busy one does not delay the others. Requests for unknown ones count for their address.
      async onRequest(request: FastifyRequest<{ Params: { token: string } }>, reply) {
        const found = await receivers.find(request.params.token).catch(async (error: unknown) => {
          await access.anyone.call(server, request, reply);
          throw error;
        });
        limit.count(found.partner_id, reply);
        addressed.set(request, found);
      },
      bodyLimit: maxBodyBytes,
      schema: {
        hide: true,
        params: wire.ReceiverTokenPath,
        body: readByHandler(Type.Unknown()),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const found = addressed.get(request);
      if (found === undefined) throw new ServiceError('not_found');
      const { method, rawHeaders } = request.raw;
      await receivers.receive(found, { method: method ?? '', rawHeaders, body: rawBodyOf(request) });
      return reply.code(204).send(null);
    },
  );
}
