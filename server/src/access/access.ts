// The access rules that routes choose from.
import type { Denials } from '../audit/index.ts';
import type { Feature } from '../base/feature.ts';
import type { Limits } from '../base/limits/index.ts';
import type { Database, Transaction } from '../base/postgres/database.ts';
import {
  type Caller,
  createGrants,
  type Granted,
  type Policy,
  type Rechecked,
  recheckAll,
} from './grants.ts';
import type { Guesses } from './guesses.ts';
import {
  decide,
  decideAsMember,
  decideAsOperator,
  decideAsOwner,
  decideInSession,
  decideOnOwnAgreements,
  decideOnPlatform,
  decideSignedIn,
  type OwnRight,
  type Permission,
} from './permissions/index.ts';
import { partnerOnly, type Read } from './read.ts';
import { type AccessRule, createRules } from './rules.ts';

export type Access = {
  /**
   * Decides access of many requests again inside one transaction, without waiting for locks. In the order of
   * the requests.
   */
  recheckAll(tx: Transaction, all: readonly Granted[]): Promise<Rechecked[]>;
  /** For paths under /partners/{id}. `ownRight`: callers need no permission on their own agreement. */
  onPartner<Row>(permission: Permission, read: Read<Row>, ownRight?: OwnRight): AccessRule<Granted<Row>>;
  /** Like `onPartner`, for a route that does nothing before it decides access again in its transaction. */
  onPartnerAgain(permission: Permission): AccessRule<Granted>;
  /**
   * Reserved to owners and operators, in a session. `action` names a denied attempt in the log. `needsProof`:
   * as in `inProvenSession`. `mayLackSso`: also where single sign-on is required.
   */
  asOwner<Row>(
    action: string,
    read: Read<Row>,
    options?: { needsProof: boolean; mayLackSso?: boolean },
  ): AccessRule<Granted<Row>>;
  /** Reserved to operators, in a session. `action` names a denied attempt in the log. */
  asOperator<Row>(action: string, read: Read<Row>): AccessRule<Granted<Row>>;
  /** Any member. An access token needs a scope that reads or lists agreements. */
  asMember<Row>(read: Read<Row>): AccessRule<Granted<Row>>;
  /** Any session or access token. */
  readonly signedIn: AccessRule<Caller>;
  /** Any session, or an access token with a scope that reads or lists agreements. */
  readonly ownAgreements: AccessRule<Caller>;
  /** Any session. */
  readonly inSession: AccessRule<Caller>;
  /**
   * For users' own accounts: like `signedIn` and `inSession`, but a banned user gets 403 `banned` instead of
   * 401.
   */
  readonly account: AccessRule<Caller>;
  readonly accountInSession: AccessRule<Caller>;
  /**
   * Like `inSession` and `accountInSession`, for changes that a stolen session must not make: the session
   * also needs a proof of its user that is at most ten minutes old. Without it the answer is 403
   * `step_up_required`.
   */
  readonly inProvenSession: AccessRule<Caller>;
  readonly accountProven: AccessRule<Caller>;
  /** A session, or no token (null). Requests without a token count against the limit of their address. */
  readonly accountIfAny: AccessRule<Caller | null>;
  /** Operators only. `permission`: the scope that an access token needs. Null: only a session may do it. */
  onPlatform(permission: Permission | null): AccessRule<Caller>;
  /** Everyone. Requests count against the limit of their address. */
  readonly anyone: AccessRule<null>;
};

type Options = {
  db: Database;
  limits: Limits;
  guesses: Guesses;
  denials: Denials;
  onRead: (questions: number) => void;
  operatorsNeedSecondFactor: boolean;
};

const decideWithoutSso: Policy['decide'] = ({ membership, ...facts }) =>
  decideAsOwner({ ...facts, membership: membership && { ...membership, lacksSso: false } });

export function createAccess({ operatorsNeedSecondFactor, limits, ...deps }: Options): Access & Feature {
  const grants = createGrants({ operatorsNeedSecondFactor });
  const { toCaller, toGranted } = grants;
  const { rule, recordDenial } = createRules({ ...deps, limits, grants });

  const policyOf = (permission: Permission, ownRight?: OwnRight): Policy => ({
    decide: (facts) => decide(facts, permission, ownRight),
    action: `${permission.resource}.${permission.method}`,
    tellBanned: false,
  });
  const onPlatform = (decideCaller: Policy['decide'], { tellBanned = false, needsProof = false } = {}) =>
    rule(
      null,
      { decide: decideCaller, action: 'platform', tellBanned, needsProof, ownAccount: tellBanned },
      toCaller,
    );
  const accountInSession = onPlatform(decideInSession, { tellBanned: true });
  return {
    recheckAll: (tx, all) => recheckAll(grants, tx, all),
    onPartner: (permission, read, ownRight) => rule(read, policyOf(permission, ownRight), toGranted),
    onPartnerAgain: (permission) =>
      rule(partnerOnly, { ...policyOf(permission), decidesAgain: true }, toGranted),
    asOwner: (action, read, { needsProof, mayLackSso = false } = { needsProof: false }) =>
      rule(
        read,
        { decide: mayLackSso ? decideWithoutSso : decideAsOwner, action, tellBanned: false, needsProof },
        toGranted,
      ),
    asOperator: (action, read) =>
      rule(read, { decide: decideAsOperator, action, tellBanned: false }, toGranted),
    asMember: (read) =>
      rule(read, { decide: decideAsMember, action: 'agreements.query', tellBanned: false }, toGranted),
    signedIn: onPlatform(decideSignedIn),
    ownAgreements: onPlatform(decideOnOwnAgreements),
    inSession: onPlatform(decideInSession),
    inProvenSession: onPlatform(decideInSession, { needsProof: true }),
    account: onPlatform(decideSignedIn, { tellBanned: true }),
    accountInSession,
    accountProven: onPlatform(decideInSession, { tellBanned: true, needsProof: true }),
    accountIfAny: {
      security: [{}, { bearer: [] }],
      hook: (request, reply) =>
        request.headers.authorization === undefined
          ? limits.perAddress(request, reply)
          : accountInSession.hook.call(request.server, request, reply),
      granted: (request) =>
        request.headers.authorization === undefined ? null : accountInSession.granted(request),
    },
    onPlatform: (permission) => onPlatform((facts) => decideOnPlatform(facts, permission)),
    anyone: { hook: limits.perAddress, granted: () => null },
    routes(server) {
      server.addHook('onError', async (request, _reply, error) => recordDenial(request, error));
    },
  };
}
