// The entry point of agreements: agreements, invitations, permission groups, service accounts, and what companies
// bring (identity/).
import type { Feature, Person, PersonalData } from '../base/feature.ts';
import { readInBatches } from '../base/http/lists.ts';
import { mails, warningTask } from '../base/mail/index.ts';
import type { Database } from '../base/postgres/database.ts';
import { registerGrantorRoutes } from './grantors/routes.ts';
import { registerGroupRoutes } from './groups/routes.ts';
import { createIdentity } from './identity/identity.ts';
import { discardInvitations } from './invitations/invitations.ts';
import { registerInvitationRoutes } from './invitations/routes.ts';
import type { Options } from './options.ts';
import { createAccessRequests } from './requests/access-requests.ts';
import { registerRequestRoutes } from './requests/routes.ts';
import { AccessRequest } from './requests/schema.ts';
import { eraseDecisions, requestsOf } from './requests/store.ts';
import { readOwnItems } from './reviews/reviews.ts';
import {
  registerReviewDecisionRoutes,
  registerReviewPolicyRoutes,
  registerReviewRoutes,
} from './reviews/routes.ts';
import { createReviewTask } from './reviews/schedule/task.ts';
import { OwnReviewItem } from './reviews/schema.ts';
import { eraseItems } from './reviews/store.ts';
import { registerAgreementRoutes, registerPermissionRoutes } from './routes.ts';
import { MyAgreement } from './schema.ts';
import { registerServiceAccountRoutes } from './service-accounts/routes.ts';
import { agreementsOfUser } from './store.ts';
import { takeEnding } from './warnings/store.ts';

export { changeLocked, changeOnce } from './agreements.ts';
export { completeChallenge } from './identity/single-sign-on/store.ts';
export type { IdentitySettings } from './options.ts';
export { selectOwnerEmails, selectOwners } from './store.ts';

const registrations = [
  registerAgreementRoutes,
  registerPermissionRoutes,
  registerInvitationRoutes,
  registerGroupRoutes,
  registerRequestRoutes,
  registerReviewPolicyRoutes,
  registerReviewRoutes,
  registerReviewDecisionRoutes,
  registerGrantorRoutes,
];

export function createAgreements(options: Options): Feature {
  const identity = createIdentity(options);
  return {
    routes(server) {
      for (const register of registrations) register(server, options);
      identity.routes(server);
      registerServiceAccountRoutes(server, options);
    },
    close: identity.close,
    personalData: [...createPersonalData(options.db), ...identity.personalData],
    async erasePerson(tx, person) {
      await discardInvitations(tx, person);
      await eraseDecisions(tx, person.userId);
      await identity.erasePerson(tx, person);
      await eraseItems(tx, person.userId);
    },
    tasks: [
      warningTask(options.enqueueMail, {
        name: 'warn before agreements end',
        takeEnding,
        write: mails.agreementEnds,
      }),
      createAccessRequests(options).lapsing,
      createReviewTask(options),
      ...identity.tasks,
    ],
  };
}

/**
 * The agreements of a person, the invitations to their verified address, with the names of the partners, what
 * the person asked for, and how reviews decided about them.
 */
function createPersonalData(db: Database): PersonalData[] {
  async function* read({ userId }: Person, accepted: boolean) {
    for await (const batch of readInBatches(agreementsOfUser(db, userId, null)))
      yield batch.filter((each) => each.accepted === accepted);
  }
  return [
    { name: 'agreements', schema: MyAgreement, read: (person) => read(person, true) },
    { name: 'invitations', schema: MyAgreement, read: (person) => read(person, false) },
    {
      name: 'access_requests',
      schema: AccessRequest,
      read: ({ userId }) => readInBatches(requestsOf(db, { userId })),
    },
    { name: 'access_reviews', schema: OwnReviewItem, read: ({ userId }) => readOwnItems(db, userId) },
  ];
}
