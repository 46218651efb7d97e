// Lists of agreements and partners, effective permissions, and agreements of deleted partners.
import { beforeAll, expect, it } from 'vitest';
import { namedResources } from '../access/access-operation.ts';
import { acl, expectStatus, hasEnded, type Member, may, pluck, succeed, useCast } from '../stage/cast.ts';

let partner: string;
let owner: Member;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner('Lists');
  owner = await cast.owner(partner);
});

const path = (id = '') => `/partners/${partner}/agreements${id && `/${id}`}`;
const patch = (id: string, body: unknown, token = owner.token) => service.patch(path(id), body, token);
const ids = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id);

it('A1, Q1: the list of agreements has filters by state and e-mail, pages, sorting and a count', async () => {
  const pending = succeed(await cast.invite(partner, 'pending@concord.test')).id;
  const expired = (await cast.member(partner, hasEnded)).agreement;
  const list = (query = '') => service.get(path() + query, owner.token);
  expect(ids(await list())).toEqual([owner.agreement, pending, expired]);
  for (const [state, expected] of [
    ['pending', [pending]],
    ['active', [owner.agreement]],
    ['expired', [expired]],
  ]) {
    const answer = await list(`?filter[state]=${state}`);
    expect([ids(answer), answer.headers['total-count']]).toEqual([expected, '1']);
  }
  await expectStatus(400, list('?filter[state]=other'));
  const named = await list('?filter[email]=PENDING@');
  expect([ids(named), named.headers['total-count']]).toEqual([[pending], '1']);
  expect(ids(await list('?filter[email]=pending&filter[state]=active'))).toEqual([]);
  // Wildcards of LIKE are literal characters.
  expect(ids(await list('?filter[email]=%25'))).toEqual([]);
  const walk = async (order: string) => {
    const seen: string[] = [];
    for (let url: string | undefined = `?page_size=1&${order}`; url; ) {
      const page = await list(url);
      seen.push(...ids(page));
      url = /<[^?]*(\?[^>]*)>/.exec(String(page.headers.link ?? ''))?.[1];
    }
    return seen;
  };
  expect(await walk('sort_by=created_at&sort_dir=desc')).toEqual([expired, pending, owner.agreement]);
  // An agreement without an end stands after all that end.
  expect(await walk('sort_by=expires_at')).toEqual([expired, owner.agreement, pending]);
  expect(await walk('sort_by=expires_at&sort_dir=desc')).toEqual([pending, owner.agreement, expired]);
});

it('A5: lists have each agreement as its own path shows it, with the groups in its order', async () => {
  const at = await cast.partner('"acl_permission_groups":[]');
  const groups = `/partners/${at}/acl-permission-groups`;
  const [one = '', two = ''] = await Promise.all(
    ['"acl_permission_groups":[] $& 1', 'Ünlü'].map(
      async (name) => succeed(await service.post(groups, { name, ...may('events', 'get') })).id,
    ),
  );
  const viewer = (await service.get(`${groups}?filter[name]=viewer`)).body[0].id;
  const name = '"acl_permission_groups":[],';
  const members = [];
  for (const acl_permission_group_ids of [[one, two, viewer], [], [viewer, one], [two]])
    members.push(await cast.member(at, { acl_permission_group_ids }, { name }));
  const listed = await service.get(`/partners/${at}/agreements`);
  const single = await Promise.all(
    members.map(({ agreement }) => service.get(`/partners/${at}/agreements/${agreement}`)),
  );
  const texts = single.map(({ text }) => text);
  expect(listed.text).toBe(`[${texts.join(',')}]`);
  for (const [index, { token }] of members.entries()) {
    const [mine] = succeed(await service.get('/me/agreements', token));
    expect(mine).toEqual({ ...single[index]?.body, partner: { id: at, name: '"acl_permission_groups":[]' } });
  }
});

it('A11: every user can list their own agreements and invitations, with the partner', async () => {
  const player = await cast.user();
  const [here, there] = [await cast.partner('Here'), await cast.partner('There')];
  const joined = await cast.join(here, player);
  const invited = succeed(await cast.invite(there, player.email));
  const mine = (token = player.token) => service.get('/me/agreements', token);
  expect((await mine()).body).toEqual([
    { ...joined, partner: { id: here, name: 'Here' } },
    { ...invited, partner: { id: there, name: 'There' } },
  ]);
  await expectStatus(403, mine(await cast.accessToken(player, [acl('partner')])));
  const token = await cast.accessToken(player, [acl('agreements', 'query')], [there]);
  expect(ids(await mine(token))).toEqual([invited.id]);
  await service.remove(`/partners/${there}`);
  expect(ids(await mine())).toEqual([joined.id]);
});

it('P5: the list of partners contains the partners that the caller may read or list', async () => {
  const player = await cast.user();
  const names = ['get', 'query', 'patch', 'expired', 'mfa', 'pending', 'stranger'];
  const at = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await cast.partner(name)])),
  );
  await cast.join(at.get, player, may('partner', 'get'));
  await cast.join(at.query, player, may('*', 'query'));
  await cast.join(at.patch, player, may('partner', 'patch'));
  await cast.join(at.expired, player, { owner: true, ...hasEnded });
  await cast.join(at.mfa, player, { owner: true, mfa_required: true });
  await cast.invite(at.pending, player.email, { owner: true });
  const list = async (token = player.token) => {
    const { body, headers } = await service.get('/partners', token);
    expect(headers['total-count']).toBe(String(body.length));
    return pluck(body, 'name').sort();
  };
  expect(await list()).toEqual(['get', 'query']);
  expect(await list(await cast.accessToken(player, [acl('partner')], [at.query]))).toEqual(['query']);
  expect(await list(await cast.accessToken(player, [acl('agreements')]))).toEqual([]);
});

it('A11: effective permissions name the grant that allows each, or the reason that none does', async () => {
  const viewer = 'Viewer';
  const { body: groups } = await service.get(`/partners/${partner}/acl-permission-groups`);
  const group = groups.find(({ name }: { name: string }) => name === viewer);
  const player = await cast.member(partner, {
    ...may('partner', 'get'),
    acl_permission_group_ids: [group.id],
  });
  const explain = async (token = owner.token) =>
    succeed(await service.get(`${path(player.agreement)}/effective-permissions`, token));
  const of = (list: { resource: string; method: string }[], resource: string, method: string) =>
    list.find((each) => each.resource === resource && each.method === method);
  const active = await explain(player.token);
  expect(active).toHaveLength(namedResources.length * 6);
  expect(of(active, 'partner', 'get')).toMatchObject({
    allowed: true,
    because: 'direct',
    acl_permission_group_id: null,
  });
  expect(of(active, 'events', 'query')).toMatchObject({
    allowed: true,
    because: 'group',
    acl_permission_group_id: group.id,
  });
  expect(of(active, 'audit_log', 'get')).toMatchObject({ allowed: false, because: 'not_granted' });
  succeed(await patch(player.agreement, hasEnded));
  expect(of(await explain(), 'partner', 'get')).toMatchObject({ allowed: false, because: 'expired' });
  succeed(await patch(player.agreement, { expires_at: null, owner: true }));
  expect(of(await explain(), 'audit_log', 'put')).toMatchObject({ allowed: true, because: 'owner' });
});

it('R1, R2: every user can list the resources and methods of permissions', async () => {
  const { body } = await service.get('/acl-resources', (await cast.user()).token);
  expect(pluck(body, 'resource')).toEqual(namedResources);
  expect(pluck(body[0].methods, 'method')).toEqual(['get', 'put', 'post', 'patch', 'delete', 'query']);
});

it('P4: agreements are hidden, restored and purged together with their partner', async () => {
  const gone = await cast.partner('Gone');
  const player = await cast.owner(gone);
  const service_account = succeed(
    await service.post(`/partners/${gone}/service-accounts`, { name: 'robot' }, player.token),
  );
  const group = await cast.group(gone);
  succeed(await cast.change(gone, player.agreement, { acl_permission_group_ids: [group] }));
  const url = `/partners/${gone}/agreements/${player.agreement}`;
  const status = async (token: string) => (await service.get(url, token)).status;
  await service.remove(`/partners/${gone}`, player.token);
  expect([await status(player.token), await status(service.operatorToken)]).toEqual([404, 404]);
  await service.post(`/partners/${gone}/restore`);
  expect(await status(player.token)).toBe(200);
  await service.remove(`/partners/${gone}`, player.token);
  await service.sql(
    `update partner set deleted_at = now() - interval '31 days' where deleted_at is not null`,
  );
  await service.runTask('purge deleted partners');
  for (const table of ['agreement', 'service_account'])
    expect(
      await service.sql(
        `select from ${table} where partner_id = (select partner_id from audit_log where target = $1 limit 1)`,
        [gone],
      ),
    ).toEqual([]);
  expect(await service.sql('select from auth."user" where id = $1', [service_account.id])).toEqual([]);
  expect((await service.sql('select from audit_log where target = $1', [gone])).length).toBeGreaterThan(2);
});
