// What a caller reaches in lists and searches: the partners on which the access decision allows a permission.

import type { Database } from '../base/postgres/database.ts';
import type { Caller } from './grants.ts';
import {
  type Decision,
  decide,
  decideOnPlatform,
  enforce,
  type Membership,
  methodNames,
  type Permission,
  resourceNames,
} from './permissions/index.ts';
import { selectMemberships } from './store.ts';

const everyPermission = resourceNames.flatMap((resource) =>
  methodNames.map((method): Permission => ({ resource, method })),
);

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

    function decideAny(
      partnerId: string,
      membership: Membership | null,
      [first, ...rest]: readonly Permission[],
    ): Decision {
      if (first === undefined) throw new Error('A permission is needed');
      const decision = decide({ ...facts, partnerId, membership }, first);
      return decision.allowed || rest.length === 0 ? decision : decideAny(partnerId, membership, rest);
    }

    return {
      partners(...anyOf) {
        if (!isOperator) {
          const allowed = memberships.filter(
            ({ partnerId, membership }) => decideAny(partnerId, membership, anyOf).allowed,
          );
          return allowed.map(({ partnerId }) => partnerId);
        }
        const { credential } = principal;
        const partnerIds = credential.kind === 'token' ? credential.partnerIds : null;
        // The decision is the same for every partner in the list.
        const decision = decideAny(partnerIds?.[0] ?? 'any', null, anyOf);
        if (!decision.allowed && decision.because === 'mfa_required') enforce(decision);
        return decision.allowed ? partnerIds : [];
      },
      anything() {
        const mayAct = (partnerId: string, membership: Membership | null) =>
          everyPermission.some(
            (permission) => decide({ ...facts, partnerId, membership }, permission).allowed,
          );
        if (!isOperator)
          return memberships.flatMap(({ partnerId, membership }) =>
            mayAct(partnerId, membership) ? [partnerId] : [],
          );
        const { credential } = principal;
        const partnerIds = credential.kind === 'token' ? credential.partnerIds : null;
        return mayAct(partnerIds?.[0] ?? 'any', null) ? partnerIds : [];
      },
      platform: (permission) =>
        decideOnPlatform({ ...facts, partnerId: null, membership: null }, permission).allowed,
    };
  };
}
