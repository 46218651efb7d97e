// The request window: rules L1 and L2.

import { afterEach, expect, it } from 'vitest';
import { addressGroup } from '../../src/base/http/address-group.ts';
import { deleteEndedWindows } from '../../src/base/limits/store.ts';
import { atOnce, expectStatus, times } from '../stage/cast.ts';
import { hold } from '../stage/locks.ts';
import { startTestService, type TestService } from '../stage/start-service.ts';

let service: TestService;
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUps.splice(0)) await undo();
  await service?.stop();
});

const signIn = (headers: Record<string, string> = {}) =>
  service.request('POST', '/api/auth/sign-in/email', { token: null, body: {}, headers });

it('L1: requests are counted by credential; a request above the limit is 429 with Retry-After, RateLimit and RateLimit-Policy', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '5/600s' });
  const other = await service.signIn();
  const answers = [];
  for (let i = 0; i < 7; i++) answers.push(await service.get('/partners/x'));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429, 429]);
  expect(answers[0]?.headers).toMatchObject({
    'ratelimit-policy': '"default";q=5;w=600',
    ratelimit: '"default";r=4;t=600',
  });
  const { headers, body } = answers[6]!;
  expect(body.message).toContain('the limit "default" allows 5 in 10 minutes. Try again in ');
  expect(Number(headers['retry-after'])).toBeGreaterThan(500);
  expect(headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
  await expectStatus(404, service.get('/partners/x', other));
});

it('L15: all credentials of a user together have four times the window of one', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '8/600s' });
  const tokens = await atOnce(5, () => service.signIn());
  // Of a flood, only what its own credential is allowed counts.
  for (let n = 0; n < 40; n++) await service.get('/partners/x');
  const answers = [];
  for (const token of tokens.slice(0, 4))
    for (let n = 0; n < 8; n++) answers.push(await service.get('/partners/x', token));
  expect(answers.map(({ status }) => status)).toEqual([...Array(24).fill(404), ...Array(8).fill(429)]);
  expect(answers[23]?.headers['ratelimit-policy']).toBe('"default";q=8;w=600');
  expect(answers[24]?.headers['ratelimit-policy']).toBe('"user";q=32;w=600');
  await expectStatus(404, service.get('/partners/x', (await service.signInStranger()).token));
});

it('L7: a 429 names the limit that was reached, while the request window still has room', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '1000/600s' });
  const token = service.operatorToken;
  const body = { currentPassword: 'a wrong password', newPassword: 'another password' };
  const wrong = () => service.post('/api/auth/change-password', body, token);
  const credentials = { email: 'nobody@concord.test', password: 'a wrong password' };
  const guess = () => service.post('/api/auth/sign-in/email', credentials, null);
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
  service = await startTestService({ CONCORD_RATE_LIMIT: '2/600s' });
  const get = (token: string | null) => service.get('/partners?page_size=0', token);
  await expectStatus(400, get(service.operatorToken));
  await expectStatus(400, get(service.operatorToken));
  await expectStatus(429, get(service.operatorToken));
  await service.sql('delete from auth.session');
  await expectStatus(401, get(service.operatorToken));
  for (let i = 0; i < 5; i++) await expectStatus(401, get(null));
});

it('L1: requests without a credential are counted by address; health requests are never limited', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '2/600s' });
  for (const status of [400, 400, 429]) await expectStatus(status, signIn());
  for (let i = 0; i < 10; i++) await expectStatus(200, service.get('/health/live', null));
});

it('L2: the service trusts forwarded addresses only from trusted proxies', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '1/600s' });
  for (const [i, status] of [400, 429, 429].entries())
    await expectStatus(status, signIn({ 'x-forwarded-for': `203.0.113.${i}` }));
  await service.stop();

  service = await startTestService({
    CONCORD_RATE_LIMIT: '2/600s',
    CONCORD_TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.1',
  });
  for (let i = 0; i < 3; i++)
    await expectStatus(400, signIn({ 'x-forwarded-for': `203.0.113.${i}, 10.0.0.1` }));
  await expectStatus(400, signIn({ 'x-forwarded-for': '6.6.6.6, 203.0.113.1, 10.0.0.1' }));
  // Entries left of the first untrusted address may be forged.
  await expectStatus(429, signIn({ 'x-forwarded-for': '7.7.7.7, 203.0.113.1' }));
});

it('L1: a whole IPv6 /64 counts as one address', () => {
  service = undefined as unknown as TestService;
  expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe(addressGroup('2001:db8:1:2:ffff::1'));
  expect(addressGroup('2001:db8:1:2::1')).not.toBe(addressGroup('2001:db8:1:3::1'));
  expect(addressGroup('::ffff:192.0.2.1')).toBe('192.0.2.1');
  // Some proxies add the port.
  for (const text of ['192.0.2.1:50000', '[::ffff:192.0.2.1]:50000', '[::ffff:192.0.2.1]'])
    expect(addressGroup(text)).toBe('192.0.2.1');
  expect(addressGroup('somebody')).toBe(addressGroup('somebody else'));
});

it('L9: with CONCORD_RATE_LIMIT_STORE=postgres the window holds for all instances, also for requests at the same moment', async () => {
  const settings = {
    CONCORD_RATE_LIMIT: '40/600s',
    CONCORD_RATE_LIMIT_STORE: 'postgres',
  };
  service = await startTestService(settings);
  const { database } = service;
  const second = await startTestService(settings, () => database.url);
  cleanUps.push(() => second.stop());
  const token = service.operatorToken;
  const get = (instance: TestService) => instance.request('GET', '/partners/x', { token });
  const answers = await atOnce(60, (index) => get(index % 2 === 0 ? service : second));
  const known = answers.filter(({ status }) => status === 404);
  expect(known).toHaveLength(40);
  const left = known.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]));
  expect(left.toSorted((a, b) => a - b)).toEqual(times(40, (index) => index));
  // Addresses are counted together too: the harness of the second instance has signed in from this one.
  const signIns = [
    await signIn(),
    await second.request('POST', '/api/auth/sign-in/email', { token: null, body: {} }),
  ];
  expect(signIns.map(({ headers }) => String(headers.ratelimit).split(';')[1])).toEqual(['r=38', 'r=37']);
  // Above the limit, an instance asks the database once in a second.
  const requestsOf = async () =>
    (await database.sql('select max(requests) as requests from request_window'))[0].requests as number;
  const [before, begun] = [await requestsOf(), performance.now()];
  for (let n = 0; n < 100; n++) await expectStatus(429, get(n % 2 === 0 ? service : second));
  expect((await requestsOf()) - before).toBeLessThanOrEqual(2 * (1 + (performance.now() - begun) / 1_000));
  // A window that has ended starts anew, and its row is deleted when nobody uses it.
  await service.advanceClock(600_000);
  await expect
    .poll(async () => (await get(second)).headers.ratelimit)
    .toMatch(/^"default";r=39;t=(600|599)$/);
  await database.sql(`update request_window set ends_at = ends_at - interval '5 minutes'`);
  expect((await get(second)).headers.ratelimit).toMatch(/^"default";r=38;t=(300|2\d\d)$/);
  await service.runTask('delete ended request windows');
  expect(await database.sql('select requests from request_window')).toEqual([{ requests: 2 }]);
});

it('L9: an instance counts for itself while the database cannot count', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '3/600s', CONCORD_RATE_LIMIT_STORE: 'postgres' });
  const get = async () => (await service.get('/partners/x')).status;
  expect(await get()).toBe(404);
  await service.sql('alter table request_window rename to away');
  expect([await get(), await get(), await get(), await get()]).toEqual([404, 404, 404, 429]);
  expect(service.logs.filter((line) => line.includes('requests are not counted together'))).toHaveLength(1);
  await service.sql('alter table away rename to request_window');
  expect([await get(), await get(), await get()]).toEqual([404, 404, 429]);
});

it('L9: a window whose row is locked delays the requests of no caller for long', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '1000/600s', CONCORD_RATE_LIMIT_STORE: 'postgres' });
  const other = await service.signIn();
  await service.get('/partners/x');
  const holder = await hold(service.database, 'select from request_window for update');
  cleanUps.push(() => holder.end());
  const start = performance.now();
  const answers = await Promise.all(
    [service.operatorToken, other].map((token) => service.get('/partners/x', token)),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  // The statement timeout of other connections is 10 s.
  expect(performance.now() - start).toBeLessThan(8_000);
});

it('L9: windows that have ended are deleted faster than strangers with many addresses can start them', async () => {
  service = await startTestService({ CONCORD_RATE_LIMIT: '100/10s', CONCORD_RATE_LIMIT_STORE: 'postgres' });
  const { sql } = service;
  const insert = (minutes: number, count: number) =>
    sql(
      `insert into request_window select lpad($1 || '0' || n, 43, '0'), concord_now() + $1::int * interval '1 minute', 1 from generate_series(1, $2::int) n`,
      [String(minutes), count],
    );
  for (const minutes of [60, -1]) await insert(minutes, 1);
  await service.runTask(deleteEndedWindows.name);
  expect(await sql(`select from request_window where key like '%06001'`)).toHaveLength(1);
  await insert(-2, 40_000);
  await service.runTask(deleteEndedWindows.name);
  const [left] = await sql(
    'select count(*)::float8 as count from request_window where ends_at <= concord_now()',
  );
  // An instance answers a few thousand requests in a second.
  expect(((40_000 - left!.count) / deleteEndedWindows.intervalMs) * 1_000).toBeGreaterThanOrEqual(10_000);
});
