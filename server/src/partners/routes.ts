// The HTTP of partners: who may call, what is taken and what is answered.
import { Type } from 'typebox';
import { type Access, grantedTo } from '../agreements/index.ts';
import { sendRepresentation } from '../http/entity-tag.ts';
import { readIdempotencyKey, sendAnswer } from '../http/idempotency.ts';
import { ignoredMembers } from '../http/ignored-members.ts';
import { sendList } from '../http/lists.ts';
import type { HttpServer } from '../http/server.ts';
import type { Partners } from './partners.ts';
import { CreatePartner, Partner, PartnerListQuery, PartnerPath, partnerList, UpdatePartner } from './schema.ts';
import { partnerRead } from './store.ts';

type Options = { partners: Partners; access: Access };

export function registerPartnerRoutes(server: HttpServer, { partners, access }: Options): void {
  const common = { tags: ['Partners'], security: [{ bearer: [] }] };
  const may = (method: 'get' | 'patch' | 'delete') => access.onPartner({ resource: 'partner', method }, partnerRead);

  server.get(
    '/partners/:id',
    {
      onRequest: may('get'),
      schema: { ...common, summary: 'Get a partner', params: PartnerPath, response: { 200: Partner } },
    },
    async (request, reply) => sendRepresentation(request, reply, partners.get(grantedTo(request))),
  );

  server.patch(
    '/partners/:id',
    {
      onRequest: may('patch'),
      schema: {
        ...common,
        summary: 'Update a partner',
        consumes: ['application/json', 'application/merge-patch+json'],
        params: PartnerPath,
        body: UpdatePartner,
        response: { 200: Partner },
      },
    },
    async (request, reply) => {
      const { partner, ignored } = await partners.update(grantedTo(request), request.body, request.headers['if-match']);
      return sendRepresentation(request, reply.headers(ignoredMembers(ignored)), partner);
    },
  );

  server.delete(
    '/partners/:id',
    {
      onRequest: may('delete'),
      schema: {
        ...common,
        summary: 'Delete a partner',
        params: PartnerPath,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await partners.delete(grantedTo(request), request.headers['if-match']);
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/partners/:id/restore',
    {
      onRequest: access.onPlatform({ resource: 'partner', method: 'post' }),
      schema: {
        ...common,
        summary: 'Restore a partner deleted within 30 days (operators)',
        params: PartnerPath,
        response: { 200: Partner },
      },
    },
    async (request, reply) => {
      const { params, headers } = request;
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await partners.restore(grantedTo(request), params.id, key, headers['if-match']));
    },
  );

  server.post(
    '/partners',
    {
      onRequest: access.onPlatform({ resource: 'partner', method: 'post' }),
      schema: {
        ...common,
        summary: 'Create a partner (operators)',
        body: CreatePartner,
        response: { 201: Partner },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await partners.create(grantedTo(request), request.body, key));
    },
  );

  server.get(
    '/partners',
    {
      onRequest: access.signedIn,
      schema: {
        ...common,
        summary: 'List the partners that you can see',
        querystring: PartnerListQuery,
        response: { 200: Type.Array(Partner) },
      },
    },
    async (request, reply) => {
      const { 'filter[name]': name, 'filter[vat_no]': vat_no } = request.query;
      return sendList(request, reply, {
        definition: partnerList,
        source: await partners.list(grantedTo(request), { name, vat_no }),
        item: Partner,
      });
    },
  );
}
