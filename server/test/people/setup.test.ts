// The setup: the link that the start prints, and what it does once.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { catalogue } from '../../src/base/error-catalogue.ts';
import { expectCode, expectStatus, pluck } from '../stage/cast.ts';
import { launch, newDataDir } from '../stage/launch.ts';
import { newDatabase } from '../stage/new-database.ts';
import {
  createClient,
  openService,
  operator,
  secrets,
  startBeside,
  type TestService,
  useService,
} from '../stage/start-service.ts';

const password = 'chosen in the browser';
const token = 'T'.repeat(32);

let hash: string;
const service = useService();
beforeAll(async () => {
  [{ password: hash }] = await service.sql('select password from auth.account');
});

/** As after the first start, with a link that has this token. */
beforeEach(async () => {
  await service.sql('delete from auth.session');
  await service.sql('update auth.account set password = $1', [hash]);
  await service.sql('delete from guard_count');
  await service.sql(
    `update setup set completed_at = null, token_hash = $1, expires_at = concord_now() + interval '1 day'`,
    [createHash('sha256').update(token).digest()],
  );
});

const setUp = (body: object, at: Pick<TestService, 'request'> = service) =>
  at.request('POST', '/api/auth/set-up', { token: null, body });
const signIn = (secret: string) =>
  service.post('/api/auth/sign-in/email', { email: operator.email, password: secret }, null);
const isDead = async () => expect((await setUp({ token, password })).body.code).toBe('invalid_token');

it('B13: each start prints a link until an operator has signed in, starts within ten minutes the same one, and only the last link works', async () => {
  const database = await newDatabase();
  const environment = {
    DATABASE_URL: database.url,
    CONCORD_SECRETS: secrets,
    CONCORD_DATA_DIR: newDataDir(),
  };
  const link = /^(?: {2})?(http:\S+)\/console\/setup#([\w-]{32})$/m;
  /** As `npm start` does. */
  async function startProgram(role: string) {
    const settings = { CONCORD_BASE_URL: 'http://concord.test', CONCORD_ROLE: role };
    const { child, lines, ended, ready } = launch({ ...environment, ...settings });
    await ready();
    child.kill('SIGTERM');
    await ended;
    const text = lines.filter((line) => !/^Stop/.test(line)).join('\n');
    return { text, found: link.exec(text) };
  }
  async function start() {
    const settings = { CONCORD_OPERATOR_EMAIL: 'operator@concord.local', CONCORD_ROLE: 'api' };
    const { url, stop, announcements } = await startBeside({ database }, settings);
    return { url, stop, found: link.exec(announcements.join('\n')) };
  }
  const post = async (url: string, body: object) => {
    const { request, close } = createClient(url);
    const answers = await Promise.all([1, 2, 3].map(() => request('POST', '/api/auth/set-up', { body })));
    close();
    return answers.map(({ status, body }) => (status === 200 ? body.user.email : body.code)).toSorted();
  };
  const first = await startProgram('all');
  expect(first.found?.[1]).toBe('http://concord.test');
  expect(first.text.split('\n').at(-1)).toBe(first.found?.[0]);
  expect(first.text).toContain('the password is');
  // A worker answers no requests, and ends no link.
  expect((await startProgram('worker')).found).toBeNull();

  // Instances of an installation start together.
  const soon = await Promise.all([start(), start()]);
  expect(soon.map(({ found }) => found?.[2])).toEqual([first.found?.[2], first.found?.[2]]);
  await Promise.all(soon.map(({ stop }) => stop()));
  await database.sql(`update setup set expires_at = expires_at - interval '10 minutes'`);

  const second = await start();
  expect(second.found?.[2]).not.toBe(first.found?.[2]);
  expect(await database.sql('select encode(token_hash, $1) as hash from setup', ['hex'])).toEqual([
    {
      hash: createHash('sha256')
        .update(second.found?.[2] ?? '')
        .digest('hex'),
    },
  ]);
  expect(await post(second.url, { token: first.found?.[2], password })).toEqual(
    Array(3).fill('invalid_token'),
  );
  // Of several requests at once, one succeeds.
  expect(await post(second.url, { token: second.found?.[2], password })).toEqual([
    'invalid_token',
    'invalid_token',
    'operator@concord.local',
  ]);
  await second.stop();
  const third = await start();
  expect(third.found).toBeNull();
  await third.stop();
});

it('B14: the token sets the password, signs in, and is dead; the log and a mail say so', async () => {
  const { status, body, headers } = await setUp({ token, password });
  expect([status, Object.keys(body).toSorted(), body.user.email, headers['cache-control']]).toEqual([
    200,
    ['token', 'user'],
    operator.email,
    'no-store',
  ]);
  await expectStatus(200, service.get('/platform/status', body.token));
  expect([(await signIn(password)).status, (await signIn(operator.password)).status]).toEqual([200, 401]);
  await isDead();
  const log = (await service.get('/audit-log?page_size=10', body.token)).body;
  const actions = pluck(log, 'action');
  expect(actions).toEqual(expect.arrayContaining(['account.set_up', 'account.sign_in']));
  const row = log.find(({ action }: { action: string }) => action === 'account.set_up');
  expect(row).toMatchObject({
    target: body.user.id,
    changes: { password: { before: '(secret)', after: '(secret)' } },
  });
  expect(JSON.stringify(log)).not.toMatch(new RegExp(`${password}|${token}`));
  // Without an SMTP server mails are files.
  const mails = () =>
    readdirSync(join(service.dataDir, 'outbox')).map((name) =>
      readFileSync(join(service.dataDir, 'outbox', name), 'utf8'),
    );
  await expect.poll(() => mails().some((text) => text.includes('Your password was changed'))).toBe(true);
});

it('B14: a sign-in of an operator ends the link', async () => {
  await expectStatus(200, signIn(operator.password));
  await isDead();
  expect(await service.sql('select token_hash, completed_at is null as open from setup')).toEqual([
    { token_hash: null, open: false },
  ]);
});

it('B14: of a sign-in with the printed password and a setup at once, one succeeds', async () => {
  for (let round = 0; round < 8; round++) {
    await service.sql('update auth.account set password = $1', [hash]);
    await service.sql(
      `update setup set completed_at = null, token_hash = $1, expires_at = concord_now() + interval '1 day'`,
      [createHash('sha256').update(token).digest()],
    );
    const [chosen, printed] = await Promise.all([setUp({ token, password }), signIn(operator.password)]);
    expect([
      [200, 401],
      [400, 200],
    ]).toContainEqual([chosen.status, printed.status]);
    const sessions = chosen.status === 200 ? [chosen.body.token] : [printed.body.token];
    await expectStatus(200, service.get('/me', sessions[0]));
    expect(await service.sql('select from auth.session')).toHaveLength(1);
    await service.sql('delete from auth.session');
  }
});

it('B14: the session of somebody who is no operator does not end the link', async () => {
  await service.signInStranger();
  await expectStatus(200, setUp({ token, password }));
});

it('B14: a wrong, malformed or expired token is 400, and changes nothing', async () => {
  for (const wrong of ['', 'x', token.toLowerCase(), `${token}T`])
    expect((await setUp({ token: wrong, password })).body.code, wrong).toBe('invalid_token');
  for (const body of [
    { token },
    { token, password: 'short' },
    { token, password, email: 'a@concord.test' },
    { token: 1, password },
  ])
    await expectCode('invalid_request', setUp(body));
  await service.advanceClock(86_400_001);
  await isDead();
  await service.advanceClock(0);
  await expectStatus(200, setUp({ token, password }));
});

it('B14: after ten wrong tokens from an address, the right one is 429 too', async () => {
  const guarded = await openService({ CONCORD_RATE_LIMIT: '1000/10s' });
  await guarded.database.sql(
    `update setup set completed_at = null, token_hash = $1, expires_at = concord_now() + interval '1 day'`,
    [createHash('sha256').update(token).digest()],
  );
  // A password that is refused is no guess.
  for (let count = 0; count < 2; count++)
    await expectCode('common_password', setUp({ token, password: 'password1234' }, guarded));
  for (let guess = 0; guess < 10; guess++)
    await expectStatus(400, setUp({ token: `wrong ${guess}`, password }, guarded));
  const { status, headers, body } = await setUp({ token, password }, guarded);
  expect([status, headers['ratelimit-policy'], body.code]).toEqual([
    catalogue.rate_limited.status,
    '"sign-in";q=10;w=900',
    'rate_limited',
  ]);
});
