// The entry point of agreements: agreements, invitations, permission groups and service accounts.
import type { Access } from '../access/index.ts';
import type { Feature, Person, PersonalData } from '../base/feature.ts';
import { readInBatches } from '../base/http/lists.ts';
import type { EnqueueMail } from '../base/mail/index.ts';
import type { Database } from '../base/postgres/database.ts';
import type { AccessTokens, InvitationGuard } from '../people/index.ts';
import { type Agreements, createAgreementOperations } from './agreements.ts';
import { createGrantors } from './grantors/grantors.ts';
import { registerGrantorRoutes } from './grantors/routes.ts';
import { createPermissionGroups } from './groups/groups.ts';
import { registerGroupRoutes, registerGroupsRoutes } from './groups/routes.ts';
import { createInvitationAnswers } from './invitations/answers.ts';
import { createInvitations, discardInvitations } from './invitations/invitations.ts';
import { registerInvitationRoutes } from './invitations/routes.ts';
import { registerAgreementRoutes, registerPermissionRoutes } from './routes.ts';
import { MyAgreement } from './schema.ts';
import { registerServiceAccountRoutes } from './service-accounts/routes.ts';
import { createServiceAccounts } from './service-accounts/service-accounts.ts';
import { warnOfEnds } from './warnings/warnings.ts';

export { selectOwnerEmails } from './store.ts';

type Options = {
  db: Database;
  access: Access;
  tokens: AccessTokens;
  invitationGuard: InvitationGuard;
  enqueueMail: EnqueueMail;
  baseUrl: string;
  operatorsNeedSecondFactor: boolean;
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
      registerGrantorRoutes(server, { grantors: createGrantors({ db }), access });
      registerServiceAccountRoutes(server, {
        serviceAccounts: createServiceAccounts({ db, tokens }),
        access,
      });
    },
    personalData: createPersonalData(agreements),
    erasePerson: discardInvitations,
    tasks: [warnOfEnds(enqueueMail)],
  };
}

/**
 * The agreements of a person, and the invitations to their verified address, with the names of the partners.
 */
function createPersonalData({ listMine }: Agreements): PersonalData[] {
  async function* read({ userId }: Person, accepted: boolean) {
    for await (const batch of readInBatches(listMine(userId, null, {})))
      yield batch.filter((each) => each.accepted === accepted);
  }
  return [
    { name: 'agreements', schema: MyAgreement, read: (person) => read(person, true) },
    { name: 'invitations', schema: MyAgreement, read: (person) => read(person, false) },
  ];
}
