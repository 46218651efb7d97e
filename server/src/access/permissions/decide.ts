// The access decision: whether a principal may use a permission on a partner, and why. Pure: no SQL, no HTTP.
import { forbidden, ServiceError } from '../../base/errors.ts';
import { covers, gives } from './grants.ts';
import { type Membership, type Permission, type Principal, permissionName } from './vocabulary.ts';

export type Decision =
  | {
      readonly allowed: true;
      readonly because: 'operator' | 'owner' | 'direct' | 'access_request' | 'own' | 'signed_in';
    }
  | { readonly allowed: true; readonly because: 'group'; readonly groupId: string }
  /**
   * `hidden`: the caller must not learn that the object exists. `mfa_required`: the credential lacks the
   * proof of a second factor. `sso_required`: it lacks that of the partner's identity provider.
   */
  | { readonly allowed: false; readonly because: 'hidden' | 'mfa_required' | 'sso_required' }
  /**
   * `not_granted`: the user lacks what `needed` names. `out_of_scope`: the user may have it, but the access
   * token does not.
   */
  | { readonly allowed: false; readonly because: 'not_granted' | 'out_of_scope'; readonly needed: string };

/** Everything that the decision depends on, as the access read found it. */
export type AccessFacts = {
  readonly principal: Principal;
  /** Bare UUID. Null when the partner does not exist. */
  readonly partnerId: string | null;
  /** The caller's live agreement with the partner: accepted and not expired. */
  readonly membership: Membership | null;
  /** The object that the path names. `own`: the caller's own agreement, also a pending or an expired one. */
  readonly item: 'none' | 'missing' | 'there' | 'own';
  readonly ownRequiresSecondFactor: boolean;
  readonly operatorsNeedSecondFactor: boolean;
};

/**
 * What callers may do with what is their own without a permission. `answer`: only with every proof that is
 * required.
 */
export type OwnRight = 'read' | 'leave' | 'answer';

const refuse = (because: 'hidden' | 'mfa_required' | 'sso_required'): Decision => ({
  allowed: false,
  because,
});
const needs = (because: 'not_granted' | 'out_of_scope', needed: string): Decision => ({
  allowed: false,
  because,
  needed,
});
const nameOf = (permission: Permission) => `the permission ${permissionName(permission)}`;

/**
 * Decides on a partner. It is hidden from callers without a live agreement. Operators hold every permission.
 */
export function decide(facts: AccessFacts, permission: Permission, ownRight?: OwnRight): Decision {
  const { principal, partnerId, membership, item } = facts;
  const { role, credential, secondFactor } = principal;
  if (partnerId === null) return refuse('hidden');
  if (credential.kind === 'token' && credential.partnerIds?.includes(partnerId) === false)
    return refuse('hidden');
  const own = item === 'own' && ownRight !== undefined;
  if (role !== 'operator' && membership === null && !own) return refuse('hidden');
  if (item === 'missing') return refuse('hidden');

  const requiresSecondFactor =
    role === 'operator'
      ? facts.operatorsNeedSecondFactor
      : (membership?.mfaRequired ?? facts.ownRequiresSecondFactor);
  const lacksSecondFactor = requiresSecondFactor && secondFactor !== 'proven';
  const lacksSso = role !== 'operator' && membership?.lacksSso === true;
  const mayLackProof = own && ownRight !== 'answer';
  if (lacksSecondFactor && !mayLackProof) return refuse('mfa_required');
  if (lacksSso && !mayLackProof) return refuse('sso_required');
  if (credential.kind === 'token' && !covers(credential.scopes, permission))
    return needs('out_of_scope', nameOf(permission));

  if (lacksSecondFactor || lacksSso) return { allowed: true, because: 'own' };
  if (role === 'operator') return { allowed: true, because: 'operator' };
  const granted = membership ? grantOf(membership, permission) : null;
  if (granted) return granted;
  return own ? { allowed: true, because: 'own' } : needs('not_granted', nameOf(permission));
}

/** Actions reserved to owners and operators, in a session. */
export function decideAsOwner(facts: AccessFacts): Decision {
  const decision = decide(facts, { resource: 'agreements', method: 'put' });
  if (!decision.allowed) {
    if (!('needed' in decision)) return decision;
    return needs(decision.because, decision.because === 'out_of_scope' ? session : owner);
  }
  if (decision.because !== 'operator' && decision.because !== 'owner') return needs('not_granted', owner);
  return facts.principal.credential.kind === 'session' ? decision : needs('out_of_scope', session);
}

/** Actions on a partner that are reserved to operators, in a session. */
export function decideAsOperator(facts: AccessFacts): Decision {
  const decision = decideAsOwner(facts);
  const isOther = decision.allowed ? decision.because !== 'operator' : decision.because === 'not_granted';
  return isOther ? needs('not_granted', operator) : decision;
}

const owner = 'to be an owner of the partner, or an operator';
const operator = 'to be an operator';
const session = 'a session';

type GrantSource =
  | { allowed: true; because: 'owner' | 'direct' | 'access_request'; groupId?: never }
  | { allowed: true; because: 'group'; groupId: string };

/** Ownership, a direct permission, the first group, or an access request. Null when nothing grants the permission. */
export function grantOf(membership: Membership, permission: Permission): GrantSource | null {
  if (membership.owner) return { allowed: true, because: 'owner' };
  if (covers(membership.aclPermissions, permission)) return { allowed: true, because: 'direct' };
  const group = membership.groups.find(({ aclPermissions }) => covers(aclPermissions, permission));
  if (group) return { allowed: true, because: 'group', groupId: group.id };
  const isGiven = membership.temporary.some((each) => gives(each, permission));
  return isGiven ? { allowed: true, because: 'access_request' } : null;
}

/**
 * Decides on the platform itself (create a partner, list users), for operators. `permission` null: only a
 * session may do it.
 */
export function decideOnPlatform(
  { principal, operatorsNeedSecondFactor }: AccessFacts,
  permission: Permission | null,
): Decision {
  const { role, credential, secondFactor } = principal;
  if (role !== 'operator') return needs('not_granted', operator);
  if (operatorsNeedSecondFactor && secondFactor !== 'proven') return refuse('mfa_required');
  if (credential.kind === 'token') {
    if (permission === null) return needs('out_of_scope', session);
    if (credential.partnerIds !== null) return needs('out_of_scope', 'an access token for every partner');
    if (!covers(credential.scopes, permission)) return needs('out_of_scope', nameOf(permission));
  }
  return { allowed: true, because: 'operator' };
}

/** Decides on objects that every user may read. */
export const decideSignedIn = (): Decision => ({ allowed: true, because: 'signed_in' });

/**
 * Decides on the list of the caller's own agreements. An access token needs a scope that reads or lists
 * agreements.
 */
export function decideOnOwnAgreements({ principal: { credential } }: AccessFacts): Decision {
  const may = (method: 'get' | 'query') =>
    credential.kind === 'session' || covers(credential.scopes, { resource: 'agreements', method });
  return may('get') || may('query')
    ? { allowed: true, because: 'signed_in' }
    : needs('out_of_scope', 'the permission agreements.get or agreements.query');
}

/** Decides on what every member may ask. An access token needs a scope that reads or lists agreements. */
export function decideAsMember(facts: AccessFacts): Decision {
  const decision = decide(facts, { resource: 'agreements', method: 'query' });
  return decision.allowed || !('needed' in decision) ? decision : decideOnOwnAgreements(facts);
}

/** Decides on actions that an access token must never take for its user. */
export const decideInSession = ({ principal }: AccessFacts): Decision =>
  principal.credential.kind === 'session'
    ? { allowed: true, because: 'signed_in' }
    : needs('out_of_scope', session);

/** @throws ServiceError not_found (hidden), mfa_required, or forbidden, which names what the caller needs */
export function enforce(decision: Decision): Extract<Decision, { allowed: true }> {
  if (decision.allowed) return decision;
  throw refusalOf(decision);
}

export function refusalOf(decision: Extract<Decision, { allowed: false }>): ServiceError {
  if (!('needed' in decision))
    return new ServiceError(decision.because === 'hidden' ? 'not_found' : decision.because);
  const detail =
    decision.because === 'out_of_scope'
      ? `This access token is not sufficient: you need ${decision.needed}.`
      : `You need ${decision.needed}.`;
  return forbidden(detail);
}
