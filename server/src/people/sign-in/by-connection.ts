// What a sign-in by an identity connection of a partner needs of accounts: who is linked, new people, links, and
// the session or the challenge. The caller decides who may sign in, in its own transaction.
import type { FastifyRequest } from 'fastify';
import { sessions } from '../../access/index.ts';
import type { Actor } from '../../audit/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { byProvider, recordOwn } from '../audited.ts';
import { hashIdentifier } from '../better-auth/hashed-tokens.ts';
import { newChallenge } from '../better-auth/second-factor-makings.ts';
import { insertChallenge } from '../factors/store.ts';
import { type Identity, lockPeople, replaceLink } from '../providers/store.ts';
import type { SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import { clientOf } from '../sessions/renew-session.ts';
import { createAccount } from './new-account.ts';

/** A session, or the challenge that its second factor has to meet. */
type Opened = { signedIn: SignedIn } & ({ sessionId: string } | { challengeHash: string });

export type ConnectionSignIn = ReturnType<typeof createConnectionSignIn>;

export function createConnectionSignIn({ auth, newSessions, consoleVisits, notices }: Services) {
  const actorOf =
    (request: FastifyRequest, { provider }: Identity) =>
    (userId: string): Actor =>
      byProvider(request, userId, provider);

  return {
    actorOf,
    beginVisit: (request: FastifyRequest) => consoleVisits.begin(request, false),
    /** Where the browser of the console goes on. `page`: of `beginVisit`. */
    async endVisit(page: string, signedIn: SignedIn) {
      const visit = consoleVisits.read(page);
      if (visit?.browserHash == null) throw new ServiceError('provider_refused');
      return consoleVisits.keep({ page: visit.page, browserHash: visit.browserHash }, signedIn);
    },

    /** Locks both. `linked`: the user of the identity. `owner`: the user of the address, unless it is a program. */
    findPeople: lockPeople,

    /** A person whose address is proven. Null: the address has an account by now. */
    create: (
      tx: Transaction,
      request: FastifyRequest,
      identity: Identity,
      person: { name: string; email: string },
    ) => createAccount(tx, { ...person, passwordHash: null }, actorOf(request, identity)),

    /** An earlier link of the user with this provider ends. The user learns of it, unless the account is new. */
    async link(
      tx: Transaction,
      request: FastifyRequest,
      identity: Identity,
      user: { id: string; isNew: boolean },
    ) {
      const { id: userId, isNew } = user;
      const { provider } = identity;
      await replaceLink(tx, userId, identity);
      await recordOwn(tx, {
        actor: actorOf(request, identity)(userId),
        action: 'account.link_provider',
        details: { provider },
        changes: { linked_account: { before: null, after: provider } },
      });
      if (!isNew) await notices.tell(tx, request, { userId, kind: 'provider_linked' });
    },

    /** `connection`: a typed id. */
    async open(
      tx: Transaction,
      request: FastifyRequest,
      { id: userId, secondFactor }: { id: string; secondFactor: boolean },
      connection: string,
    ): Promise<Opened> {
      if (secondFactor) {
        const { identifier, twoFactorToken } = await newChallenge(auth);
        await insertChallenge(tx, identifier, userId);
        return {
          signedIn: { twoFactorRedirect: true, twoFactorToken },
          challengeHash: hashIdentifier(identifier),
        };
      }
      const token = await sessions.insertSession(tx, {
        userId,
        provesSecondFactor: false,
        ...clientOf(request),
      });
      const found = await newSessions.record(tx, request, token, { by: 'connection', connection });
      if (!found) throw new ServiceError('provider_refused');
      const { sessionId, ...user } = found;
      return { signedIn: { token, user }, sessionId };
    },
  };
}
