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

export type Reach = {
  /**
   * The partners on which the caller may use any of these permissions, as bare UUIDs. Null: all partners.
   * @throws ServiceError mfa_required for an operator without a second factor
   */
  partners(...anyOf: readonly [Permission, ...Permission[]]): readonly string[] | null;
  /** The partners on which the caller may do anything at all. Null: all partners. Throws nothing. */
  anything(): readonly string[] | null;
  /** Whether the caller, an operator, may do this on the platform. `permission` null: only a session may. */
  platform(permission: Permission | null): boolean;
};

/** Reads the caller's agreements once. All questions to the answer are about that moment. */
export type ReachOf = (caller: Pick<Caller, 'principal'>) => Promise<Reach>;

type Options = { db: Database; operatorsNeedSecondFactor: boolean };

export function createReachOf({ db, operatorsNeedSecondFactor }: Options): ReachOf {
  return async ({ principal }) => {
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
      partners(...anyOf) {
        const decision = isOperator && decideOn(example, null, anyOf[0]);
        if (decision && !decision.allowed && decision.because === 'mfa_required') enforce(decision);
        return reached(anyOf);
      },
      anything: () => reached(allPermissions),
      platform: (permission) =>
        decideOnPlatform({ ...facts, partnerId: null, membership: null }, permission).allowed,
    };
  };
}
