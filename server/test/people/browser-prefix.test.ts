// The entry point of the console: who may come in below /console/api, and what is there.
import { beforeAll, expect, it } from 'vitest';
import { consoleUrl, openBrowser, ownPage } from '../stage/browser.ts';
import { createCast, expectStatus, pluck } from '../stage/cast.ts';
import { openService, operator, type Response, useService } from '../stage/start-service.ts';

/** A cookie with a live session. */
let cookie: string;
const service = useService({ CONCORD_BASE_URL: consoleUrl });
beforeAll(() => {
  cookie = `__Host-concord=${service.operatorToken}`;
});

type Headers = Record<string, string | string[]>;
const send = (method: string, path: string, headers: Headers, body?: unknown) =>
  service.request(method, path, { token: null, headers, body });
const codeOf = ({ status, body }: Response) => (status < 400 ? status : `${status} ${body.code}`);

it('B1: below /console/api every operation has the path of the API, and the cookie is the credential', async () => {
  const me = await send('GET', '/console/api/me', { cookie, ...ownPage });
  expect([me.status, me.body.email, me.body.credential.kind]).toEqual([200, operator.email, 'session']);
  const made = await send('POST', '/console/api/partners?x=1', { cookie, ...ownPage }, { name: 'Acme' });
  expect(made.status).toBe(201);
  const list = await send('GET', '/console/api/partners?filter[name]=Acm&page_size=1', {
    cookie,
    ...ownPage,
  });
  expect(pluck(list.body, 'id')).toEqual([made.body.id]);
  // The same rules hold: the entity tag, the error body, 405.
  const tag = String(me.headers.etag);
  await expectStatus(304, send('GET', '/console/api/me', { cookie, ...ownPage, 'if-none-match': tag }));
  expect(codeOf(await send('PUT', '/console/api/me', { cookie, ...ownPage }))).toBe('405 method_not_allowed');
  expect(codeOf(await send('GET', '/console/api/me', ownPage))).toBe('401 unauthenticated');
});

it('B1: what is no operation is not there, and another spelling of the prefix leads nowhere', async () => {
  for (const path of [
    '/console/api',
    '/console/api/',
    '/console/api?x=/console/api/me',
    '/console/api?x=%2F',
    '/console/api//me',
    '/console/api/../me',
    '/console/api/./me',
    '//console/api/me',
    '/Console/api/me',
    '/console/%61pi/me',
    '/%63onsole/api/me',
    '/console%2Fapi%2Fme',
    '/console/api%2Fme',
    '/console/%61pi',
    '/console/%2561pi/me',
    '/console/api/console/api/me',
    '/console/api/%63onsole/api/me',
    '/console/api/docs',
    '/console/api/docs/',
    '/console/api/docs/static/index.html',
    '/console/api/openapi.json',
    '/console/api/console/verify',
    '/console/api/console/index.html',
    '/console/api/unknown',
  ]) {
    const answer = await send('GET', path, { cookie, ...ownPage, accept: 'application/json' });
    expect(codeOf(answer), path).toBe('404 not_found');
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

it('E4, B1: a contract path never looks at a cookie', async () => {
  for (const path of ['/me', '/partners', '/api/auth/list-sessions']) {
    for (const headers of [{ cookie }, { cookie, ...ownPage, 'concord-console': '1', origin: consoleUrl }]) {
      const answer = await send('GET', path, headers);
      expect(codeOf(answer), path).toBe('401 unauthenticated');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  }
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const foreign: Record<string, Headers> = {
  'another site': {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'cors',
    origin: 'https://evil.example',
  },
  'another site that claims our origin': {
    'sec-fetch-site': 'cross-site',
    origin: consoleUrl,
    'concord-console': '1',
  },
  'another port of this host': {
    'sec-fetch-site': 'same-site',
    origin: `${consoleUrl}:8443`,
    'concord-console': '1',
  },
  'a form of another site': { 'sec-fetch-site': 'cross-site', ...navigation, ...form },
  'a form of another port': { 'sec-fetch-site': 'same-site', ...navigation, ...form },
  'a link from elsewhere': { 'sec-fetch-site': 'cross-site', ...navigation, 'sec-fetch-user': '?1' },
  'an address that a person typed': { 'sec-fetch-site': 'none', ...navigation, 'sec-fetch-user': '?1' },
  'a sandboxed frame': { 'sec-fetch-site': 'cross-site', origin: 'null', 'concord-console': '1' },
  'Fetch Metadata twice': { 'sec-fetch-site': ['same-origin', 'cross-site'] },
  'Fetch Metadata without the site': { 'sec-fetch-mode': 'cors', 'concord-console': '1', origin: consoleUrl },
  'nothing at all': {},
  'the origin alone': { origin: consoleUrl },
  'another value of the header': { 'concord-console': 'true', origin: consoleUrl },
  'the header twice': { 'concord-console': ['1', '1'], origin: consoleUrl },
  'the header, and another origin': { 'concord-console': '1', origin: 'https://evil.example' },
  'the header, and another port': { 'concord-console': '1', origin: `${consoleUrl}:8443` },
  'the header, and http': { 'concord-console': '1', origin: 'http://concord.test' },
  'the header, and a sandboxed frame': { 'concord-console': '1', origin: 'null' },
  'the header, and two origins': { 'concord-console': '1', origin: [consoleUrl, consoleUrl] },
};

it.each(Object.entries(foreign))('B2: %s may not come in', async (_, headers) => {
  for (const [method, path] of [
    ['GET', '/me'],
    ['GET', '/health/live'],
    ['POST', '/partners'],
    ['POST', '/api/auth/sign-in/email'],
    ['DELETE', '/partners/ptr_01h2xcejqtf2nbrexx3vqjhp41'],
  ] as const) {
    const answer = await send(
      method,
      `/console/api${path}`,
      { cookie, ...headers },
      method === 'POST' ? '{' : undefined,
    );
    expect([path, codeOf(answer)], method).toEqual([path, '401 unauthenticated']);
    // Nobody else may read the answer, or end the session.
    expect(Object.keys(answer.headers).filter((name) => /^access-control|^set-cookie/.test(name))).toEqual(
      [],
    );
  }
  const preflight = await send('OPTIONS', '/console/api/me', {
    ...headers,
    'access-control-request-method': 'GET',
  });
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([405, undefined]);
});

it('B2: a client without Fetch Metadata needs the header, and the origin for a change', async () => {
  const header = { cookie, 'concord-console': '1' };
  await expectStatus(200, send('GET', '/console/api/me', header));
  await expectStatus(200, send('HEAD', '/console/api/me', header));
  expect(codeOf(await send('POST', '/console/api/partners', header, { name: 'Acme' }))).toBe(
    '401 unauthenticated',
  );
  await expectStatus(
    201,
    send('POST', '/console/api/partners', { ...header, origin: consoleUrl }, { name: 'Acme' }),
  );
  await expectStatus(200, send('GET', '/console/api/me', { ...header, origin: consoleUrl }));
});

it('B2: an Authorization header is 400, with and without a cookie', async () => {
  const token = { authorization: `Bearer ${service.operatorToken}` };
  for (const headers of [
    token,
    { ...token, cookie },
    { authorization: '', cookie },
    { ...token, 'concord-console': '1' },
  ]) {
    const answer = await send('GET', '/console/api/me', { ...ownPage, ...headers });
    expect(codeOf(answer)).toBe('400 invalid_request');
    expect(answer.body.message).toContain('without /console/api');
  }
});

it('B3: a cookie that is not ours, garbled, or there twice signs nobody in', async () => {
  const { operatorToken: token } = service;
  const { token: stranger } = await service.signInStranger();
  for (const refused of [
    `concord=${token}`,
    `__Host-concor=${token}`,
    `__Host-concord2=${token}`,
    `x__Host-concord=${token}`,
    // A page of a subdomain can set these: for the browser they have no prefix.
    `\xa0__Host-concord=${token}`,
    `a=1; \xa0__Host-concord=${token}`,
    `\xa0 __Host-concord=${token}`,
    `__host-concord=${token}`,
    `__Secure-concord=${token}`,
    `better-auth.session_token=${token}`,
    '__Host-concord=',
    `__Host-concord=${'x'.repeat(32)}`,
    `__Host-concord="${token}"`,
    `__Host-concord=${token}.signature`,
    `__Host-concord=Bearer ${token}`,
    `__Host-concord=${token}; __Host-concord=${token}`,
    `__Host-concord=${stranger}; a=b; __Host-concord=${token}`,
  ]) {
    expect(codeOf(await send('GET', '/console/api/me', { ...ownPage, cookie: refused })), refused).toBe(
      '401 unauthenticated',
    );
  }
  const twoHeaders = [`__Host-concord=${token}`, `__Host-concord=${stranger}`];
  await expectStatus(401, send('GET', '/console/api/me', { ...ownPage, cookie: twoHeaders }));
  for (const accepted of [`a=1; __Host-concord=${token}; b=2`, `a; =;__Host-concord=${token}`]) {
    await expectStatus(200, send('GET', '/console/api/me', { ...ownPage, cookie: accepted }));
  }
});

it('B3: an access token in the cookie signs nobody in', async () => {
  const cast = createCast(service);
  const token = await cast.accessToken(await cast.user());
  await expectStatus(200, service.get('/me', token));
  const cookies = { ...ownPage, cookie: `__Host-concord=${token}` };
  expect(codeOf(await send('GET', '/console/api/me', cookies))).toBe('401 unauthenticated');
});

it('B3, L4: cookies with unknown sessions count like other invalid tokens', async () => {
  const limited = await openService({ CONCORD_BASE_URL: consoleUrl, CONCORD_RATE_LIMIT: '20/600s' });
  const guess = { ...ownPage, cookie: `__Host-concord=${'x'.repeat(32)}` };
  const { headers } = await limited.request('GET', '/console/api/me', { token: null, headers: guess });
  expect(headers['ratelimit-policy']).toContain('"invalid-tokens"');
});

it('B3: with a base URL of this machine, cookies have no prefix and need no https', async () => {
  const local = await openService({ CONCORD_BASE_URL: 'http://localhost:3000' });
  const browser = openBrowser(local);
  await browser.post('sign-in/email', { email: operator.email, password: operator.password });
  expect([...browser.jar.keys()]).toEqual(['concord']);
  expect((await browser.get('/me')).body.email).toBe(operator.email);
  const prefixed = { ...ownPage, cookie: `__Host-concord=${local.operatorToken}` };
  await expectStatus(401, local.request('GET', '/console/api/me', { token: null, headers: prefixed }));
});

it('B3: with an http base URL of another machine nobody signs in with a cookie, and the answer says why', async () => {
  const plain = await openService({ CONCORD_BASE_URL: 'http://concord.test' });
  const browser = openBrowser(plain);
  for (const path of ['sign-in/email', 'two-factor/verify-totp', 'two-factor/disable']) {
    const { status, body, headers } = await browser.post(path, {
      email: operator.email,
      password: operator.password,
    });
    expect([status, body.code, headers['set-cookie']], path).toEqual([403, 'insecure_base_url', undefined]);
    expect(body.message).toContain('CONCORD_BASE_URL is http://concord.test:');
  }
  for (const name of ['concord', '__Host-concord']) {
    browser.jar.set(name, plain.operatorToken);
    await expectStatus(401, browser.get('/me'));
  }
  await expectStatus(200, browser.get('/health/live'));
});
