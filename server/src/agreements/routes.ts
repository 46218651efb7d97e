// The HTTP of agreements.
import { Type } from 'typebox';
import { createRoutes, partnerOnly, toTemporary } from '../access/index.ts';
import {
  type Method,
  methodNames,
  methods,
  type OwnRight,
  resourceNames,
  resources,
} from '../access/permissions/index.ts';
import type { HttpServer } from '../base/http/server.ts';
import { OrphanQuery } from '../people/index.ts';
import { explain } from './agreement.ts';
import { createAgreementOperations } from './agreements.ts';
import { listedJson } from './listed-json.ts';
import type { Options } from './options.ts';
import * as wire from './schema.ts';
import { agreementRead, agreementsOf, agreementsOfUser, toAgreement } from './store.ts';

const all = '/partners/:id/agreements';
const one = `${all}/:agreement_id` as const;

export function registerAgreementRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Agreements');
  const { db, access } = options;
  const agreements = createAgreementOperations(options);
  const mayAll = (method: Method) => access.onPartner({ resource: 'agreements', method }, partnerOnly);
  const may = (method: Method, ownRight?: OwnRight) =>
    access.onPartner({ resource: 'agreements', method }, agreementRead, ownRight);

  routes.list(all, {
    operationId: 'listPartnerAgreements',
    summary: 'List the agreements of a partner',
    description: 'Members, service accounts and pending invitations of the partner, with what they grant.',
    access: mayAll('query'),
    definition: wire.agreementList,
    item: wire.Agreement,
    toJson: listedJson(wire.Agreement),
    run: ({ granted, filter }) => agreementsOf(db, granted.partnerId, filter),
  });

  routes.create(all, {
    operationId: 'createPartnerAgreement',
    summary: 'Create an agreement',
    description:
      'Invites a person by mail. The agreement is pending until the person accepts it, and carries the default group of the partner. A partner can have 10,000 agreements, and its members send 50 invitations in an hour.',
    access: mayAll('post'),
    errors: [400, 404],
    body: wire.CreateAgreement,
    answer: wire.Agreement,
    namesPerson: true,
    run: ({ granted, body, key }) => agreements.create(granted, body, key),
  });

  routes.read(one, {
    operationId: 'getPartnerAgreement',
    summary: 'Get an agreement',
    description: 'One agreement with its groups and permissions. Callers can always read their own.',
    access: may('get', 'read'),
    errors: [404],
    answer: wire.Agreement,
    run: ({ granted }) => toAgreement(granted.row),
  });

  routes.change(one, {
    operationId: 'updatePartnerAgreement',
    summary: 'Update or accept an agreement',
    description:
      'The invited user accepts with `{"accepted": true}`, in a session. Other members change the terms; callers must hold what they grant.',
    access: may('patch', 'answer'),
    errors: [400, 404],
    query: OrphanQuery,
    body: wire.UpdateAgreement,
    answer: wire.Agreement,
    run: ({ granted, body, ifMatch, query }) =>
      agreements.update(granted, body, { ifMatch, orphan: query.orphan === true }),
  });

  routes.remove(one, {
    operationId: 'deletePartnerAgreement',
    summary: 'Delete, leave or decline an agreement',
    description: 'Callers can always leave their own agreement, except the last owner of a partner.',
    access: may('delete', 'leave'),
    errors: [400, 404],
    query: OrphanQuery,
    run: ({ granted, ifMatch, query }) =>
      agreements.delete(granted, { ifMatch, orphan: query.orphan === true }),
  });

  routes.act(`${one}/resend`, {
    operationId: 'resendInvitation',
    summary: 'Send an invitation again',
    description: 'The agreement must be pending. It can then be accepted for another 7 days.',
    access: may('post'),
    answer: wire.Agreement,
    namesPerson: true,
    run: ({ granted, key, ifMatch }) => agreements.resend(granted, key, ifMatch),
  });
}

/** What agreements allow, the caller's own agreements, and what permissions can name. */
export function registerPermissionRoutes(server: HttpServer, { db, access }: Options) {
  const routes = createRoutes(server, 'Agreements');

  routes.plain('GET', `${one}/effective-permissions`, {
    operationId: 'getEffectivePermissions',
    summary: 'Explain what an agreement allows',
    description: 'Lists every resource and method, whether the agreement allows it, and why.',
    access: access.onPartner({ resource: 'agreements', method: 'get' }, agreementRead, 'read'),
    answer: Type.Array(wire.EffectivePermission),
    run: ({ granted: { row } }) => explain(toAgreement(row), row.state, toTemporary(row.temporary)),
  });

  routes.list('/me/agreements', {
    operationId: 'listOwnAgreements',
    summary: 'List your own agreements and invitations',
    description:
      'The agreements of the caller with every partner, and the invitations to confirmed addresses of the caller.',
    access: access.ownAgreements,
    definition: wire.agreementList,
    item: wire.MyAgreement,
    toJson: listedJson(wire.MyAgreement),
    run({ granted: { principal }, filter }) {
      const { userId, credential } = principal;
      const partnerIds = credential.kind === 'token' ? credential.partnerIds : null;
      return agreementsOfUser(db, userId, partnerIds, filter);
    },
  });

  routes.plain('GET', '/acl-resources', {
    operationId: 'listAclResources',
    summary: 'List the resources and methods that permissions can name',
    description: 'What an ACL permission can name. The list is the same for everyone.',
    access: access.signedIn,
    answer: Type.Array(wire.AclResource),
    run: () =>
      resourceNames.map((resource) => ({
        resource,
        description: resources[resource],
        methods: methodNames.map((method) => ({ method, description: methods[method] })),
      })),
  });
}
