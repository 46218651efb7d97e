// What directories send in their own way, and what looks like it but is refused.
import { expect, it } from 'vitest';
import { expectStatus, pluck, succeed, times, uuidOf } from '../../stage/cast.ts';
import { environment } from '../../stage/connection-stage.ts';
import { isWhole, openAnswer } from '../../stage/slow-reader.ts';
import { useService } from '../../stage/start-service.ts';
import {
  error,
  groupSchema,
  insertUnchecked,
  openDirectory,
  useDirectory,
  userSchema,
} from './provisioning-stage.ts';

const service = useService({ ...environment, CONCORD_RATE_LIMIT: '100000/60s' });
const a = useDirectory(service);

it('K24: a PUT that changes nothing changes no version, and leaves no row in the log', async () => {
  const [one, two] = [await a.provision(), await a.provision()];
  const group = succeed(await a.createGroup('Same', [one, two]));
  const put = {
    schemas: [groupSchema],
    displayName: 'Same',
    members: [two, one].map(({ id }) => ({ value: id, display: 'x' })),
  };
  expect(succeed(await a.send('PUT', `/Groups/${group.id}`, put)).meta.version).toBe(group.meta.version);
  const log = await service.sql('select action from audit_log where target = $1', [group.id]);
  expect(pluck(log, 'action')).toEqual(['provisioned_group.create']);
});

it('K23: what a filter adds is checked like other values', async () => {
  const person = await a.provision();
  const add = (filter: string) =>
    error(
      a.patch(`/Users/${person.id}`, { op: 'add', path: `emails[${filter}].value`, value: 'x@home.example' }),
    );
  for (const filter of ['type eq 5', 'primary eq "x"', 'type eq "\\ud800"', `type eq "${'x'.repeat(300)}"`])
    expect(await add(filter), filter).toEqual([400, 'invalidValue']);
  await expectStatus(200, a.get(`/Users?filter=${encodeURIComponent('emails[primary eq true]')}`));
});

it('K23: names of attributes count as operations', async () => {
  const person = await a.provision();
  const value = Object.fromEntries(
    times(1_001, (index) => [
      `${userSchema}:displayName`.replace(/[a-z]/g, (letter, at: number) =>
        (index >> (at % 10)) & 1 ? letter.toUpperCase() : letter,
      ),
      `${index}`,
    ]),
  );
  expect(Object.keys(value).length).toBe(1_001);
  expect(await error(a.patch(`/Users/${person.id}`, { op: 'replace', value }))).toEqual([400, 'tooMany']);
});

it('K23: Okta renames a group with its id', async () => {
  const group = succeed(await a.createGroup('Old'));
  const renamed = await a.patch(`/Groups/${group.id}`, {
    op: 'replace',
    value: { id: group.id, displayName: 'New' },
  });
  expect(succeed(renamed).displayName).toBe('New');
});

it('K22: Entra ID finds people by a part after brackets', async () => {
  const address = a.newAddress();
  const person = await a.provision({ emails: [{ value: address, type: 'work' }] });
  const find = async (filter: string) =>
    pluck(succeed(await a.get(`/Users?filter=${encodeURIComponent(filter)}`)).Resources, 'id');
  expect(await find(`emails[type eq "work"].value eq "${address}"`)).toEqual([person.id]);
  expect(await find(`emails[type eq "home"].value eq "${address}"`)).toEqual([]);
  for (const bad of ['emails[type eq "work"].nothing eq "x"', 'emails[type eq "work"].value'])
    expect(await error(a.get(`/Users?filter=${encodeURIComponent(bad)}`))).toEqual([400, 'invalidFilter']);
  for (const moment of ['-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-01-01T00:00:00Z'])
    expect(await error(a.get(`/Users?filter=${encodeURIComponent(`meta.created gt "${moment}"`)}`))).toEqual([
      400,
      'invalidFilter',
    ]);
});

it('K22: groups and members are compared by value alone', async () => {
  const list = (filter: string) => error(a.get(`/Users?filter=${encodeURIComponent(filter)}`));
  for (const filter of ['groups.display co "x"', 'groups[type eq "direct"]', 'not (groups.$ref pr)'])
    expect(await list(filter), filter).toEqual([400, 'invalidFilter']);
  for (const filter of ['groups pr', 'groups.value pr', 'groups[not (value eq "x")]'])
    expect(await list(filter), filter).toEqual([200, undefined]);
});

it('K23, K27: a PATCH that leaves `active` without a value ends the access, and gives none back', async () => {
  for (const operation of [
    { op: 'replace', path: 'active', value: null },
    { op: 'Replace', path: 'active', value: '' },
    { op: 'add', value: { active: null } },
    { op: 'remove', path: 'active' },
  ]) {
    const person = await a.provision();
    for (let round = 0; round < 2; round++)
      expect(succeed(await a.patch(`/Users/${person.id}`, operation)).active).toBe(false);
    expect(await a.agreementOf(person.userName)).toBeUndefined();
  }
});

it('K22, L1: a page has all that `count` asks for; with many members it is streamed, and each 10,000 count as a request', async () => {
  const directory = await openDirectory(service);
  const groups = [];
  for (const name of ['One', 'Two', 'None']) groups.push(succeed(await directory.createGroup(name)));
  await service.sql(
    `with made as (
       insert into provisioned_user (id, connection_id, partner_id, document)
       select gen_random_uuid(), $1, $2, jsonb_build_object('userName', 'many' || n, 'active', true)
       from generate_series(1, 6000) n returning id, connection_id)
     insert into provisioned_member (connection_id, provisioned_group_id, provisioned_user_id)
     select connection_id, group_id, id from made, unnest($3::uuid[]) group_id`,
    [directory.uuid, directory.partnerId, groups.slice(0, 2).map(({ id }) => uuidOf(id))],
  );
  let left = 0;
  /** What the page has, and for how many requests it counts. */
  const list = async (query: string) => {
    const answer = await directory.get(`/Groups?${query}`);
    const { totalResults, itemsPerPage, Resources } = succeed(answer);
    const before = left;
    left = Number(/;r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
    type Listed = { displayName: string; members?: unknown[] };
    const listed = (Resources as Listed[]).map((group) => [group.displayName, group.members?.length]);
    const isStreamed = answer.headers['content-length'] === undefined;
    return [totalResults, itemsPerPage, listed, isStreamed, before - left];
  };
  const all = [
    ['One', 6_000],
    ['Two', 6_000],
    ['None', 0],
  ];
  await list('count=0');
  expect(await list('')).toEqual([3, 3, all, true, 2]);
  expect(await list('startIndex=2&count=1')).toEqual([3, 1, all.slice(1, 2), false, 1]);
  const without = all.map(([name]) => [name, undefined]);
  expect(await list('excludedAttributes=members')).toEqual([3, 3, without, false, 1]);
});

it('K21: a page that a directory reads ends when it gets a new token', async () => {
  const { uuid, partnerId, path, owner, token } = await openDirectory(service);
  await insertUnchecked(
    service,
    `with people as (
       insert into provisioned_user (id, connection_id, partner_id, document)
       select gen_random_uuid(), $1, $2, jsonb_build_object('userName', 'many' || n, 'active', true)
       from generate_series(1, 200) n returning id),
     groups as (
       insert into provisioned_group (id, connection_id, partner_id, document)
       select gen_random_uuid(), $1, $2, jsonb_build_object('displayName', repeat('x', 250) || n)
       from generate_series(1, 300) n returning id)
     insert into provisioned_member (connection_id, provisioned_group_id, provisioned_user_id)
     select $1, groups.id, people.id from groups, people`,
    [uuid, partnerId],
  );
  const read = (bearer: string) =>
    openAnswer(`${service.url}/scim/v2/Users?count=200`, { authorization: `Bearer ${bearer}` });
  expect(await isWhole(await read(token))).toBe(true);
  const answer = await read(token);
  succeed(await service.post(`${path}/provisioning-token`, {}, owner.token));
  expect([answer.statusCode, await isWhole(answer)]).toEqual([200, false]);
});

it('K23, K25: an address whose value is removed or empty is gone', async () => {
  const address = a.newAddress();
  const emails = [
    { value: a.newAddress(), type: 'work', primary: true },
    { value: address, type: 'home' },
  ];
  const path = 'emails[type eq "work"].value';
  for (const operation of [
    { op: 'Remove', path },
    { op: 'Remove', path, value: emails[0]?.value },
    { op: 'Replace', path, value: '' },
    { op: 'replace', value: { [path]: null } },
  ]) {
    const { id } = await a.provision({ emails });
    const changed = succeed(await a.patch(`/Users/${id}`, operation));
    expect(changed.emails, JSON.stringify(operation)).toEqual([emails[1]]);
    expect((await a.agreementOf(address)).user.email).toBe(address);
    await expectStatus(204, a.send('DELETE', `/Users/${id}`));
  }
  for (const value of [null, '', undefined])
    expect(await a.provision({ emails: [{ value, type: 'work', primary: true }] })).not.toHaveProperty(
      'emails',
    );
  expect(await error(a.send('POST', '/Groups', { displayName: 'x', members: [{ type: 'User' }] }))).toEqual([
    400,
    'invalidValue',
  ]);
});

it('K22, K23: authentik learns who is in an empty group, and how many operations a PATCH can have', async () => {
  const group = succeed(await a.createGroup('Empty'));
  expect(group.members).toEqual([]);
  expect(succeed(await a.get(`/Groups/${group.id}`)).members).toEqual([]);
  const { bulk } = succeed(await a.get('/ServiceProviderConfig'));
  expect(bulk).toEqual({ supported: false, maxOperations: 1_000, maxPayloadSize: 0 });
  const operations = (length: number) => times(length, () => ({ op: 'add', path: 'members', value: [] }));
  await expectStatus(200, a.patch(`/Groups/${group.id}`, ...operations(bulk.maxOperations)));
  expect(await error(a.patch(`/Groups/${group.id}`, ...operations(bulk.maxOperations + 1)))).toEqual([
    400,
    'tooMany',
  ]);
});
