// Who may change an agreement, and what an agreement allows: the pure rules.
import { describe, expect, it } from 'vitest';
import {
  everything,
  type Membership,
  methodNames,
  type Principal,
  resourceNames,
} from '../access/permissions/index.ts';
import {
  type Agreement,
  explain,
  type Grantor,
  requireHeld,
  requireMayChange,
  type Terms,
} from './agreement.ts';

type AclPermission = Agreement['acl_permissions'][number];
type Method = (typeof methodNames)[number];

const allow = (resource: AclPermission['resource'], ...methods: Method[]): AclPermission => ({
  resource,
  ...(Object.fromEntries(methodNames.map((method) => [method, methods.includes(method)])) as Record<
    Method,
    boolean
  >),
});
const readPartner = allow('partner', 'get');
const editPartner = allow('partner', 'get', 'patch');
const june = '2026-06-30T00:00:00.000Z';
const july = '2026-07-31T00:00:00.000Z';

const session = { kind: 'session', id: 's' } as const;
const tokenFor = (...scopes: AclPermission[]): Principal['credential'] => ({
  kind: 'token',
  id: 't',
  scopes,
  partnerIds: null,
});

type GrantorOptions = Partial<Pick<Principal, 'role' | 'credential'>> & {
  membership?: Partial<Membership> | null;
};

function grantor({ role = 'user', credential = session, membership = {} }: GrantorOptions): Grantor {
  const defaults = {
    agreementId: 'a',
    owner: false,
    mfaRequired: false,
    lacksSso: false,
    expiresAt: null,
    aclPermissions: [],
    groups: [],
    temporary: [],
  };
  return {
    principal: { userId: 'u', role, secondFactor: 'proven', credential },
    membership: membership && { ...defaults, ...membership },
  };
}
const owner = grantor({ membership: { owner: true } });
const operator = grantor({ role: 'operator', membership: null });
const member = (...aclPermissions: AclPermission[]) => grantor({ membership: { aclPermissions } });

const terms = (changed: Partial<Terms> = {}): Terms => ({
  owner: false,
  mfa_required: false,
  expires_at: null,
  acl_permissions: [],
  groups: [],
  ...changed,
});

function agreement(changed: Partial<Agreement> = {}): Agreement {
  return {
    id: 'agr_1',
    accepted: true,
    owner: false,
    mfa_required: false,
    created_at: june,
    updated_at: june,
    expires_at: null,
    user: { email: 'ann@x.example', name: 'Ann' },
    acl_permissions: [],
    acl_permission_groups: [],
    acl_permission_group_ids: [],
    ...changed,
  };
}
const group = (
  id: string,
  ...acl_permissions: AclPermission[]
): Agreement['acl_permission_groups'][number] => ({
  id,
  account_id: 'ptr_1',
  name: id,
  type: 'custom',
  created_at: june,
  updated_at: june,
  acl_permissions,
});

const beyondHeld = expect.objectContaining({
  code: 'forbidden',
  message: expect.stringContaining('permissions that you do not hold'),
});
const tooLong = expect.objectContaining({
  code: 'forbidden',
  message: expect.stringContaining(`until ${june} at the latest`),
});
const ownersOnly = expect.objectContaining({
  code: 'forbidden',
  message: expect.stringContaining('Only owners and operators'),
});

describe('requireHeld', () => {
  it('A8: a member grants what they hold, and nothing else', () => {
    const granting = (acl_permissions: AclPermission[]) => () =>
      requireHeld(member(editPartner), terms(), terms({ acl_permissions }));
    expect(granting([readPartner])).not.toThrow();
    expect(granting([editPartner])).not.toThrow();
    expect(granting([allow('partner', 'get', 'delete')])).toThrow(beyondHeld);
    expect(granting([allow('events', 'get')])).toThrow(beyondHeld);
    expect(granting([allow('*', 'get')])).toThrow(beyondHeld);
  });

  it('A8: a new agreement grants everything in it, also what its groups hold and what ownership means', () => {
    const granting = (after: Partial<Terms>) => () => requireHeld(member(readPartner), null, terms(after));
    expect(granting({ groups: [group('g', readPartner)] })).not.toThrow();
    expect(granting({ groups: [group('g', editPartner)] })).toThrow(beyondHeld);
    expect(granting({ owner: true })).toThrow(beyondHeld);
    expect(granting({})).not.toThrow();
  });

  it('A8: what a member holds through a group counts', () => {
    const throughGroup = grantor({ membership: { groups: [{ id: 'g', aclPermissions: [editPartner] }] } });
    expect(() => requireHeld(throughGroup, null, terms({ acl_permissions: [editPartner] }))).not.toThrow();
  });

  it('A8: only what a change adds must be held', () => {
    const before = terms({ acl_permissions: [editPartner], groups: [group('g', allow('events', 'post'))] });
    const nobody = member();
    expect(() => requireHeld(nobody, before, before)).not.toThrow();
    expect(() => requireHeld(nobody, before, terms())).not.toThrow();
    expect(() => requireHeld(nobody, before, { ...before, mfa_required: true })).not.toThrow();
    // Moved from a group to the agreement itself: nothing is added.
    expect(() =>
      requireHeld(nobody, before, { ...before, acl_permissions: [allow('events', 'post')], groups: [] }),
    ).not.toThrow();
    expect(() =>
      requireHeld(nobody, before, { ...before, acl_permissions: [editPartner, allow('events', 'get')] }),
    ).toThrow(beyondHeld);
  });

  it('A8: a later end grants everything in the agreement again', () => {
    const before = terms({ acl_permissions: [editPartner], expires_at: june });
    expect(() => requireHeld(member(readPartner), before, { ...before, expires_at: july })).toThrow(
      beyondHeld,
    );
    expect(() => requireHeld(member(readPartner), before, { ...before, expires_at: null })).toThrow(
      beyondHeld,
    );
    expect(() => requireHeld(member(editPartner), before, { ...before, expires_at: july })).not.toThrow();
    expect(() => requireHeld(member(), { ...before, expires_at: july }, before)).not.toThrow();
  });

  it('A8: nobody grants for longer than their own agreement lasts', () => {
    const temporary = (changed: Partial<Membership>) =>
      grantor({ membership: { aclPermissions: [readPartner], expiresAt: new Date(june), ...changed } });
    const granting = (by: Grantor, expires_at: string | null) => () =>
      requireHeld(by, null, terms({ acl_permissions: [readPartner], expires_at }));
    expect(granting(temporary({}), june)).not.toThrow();
    expect(granting(temporary({}), july)).toThrow(tooLong);
    expect(granting(temporary({}), null)).toThrow(tooLong);
    expect(granting(temporary({ owner: true }), null)).toThrow(tooLong);
    expect(granting(temporary({ expiresAt: null }), null)).not.toThrow();
    // A grant of nothing has no length.
    expect(() => requireHeld(temporary({}), null, terms())).not.toThrow();
  });

  it('A8: an access token grants only what its scopes hold too', () => {
    const withToken = (scope: AclPermission, role: Principal['role'] = 'user') =>
      grantor({ role, credential: tokenFor(scope), membership: { owner: true } });
    const granting = (by: Grantor) => () => requireHeld(by, null, terms({ acl_permissions: [editPartner] }));
    expect(granting(withToken(editPartner))).not.toThrow();
    expect(granting(withToken(readPartner))).toThrow(beyondHeld);
    expect(granting(withToken(readPartner, 'operator'))).toThrow(beyondHeld);
  });

  it('A8: owners and operators grant everything, operators without an agreement or beyond its end', () => {
    const all = terms({ owner: true, acl_permissions: [...everything] });
    expect(() => requireHeld(owner, null, all)).not.toThrow();
    expect(() => requireHeld(operator, null, all)).not.toThrow();
    expect(() =>
      requireHeld(grantor({ role: 'operator', membership: { expiresAt: new Date(june) } }), null, all),
    ).not.toThrow();
    expect(() => requireHeld(grantor({ membership: null }), null, all)).toThrow(beyondHeld);
  });
});

describe('requireMayChange', () => {
  const changing = (by: Grantor, { current = agreement(), isOwn = false, ownership = false } = {}) => {
    return () => requireMayChange({ ...by, isOwn }, current, { owner: ownership });
  };

  it('A8: a member changes the agreements of other members', () => {
    expect(changing(member())).not.toThrow();
  });

  it('A8: a member changes neither ownership, nor the agreement of an owner, nor their own', () => {
    expect(changing(member(...everything), { ownership: true })).toThrow(ownersOnly);
    expect(changing(member(...everything), { current: agreement({ owner: true }) })).toThrow(ownersOnly);
    expect(changing(member(...everything), { isOwn: true })).toThrow(ownersOnly);
  });

  it('A8: owners and operators change all of these', () => {
    for (const by of [owner, operator]) {
      expect(changing(by, { ownership: true })).not.toThrow();
      expect(changing(by, { current: agreement({ owner: true }) })).not.toThrow();
      expect(changing(by, { isOwn: true })).not.toThrow();
    }
  });
});

describe('explain', () => {
  const entry = (of: ReturnType<typeof explain>, resource: string, method: string) => {
    const {
      allowed,
      because,
      acl_permission_group_id: groupId,
    } = of.find((each) => each.resource === resource && each.method === method)!;
    return [allowed, because, groupId];
  };

  it('A11: lists every resource with every method once', () => {
    const pairs = explain(agreement(), 'active').map(({ resource, method }) => `${resource}.${method}`);
    expect(pairs).toEqual(
      resourceNames.flatMap((resource) => methodNames.map((method) => `${resource}.${method}`)),
    );
  });

  it('A11, R3: names the part that grants: ownership, then a direct permission, then the first group', () => {
    const granted = {
      acl_permissions: [readPartner],
      acl_permission_groups: [group('first', editPartner), group('second', allow('*', 'patch', 'query'))],
    };
    const explained = explain(agreement(granted), 'active');
    expect(entry(explained, 'partner', 'get')).toEqual([true, 'direct', null]);
    expect(entry(explained, 'partner', 'patch')).toEqual([true, 'group', 'first']);
    expect(entry(explained, 'events', 'patch')).toEqual([true, 'group', 'second']);
    expect(entry(explained, 'events', 'post')).toEqual([false, 'not_granted', null]);
    expect(
      new Set(explain(agreement({ ...granted, owner: true }), 'active').map(({ because }) => because)),
    ).toEqual(new Set(['owner']));
  });

  it('A1, A11: a pending or expired agreement allows nothing, and says so', () => {
    for (const state of ['pending', 'expired'] as const) {
      for (const each of explain(
        agreement({ owner: true, acl_permission_groups: [group('g', ...everything)] }),
        state,
      ))
        expect(each).toMatchObject({ allowed: false, because: state, acl_permission_group_id: null });
    }
  });
});
