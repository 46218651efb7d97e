// What a caller reaches in lists and searches: the partners on which the access decision allows a permission.

import type { Database } from '../base/postgres/database.ts';
import type { Caller } from './grants.ts';
import {
  allPermissions,
  decide,
  decideOnPlatform,
  enforce,
  type Membership,
  type Permission,
} from './permissions/index.ts';
import { selectMemberships } from './store.ts';

type Options = { db: Database; operatorsNeedSecondFactor: boolean };
export type ReachOf = ReturnType<typeof createReachOf>;
export type Reach = Awaited<ReturnType<ReachOf>>;

/** Reads the caller's agreements once. All questions to the answer are about that moment. */
export function createReachOf({ db, operatorsNeedSecondFactor }: Options) {
  return async ({ principal }: Pick<Caller, 'principal'>) => {
    const facts = {
      principal,
      item: 'none',
      ownRequiresSecondFactor: false,
      operatorsNeedSecondFactor,
    } as const;
    const isOperator = principal.role === 'operator';
    const memberships = isOperator ? [] : await selectMemberships(db, principal);

    const decideOn = (partnerId: string, membership: Membership | null, permission: Permission) =>
      decide({ ...facts, partnerId, membership }, permission);
    const { credential } = principal;
    const partnerIds = credential.kind === 'token' ? credential.partnerIds : null;
    // The decision on an operator is the same for every partner in the list.
    const example = partnerIds?.[0] ?? 'any';

    function reached(anyOf: readonly Permission[]): readonly string[] | null {
      const mayAct = (partnerId: string, membership: Membership | null) =>
        anyOf.some((permission) => decideOn(partnerId, membership, permission).allowed);
      if (isOperator) return mayAct(example, null) ? partnerIds : [];
      return memberships
        .filter(({ partnerId, membership }) => mayAct(partnerId, membership))
        .map(({ partnerId }) => partnerId);
    }

    return {
      /**
       * The partners on which the caller may use any of these permissions, as bare UUIDs. Null: all partners.
       * @throws ServiceError mfa_required for an operator without a second factor
       */
      partners(...anyOf: readonly [Permission, ...Permission[]]) {
        const decision = isOperator && decideOn(example, null, anyOf[0]);
        if (decision && !decision.allowed && decision.because === 'mfa_required') enforce(decision);
        return reached(anyOf);
      },
      /** The partners on which the caller may do anything at all. Null: all partners. Throws nothing. */
      anything: () => reached(allPermissions),
      /** Whether the caller is an operator in a session, who may do everything on the platform. */
      platform: () => decideOnPlatform({ ...facts, partnerId: null, membership: null }, null).allowed,
    };
  };
}
