// The one decision: may this principal do this to that partner? Pure: all it needs is passed in.
import { ServiceError } from '../errors.ts';
import type { Permission, Principal } from './vocabulary.ts';

export type Decision =
  | { readonly allowed: true; readonly because: 'operator' | 'signed_in' }
  /** `hidden`: the caller may not know that the partner exists. `not_granted`: it is a member without the permission. */
  | { readonly allowed: false; readonly because: 'hidden' | 'not_granted' };

/** What the access read found out about a caller and a partner. */
export type Standing = {
  readonly principal: Principal;
  readonly partnerExists: boolean;
};

/** On a partner. Operators hold everything everywhere; to everyone else a partner without an agreement is hidden. */
export function decide({ principal, partnerExists }: Standing, _permission: Permission): Decision {
  if (!partnerExists) return { allowed: false, because: 'hidden' };
  if (principal.role === 'operator') return { allowed: true, because: 'operator' };
  return { allowed: false, because: 'hidden' };
}

/** On the platform itself (make a partner, restore one): for operators only. */
export function decideOnPlatform({ principal }: Standing): Decision {
  return principal.role === 'operator' ? { allowed: true, because: 'operator' } : { allowed: false, because: 'not_granted' };
}

/** On what each user has of their own. */
export function decideSignedIn(): Decision {
  return { allowed: true, because: 'signed_in' };
}

/** @throws ServiceError not_found when hidden, forbidden when not granted */
export function enforce(decision: Decision): void {
  if (!decision.allowed) throw new ServiceError(decision.because === 'hidden' ? 'not_found' : 'forbidden');
}
