// What agreements are built from.
import type { Access, Guesses, ReachOf } from '../access/index.ts';
import type { Secret } from '../base/config-values.ts';
import type { LookUp } from '../base/egress/index.ts';
import type { Limits } from '../base/limits/index.ts';
import type { EnqueueMail } from '../base/mail/index.ts';
import type { Database } from '../base/postgres/database.ts';
import type { ConnectionSignIn, InvitationGuard } from '../people/index.ts';

/** How Concord reaches the identity providers of partners, and the DNS. */
export type IdentitySettings = {
  /** Where providers may be: as receivers of webhooks. */
  allowedCidrs: readonly string[];
  allowHttp: boolean;
  proxyUrl: URL | null;
  /** Null: those of this machine. */
  dnsServers: readonly string[] | null;
};

export type Options = IdentitySettings & {
  db: Database;
  access: Access;
  reachOf: ReachOf;
  guesses: Guesses;
  limits: Limits;
  connectionSignIn: ConnectionSignIn;
  invitationGuard: InvitationGuard;
  enqueueMail: EnqueueMail;
  lookUp: LookUp;
  baseUrl: string;
  secrets: readonly Secret[];
  operatorsNeedSecondFactor: boolean;
};
