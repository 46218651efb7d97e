// Names and addresses in the audit log.
import { beforeAll, expect, it } from 'vitest';
import { createSealKeys, verifyLog } from '../../src/audit/index.ts';
import { expectStatus, type Member, pluck, succeed, useCast } from '../stage/cast.ts';

const key = 's'.repeat(40);

let partner: string;
let owner: Member;
const { service, cast } = useCast({ CONCORD_SECRETS: `1:${key}` });
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
});

const send = (method: string, path: string, body?: object, token = owner.token) =>
  service.request(method, `/partners/${partner}${path}`, { token, body });
const read = async (query: string, token = owner.token) =>
  succeed(await send('GET', `/audit-log?${query}`, undefined, token));
const readAll = async (query: string) => succeed(await service.get(`/audit-log?${query}`));
const nameOf = async (token: string) => succeed(await service.get('/me', token)).name;
const rename = (token: string, name: string) => service.patch('/me', { name }, token);

it('U15: a record has the names and addresses of that time, of its actor and of its target', async () => {
  const member = await cast.member(partner);
  const was = await nameOf(member.token);
  await send('PATCH', `/agreements/${member.agreement}`, { mfa_required: true });
  succeed(await rename(member.token, 'A later name'));
  const [change] = await read(`filter[target]=${member.agreement}&filter[action]=agreement.update`);
  expect(change).toMatchObject({
    partner_name: succeed(await send('GET', '')).name,
    actor: { id: owner.id, name: await nameOf(owner.token), email: owner.email },
    target_name: was,
    email: member.email,
  });
  // An invitation must not tell that the address has an account.
  const invited = succeed(await send('POST', '/agreements', { email: (await cast.user()).email })).id;
  expect(await read(`filter[target]=${invited}`)).toMatchObject([{ target_name: null }]);
  const endpoint = succeed(
    await send('POST', '/webhook-endpoints', { url: 'https://hooks.example.com/secret?key=1' }),
  ).id;
  expect(await read(`filter[target]=${endpoint}`)).toMatchObject([
    { target_name: 'hooks.example.com', email: null },
  ]);
  const group = succeed(
    await send('POST', '/acl-permission-groups', { name: 'Night shift', acl_permissions: [] }),
  ).id;
  expect(await read(`filter[target]=${group}`)).toMatchObject([{ target_name: 'Night shift' }]);
  const robot = succeed(await send('POST', '/service-accounts', { name: 'robot' })).id;
  expect(await read(`filter[target]=${robot}`)).toMatchObject([{ target_name: 'robot', email: null }]);
  succeed(await service.post(`/users/${member.id}/ban`, {}));
  const [ban] = await readAll(`filter[target]=${member.id}&filter[action]=user.ban`);
  expect(ban).toMatchObject({ target_name: 'A later name', email: member.email });
});

it('U15, U16: in the log of a partner, only operators see and find the addresses of operators', async () => {
  succeed(await send('PATCH', '', { website: 'https://operator.example' }, service.operatorToken));
  const { email, name } = succeed(await service.get('/me'));
  const filter = `filter[actor_email]=${encodeURIComponent(email)}`;
  const [shown] = await read('filter[action]=partner.update', service.operatorToken);
  const [hidden] = await read('filter[action]=partner.update');
  expect([shown.actor.email, hidden.actor.email, hidden.actor.name]).toEqual([email, null, name]);
  expect(succeed(await send('GET', `/audit-log/${hidden.id}`)).actor.email).toBeNull();
  expect((await read(filter, service.operatorToken)).length).toBeGreaterThan(0);
  expect(await read(filter)).toEqual([]);
});

it('U16: filters by address find every spelling, and use an index', async () => {
  const id = succeed(await send('POST', '/agreements', { email: 'Ann.Lee@Bücher.example' })).id;
  for (const spelling of ['ann.lee@xn--bcher-kva.example', 'ANN.LEE@BÜCHER.example'])
    expect(await read(`filter[email]=${encodeURIComponent(spelling)}`)).toMatchObject([{ target: id }]);
  const member = await cast.member(partner);
  await send('PATCH', `/agreements/${member.agreement}`, { mfa_required: true });
  const about = await read(`filter[email]=${member.email.toUpperCase()}`);
  expect(pluck(about, 'action')).toContain('agreement.update');
  const by = await readAll(`filter[actor_email]=${owner.email.toUpperCase()}`);
  expect(by.length).toBeGreaterThan(3);
  expect(by.every(({ actor }: { actor: { id: string } }) => actor.id === owner.id)).toBe(true);
  expect(await readAll('filter[actor_email]=nobody@concord.test')).toEqual([]);
  for (const filter of ['actor_email', 'email'])
    await expectStatus(400, send('GET', `/audit-log?filter[${filter}]=ann`));
  const { sql } = service;
  await sql('set enable_seqscan = off');
  const plan =
    await sql(`explain select position from audit_person where personal ? 'email' and part = 'address'
    and coalesce(personal ->> 'email_key', case when subject like '%@%' then subject else personal ->> 'email' end) = 'a'`);
  expect(JSON.stringify(plan)).toContain('audit_person_email');
});

it('U15, U7: the deletion of a user erases the names, and the seals hold', async () => {
  const member = await cast.owner(partner);
  succeed(await send('PATCH', '', { website: 'https://member.example' }, member.token));
  await send('PATCH', `/agreements/${member.agreement}`, { mfa_required: true });
  const [own] = await read(`filter[actor_id]=${member.id}&filter[action]=partner.update`);
  expect(own.actor.email).toBe(member.email);
  await expectStatus(204, service.remove(`/users/${member.id}`));
  const after = succeed(await send('GET', `/audit-log/${own.id}`));
  expect(after).toMatchObject({ actor: { id: member.id, name: null, email: null }, erased: true });
  expect(await readAll(`filter[actor_email]=${member.email}`)).toEqual([]);
  expect(await readAll(`filter[email]=${member.email}`)).toEqual([]);
  const left = await service.sql('select position from audit_person where personal::text like $1', [
    `%${member.email}%`,
  ]);
  expect(left).toEqual([]);
  await expect.poll(async () => (await service.sql('select from audit_unsealed')).length).toBe(0);
  const db = service.database.open();
  const keys = createSealKeys([{ version: 1, value: key }]);
  const { findings, erased } = await verifyLog({ db, keys, expected: undefined, progress: () => {} }).finally(
    () => db.close(),
  );
  expect([findings, erased > 1]).toEqual([[], true]);
});

it('U15: an address that somebody else has by now does not keep the name of its earlier user', async () => {
  const member = await cast.member(partner);
  const { sql } = service;
  await send('PATCH', `/agreements/${member.agreement}`, { mfa_required: true });
  const [{ name }] = await sql(`select name from auth."user" where id = $1`, [member.id]);
  // The member has another address now, and a new user has the old one.
  await sql(`update auth."user" set email = 'moved@concord.test', name = 'x' where id = $1`, [member.id]);
  const heir = await cast.user();
  await sql(`update auth."user" set email = $1 where id = $2`, [member.email, heir.id]);
  await expectStatus(204, service.remove(`/users/${member.id}`));
  const left = await sql(
    `select position from audit_person where personal ->> 'name' = $1 and personal ->> 'email' = $2`,
    [name, member.email],
  );
  expect(left).toEqual([]);
});

it('U17, C1: a record has a URL of its own, within its partner, and an entity tag', async () => {
  const [first] = await read('page_size=1');
  expect(succeed(await send('GET', `/audit-log/${first.id}`))).toEqual(first);
  expect(succeed(await service.get(`/audit-log/${first.id}`))).toMatchObject({ id: first.id });
  for (const answer of [
    await send('GET', `/audit-log/${first.id}`),
    await service.get(`/audit-log/${first.id}`),
  ])
    expect(answer.headers.etag).toMatch(/^"[\w-]{27}"$/);
  const other = await cast.partner();
  for (const path of [
    `/partners/${other}/audit-log/${first.id}`,
    `/partners/${partner}/audit-log/aud_7zzzzzzzzzzzzzzzzzzzzzzzzz`,
    `/partners/${partner}/audit-log/x`,
    '/audit-log/aud_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  ])
    expect((await service.get(path)).status, path).toBe(404);
});
