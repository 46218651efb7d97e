// Access rules: the onRequest hooks of routes. They check 401, 429, 404 and 403, in this order, before the body is read.
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Actor, AuditEntry, Denials } from '../audit/index.ts';
import { hasCookieSession, setCookie } from '../browser-session/index.ts';
import { ServiceError } from '../errors.ts';
import type { Feature } from '../feature.ts';
import { setUser } from '../http/callers.ts';
import type { Limits } from '../http/limits.ts';
import { isRepeated } from '../http/request-headers.ts';
import { setCheck } from '../http/still-allowed.ts';
import { formatId } from '../ids.ts';
import {
  type Decision,
  decide,
  decideAsMember,
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
import type { Database, Transaction } from '../postgres/database.ts';
import { createGather } from '../postgres/gather.ts';
import { readBearer } from './bearer.ts';
import type { Guesses } from './guesses.ts';
import type { AccessQuery, Read } from './read.ts';
import { isEnded, slideSession } from './sessions/store.ts';
import { type Found, lockCaller, lockItem, lockPartner, readAccess, shapeOf, tryLockCallers } from './store.ts';

/** A caller whom an access rule allowed. */
export type Caller = {
  readonly principal: Principal;
  readonly actor: Actor;
  /**
   * Decides access again inside the transaction of a mutation, with the caller's user and agreement locked, so that a revocation
   * cannot race the mutation. Throws what the hook throws.
   */
  recheck(tx: Transaction): Promise<Caller>;
};

/** A caller whom an access rule allowed on a partner, with the row that the path names. */
export type Granted<Row = unknown> = Omit<Caller, 'recheck'> & {
  /** Bare UUID. */
  readonly partnerId: string;
  readonly membership: Membership | null;
  readonly because: Decision['because'];
  /** The path names the caller's own agreement. */
  readonly isOwn: boolean;
  readonly row: Row;
  recheck(tx: Transaction): Promise<Granted<Row>>;
  /** Does the same with the partner locked, so that changes of a partner and its agreements run one at a time. */
  lock(tx: Transaction): Promise<Granted<Row>>;
};

/** The rule of one route: its hook, and what the hook granted to each request. */
type AccessRule<G> = {
  readonly hook: onRequestAsyncHookHandler;
  granted(request: FastifyRequest): G;
};

/** What `recheckAll` found about one caller. `error`: what `recheck` would throw. `busy`: something is locked, and nothing was decided. */
type Rechecked = { granted: Granted } | { error: unknown } | 'busy';

export type Access = {
  /** Decides access of many requests again inside one transaction, without waiting for locks. In the order of the requests. */
  recheckAll(tx: Transaction, all: readonly Granted[]): Promise<Rechecked[]>;
  /** For paths under /partners/{id}. `ownRight`: callers need no permission on their own agreement. */
  onPartner<Row>(permission: Permission, read: Read<Row>, ownRight?: OwnRight): AccessRule<Granted<Row>>;
  /**
   * Reserved to owners and operators, in a session. `action` names a denied attempt in the log. `needsProof`: as in `inProvenSession`.
   */
  asOwner<Row>(action: string, read: Read<Row>, options?: { needsProof: boolean }): AccessRule<Granted<Row>>;
  /** Any member. An access token needs a scope that reads or lists agreements. */
  asMember<Row>(read: Read<Row>): AccessRule<Granted<Row>>;
  /** Any session or access token. */
  readonly signedIn: AccessRule<Caller>;
  /** Any session, or an access token with a scope that reads or lists agreements. */
  readonly ownAgreements: AccessRule<Caller>;
  /** Any session. */
  readonly inSession: AccessRule<Caller>;
  /** For users' own accounts: like `signedIn` and `inSession`, but a banned user gets 403 `banned` instead of 401. */
  readonly account: AccessRule<Caller>;
  readonly accountInSession: AccessRule<Caller>;
  /**
   * Like `inSession` and `accountInSession`, for changes that a stolen session must not make: the session also needs a proof of its
   * user that is at most ten minutes old. Without it the answer is 403 `step_up_required`.
   */
  readonly inProvenSession: AccessRule<Caller>;
  readonly accountProven: AccessRule<Caller>;
  /** A session, or no token (null). Requests without a token count against the limit of their address. */
  readonly accountIfAny: AccessRule<Caller | null>;
  /** Operators only. `permission`: the scope that an access token needs. Null: only a session may do it. */
  onPlatform(permission: Permission | null): AccessRule<Caller>;
  /** Everyone. Requests count against the limit of their address. */
  readonly anyone: onRequestAsyncHookHandler;
};

type Options = {
  db: Database;
  limits: Limits;
  guesses: Guesses;
  denials: Denials;
  operatorsNeedSecondFactor: boolean;
};
type Policy = {
  readonly decide: (standing: Standing) => Decision;
  /** Names a denied attempt in the log. */
  readonly action: string;
  /** A banned user gets 403 `banned` instead of 401. */
  readonly tellBanned: boolean;
  /** The session needs a recent proof of its user. */
  readonly needsProof?: boolean;
  /** Changes of the own account, which a replaced token must not make. */
  readonly ownAccount?: boolean;
};
type Allowed<Row> = {
  readonly query: AccessQuery<Row>;
  readonly policy: Policy;
  readonly found: Found<Row>;
  readonly request: Pick<FastifyRequest, 'id' | 'ip' | 'method'>;
};

export function createAccess({ db, limits, guesses, denials, operatorsNeedSecondFactor }: Options): Access & Feature {
  /** The entry to log if the request is denied. Strangers have no entry, so they cannot fill the log of a partner. */
  const deniedEntries = new WeakMap<FastifyRequest, DeniedEntry>();

  const read = createGather({ shapeOf, answer: (queries: readonly AccessQuery[]) => readAccess(db.pipelined, queries) });

  /** Null: the answer is 401. Without a transaction, requests of one turn of the event loop share a statement. */
  async function find<Row>(query: AccessQuery<Row>, { tellBanned }: Policy, tx?: Transaction): Promise<Found<Row> | null> {
    const found = (tx ? (await readAccess(tx, [query]))[0] : await read(query)) as Found<Row> | null | undefined;
    return !found || (found.banned && !tellBanned) ? null : found;
  }

  async function findFirst<Row>(request: FastifyRequest, query: AccessQuery<Row>, policy: Policy): Promise<Found<Row> | null> {
    const found = await find(query, policy);
    // A browser forgets a session that has ended. That of a banned user goes on, when the ban ends.
    if (found === null && hasCookieSession(request) && (await isEnded(db, query.bearer))) setCookie(request, 'session', null);
    return found;
  }

  function decideOn<Row>({ policy, found, request }: Allowed<Row>) {
    // The client tries again, with the newer token. So nobody can use the old one to take the session over.
    const changesAccount = policy.ownAccount === true && request.method !== 'GET' && request.method !== 'HEAD';
    if (found.tokenReplaced && (changesAccount || policy.needsProof)) throw new ServiceError('unauthenticated');
    const decision = enforce(policy.decide({ ...found, operatorsNeedSecondFactor }));
    if (policy.needsProof && !found.provenLately) throw new ServiceError('step_up_required');
    return decision;
  }

  /** The locks were sent before, so the read sees all that their former holders have committed. */
  async function findAgain<Row>(tx: Transaction, allowed: Allowed<Row>, locks: readonly Promise<void>[]): Promise<Allowed<Row>> {
    const [found] = await Promise.all([find(allowed.query, allowed.policy, tx), ...locks]);
    if (found === null) throw new ServiceError('unauthenticated');
    return { ...allowed, found };
  }

  /** Without the recent proof, which counts for the beginning of an answer. @throws ServiceError when the caller lost the access */
  async function requireStill<Row>(query: AccessQuery<Row>, policy: Policy): Promise<void> {
    const found = await find(query, policy);
    if (found === null) throw new ServiceError('unauthenticated');
    if (found.banned) throw new ServiceError('banned');
    enforce(policy.decide({ ...found, operatorsNeedSecondFactor }));
  }

  function toCaller<Row>(allowed: Allowed<Row>): Caller {
    decideOn(allowed);
    const { found, request } = allowed;
    const { principal } = found;
    return {
      principal,
      actor: toActor(found, request),
      async recheck(tx) {
        return toCaller(await findAgain(tx, allowed, [lockCaller(tx, found)]));
      },
    };
  }

  const allowedOf = new WeakMap<Granted, Allowed<unknown>>();

  async function recheckAll(tx: Transaction, all: readonly Granted[]): Promise<Rechecked[]> {
    const allowed = all.map((granted) => {
      const found = allowedOf.get(granted);
      if (!found) throw new Error('This access was not granted by a rule on a partner');
      return found;
    });
    const locking = tryLockCallers(
      tx,
      allowed.map(({ found }) => found),
    );
    const reading = [...Map.groupBy(allowed, ({ query }) => shapeOf(query)).values()].map(async (alike) => {
      const found = await readAccess(
        tx,
        alike.map(({ query }) => query),
      );
      return alike.map((each, index) => [each, found[index] ?? null] as const);
    });
    const [locked, read] = await Promise.all([locking, Promise.all(reading)]);
    const foundOf = new Map(read.flat());
    return allowed.map((each, index) => {
      const found = foundOf.get(each) ?? null;
      if (!locked[index]) return 'busy';
      try {
        if (found === null || (found.banned && !each.policy.tellBanned)) throw new ServiceError('unauthenticated');
        return { granted: toGranted({ ...each, found }) };
      } catch (error) {
        return { error };
      }
    });
  }

  function toGranted<Row>(allowed: Allowed<Row>): Granted<Row> {
    const { because } = decideOn(allowed);
    const { found, query, request } = allowed;
    const { principal, partnerId, membership, item, row } = found;
    if (partnerId === null) throw new ServiceError('not_found');
    const granted: Granted<Row> = {
      principal,
      actor: toActor(found, request),
      partnerId,
      membership,
      because,
      isOwn: item === 'own',
      row,
      async recheck(tx) {
        return toGranted(await findAgain(tx, allowed, [lockCaller(tx, found)]));
      },
      async lock(tx) {
        const locks = [lockPartner(tx, partnerId), lockCaller(tx, found), lockItem(tx, query)];
        return toGranted(await findAgain(tx, allowed, locks));
      },
    };
    allowedOf.set(granted, allowed as Allowed<unknown>);
    return granted;
  }

  function rule<Row, G>(read: Read<Row> | null, policy: Policy, grant: (allowed: Allowed<Row>) => G): AccessRule<G> {
    const grants = new WeakMap<FastifyRequest, G>();
    return {
      async hook(request: FastifyRequest, reply: FastifyReply) {
        void reply.header('cache-control', 'private, no-cache');
        const bearer = isRepeated(request.raw, 'authorization') ? null : readBearer(request.headers.authorization);
        if (bearer === null) throw new ServiceError('unauthenticated');
        const query = { bearer, parameters: request.params as Record<string, string>, read };
        const found = await guesses.lookUp(request, reply, bearer, () => findFirst(request, query, policy));
        const { userId, credential } = found.principal;
        setUser(request, userId);
        await limits.count(`${credential.kind} ${credential.id}`, reply);
        if (found.banned) throw new ServiceError('banned');
        if (found.slideDue) await slideSession(db, credential.id);
        const entry = toDeniedEntry(query, policy, found, request);
        if (entry) deniedEntries.set(request, entry);
        grants.set(request, grant({ query, policy, found, request }));
        setCheck(request, () => requireStill(query, policy));
      },
      granted(request) {
        const granted = grants.get(request);
        if (granted === undefined) throw new Error('The hook of this access rule did not run for this request');
        return granted;
      },
    };
  }

  const onPlatform = (decideCaller: Policy['decide'], { tellBanned = false, needsProof = false } = {}) =>
    rule(null, { decide: decideCaller, action: 'platform', tellBanned, needsProof, ownAccount: tellBanned }, toCaller);
  const accountInSession = onPlatform(decideInSession, { tellBanned: true });
  return {
    recheckAll,
    onPartner: (permission, read, ownRight) =>
      rule(
        read,
        {
          decide: (standing) => decide(standing, permission, ownRight),
          action: `${permission.resource}.${permission.method}`,
          tellBanned: false,
        },
        toGranted,
      ),
    asOwner: (action, read, { needsProof } = { needsProof: false }) =>
      rule(read, { decide: decideAsOwner, action, tellBanned: false, needsProof }, toGranted),
    asMember: (read) => rule(read, { decide: decideAsMember, action: 'agreements.query', tellBanned: false }, toGranted),
    signedIn: onPlatform(decideSignedIn),
    ownAgreements: onPlatform(decideOnOwnAgreements),
    inSession: onPlatform(decideInSession),
    inProvenSession: onPlatform(decideInSession, { needsProof: true }),
    account: onPlatform(decideSignedIn, { tellBanned: true }),
    accountInSession,
    accountProven: onPlatform(decideInSession, { tellBanned: true, needsProof: true }),
    accountIfAny: {
      hook: (request, reply) =>
        request.headers.authorization === undefined
          ? limits.perAddress(request, reply)
          : accountInSession.hook.call(request.server, request, reply),
      granted: (request) => (request.headers.authorization === undefined ? null : accountInSession.granted(request)),
    },
    onPlatform: (permission) => onPlatform((standing) => decideOnPlatform(standing, permission)),
    anyone: limits.perAddress,
    routes(server) {
      server.addHook('onError', async (request, _reply, error) => {
        const entry = deniedEntries.get(request);
        if (entry && error instanceof ServiceError && error.status === 403) {
          denials.record({ ...entry, details: { code: error.code } });
        }
      });
    },
  };
}

const toActor = <Row>({ principal, isProgram }: Found<Row>, { id, ip }: Pick<FastifyRequest, 'id' | 'ip'>): Actor => ({
  kind: isProgram ? 'service_account' : principal.role === 'operator' ? 'operator' : 'person',
  userId: principal.userId,
  credential: { kind: principal.credential.kind, id: principal.credential.id },
  requestId: id,
  address: ip,
});

type DeniedEntry = Pick<AuditEntry, 'actor' | 'partnerId' | 'action' | 'target'>;

function toDeniedEntry<Row>(
  { parameters, read }: AccessQuery<Row>,
  { action }: Policy,
  found: Found<Row>,
  request: Pick<FastifyRequest, 'id' | 'ip'>,
): DeniedEntry | null {
  const { membership, partnerId, item } = found;
  if (membership === null || partnerId === null) return null;
  const itemId = read?.item && item !== 'missing' ? parameters[read.item.parameter] : undefined;
  return { actor: toActor(found, request), partnerId, action, target: itemId ?? formatId('partner', partnerId) };
}
