// The HTTP of the domains of a connection, for owners.
import { createRoutes } from '../../../../access/index.ts';
import type { HttpServer } from '../../../../base/http/server.ts';
import type { Options } from '../../../options.ts';
import { connectionRead } from '../store.ts';
import type { Domains } from './domains.ts';
import * as wire from './schema.ts';
import { domainRead, domainsOf, toDomain } from './store.ts';

const needsProof = { needsProof: true };

export function registerDomainRoutes(server: HttpServer, { db, access }: Options, domains: Domains) {
  const routes = createRoutes(server, 'Identity connections');
  const all = '/partners/:id/connections/:connection_id/domains';

  routes.list(all, {
    operationId: 'listDomains',
    summary: 'List the domains of a connection',
    description: 'A connection speaks only for addresses of its verified domains.',
    access: access.asOwner('domain.list', connectionRead),
    definition: wire.domainList,
    item: wire.Domain,
    run: ({ granted }) => domainsOf(db, granted.row.connection_id),
  });

  routes.create(all, {
    namesPerson: false,
    operationId: 'addDomain',
    summary: 'Add a domain to a connection',
    description: 'The answer has the DNS record that proves it. A connection can have 20 domains.',
    access: access.asOwner('domain.create', connectionRead, needsProof),
    body: wire.AddDomain,
    answer: wire.Domain,
    run: ({ granted, body, key }) => domains.add(granted, body.domain, key),
  });

  routes.read(`${all}/:domain_id`, {
    operationId: 'getDomain',
    summary: 'Get a domain',
    description: 'With the record that proves it, and its last check.',
    access: access.asOwner('domain.get', domainRead),
    answer: wire.Domain,
    run: ({ granted }) => toDomain(granted.row),
  });

  routes.act(`${all}/:domain_id/verify`, {
    namesPerson: false,
    operationId: 'verifyDomain',
    summary: 'Verify a domain',
    description:
      'Asks the DNS for the record now. `status` and `last_check` say what was found. A domain of another partner moves here only when the record of that partner is gone.',
    access: access.asOwner('domain.verify', domainRead, needsProof),
    answer: wire.Domain,
    run: ({ granted, key, ifMatch }) => domains.verify(granted, key, ifMatch),
  });

  routes.remove(`${all}/:domain_id`, {
    operationId: 'deleteDomain',
    summary: 'Delete a domain of a connection',
    description: 'The connection no longer speaks for its addresses. Agreements stay.',
    access: access.asOwner('domain.delete', domainRead, needsProof),
    run: ({ granted, ifMatch }) => domains.delete(granted, ifMatch),
  });
}
