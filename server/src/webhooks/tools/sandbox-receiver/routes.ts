// The HTTP of sandbox receivers: the operations of a partner, and the path that receives webhooks.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Access, createRoutes, partnerOnly } from '../../../access/index.ts';
import type { Permission } from '../../../access/permissions/index.ts';
import { createAttached } from '../../../base/attached.ts';
import { requireFound, ServiceError } from '../../../base/errors.ts';
import { addressGroup } from '../../../base/http/address-group.ts';
import { rawBodyOf, readByHandler } from '../../../base/http/raw-body.ts';
import { PathId } from '../../../base/http/schemas.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { keepLast } from '../../../base/keep-last.ts';
import { createLimit, type Window } from '../../../base/limits/index.ts';
import { maxBodyBytes, receiverPath } from './receiver.ts';
import type { SandboxReceivers } from './receivers.ts';
import * as wire from './schema.ts';
import type { Found } from './store.ts';

type Options = { receivers: SandboxReceivers; access: Access; rateLimit: Window };

const maxKnown = 10_000;

export function registerSandboxReceiverRoutes(
  server: HttpServer,
  { receivers, access, rateLimit }: Options,
): void {
  const routes = createRoutes(server, 'Webhook endpoints');
  const rule = (resource: Permission['resource'], method: Permission['method']) =>
    access.onPartner({ resource, method }, partnerOnly);

  routes.change('/partners/:id/sandbox-receiver', {
    method: 'PUT',
    operationId: 'putSandboxReceiver',
    summary: 'Create the sandbox receiver of a partner',
    description:
      'A URL of Concord itself that keeps the last 50 requests. A sandbox endpoint of the partner may have exactly this URL, even where webhooks may go to https and public addresses only. Repeating the request changes nothing.',
    access: rule('webhook_endpoints', 'post'),
    answer: wire.SandboxReceiver,
    run: ({ granted, ifMatch }) => receivers.put(granted, ifMatch),
  });

  routes.read('/partners/:id/sandbox-receiver', {
    operationId: 'getSandboxReceiver',
    summary: 'Get the sandbox receiver of a partner',
    description:
      'A URL of Concord that receives sandbox webhooks, for tests without a public URL of your own.',
    access: rule('deliveries', 'get'),
    errors: [404],
    answer: wire.SandboxReceiver,
    run: ({ granted }) => receivers.get(granted),
  });

  routes.remove('/partners/:id/sandbox-receiver', {
    operationId: 'deleteSandboxReceiver',
    summary: 'Delete the sandbox receiver of a partner',
    description:
      'Also deletes the requests that it keeps. Endpoints with its URL stay, and their attempts fail.',
    access: rule('webhook_endpoints', 'delete'),
    run: ({ granted, ifMatch }) => receivers.delete(granted, ifMatch),
  });

  routes.plain('GET', '/partners/:id/sandbox-receiver/requests', {
    operationId: 'listSandboxReceiverRequests',
    summary: 'List what the sandbox receiver got',
    description: 'The newest first: the last 50 at most, and 4 MiB of bodies at most.',
    access: rule('deliveries', 'query'),
    answer: Type.Array(wire.SandboxReceiverRequest, { maxItems: 50 }),
    run: ({ granted }) => receivers.list(granted),
  });

  registerReceiver(server, { receivers, rateLimit });
}

/** The path that receives webhooks. It is no operation of the description. */
function registerReceiver(server: HttpServer, { receivers, rateLimit }: Omit<Options, 'access'>): void {
  const limit = createLimit('sandbox-receiver', rateLimit, 'Too many requests come to this sandbox receiver');
  const unknown = createLimit('default', rateLimit);
  /** Receivers whose last request was for one that exists. They need no look-up to be told from guesses. */
  const known = new Map<string, true>();
  const addressed = createAttached<FastifyRequest, Found>();
  server.post(
    `${receiverPath}/:token`,
    {
      // By receiver, so that a busy one does not delay the others. Requests for unknown ones count for their
      // address. Both limits come before the look-up.
      async onRequest(request: FastifyRequest<{ Params: { token: string } }>, reply) {
        const { token } = request.params;
        const address = addressGroup(request.ip);
        if (known.has(token)) limit.count(token, reply);
        else if (unknown.isExhausted(address)) unknown.count(address, reply);
        const found = await receivers.find(token);
        if (found === undefined) {
          known.delete(token);
          unknown.count(address, reply);
          throw new ServiceError('not_found');
        }
        if (!known.has(token)) limit.count(token, reply);
        keepLast(known, token, true, maxKnown);
        addressed.set(request, found);
      },
      bodyLimit: maxBodyBytes,
      schema: {
        hide: true,
        params: Type.Object({ token: PathId('The end of the URL') }),
        body: readByHandler(Type.Unknown()),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const found = requireFound(addressed.get(request));
      const { method, rawHeaders } = request.raw;
      await receivers.receive(found, { method: method ?? '', rawHeaders, body: rawBodyOf(request) });
      return reply.code(204).send(null);
    },
  );
}
