// What a request was granted: the caller, the partner and the row. A mutation decides it again inside its
// transaction.
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../audit/index.ts';
import { createAttached } from '../base/attached.ts';
import { ServiceError } from '../base/errors.ts';
import { onlyReads } from '../base/http/request-headers.ts';
import type { Transaction } from '../base/postgres/database.ts';
import {
  type AccessFacts,
  type Decision,
  enforce,
  type Membership,
  type Principal,
} from './permissions/index.ts';
import type { AccessQuery } from './read.ts';
import { type Found, lockCaller, lockItem, readAccess, shapeOf, tryLockCallers } from './store.ts';

export const toActor = <Row>(
  { principal, isProgram }: Found<Row>,
  { id, ip }: Pick<FastifyRequest, 'id' | 'ip'>,
): Actor => ({
  kind: isProgram ? 'service_account' : principal.role === 'operator' ? 'operator' : 'person',
  userId: principal.userId,
  credential: { kind: principal.credential.kind, id: principal.credential.id },
  requestId: id,
  address: ip,
});

/** A caller whom an access rule allowed. */
export type Caller = {
  readonly principal: Principal;
  readonly actor: Actor;
  /**
   * Decides access again inside the transaction of a mutation, with the caller's user and agreement locked,
   * so that a revocation cannot race the mutation. Throws what the hook throws.
   */
  recheck(tx: Transaction): Promise<Caller>;
};

/** A caller whom an access rule allowed on a partner, with the row that the path names. */
export type Granted<Row = unknown> = Omit<Caller, 'recheck'> & {
  readonly partnerId: string;
  readonly membership: Membership | null;
  readonly because: Decision['because'];
  /** The path names the caller's own agreement. */
  readonly isOwn: boolean;
  readonly row: Row;
  recheck(tx: Transaction): Promise<Granted<Row>>;
  /**
   * Does the same with the partner locked, so that changes of a partner and its agreements run one at a time.
   */
  lock(tx: Transaction): Promise<Granted<Row>>;
};

export type Policy = {
  readonly decide: (facts: AccessFacts) => Decision;
  /** Names a denied attempt in the log. */
  readonly action: string;
  /** No access token may do it. For the description: `decide` refuses. */
  readonly inSession?: boolean;
  /** The session needs a recent proof of its user. */
  readonly needsProof?: boolean;
  /** A banned user gets 403 `banned` instead of 401. A replaced token must make no changes. */
  readonly ownAccount?: boolean;
  /**
   * The route does nothing before it decides access again in its transaction. So the hook may go by what it
   * read a few seconds ago.
   */
  readonly decidesAgain?: boolean;
};
export type Allowed<Row = unknown> = {
  readonly query: AccessQuery<Row>;
  readonly policy: Policy;
  readonly found: Found<Row>;
  readonly request: Pick<FastifyRequest, 'id' | 'ip' | 'method'>;
};

/** Null: the answer is 401. */
export const unlessBanned = <Row>(
  found: Found<Row> | null | undefined,
  { ownAccount }: Policy,
): Found<Row> | null => (!found || (found.banned && !ownAccount) ? null : found);

/** @throws ServiceError unauthenticated, banned */
export function requireActive<Row>(found: Found<Row> | null): Found<Row> {
  if (found === null) throw new ServiceError('unauthenticated');
  if (found.banned) throw new ServiceError('banned');
  return found;
}

export type Grants = ReturnType<typeof createGrants>;

export function createGrants({ operatorsNeedSecondFactor }: { operatorsNeedSecondFactor: boolean }) {
  /** Without the proof that the policy may need. @throws ServiceError when access is denied */
  const decide = <Row>(policy: Policy, found: Found<Row>): Decision =>
    enforce(policy.decide({ ...found, operatorsNeedSecondFactor }));

  function decideOn<Row>({ policy, found, request }: Allowed<Row>) {
    // The client tries again, with the newer token. So nobody can use the old one to take the session over.
    const changesAccount = policy.ownAccount === true && !onlyReads(request);
    if (found.tokenReplaced && (changesAccount || policy.needsProof))
      throw new ServiceError('unauthenticated');
    const decision = decide(policy, found);
    if (policy.needsProof && !found.provenLately) throw new ServiceError('step_up_required');
    return decision;
  }

  /** The locks were sent before, so the read sees all that their former holders have committed. */
  async function findAgain<Row>(tx: Transaction, allowed: Allowed<Row>): Promise<Allowed<Row>> {
    const [read] = await readAccess(tx, [allowed.query]);
    const found = requireActive(unlessBanned(read, allowed.policy));
    const again = { ...allowed, found };
    if (isLocked(allowed.found, found)) return again;
    await lockCaller(tx, null, found);
    return findAgain(tx, again);
  }

  function toCaller<Row>(allowed: Allowed<Row>): Caller {
    decideOn(allowed);
    const { found, request } = allowed;
    const { principal } = found;
    return {
      principal,
      actor: toActor(found, request),
      async recheck(tx) {
        await lockCaller(tx, null, found);
        return toCaller(await findAgain(tx, allowed));
      },
    };
  }

  const allowedByGrant = createAttached<Granted, Allowed>();

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
        await lockCaller(tx, null, found);
        return toGranted(await findAgain(tx, allowed));
      },
      async lock(tx) {
        await lockCaller(tx, partnerId, found);
        await lockItem(tx, query);
        return toGranted(await findAgain(tx, allowed));
      },
    };
    allowedByGrant.set(granted, allowed as Allowed);
    return granted;
  }

  function allowedOf(granted: Granted): Allowed {
    const allowed = allowedByGrant.get(granted);
    if (!allowed) throw new Error('This access was not granted by a rule on a partner');
    return allowed;
  }

  return { decide, toCaller, toGranted, allowedOf };
}

/** Another agreement can have taken the place of the one that was locked. */
const isLocked = (locked: Found<unknown>, { membership }: Found<unknown>): boolean =>
  membership === null || membership.agreementId === locked.membership?.agreementId;

/**
 * What `recheckAll` found about one caller. `error`: what `recheck` would throw. `busy`: something is locked,
 * and nothing was decided.
 */
type Rechecked = { granted: Granted } | { error: unknown } | 'busy';

/** Does not wait for locks. The results are in the order of the requests. */
export async function recheckAll(
  { allowedOf, toGranted }: Grants,
  tx: Transaction,
  all: readonly Granted[],
): Promise<Rechecked[]> {
  const allowed = all.map(allowedOf);
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
    const found = unlessBanned(foundOf.get(each), each.policy);
    if (!locked[index] || (found && !isLocked(each.found, found))) return 'busy';
    try {
      if (found === null) throw new ServiceError('unauthenticated');
      return { granted: toGranted({ ...each, found }) };
    } catch (error) {
      return { error };
    }
  });
}
