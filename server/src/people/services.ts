// What the operations of accounts share, made once, since some of it counts. The operations keep nothing themselves, so
// several routes may make the same one.
import type { Access } from '../access/index.ts';
import type { Secret } from '../base/config-values.ts';
import type { ErasePerson } from '../base/feature.ts';
import type { Window } from '../base/limits/index.ts';
import type { EnqueueMail } from '../base/mail/index.ts';
import type { Database } from '../base/postgres/database.ts';
import { createAccountMail } from './account-mail.ts';
import { createAudited } from './audited.ts';
import { createAuth, type Providers } from './better-auth/better-auth.ts';
import { createBridge } from './better-auth/bridge.ts';
import { createPrepareProvider } from './better-auth/openid-provider.ts';
import { createPasswords } from './better-auth/passwords.ts';
import { createGuards } from './guards.ts';
import { createNotices } from './notices/notices.ts';
import { createPasswordCheck } from './password-check.ts';
import { createConsoleVisits } from './providers/console-visits.ts';
import { createProviderLinks } from './providers/provider-links.ts';
import { createNewSessions, type OnChallengeMet } from './sessions/new-sessions.ts';
import { createDeletePerson } from './users/deletion.ts';
import { isBanned } from './users/store.ts';

export type AccountSettings = {
  /** False: attempts to sign in are not limited, for load tests. */
  guarded: boolean;
  /** The mails that each network address can cause. */
  mails: Window;
  /** False: this process answers no requests, so it prints no link. */
  answers: boolean;
  providers: Providers;
  /** `password` null: a password is generated and announced. */
  firstOperator: { email: string; password: string | null; announce: (line: string) => void };
};

/** The address of the operator that the link sets up. The link ends that of an earlier start. */
export type Setup = { link: string; email: string };

export type Options = AccountSettings & {
  db: Database;
  access: Access;
  /** The current one first. */
  secrets: readonly Secret[];
  /** The URL of the service for clients, without a trailing slash. */
  baseUrl: string;
  enqueueMail: EnqueueMail;
  /** Blanks what names a person, in every feature. */
  erasePerson: ErasePerson;
  onProviderFailure: (error: unknown) => void;
  onChallengeMet: OnChallengeMet;
  /** Called at each start, while no operator has signed in. */
  announceSetup?: (setup: Setup) => void;
};

export type Services = ReturnType<typeof createServices>;

export function createServices(options: Options) {
  const { db, enqueueMail } = options;
  const passwords = createPasswords();
  const guards = createGuards({ db, enabled: options.guarded, mails: options.mails });
  const notices = createNotices(db, enqueueMail);
  const providerLinks = createProviderLinks({ ...options, notices });
  const auth = createAuth({
    ...options,
    pool: db.pool,
    passwords,
    beforeLink: providerLinks.beforeLink,
    isBanned: (userId) => isBanned(db, userId),
  });
  return {
    ...options,
    passwords,
    guards,
    notices,
    providerLinks,
    auth,
    bridge: createBridge(auth),
    mail: createAccountMail({ ...options, enqueue: enqueueMail }),
    audited: createAudited(db),
    passwordCheck: createPasswordCheck(db, passwords),
    newSessions: createNewSessions({ ...options, guards }),
    consoleVisits: createConsoleVisits(options),
    prepareProvider: createPrepareProvider({ ...options, auth, onFailure: options.onProviderFailure }),
    deletePerson: createDeletePerson(options.erasePerson, notices.tell),
  };
}
