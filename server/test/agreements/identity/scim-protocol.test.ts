// SCIM 2.0 as a directory speaks it.
import { beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, pluck, succeed, times } from '../../stage/cast.ts';
import { environment } from '../../stage/connection-stage.ts';
import { useService } from '../../stage/start-service.ts';
import { error, groupSchema, useDirectory, userSchema } from './provisioning-stage.ts';

const service = useService(environment);
const directory = useDirectory(service);

const newUser = async (more: object = {}) => succeed(await directory.createUser(more));
const find = async (filter: string, kind = 'Users', more = '') => {
  const answer = await directory.get(`/${kind}?filter=${encodeURIComponent(filter)}${more}`);
  return pluck(succeed(answer).Resources, 'id');
};

it('K20: the service describes itself, says what it cannot do, and answers errors in the form of SCIM', async () => {
  const config = succeed(await directory.get('/ServiceProviderConfig'));
  expect(config).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
  expect(pluck(succeed(await directory.get('/ResourceTypes')).Resources, 'name')).toEqual(['User', 'Group']);
  const { attributes } = succeed(await directory.get(`/Schemas/${userSchema}`));
  expect(pluck(attributes, 'name')).toContain('userName');
  expect(await error(directory.get('/Me'))).toEqual([501, undefined]);
  expect(await error(directory.send('POST', '/.search', {}))).toEqual([501, undefined]);
  expect(await error(directory.send('POST', '/Bulk', {}))).toEqual([404, undefined]);
  expect(await error(directory.send('POST', '/Schemas', {}))).toEqual([405, undefined]);
  expect(await error(directory.get('/Schemas?filter=id pr'.replaceAll(' ', '%20')))).toEqual([
    403,
    undefined,
  ]);
  expect(await error(directory.send('POST', '/Users', '{"a":'))).toEqual([400, 'invalidSyntax']);
  expect(await error(directory.send('POST', '/Users', '[]'))).toEqual([400, 'invalidSyntax']);
  expect(await error(directory.send('POST', '/Users', { schemas: [groupSchema] }))).toEqual([
    400,
    'invalidSyntax',
  ]);
  const asText = directory.send('POST', '/Users', 'x', { 'content-type': 'text/plain' });
  expect(await error(asText)).toEqual([415, undefined]);
  await expectStatus(
    415,
    service.request('POST', '/partners', { body: {}, headers: { 'content-type': 'application/scim+json' } }),
  );
});

it('K20: what is not kept has no effect, and texts are bounded', async () => {
  const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  const user = await newUser({
    USERNAME: directory.newAddress(),
    userName: undefined,
    Name: { GivenName: 'Ann', middleName: 'B', familyname: 'Lee' },
    title: 'Director',
    id: 'mine',
    [extension]: { department: 'Sales' },
  });
  expect(user).toMatchObject({ name: { givenName: 'Ann', familyName: 'Lee' }, active: true });
  expect(user.id).toMatch(/^scu_/);
  expect(Object.keys(user)).not.toContain('title');
  for (const displayName of ['x'.repeat(257), 'a\0', '\ud800', 7])
    expect(await error(directory.createUser({ displayName }))).toEqual([400, 'invalidValue']);
  expect(await error(directory.createUser({ userName: '' }))).toEqual([400, 'invalidValue']);
  const emails = times(21, (index) => ({ value: `a${index}@${directory.domain}` }));
  expect(await error(directory.createUser({ emails }))).toEqual([400, 'tooMany']);
});

describe('K22: filters', () => {
  let ann: { id: string; userName: string };
  let bob: { id: string };
  let group: { id: string };
  beforeAll(async () => {
    const work = (value: string) => ({ value, type: 'work', primary: true });
    ann = await newUser({
      displayName: 'Filter Ann',
      externalId: 'X-ann',
      name: { familyName: 'Äpfel' },
      emails: [work(directory.newAddress()), { value: 'ann@home.example', type: 'home' }],
    });
    bob = await newUser({ displayName: 'Filter Bob', active: false });
    group = succeed(await directory.createGroup('Filter group', [ann]));
  });

  it('K22: the whole grammar', async () => {
    const both = [ann.id, bob.id];
    const cases: [string, string[]][] = [
      [`userName eq "${ann.userName.toUpperCase()}"`, [ann.id]],
      [`${userSchema}:userName EQ "${ann.userName}"`, [ann.id]],
      ['externalId eq "X-ann"', [ann.id]],
      ['externalId eq "x-ANN"', []],
      ['displayName sw "filter " and displayName ew "BOB"', [bob.id]],
      ['displayName co "ter a" or displayName co "ter b"', both],
      ['displayName sw "Filter" and not (active eq true)', [bob.id]],
      ['displayName sw "Filter" and active ne "True"', [bob.id]],
      ['displayName sw "Filter" and (externalId pr or active eq false)', both],
      ['displayName sw "Filter" and not(emails pr)', [bob.id]],
      ['emails[type eq "home" and value sw "ann@"]', [ann.id]],
      ['emails[type eq "work" and value sw "ann@"]', []],
      ['emails[not (type eq "work")]', [ann.id]],
      ['emails.value eq "ANN@home.example"', [ann.id]],
      ['emails eq "ann@home.example"', [ann.id]],
      ['name.familyName eq "äpfel"', [ann.id]],
      ['displayName sw "Filter" and externalId eq null', [bob.id]],
      [`id eq "${ann.id}"`, [ann.id]],
      ['id eq "no id"', []],
      [`displayName sw "Filter" and id ne "${ann.id}"`, [bob.id]],
      ['displayName sw "Filter" and id ne "no id"', both],
      ['id co "scu_"', []],
      ['displayName sw "Filter" and externalId ne null', [ann.id]],
      ['displayName sw "Filter" and active ne null', both],
      ['displayName sw "Filter" and active gt false', [ann.id]],
      ['displayName sw "Filter" and active co "x"', []],
      ['displayName sw "Filter" and title ne "x"', both],
      ['displayName sw "Filter" and meta.resourceType eq "User"', both],
      ['displayName sw "Filter" and meta.created co "2026"', []],
      ['emails[value sw "ann@"].type eq "home"', [ann.id]],
      ['emails.primary ne true and displayName sw "Filter"', [ann.id]],
      ['displayName sw "Filter" and name.familyName ge "b"', [ann.id]],
      ['displayName sw "Filter" and groups[value ne "x"]', [ann.id]],
      [`groups.value eq "${group.id}"`, [ann.id]],
      ['displayName gt "Filter Ann" and displayName le "filter bob"', [bob.id]],
      ['displayName sw "Filter" and meta.created gt "2000-01-01T00:00:00Z"', both],
      ['displayName sw "Filter" and meta.lastModified lt "2000-01-01T00:00:00Z"', []],
      ['displayName sw "Filter" and title pr', []],
      [`displayName eq "Filter Ann" and displayName eq "' or true --"`, []],
    ];
    for (const [filter, found] of cases)
      expect((await find(filter)).sort(), filter).toEqual(found.toSorted());
    expect(await find(`members.value eq "${ann.id}"`, 'Groups')).toEqual([group.id]);
    expect(await find(`members[value eq "${bob.id}"]`, 'Groups')).toEqual([]);
  });

  it('K22: bombs and nonsense are invalidFilter', async () => {
    const deep = `${'('.repeat(17)}active pr${')'.repeat(17)}`;
    const long = times(41, () => 'active pr').join(' or ');
    const costly = times(3, () => 'emails[type eq "work" and value co "x"]').join(' or ');
    const texts = [
      '',
      'and',
      'nothing eq "x"',
      'userName xx "a"',
      'userName eq',
      'userName eq "a',
      'userName eq a',
    ];
    const more = [
      '(userName pr',
      'userName pr)',
      'userName[value pr]',
      'emails[value pr',
      'name eq "a"',
      'emails[a pr]',
    ];
    const last = [
      deep,
      long,
      costly,
      `userName eq "${'x'.repeat(2_000)}"`,
      `${'not ('.repeat(200)}`,
      'meta.created gt "x"',
    ];
    for (const filter of [...texts, ...more, ...last])
      expect(await error(directory.get(`/Users?filter=${encodeURIComponent(filter)}`)), filter).toEqual([
        400,
        'invalidFilter',
      ]);
  });

  it('K22: pages are bounded, orders and parts of answers are chosen', async () => {
    const filter = encodeURIComponent('displayName sw "Filter"');
    const list = async (more: string) => succeed(await directory.get(`/Users?filter=${filter}${more}`));
    expect(await list('&count=1&startIndex=2&sortBy=displayName&sortOrder=descending')).toMatchObject({
      totalResults: 2,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ id: ann.id }],
    });
    expect(await list('&count=0')).toMatchObject({ totalResults: 2, Resources: [] });
    expect(await list('&count=999999999&startIndex=-5')).toMatchObject({ startIndex: 1, itemsPerPage: 2 });
    expect(await list('&startIndex=999999999999')).toMatchObject({ totalResults: 2, Resources: [] });
    for (const sortBy of ['name', 'emails', 'meta.created', 'userName', 'active', 'groups', 'id', 'title'])
      await list(`&sortBy=${sortBy}`);
    expect(await error(directory.get('/Users?count=many'))).toEqual([400, 'invalidValue']);
    expect(await error(directory.get('/Users?sortBy=nothing'))).toEqual([400, 'invalidPath']);
    const [part] = (await list('&sortBy=displayName&attributes=emails.type,displayName')).Resources;
    expect(part).toEqual({
      schemas: [userSchema],
      id: ann.id,
      displayName: 'Filter Ann',
      emails: [{ type: 'work' }, { type: 'home' }],
    });
    const rest = succeed(await directory.get(`/Groups/${group.id}?excludedAttributes=members,meta`));
    expect(Object.keys(rest)).toEqual(['schemas', 'id', 'displayName']);
    const searched = await directory.send('POST', '/Groups/.search', {
      filter: 'displayName eq "Filter group"',
      attributes: ['members'],
    });
    expect(succeed(searched).Resources).toMatchObject([{ id: group.id, members: [{ value: ann.id }] }]);
    expect(await error(directory.get('/Users?attributes=id&excludedAttributes=name'))).toEqual([
      400,
      'invalidValue',
    ]);
  });
});

describe('K23: PATCH', () => {
  const change = async (...operations: object[]) => {
    const { id } = await newUser({
      displayName: 'Was',
      name: { givenName: 'G', familyName: 'F' },
      emails: [
        { value: 'w@home.example', type: 'work', primary: true },
        { value: 'h@home.example', type: 'home' },
      ],
    });
    return succeed(await directory.patch(`/Users/${id}`, ...operations));
  };
  const emails = async (...operations: object[]) => (await change(...operations)).emails;

  it('K23: every form has its effect', async () => {
    expect(await change({ op: 'replace', path: 'displayName', value: 'Is' })).toMatchObject({
      displayName: 'Is',
    });
    expect(await change({ op: 'Add', value: { displayName: 'Is', 'name.givenName': 'H' } })).toMatchObject({
      displayName: 'Is',
      name: { givenName: 'H', familyName: 'F' },
    });
    expect(await change({ op: 'REPLACE', path: 'active', value: 'False' })).toMatchObject({ active: false });
    expect(await change({ op: 'replace', value: { [`${userSchema}:active`]: 'false' } })).toMatchObject({
      active: false,
    });
    expect(await change({ op: 'remove', path: 'displayName' })).not.toHaveProperty('displayName');
    expect((await change({ op: 'remove', path: 'name.givenName' })).name).toEqual({ familyName: 'F' });
    expect((await change({ op: 'replace', path: 'name', value: { givenName: 'N' } })).name).toEqual({
      familyName: 'F',
      givenName: 'N',
    });
    const title = {
      op: 'replace',
      path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      value: 'x',
    };
    expect(await change(title, { op: 'add', path: 'title', value: 'x' })).toMatchObject({
      displayName: 'Was',
    });
  });

  it('K23: items of lists are chosen by filters', async () => {
    const other = { value: 'o@home.example', type: 'other', primary: true };
    expect(await emails({ op: 'add', path: 'emails', value: [other] })).toEqual([
      { value: 'w@home.example', type: 'work' },
      { value: 'h@home.example', type: 'home' },
      other,
    ]);
    expect(await emails({ op: 'replace', path: 'emails', value: other })).toEqual([other]);
    expect(
      await emails({ op: 'replace', path: 'emails[type eq "home"].value', value: 'n@home.example' }),
    ).toMatchObject([{}, { value: 'n@home.example', type: 'home' }]);
    expect(await emails({ op: 'remove', path: 'emails[type eq "work" or value sw "x"]' })).toHaveLength(1);
    expect(await emails({ op: 'remove', path: 'emails', value: [{ value: 'h@home.example' }] })).toHaveLength(
      1,
    );
    expect(await emails({ op: 'remove', path: 'emails' })).toBeUndefined();
    expect(
      await emails({ op: 'Add', path: 'emails[type eq "other"].value', value: 'n@home.example' }),
    ).toContainEqual({
      type: 'other',
      value: 'n@home.example',
    });
    expect(await emails({ op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' })).toEqual([
      { value: 'w@home.example', type: 'work' },
      { value: 'h@home.example', type: 'home', primary: true },
    ]);
  });

  it('K23: members of groups come and go', async () => {
    const [one, two, three] = [await newUser(), await newUser(), await newUser()];
    const { id } = succeed(await directory.createGroup('Members', [one]));
    const members = async (...operations: object[]) =>
      pluck(succeed(await directory.patch(`/Groups/${id}`, ...operations)).members ?? [], 'value').sort();
    const ids = (...users: { id: string }[]) => pluck(users, 'id').sort();
    const value = [{ value: two.id }, { value: three.id }, { value: one.id }];
    expect(await members({ op: 'Add', path: 'members', value })).toEqual(ids(one, two, three));
    expect(await members({ op: 'remove', path: `members[value eq "${one.id}"]` })).toEqual(ids(two, three));
    expect(await members({ op: 'Remove', path: 'members', value: [{ value: two.id }] })).toEqual(ids(three));
    expect(
      await members({ op: 'replace', value: { members: [{ value: one.id }], displayName: 'Other' } }),
    ).toEqual(ids(one));
    expect(succeed(await directory.get(`/Users/${one.id}`)).groups).toMatchObject([
      { value: id, display: 'Other' },
    ]);
    expect(await members({ op: 'remove', path: 'members' })).toEqual([]);
    await expectStatus(204, directory.send('DELETE', `/Groups/${id}`));
    await expectStatus(404, directory.get(`/Groups/${id}`));
  });

  it('K23: what is wrong has no effect at all, and bombs are refused', async () => {
    const { id, displayName } = await newUser({ displayName: 'Stays' });
    const good = { op: 'replace', path: 'displayName', value: 'Gone' };
    const refused = (...operations: object[]) => error(directory.patch(`/Users/${id}`, good, ...operations));
    expect(await refused({ op: 'replace', path: 'nothing', value: 1 })).toEqual([400, 'invalidPath']);
    expect(await refused({ op: 'replace', path: 'userName[value eq "x"]', value: 1 })).toEqual([
      400,
      'invalidPath',
    ]);
    expect(await refused({ op: 'replace', path: 'emails[value eq', value: 1 })).toEqual([400, 'invalidPath']);
    expect(await refused({ op: 'replace', path: 'emails[value xx "a"]', value: 1 })).toEqual([
      400,
      'invalidFilter',
    ]);
    expect(await refused({ op: 'replace', path: 'emails[value eq "a"].value', value: 'b' })).toEqual([
      400,
      'noTarget',
    ]);
    expect(await refused({ op: 'remove' })).toEqual([400, 'noTarget']);
    expect(await refused({ op: 'remove', path: 'userName' })).toEqual([400, 'invalidValue']);
    expect(await refused({ op: 'add', path: 'groups', value: [{ value: 'x' }] })).toEqual([
      400,
      'mutability',
    ]);
    expect(await refused({ op: 'replace', path: 'id', value: 'x' })).toEqual([400, 'mutability']);
    expect(await refused({ op: 'replace', path: 'active', value: 'maybe' })).toEqual([400, 'invalidValue']);
    expect(await refused({ op: 'move', path: 'active' })).toEqual([400, 'invalidSyntax']);
    expect(await refused({ op: 'add', value: 'x' })).toEqual([400, 'invalidValue']);
    expect(await refused(...times(1_000, () => good))).toEqual([400, 'tooMany']);
    expect(await error(directory.send('PATCH', `/Users/${id}`, 'x'.repeat(1024 * 1024 + 1)))).toEqual([
      413,
      'tooMany',
    ]);
    expect(succeed(await directory.get(`/Users/${id}`)).displayName).toBe(displayName);
    const users = [];
    for (let i = 0; i < 30; i++) users.push(await newUser());
    const group = succeed(await directory.createGroup('Bomb', users));
    const looks = times(1_000, () => ({ op: 'remove', path: 'members[value eq "x"]' }));
    await expectStatus(200, directory.patch(`/Groups/${group.id}`, ...looks));
    expect(
      await error(
        directory.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: group.id }] }),
      ),
    ).toEqual([400, 'invalidValue']);
  });
});

it('K20: a connection has at most 10,000 users and 1,000 groups', async () => {
  const { partnerId, uuid } = directory;
  for (const [table, name, count] of [
    ['user', 'userName', 10_000],
    ['group', 'displayName', 1_000],
  ] as const)
    await service.sql(
      `insert into provisioned_${table} (id, partner_id, connection_id, document)
       select gen_random_uuid(), $1, $2, jsonb_build_object($3::text, 'Full ' || n)
       from generate_series(2, $4 - (select count(*) from provisioned_${table} where connection_id = $2)) n`,
      [partnerId, uuid, name, count],
    );
  await newUser();
  succeed(await directory.createGroup('The last'));
  expect(await error(directory.createUser())).toEqual([400, 'tooMany']);
  expect(await error(directory.createGroup('One too many'))).toEqual([400, 'tooMany']);
  for (const table of ['user', 'group'])
    await service.sql(`delete from provisioned_${table} where document::text like '%"Full %'`);
});

it('K20: a body has at most 60,000 values, whatever its media type is', async () => {
  const { id } = await newUser();
  const value = '0,'.repeat(60_000);
  const body = `{"Operations":[{"op":"add","path":"emails","value":[${value}0]}]}`;
  for (const type of ['application/scim+json', 'application/json', 'application/merge-patch+json'])
    expect(
      await error(directory.send('PATCH', `/Users/${id}`, body, { 'content-type': type })),
      type,
    ).toEqual([413, 'tooMany']);
});

it('K24: versions: 304 for the known one, 412 for another, and one of two changes at once', async () => {
  const { id, meta } = await newUser({ displayName: 'Version' });
  const at = `/Users/${id}`;
  await expectStatus(304, directory.get(at, { 'if-none-match': meta.version }));
  const change = (displayName: string, version: string) =>
    directory.send('PUT', at, { userName: directory.newAddress(), displayName }, { 'if-match': version });
  expect(await error(change('x', '"1"'))).toEqual([412, undefined]);
  const both = await Promise.all([change('one', meta.version), change('two', meta.version)]);
  expect(pluck<number>(both as never, 'status').sort()).toEqual([200, 412]);
  const changed = await directory.get(at, { 'if-none-match': meta.version });
  expect(changed.headers.etag).toBe(succeed(changed).meta.version);
  const group = succeed(await directory.createGroup('Version', [{ id }]));
  await expectStatus(200, directory.get(at, { 'if-none-match': String(changed.headers.etag) }));
  await expectStatus(412, directory.send('DELETE', at, undefined, { 'if-match': meta.version }));
  await expectStatus(204, directory.send('DELETE', at));
  const left = await directory.get(`/Groups/${group.id}`, { 'if-none-match': group.meta.version });
  expect(succeed(left).members).toEqual([]);
});
