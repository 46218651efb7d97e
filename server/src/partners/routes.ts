// The HTTP of partners.
import { createRoutes } from '../access/index.ts';
import { ignoredMembers } from '../base/http/ignored-members.ts';
import type { HttpServer } from '../base/http/server.ts';
import { createPartnerOperations, type Options } from './partners.ts';
import * as wire from './schema.ts';
import { deletedPartners, partnerRead, toPartner } from './store.ts';

export function registerPartnerRoutes(server: HttpServer, options: Options) {
  const routes = createRoutes(server, 'Partners');
  const { access } = options;
  const partners = createPartnerOperations(options);
  const may = (method: 'get' | 'patch' | 'delete') =>
    access.onPartner({ resource: 'partner', method }, partnerRead);

  routes.read('/partners/:id', {
    operationId: 'getPartner',
    summary: 'Get a partner',
    description: 'For callers without access to the partner it does not exist: 404.',
    access: may('get'),
    errors: [404],
    answer: wire.Partner,
    run: ({ granted }) => toPartner(granted.row),
  });

  routes.change('/partners/:id', {
    operationId: 'updatePartner',
    summary: 'Update a partner',
    description:
      'Sets the members that the body has. `Ignored-Members` lists the JSON pointers of members that have no effect.',
    access: may('patch'),
    errors: [404],
    headers: ['Ignored-Members'],
    body: wire.UpdatePartner,
    answer: wire.Partner,
    async run({ granted, body, ifMatch, reply }) {
      const { partner, ignored } = await partners.update(granted, body, ifMatch);
      void reply.headers(ignoredMembers(ignored));
      return partner;
    },
  });

  routes.remove('/partners/:id', {
    operationId: 'deletePartner',
    summary: 'Delete a partner',
    description:
      'Hides the partner with everything that belongs to it. Operators can restore it for 30 days.',
    access: may('delete'),
    errors: [404],
    run: ({ granted, ifMatch }) => partners.delete(granted, ifMatch),
  });

  routes.act('/partners/:id/restore', {
    namesPerson: false,
    operationId: 'restorePartner',
    summary: 'Restore a deleted partner (operators)',
    description: 'Possible for 30 days. A partner that is not deleted does not change.',
    access: access.onPlatform({ resource: 'partner', method: 'post' }),
    answer: wire.Partner,
    run: ({ granted, params, key, ifMatch }) => partners.restore(granted, params.id, key, ifMatch),
  });

  routes.create('/partners', {
    namesPerson: false,
    operationId: 'createPartner',
    summary: 'Create a partner (operators)',
    description: 'A new partner has no members. Create an agreement to invite the first one.',
    access: access.onPlatform({ resource: 'partner', method: 'post' }),
    headers: ['Ignored-Members'],
    body: wire.CreatePartner,
    answer: wire.Partner,
    run: ({ granted, body, key }) => partners.create(granted, body, key),
  });

  routes.list('/partners', {
    operationId: 'listPartners',
    summary: 'List the partners that you can see',
    description:
      'Operators see every partner. Everybody else sees those that an active agreement gives access to.',
    access: access.signedIn,
    definition: wire.partnerList,
    item: wire.Partner,
    run: ({ granted, filter }) => partners.list(granted, filter),
  });

  registerDeletedPartners(server, options);
}

function registerDeletedPartners(server: HttpServer, { db, access }: Options) {
  createRoutes(server, 'Partners').list('/platform/deleted-partners', {
    operationId: 'listDeletedPartners',
    summary: 'List the deleted partners that can be restored (operators)',
    description: 'A deleted partner can be restored until its data is removed for good.',
    access: access.onPlatform({ resource: 'partner', method: 'query' }),
    definition: wire.deletedPartnerList,
    item: wire.DeletedPartner,
    run: ({ filter }) => deletedPartners(db, filter.name),
  });
}
