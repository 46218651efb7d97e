// Signing in to the console with a provider, and linking one.
import { expect, it } from 'vitest';
import { type Browser, consoleUrl, openBrowser } from '../stage/browser.ts';
import { expectCode, expectStatus, statusesOf } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { stopAt, untilWaiting } from '../stage/locks.ts';
import { browse } from '../stage/oidc.ts';
import { useProviderStage } from './provider-stage.ts';

const callback = `${consoleUrl}/api/auth/callback/oidc`;
const stage = useProviderStage(consoleUrl);

/** The browser goes to the provider and comes back by a redirect of another site. */
async function visit(
  browser: Browser,
  person: string,
  { path = 'sign-in/social', meanwhile = async () => {} } = {},
) {
  const left = await browser.post(path, { provider: 'oidc' });
  expect([left.status, Object.keys(left.body)]).toEqual([200, ['url']]);
  const state = [left.headers['set-cookie'] ?? []]
    .flat()
    .find((cookie) => cookie.startsWith('concord_oauth_state='));
  const back = await browse(left.body.url, person, callback);
  await meanwhile();
  // A SameSite=Strict cookie does not come with this navigation.
  const navigation = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  return stage.service.request('GET', back.pathname + back.search, {
    token: null,
    headers: { ...navigation, cookie: String(state).split(';', 1)[0] ?? '' },
  });
}
const complete = (browser: Browser, code: string) => browser.post('sign-in/provider-code', { code });

async function codeOf(browser: Browser, person: string) {
  const { status, headers, text } = await visit(browser, person);
  expect([status, text, headers['cache-control'], headers['referrer-policy']]).toEqual([
    303,
    '',
    'no-store',
    'no-referrer',
  ]);
  const [page, code = ''] = String(headers.location).split('#code=');
  expect([page, code.length]).toEqual(['/console/provider-return', 32]);
  return code;
}

it('B8: the page gets a code, and exchanges it for the session in the cookie', async () => {
  const browser = openBrowser(stage.service);
  const code = await codeOf(browser, stage.person('ann', 'ann@concord.test'));
  expect([...browser.jar.keys()]).toEqual(['__Host-concord-visit']);
  const done = await complete(browser, code);
  expect([done.status, done.body]).toEqual([
    200,
    { user: { id: expect.any(String), email: 'ann@concord.test', name: 'Name of ann' } },
  ]);
  expect([...browser.jar.keys()]).toEqual(['__Host-concord']);
  expect((await browser.get('/me')).body.email).toBe('ann@concord.test');
});

it('B8: a code works once, for a minute, and only in the browser that began', async () => {
  const browser = openBrowser(stage.service);
  const person = stage.person('bob', 'bob@concord.test');
  const refused = async (by: Browser, code: string) => {
    const { status, body } = await complete(by, code);
    expect([status, body.code, by.session()]).toEqual([400, 'invalid_token', undefined]);
  };
  const code = await codeOf(browser, person);
  const other = openBrowser(stage.service);
  await refused(other, code);
  other.jar.set('__Host-concord-visit', 'x'.repeat(32));
  await refused(other, code);
  await codeOf(other, person);
  await refused(other, code);
  await refused(browser, 'x'.repeat(32));
  // A contract path has no cookies, so no code works there.
  const cookie = `__Host-concord-visit=${browser.jar.get('__Host-concord-visit')}`;
  const direct = await stage.service.request('POST', '/api/auth/sign-in/provider-code', {
    token: null,
    body: { code },
    headers: { cookie },
  });
  expect(direct.body.code).toBe('invalid_token');
  const visitCookie = String(browser.jar.get('__Host-concord-visit'));
  await expectStatus(200, complete(browser, code));
  await browser.post('sign-out');
  browser.jar.set('__Host-concord-visit', visitCookie);
  await refused(browser, code);

  const late = await codeOf(browser, person);
  await stage.service.advanceClock(61_000);
  await refused(browser, late);
  await stage.service.runTask('delete expired sessions and tokens');
  expect(await stage.service.sql('select from auth.provider_code')).toEqual([]);
  await stage.service.advanceClock(0);
});

it('B8: two at once get one session', async () => {
  const browser = openBrowser(stage.service);
  const code = await codeOf(browser, stage.person('eve', 'eve@concord.test'));
  const answers = await Promise.all([complete(browser, code), complete(browser, code)]);
  expect(statusesOf(answers)).toEqual([200, 400]);
});

it('B8: a user with a second factor gets the challenge in the cookie', async () => {
  const browser = openBrowser(stage.service);
  const enrolment = createEnrolment(stage.service);
  const { email, code } = await enrolment.enrol();
  const exchanged = await complete(browser, await codeOf(browser, stage.person('mfa', email)));
  expect([exchanged.body, [...browser.jar.keys()]]).toEqual([
    { twoFactorRedirect: true },
    ['__Host-concord-two-factor'],
  ]);
  await expectStatus(200, browser.post('two-factor/verify-totp', { code: code(0) }));
  expect((await browser.get('/me')).body.credential.second_factor_proven).toBe(true);
});

it('B8: the database holds neither the code nor the session', async () => {
  const browser = openBrowser(stage.service);
  const code = await codeOf(browser, stage.person('sealed', 'sealed@concord.test'));
  const rows = JSON.stringify(
    await stage.service.sql(
      `select code_hash, browser_hash, encode(answer, 'escape') as answer from auth.provider_code`,
    ),
  );
  expect([rows.includes('answer'), rows.includes(code), rows.includes('token')]).toEqual([
    true,
    false,
    false,
  ]);
  await complete(browser, code);
});

it('B8: a refusal comes back as the code of its error', async () => {
  const browser = openBrowser(stage.service);
  const refused = await visit(
    browser,
    stage.person('unverified', 'unverified@concord.test', { email_verified: false }),
  );
  expect([refused.status, refused.headers.location]).toEqual([
    303,
    '/console/provider-return#error=email_not_verified',
  ]);
  const banned = stage.person('banned', 'banned@concord.test');
  await complete(browser, await codeOf(browser, banned));
  const { id } = (await browser.get('/me')).body;
  await stage.service.post(`/users/${id}/ban`, {});
  expect((await visit(browser, banned)).headers.location).toBe('/console/provider-return#error=banned');
});

it('B8: a link comes back to the account page, and changes no session', async () => {
  const { email } = await stage.service.signInStranger();
  const browser = openBrowser(stage.service);
  await browser.post('sign-in/email', { email, password });
  const before = browser.session();
  const linked = await visit(browser, stage.person('linked', email), { path: 'link-social' });
  expect([linked.status, linked.headers.location]).toEqual([303, '/console/account/sign-in#linked=oidc']);
  const wrong = await visit(browser, stage.person('wrong', 'wrong@concord.test'), { path: 'link-social' });
  expect([wrong.status, wrong.headers.location]).toEqual([
    303,
    '/console/account/sign-in#error=provider_refused',
  ]);
  expect([browser.session(), [...browser.jar.keys()]]).toEqual([before, ['__Host-concord']]);
});

it('B8: the deletion of the user ends the code', async () => {
  const browser = openBrowser(stage.service);
  const code = await codeOf(browser, stage.person('gone', 'gone@concord.test'));
  await stage.service.sql(`delete from auth."user" where email = 'gone@concord.test'`);
  await expectCode('invalid_token', complete(browser, code));
});

it('B8, T5: a user whose deletion begins while the code is made is deleted after it', async () => {
  const { service, person } = stage;
  const browser = openBrowser(service);
  const email = 'gone@concord.test';
  await codeOf(browser, person('gone', email));
  const stop = await stopAt(service.database, { table: 'auth.provider_code', event: 'insert' });
  const coming = visit(browser, 'gone');
  await stop.reached();
  const client = await service.database.connect();
  const deleted = client.query('delete from auth."user" where email = $1', [email]);
  await untilWaiting(service.database, 2).finally(stop.release);
  expect((await coming).headers.location).toContain('#code=');
  await deleted;
  await client.end();
});
