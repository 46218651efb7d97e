// Admission: the onRequest hooks of routes. 401, 429, 404 and 403 are decided here, in this order, before the body is read.
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import sql from 'sql-template-tag';
import { readBearer, type Sessions } from '../accounts/index.ts';
import type { Actor, Denials } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import type { Limits } from '../http/limits.ts';
import { formatId } from '../ids.ts';
import {
  type Decision,
  decide,
  decideAsOwner,
  decideInSession,
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
  denials: Denials;
  operatorsNeedSecondFactor: boolean;
};
type Rule = {
  readonly decide: (standing: Standing) => Decision;
  /** What a denied attempt is recorded as. */
  readonly action: string;
  readonly bannedAreTold: boolean;
};

const grantedKey = 'granted';

/** Declares what the hooks leave on a request. To be called before the first route. */
export function declareAccess(server: { decorateRequest(name: string, value: null): unknown }): void {
  server.decorateRequest(grantedKey, null);
}

/** What the access hook of this request granted. */
export function grantedTo<Row>(request: FastifyRequest): Granted<Row> {
  return request.getDecorator<Granted<Row>>(grantedKey);
}

/** Who calls; null when the route lets in nobody in particular, and that is who came. */
export function grantedIfAny(request: FastifyRequest): Granted | null {
  return request.getDecorator<Granted | null>(grantedKey);
}

export function createAccess({ db, sessions, limits, denials, operatorsNeedSecondFactor }: Options): Access {
  async function ask(on: Queryable, question: Question, { bannedAreTold }: Rule): Promise<Found> {
    const found = await readAccess(on, question);
    if (!found || (found.banned && !bannedAreTold)) throw new ServiceError('unauthenticated');
    return found;
  }

  function grant(question: Question, rule: Rule, found: Found, requestId: string): Granted {
    const { principal, membership, row, partnerId, item } = found;
    const decision = rule.decide({ ...found, operatorsNeedSecondFactor });
    enforce(decision);
    const again = async (tx: Transaction, item?: Read['item']) => {
      // Partner, user, agreement: everyone locks in this order. Who is being deleted is then seen to be gone.
      await tx.query(sql`select from auth."user" where id = ${principal.userId} for key share`, 'lock caller');
      if (membership)
        await tx.query(sql`select from agreement where id = ${membership.agreementId} for share`, 'lock membership');
      if (item?.lock) await tx.query(item.lock(itemId(item, question.parameters)));
      return grant(question, rule, await ask(tx, question, rule), requestId);
    };
    return {
      principal,
      membership,
      because: decision.because,
      isOwn: item === 'own',
      row,
      actor: { userId: principal.userId, credential: principal.credential, requestId },
      again: (tx) => again(tx),
      async lock(tx) {
        await tx.query(sql`select from partner where id = ${partnerId} for no key update`, 'lock partner');
        return again(tx, question.read?.item);
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
      try {
        request.setDecorator(grantedKey, grant(question, rule, found, request.id));
      } catch (error) {
        recordDenial(error, rule, found, request);
        throw error;
      }
    };
  }

  /** Members only: what is hidden leaves no trace, so that nothing differs, and no stranger fills the log of a partner. */
  function recordDenial(
    error: unknown,
    { action }: Rule,
    { principal, membership, partnerId }: Found,
    request: FastifyRequest,
  ): void {
    if (!(error instanceof ServiceError) || error.status !== 403 || membership === null) return;
    const { userId, credential } = principal;
    denials.record({
      actor: { userId, credential, requestId: request.id },
      partnerId,
      action,
      target: formatId('agreement', membership.agreementId),
      details: { code: error.code },
    });
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
    inSession: plain(decideInSession),
    account: plain(decideSignedIn, true),
    accountInSession,
    accountIfAny: (request, reply) =>
      request.headers.authorization === undefined ? limits.perAddress(request, reply) : accountInSession(request, reply),
    onPlatform: (permission) => plain((standing) => decideOnPlatform(standing, permission)),
  };
}
