// Sign-in, sessions, operators, and better-auth's tables.

import { getMigrations } from 'better-auth/db/migration';
import { PostgresDialect } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/people/better-auth/better-auth.ts';
import { createPasswords } from '../../src/people/better-auth/passwords.ts';
import { expectCode, expectStatus } from '../stage/cast.ts';
import { newDatabase, openDatabase } from '../stage/new-database.ts';
import { operator, useService } from '../stage/start-service.ts';

const service = useService();

const signIn = (body: unknown, headers = {}) =>
  service.request('POST', '/api/auth/sign-in/email', { token: null, body, headers });
const listAs = async (token: string) => (await service.get('/partners', token)).status;

describe('sign-in', () => {
  it('T1: returns an opaque bearer token and no cookie', async () => {
    const { status, body, headers } = await signIn(operator);
    expect([
      status,
      body.user.email,
      headers['set-cookie'],
      headers['set-auth-token'],
      headers['cache-control'],
    ]).toEqual([200, operator.email, undefined, undefined, 'no-store']);
    expect(await listAs(body.token)).toBe(200);
  });

  it('T1: gives the same answer for a wrong password and an unknown account', async () => {
    const answers = [
      await signIn({ ...operator, password: 'wrong password' }),
      await signIn({ email: 'nobody@concord.test', password: 'wrong password' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code, body.message])).toEqual(
      Array(2).fill([401, 'invalid_credentials', expect.any(String)]),
    );
  });

  it('F4: a stored address whose domain cannot exist goes on working, and a new one is 400', async () => {
    const stored = 'ann@xn--a.co';
    const { id } = await service.signInStranger();
    await service.sql(`update auth."user" set email = $2 where id = $1`, [id, stored]);
    await expectStatus(200, signIn({ email: 'Ann@XN--A.co', password: operator.password }));
    const post = (path: string, body: object) => service.post(`/api/auth/${path}`, body, null);
    await expectStatus(200, post('request-password-reset', { email: 'Ann@xn--a.co' }));
    await expect
      .poll(() => service.sql(`select from auth.mail_link where purpose = 'reset_password'`))
      .toHaveLength(1);
    for (const email of [stored, 'bob@xn--a.co', 'bob@192.0.2.1'])
      expect(
        (await post('sign-up/email', { name: 'x', email, password: 'a long enough password' })).body
          .errors?.[0].pointer,
      ).toBe('/email');
  });

  it('F4: each address that can be invited signs up, and signs in with its password', async () => {
    const addresses = [`a&b/c='d'@dot-atom.example`, 'ann@xn--e1afmkfd.xn--p1ai', 'ann@b.c'];
    for (const email of addresses) {
      const { id } = await service.signInStranger();
      await service.sql('update auth."user" set email = $2 where id = $1', [id, email]);
      const { status, body } = await signIn({ email: email.toUpperCase(), password: operator.password });
      expect([status, body.user?.email]).toEqual([200, email]);
      await expectCode('invalid_credentials', signIn({ email, password: 'wrong password' }));
      const signUp = { name: 'x', email: `new.${email}`, password: 'a long enough password' };
      await expectStatus(200, service.post('/api/auth/sign-up/email', signUp, null));
    }
  });

  it('E7: refuses a bad body with 400 or 415, and ignores an address in a header', async () => {
    for (const body of [
      {},
      { email: 1, password: 'x' },
      { ...operator, extra: 1 },
      '[]',
      '{',
      { email: 'a\0@b', password: 'x' },
    ]) {
      await expectStatus(400, signIn(body));
    }
    await expectStatus(415, signIn(JSON.stringify(operator), { 'content-type': 'text/plain' }));
    await signIn(operator, { 'x-forwarded-for': '6.6.6.6', 'x-concord-client-address': '6.6.6.6' });
    const rows = await service.sql('select ip_address from auth.session order by created_at desc limit 1');
    expect(rows).toEqual([{ ip_address: '127.0.0.1' }]);
  });

  it('E6: ignores the query and the percent-encoding of the path', async () => {
    for (const path of [
      '/api/auth/sign-in/email?callbackURL=http://evil.example',
      '/api/auth/sign-in/%65mail',
    ]) {
      await expectStatus(200, service.post(path, operator, null));
    }
  });

  it('E4: returns a token that also works in the signed form of better-auth', async () => {
    const token = await service.signIn();
    expect(await listAs(`${token}.c2lnbmF0dXJl%3D`)).toBe(200);
  });
});

describe('sessions', () => {
  it('T1: last 7 days from the last use, and 30 days at most', async () => {
    const token = await service.signIn();
    const age = (created: string, updated: string, expires: string) =>
      service.sql(
        `update auth.session set created_at = now() - $2::interval, updated_at = now() - $3::interval, expires_at = now() + $4::interval where token = encode(sha256($1), 'hex')`,
        [token, created, updated, expires],
      );
    const hoursLeft = async () =>
      (
        await service.sql(
          `select round(extract(epoch from expires_at - now()) / 3600)::int as hours from auth.session where token = encode(sha256($1), 'hex')`,
          [token],
        )
      )[0].hours;
    await age('1 hour', '1 hour', '6 days');
    expect([await listAs(token), await hoursLeft()]).toEqual([200, 144]);
    await age('3 days', '2 days', '5 days');
    expect([await listAs(token), await hoursLeft()]).toEqual([200, 168]);
    await age('29 days', '2 days', '5 days');
    expect([await listAs(token), await hoursLeft()]).toEqual([200, 24]);
    await age('30 days', '2 days', '-1 second');
    expect(await listAs(token)).toBe(401);
  });

  it('T5: sign-out acts on the next request', async () => {
    const token = await service.signIn();
    await expectStatus(204, service.request('POST', '/api/auth/sign-out', { token }));
    expect(await listAs(token)).toBe(401);
    await expectStatus(401, service.request('POST', '/api/auth/sign-out', { token }));
  });

  it('T5: a ban acts on the next request and lasts until it expires', async () => {
    const { id, token } = await service.signInStranger();
    const ban = (banned: boolean, expires: string | null) =>
      service.sql(`update auth."user" set banned = $2, ban_expires = $3 where id = $1`, [
        id,
        banned,
        expires,
      ]);
    expect(await listAs(token)).toBe(200);
    await ban(true, null);
    expect(await listAs(token)).toBe(401);
    await ban(true, '2020-01-01');
    expect(await listAs(token)).toBe(200);
  });
});

describe('operators', () => {
  it('R5: another password in the configuration does not change the operator', async () => {
    const { ensureFirstOperator } = await import('../../src/people/index.ts');
    const db = service.database.open();
    await ensureFirstOperator({
      db,
      passwords: createPasswords(),
      email: 'other@concord.test',
      password: 'another password',
      announce: () => {},
    });
    await db.close();
    await expectStatus(200, signIn(operator));
    expect(await service.sql(`select from auth."user" where role = 'operator'`)).toHaveLength(1);
  });
});

describe('better-auth', () => {
  it('finds nothing to add to the tables of our migration', async () => {
    const database = await newDatabase();
    const db = openDatabase(database.url);
    const auth = createAuth({
      pool: db.pool,
      baseUrl: 'http://concord.test',
      secrets: [{ version: 1, value: 'x'.repeat(32) }],
      passwords: createPasswords(),
      providers: {},
      beforeLink: async () => true,
      isBanned: async () => false,
    });
    // better-auth compares a dialect, and our adapter is a function.
    const dialect = new PostgresDialect({ pool: db.pool });
    const options = { ...auth.options, database: { dialect, type: 'postgres', schemaName: 'auth' } as const };
    const { toBeCreated, toBeAdded } = await getMigrations(options);
    expect([toBeCreated, toBeAdded]).toEqual([[], []]);
    await database.sql('alter table auth.session drop column user_agent');
    expect((await getMigrations(options)).toBeAdded).toHaveLength(1);
  });
});
