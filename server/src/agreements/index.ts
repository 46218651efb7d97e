// The door of agreements: agreements, invitations, permission groups and service accounts.
import type { Access } from '../access/index.ts';
import type { AccessTokens, InvitationGuard } from '../accounts/index.ts';
import type { Feature } from '../feature.ts';
import type { EnqueueMail } from '../mail/index.ts';
import type { Database } from '../postgres/database.ts';
import { createAgreementOperations } from './agreements.ts';
import { createGrantors } from './grantors/grantors.ts';
import { registerGrantorRoutes } from './grantors/routes.ts';
import { createPermissionGroups } from './groups/groups.ts';
import { registerGroupRoutes } from './groups/routes.ts';
import { createInvitationAnswers } from './invitations/answers.ts';
import { createInvitations } from './invitations/invitations.ts';
import { registerInvitationRoutes } from './invitations/routes.ts';
import { registerAgreementRoutes } from './routes.ts';
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

export function createAgreements({ db, access, tokens, invitationGuard: guard, enqueueMail, ...options }: Options): Feature {
  const { baseUrl, operatorsNeedSecondFactor } = options;
  const invitations = createInvitations({ enqueueMail, baseUrl, guard });
  return {
    routes(server) {
      registerAgreementRoutes(server, { agreements: createAgreementOperations({ db, invitations }), access });
      registerInvitationRoutes(server, { answers: createInvitationAnswers({ db, operatorsNeedSecondFactor }), access });
      registerGroupRoutes(server, { groups: createPermissionGroups({ db }), access });
      registerGrantorRoutes(server, { grantors: createGrantors({ db }), access });
      registerServiceAccountRoutes(server, { serviceAccounts: createServiceAccounts({ db, tokens }), access });
    },
    tasks: [warnOfEnds(enqueueMail)],
  };
}
