// The reference model of access: the rules of docs/behaviour over plain facts, without optimization. decide()
// and the service must agree with it.
import type { AclPermission } from '../../src/access/permissions/index.ts';
import { namedResources } from './access-operation.ts';

export type Caller = {
  userId: string;
  email: string;
  verified: boolean;
  operator: boolean;
  secondFactor: 'not_enabled' | 'proven' | 'missing';
  /** The session has a proof of the identity provider of every partner. Absent: of none. */
  sso?: boolean;
  token: { scopes: AclPermission[]; partners: string[] | null } | null;
};

export type Agreement = {
  id: string;
  partner: string;
  /** The user who accepted the agreement. Null while it is pending. */
  user: string | null;
  email: string;
  owner: boolean;
  mfa: boolean;
  /** The agreement requires a proof of the partner's identity provider. Absent: it does not. */
  sso?: boolean;
  expiresAt: number | null;
  direct: AclPermission[];
  groups: AclPermission[][];
};

export type Facts = {
  now: number;
  partners: string[];
  agreements: Agreement[];
  operatorsNeedSecondFactor: boolean;
};

export type Request = {
  partner: string;
  permission: string;
  /** The agreement in the path. Undefined when the path names no agreement. */
  agreement?: string;
  /** The path names an object of another kind, and the object does not exist. */
  missing?: boolean;
  ownRight?: 'read' | 'leave' | 'answer';
};
export type Verdict = 'allowed' | 'hidden' | 'forbidden' | 'mfa_required' | 'sso_required';

export const resources = [...namedResources, '*'];
export const methods = ['get', 'put', 'post', 'patch', 'delete', 'query'] as const;

/** Every `resource.method` that a list of permissions grants; `*` grants each resource and itself. */
export function grantsOf(permissions: AclPermission[]) {
  const grants = new Set<string>();
  for (const permission of permissions)
    for (const method of methods)
      if (permission[method])
        for (const resource of permission.resource === '*' ? resources : [permission.resource])
          grants.add(`${resource}.${method}`);
  return grants;
}

const all = () => new Set(resources.flatMap((resource) => methods.map((method) => `${resource}.${method}`)));

export const isLive = (agreement: Agreement, now: number) =>
  agreement.user !== null && (agreement.expiresAt === null || agreement.expiresAt > now);

/** What an agreement would grant if it were live. */
export function termsOf(agreement: Agreement) {
  if (agreement.owner) return all();
  return grantsOf([...agreement.direct, ...agreement.groups.flat()]);
}

export const liveAgreement = (facts: Facts, caller: Caller, partner: string) =>
  facts.agreements.find(
    (each) => each.partner === partner && each.user === caller.userId && isLive(each, facts.now),
  );

/** What the caller's credential effectively holds at the partner. */
export function holdings(facts: Facts, caller: Caller, partner: string) {
  const agreement = liveAgreement(facts, caller, partner);
  const held = caller.operator ? all() : agreement ? termsOf(agreement) : new Set<string>();
  if (!caller.token) return held;
  const scoped = grantsOf(caller.token.scopes);
  return new Set([...held].filter((grant) => scoped.has(grant)));
}

export function isOwn(caller: Caller, agreement: Agreement) {
  if (agreement.user !== null) return agreement.user === caller.userId;
  return caller.verified && agreement.email === caller.email;
}

export function judge(facts: Facts, caller: Caller, request: Request): Verdict {
  const { partner, permission, ownRight } = request;
  if (!facts.partners.includes(partner)) return 'hidden';
  if (caller.token?.partners && !caller.token.partners.includes(partner)) return 'hidden';

  const named = facts.agreements.find(({ id, partner: of }) => id === request.agreement && of === partner);
  const own = named !== undefined && ownRight !== undefined && isOwn(caller, named);
  const membership = liveAgreement(facts, caller, partner);
  const mayKnow = caller.operator || membership !== undefined || own;
  if (!mayKnow) return 'hidden';
  if (request.missing || (request.agreement !== undefined && named === undefined)) return 'hidden';

  const readingOrLeaving = own && (ownRight === 'read' || ownRight === 'leave');
  let asks: boolean;
  if (caller.operator) asks = facts.operatorsNeedSecondFactor;
  else if (membership) asks = membership.mfa;
  else asks = named?.mfa ?? false;
  if (asks && caller.secondFactor !== 'proven' && !readingOrLeaving) return 'mfa_required';
  const asksSso = !caller.operator && membership?.sso === true;
  if (asksSso && (caller.sso !== true || caller.token) && !readingOrLeaving) return 'sso_required';

  if (caller.token && !grantsOf(caller.token.scopes).has(permission)) return 'forbidden';
  if (own) return 'allowed';
  return holdings(facts, caller, partner).has(permission) ? 'allowed' : 'forbidden';
}
