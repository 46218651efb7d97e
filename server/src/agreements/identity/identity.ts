// What companies bring: the identity providers of partners, their domains, sign-in by them, and provisioning.
import type { Access, Guesses } from '../../access/index.ts';
import type { Secret } from '../../base/config-values.ts';
import { createDestinations, createGuardedFetch, type LookUp } from '../../base/egress/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { Limits } from '../../base/limits/index.ts';
import type { EnqueueMail } from '../../base/mail/index.ts';
import type { Database } from '../../base/postgres/database.ts';
import { createEncryption } from '../../base/secrets/index.ts';
import type { AccessTokens, ConnectionSignIn } from '../../people/index.ts';
import { createConnections } from './connections/connections.ts';
import { createLookUpProofs } from './connections/domains/dns.ts';
import { createDomains } from './connections/domains/domains.ts';
import { registerDomainRoutes } from './connections/domains/routes.ts';
import { registerConnectionRoutes } from './connections/routes.ts';
import { createProvisioningAccess } from './provisioning/access.ts';
import { createProvisioningOfOwners, provisionedData } from './provisioning/owners/provisioning.ts';
import { registerProvisioningRoutes } from './provisioning/owners/routes.ts';
import { deletePerson } from './provisioning/owners/store.ts';
import { createResources } from './provisioning/resources/resources.ts';
import { registerScimRoutes } from './provisioning/routes.ts';
import { createSettling } from './provisioning/settling/settling.ts';
import { createAnswers } from './single-sign-on/answers.ts';
import { createLogout } from './single-sign-on/logout.ts';
import { createSignInPolicies } from './single-sign-on/policy.ts';
import { createIdentityProviders } from './single-sign-on/provider.ts';
import { registerSingleSignOnRoutes } from './single-sign-on/routes.ts';
import { deleteExpiredVisits } from './single-sign-on/store.ts';
import { createVisits } from './single-sign-on/visits.ts';

export { completeChallenge } from './single-sign-on/store.ts';

/** How Concord reaches the identity providers of partners, and the DNS. */
export type IdentitySettings = {
  /** Where providers may be: as receivers of webhooks. */
  allowedCidrs: readonly string[];
  allowHttp: boolean;
  proxyUrl: URL | null;
  /** Null: those of this machine. */
  dnsServers: readonly string[] | null;
};

export type IdentityOptions = IdentitySettings & {
  db: Database;
  access: Access;
  guesses: Guesses;
  limits: Limits;
  tokens: AccessTokens;
  enqueueMail: EnqueueMail;
  lookUp: LookUp;
  baseUrl: string;
  secrets: readonly Secret[];
  connectionSignIn: ConnectionSignIn;
};

export function createIdentity({
  db,
  access,
  tokens,
  enqueueMail,
  baseUrl,
  secrets,
  ...options
}: IdentityOptions) {
  const { connectionSignIn, guesses, limits } = options;
  const { fetch, close } = createGuardedFetch({
    destinations: createDestinations(options),
    lookUp: options.lookUp,
    proxyUrl: options.proxyUrl,
  });
  const lookUp = createLookUpProofs(options.dnsServers);
  const domains = createDomains({ db, enqueueMail, baseUrl, lookUp });
  const told = { enqueueMail, baseUrl };
  return {
    routes(server) {
      const encryption = createEncryption(secrets, 'identity connection');
      registerConnectionRoutes(server, {
        connections: createConnections({ db, baseUrl, encryption, fetch }),
        access,
      });
      registerDomainRoutes(server, { domains, access });
      const providers = createIdentityProviders({ fetch, encryption });
      const answers = createAnswers({ db, told, connectionSignIn });
      const visits = createVisits({
        db,
        baseUrl,
        encryption: createEncryption(secrets, 'identity visit'),
        providers,
        answers,
        connectionSignIn,
      });
      const logout = createLogout({ db, providers });
      const policies = createSignInPolicies({ db, enqueueMail });
      registerSingleSignOnRoutes(server, { visits, answers, logout, policies, access, baseUrl });
      const settling = createSettling({ told, tokens });
      registerProvisioningRoutes(server, {
        provisioning: createProvisioningOfOwners({ db, baseUrl, settling }),
        access,
      });
      registerScimRoutes(server, {
        db,
        baseUrl,
        access: createProvisioningAccess({ db, guesses, limits }),
        resources: createResources({ db, baseUrl, settling }),
      });
    },
    close: async () => close(),
    personalData: [provisionedData(db)],
    erasePerson: deletePerson,
    tasks: [deleteExpiredVisits, domains.task],
  } satisfies Feature;
}
