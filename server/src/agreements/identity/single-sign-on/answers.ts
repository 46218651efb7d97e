// What an answer of an identity provider does: it signs in, proves a session, tests the connection, or offers a
// link. One transaction decides all of it, with the connection and the people locked.
import type { FastifyRequest } from 'fastify';
import { type Caller, lockPartner } from '../../../access/index.ts';
import { recordAction, systemActor } from '../../../audit/index.ts';
import { cookieOf, isFromConsole } from '../../../base/browser-session/index.ts';
import { domainOf, emailKey } from '../../../base/email.ts';
import { ServiceError } from '../../../base/errors.ts';
import { ownerOfPartner } from '../../../base/http/callers.ts';
import { formatId } from '../../../base/ids.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { type ConnectionSignIn, hashOf, newToken, selectVerifiedEmail } from '../../../people/index.ts';
import type { Options } from '../../options.ts';
import { joinByConnection } from '../connections/new-members.ts';
import { type Connection, lockConnection } from '../connections/store.ts';
import type { Claims } from './provider.ts';
import * as store from './store.ts';

type SignedIn = Awaited<ReturnType<ConnectionSignIn['open']>>['signedIn'];
/** `linkCode`: the address has an account that is not linked. `proved`, `tested`: ids. */
export type Outcome = SignedIn | { linkCode: string } | { proved: string } | { tested: string };

/** A person at the provider, whose address the connection may assert. `lost`: the record of its domain is missing. */
type Person = Claims & { email: string; key: string; lost: boolean };
type Answering = {
  tx: Transaction;
  request: FastifyRequest;
  connection: Connection;
  person: Person;
};
/** `page`: to which the browser returns. */
type Offering = Answering & { page: string | null };
type Known = NonNullable<Awaited<ReturnType<ConnectionSignIn['findPeople']>>['owner']>;

export type Answers = ReturnType<typeof createAnswers>;

const refused = (detail: string) => new ServiceError('provider_refused', { detail });
const typedId = ({ connection_id }: Connection) => formatId('identity_connection', connection_id);

export function createAnswers(options: Options) {
  const { db, connectionSignIn } = options;

  /** Anybody can send answers: what waits for a partner must not hold all connections. */
  const inTransaction = <T>(partnerId: string, work: (tx: Transaction) => Promise<T>) =>
    db.alsoFor(ownerOfPartner(partnerId), () => db.transaction(work));

  return {
    /** @throws ServiceError provider_refused, membership_refused, banned */
    accept: (request: FastifyRequest, visit: store.TakenVisit, claims: Claims) =>
      inTransaction(visit.partnerId, async (tx) => {
        const connection = await lockUnchanged(tx, visit.partnerId, visit.connectionId, visit);
        if (await store.isLoggedOut(tx, connection.connection_id, claims, visit.takenAt))
          throw refused('The identity provider has signed you out meanwhile. Start again.');
        const person = await toPerson(tx, connection, claims);
        const { sessionId, page } = visit;
        const answering = { tx, request, connection, person, page };
        if (sessionId === null) return signIn(options, answering);
        const userId = await store.selectUserOfSession(tx, sessionId);
        if (userId === undefined) throw refused('Your session has ended meanwhile. Sign in again.');
        if (visit.purpose === 'prove') return prove(connectionSignIn, answering, userId, sessionId);
        if (!(await store.recordTest(tx, connection, userId)))
          throw refused('You are no longer an owner of the partner.');
        return { tested: typedId(connection) };
      }),

    /** Links the account at the provider to the caller, who has just proven the account here. */
    async link(request: FastifyRequest, caller: Caller, code: string) {
      const { userId, credential } = caller.principal;
      const browser = cookieOf(request, 'visit');
      // Another browser began, so somebody else may have sent the code.
      if (browser === undefined && isFromConsole(request)) throw new ServiceError('invalid_token');
      const link = {
        tokenHash: hashOf(code).toString('hex'),
        userId,
        browserHash: browser === undefined ? null : hashOf(browser),
      };
      const partnerId = await store.selectLink(db, link);
      if (partnerId === undefined) throw new ServiceError('invalid_token');
      return inTransaction(partnerId, async (tx) => {
        await lockPartner(tx, partnerId);
        await caller.recheck(tx);
        const proof = await store.takeLink(tx, link);
        if (!proof) throw new ServiceError('invalid_token');
        const connection = await lockUnchanged(tx, partnerId, proof.connection_id, proof);
        const email = (await selectVerifiedEmail(tx, userId)) ?? '';
        const person = await toPerson(tx, connection, { ...claimsOf(proof), email });
        const answering = { tx, request, connection, person };
        const identity = identityOf(answering);
        const { linked, owner } = await connectionSignIn.findPeople(tx, identity, person.key);
        if (owner) requireLinkable(owner, person);
        if (linked && linked.id !== userId)
          throw refused('The account at the provider belongs to another user.');
        await join(options, answering, userId);
        await connectionSignIn.link(tx, request, identity, { id: userId, isNew: false });
        await store.requireSession(tx, credential.id);
        await store.upsertProof(tx, credential.id, proof);
        return { proved: formatId('partner', partnerId) };
      });
    },
  };
}

/** @throws ServiceError provider_refused: turned off or changed since the visit began */
export function requireUnchanged(
  { enabled, revision }: Connection,
  visit: { revision: number; purpose?: store.Purpose },
) {
  if ((!enabled && visit.purpose !== 'test') || revision !== visit.revision)
    throw refused('The connection was changed or turned off meanwhile. Start again.');
}

const identityOf = ({ connection, person }: Answering) => ({
  provider: `connection:${connection.connection_id}`,
  subject: person.subject,
});
const actorOf = (connectionSignIn: ConnectionSignIn, answering: Answering, userId: string) =>
  connectionSignIn.actorOf(answering.request, identityOf(answering))(userId);

function join(options: Options, answering: Answering, userId: string | null) {
  const { tx, connection, person } = answering;
  return joinByConnection(tx, options, {
    connectionId: connection.connection_id,
    email: person.email,
    emailKey: person.key,
    userId,
    groupIds: [],
    by: 'sign_in',
    actor:
      userId === null ? systemActor('single sign-on') : actorOf(options.connectionSignIn, answering, userId),
  });
}

/** Nobody is linked, and no account has the address. */
async function createUser(options: Options, answering: Answering) {
  const { connectionSignIn } = options;
  const { tx, request, connection, person } = answering;
  if (person.lost) throw refused('The DNS record of the domain is missing, so nobody joins. Tell an owner.');
  const agreement = await join(options, answering, null);
  if (agreement === null && !connection.admits_new_members)
    throw new ServiceError('membership_refused', {
      detail: 'The identity provider of the partner admits no new members. Use the link in your invitation.',
    });
  const name = person.name ?? person.key.slice(0, person.key.lastIndexOf('@'));
  const identity = identityOf(answering);
  const id = await connectionSignIn.create(tx, request, identity, { name, email: person.key });
  if (id === null) throw refused('The address has an account by now. Start again.');
  await connectionSignIn.link(tx, request, identity, { id, isNew: true });
  return { id, email: person.key, verified: true, banned: false, secondFactor: false, operator: false };
}

/** A code with which the owner of the account links it, in a session of their own. */
async function offerLink(answering: Offering, userId: string): Promise<Outcome> {
  const { tx, connection, person, page } = answering;
  const linkCode = newToken();
  await store.insertClaim(tx, {
    ...(await toProof(answering)),
    tokenHash: hashOf(linkCode).toString('hex'),
    kind: 'link',
    revision: connection.revision,
    userId,
    browserHash: browserHashOf(page),
    email: person.key,
  });
  return { linkCode };
}

async function signIn(options: Options, answering: Offering): Promise<Outcome> {
  const { connectionSignIn } = options;
  const { tx, request, connection, person } = answering;
  const { linked, owner } = await connectionSignIn.findPeople(tx, identityOf(answering), person.key);
  if (!linked && owner) {
    requireLinkable(owner, person);
    return offerLink(answering, owner.id);
  }
  const user = linked ?? (await createUser(options, answering));
  requireOwn(user, person);
  // Otherwise whoever runs the provider of one partner could act for every partner.
  if (user.operator && !user.secondFactor)
    throw refused('An operator needs a second factor in Concord. Sign in another way, and set one up.');
  if (!person.lost) await join(options, answering, user.id);
  const opened = await connectionSignIn.open(tx, request, user, typedId(connection));
  const proof = await toProof(answering);
  if ('sessionId' in opened) await store.proveSignIn(tx, opened.sessionId, proof);
  else
    await store.insertClaim(tx, {
      ...proof,
      tokenHash: opened.challengeHash,
      kind: 'challenge',
      revision: connection.revision,
      userId: user.id,
      browserHash: null,
      email: person.key,
    });
  return opened.signedIn;
}

async function prove(
  connectionSignIn: ConnectionSignIn,
  answering: Offering,
  userId: string,
  sessionId: string,
): Promise<Outcome> {
  const { tx, connection, person } = answering;
  const { linked, owner } = await connectionSignIn.findPeople(tx, identityOf(answering), person.key);
  if (!linked && owner?.id === userId) {
    requireLinkable(owner, person);
    return offerLink(answering, userId);
  }
  if (linked?.id !== userId)
    throw refused('The account at the identity provider is not that of the user who is signed in.');
  requireOwn(linked, person);
  const proof = await toProof(answering);
  const now = await readClock(tx);
  if (now.getTime() - proof.proved_at.getTime() > connection.sso_max_age_seconds * 1_000)
    throw refused(
      'Your sign-in at the identity provider is older than the partner allows. It must ask you again.',
    );
  await store.upsertProof(tx, sessionId, proof);
  const proved = typedId(connection);
  await recordAction(tx, {
    actor: {
      ...actorOf(connectionSignIn, answering, userId),
      credential: { kind: 'session', id: sessionId },
    },
    partnerId: connection.partner_id,
    action: 'account.prove_sign_in',
    target: userId,
    details: { connection: proved },
    changes: { proof: { before: null, after: proved } },
  });
  return { proved: formatId('partner', connection.partner_id) };
}

async function lockUnchanged(
  tx: Transaction,
  partnerId: string,
  connectionId: string,
  visit: { revision: number; purpose?: store.Purpose },
) {
  await lockPartner(tx, partnerId);
  const connection = await lockConnection(tx, connectionId);
  if (!connection) throw refused('The connection was deleted meanwhile.');
  requireUnchanged(connection, visit);
  return connection;
}

const claimsOf = ({
  subject,
  provider_session: providerSession,
  acr,
  amr,
  proved_at,
}: store.Proof): Claims => ({
  subject,
  providerSession,
  acr,
  amr,
  email: null,
  name: null,
  emailVerified: true,
  authTimeMs: proved_at.getTime(),
});

/** The connection speaks only for addresses of its own domains. @throws ServiceError provider_refused */
async function toPerson(tx: Transaction, { connection_id }: Connection, claims: Claims) {
  const { email, emailVerified } = claims;
  if (email === null)
    throw refused('The identity provider sent no e-mail address. It must send the claim `email`.');
  // A missing claim is enough: the company has shown that the domain is its own. False says that the person has not
  // shown that the address is theirs.
  if (!emailVerified) throw refused('The identity provider says that your e-mail address is not verified.');
  const key = emailKey(email);
  const domain = key === null ? undefined : await store.selectDomain(tx, connection_id, domainOf(key));
  if (key === null || !domain)
    throw refused(
      'The identity provider sent an e-mail address of a domain that the connection has not verified.',
    );
  return { ...claims, email, key, lost: domain.lost };
}

/** For a linked user. @throws ServiceError provider_refused, banned */
function requireOwn(user: Known, { key }: Person) {
  if (user.banned) throw new ServiceError('banned');
  if (!user.verified || user.email !== key)
    throw refused(
      'Your e-mail address at the identity provider is not that of your account. Change one of them.',
    );
}

/** For a user with the same address. @throws ServiceError provider_refused */
function requireLinkable(user: Known, { lost }: Person) {
  if (lost) throw refused('The DNS record of the domain is missing, so no account is linked. Tell an owner.');
  if (user.banned) throw new ServiceError('banned');
  if (!user.verified)
    throw new ServiceError('email_not_verified', {
      detail: 'Your account has not verified its e-mail address, so it cannot be linked.',
    });
}

async function toProof({ tx, connection, person }: Answering) {
  const { connection_id, partner_id } = connection;
  const { subject, providerSession: provider_session, acr, amr, authTimeMs } = person;
  const now = await readClock(tx);
  const proved_at = new Date(Math.min(now.getTime(), authTimeMs ?? Number.POSITIVE_INFINITY));
  return { partner_id, connection_id, proved_at, subject, provider_session, acr, amr };
}

/** The browser of the console that began. */
function browserHashOf(page: string | null): Buffer | null {
  const hash = new URLSearchParams(page?.split('?')[1]).get('browser');
  return hash === null ? null : Buffer.from(hash, 'base64url');
}
