// The HTTP of agreements.
import { Type } from 'typebox';
import { OrphanQuery } from '../accounts/index.ts';
import { sendRepresentation } from '../http/entity-tag.ts';
import { readIdempotencyKey, sendAnswer } from '../http/idempotency.ts';
import { sendList } from '../http/lists.ts';
import { PathId } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import type { OwnRight } from '../permissions/index.ts';
import { type Method, methods, resources } from '../permissions/index.ts';
import { type Access, grantedTo } from './admission.ts';
import type { Agreements } from './agreements.ts';
import * as wire from './schema.ts';
import { agreementRead, membershipRead } from './store.ts';

type Options = { agreements: Agreements; access: Access };

export function registerAgreementRoutes(server: HttpServer, { agreements, access }: Options): void {
  const signedIn = { tags: ['Agreements'], security: [{ bearer: [] }] };
  const inPartner = { ...signedIn, params: Type.Object({ id: PathId('The partner') }) };
  const common = { ...signedIn, params: wire.AgreementPath };
  const may = (method: Method) => access.onPartner({ resource: 'agreements', method }, membershipRead);
  const mayOne = (method: Method, ownRight?: OwnRight) =>
    access.onPartner({ resource: 'agreements', method }, agreementRead, ownRight);
  const conditions = ({ headers, query }: { headers: { 'if-match'?: string | undefined }; query: { orphan?: string } }) => ({
    ifMatch: headers['if-match'],
    orphan: query.orphan === 'true',
  });

  server.get(
    '/partners/:id/agreements',
    {
      onRequest: may('query'),
      schema: {
        ...inPartner,
        summary: 'List the agreements of a partner',
        querystring: wire.AgreementListQuery,
        response: { 200: Type.Array(wire.Agreement) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.agreementList,
        source: agreements.list(grantedTo(request), { state: request.query['filter[state]'] }),
        item: wire.Agreement,
      }),
  );

  server.post(
    '/partners/:id/agreements',
    {
      onRequest: may('post'),
      schema: {
        ...inPartner,
        summary: 'Invite somebody to a partner',
        body: wire.CreateAgreement,
        response: { 201: wire.Agreement },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await agreements.create(grantedTo(request), request.body, key));
    },
  );

  server.get(
    '/partners/:id/agreements/:agreement_id',
    {
      onRequest: mayOne('get', 'read'),
      schema: { ...common, summary: 'Get an agreement', response: { 200: wire.Agreement } },
    },
    async (request, reply) => sendRepresentation(request, reply, agreements.get(grantedTo(request))),
  );

  server.patch(
    '/partners/:id/agreements/:agreement_id',
    {
      onRequest: mayOne('patch', 'answer'),
      schema: {
        ...common,
        summary: 'Update an agreement, or accept it',
        consumes: ['application/json', 'application/merge-patch+json'],
        querystring: OrphanQuery,
        body: wire.UpdateAgreement,
        response: { 200: wire.Agreement },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, await agreements.update(grantedTo(request), request.body, conditions(request))),
  );

  server.delete(
    '/partners/:id/agreements/:agreement_id',
    {
      onRequest: mayOne('delete', 'leave'),
      schema: {
        ...common,
        summary: 'Delete an agreement, leave, or decline',
        querystring: OrphanQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await agreements.delete(grantedTo(request), conditions(request));
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/partners/:id/agreements/:agreement_id/resend',
    {
      onRequest: mayOne('post'),
      schema: { ...common, summary: 'Send the invitation again', response: { 200: wire.Agreement } },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const answer = await agreements.resend(grantedTo(request), key, { ifMatch: request.headers['if-match'] });
      return sendAnswer(request, reply, answer);
    },
  );

  server.get(
    '/partners/:id/agreements/:agreement_id/effective-permissions',
    {
      onRequest: mayOne('get', 'read'),
      schema: {
        ...common,
        summary: 'What an agreement allows, and why',
        response: { 200: Type.Array(wire.EffectivePermission) },
      },
    },
    (request) => agreements.explain(grantedTo(request)),
  );

  server.get(
    '/me/agreements',
    {
      onRequest: access.ownAgreements,
      schema: {
        ...signedIn,
        summary: 'List your own agreements and invitations',
        querystring: wire.AgreementListQuery,
        response: { 200: Type.Array(wire.MyAgreement) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.agreementList,
        source: agreements.listMine(grantedTo(request), { state: request.query['filter[state]'] }),
        item: wire.MyAgreement,
      }),
  );

  server.get(
    '/acl-resources',
    {
      onRequest: access.signedIn,
      schema: {
        ...signedIn,
        summary: 'What permissions can be about',
        response: { 200: Type.Array(wire.AclResource) },
      },
    },
    async () =>
      Object.entries(resources).map(([resource, description]) => ({
        resource,
        description,
        methods: Object.entries(methods).map(([method, description]) => ({ method, description })),
      })),
  );
}
