// The session of a browser: what becomes of tokens below /console/api, and when cookies end.
import * as OTPAuth from 'otpauth';
import { beforeEach, expect, it } from 'vitest';
import { carriedBy } from '../../src/base/browser-session/carried-tokens.ts';
import { type Browser, consoleUrl, openBrowser, ownPage } from '../stage/browser.ts';
import { createCast, expectCode, expectStatus } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { useService } from '../stage/start-service.ts';

const service = useService({ CONCORD_BASE_URL: consoleUrl, CONCORD_RATE_LIMIT: '100000/10s' });
const enrolment = createEnrolment(service);
beforeEach(() => enrolment.forget());

/** A new user without a second factor, signed in. */
async function signedIn(): Promise<Browser & { email: string }> {
  const { email } = await service.signInStranger();
  const browser = openBrowser(service);
  await expectStatus(200, browser.post('sign-in/email', { email, password }));
  return { ...browser, email };
}
const statusOf = async (browser: Browser) => (await browser.get('/me')).status;
const bearerStatus = async (token: string | undefined) => (await service.get('/me', String(token))).status;

it('B4: a sign-in puts the session into a cookie, and its body has no token', async () => {
  const browser = await signedIn();
  const again = await browser.post('sign-in/email', { email: browser.email, password });
  expect(again.body).toEqual({ user: { id: expect.any(String), email: browser.email, name: 'Stranger' } });
  expect(again.headers['set-cookie']).toEqual([
    `__Host-concord=${browser.session()}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure`,
  ]);
  expect(again.headers['cache-control']).toBe('no-store');
  expect([await statusOf(browser), [...browser.jar.keys()]]).toEqual([200, ['__Host-concord']]);
  expect(await bearerStatus(browser.session())).toBe(200);
});

it('B15, B76: the settings say whether the console sent the cookie of a session, and never look at one of the API', async () => {
  const browser = await signedIn();
  const says = async (from: Browser) => (await from.get('/console/settings')).body.session_cookie;
  expect([await says(browser), await says(openBrowser(service))]).toEqual([true, false]);
  const headers = { cookie: `__Host-concord=${browser.session()}` };
  expect(
    (await service.request('GET', '/console/settings', { token: null, headers })).body.session_cookie,
  ).toBe(false);
});

it('B4: a refused sign-in sets no cookie and ends none', async () => {
  const browser = await signedIn();
  const before = browser.session();
  const refused = await browser.post('sign-in/email', { email: browser.email, password: 'wrong' });
  expect([refused.status, refused.headers['set-cookie'], browser.session()]).toEqual([
    401,
    undefined,
    before,
  ]);
});

it('B4: the challenge of the second factor is a cookie, and the code takes it from there', async () => {
  const { email, code } = await enrolment.enrol();
  const browser = openBrowser(service);
  const challenge = await browser.post('sign-in/email', { email, password });
  expect([challenge.body, [...browser.jar.keys()]]).toEqual([
    { twoFactorRedirect: true },
    ['__Host-concord-two-factor'],
  ]);
  expect(String(challenge.headers['set-cookie'])).toContain(
    '; Max-Age=600; HttpOnly; SameSite=Strict; Secure',
  );
  await expectStatus(401, browser.get('/me'));
  await expectCode('invalid_code', browser.post('two-factor/verify-totp', { code: '000000' }));
  const done = await browser.post('two-factor/verify-totp', { code: code(0), trustDevice: true });
  expect([done.status, Object.keys(done.body)]).toEqual([200, ['user']]);
  expect([...browser.jar.keys()].toSorted()).toEqual(['__Host-concord', '__Host-concord-device']);
  expect(await statusOf(browser)).toBe(200);

  // The trusted device skips the second factor, and its cookie is renewed.
  const before = browser.jar.get('__Host-concord-device');
  await expectStatus(204, browser.post('sign-out'));
  expect([...browser.jar.keys()]).toEqual(['__Host-concord-device']);
  const trusted = await browser.post('sign-in/email', { email, password });
  expect(Object.keys(trusted.body)).toEqual(['user']);
  expect(browser.jar.get('__Host-concord-device')).not.toBe(before);
  expect(await statusOf(browser)).toBe(200);
});

it('B4: a cookie that cannot be a token of a device or a challenge counts as none, and is deleted', async () => {
  const { email } = await signedIn();
  for (const garbled of ['two words', '', '"quoted"', 'x'.repeat(401)]) {
    const browser = openBrowser(service);
    browser.jar.set('__Host-concord-device', garbled);
    const { status } = await browser.post('sign-in/email', { email, password });
    expect([status, [...browser.jar.keys()]], garbled).toEqual([200, ['__Host-concord']]);
    // A code in the session is not one of a challenge.
    browser.jar.set('__Host-concord-two-factor', garbled);
    await expectCode('two_factor_not_enabled', browser.post('two-factor/verify-totp', { code: '000000' }));
    expect([...browser.jar.keys()]).toEqual(['__Host-concord']);
  }
});

it('B4: a challenge that has ended loses its cookie, so the next code counts in the session', async () => {
  const browser = await signedIn();
  const { body } = await browser.post('two-factor/enable', { password });
  const code = (OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP).generate();
  for (const ended of ['unknown', `2fa-${'x'.repeat(32)}.signature`]) {
    browser.jar.set('__Host-concord-two-factor', ended);
    const refused = await browser.post('two-factor/verify-totp', { code });
    expect([refused.status, refused.body.code, [...browser.jar.keys()]]).toEqual([
      400,
      'invalid_token',
      ['__Host-concord'],
    ]);
  }
  await expectStatus(200, browser.post('two-factor/verify-totp', { code }));
  const direct = await service.post('/api/auth/two-factor/verify-totp', { code }, null);
  expect([direct.body.code, direct.headers['set-cookie']]).toEqual(['invalid_token', undefined]);
});

it('B4: a backup code completes a sign-in too; a challenge takes the place of an earlier session of the browser', async () => {
  const { email, token } = await enrolment.enrol();
  const { body } = await enrolment.post('two-factor/generate-backup-codes', token, { password });
  const browser = await signedIn();
  await browser.post('sign-in/email', { email, password });
  expect([...browser.jar.keys()]).toEqual(['__Host-concord-two-factor']);
  const done = await browser.post('two-factor/verify-backup-code', { code: body.backupCodes[0] });
  expect([done.status, done.body.user.email, [...browser.jar.keys()]]).toEqual([
    200,
    email,
    ['__Host-concord'],
  ]);
});

it('B4: enabling and disabling the second factor puts the new session into the cookie', async () => {
  const browser = await signedIn();
  const first = browser.session();
  const { body } = await browser.post('two-factor/enable', { password });
  const totp = OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP;
  const enabled = await browser.post('two-factor/verify-totp', { code: totp.generate() });
  expect([enabled.status, Object.keys(enabled.body), await statusOf(browser)]).toEqual([200, ['user'], 200]);
  const second = browser.session();
  const disabled = await browser.post('two-factor/disable', { password });
  expect([disabled.status, disabled.body, await statusOf(browser)]).toEqual([200, {}, 200]);
  expect(new Set([first, second, browser.session()]).size).toBe(3);
});

it('B4: an access token stays in the body that shows it', async () => {
  const browser = await signedIn();
  const { status, body, headers } = await browser.request('POST', '/me/access-tokens', {
    body: { name: 'x', scopes: [] },
  });
  expect([status, body.token, headers['set-cookie']]).toEqual([
    201,
    expect.stringMatching(/^concord_pat_/),
    undefined,
  ]);
});

it('B4: no operation shows a token to a page, except an access token and that of a directory', async () => {
  const { body: document } = await service.get('/openapi.json');
  const schemas = document.components.schemas as Record<string, object>;
  const resolve = (schema: { $ref?: string }) =>
    schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] as object);
  /** The pointers of all members whose name ends in `token`. */
  function tokensIn(value: unknown, at: string, seen: readonly unknown[] = []): string[] {
    if (typeof value !== 'object' || value === null || seen.includes(value)) return [];
    const schema = resolve(value);
    return Object.entries(schema).flatMap(([name, each]) => [
      ...(/token$/i.test(name) && at.endsWith('/properties') ? [`${at}/${name}`] : []),
      ...tokensIn(each, `${at}/${name}`, [...seen, value, schema]),
    ]);
  }
  type Answer = { content?: Record<string, { schema: object }> };
  const operations = Object.values<object>(document.paths).flatMap((item) =>
    Object.values<{ operationId: string; responses: Record<string, Answer> }>(item as never),
  );
  expect(operations.length).toBeGreaterThan(80);
  const found = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap(({ schema }) => {
        const moved =
          status === '200' ? carriedBy(resolve(schema)).map((member) => `/properties/${member}`) : [];
        return tokensIn(schema, '').flatMap((pointer) =>
          moved.includes(pointer) ? [] : [`${operationId}: ${pointer}`],
        );
      }),
    ),
  );
  expect(found.toSorted()).toEqual([
    'createAccessToken: /properties/token',
    'createProvisioningToken: /properties/token',
    'createServiceAccountToken: /properties/token',
    'fetchDeviceToken: /properties/access_token',
    // Its first characters, and its times.
    'getProvisioning: /properties/provisioning_token',
  ]);
});

it('B5: a sign-out ends the session and deletes its cookie', async () => {
  const browser = await signedIn();
  const token = browser.session();
  const { status, headers } = await browser.post('sign-out');
  expect([status, headers['set-cookie']]).toEqual([
    204,
    ['__Host-concord=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure'],
  ]);
  expect([await bearerStatus(token), browser.jar.size]).toEqual([401, 0]);
});

it('B5: a session that has ended loses its cookie with the next 401', async () => {
  const browser = await signedIn();
  await service.sql('delete from auth.session where token = encode(sha256($1), $2)', [
    browser.session(),
    'hex',
  ]);
  const dead = await browser.get('/partners');
  expect([dead.status, dead.headers['set-cookie']]).toEqual([
    401,
    [expect.stringContaining('__Host-concord=; ')],
  ]);
  // A garbled one too, and nobody else's page can do this.
  browser.jar.set('__Host-concord', 'garbled');
  await expectStatus(401, browser.request('GET', '/me', { headers: { 'sec-fetch-site': 'same-site' } }));
  expect(browser.jar.size).toBe(1);
  expect([(await browser.get('/me')).status, browser.jar.size]).toEqual([401, 0]);
});

it('B4: no cache may keep an answer that sets or deletes a cookie, whatever its operation allows', async () => {
  const browser = await signedIn();
  for (const path of ['/.well-known/jwks.json', '/.well-known/authzen-configuration']) {
    const open = await browser.get(path);
    expect([open.headers['cache-control'], open.headers['set-cookie']]).toEqual([
      expect.stringMatching(/^public, /),
      undefined,
    ]);
    for (const headers of [{}, { 'if-none-match': String(open.headers.etag) }]) {
      const garbled = openBrowser(service);
      garbled.jar.set('__Host-concord', 'garbled');
      const answer = await garbled.request('GET', path, { headers });
      expect([answer.status, answer.headers['cache-control']]).toEqual([
        Object.keys(headers).length === 0 ? 200 : 304,
        'no-store',
      ]);
      expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('__Host-concord=; ')]);
    }
  }
  const own = await browser.get('/me');
  expect([own.status, own.headers['cache-control']]).toEqual([200, 'private, no-cache']);
  await service.sql('delete from auth.session where token = encode(sha256($1), $2)', [
    browser.session(),
    'hex',
  ]);
  const ended = await browser.get('/me');
  expect([ended.status, ended.headers['cache-control'], browser.jar.size]).toEqual([401, 'no-store', 0]);
});

it('B5: the session of a banned user keeps its cookie, and works again after the ban', async () => {
  const browser = await signedIn();
  const { id } = (await browser.get('/me')).body;
  await service.post(`/users/${id}/ban`, {});
  expect([await statusOf(browser), browser.jar.size]).toEqual([401, 1]);
  await expectCode('banned', browser.get('/api/auth/list-sessions'));
  await service.post(`/users/${id}/unban`);
  expect(await statusOf(browser)).toBe(200);
});

it('B5: ending the own session, and deleting the own user, deletes the cookie', async () => {
  const browser = await signedIn();
  const other = openBrowser(service);
  await other.post('sign-in/email', { email: browser.email, password });
  const sessions = (await browser.get('/api/auth/list-sessions')).body as { id: string; current: boolean }[];
  for (const { id, current } of sessions.toSorted((one, two) => Number(one.current) - Number(two.current))) {
    await expectStatus(200, browser.post('revoke-session', { id }));
    expect(browser.jar.size).toBe(current ? 0 : 1);
  }
  await browser.post('sign-in/email', { email: browser.email, password });
  // The mail only asks. The password deletes.
  expect([(await browser.post('delete-user')).status, browser.jar.size]).toEqual([200, 1]);
  expect([(await browser.post('delete-user', { password: 'wrong' })).status, browser.jar.size]).toEqual([
    400, 1,
  ]);
  expect([(await browser.post('delete-user', { password })).status, browser.jar.size]).toEqual([200, 0]);
});

it('B5: bearer clients get no cookie', async () => {
  const { email, code } = await enrolment.enrol();
  const post = (path: string, body: object, token: string | null = null) =>
    service.request('POST', `/api/auth/${path}`, { token, body, headers: ownPage });
  const { body, headers } = await post('sign-in/email', { email, password });
  const done = await post('two-factor/verify-totp', { code: code(0), twoFactorToken: body.twoFactorToken });
  const out = await post('sign-out', {}, done.body.token);
  expect([headers, done.headers, out.headers].map((each) => each['set-cookie'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const cast = createCast(service);
  expect((await service.get('/me', (await cast.user()).token)).headers['set-cookie']).toBeUndefined();
});
