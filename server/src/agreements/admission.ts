// Admission: the onRequest hooks of routes. 401, 429, 404 and 403 are decided here, in this order, before the body is read.
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import sql from 'sql-template-tag';
import { readBearer, type Sessions } from '../accounts/index.ts';
import type { Actor, AuditEntry, Denials } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import type { Limits } from '../http/limits.ts';
import type { HttpServer } from '../http/server.ts';
import { formatId } from '../ids.ts';
import {
  type Decision,
  decide,
  decideAsOwner,
  decideInSession,
  decideOnOwnAgreements,
  decideOnPlatform,
  decideSignedIn,
  enforce,
  type Membership,
  type OwnRight,
  type Permission,
  type Principal,
  type Standing,
} from '../permissions/index.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';
import { type Found, itemId, type Question, type Read, readAccess } from './access.ts';

/** The access read's answer, once it was allowed. `row` holds the columns of the Read. */
export type Granted<Row = unknown> = {
  readonly principal: Principal;
  /** The caller's live agreement with the partner. */
  readonly membership: Membership | null;
  readonly because: Decision['because'];
  /** The path names the caller's own agreement. */
  readonly isOwn: boolean;
  readonly row: Row;
  readonly actor: Actor;
  /**
   * Reads and decides again inside a mutation's transaction, with the caller's agreement locked, so that a revocation cannot race
   * it. Throws what the hook would throw.
   */
  again(tx: Transaction): Promise<Granted<Row>>;
  /** The same with the partner locked: who changes a partner or its agreements goes one at a time. */
  lock(tx: Transaction): Promise<Granted<Row>>;
};

export type Access = {
  /** For routes under /partners/{id}. `ownRight`: what one may do with one's own agreement without the permission. */
  onPartner(permission: Permission, read: Read, ownRight?: OwnRight): onRequestAsyncHookHandler;
  /** For what only the owners of a partner and operators do, in a session. `action`: what a denied attempt is recorded as. */
  asOwner(action: string, read: Read): onRequestAsyncHookHandler;
  /** For anyone who is signed in, or has an access token. */
  signedIn: onRequestAsyncHookHandler;
  /** The same, with a scope for agreements. */
  ownAgreements: onRequestAsyncHookHandler;
  /** For anyone who is signed in; an access token is not enough. */
  inSession: onRequestAsyncHookHandler;
  /** The same two for people's own accounts: a banned user is told so (403) instead of being unknown (401). */
  account: onRequestAsyncHookHandler;
  accountInSession: onRequestAsyncHookHandler;
  /** Who sends no token comes in as nobody, within the window of the address; one that is sent must be a session. */
  accountIfAny: onRequestAsyncHookHandler;
  /** For routes about the platform itself. `permission`: the scope that lets an access token in; null: none does. */
  onPlatform(permission: Permission | null): onRequestAsyncHookHandler;
};

type Options = {
  db: Database;
  sessions: Sessions;
  limits: Limits;
  operatorsNeedSecondFactor: boolean;
};
type Rule = {
  readonly decide: (standing: Standing) => Decision;
  /** What a denied attempt is recorded as. */
  readonly action: string;
  readonly bannedAreTold: boolean;
};

const grantedKey = 'granted';
const attemptKey = 'attempt';
/** What a member is about to try: what is hidden leaves no trace, so that nothing differs, and no stranger fills the log of a partner. */
type Attempt = Pick<AuditEntry, 'actor' | 'partnerId' | 'action' | 'target'>;

/** Prepares the server for the hooks, and records what members are denied, whoever says so. To be called before the first route. */
export function declareAccess(server: HttpServer, denials: Denials): void {
  server.decorateRequest(grantedKey, null);
  server.decorateRequest(attemptKey, null);
  server.addHook('onError', async (request, _reply, error) => {
    const attempt = request.getDecorator<Attempt | null>(attemptKey);
    if (attempt && error instanceof ServiceError && error.status === 403) {
      denials.record({ ...attempt, details: { code: error.code } });
    }
  });
}

/** What the access hook of this request granted. */
export function grantedTo<Row>(request: FastifyRequest): Granted<Row> {
  return request.getDecorator<Granted<Row>>(grantedKey);
}

/** Who calls; null when the route lets in nobody in particular, and that is who came. */
export function grantedIfAny(request: FastifyRequest): Granted | null {
  return request.getDecorator<Granted | null>(grantedKey);
}

export function createAccess({ db, sessions, limits, operatorsNeedSecondFactor }: Options): Access {
  async function ask(on: Queryable, question: Question, { bannedAreTold }: Rule): Promise<Found> {
    const found = await readAccess(on, question);
    if (!found || (found.banned && !bannedAreTold)) throw new ServiceError('unauthenticated');
    return found;
  }

  function grant(question: Question, rule: Rule, found: Found, requestId: string): Granted {
    const { principal, membership, row, partnerId, item } = found;
    const decision = rule.decide({ ...found, operatorsNeedSecondFactor });
    enforce(decision);
    const decideAgain = async (tx: Transaction) => grant(question, rule, await ask(tx, question, rule), requestId);
    return {
      principal,
      membership,
      because: decision.because,
      isOwn: item === 'own',
      row,
      actor: { userId: principal.userId, credential: principal.credential, requestId },
      async again(tx) {
        await lockCaller(tx, found);
        return decideAgain(tx);
      },
      async lock(tx) {
        await tx.query(sql`select from partner where id = ${partnerId} for no key update`, 'lock partner');
        await lockCaller(tx, found);
        await lockItem(tx, question);
        return decideAgain(tx);
      },
    };
  }

  function hook(read: Read | null, rule: Rule): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
    return async (request, reply) => {
      void reply.header('cache-control', 'private, no-cache');
      const bearer = readBearer(request.headers.authorization);
      if (bearer === null) throw new ServiceError('unauthenticated');
      const question = { bearer, parameters: request.params as Record<string, string>, read };
      const found = await ask(db.pipelined, question, rule);
      const { credential } = found.principal;
      await limits.count(`${credential.kind} ${credential.id}`, reply);
      if (found.banned) throw new ServiceError('banned');
      if (found.slideDue) await sessions.slide(credential.id);
      request.setDecorator(attemptKey, toAttempt(question, rule, found, request.id));
      request.setDecorator(grantedKey, grant(question, rule, found, request.id));
    };
  }

  const plain = (decide: Rule['decide'], bannedAreTold = false) => hook(null, { decide, action: 'platform', bannedAreTold });
  const accountInSession = plain(decideInSession, true);
  return {
    onPartner: (permission, read, ownRight) =>
      hook(read, {
        decide: (standing) => decide(standing, permission, ownRight),
        action: `${permission.resource}.${permission.method}`,
        bannedAreTold: false,
      }),
    asOwner: (action, read) => hook(read, { decide: decideAsOwner, action, bannedAreTold: false }),
    signedIn: plain(decideSignedIn),
    ownAgreements: plain(decideOnOwnAgreements),
    inSession: plain(decideInSession),
    account: plain(decideSignedIn, true),
    accountInSession,
    accountIfAny: (request, reply) =>
      request.headers.authorization === undefined ? limits.perAddress(request, reply) : accountInSession(request, reply),
    onPlatform: (permission) => plain((standing) => decideOnPlatform(standing, permission)),
  };
}

/** Partner, user, agreement: everyone locks in this order. Who is being deleted is then seen to be gone. */
async function lockCaller(tx: Transaction, { principal, membership }: Found): Promise<void> {
  await tx.query(sql`select from auth."user" where id = ${principal.userId} for key share`, 'lock caller');
  if (membership) {
    await tx.query(sql`select from agreement where id = ${membership.agreementId} for share`, 'lock membership');
  }
}

async function lockItem(tx: Transaction, { read, parameters }: Question): Promise<void> {
  if (read?.item?.lock) await tx.query(read.item.lock(itemId(read.item, parameters)));
}

function toAttempt({ parameters, read }: Question, { action }: Rule, found: Found, requestId: string): Attempt | null {
  const { principal, membership, partnerId, item } = found;
  if (membership === null || partnerId === null) return null;
  const { userId, credential } = principal;
  const named = read?.item && item !== 'missing' ? parameters[read.item.parameter] : undefined;
  return { actor: { userId, credential, requestId }, partnerId, action, target: named ?? formatId('partner', partnerId) };
}
