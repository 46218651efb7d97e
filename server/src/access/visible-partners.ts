// Which partners a caller sees in a list: those that they may list or read, by the one decision.

import { type Decision, decide, enforce, type Membership } from '../permissions/index.ts';
import type { Database } from '../postgres/database.ts';
import type { Caller } from './access.ts';
import { selectMemberships } from './store.ts';

/** Bare UUIDs; null: all of them. */
export type VisiblePartners = (caller: Caller) => Promise<readonly string[] | null>;

type Options = { db: Database; operatorsNeedSecondFactor: boolean };

export function createVisiblePartners({ db, operatorsNeedSecondFactor }: Options): VisiblePartners {
  return async ({ principal }) => {
    function look(partnerId: string, membership: Membership | null): Decision {
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
      const within = credential.kind === 'token' ? credential.partnerIds : null;
      const decision = look(within?.[0] ?? 'any', null);
      if (!decision.allowed && decision.because === 'mfa_required') enforce(decision);
      return decision.allowed ? within : [];
    }
    const memberships = await selectMemberships(db, principal.userId);
    return memberships
      .filter(({ partnerId, membership }) => look(partnerId, membership).allowed)
      .map(({ partnerId }) => partnerId);
  };
}
