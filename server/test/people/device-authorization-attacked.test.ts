// Attacks on device authorization (RFC 8628).
import { beforeEach, expect, it } from 'vitest';
import { accessTokenOf } from '../../src/access/index.ts';
import { parseSecrets } from '../../src/base/config-values.ts';
import { createGuards } from '../../src/people/guards.ts';
import { createDeviceAuthorizations } from '../../src/people/tokens/device/device-authorizations.ts';
import { consoleUrl, ownPage } from '../stage/browser.ts';
import { acl, atOnce, expectStatus, may, statusesOf, succeed, times, useCast } from '../stage/cast.ts';
import { createEnrolment } from '../stage/enrolment.ts';
import { hold, untilWaiting } from '../stage/locks.ts';
import { postForm } from '../stage/post-form.ts';
import { operator, secrets } from '../stage/start-service.ts';
import { client_id, errorOf, grant_type, pathOf, useDeviceStage } from './device-stage.ts';

const { service, cast } = useCast({ CONCORD_RATE_LIMIT: '100000/10s', CONCORD_BASE_URL: consoleUrl });
const { forget, post } = createEnrolment(service);
const { ann, ask, begin, fetchToken, look, deny, ...stage } = useDeviceStage(service, cast);
beforeEach(forget);

const approve = (code: string, token = ann.token, more = {}) =>
  stage.approve(code, token, { scopes: [acl('*')], ...more });
const wrong = (index: number) => `BBBB-BBB${'BCDFGHJKLMNPQRSTVWXZ'.at(index % 20)}`;

it('T30: the program cannot compute its token: it must fetch it', async () => {
  const { device_code, user_code } = await begin();
  succeed(await approve(user_code));
  await expectStatus(401, service.get('/me', accessTokenOf(device_code).token));
  const { access_token } = succeed(await fetchToken(device_code));
  await expectStatus(200, service.get('/me', access_token));
});

it('T30: a reader of the database cannot search for the user code', async () => {
  const { user_code } = await begin();
  for (const text of [user_code, user_code.replace('-', '')])
    expect(
      await service.sql('select from device_authorization where user_code_mac = sha256($1)', [text]),
    ).toEqual([]);
});

it('T30: a device code is exact', async () => {
  const { device_code: code, user_code } = await begin();
  succeed(await approve(user_code));
  const other = code.at(-1) === 'A' ? 'E' : 'A';
  for (const guess of [user_code, code.slice(0, -1), `${code}A`, code.slice(0, -1) + other, ` ${code}`])
    expect(await errorOf(fetchToken(guess))).toEqual([400, 'invalid_grant']);
  succeed(await fetchToken(code));
});

it('T30: a new secret does not end what programs have begun', async () => {
  const [waiting, approved] = [await begin(), await begin()];
  succeed(await approve(approved.user_code));
  const db = service.database.open();
  const later = createDeviceAuthorizations({
    db,
    guards: createGuards({ db, enabled: false, mails: 'off' }),
    secrets: parseSecrets(`2:${'t'.repeat(40)},${secrets}`),
    baseUrl: consoleUrl,
  });
  const found = await later.read({ userId: ann.id, ip: '192.0.2.1' }, waiting.user_code);
  expect(found.user_code).toBe(waiting.user_code);
  const fetched = await later.fetch({ client_id, grant_type, device_code: approved.device_code });
  await db.close();
  expect(fetched).toMatchObject({ token_type: 'Bearer' });
  await expectStatus(200, service.get('/me', 'error' in fetched ? null : fetched.access_token));
});

it('T30: guesses at once are limited, whatever they ask for', async () => {
  const { token } = await cast.user();
  const answers = await Promise.all(
    times(4, (i) => [look(wrong(i), token), approve(wrong(i), token), deny(wrong(i), token)]).flat(),
  );
  expect(statusesOf(answers)).toEqual([...Array(10).fill(404), 429, 429]);
});

it('T30: many users of one address have few guesses together', async () => {
  const { user_code } = await begin();
  for (let user = 0; user < 5; user++) {
    const { token } = await cast.user();
    for (let i = 0; i < 10; i++) await expectStatus(404, look(wrong(i), token));
  }
  const { status, headers } = await look(user_code);
  expect([status, headers.ratelimit]).toEqual([429, expect.stringContaining('user-codes-of-address')]);
});

it('T30: of two users who answer at once, one does, and the other gets no token', async () => {
  const { device_code, user_code } = await begin();
  const rival = await cast.user();
  const held = await hold(service.database, 'select from device_authorization for update');
  const both = [approve(user_code), approve(user_code, rival.token)];
  await untilWaiting(service.database, 2);
  await held.end();
  const [, second] = await Promise.all(both);
  expect(statusesOf(await Promise.all(both))).toEqual([200, 404]);
  const tokens = await service.sql('select from access_token where user_id = $1', [rival.id]);
  expect(tokens).toHaveLength(second?.status === 200 ? 1 : 0);
  succeed(await fetchToken(device_code));
});

it('T30: what ends tokens before the program asks ends this one', async () => {
  const banned = await cast.user();
  const first = await begin();
  succeed(await approve(first.user_code, banned.token));
  await expectStatus(200, service.post(`/users/${banned.id}/ban`, {}));
  const { access_token } = succeed(await fetchToken(first.device_code));
  await expectStatus(401, service.get('/me', access_token));
  const [changed, deleted] = [await service.signInStranger(), await cast.user()];
  const second = await begin();
  succeed(await approve(second.user_code, changed.token));
  const newPassword = 'another password of the tests';
  succeed(await post('change-password', changed.token, { currentPassword: operator.password, newPassword }));
  expect(await errorOf(fetchToken(second.device_code))).toEqual([400, 'invalid_grant']);
  const fourth = await begin();
  const { id } = succeed(await approve(fourth.user_code));
  await expectStatus(204, service.remove(`/me/access-tokens/${id}`, ann.token));
  expect(await errorOf(fetchToken(fourth.device_code))).toEqual([400, 'invalid_grant']);
  const third = await begin();
  succeed(await approve(third.user_code, deleted.token));
  await expectStatus(204, service.remove(`/users/${deleted.id}`));
  expect(await errorOf(fetchToken(third.device_code))).toEqual([400, 'invalid_grant']);
});

it('T30, T2: a token has no more than its user, and nothing at the partner of another', async () => {
  const reader = await cast.member(ann.partner, may('partner', 'get'));
  const foreign = await cast.partner();
  const tokenFor = async (more: object) => {
    const { device_code, user_code } = await begin();
    succeed(await approve(user_code, reader.token, more));
    return succeed(await fetchToken(device_code)).access_token;
  };
  const token = await tokenFor({});
  await expectStatus(200, service.get(`/partners/${ann.partner}`, token));
  await expectStatus(403, service.patch(`/partners/${ann.partner}`, { phone: '1' }, token));
  const useless = await tokenFor({ partner_ids: [foreign] });
  for (const at of [ann.partner, foreign]) await expectStatus(404, service.get(`/partners/${at}`, useless));
});

it('T30: the name of a program cannot hide or turn text', async () => {
  const names = [
    'a\u0000b',
    'a\tb',
    'a\u0007b',
    'a\u001b[2Jb',
    'a\u202eb',
    'a\u2066b',
    'a\u200fb',
    'a\u2028b',
    'a\ufeffb',
    'a\u{e0041}b',
  ];
  for (const client_name of [
    ...names,
    'x'.repeat(101),
    'a\nb',
    '\u200b',
    'a\u3164b',
    'a\u034fb',
    'a\u00a0b',
    '\u2800',
    '  ',
  ])
    expect([client_name, ...(await errorOf(ask({ client_id, client_name })))]).toEqual([
      client_name,
      400,
      'invalid_request',
    ]);
  for (const client_name of ['<b>Concord</b> & "you"', 'Åses maskin 日本']) {
    const { user_code } = await begin({ client_name });
    expect((await look(user_code)).body.client_name).toBe(client_name);
  }
});

it('T30, E1: every 400 has the form of RFC 6749', async () => {
  const twice = [
    ['client_id', client_id],
    ['client_id', client_id],
  ];
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const at of ['/oauth/device_authorization', '/oauth/token', '/oauth/revoke']) {
    const send = (body: unknown) => service.request('POST', at, { token: null, headers, body });
    const answers = [
      await postForm(service, at, [...twice, ['token', 'x'], ['token', 'x']]),
      await send(''),
      await send(Buffer.from('client_name=%ff')),
    ];
    for (const { status, body } of answers)
      expect([status, body.error], at).toEqual([400, expect.stringMatching(/^invalid_/)]);
  }
  // An empty parameter counts as missing (RFC 6749, section 3.1), and an unknown one is ignored.
  expect(succeed(await ask({ client_id, client_name: '', scope: 'x' })).user_code).toBeDefined();
  expect(await errorOf(fetchToken(''))).toEqual([400, 'invalid_request']);
});

it('T30, B2: a page of another site cannot answer', async () => {
  const { user_code } = await begin();
  const cookie = `__Host-concord=${ann.token}`;
  const body = { name: 'x', scopes: [] };
  const send = (at: string, headers: Record<string, string>) =>
    service.request('POST', `${at}${pathOf(user_code)}/approve`, {
      token: null,
      headers: { cookie, ...headers },
      body,
    });
  await expectStatus(401, send('/console/api', { 'sec-fetch-site': 'cross-site' }));
  await expectStatus(
    401,
    send('/console/api', { 'sec-fetch-site': 'same-site', origin: 'https://evil.test' }),
  );
  await expectStatus(401, send('', ownPage));
  const form = { ...ownPage, 'content-type': 'application/x-www-form-urlencoded' };
  await expectStatus(415, send('/console/api', form));
  await expectStatus(200, send('/console/api', ownPage));
});

it('L14, T30: guesses at the same time take no connections that others wait for', async () => {
  const users = await atOnce(3, () => cast.user());
  const guesses = users.flatMap(({ token }) =>
    [0, 1, 2, 3].flatMap((index) => [deny(wrong(index), token), approve(wrong(index), token)]),
  );
  for (const { status } of await Promise.all(guesses)) expect([404, 429]).toContain(status);
});
