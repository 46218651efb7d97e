// Attacks on the sign-in by identity connections: hostile providers, browsers of others, and changes meanwhile.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ownPage } from './browser.ts';
import { acl, codeOf, createCast, expectStatus, succeed } from './cast.ts';
import { type Company, createTravel, environment, useCompany } from './connection-stage.ts';
import { createEnrolment } from './enrolment.ts';
import { startHostileIssuer } from './hostile-issuer.ts';
import { useMailbox } from './mailbox.ts';
import { type Response, useService } from './start-service.ts';

const mailbox = useMailbox();
const service = useService(() => ({ ...environment, CONCORD_SMTP_URL: mailbox.url }));
const cast = createCast(service);
const travel = createTravel(service);
const [a, b, c] = [useCompany(service), useCompany(service), useCompany(service)];
let evil: Awaited<ReturnType<typeof startHostileIssuer>>;
beforeAll(async () => {
  evil = await startHostileIssuer();
});
afterAll(() => evil.close());
const h = useCompany(service, () => ({ issuer: evil.issuer }));

const refused = [400, 'provider_refused'];
let count = 0;
const newPerson = (company: Company) => travel.person(company, `bo${++count}@${company.domain}`);
const set = (company: Company, change: string) =>
  service.sql(`update identity_connection set ${change} where id = $1`, [company.uuid]);
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
  const unasked = new URL(back);
  unasked.searchParams.delete('state');
  expect(codeOf(await travel.comeBack(unasked, cookie))).toEqual(refused);
  const both = await Promise.all([travel.comeBack(back, cookie), travel.comeBack(back, cookie)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(codeOf(await travel.comeBack(back, cookie))).toEqual(refused);
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

/** The answer of the hostile provider, whose ID token has these claims. */
const assert = async (more: object, make?: Parameters<typeof answer>[1]) => codeOf(await answer(more, make));
async function answer(more: object, make: (claims: Record<string, unknown>) => unknown = evil.sign) {
  const left = await travel.start(h);
  const asked = new URL(left.url).searchParams;
  const usual = {
    iss: evil.issuer,
    aud: 'concord',
    sub: `s${++count}`,
    email: `s${count}@${h.domain}`,
    nonce: asked.get('nonce'),
    iat: evil.now(),
    exp: evil.now() + 60,
  };
  evil.issue(String(await make({ ...usual, ...more })));
  const back = new URL(h.callback);
  back.search = String(
    new URLSearchParams({ code: 'c', state: String(asked.get('state')), iss: evil.issuer }),
  );
  return travel.comeBack(back, left.cookie);
}

it('K11: ID tokens with a wrong signature, issuer, audience, nonce or time are refused', async () => {
  expect(await assert({})).toEqual([200, undefined]);
  expect(await assert({}, evil.unsigned)).toEqual(refused);
  expect(await assert({}, evil.byPublicKey)).toEqual(refused);
  for (const claims of [
    { iss: `${evil.issuer}/` },
    { aud: 'another' },
    { aud: ['concord', 'another'] },
    { aud: ['concord', 'another'], azp: 'another' },
    { nonce: 'another' },
    { nonce: undefined },
    { exp: evil.now() - 600, iat: evil.now() - 1_200 },
    { sub: undefined },
    { sub: 'x'.repeat(256) },
    { email: undefined },
    { email: `ann@${h.domain.replace('e', 'е')}` },
  ])
    expect(await assert(claims), JSON.stringify(claims)).toEqual(refused);
});

it('K12: a provider whose keys are huge or inward, or whose document is of another issuer, is unavailable', async () => {
  const start = async () => {
    await set(h, 'revision = revision + 1');
    return codeOf(await service.post('/api/auth/sign-in/connection', { connection_id: h.connection }, null));
  };
  for (const document of [
    { issuer: `${evil.issuer}/` },
    { jwks_uri: 'file:///etc/passwd' },
    { id_token_signing_alg_values_supported: ['HS256'] },
  ]) {
    const kept = { ...evil.document };
    Object.assign(evil.document, document);
    expect(await start()).toEqual([503, 'provider_unavailable']);
    Object.assign(evil.document, kept);
  }
  const keys = evil.answers['/jwks'];
  evil.answers['/jwks'] = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(300_000));
  await set(h, 'revision = revision + 1');
  expect(await assert({})).toEqual([503, 'provider_unavailable']);
  if (keys) evil.answers['/jwks'] = keys;
  evil.document.jwks_uri = 'http://10.0.0.1/jwks';
  await set(h, 'revision = revision + 1');
  expect(await assert({})).toEqual([503, 'provider_unavailable']);
  evil.document.jwks_uri = `${evil.issuer}/jwks`;
  await set(h, 'revision = revision + 1');
});

const logoutClaims = (more: object = {}) => ({
  iss: evil.issuer,
  aud: 'concord',
  sub: 'out',
  sid: 'one',
  iat: evil.now(),
  jti: `j${++count}`,
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  ...more,
});
const logout = async (token: string) =>
  (
    await fetch(`${service.url}/api/auth/connections/${h.connection}/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
  ).status;

it('K18: a logout at the provider ends the session that it signed in; each token works once', async () => {
  const email = `out@${h.domain}`;
  expect(await assert({ sub: 'out', email, sid: 'one' })).toEqual([200, undefined]);
  const session = () => service.sql(`select 1 from session_proof where subject = 'out'`);
  for (const more of [
    { nonce: 'n' },
    { events: {} },
    { aud: 'another' },
    { iss: a.oidc.issuer },
    { sub: undefined, sid: undefined },
    { jti: undefined },
    { iat: evil.now() - 1_000 },
  ])
    expect(await logout(await evil.sign(logoutClaims(more))), JSON.stringify(more)).toBe(400);
  expect(await logout(evil.unsigned(logoutClaims()))).toBe(400);
  expect(await logout(await evil.byPublicKey(logoutClaims()))).toBe(400);
  expect(await session()).toHaveLength(1);
  const before = await service.sql('select count(*)::int as n from auth.session');
  const token = await evil.sign(logoutClaims());
  expect(await logout(token)).toBe(200);
  expect(await session()).toHaveLength(0);
  expect(await service.sql('select count(*)::int as n from auth.session')).toEqual([{ n: before[0].n - 1 }]);
  expect(await logout(token)).toBe(400);
  const rows = await service.sql(`select 1 from audit_log where action = 'account.log_out_by_provider'`);
  expect(rows).toHaveLength(1);
});

it('K2: another issuer is another provider: who was linked to the old one does not sign in by it', async () => {
  const email = `linked@${h.domain}`;
  expect(await assert({ sub: 'linked', email })).toEqual([200, undefined]);
  await set(h, `issuer = 'https://other.example', revision = revision + 1`);
  await set(h, `issuer = '${evil.issuer}', revision = revision + 1`);
  const [links] = await service.sql('select count(*)::int as n from auth.account where provider_id = $1', [
    `connection:${h.uuid}`,
  ]);
  expect(links).toEqual({ n: 0 });
  const sessions = () => service.sql('select count(*)::int as n from auth.session');
  const before = await sessions();
  expect(await assert({ sub: 'linked', email })).toEqual([200, undefined]);
  expect(await sessions()).toEqual(before);
});

it('K13: a lost domain makes nobody a member again', async () => {
  const sub = newPerson(b);
  const { user } = succeed(await travel.signIn(b, sub));
  await service.sql('delete from agreement where user_id = $1', [user.id]);
  const domain = (lost: string) =>
    service.sql(`update identity_domain set lost_at = ${lost} where connection_id = $1`, [b.uuid]);
  const person = await service.signInStranger();
  const email = `late@${b.domain}`;
  await service.sql('update auth."user" set email = $1 where id = $2', [email, person.id]);
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
  await service.sql(`update auth."user" set role = 'operator' where id = $1`, [user.id]);
  expect(codeOf(await travel.signIn(b, sub))).toEqual(refused);
  await service.sql('update auth."user" set two_factor_enabled = true where id = $1', [user.id]);
  expect(succeed(await travel.signIn(b, sub)).twoFactorRedirect).toBe(true);
});

/** Refuses the sign-in of a linked person with a second factor, if `meanwhile` happens before the code. */
async function refuseWaiting(
  company: Company,
  signIn: (sub: string) => Promise<Response>,
  meanwhile: (sub: string) => Promise<unknown>,
) {
  const { id, code } = await createEnrolment(service).enrol();
  const sub = newPerson(company);
  await service.sql('update auth."user" set email = $1 where id = $2', [sub, id]);
  await service.sql(
    'insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, $2, $3, now())',
    [sub, `connection:${company.uuid}`, id],
  );
  const { twoFactorToken } = succeed(await signIn(sub));
  await meanwhile(sub);
  const sessions = () => service.sql('select id from auth.session where user_id = $1', [id]);
  const before = await sessions();
  const verify = { code: code(0), twoFactorToken };
  expect(codeOf(await service.post('/api/auth/two-factor/verify-totp', verify, null))).toEqual(refused);
  expect(await sessions()).toEqual(before);
}

it('K18: a logout at the provider ends a sign-in that waits for its second factor', () =>
  refuseWaiting(
    h,
    (sub) => answer({ sub, email: sub }),
    async (sub) => expect(await logout(await evil.sign(logoutClaims({ sub, sid: undefined })))).toBe(200),
  ));

it('K2, K8: a sign-in that waits for its second factor does not complete by a connection that was changed or deleted', async () => {
  const signIn = (sub: string) => travel.signIn(b, sub);
  await refuseWaiting(b, signIn, () => set(b, 'revision = revision + 1'));
  await refuseWaiting(b, signIn, () =>
    service.sql('delete from identity_connection where id = $1', [b.uuid]),
  );
});

it('K11: claims that no database takes are refused', async () => {
  const nothing = String.fromCharCode(0);
  for (const claims of [{ sub: `a${nothing}` }, { email: `a${nothing}@${h.domain}` }])
    expect(await assert(claims), JSON.stringify(claims)).toEqual(refused);
  for (const claims of [
    { name: `a${nothing}` },
    { sid: nothing },
    { acr: nothing },
    { amr: [nothing] },
    { auth_time: 1e300 },
  ])
    expect(await assert(claims), JSON.stringify(claims)).toEqual([200, undefined]);
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
  expect(codeOf(await service.put(policy, body, token))).toEqual([400, 'connection_required']);
  await service.sql(
    `insert into session_proof (session_id, partner_id, connection_id, proved_at, subject)
     select id, $1, $2, now(), 'x' from auth.session where user_id = $3`,
    [a.partnerId, a.uuid, id],
  );
  const guest = await cast.member(a.partner);
  const wrong = { ...body, break_glass_agreement_ids: [guest.agreement] };
  expect(codeOf(await service.put(policy, wrong, token))).toEqual([400, 'invalid_request']);
  expect(codeOf(await service.put(policy, body, guest.token))).toEqual([403, 'forbidden']);
  expect(succeed(await service.put(policy, body, token))).toEqual(body);
  await service.sql('delete from session_proof');
  expect(codeOf(await service.get(policy, token))).toEqual([403, 'sso_required']);
  const may = async (bearer: string) =>
    succeed(await service.get(`/partners/${a.partner}/break-glass`, bearer)).allowed;
  const glass = (bearer: string) =>
    service.post(`/partners/${a.partner}/break-glass`, { reason: 'It is away' }, bearer);
  expect(codeOf(await glass(token))).toEqual([403, 'mfa_required']);
  const other = await cast.member(a.partner, { owner: true }, { secondFactor: 'proven' });
  expect(await may(other.token)).toBe(true);
  await service.sql('update auth."user" set two_factor_enabled = true where id = $1', [id]);
  expect(await may(other.token)).toBe(false);
  expect(codeOf(await service.get(`/partners/${a.partner}/break-glass`, guest.token))).toEqual([
    403,
    'forbidden',
  ]);
  expect(codeOf(await glass(other.token))).toEqual([403, 'forbidden']);
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
  expect(codeOf(await service.get(policy, session))).toEqual([403, 'sso_required']);
  await service.advanceClock(0);
  succeed(await cast.change(a.partner, agreement, { owner: false }));
  await service.sql('update partner set sso_required = false where id = $1', [a.partnerId]);
});

const at = ({ partner, connection }: Company) => `/partners/${partner}/connections/${connection}`;
async function turnOffAndOn(company: Company) {
  succeed(await service.put(`${at(company)}/disable`, undefined, company.owner.token));
  succeed(await service.put(`${at(company)}/enable`, undefined, company.owner.token));
}

it('K11: what began before a connection was turned off does not complete after it is on again', async () => {
  const { cookie, back } = await visit(c);
  const stranger = await service.signInStranger();
  const email = `off@${c.domain}`;
  await service.sql('update auth."user" set email = $1 where id = $2', [email, stranger.id]);
  const { linkCode } = succeed(await travel.signIn(c, travel.person(c, email)));
  const { id, code } = await createEnrolment(service).enrol();
  await service.sql('update auth."user" set email = $1 where id = $2', [`factor@${c.domain}`, id]);
  const sub = travel.person(c, `factor@${c.domain}`);
  await service.sql(
    `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $2, $3, $4, now())`,
    [sub, sub, `connection:${c.uuid}`, id],
  );
  const { twoFactorToken } = succeed(await travel.signIn(c, sub));
  await turnOffAndOn(c);
  expect(codeOf(await travel.comeBack(back, cookie))).toEqual(refused);
  const session = await cast.session(stranger.id);
  expect(codeOf(await service.post('/api/auth/connections/link', { code: linkCode }, session))).toEqual(
    refused,
  );
  const verify = service.post('/api/auth/two-factor/verify-totp', { code: code(0), twoFactorToken }, null);
  expect(codeOf(await verify)).toEqual(refused);
});

it('K19: a code that another browser or program got links nothing in the console', async () => {
  const victim = await service.signInStranger();
  const email = `victim@${a.domain}`;
  await service.sql('update auth."user" set email = $1 where id = $2', [email, victim.id]);
  const { linkCode } = succeed(await travel.signIn(a, travel.person(a, email)));
  const link = (headers: Record<string, string>) =>
    service.request('POST', '/console/api/api/auth/connections/link', {
      token: null,
      body: { code: linkCode },
      headers: { ...ownPage, ...headers },
    });
  const cookie = `concord=${await cast.session(victim.id)}`;
  expect(codeOf(await link({ cookie }))).toEqual([400, 'invalid_token']);
  expect(await service.sql('select from identity_claim where user_id = $1', [victim.id])).toHaveLength(1);
});

it('K2: another way to send the secret counts at once', async () => {
  const sent: (string | undefined)[] = [];
  const answer = evil.answers['/token'];
  evil.answers['/token'] = (response) => {
    sent.push(response.req.headers.authorization?.split(' ')[0]);
    answer?.(response);
  };
  onTestFinished(() => void Object.assign(evil.answers, { '/token': answer }));
  const signIn = () => assert({ sub: `way${++count}`, email: `way${count}@${h.domain}` });
  await signIn();
  succeed(await service.patch(at(h), { authentication: 'client_secret_post' }, h.owner.token));
  await signIn();
  expect(sent).toEqual(['Basic', undefined]);
});

it('K17, K18: break glass ends as it was announced, whatever the policy becomes, and the session still ends with the logout', async () => {
  const email = `boss@${h.domain}`;
  expect(await assert({ sub: 'boss', email, sid: 'boss' })).toEqual([200, undefined]);
  const [{ id }] = await service.sql('select id from auth."user" where email = $1', [email]);
  await service.sql('update agreement set owner = true where user_id = $1', [id]);
  await service.sql('update auth."user" set two_factor_enabled = true where id = $1', [id]);
  const session = await cast.session(id, true);
  // As a sign-in with a second factor leaves it behind.
  await service.sql(
    `insert into connection_session (session_id, connection_id, subject, provider_session)
     select id, $1, 'boss', 'boss' from auth.session where user_id = $2 on conflict do nothing`,
    [h.uuid, id],
  );
  await service.sql('update partner set sso_required = true, sso_max_age_seconds = 600 where id = $1', [
    h.partnerId,
  ]);
  const policy = `/partners/${h.partner}/sign-in-policy`;
  const read = async () => codeOf(await service.get(policy, session));
  expect(await read()).toEqual([403, 'sso_required']);
  const { until } = succeed(
    await service.post(`/partners/${h.partner}/break-glass`, { reason: 'x' }, session),
  );
  expect(Math.round((Date.parse(until) - Date.now()) / 60_000)).toBe(10);
  const setAge = (seconds: number) =>
    service.sql('update partner set sso_max_age_seconds = $1 where id = $2', [seconds, h.partnerId]);
  await setAge(43_200);
  await service.advanceClock(590_000);
  expect(await read()).toEqual([200, undefined]);
  await setAge(300);
  expect(await read()).toEqual([403, 'sso_required']);
  await setAge(43_200);
  await service.advanceClock(601_000);
  expect(await read()).toEqual([403, 'sso_required']);
  await service.advanceClock(0);
  expect(await logout(await evil.sign(logoutClaims({ sub: 'boss', sid: 'boss' })))).toBe(200);
  await expectStatus(401, service.get('/me', session));
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
  const widen = (bearer: string) =>
    service.patch(`${groups}/${id}`, { acl_permissions: [acl('deliveries')] }, bearer);
  for (const member of [limited, bound])
    expect(codeOf(await widen(member.token))).toEqual([403, 'forbidden']);
  succeed(await widen(token));
  expect(codeOf(await service.remove(`${groups}/${id}`))).toEqual([400, 'group_in_use']);
  await expectStatus(204, service.remove(`${groups}/${id}?detach=true`));
  expect(succeed(await service.get(at(c), token)).terms.acl_permission_group_ids).toEqual([]);
});

it('K18: a logout ends the session that the connection signed in, also without its proof', async () => {
  for (const end of [
    'delete from session_proof where connection_id = $1',
    'update identity_connection set revision = revision + 1 where id = $1',
  ]) {
    const sub = `late${++count}`;
    const { token } = succeed(await answer({ sub, email: `${sub}@${h.domain}`, sid: sub }));
    await service.sql(end, [h.uuid]);
    await expectStatus(200, service.get('/me', token));
    expect(await logout(await evil.sign(logoutClaims({ sub, sid: sub })))).toBe(200);
    await expectStatus(401, service.get('/me', token));
  }
});

it('K19, K13: a code links no address but the one that the provider asserted', async () => {
  const { id } = await service.signInStranger();
  const setAddress = (name: string) =>
    service.sql('update auth."user" set email = $1 where id = $2', [`${name}@${c.domain}`, id]);
  await setAddress('asserted');
  const { linkCode } = succeed(await travel.signIn(c, travel.person(c, `asserted@${c.domain}`)));
  await setAddress('another');
  const session = await cast.session(id);
  const link = service.post('/api/auth/connections/link', { code: linkCode }, session);
  expect(codeOf(await link)).toEqual([400, 'invalid_token']);
});

it('K18: a logout ends the session also after a second factor was enabled in it', async () => {
  const sub = `factor${++count}`;
  const signIn = async () => succeed(await answer({ sub, email: `${sub}@${h.domain}`, sid: sub }));
  const { user } = await signIn();
  const [{ password }] = await service.sql(
    `select password from auth.account where provider_id = 'credential' and password is not null limit 1`,
  );
  await service.sql(
    `insert into auth.account (id, account_id, provider_id, user_id, password, updated_at) values ($1, $1, 'credential', $1, $2, now())`,
    [user.id, password],
  );
  const { token } = await signIn();
  await createEnrolment(service).enable(token);
  const sessions = () => service.sql('select id from auth.session where user_id = $1', [user.id]);
  expect(await sessions()).toHaveLength(1);
  expect(await logout(await evil.sign(logoutClaims({ sub, sid: sub })))).toBe(200);
  expect(await sessions()).toEqual([]);
});
