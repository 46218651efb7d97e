// The one decision: may this principal do this to that partner? Pure: all it needs is passed in.
import { ServiceError } from '../errors.ts';
import { covers } from './grants.ts';
import type { Membership, Permission, Principal } from './vocabulary.ts';

export type Decision =
  | { readonly allowed: true; readonly because: 'operator' | 'owner' | 'direct' | 'own' | 'signed_in' }
  | { readonly allowed: true; readonly because: 'group'; readonly groupId: string }
  /**
   * `hidden`: the caller may not know that it exists. `not_granted`: it is a member without the permission. `out_of_scope`: the
   * user may, the access token may not. `mfa_required`: the credential lacks the proof of a second factor.
   */
  | { readonly allowed: false; readonly because: 'hidden' | 'not_granted' | 'out_of_scope' | 'mfa_required' };

/** What the access read found out about a caller and a partner. */
export type Standing = {
  readonly principal: Principal;
  /** Bare UUID; null: no such partner. */
  readonly partnerId: string | null;
  /** The caller's agreement with it, if one is accepted and has not expired. */
  readonly membership: Membership | null;
  /** What the path names inside the partner: not there, there, or the caller's own agreement (also pending or expired). */
  readonly item: 'none' | 'missing' | 'there' | 'own';
  /** The caller's own agreement asks for a second factor. */
  readonly ownAsksSecondFactor: boolean;
  /** Operators need a second factor. */
  readonly operatorsNeedSecondFactor: boolean;
};

/** What is allowed with one's own agreement without any permission: to read it, to leave it, to answer the invitation. */
export type OwnRight = 'read' | 'leave' | 'answer';

const refuse = (because: Extract<Decision, { allowed: false }>['because']): Decision => ({ allowed: false, because });

/** On a partner. To who has no live agreement with it, it is hidden; operators hold everything everywhere. */
export function decide(standing: Standing, permission: Permission, ownRight?: OwnRight): Decision {
  const { principal, partnerId, membership, item } = standing;
  const { role, credential, secondFactor } = principal;
  if (partnerId === null) return refuse('hidden');
  if (credential.kind === 'token' && credential.partnerIds?.includes(partnerId) === false) return refuse('hidden');
  const own = item === 'own' && ownRight !== undefined;
  if (role !== 'operator' && membership === null && !own) return refuse('hidden');
  if (item === 'missing') return refuse('hidden');

  const asksSecondFactor =
    role === 'operator' ? standing.operatorsNeedSecondFactor : (membership?.mfaRequired ?? standing.ownAsksSecondFactor);
  const lacksSecondFactor = asksSecondFactor && secondFactor !== 'proven';
  if (lacksSecondFactor && !(own && ownRight === 'leave')) return refuse('mfa_required');
  if (credential.kind === 'token' && !covers(credential.scopes, permission)) return refuse('out_of_scope');

  if (lacksSecondFactor) return { allowed: true, because: 'own' };
  if (role === 'operator') return { allowed: true, because: 'operator' };
  const granted = membership ? grantOf(membership, permission) : null;
  if (granted) return granted;
  return own ? { allowed: true, because: 'own' } : refuse('not_granted');
}

/** On what only those do who rule a partner, owners and operators, themselves: an access token of theirs is not enough. */
export function decideAsOwner(standing: Standing): Decision {
  const decision = decide(standing, { resource: 'agreements', method: 'put' });
  if (!decision.allowed) return decision;
  if (decision.because !== 'operator' && decision.because !== 'owner') return refuse('not_granted');
  return standing.principal.credential.kind === 'session' ? decision : refuse('out_of_scope');
}

/** The part of an agreement that says yes. */
type PartOfAgreement =
  | { allowed: true; because: 'owner' | 'direct'; groupId?: never }
  | { allowed: true; because: 'group'; groupId: string };

/** Being an owner, a direct permission, or the first group that says yes; null when none does. */
export function grantOf(membership: Membership, permission: Permission): PartOfAgreement | null {
  if (membership.owner) return { allowed: true, because: 'owner' };
  if (covers(membership.aclPermissions, permission)) return { allowed: true, because: 'direct' };
  const group = membership.groups.find(({ aclPermissions }) => covers(aclPermissions, permission));
  return group ? { allowed: true, because: 'group', groupId: group.id } : null;
}

/** On the platform itself (make a partner, list users): for operators. What no permission names takes a session. */
export function decideOnPlatform({ principal, operatorsNeedSecondFactor }: Standing, permission: Permission | null): Decision {
  const { role, credential, secondFactor } = principal;
  if (role !== 'operator') return refuse('not_granted');
  if (operatorsNeedSecondFactor && secondFactor !== 'proven') return refuse('mfa_required');
  if (credential.kind === 'token') {
    if (permission === null || credential.partnerIds !== null || !covers(credential.scopes, permission))
      return refuse('out_of_scope');
  }
  return { allowed: true, because: 'operator' };
}

/** On what each user has of their own. */
export const decideSignedIn = (): Decision => ({ allowed: true, because: 'signed_in' });

/** On one's own agreements together: a program takes the scope to read or list them. */
export function decideOnOwnAgreements({ principal: { credential } }: Standing): Decision {
  const may = (method: 'get' | 'query') =>
    credential.kind === 'session' || covers(credential.scopes, { resource: 'agreements', method });
  return may('get') || may('query') ? { allowed: true, because: 'signed_in' } : refuse('out_of_scope');
}

/** On what a person does, and no program for them. */
export const decideInSession = ({ principal }: Standing): Decision =>
  principal.credential.kind === 'session' ? { allowed: true, because: 'signed_in' } : refuse('out_of_scope');

const detailOf = {
  out_of_scope: 'The access token does not reach this: its scopes lack the permission, or it takes a session.',
  not_granted: undefined,
} as const;

/** @throws ServiceError not_found when hidden, mfa_required, forbidden when not granted */
export function enforce(decision: Decision): void {
  if (decision.allowed) return;
  const { because } = decision;
  if (because === 'hidden') throw new ServiceError('not_found');
  if (because === 'mfa_required') throw new ServiceError('mfa_required');
  const detail = detailOf[because];
  throw new ServiceError('forbidden', detail === undefined ? {} : { detail });
}
