// The entry point of agreements: agreements, invitations, permission groups, service accounts, and what companies
// bring (identity/).
import type { ReachOf } from '../access/index.ts';
import type { Feature, Person, PersonalData } from '../base/feature.ts';
import { readInBatches } from '../base/http/lists.ts';
import type { InvitationGuard } from '../people/index.ts';
import { type Agreements, createAgreementOperations } from './agreements.ts';
import { createGrantors } from './grantors/grantors.ts';
import { registerGrantorRoutes } from './grantors/routes.ts';
import { createPermissionGroups } from './groups/groups.ts';
import { registerGroupRoutes } from './groups/routes.ts';
import { createIdentity, type IdentityOptions } from './identity/identity.ts';
import { createInvitationAnswers } from './invitations/answers.ts';
import { createInvitations, discardInvitations } from './invitations/invitations.ts';
import { registerInvitationRoutes } from './invitations/routes.ts';
import { type AccessRequests, createAccessRequests } from './requests/access-requests.ts';
import { registerRequestRoutes } from './requests/routes.ts';
import { AccessRequest } from './requests/schema.ts';
import { eraseDecisions } from './requests/store.ts';
import { createReviews, type Reviews } from './reviews/reviews.ts';
import { registerReviewRoutes } from './reviews/routes.ts';
import { createReviewTask } from './reviews/schedule/task.ts';
import { OwnReviewItem } from './reviews/schema.ts';
import { eraseItems } from './reviews/store.ts';
import { registerAgreementRoutes, registerPermissionRoutes } from './routes.ts';
import { MyAgreement } from './schema.ts';
import { registerServiceAccountRoutes } from './service-accounts/routes.ts';
import { createServiceAccounts } from './service-accounts/service-accounts.ts';
import { warnOfEnds } from './warnings/warnings.ts';

export { changeLocked, changeOnce } from './agreements.ts';
export { completeChallenge, type IdentitySettings } from './identity/identity.ts';
export { selectOwnerEmails, selectOwners } from './store.ts';

type Options = IdentityOptions & {
  reachOf: ReachOf;
  invitationGuard: InvitationGuard;
  operatorsNeedSecondFactor: boolean;
};

export function createAgreements({
  reachOf,
  invitationGuard: guard,
  operatorsNeedSecondFactor,
  ...options
}: Options): Feature {
  const { db, access, tokens, enqueueMail, baseUrl } = options;
  const invitations = createInvitations({ db, enqueueMail, baseUrl, guard });
  const agreements = createAgreementOperations({ db, invitations });
  const identity = createIdentity(options);
  const requests = createAccessRequests({ db, reachOf, enqueueMail, baseUrl });
  const reviews = createReviews({ db });
  return {
    routes(server) {
      registerAgreementRoutes(server, { agreements, access });
      registerPermissionRoutes(server, { agreements, access });
      registerInvitationRoutes(server, {
        answers: createInvitationAnswers({ db, operatorsNeedSecondFactor }),
        access,
      });
      registerGroupRoutes(server, { groups: createPermissionGroups({ db }), access });
      registerRequestRoutes(server, { requests, access });
      registerReviewRoutes(server, { reviews, access });
      registerGrantorRoutes(server, { grantors: createGrantors({ db }), access });
      identity.routes(server);
      registerServiceAccountRoutes(server, {
        serviceAccounts: createServiceAccounts({ db, tokens }),
        access,
      });
    },
    close: identity.close,
    personalData: [...createPersonalData(agreements, requests, reviews), ...identity.personalData],
    async erasePerson(tx, person) {
      await discardInvitations(tx, person);
      await eraseDecisions(tx, person.userId);
      await identity.erasePerson(tx, person);
      await eraseItems(tx, person.userId);
    },
    tasks: [
      warnOfEnds(enqueueMail),
      requests.lapsing,
      createReviewTask({ enqueueMail, baseUrl }),
      ...identity.tasks,
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
