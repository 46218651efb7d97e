// The door of accounts: the only folder that knows better-auth.
import type { Database } from '../postgres/database.ts';
import type { Secret } from '../sealing.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createAccounts } from './accounts.ts';
import { createAudited } from './audited.ts';
import { createAuth } from './better-auth.ts';
import { createBridge } from './bridge.ts';
import { createGuards } from './guards.ts';
import { createAccountMail, type EnqueueMail } from './mails.ts';
import { createPasswords } from './passwords.ts';
import type { Providers } from './providers.ts';
import { createSecondFactor } from './second-factor.ts';
import { createUsers } from './users.ts';

export type { AccessTokens } from './access-tokens.ts';
export { type Bearer, readBearer } from './bearer.ts';
export { emailKey } from './email.ts';
export { forgetExpired } from './expired.ts';
export type { Guard } from './guards.ts';
export { composeMail, type EnqueueMail } from './mails.ts';
export { createOperator, ensureFirstOperator, resetOperatorPassword } from './operators.ts';
export { createPasswords } from './passwords.ts';
export { registerProviderRoutes } from './provider-routes.ts';
export type { Providers } from './providers.ts';
export { registerAccountRoutes } from './routes.ts';
export { OrphanQuery } from './schema.ts';
export { createSessions, type Sessions } from './sessions.ts';
export { allowOrphan, insertServiceUser, toRefusal } from './store.ts';
export { registerTokenRoutes } from './token-routes.ts';
export {
  AccessToken,
  CreateServiceToken,
  NewAccessToken,
  TokenListQuery,
  tokenList,
} from './token-schema.ts';
export { registerUserRoutes } from './user-routes.ts';

type Options = {
  db: Database;
  secrets: readonly Secret[];
  /** Where the service is reached, without a slash at the end. */
  baseUrl: string;
  enqueueMail: EnqueueMail;
  /** False: nothing is counted, for load tests. */
  guarded: boolean;
  providers: Providers;
};

export function createAccountParts({ db, secrets, baseUrl, enqueueMail, guarded, providers }: Options) {
  const passwords = createPasswords();
  const mail = createAccountMail({ db, baseUrl, enqueue: enqueueMail });
  const auth = createAuth({ pool: db.pool, baseUrl, secrets, passwords, mail, providers });
  const bridge = createBridge({ auth, baseUrl });
  const guards = createGuards(db.pool, guarded);
  const secondFactor = createSecondFactor({ db, bridge, guards });
  const accounts = createAccounts({ db, bridge, guards, passwords, mail });
  return {
    passwords,
    accounts,
    secondFactor,
    guards,
    users: createUsers({ db }),
    tokens: createAccessTokens({ db }),
    audited: createAudited({ db }),
  };
}
