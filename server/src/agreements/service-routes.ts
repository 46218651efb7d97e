// The HTTP of service accounts and their access tokens, for owners.
import { Type } from 'typebox';
import { AccessToken, CreateServiceToken, NewAccessToken, TokenListQuery, tokenList } from '../accounts/index.ts';
import { sendRepresentation } from '../http/entity-tag.ts';
import { readIdempotencyKey, sendAnswer } from '../http/idempotency.ts';
import { listQuery, sendList } from '../http/lists.ts';
import { PathId, Text, Timestamp } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import { type Access, grantedTo } from './admission.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import { serviceAccountRead } from './service-store.ts';
import { membershipRead } from './store.ts';

const closed = { additionalProperties: false };
const ServiceAccount = Type.Object(
  { id: Type.String(), name: Type.String(), agreement_id: Type.String(), created_at: Timestamp() },
  { title: 'ServiceAccount', ...closed },
);
const CreateServiceAccount = Type.Object({ name: Text(255) }, { title: 'CreateServiceAccount', ...closed });
const path = { id: PathId('The partner'), service_account_id: PathId('The service account') };
const list = { kind: 'user', sortable: { created_at: 'timestamp' }, filters: {} } as const;

type Options = { serviceAccounts: ServiceAccounts; access: Access };

export function registerServiceAccountRoutes(server: HttpServer, { serviceAccounts, access }: Options): void {
  const tags = { tags: ['Service accounts'], security: [{ bearer: [] }] };
  const inPartner = { ...tags, params: Type.Object({ id: path.id }) };
  const common = { ...tags, params: Type.Object(path) };
  const may = (action: string) => access.asOwner(`service_account.${action}`, membershipRead);
  const mayOne = (action: string) => access.asOwner(`service_account.${action}`, serviceAccountRead);
  const gone = Type.Null({ description: 'Deleted' });

  server.get(
    '/partners/:id/service-accounts',
    {
      onRequest: may('list'),
      schema: {
        ...inPartner,
        summary: 'List the service accounts of a partner',
        querystring: listQuery(list),
        response: { 200: Type.Array(ServiceAccount) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: list,
        source: serviceAccounts.list(grantedTo(request)),
        item: ServiceAccount,
      }),
  );
  server.post(
    '/partners/:id/service-accounts',
    {
      onRequest: may('create'),
      schema: {
        ...inPartner,
        summary: 'Create a service account; change its agreement to give it permissions',
        body: CreateServiceAccount,
        response: { 201: ServiceAccount },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await serviceAccounts.create(grantedTo(request), request.body.name, key));
    },
  );
  server.get(
    '/partners/:id/service-accounts/:service_account_id',
    {
      onRequest: mayOne('get'),
      schema: { ...common, summary: 'Get a service account', response: { 200: ServiceAccount } },
    },
    async (request, reply) => sendRepresentation(request, reply, serviceAccounts.get(grantedTo(request))),
  );
  server.delete(
    '/partners/:id/service-accounts/:service_account_id',
    {
      onRequest: mayOne('delete'),
      schema: { ...common, summary: 'Delete a service account, with its agreement and its tokens', response: { 204: gone } },
    },
    async (request, reply) => {
      await serviceAccounts.delete(grantedTo(request), request.headers['if-match']);
      return reply.code(204).send(null);
    },
  );
  server.get(
    '/partners/:id/service-accounts/:service_account_id/access-tokens',
    {
      onRequest: mayOne('list_tokens'),
      schema: {
        ...common,
        summary: 'List the access tokens of a service account',
        querystring: TokenListQuery,
        response: { 200: Type.Array(AccessToken) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: tokenList,
        source: serviceAccounts.listTokens(grantedTo(request)),
        item: AccessToken,
      }),
  );
  server.post(
    '/partners/:id/service-accounts/:service_account_id/access-tokens',
    {
      onRequest: mayOne('create_token'),
      schema: {
        ...common,
        summary: 'Make an access token for a service account',
        body: CreateServiceToken,
        response: { 201: NewAccessToken },
      },
    },
    async (request, reply) => {
      const token = await serviceAccounts.makeToken(grantedTo(request), request.body);
      return reply.code(201).header('cache-control', 'no-store').send(token);
    },
  );
  server.delete(
    '/partners/:id/service-accounts/:service_account_id/access-tokens/:token_id',
    {
      onRequest: mayOne('revoke_token'),
      schema: {
        ...tags,
        params: Type.Object({ ...path, token_id: PathId('The access token') }),
        summary: 'Revoke an access token of a service account',
        response: { 204: gone },
      },
    },
    async (request, reply) => {
      await serviceAccounts.revokeToken(grantedTo(request), request.params.token_id);
      return reply.code(204).send(null);
    },
  );
}
