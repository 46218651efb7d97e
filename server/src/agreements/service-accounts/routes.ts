// The HTTP of service accounts and their access tokens, for owners.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../../access/index.ts';
import { sendRepresentation } from '../../base/http/entity-tag.ts';
import { sendList } from '../../base/http/lists.ts';
import { changeHeaders, idempotentHeaders, readHeaders } from '../../base/http/request-headers.ts';
import { PathId } from '../../base/http/schemas.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../../base/idempotency/index.ts';
import { tokenWire } from '../../people/index.ts';
import * as wire from './schema.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import { serviceAccountRead } from './store.ts';

const toJson = serializer(wire.ServiceAccount);
const toTokenJson = serializer(tokenWire.AccessToken);

type Options = { serviceAccounts: ServiceAccounts; access: Access };

export function registerServiceAccountRoutes(server: HttpServer, { serviceAccounts, access }: Options): void {
  const tags = { tags: ['Service accounts'], security: [{ bearer: [] }] };
  const inPartner = { ...tags, params: Type.Object({ id: PathId('The partner') }) };
  const common = { ...tags, params: wire.ServiceAccountPath };
  const all = (action: string) => access.asOwner(`service_account.${action}`, partnerOnly);
  const one = (action: string) => access.asOwner(`service_account.${action}`, serviceAccountRead);
  const gone = Type.Null({ description: 'Deleted' });

  const list = all('list');
  server.get(
    '/partners/:id/service-accounts',
    {
      onRequest: list.hook,
      schema: {
        ...inPartner,
        operationId: 'listServiceAccounts',
        summary: 'List the service accounts of a partner',
        description: 'Programs of the partner. Each has an agreement that says what it may do.',
        querystring: wire.ServiceAccountListQuery,
        response: { 200: Type.Array(wire.ServiceAccount) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.serviceAccountList,
        source: serviceAccounts.list(list.granted(request)),
        toJson,
      }),
  );
  const create = all('create');
  server.post(
    '/partners/:id/service-accounts',
    {
      onRequest: create.hook,
      schema: {
        ...inPartner,
        operationId: 'createServiceAccount',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Create a service account',
        description:
          'Creates an agreement too, which grants nothing yet: update it to give permissions. A partner can have 100 service accounts.',
        body: wire.CreateServiceAccount,
        response: { 201: wire.ServiceAccount },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(
        request,
        reply,
        await serviceAccounts.create(create.granted(request), request.body.name, key),
      );
    },
  );
  const get = one('get');
  server.get(
    '/partners/:id/service-accounts/:service_account_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getServiceAccount',
        headers: readHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Get a service account',
        description: 'A program of the partner, without its access tokens.',
        response: { 200: wire.ServiceAccount },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, toJson(serviceAccounts.get(get.granted(request)))),
  );
  const remove = one('delete');
  server.delete(
    '/partners/:id/service-accounts/:service_account_id',
    {
      onRequest: remove.hook,
      schema: {
        ...common,
        operationId: 'deleteServiceAccount',
        headers: changeHeaders,
        summary: 'Delete a service account with its agreement and access tokens',
        description: 'Its access tokens stop working at once.',
        response: { 204: gone },
      },
    },
    async (request, reply) => {
      await serviceAccounts.delete(remove.granted(request), request.headers['if-match']);
      return reply.code(204).send(null);
    },
  );
  const listTokens = one('list_tokens');
  server.get(
    '/partners/:id/service-accounts/:service_account_id/access-tokens',
    {
      onRequest: listTokens.hook,
      schema: {
        ...common,
        operationId: 'listServiceAccountTokens',
        summary: 'List the access tokens of a service account',
        description: 'The tokens themselves are not shown again: only the answer that created one has it.',
        querystring: tokenWire.TokenListQuery,
        response: { 200: Type.Array(tokenWire.AccessToken) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: tokenWire.tokenList,
        source: serviceAccounts.listTokens(listTokens.granted(request)),
        toJson: toTokenJson,
      }),
  );
  // The token outlives the session, and a new password of the owner does not end it.
  const createToken = access.asOwner('service_account.create_token', serviceAccountRead, {
    needsProof: true,
  });
  server.post(
    '/partners/:id/service-accounts/:service_account_id/access-tokens',
    {
      onRequest: createToken.hook,
      schema: {
        ...common,
        operationId: 'createServiceAccountToken',
        summary: 'Create an access token for a service account',
        description:
          'Only this response shows the token. The session needs a recent proof of its user, as in POST /me/access-tokens.',
        body: tokenWire.CreateServiceAccessToken,
        response: { 201: tokenWire.CreatedAccessToken },
      },
    },
    async (request, reply) => {
      const token = await serviceAccounts.createToken(createToken.granted(request), request.body);
      return reply.code(201).header('cache-control', 'no-store').send(token);
    },
  );
  const revokeToken = one('revoke_token');
  server.delete(
    '/partners/:id/service-accounts/:service_account_id/access-tokens/:token_id',
    {
      onRequest: revokeToken.hook,
      schema: {
        ...tags,
        params: wire.ServiceAccountTokenPath,
        operationId: 'revokeServiceAccountToken',
        summary: 'Revoke an access token of a service account',
        description: 'The token stops working at once.',
        response: { 204: gone },
      },
    },
    async (request, reply) => {
      await serviceAccounts.revokeToken(revokeToken.granted(request), request.params.token_id);
      return reply.code(204).send(null);
    },
  );
}
