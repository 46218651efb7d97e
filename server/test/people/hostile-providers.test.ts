// A provider that says whatever it wants: its ID tokens, its documents, and its logouts.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { codeOf, expectStatus, succeed, useCast } from '../stage/cast.ts';
import {
  at,
  createTravel,
  environment,
  type Left,
  refuseMeanwhile,
  useCompany,
} from '../stage/connection-stage.ts';
import { createEnrolment } from '../stage/enrolment.ts';
import { meanwhile } from '../stage/locks.ts';
import { startHostileIssuer } from './hostile-issuer.ts';

const { service, cast } = useCast(environment);
const travel = createTravel(service);
let evil: Awaited<ReturnType<typeof startHostileIssuer>>;
beforeAll(async () => {
  evil = await startHostileIssuer();
});
afterAll(() => evil.close());
const h = useCompany(service, () => ({ issuer: evil.issuer }));
const other = useCompany(service);

const refused = [400, 'provider_refused'];
let count = 0;
const set = (change: string) =>
  service.sql(`update identity_connection set ${change} where id = $1`, [h.uuid]);

/** The answer of the hostile provider, whose ID token has these claims. */
const assert = async (more: object, make?: Parameters<typeof answer>[1]) => codeOf(await answer(more, make));
async function answer(
  more: object,
  make: (claims: Record<string, unknown>) => unknown = evil.sign,
  start: () => Promise<Left> = () => travel.start(h),
) {
  const left = await start();
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
    await set('revision = revision + 1');
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
  await set('revision = revision + 1');
  expect(await assert({})).toEqual([503, 'provider_unavailable']);
  if (keys) evil.answers['/jwks'] = keys;
  evil.document.jwks_uri = 'http://10.0.0.1/jwks';
  await set('revision = revision + 1');
  expect(await assert({})).toEqual([503, 'provider_unavailable']);
  evil.document.jwks_uri = `${evil.issuer}/jwks`;
  await set('revision = revision + 1');
});

it('K2: another issuer is another provider: who was linked to the old one does not sign in by it', async () => {
  const email = `linked@${h.domain}`;
  expect(await assert({ sub: 'linked', email })).toEqual([200, undefined]);
  await set(`issuer = 'https://other.example', revision = revision + 1`);
  await set(`issuer = '${evil.issuer}', revision = revision + 1`);
  const [links] = await service.sql('select count(*)::int as n from auth.account where provider_id = $1', [
    `connection:${h.uuid}`,
  ]);
  expect(links).toEqual({ n: 0 });
  const sessions = () => service.sql('select count(*)::int as n from auth.session');
  const before = await sessions();
  expect(await assert({ sub: 'linked', email })).toEqual([200, undefined]);
  expect(await sessions()).toEqual(before);
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

it('K15: a proof has the time of `auth_time`, and one that is older than the partner allows is refused', async () => {
  const person = { sub: 'prover', email: `prover@${h.domain}` };
  const { token } = succeed(await answer(person));
  const prove = (seconds: number) =>
    answer({ ...person, auth_time: evil.now() - seconds }, undefined, async () => {
      const left = await travel.leave('/api/auth/connections/prove', { partner_id: h.partner }, token);
      expect(new URL(left.url).searchParams.get('max_age')).toBe('43200');
      return left;
    });
  expect(codeOf(await prove(43_300))).toEqual(refused);
  expect(succeed(await prove(43_100))).toEqual({ proved: h.partner });
  await service.sql('update partner set sso_required = true where id = $1', [h.partnerId]);
  const read = async () => codeOf(await service.get(`/partners/${h.partner}/agreements`, token));
  expect(await read()).toEqual([403, 'forbidden']);
  await service.sql('update partner set sso_max_age_seconds = 43000 where id = $1', [h.partnerId]);
  expect(await read()).toEqual([403, 'sso_required']);
  expect(new URL((await travel.start(h)).url).searchParams.get('max_age')).toBe('43000');
  await service.sql('update partner set sso_required = false, sso_max_age_seconds = 43200 where id = $1', [
    h.partnerId,
  ]);
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

it('K18: a logout at the provider ends the session that it signed in, and none of another connection; each token works once', async () => {
  // The other provider has the same names.
  const { id } = await cast.user();
  for (const table of ['session_proof (proved_at, partner_id,', 'connection_session ('])
    await service.sql(
      `insert into ${table} connection_id, subject, provider_session, session_id)
       select ${table.startsWith('session') ? `now(), '${other.partnerId}',` : ''} $2, 'out', 'one', id from auth.session where user_id = $1`,
      [id, other.uuid],
    );
  // A session that began otherwise loses its proof only.
  const proved = await cast.user();
  await service.sql(
    `insert into session_proof (proved_at, partner_id, connection_id, subject, provider_session, session_id)
     select now(), $2, $3, 'out', 'one', id from auth.session where user_id = $1`,
    [proved.id, h.partnerId, h.uuid],
  );
  const email = `out@${h.domain}`;
  expect(await assert({ sub: 'out', email, sid: 'one' })).toEqual([200, undefined]);
  const session = (of = h) =>
    service.sql(`select 1 from session_proof where subject = 'out' and connection_id = $1`, [of.uuid]);
  for (const more of [
    { nonce: 'n' },
    { events: {} },
    { aud: 'another' },
    { iss: 'https://another.example' },
    { sub: undefined, sid: undefined },
    { jti: undefined },
    { iat: evil.now() - 1_000 },
  ])
    expect(await logout(await evil.sign(logoutClaims(more))), JSON.stringify(more)).toBe(400);
  expect(await logout(evil.unsigned(logoutClaims()))).toBe(400);
  expect(await logout(await evil.byPublicKey(logoutClaims()))).toBe(400);
  expect(await session()).toHaveLength(2);
  const before = await service.sql('select count(*)::int as n from auth.session');
  const token = await evil.sign(logoutClaims());
  expect(await logout(token)).toBe(200);
  expect(await session()).toHaveLength(0);
  expect(await session(other)).toHaveLength(1);
  expect(await service.sql('select count(*)::int as n from auth.session')).toEqual([{ n: before[0].n - 1 }]);
  expect(await logout(token)).toBe(400);
  const rows = await service.sql(
    `select details ->> 'session_ended' as ended from audit_log where action = 'account.log_out_by_provider' order by ended`,
  );
  expect(rows).toEqual([{ ended: 'false' }, { ended: 'true' }]);
  await expectStatus(200, service.get('/me', proved.token));
});

it('K18: a logout at the provider ends a sign-in that waits for its second factor', () =>
  refuseMeanwhile(service, h, {
    sub: `waits@${h.domain}`,
    signIn: (sub) => answer({ sub, email: sub }),
    meanwhile: async (sub) =>
      expect(await logout(await evil.sign(logoutClaims({ sub, sid: undefined })))).toBe(200),
  }));

it('K18: a logout ends a sign-in whose code Concord is redeeming, and no other and no later one', async () => {
  const token = evil.answers['/token'];
  onTestFinished(() => void Object.assign(evil.answers, { '/token': token }));
  async function signIn(meanwhile?: object, of = h) {
    evil.answers['/token'] = async (response) => {
      if (of !== h)
        await service.sql(
          `insert into identity_logout (connection_id, jti_hash, subject_hash) values ($1, sha256('j'), sha256('raced'))`,
          [of.uuid],
        );
      else if (meanwhile) expect(await logout(await evil.sign(logoutClaims(meanwhile)))).toBe(200);
      token?.(response);
    };
    return assert({ sub: 'raced', email: `raced@${h.domain}`, sid: 'raced' });
  }
  expect(await signIn({ sub: 'raced', sid: undefined })).toEqual(refused);
  expect(await signIn({ sub: undefined, sid: 'raced' })).toEqual(refused);
  expect(await signIn({ sub: 'raced', sid: 'another' })).toEqual([200, undefined]);
  expect(await signIn({ sub: 'another', sid: undefined })).toEqual([200, undefined]);
  expect(await signIn()).toEqual([200, undefined]);
  expect(await signIn({}, other)).toEqual([200, undefined]);
});

it('K18: a logout ends the session that the connection signed in, also without its proof', async () => {
  for (const end of [
    'delete from session_proof where connection_id = $1',
    'update identity_connection set revision = revision + 1 where id = $1',
    'update identity_connection set enabled = false where id = $1',
  ]) {
    const sub = `late${++count}`;
    const signIn = async (sid: string, name = sub) =>
      succeed(await answer({ sub: name, email: `${name}@${h.domain}`, sid })).token;
    const token = await signIn(sub);
    const others = [await signIn(`${sub} elsewhere`), await signIn(sub, `${sub}b`)];
    await service.sql(end, [h.uuid]);
    await expectStatus(200, service.get('/me', token));
    expect(await logout(await evil.sign(logoutClaims({ sub, sid: sub })))).toBe(200);
    await expectStatus(401, service.get('/me', token));
    for (const another of others) await expectStatus(200, service.get('/me', another));
  }
  await service.sql('update identity_connection set enabled = true where id = $1', [h.uuid]);
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

it('K17, K18: break glass ends as it was announced, whatever the policy becomes, and the session still ends with the logout', async () => {
  const email = `boss@${h.domain}`;
  expect(await assert({ sub: 'boss', email, sid: 'boss' })).toEqual([200, undefined]);
  const [{ id }] = await service.sql('select id from auth."user" where email = $1', [email]);
  await service.sql('update agreement set owner = true where user_id = $1', [id]);
  await cast.set(id, { two_factor_enabled: true });
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

it('K8, K18: a logout by a connection that is deleted meanwhile is unknown', async () => {
  const token = await evil.sign(logoutClaims());
  const remove = 'delete from identity_connection where id = $1';
  expect(await meanwhile(service.database, remove, [h.uuid], () => logout(token))).toBe(404);
});
