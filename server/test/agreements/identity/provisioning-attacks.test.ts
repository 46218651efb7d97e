// What a directory, or the thief of its token, may not do.
import { expect, it } from 'vitest';
import { expectCode, expectStatus, pluck, succeed, useCast, uuidOf } from '../../stage/cast.ts';
import { createTravel, environment, refuseMeanwhile } from '../../stage/connection-stage.ts';
import { inForm } from '../../stage/form.ts';
import { hold, meanwhile, untilWaiting } from '../../stage/locks.ts';
import { error, insertUnchecked, openDirectory, type Person, useDirectory } from './provisioning-stage.ts';

const { service, cast } = useCast(environment);
const travel = createTravel(service);
const a = useDirectory(service);

const change = ({ id }: { id: string }, value: object) => a.patch(`/Users/${id}`, { op: 'replace', value });
const signIn = ({ userName }: Pick<Person, 'userName'>) => travel.signIn(a, travel.person(a, userName));
const hasAccess = async (email: string) => {
  const { accepted, expires_at } = await a.agreementOf(email);
  return accepted && expires_at === null;
};
const loseDomain = (column: 'lost_at' | 'verified_at', value: 'now()' | 'null') =>
  service.sql(`update identity_domain set ${column} = ${value} where connection_id = $1`, [a.uuid]);
const map = async ({ id }: { id: string }, group: string) => succeed(await a.map(id, group));
const members = (op: string, group: { id: string }, ...people: { id: string }[]) =>
  a.patch(`/Groups/${group.id}`, { op, path: 'members', value: people.map(({ id }) => ({ value: id })) });

it('K26: a refused change of the address leaves the pending agreement', async () => {
  const person = await a.provision();
  const before = await a.agreementOf(person.userName);
  const second = await cast.owner(a.partner);
  await service.sql('update agreement set owner = false where user_id = $1', [a.owner.id]);
  expect(await error(change(person, { userName: a.newAddress() }))).toEqual([403, undefined]);
  await service.sql('update agreement set owner = true where user_id = $1', [a.owner.id]);
  await service.sql('delete from agreement where user_id = $1', [second.id]);
  expect(await a.agreementOf(person.userName)).toMatchObject({ id: before.id });
});

it('K26: an agreement belongs to one user of a connection', async () => {
  const person = await a.provision();
  const old = person.userName;
  succeed(await signIn(person));
  succeed(await change(person, { userName: a.newAddress() }));
  expect(await error(a.createUser({ userName: old }))).toEqual([409, 'uniqueness']);
});

it('K26: the directory ends an agreement that it did not make, and does not begin it again', async () => {
  const player = await cast.user();
  const email = a.newAddress();
  await cast.set(player.id, { email });
  await cast.join(a.partner, { ...player, email });
  const person = await a.provision({ userName: email });
  expect(await hasAccess(email)).toBe(true);
  for (const active of [false, true]) {
    succeed(await change(person, { active }));
    expect(await hasAccess(email)).toBe(false);
  }
});

it('K27: after a DELETE a sign-in admits nobody, until the directory has them again', async () => {
  const [arrived, awaited] = [await a.provision(), await a.provision()];
  succeed(await signIn(arrived));
  for (const person of [arrived, awaited]) {
    await expectStatus(204, a.send('DELETE', `/Users/${person.id}`));
    await expectCode('membership_refused', signIn(person));
    await a.provision({ userName: person.userName });
    succeed(await signIn(person));
    expect(await hasAccess(person.userName)).toBe(true);
  }
  const stranger = { userName: a.newAddress() };
  await expectCode('membership_refused', signIn(stranger));
  const c = await openDirectory(service);
  await expectStatus(204, service.remove(`${c.path}/provisioning-token`, c.owner.token));
  succeed(await travel.signIn(c, travel.person(c, c.newAddress())));
});

it('K27: it ends what a sign-in or an invitation began anew', async () => {
  const person = await a.provision();
  const given = await a.newGroup('Kept over time');
  await map(succeed(await a.createGroup('Over time', [person])), given);
  succeed(await signIn(person));
  await service.sql(`update agreement set expires_at = now() - interval '1 day' where email_key = $1`, [
    person.userName,
  ]);
  succeed(await signIn(person));
  expect(await hasAccess(person.userName)).toBe(true);
  expect(await a.groupsOf(person)).toEqual([given]);
  succeed(await change(person, { active: false }));
  expect(await hasAccess(person.userName)).toBe(false);

  succeed(await change(person, { active: true }));
  const { id } = await a.agreementOf(person.userName);
  await expectStatus(204, service.remove(`/partners/${a.partner}/agreements/${id}`));
  succeed(await cast.invite(a.partner, person.userName));
  await expectStatus(204, a.send('DELETE', `/Users/${person.id}`));
  expect(await a.agreementOf(person.userName)).toBeUndefined();
});

it('K27: a sign-in that waits for its second factor does not complete after the directory ended the access', async () => {
  const person = await a.provision();
  await refuseMeanwhile(service, a, {
    sub: person.userName,
    signIn: () => signIn(person),
    meanwhile: async () => succeed(await change(person, { active: false })),
  });
});

it('K27: a user that begins as not active ends the agreement of a member', async () => {
  const first = await a.provision();
  succeed(await signIn(first));
  await service.sql('delete from provisioned_user where document @> $1', [
    JSON.stringify({ userName: first.userName }),
  ]);
  await a.provision({ userName: first.userName, active: false });
  expect(await hasAccess(first.userName)).toBe(false);
});

it('K28: a change of one group gives nothing of another', async () => {
  const person = await a.provision();
  const [one, two] = [await a.newGroup('Taken by hand'), await a.newGroup('Of another group')];
  const [first, second] = [
    succeed(await a.createGroup('First', [person])),
    succeed(await a.createGroup('Second', [person])),
  ];
  await map(first, one);
  await map(second, two);
  const { id } = await a.agreementOf(person.userName);
  expect(await a.groupsOf(person)).toEqual([one, two]);
  succeed(await cast.change(a.partner, id, { acl_permission_group_ids: [two] }));
  succeed(await members('remove', second, person));
  expect(await a.groupsOf(person)).toEqual([]);
  succeed(await members('add', second, person));
  expect(await a.groupsOf(person)).toEqual([two]);
  const third = succeed(await a.createGroup('Third', [person]));
  await map(third, two);
  succeed(await members('remove', second, person));
  expect(await a.groupsOf(person)).toEqual([two]);
  await expectStatus(204, a.send('DELETE', `/Groups/${third.id}`));
  expect(await a.groupsOf(person)).toEqual([]);
});

it('K28: whoever maps holds it as long as the members, and may always unmap', async () => {
  const c = await openDirectory(service);
  const guest = await cast.member(c.partner, { owner: true, expires_at: '2999-01-01T00:00:00Z' });
  const person = succeed(await c.createUser());
  const group = succeed(await c.createGroup('Long', [person]));
  const id = await c.newGroup('Long');
  const mapAs = (token: string, given: string | null) => c.map(group.id, given, token);
  await service.sql('update identity_connection set new_member_days = 30 where id = $1', [c.uuid]);
  await expectStatus(403, mapAs(guest.token, id));
  await service.sql(`update agreement set expires_at = '2998-01-01' where email_key = $1`, [person.userName]);
  await expectStatus(200, mapAs(guest.token, id));
  await service.sql('update identity_connection set new_member_days = null where id = $1', [c.uuid]);
  await expectStatus(200, mapAs(guest.token, null));
  expect((await c.agreementOf(person.userName)).acl_permission_group_ids).toEqual([]);
});

it('K23, K28: a person who deletes the account while a directory or an owner changes something is gone, and no 500', async () => {
  const raced = <T>(statement: string, id: string, request: () => Promise<T>) =>
    meanwhile(service.database, statement, [id], request);
  const forget = 'delete from provisioned_user where id = $1';
  const people = [await a.provision(), await a.provision(), await a.provision()] as const;
  const changed = await raced(forget, uuidOf(people[0].id), () => change(people[0], { active: false }));
  expect(changed.status).toBe(404);
  const group = succeed(await a.createGroup('Left'));
  const added = await raced(forget, uuidOf(people[1].id), () => members('add', group, people[1], people[2]));
  expect(pluck(succeed(added).members, 'value')).toEqual([people[2].id]);
  const { user } = succeed(await signIn(people[2]));
  const mapped = () => a.newGroup('Given to nobody').then((id) => map(group, id));
  const given = await raced('delete from auth."user" where id = $1', user.id, mapped);
  expect(given.member_count).toBe(1);
  const again = await a.provision();
  const { user: leaving } = succeed(await signIn(again));
  await service.sql(forget, [uuidOf(again.id)]);
  const anew = () => a.provision({ userName: again.userName });
  await raced('delete from auth."user" where id = $1', leaving.id, anew);
  expect((await a.agreementOf(again.userName)).accepted).toBe(false);
});

it('K23, K28: a change locks people and agreements in the order in which a deleted account does', async () => {
  const { database, sql } = service;
  const person = await a.provision();
  succeed(await signIn(person));
  const group = succeed(await a.createGroup('In order', [person]));
  succeed(await map(group, await a.newGroup('In order')));
  const id = uuidOf(person.id);
  const [{ agreement_id }] = await sql('select agreement_id from provisioned_user where id = $1', [id]);
  for (const [first, then, change] of [
    [
      `agreement where id = '${agreement_id}'`,
      `agreement_group where agreement_id = '${agreement_id}'`,
      () => a.map(group.id, null),
    ],
    [
      `provisioned_user where id = '${id}'`,
      `provisioned_member where provisioned_user_id = '${id}'`,
      () => members('remove', group, person),
    ],
  ] as const) {
    const holder = await hold(database, `select from ${first} for update`);
    const changed = change();
    await untilWaiting(database, 1);
    await holder.query(`select from ${then} for update nowait`);
    await holder.end();
    succeed(await changed);
  }
});

it('K29: what the log says of a person whose address changed is erased with the account', async () => {
  const person = await a.provision();
  const { user } = succeed(await signIn(person));
  const next = a.newAddress();
  succeed(await change(person, { userName: next, displayName: 'Renamed' }));
  await expectStatus(204, service.remove(`/users/${user.id}`));
  const left = `select from audit_person where personal::text like any ($1)`;
  expect(await service.sql(left, [[`%${person.userName}%`, `%${next}%`]])).toEqual([]);
});

it('K25: without the domain, people keep their access, it can end, and it does not begin', async () => {
  for (const [column, lost, found] of [
    ['lost_at', 'now()', 'null'],
    ['verified_at', 'null', 'now()'],
  ] as const) {
    const email = a.newAddress();
    const plain = await a.provision();
    const aliased = await a.provision({ userName: `name ${column}`, emails: [{ value: email }] });
    for (const [person, address] of [
      [plain, plain.userName],
      [aliased, email],
    ] as const) {
      succeed(await signIn({ userName: address }));
      await loseDomain(column, lost);
      succeed(await change(person, { displayName: 'Other' }));
      expect(await hasAccess(address)).toBe(true);
      succeed(await change(person, { active: false }));
      expect(await hasAccess(address)).toBe(false);
      const again = await error(change(person, { active: true }));
      expect(again).toEqual(person === plain ? [400, 'invalidValue'] : [200, undefined]);
      await loseDomain(column, found);
      expect(await hasAccess(address)).toBe(false);
    }
  }
});

it('K28: all people get the permission group of their group, and groups have 100,000 members at most', async () => {
  const c = await openDirectory(service);
  const people = inForm({ short: 1_000, long: 5_000 });
  await service.sql(
    `with made as (
       insert into agreement (id, partner_id, email, email_key, owner, connection_id)
       select gen_random_uuid(), $1, name, name, false, $2 from (select n || '@' || $3 as name from generate_series(1, $4) n) named
       returning *)
     insert into provisioned_user (id, partner_id, connection_id, document, email_key, agreement_id)
     select gen_random_uuid(), partner_id, connection_id, jsonb_build_object('userName', email), email_key, id from made`,
    [c.partnerId, c.uuid, c.domain, people],
  );
  await insertUnchecked(
    service,
    `with groups as (
       insert into provisioned_group (id, partner_id, connection_id, document)
       select gen_random_uuid(), $1, $2, jsonb_build_object('displayName', 'G' || n) from generate_series(1, 100000 / $3) n returning id)
     insert into provisioned_member (connection_id, provisioned_group_id, provisioned_user_id)
     select $2, groups.id, person.id from groups, provisioned_user person where person.connection_id = $2`,
    [c.partnerId, c.uuid, people],
  );
  const [group] = succeed(await c.get('/Groups?count=1&excludedAttributes=members')).Resources;
  const given = await c.newGroup('All');
  succeed(await c.map(group.id, given));
  const [{ count }] = await service.sql('select count(*)::int from agreement_group where partner_id = $1', [
    c.partnerId,
  ]);
  expect(count).toBe(people);
  const one = succeed(await c.createUser());
  const add = { op: 'add', path: 'members', value: [{ value: one.id }] };
  expect(await error(c.patch(`/Groups/${group.id}`, add))).toEqual([400, 'tooMany']);
  const [{ id: member }] = succeed(await c.get('/Users?count=1')).Resources;
  succeed(await c.patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${member}"]` }, add));
});

it('A12, K14: a second factor that owners required of a member is required again when the connection begins anew', async () => {
  const person = await a.provision();
  succeed(await signIn(person));
  const { id } = await a.agreementOf(person.userName);
  succeed(await cast.change(a.partner, id, { mfa_required: true }, a.owner.token));
  succeed(await change(person, { active: false }));
  succeed(await change(person, { active: true }));
  const again = await a.agreementOf(person.userName);
  expect([again.id === id, again.mfa_required]).toEqual([false, true]);
});

it('K26: what owners deleted does not come back with another address', async () => {
  const person = await a.provision();
  const { id } = await a.agreementOf(person.userName);
  await expectStatus(204, service.remove(`/partners/${a.partner}/agreements/${id}`));
  const next = a.newAddress();
  succeed(await change(person, { userName: next }));
  expect(await a.agreementOf(next)).toBeUndefined();
  succeed(await change(person, { active: false }));
  succeed(await change(person, { active: true }));
  expect((await a.agreementOf(next)).accepted).toBe(false);
});

it('K14, K26: a person who was renamed, and whom the directory has as a new entry, signs in', async () => {
  const first = await a.provision();
  const sub = travel.person(a, first.userName);
  const { user } = succeed(await travel.signIn(a, sub));
  await expectStatus(204, a.send('DELETE', `/Users/${first.id}`));
  const second = await a.provision();
  await cast.set(user.id, { email: second.userName });
  travel.person(a, second.userName, {}, sub);
  succeed(await travel.signIn(a, sub));
  expect(await hasAccess(second.userName)).toBe(true);
});

it('K28: a person in many mapped groups gets 50 of them when access begins again', async () => {
  const person = await a.provision();
  await service.sql(
    `with made as (
       insert into permission_group (id, partner_id, name, acl_permissions)
       select gen_random_uuid(), $1, 'many ' || n, '[]' from generate_series(1, 51) n returning id),
     mapped as (
       insert into provisioned_group (id, connection_id, partner_id, document, group_id, account_id)
       select gen_random_uuid(), $2, $1, jsonb_build_object('displayName', id), id, $1 from made returning id)
     insert into provisioned_member (connection_id, provisioned_user_id, provisioned_group_id) select $2, $3, id from mapped`,
    [a.partnerId, a.uuid, uuidOf(person.id)],
  );
  succeed(await change(person, { active: false }));
  succeed(await change(person, { active: true }));
  expect(await a.groupsOf(person)).toHaveLength(50);
  succeed(await signIn(person));
});

it('K28: the agreements of owners do not change', async () => {
  const person = await a.provision();
  succeed(await signIn(person));
  const { id } = await a.agreementOf(person.userName);
  succeed(await cast.change(a.partner, id, { owner: true }));
  const group = succeed(await a.createGroup('Owners', [person]));
  succeed(await a.map(group.id, await a.newGroup('Not for owners')));
  expect(await a.groupsOf(person)).toEqual([]);
});

it('K20: names of prototypes, and text in any nesting, have no effect', async () => {
  const raw = (more: string) =>
    a.send(
      'POST',
      '/Users',
      `{"userName":"${a.newAddress()}","__proto__":{"active":false},"constructor":{"prototype":{}}${more}}`,
    );
  const answer = await raw('');
  expect([200, 201, 400]).toContain(answer.status);
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const more of [`,"title":${nested}`, `,"emails":${nested}`, `,"name":${nested}`])
    expect((await raw(more)).status).toBeLessThan(500);
  for (const path of ['__proto__', 'constructor', 'toString', 'emails[__proto__ eq 1]', 'name.constructor'])
    expect((await error(a.patch(`/Users/x`, { op: 'add', path, value: 1 })))[0]).toBeLessThan(500);
  for (const query of ['filter=__proto__ pr', 'sortBy=constructor', 'attributes=__proto__', '__proto__=1'])
    expect((await a.get(`/Users?${query.replaceAll(' ', '%20')}`)).status).toBeLessThan(500);
});

it('K20, K23: objects in place of texts and numbers are 400', async () => {
  const odd = { toString: 1, valueOf: 1 };
  const person = succeed(await a.createUser());
  for (const body of [
    { count: odd },
    { startIndex: odd },
    { attributes: odd, sortOrder: odd },
    { attributes: [odd] },
  ])
    expect([400, 200]).toContain((await a.send('POST', '/Users/.search', body)).status);
  const odds = { op: odd, path: 'active', value: true };
  expect(await error(a.patch(`/Users/${person.id}`, odds))).toEqual([400, 'invalidSyntax']);
});
