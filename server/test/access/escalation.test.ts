// Callers cannot grant more than they hold: rules A7, A8 and A9.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  acl,
  expectCode,
  expectStatus,
  hasEnded,
  type Member,
  may,
  succeed,
  useCast,
} from '../stage/cast.ts';
import { hold, untilWaiting } from '../stage/locks.ts';
import { namedResources } from './access-operation.ts';

let partner: string;
let owner: Member;
/** The agreement of another user. It grants nothing. */
let target: string;
const { service, cast } = useCast();

beforeEach(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
  target = (await cast.member(partner)).agreement;
});

const path = (id = '') => `/partners/${partner}/agreements${id && `/${id}`}`;
const groupsPath = (id = '') => `/partners/${partner}/acl-permission-groups${id && `/${id}`}`;
const patch = (id: string, body: unknown, token: string) => service.patch(path(id), body, token);
const remove = (id: string, token: string, query = '') => service.remove(path(id) + query, token);
const makeGroup = (body: object, token = service.operatorToken) => service.post(groupsPath(), body, token);
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

describe('A8: no escalation', () => {
  const admin = [acl('agreements'), acl('acl_permission_groups'), acl('events', 'get')];

  it('A8: a caller cannot grant a permission that they do not hold, directly or by a group', async () => {
    const { token } = await cast.member(partner, { acl_permissions: admin });
    const held = succeed(await makeGroup({ name: 'held', ...may('events', 'get') })).id;
    const more = succeed(await makeGroup({ name: 'more', ...may('events', 'get', 'post') })).id;
    for (const [body, status] of [
      [may('events', 'get'), 200],
      [{ acl_permissions: [acl('agreements', 'delete'), acl('events', 'get')] }, 200],
      [may('events', 'get', 'post'), 403],
      [may('partner', 'get'), 403],
      [may('*', 'get'), 403],
      [{ acl_permission_group_ids: [held] }, 200],
      [{ acl_permission_group_ids: [held, more] }, 403],
    ] as const)
      expect([body, (await patch(target, body, token)).status]).toEqual([body, status]);
  });

  it('R1: only a holder of * can grant *', async () => {
    const almost = await cast.member(partner, { acl_permissions: namedResources.map((name) => acl(name)) });
    const really = await cast.member(partner, may('*'));
    await expectStatus(403, patch(target, may('*', 'get'), almost.token));
    await expectStatus(200, patch(target, may('*', 'get'), really.token));
  });

  it('A8: an agreement may keep permissions that the caller does not hold', async () => {
    const { token } = await cast.member(partner, { acl_permissions: admin });
    succeed(await patch(target, { acl_permissions: [acl('partner'), acl('audit_log')] }, owner.token));
    await expectStatus(
      200,
      patch(target, { acl_permissions: [acl('partner'), acl('events', 'get')] }, token),
    );
    await expectStatus(403, patch(target, { acl_permissions: [acl('partner'), acl('audit_log')] }, token));
  });

  it('A8: a token can grant only its scopes, and a token of an owner without all scopes cannot create owners', async () => {
    const token = await cast.accessToken(owner, [acl('agreements'), acl('events', 'get')]);
    await expectStatus(200, patch(target, may('events', 'get'), token));
    await expectStatus(403, patch(target, may('events', 'put'), token));
    await expectStatus(403, patch(target, { owner: true }, token));
    const whole = await cast.accessToken(owner, [acl('*')]);
    await expectStatus(200, patch(target, { owner: true }, whole));
  });

  it('A8: only owners and operators can set owner, and change or delete an owner', async () => {
    const { token } = await cast.member(partner, may('*'));
    const second = await cast.owner(partner);
    const answers = await Promise.all([
      patch(target, { owner: true }, token),
      patch(second.agreement, { owner: false }, token),
      patch(second.agreement, { expires_at: '2999-01-01T00:00:00Z' }, token),
      patch(second.agreement, { mfa_required: true }, token),
      patch(second.agreement, may('events'), token),
      remove(second.agreement, token),
      service.post(path(), { email: 'o@concord.test', owner: true }, token),
    ]);
    expect(statuses(answers)).toEqual(Array(7).fill(403));
    await expectStatus(200, patch(target, { owner: false }, token));
    await expectStatus(201, service.post(path(), { email: 'o@concord.test', owner: false }, token));
    await expectStatus(204, remove(second.agreement, owner.token));
  });

  it('A8: only owners can change the terms of their own agreement', async () => {
    const me = await cast.member(partner, {
      ...may('*'),
      expires_at: '2999-01-01T00:00:00Z',
      mfa_required: false,
    });
    const own = [
      { expires_at: null },
      { mfa_required: true },
      { acl_permissions: [] },
      { acl_permission_group_ids: [] },
      { owner: false },
    ];
    await expectStatus(200, patch(me.agreement, {}, me.token));
    for (const body of own.slice(0, 3)) await expectStatus(403, patch(me.agreement, body, me.token));
    for (const body of own.slice(3)) await expectStatus(200, patch(me.agreement, body, me.token)); // no change
    await expectStatus(200, patch(owner.agreement, may('events'), owner.token));
  });

  it('A8: a grant cannot outlive the agreement of the granter', async () => {
    const end = '2990-01-01T00:00:00.000Z';
    const later = '2995-01-01T00:00:00Z';
    const { token } = await cast.member(partner, { ...may('*'), expires_at: end });
    const grant = may('events');
    await expectStatus(403, patch(target, grant, token));
    await expectStatus(403, patch(target, { ...grant, expires_at: later }, token));
    await expectStatus(200, patch(target, { ...grant, expires_at: end }, token));
    for (const longer of [later, null]) await expectStatus(403, patch(target, { expires_at: longer }, token));
    // A member without an end can extend an agreement only if they hold what it grants.
    const narrow = await cast.member(partner, may('agreements'));
    await expectStatus(403, patch(target, { expires_at: later }, narrow.token));
    const wide = await cast.member(partner, { acl_permissions: [acl('agreements'), acl('events')] });
    await expectStatus(200, patch(target, { expires_at: later }, wide.token));
    const endingOwner = await cast.member(partner, { owner: true, expires_at: end });
    await expectStatus(403, patch(target, { owner: true }, endingOwner.token));
    await expectStatus(200, patch(target, { owner: true, expires_at: end }, endingOwner.token));
  });

  it('A8: resending an invitation requires the permissions that it grants', async () => {
    const { token } = await cast.member(partner, may('agreements'));
    const { id } = succeed(await cast.invite(partner, 'again@concord.test'));
    const resend = () => service.request('POST', `${path(id)}/resend`, { token });
    await expectStatus(200, resend());
    succeed(await patch(id, may('*'), owner.token));
    await expectStatus(403, resend());
  });

  it('A8: only owners can replace the expired agreement of an owner; nobody can replace that of a service account', async () => {
    const { token } = await cast.member(partner, may('agreements'));
    const expired = await cast.member(partner, { owner: true, ...hasEnded });
    await expectStatus(403, cast.invite(partner, expired.email, {}, token));
    await expectStatus(200, service.get(path(expired.agreement)));
    await expectStatus(201, cast.invite(partner, expired.email, {}, owner.token));
    const made = await service.post(`/partners/${partner}/service-accounts`, { name: 'r' });
    succeed(await patch(made.body.agreement_id, hasEnded, owner.token));
    const { body } = await service.get(path(made.body.agreement_id));
    await expectCode('agreement_exists', cast.invite(partner, body.user.email, {}, owner.token));
  });

  it('A8, T3: a token cannot outlive the owner who creates it, and a service account cannot be owner or operator', async () => {
    const accounts = `/partners/${partner}/service-accounts`;
    const ending = await cast.member(partner, {
      owner: true,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const { body: account } = await service.post(accounts, { name: 'r' }, ending.token);
    const make = (token: string, expires_at: string | null = null) =>
      service.post(`${accounts}/${account.id}/access-tokens`, { name: 't', scopes: [], expires_at }, token);
    await expectStatus(403, make(ending.token));
    await expectStatus(201, make(ending.token, new Date(Date.now() + 3_600_000).toISOString()));
    await expectStatus(201, make(owner.token));
    await expectCode(
      'service_account_rules_nothing',
      patch(account.agreement_id, { owner: true }, owner.token),
    );
    const role = await service.put(`/users/${account.id}/role`, { role: 'operator' });
    expect(role.body.code).toBe('service_account_rules_nothing');
  });

  it('A8: an editor cannot widen a group beyond what they hold, nor edit a group that they are in', async () => {
    const { token } = await cast.member(partner, { acl_permissions: admin });
    await expectStatus(403, makeGroup({ name: 'x', ...may('partner') }, token));
    const { id } = succeed(await makeGroup({ name: 'x', ...may('audit_log') }));
    const edit = (body: object, by = token) => service.patch(groupsPath(id), body, by);
    await expectStatus(200, edit({ acl_permissions: [acl('audit_log'), acl('events', 'get')] }));
    await expectStatus(403, edit(may('events')));
    await expectStatus(200, edit({ acl_permissions: [] }));

    const inside = await cast.member(partner, {
      ...may('*'),
      acl_permission_group_ids: [id],
    });
    await expectStatus(403, edit({ name: 'mine' }, inside.token));
    await expectStatus(403, service.remove(`${groupsPath(id)}?detach=true`, inside.token));
    await expectStatus(200, edit({ name: 'ours' }, owner.token));

    const ending = await cast.member(partner, {
      ...may('*'),
      expires_at: '2990-01-01T00:00:00Z',
    });
    await expectStatus(403, edit(may('events'), ending.token));
    succeed(await patch(inside.agreement, { acl_permission_group_ids: [] }, owner.token));
    await expectStatus(200, edit(may('events'), ending.token));
    succeed(await patch(owner.agreement, { acl_permission_group_ids: [id] }, owner.token));
    await expectStatus(403, edit({ acl_permissions: [] }));
  });

  it('A8: setting a default group and inviting with one both count as grants', async () => {
    const { token } = await cast.member(partner, { acl_permissions: admin });
    const { id } = succeed(await makeGroup({ name: 'x', ...may('audit_log') }));
    const set = (by: string) => service.put(groupsPath('default'), { acl_permission_group_id: id }, by);
    await expectStatus(403, set(token));
    const ending = await cast.member(partner, {
      ...may('*'),
      expires_at: '2990-01-01T00:00:00Z',
    });
    await expectStatus(403, set(ending.token));
    await expectStatus(200, set(owner.token));
    await expectStatus(403, cast.invite(partner, 'a@concord.test', {}, token));
    await expectStatus(403, cast.invite(partner, 'a@concord.test', {}, ending.token));
    expect(
      (await cast.invite(partner, 'a@concord.test', {}, owner.token)).body.acl_permission_group_ids,
    ).toEqual([id]);
    await expectStatus(403, service.patch(groupsPath(id), may('*'), ending.token));
  });
});

describe('A7: the last owner', () => {
  it('A7: cannot be deleted, leave, step down or get an end', async () => {
    const answers = await Promise.all([
      remove(owner.agreement, owner.token),
      remove(owner.agreement, service.operatorToken),
      patch(owner.agreement, { owner: false }, owner.token),
      patch(owner.agreement, { expires_at: '2999-01-01T00:00:00Z' }, owner.token),
      patch(owner.agreement, { expires_at: '2000-01-01T00:00:00Z' }, service.operatorToken),
      remove(owner.agreement, owner.token, '?orphan=true'),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(6).fill([400, 'last_owner']),
    );
    await expectStatus(200, patch(owner.agreement, { mfa_required: false, ...may('events') }, owner.token));
  });

  it('A7: does not include owners that are pending, have an end, or are banned', async () => {
    await cast.invite(partner, 'pending@concord.test', { owner: true });
    await cast.member(partner, { owner: true, expires_at: '2999-01-01T00:00:00Z' });
    const banned = await cast.owner(partner);
    succeed(await service.post(`/users/${banned.id}/ban`, {}));
    await expectCode('last_owner', remove(owner.agreement, owner.token));
    // An owner that does not count can be deleted.
    await expectStatus(204, remove(banned.agreement, owner.token));
    const second = await cast.owner(partner);
    await expectStatus(204, remove(owner.agreement, owner.token));
    await expectCode('last_owner', remove(second.agreement, second.token));
  });

  it('A7: can be removed by an operator with ?orphan=true', async () => {
    await expectStatus(400, remove(owner.agreement, service.operatorToken, '?orphan=maybe'));
    await expectStatus(204, remove(owner.agreement, service.operatorToken, '?orphan=true'));
    // An operator can add an owner to a partner that has none.
    const next = await cast.owner(partner);
    const demoted = await service.patch(`${path(next.agreement)}?orphan=true`, { owner: false });
    expect(demoted.status).toBe(200);
  });

  it('A7: is banned or deleted only with ?orphan=true, and cannot delete their own account', async () => {
    const user = `/users/${owner.id}`;
    await expectCode('last_owner', service.post(`${user}/ban`, {}));
    await expectCode('last_owner', service.remove(user));
    const { name } = (await service.get(`/partners/${partner}`)).body;
    expect((await service.remove(user)).body.message).toContain(`the last owner of the partner ${name}.`);
    const leaving = await service.signInStranger();
    const at = await cast.partner();
    const joined = await cast.join(at, leaving, { owner: true });
    const body = { password: 'a password for the tests' };
    const leave = () => service.post('/api/auth/delete-user', body, leaving.token);
    await expectCode('last_owner', leave());
    await cast.owner(at);
    await expectStatus(200, leave());
    await expectStatus(404, service.get(`/partners/${at}/agreements/${joined.id}`));
    await expectStatus(200, service.post(`${user}/ban?orphan=true`, {}));
    // A banned owner does not count, so the deletion needs no ?orphan=true.
    await expectStatus(204, service.remove(user));
  });

  it('A7: of a deleted partner can be deleted', async () => {
    await service.remove(`/partners/${partner}`);
    await expectStatus(204, service.remove(`/users/${owner.id}`));
  });
});

describe('A9: the second factor', () => {
  it('A9: is required for everything but leaving, and any session with the proof is sufficient', async () => {
    const me = await cast.member(partner, { ...may('*'), mfa_required: true }, { secondFactor: 'missing' });
    const read = (token: string) => service.get(`/partners/${partner}`, token);
    await expectCode('mfa_required', read(me.token));
    await expectStatus(200, read(await cast.session(me.id, true)));
    await expectStatus(204, remove(me.agreement, me.token));
  });

  it('A9: is required to accept an invitation with mfa_required', async () => {
    const player = await cast.user();
    const { id } = succeed(await cast.invite(partner, player.email));
    succeed(await patch(id, { mfa_required: true }, owner.token));
    await expectCode('mfa_required', patch(id, { accepted: true }, player.token));
  });

  it('A9: cannot be required of the last owner without one', async () => {
    const ask = () => patch(owner.agreement, { mfa_required: true }, owner.token);
    // Owners that do not count (A7).
    await cast.member(partner, { owner: true, expires_at: '2999-01-01T00:00:00Z' });
    succeed(await service.post(`/users/${(await cast.owner(partner)).id}/ban`, {}));
    await expectCode('last_owner', ask());
    const withOne = await cast.member(await cast.partner(), { owner: true }, { secondFactor: 'proven' });
    const [{ partner_id }] = (await service.sql(
      `select target as partner_id from audit_log where action = 'partner.create' order by position desc limit 1`,
    )) as [{ partner_id: string }];
    const url = `/partners/${partner_id}/agreements/${withOne.agreement}`;
    await expectStatus(200, service.patch(url, { mfa_required: true }, withOne.token));
    const second = await cast.owner(partner);
    await expectStatus(200, ask());
    // The second owner is refused: otherwise no owner could act.
    await expectCode('last_owner', patch(second.agreement, { mfa_required: true }, second.token));
  });

  it('A9, T2: is proven for a token by the session that created it, until the user disables it', async () => {
    const me = await cast.member(partner, { owner: true, mfa_required: true }, { secondFactor: 'proven' });
    const proven = await cast.accessToken(me, [acl('*')]);
    const unproven = await cast.accessToken({ ...me, token: await cast.session(me.id) }, [acl('*')]);
    const read = async (token: string) => (await service.get(`/partners/${partner}`, token)).status;
    expect([await read(proven), await read(unproven)]).toEqual([200, 403]);
    await cast.set(me.id, { two_factor_enabled: false });
    expect(await read(proven)).toBe(403);
    await cast.set(me.id, { two_factor_enabled: true });
    expect(await read(proven)).toBe(403);
  });
});

const leave = 'delete from agreement where user_id = $1';
const ban = 'update auth."user" set banned = true where id = $1';

/** The second statement waits for the transaction of the first one, and is refused when that commits. */
async function expectRefusal(first: [string, string], second: [string, string], meanwhile = async () => {}) {
  const [holder, other] = [
    await hold(service.database, first[0], [first[1]]),
    await service.database.connect(),
  ];
  await meanwhile();
  const refused = expect(other.query(second[0], [second[1]])).rejects.toMatchObject({ code: 'CC002' });
  await untilWaiting(service.database, 1);
  await holder.query('commit');
  await refused;
  await Promise.all([holder.end(), other.end()]);
}

it.each([
  ['delete an agreement of an owner each', leave, leave],
  ['delete one owner and ban the other', 'delete from auth."user" where id = $1', ban],
])(
  'A7: when two transactions %s, the second waits for the first and is refused',
  async (_what, first, second) => {
    const partner = await cast.partner();
    const one = await cast.owner(partner);
    const two = await cast.owner(partner);
    await expectRefusal([first, one.id], [second, two.id]);
  },
);

it('A7: an owner whose ban is not committed yet does not count as a remaining owner', async () => {
  const partner = await cast.partner();
  const [owner, next] = [await cast.owner(partner), await cast.member(partner)];
  await expectRefusal([ban, next.id], [leave, owner.id], async () => {
    await service.sql('update agreement set owner = true where user_id = $1', [next.id]);
  });
});

it('A3: the database refuses an agreement with a group of another partner', async () => {
  const [partner, other] = [await cast.partner(), await cast.partner()];
  await cast.member(partner);
  await cast.group(other, [], 'g');
  const insert = service.sql(
    `insert into agreement_group (agreement_id, partner_id, group_id, account_id, position)
     select agreement.id, agreement.partner_id, g.id, g.account_id, 1 from agreement, permission_group g
     where g.name = 'g' and agreement.id = (select id from agreement order by id desc limit 1)`,
  );
  await expect(insert).rejects.toMatchObject({ code: '23514' });
});
