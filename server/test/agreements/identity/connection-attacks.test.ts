// Attacks on the sign-in by identity connections: browsers of others, and changes meanwhile.
import { expect, it, onTestFinished } from 'vitest';
import { ownPage } from '../../stage/browser.ts';
import { acl, codeOf, expectCode, expectStatus, may, statusesOf, succeed, uuidOf } from '../../stage/cast.ts';
import {
  at,
  type Company,
  createCompany,
  createTravel,
  environment,
  refuseMeanwhile,
  useCompany,
} from '../../stage/connection-stage.ts';
import { meanwhile } from '../../stage/locks.ts';
import { useMailed } from '../../stage/mailbox.ts';

const { mailbox, service, cast } = useMailed({ ...environment });
const travel = createTravel(service);
const [a, b, c] = [useCompany(service), useCompany(service), useCompany(service)];

const refused = [400, 'provider_refused'];
let count = 0;
const newPerson = (company: Company) => travel.person(company, `bo${++count}@${company.domain}`);
const set = (company: Company, change: string) =>
  service.sql(`update identity_connection set ${change} where id = $1`, [company.uuid]);
const refuseWaiting = (company: Company, meanwhile: () => Promise<unknown>) =>
  refuseMeanwhile(service, company, {
    sub: newPerson(company),
    signIn: (sub) => travel.signIn(company, sub),
    meanwhile,
  });
async function visit(company: Company) {
  const left = await travel.start(company);
  const sub = newPerson(company);
  return { ...left, back: await travel.browseAs(company, left, sub), sub };
}

it('K11: an answer that nobody asked for, of another browser, or used before is refused', async () => {
  const { cookie, back } = await visit(a);
  const other = await visit(a);
  expect(codeOf(await travel.comeBack(back, ''))).toEqual(refused);
  expect(codeOf(await travel.comeBack(back, other.cookie))).toEqual(refused);
  const renamed = `${cookie.split('=')[0]}=${other.cookie.split('=')[1]}`;
  expect(codeOf(await travel.comeBack(back, renamed))).toEqual(refused);
  const unasked = new URL(back);
  unasked.searchParams.delete('state');
  expect(codeOf(await travel.comeBack(unasked, cookie))).toEqual(refused);
  const both = await Promise.all([travel.comeBack(back, cookie), travel.comeBack(back, cookie)]);
  expect(statusesOf(both)).toEqual([200, 400]);
  expect(codeOf(await travel.comeBack(back, cookie))).toEqual(refused);
  const late = await visit(a);
  await service.sql('update identity_visit set expires_at = now()');
  expect(codeOf(await travel.comeBack(late.back, late.cookie))).toEqual(refused);
});

it('K11: issuers are not mixed up: neither a code nor an answer of one connection works at another', async () => {
  const [one, two] = [await visit(a), await visit(b)];
  const crossed = new URL(one.back.href.replace(a.connection, b.connection));
  expect(codeOf(await travel.comeBack(crossed, one.cookie))).toEqual(refused);
  const injected = new URL(two.back);
  injected.searchParams.set('code', String(one.back.searchParams.get('code')));
  expect(codeOf(await travel.comeBack(injected, two.cookie))).toEqual(refused);
  const mixed = await visit(a);
  mixed.back.searchParams.set('iss', b.oidc.issuer);
  expect(codeOf(await travel.comeBack(mixed.back, mixed.cookie))).toEqual(refused);
});

it('K11: a connection that was changed, turned off or lost its domain meanwhile signs nobody in', async () => {
  for (const [change, undo] of [
    ['revision = revision + 1', 'revision = revision'],
    ['enabled = false', 'enabled = true'],
  ] as const) {
    const { back, cookie } = await visit(b);
    await set(b, change);
    expect(codeOf(await travel.comeBack(back, cookie))).toEqual(refused);
    await set(b, undo);
  }
  const { back, cookie } = await visit(b);
  await service.sql('update identity_domain set verified_at = null where connection_id = $1', [b.uuid]);
  expect(codeOf(await travel.comeBack(back, cookie))).toEqual(refused);
  await service.sql('update identity_domain set verified_at = now() where connection_id = $1', [b.uuid]);
});

it('K13: a lost domain makes nobody a member again', async () => {
  const sub = newPerson(b);
  const { user } = succeed(await travel.signIn(b, sub));
  await service.sql('delete from agreement where user_id = $1', [user.id]);
  const domain = (lost: string) =>
    service.sql(`update identity_domain set lost_at = ${lost} where connection_id = $1`, [b.uuid]);
  const person = await service.signInStranger();
  const email = `late@${b.domain}`;
  await cast.set(person.id, { email });
  const { linkCode } = succeed(await travel.signIn(b, travel.person(b, email)));
  await domain('now()');
  const { token } = succeed(await travel.signIn(b, sub));
  expect((await service.get('/me/agreements', token)).body).toEqual([]);
  const session = await cast.session(person.id);
  expect(codeOf(await service.post('/api/auth/connections/link', { code: linkCode }, session))).toEqual(
    refused,
  );
  await domain('null');
});

it('K13: a provider of a partner alone does not sign in an operator', async () => {
  const sub = newPerson(b);
  const { user } = succeed(await travel.signIn(b, sub));
  await cast.set(user.id, { role: 'operator' });
  expect(codeOf(await travel.signIn(b, sub))).toEqual(refused);
  await cast.set(user.id, { two_factor_enabled: true });
  expect(succeed(await travel.signIn(b, sub)).twoFactorRedirect).toBe(true);
});

it('K2, K8: a sign-in that waits for its second factor does not complete by a connection that was changed or deleted', async () => {
  await refuseWaiting(b, () => set(b, 'revision = revision + 1'));
  await refuseWaiting(b, () => service.sql('delete from identity_connection where id = $1', [b.uuid]));
});

it('K16, K17: the policy asks for a proof before it binds; break glass opens it for an hour, and tells the owners', async () => {
  const policy = `/partners/${a.partner}/sign-in-policy`;
  const body = {
    sso_required: true,
    max_age_seconds: 86_400,
    sso_required_agreement_ids: [],
    break_glass_agreement_ids: [a.owner.agreement],
  };
  const { token, id, agreement } = a.owner;
  const other = await cast.member(a.partner, { owner: true }, { secondFactor: 'proven' });
  // At another partner, the other owner is named.
  const { id: elsewhere } = await cast.join(c.partner, other, { owner: true });
  await service.sql('update agreement set break_glass = true where id = $1', [uuidOf(elsewhere)]);
  for (const [proved, age] of [
    [c, '0'],
    [a, '13 hours'],
    [a, '0'],
  ] as const) {
    for (const more of [{}, { sso_required: false, sso_required_agreement_ids: [agreement] }])
      await expectCode('connection_required', service.put(policy, { ...body, ...more }, token));
    await service.sql(
      `insert into session_proof (session_id, partner_id, connection_id, proved_at, subject)
       select id, $1, $2, now() - $4::interval, 'x' from auth.session where user_id = $3
       on conflict (session_id, partner_id) do update set proved_at = excluded.proved_at`,
      [proved.partnerId, proved.uuid, id, age],
    );
  }
  // Operators need no proof, but the partner needs a connection.
  const bare = `/partners/${await cast.partner()}/sign-in-policy`;
  await expectCode('connection_required', service.put(bare, { ...body, break_glass_agreement_ids: [] }));
  const guest = await cast.member(a.partner);
  const invited = succeed(await cast.invite(a.partner, 'invited@x.example', { owner: true }));
  for (const wrong of [
    { break_glass_agreement_ids: [guest.agreement] },
    { break_glass_agreement_ids: [invited.id] },
    { break_glass_agreement_ids: [elsewhere] },
    { sso_required_agreement_ids: [elsewhere] },
  ])
    await expectCode('invalid_request', service.put(policy, { ...body, ...wrong }, token));
  await expectCode('forbidden', service.put(policy, body, guest.token));
  expect(succeed(await service.put(policy, body, token))).toEqual(body);
  const ofOther = await service.get(`/partners/${c.partner}/sign-in-policy`, c.owner.token);
  expect(succeed(ofOther).break_glass_agreement_ids).toEqual([elsewhere]);
  await service.sql('delete from session_proof');
  await expectCode('sso_required', service.get(policy, token));
  const may = async (bearer: string) =>
    succeed(await service.get(`/partners/${a.partner}/break-glass`, bearer)).allowed;
  const glass = (bearer: string) =>
    service.post(`/partners/${a.partner}/break-glass`, { reason: 'It is away' }, bearer);
  await expectCode('mfa_required', glass(token));
  expect(await may(other.token)).toBe(true);
  await cast.set(id, { two_factor_enabled: true });
  for (const ends of ['now()', 'null']) {
    await service.sql(`update agreement set expires_at = ${ends} where id = $1`, [uuidOf(agreement)]);
    expect(await may(other.token)).toBe(ends !== 'null');
  }
  for (const banned of [true, false]) {
    await cast.set(id, { banned });
    expect(await may(other.token)).toBe(banned);
  }
  await expectCode('forbidden', service.get(`/partners/${a.partner}/break-glass`, guest.token));
  await expectCode('forbidden', glass(other.token));
  const session = await cast.session(id, true);
  expect(await may(session)).toBe(true);
  const { until } = succeed(await glass(session));
  expect(Math.round((Date.parse(until) - Date.now()) / 60_000)).toBe(60);
  succeed(await glass(session));
  await expectStatus(200, service.get(policy, session));
  const rows = await service.sql(
    `select 1 from audit_log where action = 'partner.break_glass' and outcome = 'done'`,
  );
  expect(rows).toHaveLength(1);
  for (const { email } of [a.owner, other])
    expect((await mailbox.next(email, 'Break glass was used at Acme')).text).toContain('It is away');
  succeed(await service.put(policy, { ...body, max_age_seconds: 2_592_000 }, session));
  await service.advanceClock(3_601_000);
  await expectCode('sso_required', service.get(policy, session));
  await service.advanceClock(0);
  succeed(await cast.change(a.partner, agreement, { owner: false }));
  await service.sql('update partner set sso_required = false where id = $1', [a.partnerId]);
});

it('K10, K16: the policy that many bound members made longer is sent back as it was read', async () => {
  await service.sql(
    `insert into agreement (id, partner_id, email, email_key, owner, sso_required)
     select gen_random_uuid(), $1, address, address, false, true from (select 'bound' || n || '@x.example' as address from generate_series(1, 3000) n)`,
    [a.partnerId],
  );
  onTestFinished(async () => void (await service.sql(`delete from agreement where email like 'bound%'`)));
  const policy = `/partners/${a.partner}/sign-in-policy`;
  const read = succeed(await service.get(policy));
  expect(read.sso_required_agreement_ids).toHaveLength(3_000);
  expect(succeed(await service.put(policy, read))).toEqual(read);
  const ofOther = await service.get(`/partners/${c.partner}/sign-in-policy`);
  expect(succeed(ofOther).sso_required_agreement_ids).toEqual([]);
});

it('K8: a visit that begins while the connection is deleted, or the session ends, is refused', async () => {
  const company = await createCompany(service);
  onTestFinished(company.oidc.close);
  const prove = () =>
    service.post('/api/auth/connections/prove', { partner_id: company.partner }, company.owner.token);
  const endSession = 'delete from auth.session where user_id = $1';
  await expectCode('not_found', meanwhile(service.database, endSession, [company.owner.id], prove));
  const start = () =>
    service.post('/api/auth/sign-in/connection', { connection_id: company.connection }, null);
  const remove = 'delete from identity_connection where id = $1';
  await expectCode('not_found', meanwhile(service.database, remove, [company.uuid], start));
});

async function turnOffAndOn(company: Company) {
  succeed(await service.put(`${at(company)}/disable`, undefined, company.owner.token));
  succeed(await service.put(`${at(company)}/enable`, undefined, company.owner.token));
}

it('K11: what began before a connection was turned off does not complete after it is on again', async () => {
  const { cookie, back } = await visit(c);
  const stranger = await service.signInStranger();
  const email = `off@${c.domain}`;
  await cast.set(stranger.id, { email });
  const { linkCode } = succeed(await travel.signIn(c, travel.person(c, email)));
  await turnOffAndOn(c);
  expect(codeOf(await travel.comeBack(back, cookie))).toEqual(refused);
  const session = await cast.session(stranger.id);
  expect(codeOf(await service.post('/api/auth/connections/link', { code: linkCode }, session))).toEqual(
    refused,
  );
  await refuseWaiting(c, () => turnOffAndOn(c));
});

it('K19: a code that another browser or program got links nothing in the console', async () => {
  const victim = await service.signInStranger();
  const email = `victim@${a.domain}`;
  await cast.set(victim.id, { email });
  const { linkCode } = succeed(await travel.signIn(a, travel.person(a, email)));
  const link = (headers: Record<string, string>) =>
    service.request('POST', '/console/api/api/auth/connections/link', {
      token: null,
      body: { code: linkCode },
      headers: { ...ownPage, ...headers },
    });
  const cookie = `concord=${await cast.session(victim.id)}`;
  for (const visit of ['', `; concord-visit=${'x'.repeat(32)}`])
    await expectCode('invalid_token', link({ cookie: cookie + visit }));
  expect(await service.sql('select from identity_claim where user_id = $1', [victim.id])).toHaveLength(1);
});

it('A8, A12, A11: a group of the terms of new members is in use, and is widened like the default group', async () => {
  const { token } = c.owner;
  const groups = `/partners/${c.partner}/acl-permission-groups`;
  const { id } = succeed(await service.post(groups, { name: 'Newcomers', acl_permissions: [] }, token));
  const terms = { acl_permission_group_ids: [id], days: null, mfa_required: false };
  succeed(await service.patch(at(c), { terms }, token));
  const mine = { acl_permissions: [acl('acl_permission_groups'), acl('deliveries')] };
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const limited = await cast.member(c.partner, { ...mine, expires_at });
  const bound = await cast.member(c.partner, { ...mine, mfa_required: true }, { secondFactor: 'proven' });
  const widen = (bearer: string) => service.patch(`${groups}/${id}`, may('deliveries'), bearer);
  for (const member of [limited, bound]) await expectCode('forbidden', widen(member.token));
  succeed(await widen(token));
  await expectCode('group_in_use', service.remove(`${groups}/${id}`));
  await expectStatus(204, service.remove(`${groups}/${id}?detach=true`));
  expect(succeed(await service.get(at(c), token)).terms.acl_permission_group_ids).toEqual([]);
});

it('K19, K13: a code links no address but the one that the provider asserted', async () => {
  const { id } = await service.signInStranger();
  const setAddress = (name: string) => cast.set(id, { email: `${name}@${c.domain}` });
  await setAddress('asserted');
  const { linkCode } = succeed(await travel.signIn(c, travel.person(c, `asserted@${c.domain}`)));
  await setAddress('another');
  const session = await cast.session(id);
  const link = service.post('/api/auth/connections/link', { code: linkCode }, session);
  await expectCode('invalid_token', link);
});

it('K17, K19, T5: a session that ends meanwhile breaks no glass and links nothing, and is no fault of the service', async () => {
  const endSession = `delete from auth.session where token = encode(sha256($1), 'hex')`;
  const glass = await cast.owner(c.partner, { secondFactor: 'proven' });
  // Others may be named already.
  await service.sql('update agreement set break_glass = true where id = $1', [uuidOf(glass.agreement)]);
  const glassPath = `/partners/${c.partner}/break-glass`;
  const breakIt = () => service.post(glassPath, { reason: 'It is away' }, glass.token);
  await expectCode('unauthenticated', meanwhile(service.database, endSession, [glass.token], breakIt));
  const { id } = await service.signInStranger();
  const email = `linking@${c.domain}`;
  await cast.set(id, { email });
  const { linkCode } = succeed(await travel.signIn(c, travel.person(c, email)));
  const session = await cast.session(id);
  const link = () => service.post('/api/auth/connections/link', { code: linkCode }, session);
  await expectCode('unauthenticated', meanwhile(service.database, endSession, [session], link));
});
