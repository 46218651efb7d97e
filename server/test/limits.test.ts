// The request window: rules L1 and L2.
import { afterEach, expect, it } from 'vitest';
import { addressGroup } from '../src/http/limits.ts';
import { startTestService, type TestService } from './start-service.ts';

let service: TestService;
afterEach(() => service?.stop());

const signIn = (headers: Record<string, string> = {}) =>
  service.request('POST', '/api/auth/sign-in/email', { token: null, body: {}, headers });

it('L1: requests are counted by credential; a request above the limit is 429 with Retry-After, RateLimit and RateLimit-Policy', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '5/60s' });
  const other = await service.signIn();
  const answers = [];
  for (let i = 0; i < 7; i++) answers.push(await service.request('GET', '/partners/x'));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429, 429]);
  expect(answers[0]?.headers).toMatchObject({
    'ratelimit-policy': '"default";q=5;w=60',
    ratelimit: '"default";r=4;t=60',
  });
  const { headers, body } = answers[6]!;
  expect(body.message).toContain('the limit "default" allows 5 in 1 minute. Try again in ');
  expect(Number(headers['retry-after'])).toBeGreaterThan(50);
  expect(headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
  expect((await service.request('GET', '/partners/x', { token: other })).status).toBe(404);
});

it('L7: a 429 names the limit that was reached, while the request window still has room', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '1000/60s' });
  const token = service.operatorToken;
  const body = { currentPassword: 'a wrong password', newPassword: 'another password' };
  const wrong = () => service.request('POST', '/api/auth/change-password', { token, body });
  const credentials = { email: 'nobody@concord.test', password: 'a wrong password' };
  const guess = () => service.request('POST', '/api/auth/sign-in/email', { token: null, body: credentials });
  for (const [attempt, allowed, name, seconds, span] of [
    [guess, 10, 'sign-in', 900, '10 in 15 minutes'],
    [wrong, 10, 'password', 3_600, '10 in 60 minutes'],
  ] as const) {
    let answer = await attempt();
    expect(answer.headers.ratelimit).toMatch(/^"default";r=\d+;/);
    for (let i = 0; i < allowed; i++) answer = await attempt();
    const { status, headers } = answer;
    expect([status, headers['ratelimit-policy']]).toEqual([429, `"${name}";q=${allowed};w=${seconds}`]);
    expect(headers.ratelimit).toBe(`"${name}";r=0;t=${headers['retry-after']}`);
    expect(answer.body.message).toContain(`the limit "${name}" allows ${span}. Try again in `);
  }
});

it('L1, E3: 401 comes before 429, and 429 before 404 and 400', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '2/60s' });
  const get = (token: string | null) => service.request('GET', '/partners?page_size=0', { token });
  expect((await get(service.operatorToken)).status).toBe(400);
  expect((await get(service.operatorToken)).status).toBe(400);
  expect((await get(service.operatorToken)).status).toBe(429);
  await service.database.sql('delete from auth.session');
  expect((await get(service.operatorToken)).status).toBe(401);
  for (let i = 0; i < 5; i++) expect((await get(null)).status).toBe(401);
});

it('L1: requests without a credential are counted by address; health requests are never limited', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '3/60s' });
  // The harness has already signed in once.
  expect([(await signIn()).status, (await signIn()).status, (await signIn()).status]).toEqual([400, 400, 429]);
  for (let i = 0; i < 10; i++) expect((await service.request('GET', '/health/live', { token: null })).status).toBe(200);
});

it('L2: the service trusts forwarded addresses only from trusted proxies', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '2/60s' });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await signIn({ 'x-forwarded-for': `203.0.113.${i}` })).status);
  expect(statuses).toEqual([400, 429, 429]);
  await service.stop();

  service = await startTestService({
    CONCORD_RATE_LIMIT: '2/60s',
    CONCORD_TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.1',
  });
  for (let i = 0; i < 3; i++) expect((await signIn({ 'x-forwarded-for': `203.0.113.${i}, 10.0.0.1` })).status).toBe(400);
  expect((await signIn({ 'x-forwarded-for': '6.6.6.6, 203.0.113.1, 10.0.0.1' })).status).toBe(400);
  // Entries left of the first untrusted address may be forged.
  expect((await signIn({ 'x-forwarded-for': '7.7.7.7, 203.0.113.1' })).status).toBe(429);
});

it('L1: a whole IPv6 /64 counts as one address', () => {
  service = undefined as unknown as TestService;
  expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe(addressGroup('2001:db8:1:2:ffff::1'));
  expect(addressGroup('2001:db8:1:2::1')).not.toBe(addressGroup('2001:db8:1:3::1'));
  expect(addressGroup('::ffff:192.0.2.1')).toBe('192.0.2.1');
});
