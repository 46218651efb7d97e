// The entry point of agreements: agreements, invitations, permission groups and service accounts.
import type { Access, Guesses } from '../access/index.ts';
import type { Secret } from '../base/config-values.ts';
import { createDestinations, createGuardedFetch } from '../base/egress/index.ts';
import type { Feature, Person, PersonalData } from '../base/feature.ts';
import { readInBatches } from '../base/http/lists.ts';
import type { HttpServer } from '../base/http/server.ts';
import type { Limits } from '../base/limits/index.ts';
import type { EnqueueMail } from '../base/mail/index.ts';
import type { Database } from '../base/postgres/database.ts';
import { createEncryption } from '../base/secrets/index.ts';
import type { AccessTokens, ConnectionSignIn, InvitationGuard } from '../people/index.ts';
import { type Agreements, createAgreementOperations } from './agreements.ts';
import { createConnections } from './connections/connections.ts';
import { createLookUpProofs } from './connections/domains/dns.ts';
import { createDomains } from './connections/domains/domains.ts';
import { registerDomainRoutes } from './connections/domains/routes.ts';
import { registerConnectionRoutes } from './connections/routes.ts';
import { createGrantors } from './grantors/grantors.ts';
import { registerGrantorRoutes } from './grantors/routes.ts';
import { createPermissionGroups } from './groups/groups.ts';
import { registerGroupRoutes, registerGroupsRoutes } from './groups/routes.ts';
import { createInvitationAnswers } from './invitations/answers.ts';
import { createInvitations, discardInvitations } from './invitations/invitations.ts';
import { registerInvitationRoutes } from './invitations/routes.ts';
import { createProvisioning } from './provisioning/provisioning.ts';
import { type AccessRequests, createAccessRequests } from './requests/access-requests.ts';
import { registerRequestRoutes } from './requests/routes.ts';
import { AccessRequest } from './requests/schema.ts';
import { eraseDecisions, lapseRequests } from './requests/tidying.ts';
import { createReviews, type Reviews } from './reviews/reviews.ts';
import { registerReviewRoutes } from './reviews/routes.ts';
import { createReviewTask } from './reviews/schedule/task.ts';
import { OwnReviewItem } from './reviews/schema.ts';
import { eraseItems } from './reviews/store.ts';
import { registerAgreementRoutes, registerPermissionRoutes } from './routes.ts';
import { MyAgreement } from './schema.ts';
import { registerServiceAccountRoutes } from './service-accounts/routes.ts';
import { createServiceAccounts } from './service-accounts/service-accounts.ts';
import { createAnswers } from './single-sign-on/answers.ts';
import { createLogout } from './single-sign-on/logout.ts';
import { createSignInPolicies } from './single-sign-on/policy.ts';
import { createIdentityProviders } from './single-sign-on/provider.ts';
import { registerSingleSignOnRoutes } from './single-sign-on/routes.ts';
import { deleteExpiredVisits } from './single-sign-on/store.ts';
import { createVisits } from './single-sign-on/visits.ts';
import { warnOfEnds } from './warnings/warnings.ts';

export { completeChallenge } from './single-sign-on/store.ts';
export { selectOwnerEmails } from './store.ts';

type Options = {
  db: Database;
  access: Access;
  guesses: Guesses;
  limits: Limits;
  tokens: AccessTokens;
  invitationGuard: InvitationGuard;
  enqueueMail: EnqueueMail;
  baseUrl: string;
  operatorsNeedSecondFactor: boolean;
  secrets: readonly Secret[];
  connectionSignIn: ConnectionSignIn;
} & IdentitySettings;

/** How Concord reaches the identity providers of partners, and the DNS. */
export type IdentitySettings = {
  /** Where providers may be: as receivers of webhooks. */
  allowedCidrs: readonly string[];
  allowHttp: boolean;
  proxyUrl: URL | null;
  /** Null: those of this machine. */
  dnsServers: readonly string[] | null;
};

export function createAgreements({
  db,
  access,
  tokens,
  invitationGuard: guard,
  enqueueMail,
  ...options
}: Options): Feature {
  const { baseUrl, operatorsNeedSecondFactor } = options;
  const invitations = createInvitations({ enqueueMail, baseUrl, guard });
  const agreements = createAgreementOperations({ db, invitations });
  const { fetch, close } = createGuardedFetch({
    destinations: createDestinations(options),
    proxyUrl: options.proxyUrl,
  });
  const lookUp = createLookUpProofs(options.dnsServers);
  const domains = createDomains({ db, enqueueMail, baseUrl, lookUp });
  function registerIdentityRoutes(server: HttpServer): void {
    const { secrets, connectionSignIn } = options;
    const encryption = createEncryption(secrets, 'identity connection');
    registerConnectionRoutes(server, {
      connections: createConnections({ db, baseUrl, encryption, fetch }),
      access,
    });
    registerDomainRoutes(server, { domains, access });
    const providers = createIdentityProviders({ fetch, encryption });
    const answers = createAnswers({ db, enqueueMail, baseUrl, connectionSignIn });
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
  }
  const provisioning = createProvisioning({ db, access, tokens, enqueueMail, ...options });
  const requests = createAccessRequests({ db, enqueueMail, baseUrl });
  const reviews = createReviews({ db });
  return {
    routes(server) {
      registerAgreementRoutes(server, { agreements, access });
      registerPermissionRoutes(server, { agreements, access });
      registerInvitationRoutes(server, {
        answers: createInvitationAnswers({ db, operatorsNeedSecondFactor }),
        access,
      });
      const groups = createPermissionGroups({ db });
      registerGroupsRoutes(server, { groups, access });
      registerGroupRoutes(server, { groups, access });
      registerRequestRoutes(server, { requests, access });
      registerReviewRoutes(server, { reviews, access });
      registerGrantorRoutes(server, { grantors: createGrantors({ db }), access });
      registerIdentityRoutes(server);
      provisioning.register(server);
      registerServiceAccountRoutes(server, {
        serviceAccounts: createServiceAccounts({ db, tokens }),
        access,
      });
    },
    close: async () => close(),
    personalData: [...createPersonalData(agreements, requests, reviews), provisioning.personalData],
    async erasePerson(tx, person) {
      await discardInvitations(tx, person);
      await eraseDecisions(tx, person);
      await provisioning.erasePerson(tx, person);
      await eraseItems(tx, person.userId);
    },
    tasks: [
      warnOfEnds(enqueueMail),
      deleteExpiredVisits,
      lapseRequests(requests),
      createReviewTask({ enqueueMail, baseUrl }),
      domains.task,
    ],
  };
}

/**
 * The agreements of a person, the invitations to their verified address, with the names of the partners, what
 * the person asked for, and how reviews decided about them.
 */
function createPersonalData(
  { listMine }: Agreements,
  { listOf }: AccessRequests,
  reviews: Reviews,
): PersonalData[] {
  async function* read({ userId }: Person, accepted: boolean) {
    for await (const batch of readInBatches(listMine(userId, null, {})))
      yield batch.filter((each) => each.accepted === accepted);
  }
  return [
    { name: 'agreements', schema: MyAgreement, read: (person) => read(person, true) },
    { name: 'invitations', schema: MyAgreement, read: (person) => read(person, false) },
    {
      name: 'access_requests',
      schema: AccessRequest,
      read: ({ userId }) => readInBatches(listOf(userId)),
    },
    { name: 'access_reviews', schema: OwnReviewItem, read: ({ userId }) => reviews.listOf(userId) },
  ];
}
