// The one decision: may this principal do this to that partner? Pure: all it needs is passed in.
import { ServiceError } from '../errors.ts';
import { covers } from './grants.ts';
import type { Membership, Permission, Principal } from './vocabulary.ts';

export type Decision =
  | { readonly allowed: true; readonly because: 'operator' | 'owner' | 'direct' | 'own' | 'signed_in' }
  | { readonly allowed: true; readonly because: 'group'; readonly groupId: string }
  /** `hidden`: the caller may not know that it exists. `mfa_required`: the credential lacks the proof of a second factor. */
  | { readonly allowed: false; readonly because: 'hidden' | 'mfa_required' }
  /** `not_granted`: the caller lacks what is `needed`. `out_of_scope`: the user has it, the access token does not. */
  | { readonly allowed: false; readonly because: 'not_granted' | 'out_of_scope'; readonly needed: string };

/** How a caller stands to a partner, as the access read found it. */
export type Standing = {
  readonly principal: Principal;
  /** Bare UUID; null: no such partner. */
  readonly partnerId: string | null;
  /** The caller's agreement with it, if one is accepted and has not expired. */
  readonly membership: Membership | null;
  /** The object that the path names: missing, there, or the caller's own agreement (also pending or expired). */
  readonly item: 'none' | 'missing' | 'there' | 'own';
  /** The caller's own agreement requires a second factor. */
  readonly ownRequiresSecondFactor: boolean;
  /** Operators need a second factor. */
  readonly operatorsNeedSecondFactor: boolean;
};

/** Allowed on one's own agreement without a permission: to read it, to leave it, to answer the invitation. */
export type OwnRight = 'read' | 'leave' | 'answer';

const refuse = (because: 'hidden' | 'mfa_required'): Decision => ({ allowed: false, because });
const lack = (because: 'not_granted' | 'out_of_scope', needed: string): Decision => ({ allowed: false, because, needed });
const nameOf = ({ resource, method }: Permission) => `the permission ${resource}.${method}`;

/** On a partner. It is hidden from callers without a live agreement; operators hold every permission. */
export function decide(standing: Standing, permission: Permission, ownRight?: OwnRight): Decision {
  const { principal, partnerId, membership, item } = standing;
  const { role, credential, secondFactor } = principal;
  if (partnerId === null) return refuse('hidden');
  if (credential.kind === 'token' && credential.partnerIds?.includes(partnerId) === false) return refuse('hidden');
  const own = item === 'own' && ownRight !== undefined;
  if (role !== 'operator' && membership === null && !own) return refuse('hidden');
  if (item === 'missing') return refuse('hidden');

  const requiresSecondFactor =
    role === 'operator' ? standing.operatorsNeedSecondFactor : (membership?.mfaRequired ?? standing.ownRequiresSecondFactor);
  const lacksSecondFactor = requiresSecondFactor && secondFactor !== 'proven';
  if (lacksSecondFactor && !(own && ownRight === 'leave')) return refuse('mfa_required');
  if (credential.kind === 'token' && !covers(credential.scopes, permission)) return lack('out_of_scope', nameOf(permission));

  if (lacksSecondFactor) return { allowed: true, because: 'own' };
  if (role === 'operator') return { allowed: true, because: 'operator' };
  const granted = membership ? grantOf(membership, permission) : null;
  if (granted) return granted;
  return own ? { allowed: true, because: 'own' } : lack('not_granted', nameOf(permission));
}

/** Actions reserved to owners and operators, in a session. */
export function decideAsOwner(standing: Standing): Decision {
  const decision = decide(standing, { resource: 'agreements', method: 'put' });
  if (!decision.allowed) return decision;
  if (decision.because !== 'operator' && decision.because !== 'owner') return lack('not_granted', owner);
  return standing.principal.credential.kind === 'session' ? decision : lack('out_of_scope', session);
}

const owner = 'to be an owner of the partner, or an operator';
const operator = 'to be an operator';
const session = 'a session';

/** The part of an agreement that grants. */
type PartOfAgreement =
  | { allowed: true; because: 'owner' | 'direct'; groupId?: never }
  | { allowed: true; because: 'group'; groupId: string };

/** Ownership, a direct permission, or the first group that grants it; null when none does. */
export function grantOf(membership: Membership, permission: Permission): PartOfAgreement | null {
  if (membership.owner) return { allowed: true, because: 'owner' };
  if (covers(membership.aclPermissions, permission)) return { allowed: true, because: 'direct' };
  const group = membership.groups.find(({ aclPermissions }) => covers(aclPermissions, permission));
  return group ? { allowed: true, because: 'group', groupId: group.id } : null;
}

/** On the platform itself (create a partner, list users), for operators. `permission` null: it requires a session. */
export function decideOnPlatform({ principal, operatorsNeedSecondFactor }: Standing, permission: Permission | null): Decision {
  const { role, credential, secondFactor } = principal;
  if (role !== 'operator') return lack('not_granted', operator);
  if (operatorsNeedSecondFactor && secondFactor !== 'proven') return refuse('mfa_required');
  if (credential.kind === 'token') {
    if (permission === null) return lack('out_of_scope', session);
    if (credential.partnerIds !== null) return lack('out_of_scope', 'a token for every partner');
    if (!covers(credential.scopes, permission)) return lack('out_of_scope', nameOf(permission));
  }
  return { allowed: true, because: 'operator' };
}

/** On objects that every user has. */
export const decideSignedIn = (): Decision => ({ allowed: true, because: 'signed_in' });

/** On the list of one's own agreements: an access token needs the scope to read or list them. */
export function decideOnOwnAgreements({ principal: { credential } }: Standing): Decision {
  const may = (method: 'get' | 'query') =>
    credential.kind === 'session' || covers(credential.scopes, { resource: 'agreements', method });
  return may('get') || may('query')
    ? { allowed: true, because: 'signed_in' }
    : lack('out_of_scope', 'the permission agreements.get or agreements.query');
}

/** On actions of a person that no program may take for them. */
export const decideInSession = ({ principal }: Standing): Decision =>
  principal.credential.kind === 'session' ? { allowed: true, because: 'signed_in' } : lack('out_of_scope', session);

/** @throws ServiceError not_found when hidden, mfa_required, forbidden with what is missing */
export function enforce(decision: Decision): Extract<Decision, { allowed: true }> {
  if (decision.allowed) return decision;
  if (!('needed' in decision)) throw new ServiceError(decision.because === 'hidden' ? 'not_found' : 'mfa_required');
  const detail =
    decision.because === 'out_of_scope'
      ? `This access token is not enough: you need ${decision.needed}.`
      : `You need ${decision.needed}.`;
  throw new ServiceError('forbidden', { detail });
}
