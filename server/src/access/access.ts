// The access rules that routes choose from.
import type { Denials } from '../audit/index.ts';
import type { Feature } from '../base/feature.ts';
import type { Limits } from '../base/limits/index.ts';
import type { Database, Transaction } from '../base/postgres/database.ts';
import { type Caller, createGrants, type Granted, type Policy, recheckAll } from './grants.ts';
import type { Guesses } from './guesses.ts';
import * as permissions from './permissions/index.ts';
import { partnerOnly, type Read } from './read.ts';
import { type AccessRule, createRules } from './rules.ts';

type Options = {
  db: Database;
  limits: Limits;
  guesses: Guesses;
  denials: Denials;
  onRead: (questions: number) => void;
  operatorsNeedSecondFactor: boolean;
};

const { decideInSession, decideSignedIn } = permissions;
const decideWithoutSso: Policy['decide'] = ({ membership, ...facts }) =>
  permissions.decideAsOwner({ ...facts, membership: membership && { ...membership, lacksSso: false } });

const policyOf = (permission: permissions.Permission, ownRight?: permissions.OwnRight): Policy => ({
  decide: (facts) => permissions.decide(facts, permission, ownRight),
  action: `${permission.resource}.${permission.method}`,
});

export type Access = ReturnType<typeof createAccess>;

export function createAccess({ operatorsNeedSecondFactor, limits, ...deps }: Options) {
  const grants = createGrants({ operatorsNeedSecondFactor });
  const { rule, recordDenial } = createRules({ ...deps, limits, grants });

  const onRead = <Row>(read: Read<Row>, policy: Policy) => rule(read, policy, grants.toGranted<Row>);
  const onPlatform = (
    decide: Policy['decide'],
    options: Pick<Policy, 'ownAccount' | 'needsProof' | 'inSession'> = {},
  ): AccessRule<Caller> => rule(null, { decide, action: 'platform', ...options }, grants.toCaller);
  const accountInSession = onPlatform(decideInSession, { ownAccount: true, inSession: true });
  /** Everyone. Requests count against the limit of their address. */
  const anyone: AccessRule<null> = { hook: limits.perAddress, granted: () => null };

  return {
    /**
     * Decides access of many requests again inside one transaction, without waiting for locks. In the order of
     * the requests.
     */
    recheckAll: (tx: Transaction, all: readonly Granted[]) => recheckAll(grants, tx, all),
    /** For paths under /partners/{id}. `ownRight`: callers need no permission on their own agreement. */
    onPartner: <Row>(
      permission: permissions.Permission,
      read: Read<Row>,
      ownRight?: permissions.OwnRight,
    ): AccessRule<Granted<Row>> => onRead(read, policyOf(permission, ownRight)),
    /** Like `onPartner`, for a route that does nothing before it decides access again in its transaction. */
    onPartnerAgain: (permission: permissions.Permission): AccessRule<Granted> =>
      onRead(partnerOnly, { ...policyOf(permission), decidesAgain: true }),
    /**
     * Reserved to owners and operators, in a session. `action` names a denied attempt in the log. `needsProof`:
     * as in `inProvenSession`. `mayLackSso`: also where single sign-on is required.
     */
    asOwner: <Row>(
      action: string,
      read: Read<Row>,
      { needsProof = false, mayLackSso = false } = {},
    ): AccessRule<Granted<Row>> =>
      onRead(read, {
        decide: mayLackSso ? decideWithoutSso : permissions.decideAsOwner,
        action,
        needsProof,
        inSession: true,
      }),
    /** Reserved to operators, in a session. `action` names a denied attempt in the log. */
    asOperator: <Row>(action: string, read: Read<Row>): AccessRule<Granted<Row>> =>
      onRead(read, { decide: permissions.decideAsOperator, action, inSession: true }),
    /** Any member. An access token needs a scope that reads or lists agreements. */
    asMember: <Row>(read: Read<Row>): AccessRule<Granted<Row>> =>
      onRead(read, { decide: permissions.decideAsMember, action: 'agreements.query' }),
    /** Any session or access token. */
    signedIn: onPlatform(decideSignedIn),
    /** Any session, or an access token with a scope that reads or lists agreements. */
    ownAgreements: onPlatform(permissions.decideOnOwnAgreements),
    inSession: onPlatform(decideInSession, { inSession: true }),
    /**
     * Like `inSession`, for changes that a stolen session must not make: the session also needs a proof of its
     * user that is at most ten minutes old. Without it the answer is 403 `step_up_required`.
     */
    inProvenSession: onPlatform(decideInSession, { needsProof: true, inSession: true }),
    /** For users' own accounts, like `signedIn`, `inSession` and `inProvenSession`. */
    account: onPlatform(decideSignedIn, { ownAccount: true }),
    accountInSession,
    accountProven: onPlatform(decideInSession, { ownAccount: true, needsProof: true, inSession: true }),
    accountIfAny: ifAny(limits, accountInSession),
    /**
     * Operators only. `permission`: the scope that an access token needs. Null: only a session may do it.
     * `needsProof`: as in `inProvenSession`.
     */
    onPlatform: (permission: permissions.Permission | null, { needsProof = false } = {}) =>
      onPlatform((facts) => permissions.decideOnPlatform(facts, permission), {
        needsProof,
        inSession: permission === null,
      }),
    anyone,
    routes(server) {
      server.addHook('onError', async (request, _reply, error) => recordDenial(request, error));
    },
  } satisfies Feature & Record<string, unknown>;
}

/** What the rule grants, or null without a token. Then requests count against the limit of their address. */
const ifAny = <G>({ perAddress }: Limits, { hook, granted }: AccessRule<G>): AccessRule<G | null> => ({
  security: [{}, { bearer: [] }],
  hook: (request, reply) =>
    request.headers.authorization === undefined
      ? perAddress(request, reply)
      : hook.call(request.server, request, reply),
  granted: (request) => (request.headers.authorization === undefined ? null : granted(request)),
});
