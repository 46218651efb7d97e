// The directory of a company gives and ends access of its people.
import { expect, it } from 'vitest';
import {
  acl,
  expectCode,
  expectStatus,
  may,
  type Player,
  pluck,
  succeed,
  useCast,
  uuidOf,
} from '../../stage/cast.ts';
import { type Company, createTravel, environment } from '../../stage/connection-stage.ts';
import { meanwhile } from '../../stage/locks.ts';
import { type Directory, error, openDirectory, useDirectory } from './provisioning-stage.ts';

const { service, cast } = useCast(environment);
const travel = createTravel(service);
const [a, b] = [useDirectory(service), useDirectory(service)];

const deactivate = (directory: Directory, id: string) =>
  directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
const mails = (to: string) => service.sql('select from mail where recipient = $1', [to]);

/** A provisioned person who has signed in with the connection. */
async function arrive(directory: Directory) {
  const person = await directory.provision();
  const signedIn = succeed(
    await travel.signIn(directory as Company, travel.person(directory, person.userName)),
  );
  return { ...person, user: signedIn.user.id as string, token: signedIn.token as string };
}
it('K21: a token reaches the users and groups of its connection alone', async () => {
  const person = await a.provision();
  const group = succeed(await a.createGroup('Ours', [person]));
  for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { userName: b.newAddress() }]] as const)
    expect(await error(b.send(method, `/Users/${person.id}`, body))).toEqual([404, undefined]);
  expect(await error(deactivate(b, person.id))).toEqual([404, undefined]);
  expect(await error(b.send('DELETE', `/Groups/${group.id}`))).toEqual([404, undefined]);
  expect(await error(b.createGroup('Theirs', [person]))).toEqual([400, 'invalidValue']);
  expect(pluck(succeed(await b.get('/Users')).Resources, 'id')).not.toContain(person.id);
  expect(
    succeed(await b.get(`/Groups?filter=${encodeURIComponent(`members.value eq "${person.id}"`)}`))
      .totalResults,
  ).toBe(0);
  expect(succeed(await service.get(`${b.path}/provisioned-groups`, b.owner.token))).toEqual([]);
  await expectStatus(404, service.get(`${a.path}/provisioning`, b.owner.token));
  const through = `/partners/${b.partner}/connections/${a.connection}`;
  await expectStatus(404, service.get(`${through}/provisioning`, b.owner.token));
  await expectStatus(404, b.map(group.id, null));
  const body = { acl_permission_group_id: null };
  await expectStatus(404, service.put(`${through}/provisioned-groups/${group.id}`, body, b.owner.token));
  await expectStatus(401, service.get('/partners', a.token));
  await expectStatus(401, service.get('/scim/v2/Users', a.owner.token));
});

it('K21: owners create it with fresh proof; a new one replaces it; it ends with connection and partner', async () => {
  const c = await openDirectory(service);
  const path = `${c.path}/provisioning-token`;
  const member = await cast.member(c.partner, may('*'));
  await expectStatus(403, service.post(path, {}, member.token));
  await expectStatus(403, service.get(`${c.path}/provisioning`, member.token));
  await service.sql(`update auth.session set proven_at = now() - interval '1 hour' where user_id = $1`, [
    c.owner.id,
  ]);
  await expectCode('step_up_required', service.post(path, {}, c.owner.token));
  await service.sql('update auth.session set proven_at = now() where user_id = $1', [c.owner.id]);
  const { token } = succeed(await service.post(path, {}, c.owner.token));
  await expectStatus(401, c.get('/Users'));
  const get = (bearer: string) => service.get('/scim/v2/Users', bearer);
  await expectStatus(200, get(token));
  await service.sql('update identity_connection set enabled = false where id = $1', [c.uuid]);
  await expectStatus(200, get(token));
  await service.sql('update partner set deleted_at = now() where id = $1', [c.partnerId]);
  await expectStatus(401, get(token));
  await service.sql('update partner set deleted_at = null where id = $1', [c.partnerId]);
  await expectStatus(204, service.remove(path, c.owner.token));
  await expectStatus(401, get(token));
  const create = () =>
    service.request('POST', '/scim/v2/Users', { token: late, body: { userName: c.newAddress() } });
  const late = succeed(await service.post(path, {}, c.owner.token)).token;
  await expectStatus(200, get(late));
  const remove = 'delete from provisioning_token where connection_id = $1';
  await expectStatus(401, meanwhile(service.database, remove, [c.uuid], create));
  const again = succeed(await service.post(path, {}, c.owner.token)).token;
  await service.sql('delete from identity_connection where id = $1', [c.uuid]);
  await expectStatus(401, get(again));
  for (const wrong of ['concord_scim_', `${again}x`, again.replace('concord_scim_', 'concord_pat_')])
    await expectStatus(401, get(wrong));
  const changed = 'select changes::text || details::text as text from audit_log where partner_id = $1';
  expect(pluck(await service.sql(changed, [c.partnerId]), 'text').join()).not.toContain(token.slice(20));
});

it('K25: addresses are those of verified domains, and names and addresses are unique', async () => {
  for (const domain of ['elsewhere.example', `sub.${a.domain}`, `${a.domain}.evil.example`, b.domain])
    expect(await error(a.createUser({ userName: `ann@${domain}` }))).toEqual([400, 'invalidValue']);
  const alias = `Alias@${a.domain.toUpperCase()}`;
  const upn = await a.provision({
    userName: 'ann@tenant.example',
    emails: [{ value: 'x@elsewhere.example', primary: true }, { value: alias }],
  });
  expect(await a.agreementOf(alias)).toBeDefined();
  const plain = await a.provision({ userName: 'ann.lee', emails: [{ value: 'ann@elsewhere.example' }] });
  expect(plain.active).toBe(true);
  expect(
    succeed(await service.get(`${a.path}/provisioning`, a.owner.token)).users_without_address_count,
  ).toBe(1);
  expect(await error(a.createUser({ userName: 'ANN@tenant.example' }))).toEqual([400, 'invalidValue']);
  const first = await a.provision({ externalId: 'e-1' });
  expect(await error(a.createUser({ userName: first.userName.toUpperCase() }))).toEqual([409, 'uniqueness']);
  expect(await error(a.createUser({ externalId: 'e-1' }))).toEqual([409, 'uniqueness']);
  // The directory of another company has names of its own.
  await b.provision({ externalId: 'e-1' });
  expect(await error(a.createUser({ userName: 'other', emails: [{ value: alias.toLowerCase() }] }))).toEqual([
    409,
    'uniqueness',
  ]);
  const body = { userName: a.newAddress() };
  const both = await Promise.all([a.send('POST', '/Users', body), a.send('POST', '/Users', body)]);
  expect(pluck<number>(both as never, 'status').sort()).toEqual([201, 409]);
  await service.sql('update identity_domain set lost_at = now() where connection_id = $1', [a.uuid]);
  expect(await error(a.createUser())).toEqual([400, 'invalidValue']);
  await service.sql('update identity_domain set lost_at = null where connection_id = $1', [a.uuid]);
  for (const { id } of [upn, plain]) await expectStatus(204, a.send('DELETE', `/Users/${id}`));
});

it('K26: a provisioned person has a pending agreement without a mail, and signs in at the first try', async () => {
  const person = await a.provision();
  const agreement = await a.agreementOf(person.userName);
  expect(agreement).toMatchObject({ accepted: false, owner: false });
  expect(await mails(person.userName)).toEqual([]);
  await service.sql(`update agreement set invitation_expires_at = now() - interval '1 day' where id = $1`, [
    uuidOf(agreement.id),
  ]);
  const { token } = succeed(await travel.signIn(a, travel.person(a, person.userName)));
  await expectStatus(200, service.get(`/partners/${a.partner}/agreements/${agreement.id}`, token));
  expect(await a.agreementOf(person.userName)).toMatchObject({ id: agreement.id, accepted: true });
});

it('K26: an agreement that the connection did not make gets nothing, and ends', async () => {
  const [address, group] = [a.newAddress(), await a.newGroup('Not for guests')];
  const { id } = succeed(await cast.invite(a.partner, address));
  const person = await a.provision({ userName: address });
  const directoryGroup = succeed(await a.createGroup('Guests', [person]));
  succeed(await a.map(directoryGroup.id, group));
  expect(await a.agreementOf(address)).toMatchObject({ id, acl_permission_group_ids: [] });
  succeed(await deactivate(a, person.id));
  expect(await a.agreementOf(address)).toBeUndefined();
});

it('K26: what owners ended does not come back with another change', async () => {
  const person = await a.provision();
  const { id } = await a.agreementOf(person.userName);
  await expectStatus(204, service.remove(`/partners/${a.partner}/agreements/${id}`));
  succeed(await a.patch(`/Users/${person.id}`, { op: 'replace', path: 'displayName', value: 'New' }));
  expect(await a.agreementOf(person.userName)).toBeUndefined();
  succeed(await deactivate(a, person.id));
  succeed(await a.patch(`/Users/${person.id}`, { op: 'replace', path: 'active', value: true }));
  expect(await a.agreementOf(person.userName)).toMatchObject({ accepted: false });
});

it('K26: another address of a pending person moves the agreement', async () => {
  const person = await a.provision();
  const next = a.newAddress();
  succeed(await a.patch(`/Users/${person.id}`, { op: 'replace', path: 'userName', value: next }));
  expect([await a.agreementOf(person.userName), await a.agreementOf(next)]).toMatchObject([
    undefined,
    { accepted: false },
  ]);
  succeed(
    await a.patch(`/Users/${person.id}`, { op: 'replace', path: 'userName', value: 'no address any more' }),
  );
  expect(await a.agreementOf(next)).toBeUndefined();
});

it('K26: nobody is provisioned on terms that their setter may not grant any more', async () => {
  const c = await openDirectory(service);
  await cast.owner(c.partner);
  const person = await c.provision();
  const terms = { acl_permission_group_ids: [await c.newGroup('Terms')], days: null, mfa_required: false };
  succeed(await service.patch(c.path, { terms }, c.owner.token));
  for (const limit of [`expires_at = now() + interval '1 day'`, 'expires_at = null, owner = false']) {
    await service.sql(`update agreement set ${limit} where user_id = $1`, [c.owner.id]);
    expect(await error(c.createUser())).toEqual([403, undefined]);
  }
  expect(succeed(await c.get('/Users')).totalResults).toBe(1);
  succeed(await deactivate(c, person.id));
});

it('K27, K26: active false, DELETE, and an address of no domain end access, proofs and tokens with the next request', async () => {
  for (const ends of ['active', 'DELETE', 'address']) {
    const person = await arrive(a);
    const { agreement_id: agreement } = { agreement_id: (await a.agreementOf(person.userName)).id };
    succeed(await cast.change(a.partner, agreement, may('*')));
    const player: Player = { id: person.user, email: person.userName, token: person.token };
    const [only, all] = [
      await cast.accessToken(player, [acl('*')], [a.partner]),
      await cast.accessToken(player, [acl('*')]),
    ];
    const read = (token: string) => service.get(`/partners/${a.partner}`, token);
    for (const token of [person.token, only, all]) await expectStatus(200, read(token));
    // The person has proofs for another partner, and somebody else has some for this one.
    const another = await arrive(a);
    for (const [table, columns, values] of [
      ['session_proof', 'connection_id, proved_at, subject', '$2, now(), $3'],
      ['break_glass', 'ends_at', `now() + interval '1 hour'`],
    ])
      for (const { partnerId, uuid } of [a, b])
        await service.sql(
          `insert into ${table} (session_id, partner_id, ${columns})
           select id, $1, ${values} from auth.session where ($2::uuid, $3::text) is not null and user_id = any ($4)
           on conflict do nothing`,
          [partnerId, uuid, 'sub', [person.user, another.user]],
        );
    if (ends === 'active') succeed(await deactivate(a, person.id));
    else if (ends === 'DELETE') await expectStatus(204, a.send('DELETE', `/Users/${person.id}`));
    else
      succeed(
        await a.patch(`/Users/${person.id}`, { op: 'replace', value: { userName: 'without an address' } }),
      );
    await expectStatus(401, read(only));
    for (const token of [person.token, all]) await expectStatus(404, read(token));
    for (const table of ['session_proof', 'break_glass'])
      expect(
        await service.sql(
          `select distinct user_id = $1 as own, partner_id = $2 as here from ${table} join auth.session on id = session_id
           where user_id = any ($3) order by own, here`,
          [person.user, a.partnerId, [person.user, another.user]],
        ),
        table,
      ).toEqual([
        { own: false, here: false },
        { own: false, here: true },
        { own: true, here: false },
      ]);
    if (ends !== 'active') continue;
    await expectCode('membership_refused', travel.signIn(a, person.userName));
    succeed(await a.patch(`/Users/${person.id}`, { op: 'replace', path: 'active', value: true }));
    await expectStatus(404, read(person.token));
    expect(await a.agreementOf(person.userName)).toMatchObject({ accepted: false, acl_permissions: [] });
    const again = succeed(await travel.signIn(a, person.userName));
    const own = (await a.agreementOf(person.userName)).id;
    await expectStatus(200, service.get(`/partners/${a.partner}/agreements/${own}`, again.token));
  }
});

it('K27: the last owner stays, and the answer says why', async () => {
  const c = await openDirectory(service);
  const person = await arrive(c);
  const { id } = await c.agreementOf(person.userName);
  succeed(await cast.change(c.partner, id, { owner: true }));
  await cast.set(c.owner.id, { banned: true });
  const answer = await deactivate(c, person.id);
  expect([answer.status, answer.body.scimType, answer.body.detail]).toEqual([
    400,
    'mutability',
    expect.stringContaining('last owner'),
  ]);
  expect(await error(c.send('DELETE', `/Users/${person.id}`))).toEqual([400, 'mutability']);
  expect(succeed(await c.get(`/Users/${person.id}`)).active).toBe(true);
});

it('K28: members of a mapped group get its permission group, and lose it again', async () => {
  const [people, kept, given] = [
    [await a.provision(), await a.provision()],
    await a.newGroup('By hand'),
    await a.newGroup('Given'),
  ];
  const [one, two] = people as [(typeof people)[0], (typeof people)[0]];
  const { id: agreement } = await a.agreementOf(one.userName);
  succeed(await cast.change(a.partner, agreement, { acl_permission_group_ids: [kept] }));
  const group = succeed(await a.createGroup('Warehouse', [one]));
  expect(await a.groupsOf(one)).toEqual([kept]);
  expect(succeed(await a.map(group.id, given))).toMatchObject({ name: 'Warehouse', member_count: 1 });
  expect(await a.groupsOf(one)).toEqual([kept, given]);
  const change = (op: string, { id }: { id: string }) =>
    a.patch(`/Groups/${group.id}`, { op, path: 'members', value: [{ value: id }] });
  succeed(await change('add', two));
  expect(await a.groupsOf(two)).toEqual([given]);
  succeed(await change('remove', one));
  expect(await a.groupsOf(one)).toEqual([kept]);
  const other = await a.newGroup('Other');
  succeed(await a.map(group.id, other));
  expect(await a.groupsOf(two)).toEqual([other]);
  succeed(await deactivate(a, two.id));
  succeed(await a.patch(`/Users/${two.id}`, { op: 'replace', path: 'active', value: 'True' }));
  expect(await a.groupsOf(two)).toEqual([other]);
  await expectStatus(204, a.send('DELETE', `/Groups/${group.id}`));
  expect(await a.groupsOf(two)).toEqual([]);
});

it('K28: a name maps to nothing; owners alone map, to groups of the partner', async () => {
  const person = await a.provision();
  const group = succeed(await a.createGroup('Administrator', [person]));
  expect(await a.groupsOf(person)).toEqual([]);
  const member = await cast.member(a.partner, may('*'));
  const given = await a.newGroup('For none');
  await expectStatus(403, a.map(group.id, given, member.token));
  await expectStatus(400, a.map(group.id, await b.newGroup('Of B')));
  await expectStatus(404, a.map('scg_01h2xcejqtf2nbrexx3vqjhp41', given));
  const guest = await cast.member(a.partner, { owner: true, expires_at: '2999-01-01T00:00:00Z' });
  await expectStatus(403, a.map(group.id, given, guest.token));
  succeed(await a.map(group.id, given));
  await expectStatus(
    204,
    service.remove(`/partners/${a.partner}/acl-permission-groups/${given}?detach=true`),
  );
  expect(
    succeed(await service.get(`${a.path}/provisioned-groups/${group.id}`, a.owner.token))
      .acl_permission_group_id,
  ).toBeNull();
});

it('K28: once the mapper may not grant it, nobody is added until another owner maps it again, and everybody can be removed', async () => {
  const c = await openDirectory(service);
  const other = await cast.owner(c.partner);
  const [one, two] = [await c.provision(), await c.provision()];
  const group = succeed(await c.createGroup('Group', [one]));
  const given = await c.newGroup('Given');
  succeed(await c.map(group.id, given));
  const change = (op: string, { id }: { id: string }) =>
    c.patch(`/Groups/${group.id}`, { op, path: 'members', value: [{ value: id }] });
  for (const limit of [`expires_at = now() + interval '1 day'`, 'expires_at = null, owner = false']) {
    await service.sql(`update agreement set ${limit} where user_id = $1`, [c.owner.id]);
    expect(await error(change('add', two))).toEqual([403, undefined]);
  }
  expect(succeed(await c.get(`/Groups/${group.id}`)).members).toHaveLength(1);
  succeed(await change('remove', one));
  expect([await c.groupsOf(one), await c.groupsOf(two)]).toEqual([[], []]);
  succeed(await c.map(group.id, given, other.token));
  succeed(await change('add', two));
  expect(await c.groupsOf(two)).toEqual([given]);
});

it('K29: owners see the last requests and what was wrong, without personal values', async () => {
  const c = await openDirectory(service);
  const person = await c.provision();
  await c.createUser({ userName: 'someone@elsewhere.example' });
  await c.get(`/Users?filter=${encodeURIComponent(`userName eq "${person.userName}"`)}`);
  await c.get(`/Users/${person.userName}`);
  const read = async () => succeed(await service.get(`${c.path}/provisioning`, c.owner.token));
  const { requests, ...rest } = await read();
  expect(rest).toMatchObject({
    base_url: `${environment.CONCORD_BASE_URL}/scim/v2`,
    provisioning_token: { last_used_at: expect.any(String) },
    user_count: 1,
    active_user_count: 1,
    group_count: 0,
  });
  expect(requests).toMatchObject([
    { method: 'GET', path: '/Users/-', status: 404 },
    { method: 'GET', path: '/Users', status: 200, detail: null },
    { method: 'POST', path: '/Users', status: 400, detail: expect.stringContaining('invalidValue: ') },
    { method: 'POST', path: '/Users', status: 201 },
  ]);
  expect(JSON.stringify(requests)).not.toContain('@');
  await a.get('/Users');
  const others = async () => succeed(await service.get(`${a.path}/provisioning`, a.owner.token)).requests;
  const before = await others();
  for (let i = 0; i < 60; i++) for (const { get } of [c, b]) await get('/Users?count=0');
  expect((await read()).requests).toHaveLength(50);
  expect(await others()).toEqual(before);
});

it('K29, K24: the log has each change by the connection; people export and erase what the directory says', async () => {
  const person = await arrive(a);
  const log = await service.sql(
    `select action, actor_kind, actor_id, changes::text as changes from audit_log where target = $1 order by position`,
    [person.id],
  );
  expect(log).toMatchObject([
    { action: 'provisioned_user.create', actor_kind: 'connection', actor_id: a.connection },
  ]);
  expect(JSON.stringify(log)).not.toContain(person.userName);
  const agreement = await a.agreementOf(person.userName);
  const [made] = succeed(
    await service.get(`/audit-log?filter[target]=${agreement.id}&filter[action]=agreement.create`),
  );
  expect(made).toMatchObject({ actor: { kind: 'connection', id: a.connection } });
  const exported = succeed(await service.get('/me/export', person.token));
  expect(exported.provisioned_users).toMatchObject([
    { id: person.id, attributes: { userName: person.userName } },
  ]);
  const group = succeed(await a.createGroup('Of a person who goes', [person]));
  const since = { 'if-none-match': group.meta.version };
  await expectStatus(304, a.get(`/Groups/${group.id}`, since));
  await expectStatus(204, service.remove(`/users/${person.user}`));
  expect(await error(a.get(`/Users/${person.id}`))).toEqual([404, undefined]);
  expect(succeed(await a.get(`/Groups/${group.id}`, since)).members).toEqual([]);
  const left = await service.sql('select from audit_person where personal::text like $1', [
    `%${person.userName}%`,
  ]);
  expect(left).toEqual([]);
});
