// What companies bring: the identity providers of partners, their domains, sign-in by them, and provisioning.
import { createDestinations, createGuardedFetch } from '../../base/egress/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { Options } from '../options.ts';
import { createDomains } from './connections/domains/domains.ts';
import { registerDomainRoutes } from './connections/domains/routes.ts';
import { registerConnectionRoutes } from './connections/routes.ts';
import { provisionedData } from './provisioning/owners/provisioning.ts';
import { registerProvisioningRoutes } from './provisioning/owners/routes.ts';
import { deletePerson } from './provisioning/owners/store.ts';
import { registerScimRoutes } from './provisioning/routes.ts';
import { registerSingleSignOnRoutes } from './single-sign-on/routes.ts';
import { deleteExpiredVisits } from './single-sign-on/store.ts';

export function createIdentity(options: Options) {
  const { fetch, close } = createGuardedFetch({ ...options, destinations: createDestinations(options) });
  const domains = createDomains(options);
  return {
    routes(server) {
      registerConnectionRoutes(server, options, fetch);
      registerDomainRoutes(server, options, domains);
      registerSingleSignOnRoutes(server, options, fetch);
      registerProvisioningRoutes(server, options);
      registerScimRoutes(server, options);
    },
    close: async () => close(),
    personalData: [provisionedData(options.db)],
    erasePerson: deletePerson,
    tasks: [deleteExpiredVisits, domains.task],
  } satisfies Feature;
}
