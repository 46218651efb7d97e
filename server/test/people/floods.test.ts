// Floods from one address: passwords and guessed tokens. Others go on working.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newAccessToken } from '../../src/access/index.ts';
import { atOnce, expectStatus, statusesOf, times } from '../stage/cast.ts';
import { fillLine } from '../stage/enrolment.ts';
import { operator, startTestService, type TestService } from '../stage/start-service.ts';

let service: TestService;
const from = (address: string) => ({ 'x-forwarded-for': address });
const post = (path: string, body: object, address: string) =>
  service.request('POST', `/api/auth/${path}`, { token: null, body, headers: from(address) });

describe('of passwords', () => {
  beforeAll(async () => {
    service = await startTestService({
      CONCORD_RATE_LIMIT: '1000/600s',
      CONCORD_TRUSTED_PROXIES: '127.0.0.1',
      // Sign-ups above it would be refused before they wait in the line (L10).
      CONCORD_MAIL_RATE_LIMIT: 'off',
    });
  });
  afterAll(() => service.stop());

  it('L3: sign-ins and sign-ups from one address wait in one line; a full line refuses only that address', async () => {
    const wrong = (i: number) => ({ email: `nobody${i}@flood.example`, password: 'a wrong password' });
    const flood = await fillLine(150, (i) =>
      i % 2 === 0
        ? post('sign-in/email', wrong(i), '203.0.113.1')
        : post('sign-up/email', { name: 'N', ...wrong(i) }, '203.0.113.1'),
    );
    expect(flood.refused.every(({ headers }) => headers['retry-after'] === '5')).toBe(true);
    // One account has at most ten attempts at once.
    const others = await fillLine(
      21,
      (i) => post('sign-in/email', i < 9 ? operator : wrong(i), '198.51.100.1'),
      20,
    );
    const expected = new Set([200, 401, 429]);
    expect(new Set(statusesOf(await flood.end()))).toEqual(expected);
    expect(new Set(statusesOf(await others.end()))).toEqual(expected);
  });

  it('L1, L3: a sign-in that is refused because the line is full is no failed attempt', async () => {
    const signIn = (password: string) =>
      post('sign-in/email', { email: operator.email, password }, '203.0.113.2');
    const flood = await fillLine(30, (i) =>
      post('sign-in/email', { email: `nobody${i}@flood.example`, password: 'wrong' }, '203.0.113.2'),
    );
    const refused = await atOnce(10, () => signIn(operator.password));
    expect(statusesOf(refused)).toEqual(Array(10).fill(429));
    await flood.end();
    await expectStatus(200, signIn(operator.password));
  });
});

describe('of guessed tokens', () => {
  afterEach(() => service.stop());
  const start = async (limit: string) => {
    service = await startTestService({ CONCORD_RATE_LIMIT: limit, CONCORD_TRUSTED_PROXIES: '127.0.0.1' });
  };
  const sessionToken = () => randomBytes(16).toString('hex');
  const get = (token: string | null, address: string) =>
    service.request('GET', '/partners/x', { token, headers: from(address) });

  it('L4: invalid tokens count for their address; above the limit they get 429, and a valid token still works', async () => {
    await start('20/600s');
    const token = await service.signIn();
    const answers = [];
    for (let i = 0; i < 25; i++)
      answers.push(await get(i % 2 ? sessionToken() : newAccessToken().token, `2001:db8:0:1::${i}`));
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
    expect(answers[0]?.headers.ratelimit).toBe('"invalid-tokens";r=19;t=600');
    const { headers, body } = answers[24]!;
    expect(headers['ratelimit-policy']).toBe('"invalid-tokens";q=20;w=600');
    expect(Number(headers['retry-after'])).toBeGreaterThan(300);
    expect(body.message).toContain('invalid tokens');
    const here = await get(token, '2001:db8:0:1::ff');
    expect([here.status, here.headers['ratelimit-policy']]).toEqual([404, '"default";q=20;w=600']);
    await expectStatus(401, get(sessionToken(), '2001:db8:0:2::1'));
    // Without a look-up there is no guess: no token, and a text that can be no token.
    for (const text of [null, 'garbled', `${newAccessToken().token.slice(0, -1)}!`])
      await expectStatus(401, get(text, '2001:db8:0:1::1'));
    // A token that is revoked counts as invalid from then on.
    await service.sql('delete from auth.session');
    await expectStatus(429, get(token, '2001:db8:0:1::ff'));
  });

  it('L4: above the limit few look-ups of an address run or wait, and tokens in use do not wait with them', async () => {
    await start('5/600s');
    const [used, unused] = [await service.signIn(), await service.signIn()];
    await expectStatus(404, get(used, '203.0.113.7'));
    for (let i = 0; i < 5; i++) await expectStatus(401, get(sessionToken(), '203.0.113.7'));
    // Every look-up waits while the table is locked.
    await service.sql('begin');
    await service.sql('lock table auth.session');
    let answered = 0;
    const guesses = times(60, async () => {
      const { status } = await get(sessionToken(), '203.0.113.7');
      answered++;
      return status;
    });
    // Two run and twenty wait.
    await expect.poll(() => answered).toBe(38);
    const inUse = get(used, '203.0.113.7');
    const refused = await get(unused, '203.0.113.7');
    expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([
      429,
      '"invalid-tokens";q=5;w=600',
    ]);
    await service.sql('commit');
    await expectStatus(404, inUse);
    expect(await Promise.all(guesses)).toEqual(Array(60).fill(429));
    await expectStatus(404, get(unused, '203.0.113.7'));
  });
});
