// Permission groups and service accounts, over HTTP.
import { beforeAll, describe, expect, it } from 'vitest';
import { namedResources } from '../access/access-operation.ts';
import {
  acl,
  expectCode,
  expectStatus,
  faultOf,
  type Member,
  may,
  statusesOf,
  succeed,
  useCast,
  uuidOf,
} from '../stage/cast.ts';
import { documented } from '../stage/documented.ts';

let partner: string;
let owner: Member;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
});

const path = (id = '', at = partner) => `/partners/${at}/acl-permission-groups${id && `/${id}`}`;
const send = (method: string, url: string, body?: unknown, token = owner.token) =>
  service.request(method, url, { token, body });
const make = async (name: string, acl_permissions: object[] = [], at = partner) =>
  succeed(await service.post(path('', at), { name, acl_permissions }));
const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

describe('permission groups', () => {
  it('R4: every partner has the same managed groups, and nobody can change them', async () => {
    const { body } = await send('GET', `${path()}?filter[type]=managed`);
    expect(names({ body })).toEqual(['Administrator', 'Editor', 'Viewer', 'Integrator']);
    const granted = (name: string) =>
      body.find((group: { name: string }) => group.name === name).acl_permissions;
    const webhooks = documented('behaviour/permissions.md', /`Integrator`: everything on webhooks(.*)/);
    expect(granted('Administrator')).toEqual([acl('*')]);
    const editor = ['partner', 'agreements', ...webhooks].map((resource) =>
      acl(resource, 'get', 'query', 'post', 'patch'),
    );
    expect(granted('Editor')).toEqual(editor);
    const viewed = namedResources.filter((resource) => resource !== 'audit_log');
    expect(granted('Viewer')).toEqual(viewed.map((resource) => acl(resource, 'get', 'query')));
    expect(granted('Integrator')).toEqual(webhooks.map((resource) => acl(resource)));
    for (const { id, account_id, type } of body) {
      expect([account_id, type]).toEqual(['ptr_00000000000000000000000000', 'managed']);
      for (const token of [owner.token, service.operatorToken]) {
        await expectStatus(403, send('PATCH', path(id), { name: 'x' }, token));
        await expectStatus(403, send('DELETE', path(id), undefined, token));
      }
    }
    expect(
      await send(
        'GET',
        `${path('', await cast.partner())}?filter[type]=managed`,
        undefined,
        service.operatorToken,
      ),
    ).toMatchObject({ body });
  });

  it('A11: a caller can create, read, change and delete a custom group', async () => {
    const created = await send('POST', path(), { name: 'Support', ...may('events', 'get') });
    const { id } = created.body;
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id,
      account_id: partner,
      name: 'Support',
      type: 'custom',
      ...may('events', 'get'),
      created_at: created.body.created_at,
      updated_at: created.body.created_at,
    });
    expect(created.headers.location).toBe(path(id));
    const read = await send('GET', path(id));
    expect([read.body, read.headers.etag]).toEqual([created.body, created.headers.etag]);
    expect((await send('PATCH', path(id), {})).body).toEqual(created.body);
    const changed = await send('PATCH', path(id), { acl_permissions: [] });
    expect(changed.body).toMatchObject({ name: 'Support', acl_permissions: [] });
    expect(changed.body.updated_at > created.body.updated_at).toBe(true);
    const stale = { token: owner.token, headers: { 'if-match': String(created.headers.etag) } };
    await expectStatus(412, service.request('DELETE', path(id), stale));
    await expectStatus(
      204,
      service.request('DELETE', path(id), {
        ...stale,
        headers: { 'if-match': String(changed.headers.etag) },
      }),
    );
    await expectStatus(404, send('GET', path(id)));
  });

  it('A11: an invalid body is 400', async () => {
    const wrong = [
      {},
      { name: 'x' },
      { acl_permissions: [] },
      { name: null, acl_permissions: [] },
      { name: 'x'.repeat(101), acl_permissions: [] },
      { name: '', acl_permissions: [] },
      { name: 'x', acl_permissions: [acl('events'), acl('events')] },
      { name: 'x', ...may('nothing') },
      { name: 'x', acl_permissions: [], type: 'managed' },
      { name: 'x', acl_permissions: [{ resource: 'events' }] },
    ];
    for (const body of wrong) expect([body, (await send('POST', path(), body)).status]).toEqual([body, 400]);
  });

  it('A13: the name of a group is visible text of 1 to 100 characters', async () => {
    const create = (name: string) => send('POST', path(), { name, acl_permissions: [] });
    const wrong = [
      '',
      ' ',
      ' Night',
      'Night ',
      '\u00a0Night',
      'Night\n',
      'Ni\u0007ght',
      'Ni\u200bght',
      '\u202eNight',
      'n'.repeat(101),
    ];
    for (const name of wrong) {
      expect([name, ...faultOf(await create(name))]).toEqual([name, 400, '/name']);
    }
    const { id } = succeed(await create('Night'));
    for (const name of wrong) expect((await send('PATCH', path(id), { name })).status, name).toBe(400);
    const longest = '夜'.repeat(50) + '👍'.repeat(50);
    expect((await send('PATCH', path(id), { name: longest })).body.name).toBe(longest);
  });

  it('A13: two groups of a partner never have the same name, nor that of a managed group', async () => {
    const at = await cast.partner();
    const create = (name: string) => service.post(path('', at), { name, acl_permissions: [] });
    // E with an acute accent, as one character and as two.
    const { id, name } = succeed(await create('Caf\u00c9 Ω'));
    const other = succeed(await create('Night'));
    for (const same of [
      'Caf\u00c9 Ω',
      'caf\u00e9 ω',
      'CAFE\u0301 Ω',
      'Viewer',
      'ADMINISTRATOR',
      'eDITOR',
      'integrator',
    ]) {
      for (const answer of [await create(same), await service.patch(path(other.id, at), { name: same })])
        expect([answer.status, answer.body.code], same).toEqual([400, 'group_name_taken']);
    }
    expect(name).toBe('Caf\u00c9 Ω');
    const renamed = await service.patch(path(id, at), { name: 'cafe\u0301 ω' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'cafe\u0301 ω']);
    await expectStatus(201, create('Night shift'));
    expect((await make('Night', [], await cast.partner())).name).toBe('Night');
    const answers = await Promise.all(['Both', 'both', 'BOTH'].map(create));
    expect(statusesOf(answers)).toEqual([201, 400, 400]);
  });

  it('A11: a change to the permissions of a group applies to its members on their next request', async () => {
    const { id } = await make('Readers', [acl('partner', 'get')]);
    const reader = await cast.member(partner, { acl_permission_group_ids: [id] });
    const read = async () => (await send('GET', `/partners/${partner}`, undefined, reader.token)).status;
    expect(await read()).toBe(200);
    succeed(await send('PATCH', path(id), may('partner', 'patch')));
    expect(await read()).toBe(403);
  });

  it('A11: deleting a group in use is 400; with ?detach=true the group is removed from all agreements', async () => {
    const { id } = await make('Used', [acl('partner', 'get')]);
    const { id: kept } = await make('Kept');
    const one = await cast.member(partner, { acl_permission_group_ids: [id, kept] });
    await expectCode('group_in_use', send('DELETE', path(id)));
    await expectStatus(400, send('DELETE', `${path(id)}?detach=no`));
    await expectStatus(204, send('DELETE', `${path(id)}?detach=true`));
    const { body } = await send('GET', `/partners/${partner}/agreements/${one.agreement}`);
    expect(body.acl_permission_group_ids).toEqual([kept]);
    await expectStatus(403, send('GET', `/partners/${partner}`, undefined, one.token));
  });

  it('A10: a group of another partner is 404, and 400 as the default group', async () => {
    const { id } = await make('Foreign', [], await cast.partner());
    for (const method of ['GET', 'PATCH', 'DELETE'])
      await expectStatus(
        404,
        send(method, path(id), method === 'PATCH' ? {} : undefined, service.operatorToken),
      );
    const body = { acl_permission_group_id: id };
    await expectStatus(400, send('PUT', path('default'), body, service.operatorToken));
  });

  it('A2: a new agreement carries the default group while one is set', async () => {
    const { id } = await make('Newcomers', [acl('events', 'get')]);
    const setDefault = (group: unknown) => send('PUT', path('default'), { acl_permission_group_id: group });
    expect((await send('GET', path('default'))).body).toEqual({ acl_permission_group_id: null });
    expect((await setDefault(id)).body).toEqual({ acl_permission_group_id: id });
    expect((await cast.invite(partner, 'n1@concord.test')).body.acl_permission_group_ids).toEqual([id]);
    const other = (await make('Others')).id;
    expect((await setDefault(other)).body).toEqual({ acl_permission_group_id: other });
    const managed = (await send('GET', `${path()}?filter[type]=managed`)).body[0].id;
    for (const wrong of [managed, 'x', 'apg_01h2xcejqtf2nbrexx3vqjhp41', 5])
      await expectStatus(400, setDefault(wrong));
    await expectStatus(204, send('DELETE', path(other)));
    expect((await send('GET', path('default'))).body).toEqual({ acl_permission_group_id: null });
    expect((await cast.invite(partner, 'n2@concord.test')).body.acl_permission_group_ids).toEqual([]);
  });

  it('Q1: the list counts, pages, sorts and searches', async () => {
    const at = await cast.partner();
    for (const name of ['b%', 'a', 'B']) await make(name, [], at);
    const list = (query: string) => service.get(path('', at) + query);
    const all = await list('');
    expect([names(all), all.headers['total-count']]).toEqual([
      ['Administrator', 'Editor', 'Viewer', 'Integrator', 'b%', 'a', 'B'],
      '7',
    ]);
    expect(names(await list('?filter[name]=b%25'))).toEqual(['b%']);
    expect(names(await list('?filter[type]=custom&sort_by=name&sort_dir=desc'))).toEqual(['b%', 'a', 'B']);
    const first = await list('?filter[type]=custom&page_size=2');
    expect(names(first)).toEqual(['b%', 'a']);
    const next = /<[^?]*(\?[^>]*)>/.exec(String(first.headers.link))?.[1];
    expect(names(await list(next ?? ''))).toEqual(['B']);
  });
});

it('F5: a partner has at most 1,000 custom groups and 100 service accounts', async () => {
  const at = await cast.partner();
  await service.sql(
    `insert into permission_group (id, partner_id, name, acl_permissions)
     select gen_random_uuid(), $1, n::text, '[]' from generate_series(1, 999) n`,
    [uuidOf(at)],
  );
  await make('the last one', [], at);
  const group = { name: 'one too many', acl_permissions: [] };
  await expectCode('limit_reached', service.post(path('', at), group));
  await service.sql(
    `with robot as (
       insert into auth."user" (id, name, email, email_verified, role)
       select 'usr_' || lpad(n::text, 26, '0'), 'Robot', n || '@robots.invalid', true, 'user' from generate_series(1, 99) n
       returning id, email),
     agreed as (
       insert into agreement (id, partner_id, email, email_key, user_id, owner)
       select gen_random_uuid(), $1, email, email, id, false from robot returning id, user_id)
     insert into service_account (user_id, agreement_id, partner_id) select user_id, id, $1 from agreed`,
    [uuidOf(at)],
  );
  const accounts = `/partners/${at}/service-accounts`;
  await expectStatus(201, service.post(accounts, { name: 'Robot' }));
  await expectCode('limit_reached', service.post(accounts, { name: 'Robot' }));
});

describe('service accounts', () => {
  const accounts = (rest = '') => `/partners/${partner}/service-accounts${rest}`;
  const create = async (name = 'Robot') => succeed(await send('POST', accounts(), { name }));

  it('T3: a service account has an agreement like any other, and its tokens use the permissions of that agreement', async () => {
    const account = await create();
    const { body: agreement } = await send('GET', `/partners/${partner}/agreements/${account.agreement_id}`);
    expect(agreement).toMatchObject({
      accepted: true,
      owner: false,
      acl_permissions: [],
      user: { name: 'Robot' },
    });
    const scopes = [acl('partner', 'get')];
    const made = await send('POST', accounts(`/${account.id}/access-tokens`), { name: 'ci', scopes });
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const { token, ...shown } = made.body;
    expect((await send('GET', accounts(`/${account.id}/access-tokens`))).body).toEqual([shown]);
    const read = async () => (await send('GET', `/partners/${partner}`, undefined, token)).status;
    expect(await read()).toBe(403);
    succeed(await cast.change(partner, account.agreement_id, { acl_permissions: scopes }, owner.token));
    expect(await read()).toBe(200);
    await expectStatus(204, send('DELETE', accounts(`/${account.id}/access-tokens/${shown.id}`)));
    expect(await read()).toBe(401);
  });

  it('T3: a service account outlives its creator and is deleted with its agreement', async () => {
    const maker = await cast.owner(partner);
    const account = succeed(await send('POST', accounts(), { name: 'Robot' }, maker.token));
    const { token } = succeed(
      await send(
        'POST',
        accounts(`/${account.id}/access-tokens`),
        { name: 'ci', scopes: [acl('*')] },
        maker.token,
      ),
    );
    await service.remove(`/users/${maker.id}`);
    const own = `/partners/${partner}/agreements/${account.agreement_id}`;
    await expectStatus(200, send('GET', own, undefined, token));
    await expectStatus(204, send('DELETE', own));
    await expectStatus(401, send('GET', own, undefined, token));
    await expectStatus(404, send('GET', accounts(`/${account.id}`)));
    const second = await create();
    await expectStatus(204, send('DELETE', accounts(`/${second.id}`)));
    expect(
      await service.sql('select from auth."user" where id = any ($1)', [[account.id, second.id]]),
    ).toEqual([]);
  });

  it('C1: a service account and the default group have entity tags, and their changes accept If-Match', async () => {
    const account = await create();
    for (const url of [accounts(`/${account.id}`), path('default')])
      expect((await send('GET', url)).headers.etag).toBeDefined();
    const remove = (match: string) =>
      service.request('DELETE', accounts(`/${account.id}`), {
        token: owner.token,
        headers: { 'if-match': match },
      });
    await expectStatus(412, remove('"other"'));
    const put = {
      token: owner.token,
      body: { acl_permission_group_id: null },
      headers: { 'if-match': '"other"' },
    };
    await expectStatus(412, service.request('PUT', path('default'), put));
    await expectStatus(204, remove('*'));
  });

  it('T3: a service account cannot sign in, and a service account of another partner is 404', async () => {
    const account = await create();
    expect(await service.sql('select from auth.account where user_id = $1', [account.id])).toEqual([]);
    const elsewhere = await cast.partner();
    for (const rest of ['', '/access-tokens'])
      await expectStatus(404, service.get(`/partners/${elsewhere}/service-accounts/${account.id}${rest}`));
    await expectStatus(404, send('GET', accounts(`/${owner.id}`)));
    for (const wrong of [{}, { name: null }, { name: 'x', owner: true }])
      await expectStatus(400, send('POST', accounts(), wrong));
  });

  it('T3: the access token of an owner cannot create tokens, and each token belongs to one account', async () => {
    const [first, second] = [await create(), await create()];
    const token = await cast.accessToken(owner, [acl('*')]);
    await expectStatus(
      403,
      send('POST', accounts(`/${first.id}/access-tokens`), { name: 'x', scopes: [] }, token),
    );
    const made = succeed(
      await send('POST', accounts(`/${first.id}/access-tokens`), { name: 'x', scopes: [] }),
    );
    await expectStatus(404, send('DELETE', accounts(`/${second.id}/access-tokens/${made.id}`)));
    await expectStatus(
      400,
      send('POST', accounts(`/${first.id}/access-tokens`), {
        name: 'x',
        scopes: [],
        partner_ids: null,
      }),
    );
  });
});
