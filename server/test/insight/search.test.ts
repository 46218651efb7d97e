// Search: who finds what, and that nothing hidden is told (behaviour Q3).
import { beforeAll, expect, it } from 'vitest';
import { acl, expectFault, expectStatus, type Member, may, stock, succeed, useCast } from '../stage/cast.ts';

type Found = {
  kind: string;
  id: string;
  label: string;
  partner_id: string | null;
  partner_name: string | null;
};

let one: string;
let other: string;
/** Everything of the partner `one`, by kind. */
let ids: Record<string, string>;
let owner: Member;
const { service, cast } = useCast();
beforeAll(async () => {
  one = await cast.partner('Fjordkraft Nord AS');
  other = await cast.partner('Fjordkraft Syd AS');
  owner = await cast.owner(one);
  const at = (partner: string, path: string, body: object) =>
    service.post(`/partners/${partner}/${path}`, body).then(succeed);
  const hook = { url: 'https://hooks.fjordkraft.example/a', description: 'Fjordkraft stock' };
  const endpoint = await at(one, 'webhook-endpoints', hook);
  await at(other, 'webhook-endpoints', hook);
  const invited = await at(one, 'agreements', { email: 'ann@fjordkraft.example' });
  await at(other, 'agreements', { email: 'eve@fjordkraft.example' });
  const event = await at(one, 'events', stock());
  const [delivery] = succeed(await service.get(`/partners/${one}/deliveries`));
  ids = {
    partner: one,
    agreement: invited.id,
    user: owner.id,
    webhook_endpoint: endpoint.id,
    event: event.id,
    delivery: delivery.id,
  };
});

const ask = (q: string, token = service.operatorToken) =>
  service.get(`/search?q=${encodeURIComponent(q)}`, token);
const search = async (q: string, token?: string): Promise<Found[]> => succeed(await ask(q, token));
const kindsIn = async (partner: string | null, q: string, token?: string) =>
  (await search(q, token)).filter(({ partner_id }) => partner_id === partner).map(({ kind }) => kind);
const all = ['partner', 'agreement', 'webhook_endpoint'];

it('Q3: an operator finds names, addresses and endpoints of every partner, and users', async () => {
  const found = await search('FJORDkraft');
  expect(found.map(({ kind, label, partner_name }) => [kind, label, partner_name])).toEqual([
    ['partner', 'Fjordkraft Nord AS', 'Fjordkraft Nord AS'],
    ['partner', 'Fjordkraft Syd AS', 'Fjordkraft Syd AS'],
    ['agreement', 'ann@fjordkraft.example', 'Fjordkraft Nord AS'],
    ['agreement', 'eve@fjordkraft.example', 'Fjordkraft Syd AS'],
    ['webhook_endpoint', 'https://hooks.fjordkraft.example/a', expect.any(String)],
    ['webhook_endpoint', 'https://hooks.fjordkraft.example/a', expect.any(String)],
  ]);
  expect(await kindsIn(null, owner.email)).toEqual(['user']);
  expect(await search('stock')).toHaveLength(2);
});

it('Q3: labels that equal the text come first, then those that begin with it', async () => {
  for (const name of ['Zz Berg', 'Aa Berg', 'Bergen', 'Berg']) await cast.partner(name);
  expect((await search('berg')).map(({ label }) => label)).toEqual(['Berg', 'Bergen', 'Aa Berg', 'Zz Berg']);
});

it('Q3: two characters find what begins with them, or has a word that does', async () => {
  await cast.partner('Vest Qx');
  await cast.partner('Qxvest');
  await cast.partner('Vestqx');
  expect((await search('qx')).map(({ label }) => label)).toEqual(['Qxvest', 'Vest Qx']);
});

it('Q3: an id finds exactly its object, with spaces around it too', async () => {
  for (const [kind, id] of Object.entries(ids)) {
    const partner = kind === 'user' ? [null, null] : [one, 'Fjordkraft Nord AS'];
    const [found, ...rest] = await search(` ${id}\n`);
    expect([found?.kind, found?.id, found?.partner_id, found?.partner_name, rest]).toEqual([
      kind,
      id,
      ...partner,
      [],
    ]);
    expect(await search(`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`)).toEqual([]);
  }
});

it('Q3: a stranger finds nothing, an owner finds only the own partner and no users', async () => {
  const stranger = (await cast.user()).token;
  expect(await search('fjordkraft', stranger)).toEqual([]);
  expect(await kindsIn(one, 'fjordkraft', owner.token)).toEqual(all);
  expect(await search('fjordkraft', owner.token)).toHaveLength(3);
  expect(await kindsIn(null, owner.email, owner.token)).toEqual([]);
  for (const [kind, id] of Object.entries(ids)) {
    expect(await search(id, stranger)).toEqual([]);
    expect(await search(id, owner.token)).toHaveLength(kind === 'user' ? 0 : 1);
  }
  expect(await search(other, owner.token)).toEqual([]);
  await expectStatus(401, service.get('/search?q=ab', null));
});

it.each([
  ['partner', acl('partner', 'query')],
  ['partner', acl('partner', 'get')],
  ['agreement', acl('agreements', 'query')],
  ['webhook_endpoint', acl('webhook_endpoints', 'query')],
  ['event', acl('events', 'query')],
  ['delivery', acl('deliveries', 'query')],
])(
  'Q3: finding a %s needs the permission that lists it: by membership, group and scope',
  async (kind, grant) => {
    const group = await cast.group(one, [grant]);
    const direct = await cast.member(one, { acl_permissions: [grant], acl_permission_group_ids: [] });
    const grouped = await cast.member(one, { acl_permissions: [], acl_permission_group_ids: [group] });
    const scoped = await cast.accessToken(owner, [grant]);
    const callers = [direct.token, grouped.token, scoped];
    for (const token of callers) {
      expect(await kindsIn(one, 'fjordkraft', token)).toEqual(all.filter((each) => each === kind));
      for (const [each, id] of Object.entries(ids))
        expect(await search(id, token)).toHaveLength(each === kind ? 1 : 0);
    }
    // The other methods of the resource do not list it.
    const rest = await cast.accessToken(owner, [acl(grant.resource, 'put', 'post', 'patch', 'delete')]);
    expect(await search('fjordkraft', rest)).toEqual([]);
    expect(await search(ids[kind]!, rest)).toEqual([]);
  },
);

it('Q3: an access token for one partner finds only what is in it, also that of an operator, who then finds no users', async () => {
  await cast.join(other, owner, { owner: true });
  expect((await search('fjordkraft', owner.token)).length).toBe(6);
  expect(await kindsIn(other, 'fjordkraft', await cast.accessToken(owner, [acl('*')], [other]))).toEqual(all);
  expect(await search('fjordkraft', await cast.accessToken(owner, [acl('*')], [other]))).toHaveLength(3);
  const boss = await cast.user();
  const appointed = { ...boss, token: await cast.appoint(boss) };
  const limited = await cast.accessToken(appointed, [acl('*')], [one]);
  expect(await search('fjordkraft', limited)).toHaveLength(3);
  expect(await search(other, limited)).toEqual([]);
  expect(await kindsIn(null, owner.email, await cast.accessToken(appointed, [acl('*')]))).toEqual([]);
});

it('Q3: an agreement that ended, asks for a second factor, or is pending finds nothing', async () => {
  const asked = await cast.member(one, may('*'));
  expect(await search('fjordkraft', asked.token)).toHaveLength(3);
  await service.sql('update agreement set mfa_required = true where user_id = $1', [asked.id]);
  expect(await search('fjordkraft', asked.token)).toEqual([]);
  const ended = await cast.member(one, may('*'));
  await service.sql(`update agreement set expires_at = now() - interval '1 hour' where user_id = $1`, [
    ended.id,
  ]);
  expect(await search('fjordkraft', ended.token)).toEqual([]);
  const pending = await cast.user();
  succeed(await cast.invite(one, pending.email));
  expect(await search('fjordkraft', pending.token)).toEqual([]);
});

it('Q3: wildcards and quotes stand for themselves', async () => {
  await cast.partner('100%_sure\\');
  for (const q of ['%%', '__', '\\\\', "' or 1=1 --", '%fjord%', 'f_ord'])
    expect(await search(q)).toEqual([]);
  for (const q of ['0%_s', 'sure\\', '100%'])
    expect((await search(q)).map(({ label }) => label)).toEqual(['100%_sure\\']);
  for (const q of ['10%', '1_']) expect(await search(q)).toEqual([]);
});

it('Q3: q has 2 to 100 characters without the space around it', async () => {
  const status = async (q: string) => (await ask(q)).status;
  expect([
    await status(''),
    await status(' a '),
    await status('x'.repeat(101)),
    await status('a\0b'),
  ]).toEqual([400, 400, 400, 400]);
  await expectStatus(400, service.get('/search'));
  expect([await status('aa'), await status(`  ${'x'.repeat(100)}  `), await status('😀😀')]).toEqual([
    200, 200, 200,
  ]);
  await expectFault('/q', ask(''));
});

it('Q3: at most 20 of a kind, and nothing of a deleted partner', async () => {
  await service.sql(
    `insert into partner (id, name) select gen_random_uuid(), 'Mange ' || n from generate_series(1, 300) n`,
  );
  expect(await search('mange')).toHaveLength(20);
  const gone = await cast.partner('Borte AS');
  const { id } = succeed(await cast.invite(gone, 'x@borte.example'));
  expect(await search('borte')).toHaveLength(2);
  succeed(await service.remove(`/partners/${gone}`));
  for (const q of ['borte', gone, id]) expect(await search(q)).toEqual([]);
});
