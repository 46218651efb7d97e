// The partners that a caller sees in a list: those that the access decision lets them list or read.
import { type Decision, decide, enforce, type Membership } from '../permissions/index.ts';
import type { Database } from '../postgres/database.ts';
import type { Caller } from './access.ts';
import { selectMemberships } from './store.ts';

/** Bare UUIDs. Null: all partners. */
export type VisiblePartners = (caller: Caller) => Promise<readonly string[] | null>;

type Options = { db: Database; operatorsNeedSecondFactor: boolean };

export function createVisiblePartners({ db, operatorsNeedSecondFactor }: Options): VisiblePartners {
  return async ({ principal }) => {
    function decideToSee(partnerId: string, membership: Membership | null): Decision {
      const standing = {
        principal,
        partnerId,
        membership,
        item: 'none',
        ownRequiresSecondFactor: false,
        operatorsNeedSecondFactor,
      } as const;
      const listed = decide(standing, { resource: 'partner', method: 'query' });
      return listed.allowed ? listed : decide(standing, { resource: 'partner', method: 'get' });
    }

    if (principal.role === 'operator') {
      const { credential } = principal;
      const partnerIds = credential.kind === 'token' ? credential.partnerIds : null;
      // The decision is the same for every partner in the list.
      const decision = decideToSee(partnerIds?.[0] ?? 'any', null);
      if (!decision.allowed && decision.because === 'mfa_required') enforce(decision);
      return decision.allowed ? partnerIds : [];
    }
    const memberships = await selectMemberships(db, principal.userId);
    return memberships
      .filter(({ partnerId, membership }) => decideToSee(partnerId, membership).allowed)
      .map(({ partnerId }) => partnerId);
  };
}
