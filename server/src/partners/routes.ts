// The HTTP of partners.
import { Type } from 'typebox';
import type { Access } from '../access/index.ts';
import { sendRepresentation } from '../base/http/entity-tag.ts';
import { ignoredMembers } from '../base/http/ignored-members.ts';
import { sendList } from '../base/http/lists.ts';
import {
  actionHeaders,
  changeHeaders,
  idempotentHeaders,
  readHeaders,
} from '../base/http/request-headers.ts';
import { serializer } from '../base/http/serialization.ts';
import type { HttpServer } from '../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../base/idempotency/index.ts';
import { type Partners, toJson } from './partners.ts';
import * as wire from './schema.ts';
import { partnerRead } from './store.ts';

const toDeletedJson = serializer(wire.DeletedPartner);

type Options = { partners: Partners; access: Access };

export function registerPartnerRoutes(server: HttpServer, { partners, access }: Options): void {
  const common = { tags: ['Partners'], security: [{ bearer: [] }] };
  const operators = access.onPlatform({ resource: 'partner', method: 'post' });
  const may = (method: 'get' | 'patch' | 'delete') =>
    access.onPartner({ resource: 'partner', method }, partnerRead);

  const get = may('get');
  server.get(
    '/partners/:id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getPartner',
        headers: readHeaders,
        'x-errors': [404],
        'x-response-headers': ['ETag'],
        summary: 'Get a partner',
        description: 'For callers without access to the partner it does not exist: 404.',
        params: wire.PartnerPath,
        response: { 200: wire.Partner },
      },
    },
    async (request, reply) => sendRepresentation(request, reply, toJson(partners.get(get.granted(request)))),
  );

  const update = may('patch');
  server.patch(
    '/partners/:id',
    {
      onRequest: update.hook,
      schema: {
        ...common,
        operationId: 'updatePartner',
        headers: changeHeaders,
        'x-errors': [404],
        'x-response-headers': ['ETag', 'Ignored-Members'],
        summary: 'Update a partner',
        description:
          'Sets the members that the body has. `Ignored-Members` lists the JSON pointers of members that have no effect.',
        consumes: ['application/json', 'application/merge-patch+json'],
        params: wire.PartnerPath,
        body: wire.UpdatePartner,
        response: { 200: wire.Partner },
      },
    },
    async (request, reply) => {
      const { partner, ignored } = await partners.update(
        update.granted(request),
        request.body,
        request.headers['if-match'],
      );
      return sendRepresentation(request, reply.headers(ignoredMembers(ignored)), toJson(partner));
    },
  );

  const remove = may('delete');
  server.delete(
    '/partners/:id',
    {
      onRequest: remove.hook,
      schema: {
        ...common,
        operationId: 'deletePartner',
        headers: changeHeaders,
        'x-errors': [404],
        summary: 'Delete a partner',
        description:
          'Hides the partner with everything that belongs to it. Operators can restore it for 30 days.',
        params: wire.PartnerPath,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await partners.delete(remove.granted(request), request.headers['if-match']);
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/partners/:id/restore',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'restorePartner',
        headers: actionHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Restore a deleted partner (operators)',
        description: 'Possible for 30 days. A partner that is not deleted does not change.',
        params: wire.PartnerPath,
        response: { 200: wire.Partner },
      },
    },
    async (request, reply) => {
      const { params, headers } = request;
      const key = readIdempotencyKey(request);
      return sendAnswer(
        request,
        reply,
        await partners.restore(operators.granted(request), params.id, key, headers['if-match']),
      );
    },
  );

  server.post(
    '/partners',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'createPartner',
        headers: idempotentHeaders,
        'x-response-headers': ['ETag', 'Ignored-Members'],
        summary: 'Create a partner (operators)',
        description: 'A new partner has no members. Create an agreement to invite the first one.',
        body: wire.CreatePartner,
        response: { 201: wire.Partner },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await partners.create(operators.granted(request), request.body, key));
    },
  );

  server.get(
    '/partners',
    {
      onRequest: access.signedIn.hook,
      schema: {
        ...common,
        operationId: 'listPartners',
        summary: 'List the partners that you can see',
        description:
          'Operators see every partner. Everybody else sees those that an active agreement gives access to.',
        querystring: wire.PartnerListQuery,
        response: { 200: Type.Array(wire.Partner) },
      },
    },
    async (request, reply) => {
      const { 'filter[name]': name, 'filter[vat_no]': vat_no } = request.query;
      return sendList(request, reply, {
        definition: wire.partnerList,
        source: await partners.list(access.signedIn.granted(request), { name, vat_no }),
        toJson,
      });
    },
  );

  const deleted = access.onPlatform({ resource: 'partner', method: 'query' });
  server.get(
    '/platform/deleted-partners',
    {
      onRequest: deleted.hook,
      schema: {
        ...common,
        operationId: 'listDeletedPartners',
        summary: 'List the deleted partners that can be restored (operators)',
        description: 'A deleted partner can be restored until its data is removed for good.',
        querystring: wire.DeletedPartnerListQuery,
        response: { 200: Type.Array(wire.DeletedPartner) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.deletedPartnerList,
        source: partners.listDeleted(request.query['filter[name]']),
        toJson: toDeletedJson,
      }),
  );
}
