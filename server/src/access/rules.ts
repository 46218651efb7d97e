// The hook of a route: it checks 401, 429, 404 and 403, in this order, before the body is read.
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { AuditEntry, Denials } from '../audit/index.ts';
import { createAttached } from '../base/attached.ts';
import { hasCookieSession, setCookie } from '../base/browser-session/index.ts';
import { ServiceError } from '../base/errors.ts';
import { setPartner, setUser } from '../base/http/callers.ts';
import { isRepeated } from '../base/http/request-headers.ts';
import { setCheck } from '../base/http/still-allowed.ts';
import { formatId } from '../base/ids.ts';
import { createKept } from '../base/keep-last.ts';
import type { Limits } from '../base/limits/index.ts';
import type { Database } from '../base/postgres/database.ts';
import { createGather } from '../base/postgres/gather.ts';
import { type Bearer, readBearer, secretText } from './bearer.ts';
import { type Allowed, type Grants, type Policy, requireActive, toActor, unlessBanned } from './grants.ts';
import type { Guesses } from './guesses.ts';
import type { AccessQuery, Read } from './read.ts';
import { isEnded, slideSession } from './sessions/store.ts';
import { type Found, readAccess, shapeOf } from './store.ts';

export type AccessRule<G> = {
  readonly hook: onRequestAsyncHookHandler;
  /** For the description. Absent: the route takes no credential. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** For the description: no access token may do it. */
  readonly inSession?: boolean;
  granted(request: FastifyRequest): G;
};

type Options = {
  db: Database;
  limits: Limits;
  guesses: Guesses;
  denials: Denials;
  grants: Grants;
  /** Called with the number of questions that share a statement. */
  onRead: (questions: number) => void;
};

export function createRules({ db, limits, guesses, denials, grants: { decide }, onRead }: Options) {
  /** What was found, by credential and partner. */
  const lately = createKept<Found<unknown>>(latelyMs, maxKept);
  const deniedEntries = createAttached<FastifyRequest, AuditEntry>();

  const find = createFind(db, onRead);

  async function findFirst<Row>(
    request: FastifyRequest,
    query: AccessQuery<Row>,
    policy: Policy,
  ): Promise<Found<Row> | null> {
    const found = await find(query, policy);
    // A browser forgets a session that has ended. That of a banned user goes on, when the ban ends.
    if (found === null && hasCookieSession(request) && (await isEnded(db, query.bearer)))
      setCookie(request, 'session', null);
    return found;
  }

  /**
   * Without the recent proof, which counts for the beginning of an answer. @throws ServiceError when the
   * caller lost the access
   */
  async function requireStill<Row>(query: AccessQuery<Row>, policy: Policy): Promise<void> {
    decide(policy, requireActive(await find(query, policy)));
  }

  function rule<Row, G>(
    read: Read<Row> | null,
    policy: Policy,
    grant: (allowed: Allowed<Row>) => G,
  ): AccessRule<G> {
    const grants = createAttached<FastifyRequest, G>();
    return {
      security: [{ bearer: [] }],
      inSession: policy.inSession ?? false,
      async hook(request: FastifyRequest, reply: FastifyReply) {
        void reply.header('cache-control', 'private, no-cache');
        const bearer = requireBearer(request);
        const query = { bearer, parameters: request.params as Record<string, string>, read };
        const assumed = policy.decidesAgain
          ? (lately.get(keyOf(query)) as Found<Row> | undefined)
          : undefined;
        const found =
          assumed ?? (await guesses.lookUp(request, reply, bearer, () => findFirst(request, query, policy)));
        const { userId, credential } = found.principal;
        setUser(request, userId);
        await limits.count(`${credential.kind} ${credential.id}`, userId, reply);
        if (found.banned) throw new ServiceError('banned');
        if (found.slideDue && !assumed) await slideSession(db, credential.id);
        const entry = toDeniedEntry({ query, policy, found, request });
        if (entry) deniedEntries.set(request, entry);
        grants.set(request, grant({ query, policy, found, request }));
        if (found.partnerId !== null) setPartner(request, found.partnerId);
        setCheck(request, { check: () => requireStill(query, policy), isAssumed: assumed !== undefined });
        if (policy.decidesAgain && !assumed) lately.set(keyOf(query), found);
      },
      granted(request) {
        const granted = grants.get(request);
        if (granted === undefined)
          throw new Error('The hook of this access rule did not run for this request');
        return granted;
      },
    };
  }

  function recordDenial(request: FastifyRequest, error: unknown): void {
    const entry = deniedEntries.get(request);
    if (entry && error instanceof ServiceError && error.status === 403) {
      denials.record({ ...entry, details: { code: error.code } });
    }
  }

  return { rule, recordDenial };
}

/** Requests of one turn of the event loop share a statement. */
function createFind(db: Database, onRead: Options['onRead']) {
  const readTogether = createGather({
    shapeOf,
    answer(queries: readonly AccessQuery[]) {
      onRead(queries.length);
      return readAccess(db.pipelined, queries);
    },
  });
  return async <Row>(query: AccessQuery<Row>, policy: Policy) =>
    unlessBanned((await readTogether(query)) as Found<Row> | null, policy);
}

/** As long as a body may be judged before the access that was read is decided again. */
const latelyMs = 5_000;
const maxKept = 1_000;

const keyOf = (query: AccessQuery) => `${shapeOf(query)} ${query.parameters.id} ${secretText(query.bearer)}`;

/**
 * The entry to log if the request is denied. Strangers have no entry, so they cannot fill the log of a
 * partner.
 */
function toDeniedEntry<Row>({ query, policy, found, request }: Allowed<Row>): AuditEntry | null {
  const { membership, partnerId, item } = found;
  if (membership === null || partnerId === null) return null;
  const named =
    query.read?.item && item !== 'missing' ? query.parameters[query.read.item.parameter] : undefined;
  return {
    actor: toActor(found, request),
    partnerId,
    action: policy.action,
    target: named ?? formatId('partner', partnerId),
  };
}

function requireBearer({ raw, headers }: FastifyRequest): Bearer {
  const bearer = isRepeated(raw, 'authorization') ? null : readBearer(headers.authorization);
  if (bearer === null) throw new ServiceError('unauthenticated');
  return bearer;
}
