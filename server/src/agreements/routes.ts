// The HTTP of agreements.
import { Type } from 'typebox';
import { type Access, partnerOnly } from '../access/index.ts';
import {
  type Method,
  methodNames,
  methods,
  type OwnRight,
  resourceNames,
  resources,
} from '../access/permissions/index.ts';
import { sendRepresentation } from '../base/http/entity-tag.ts';
import { sendList } from '../base/http/lists.ts';
import {
  actionHeaders,
  changeHeaders,
  idempotentHeaders,
  readHeaders,
} from '../base/http/request-headers.ts';
import { PathId } from '../base/http/schemas.ts';
import { serializer } from '../base/http/serialization.ts';
import type { HttpServer } from '../base/http/server.ts';
import { readIdempotencyKey, sendAnswer } from '../base/idempotency/index.ts';
import { OrphanQuery } from '../people/index.ts';
import type { Agreements } from './agreements.ts';
import * as wire from './schema.ts';
import { agreementRead } from './store.ts';

const toJson = serializer(wire.Agreement);
const toMyJson = serializer(wire.MyAgreement);

type Options = { agreements: Agreements; access: Access };

export function registerAgreementRoutes(server: HttpServer, { agreements, access }: Options): void {
  const signedIn = { tags: ['Agreements'], security: [{ bearer: [] }] };
  const inPartner = { ...signedIn, params: Type.Object({ id: PathId('The partner') }) };
  const common = { ...signedIn, params: wire.AgreementPath };
  const all = (method: Method) => access.onPartner({ resource: 'agreements', method }, partnerOnly);
  const one = (method: Method, ownRight?: OwnRight) =>
    access.onPartner({ resource: 'agreements', method }, agreementRead, ownRight);
  const conditions = ({
    headers,
    query,
  }: {
    headers: { 'if-match'?: string | undefined };
    query: { orphan?: boolean };
  }) => ({
    ifMatch: headers['if-match'],
    orphan: query.orphan === true,
  });

  const list = all('query');
  server.get(
    '/partners/:id/agreements',
    {
      onRequest: list.hook,
      schema: {
        ...inPartner,
        operationId: 'listPartnerAgreements',
        summary: 'List the agreements of a partner',
        description:
          'Members, service accounts and pending invitations of the partner, with what they grant.',
        querystring: wire.AgreementListQuery,
        response: { 200: Type.Array(wire.Agreement) },
      },
    },
    async (request, reply) => {
      const { 'filter[state]': state, 'filter[email]': email } = request.query;
      const source = agreements.list(list.granted(request), { state, email });
      return sendList(request, reply, { definition: wire.agreementList, source, toJson });
    },
  );

  const create = all('post');
  server.post(
    '/partners/:id/agreements',
    {
      onRequest: create.hook,
      schema: {
        ...inPartner,
        operationId: 'createPartnerAgreement',
        headers: idempotentHeaders,
        'x-errors': [400, 404],
        'x-response-headers': ['ETag'],
        summary: 'Create an agreement',
        description:
          'Invites a person by mail. The agreement is pending until the person accepts it, and carries the default group of the partner. A partner can have 10,000 agreements, and send 50 invitations in an hour.',
        body: wire.CreateAgreement,
        response: { 201: wire.Agreement },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      return sendAnswer(request, reply, await agreements.create(create.granted(request), request.body, key));
    },
  );

  const get = one('get', 'read');
  server.get(
    '/partners/:id/agreements/:agreement_id',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getPartnerAgreement',
        headers: readHeaders,
        'x-errors': [404],
        'x-response-headers': ['ETag'],
        summary: 'Get an agreement',
        description: 'One agreement with its groups and permissions. Callers can always read their own.',
        response: { 200: wire.Agreement },
      },
    },
    async (request, reply) =>
      sendRepresentation(request, reply, toJson(agreements.get(get.granted(request)))),
  );

  const update = one('patch', 'answer');
  server.patch(
    '/partners/:id/agreements/:agreement_id',
    {
      onRequest: update.hook,
      schema: {
        ...common,
        operationId: 'updatePartnerAgreement',
        headers: changeHeaders,
        'x-errors': [400, 404],
        'x-response-headers': ['ETag'],
        summary: 'Update or accept an agreement',
        description:
          'The invited user accepts with `{"accepted": true}`, in a session. Other members change the terms; callers must hold what they grant.',
        consumes: ['application/json', 'application/merge-patch+json'],
        querystring: OrphanQuery,
        body: wire.UpdateAgreement,
        response: { 200: wire.Agreement },
      },
    },
    async (request, reply) => {
      const agreement = await agreements.update(update.granted(request), request.body, conditions(request));
      return sendRepresentation(request, reply, toJson(agreement));
    },
  );

  const end = one('delete', 'leave');
  server.delete(
    '/partners/:id/agreements/:agreement_id',
    {
      onRequest: end.hook,
      schema: {
        ...common,
        operationId: 'deletePartnerAgreement',
        headers: changeHeaders,
        'x-errors': [400, 404],
        summary: 'Delete, leave or decline an agreement',
        description: 'Callers can always leave their own agreement, except the last owner of a partner.',
        querystring: OrphanQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      await agreements.delete(end.granted(request), conditions(request));
      return reply.code(204).send(null);
    },
  );

  const resend = one('post');
  server.post(
    '/partners/:id/agreements/:agreement_id/resend',
    {
      onRequest: resend.hook,
      schema: {
        ...common,
        operationId: 'resendInvitation',
        headers: actionHeaders,
        'x-response-headers': ['ETag'],
        summary: 'Send an invitation again',
        description: 'The agreement must be pending. It can then be accepted for another 7 days.',
        response: { 200: wire.Agreement },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      const answer = await agreements.resend(resend.granted(request), key, {
        ifMatch: request.headers['if-match'],
      });
      return sendAnswer(request, reply, answer);
    },
  );

  server.get(
    '/partners/:id/agreements/:agreement_id/effective-permissions',
    {
      onRequest: get.hook,
      schema: {
        ...common,
        operationId: 'getEffectivePermissions',
        summary: 'Explain what an agreement allows',
        description: 'Lists every resource and method, whether the agreement allows it, and why.',
        response: { 200: Type.Array(wire.EffectivePermission) },
      },
    },
    (request) => agreements.explain(get.granted(request)),
  );

  server.get(
    '/me/agreements',
    {
      onRequest: access.ownAgreements.hook,
      schema: {
        ...signedIn,
        operationId: 'listOwnAgreements',
        summary: 'List your own agreements and invitations',
        description:
          'The agreements of the caller with every partner, and the invitations to confirmed addresses of the caller.',
        querystring: wire.AgreementListQuery,
        response: { 200: Type.Array(wire.MyAgreement) },
      },
    },
    async (request, reply) => {
      const { 'filter[state]': state, 'filter[email]': email } = request.query;
      const { userId, credential } = access.ownAgreements.granted(request).principal;
      const partnerIds = credential.kind === 'token' ? credential.partnerIds : null;
      const source = agreements.listMine(userId, partnerIds, { state, email });
      return sendList(request, reply, { definition: wire.agreementList, source, toJson: toMyJson });
    },
  );

  server.get(
    '/acl-resources',
    {
      onRequest: access.signedIn.hook,
      schema: {
        ...signedIn,
        operationId: 'listAclResources',
        summary: 'List the resources and methods that permissions can name',
        description: 'What an ACL permission can name. The list is the same for everyone.',
        response: { 200: Type.Array(wire.AclResource) },
      },
    },
    async () =>
      resourceNames.map((resource) => ({
        resource,
        description: resources[resource],
        methods: methodNames.map((method) => ({ method, description: methods[method] })),
      })),
  );
}
