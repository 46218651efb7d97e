// What guards accounts when many ask at once, or ask the wrong thing: codes, passwords, floods, a database that is away.
import * as OTPAuth from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator, startTestService, type TestService } from './start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    CONCORD_RATE_LIMIT: '100000/10s',
    CONCORD_TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(() => service.stop());

const password = operator.password;
const post = (path: string, token: string | null, body: object, headers = {}) =>
  service.request('POST', `/api/auth/${path}`, { token, body, headers });
const forget = () => service.database.sql('delete from guard_count');
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

/** A user of their own, with the second factor enabled. */
async function enrol() {
  await forget();
  const first = await service.signInStranger();
  const [{ email }] = (await service.database.sql(
    `select email from auth."user" join auth.session on user_id = "user".id where token = $1`,
    [first],
  )) as [{ email: string }];
  const { body } = await post('two-factor/enable', first, { password });
  const totp = OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP;
  const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  const enabled = await post('two-factor/verify-totp', first, { code: code(-1) });
  const challenge = async (): Promise<string> =>
    (await post('sign-in/email', null, { email, password })).body.twoFactorToken;
  return { email, token: enabled.body.token as string, code, challenge, secret: totp.secret.base32 };
}

describe('backup codes', () => {
  it('S1: of twenty generations at once three are answered, and exactly one set works, held by a caller', async () => {
    const { token, challenge } = await enrol();
    await forget();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('two-factor/generate-backup-codes', token, { password })),
    );
    expect(statusesOf(answers)).toEqual([...Array(3).fill(200), ...Array(17).fill(429)]);
    expect(answers[0]?.headers['cache-control']).toBe('no-store');
    const working = [];
    for (const { status, body } of answers) {
      if (status !== 200) continue;
      await forget();
      const { status: outcome } = await post('two-factor/verify-backup-code', null, {
        code: body.backupCodes[0],
        twoFactorToken: await challenge(),
      });
      if (outcome === 200) working.push(body.backupCodes);
    }
    expect(working).toHaveLength(1);
  });

  it('S1: without the bound, of twenty at once still exactly one set works', async () => {
    const unguarded = await startTestService();
    const totp = async (token: string) => {
      const { body } = await unguarded.request('POST', '/api/auth/two-factor/enable', {
        token,
        body: { password },
      });
      return (OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP).generate();
    };
    const { body: enabled } = await unguarded.request('POST', '/api/auth/two-factor/verify-totp', {
      body: { code: await totp(unguarded.operatorToken) },
    });
    const generate = () =>
      unguarded.request('POST', '/api/auth/two-factor/generate-backup-codes', {
        token: enabled.token,
        body: { password },
      });
    const sets = (await Promise.all(Array.from({ length: 20 }, generate))).map(
      ({ body }) => body.backupCodes as string[],
    );
    const outcomes = [];
    for (const [code] of sets) {
      outcomes.push(
        (
          await unguarded.request('POST', '/api/auth/two-factor/verify-backup-code', {
            token: enabled.token,
            body: { code },
          })
        ).status,
      );
    }
    expect(outcomes.sort()).toEqual([200, ...Array(19).fill(401)]);
    await unguarded.stop();
  });

  it('S1: one code used ten times at once is accepted once', async () => {
    const { token } = await enrol();
    const { body } = await post('two-factor/generate-backup-codes', token, { password });
    const uses = await Promise.all(
      Array.from({ length: 8 }, () =>
        post('two-factor/verify-backup-code', token, { code: body.backupCodes[3] }),
      ),
    );
    expect(statusesOf(uses)).toEqual([200, ...Array(7).fill(401)]);
  });

  it('S1: the tenth wrong password is the last one tried, also when the eleventh is right', async () => {
    const { token } = await enrol();
    for (let i = 0; i < 10; i++) {
      await service.database.sql(`delete from guard_count where key like 'backup-codes%'`);
      expect(
        (await post('two-factor/generate-backup-codes', token, { password: 'wrong password' })).status,
      ).toBe(400);
    }
    await service.database.sql(`delete from guard_count where key like 'backup-codes%'`);
    const { status, headers } = await post('two-factor/generate-backup-codes', token, { password });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
  });
});

describe('codes of the second factor', () => {
  it('T1: one TOTP code used at once in eight challenges is accepted once', async () => {
    const { code, challenge } = await enrol();
    const challenges = [];
    for (let i = 0; i < 8; i++) challenges.push(await challenge());
    await forget();
    const uses = await Promise.all(
      challenges.map((twoFactorToken) =>
        post('two-factor/verify-totp', null, { code: code(0), twoFactorToken }),
      ),
    );
    expect(statusesOf(uses)).toEqual([200, ...Array(7).fill(401)]);
  });

  it('L1: failures lock out by account and address, not the owner', async () => {
    const { email, challenge, code } = await enrol();
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    for (let i = 0; i < 10; i++)
      await post(
        'two-factor/verify-totp',
        null,
        { code: '000000', twoFactorToken: await challenge() },
        stranger,
      );
    const blocked = await post(
      'two-factor/verify-totp',
      null,
      { code: code(0), twoFactorToken: await challenge() },
      stranger,
    );
    expect([blocked.status, blocked.body.code]).toEqual([429, 'rate_limited']);
    expect(
      (await post('two-factor/verify-totp', null, { code: code(0), twoFactorToken: await challenge() }))
        .status,
    ).toBe(200);
    for (let i = 0; i < 10; i++)
      await post('sign-in/email', null, { email, password: 'wrong password' }, stranger);
    expect((await post('sign-in/email', null, { email, password }, stranger)).status).toBe(429);
    expect((await post('sign-in/email', null, { email, password })).status).toBe(200);
  });
});

describe('secrets', () => {
  it('S1: are not in a dump of the database, but for session tokens', async () => {
    const { token, secret, email } = await enrol();
    await forget();
    const { body } = await post('two-factor/generate-backup-codes', token, { password });
    await post('request-password-reset', null, { email });
    const tables = await service.database.sql(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace where relkind = 'r' and nspname in ('public', 'auth')`,
    );
    let dump = '';
    for (const { name } of tables)
      dump += JSON.stringify(await service.database.sql(`select t::text from ${name} t`));
    for (const hidden of [password, secret, ...body.backupCodes]) expect(dump).not.toContain(hidden);
    expect(dump).toContain(token);
    expect(service.logs.join('')).not.toContain(secret);
  });
});

describe('a flood of sign-ins', () => {
  it('L1: is worked two at a time or refused, and does not starve the rest', async () => {
    await forget();
    const flood = Array.from({ length: 150 }, (_, i) =>
      post('sign-in/email', null, { email: `f${i}@flood.example`, password }),
    );
    const read = await service.request('GET', '/partners');
    const first = await Promise.race([
      Promise.all(flood).then(() => 'the flood'),
      Promise.resolve(read).then(() => 'the read'),
    ]);
    expect([read.status, first]).toEqual([200, 'the read']);
    const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([401, 429]);
  });
});

describe('what an attacker tried', () => {
  const users = (filter: string) =>
    service.request('GET', `/users?filter[email]=${encodeURIComponent(filter)}`);

  it('T5: of sign-ins with the old password that race a change of it, no session survives', async () => {
    for (let round = 0; round < 3; round++) {
      await forget();
      const token = await service.signInStranger();
      const { body: own } = await service.request('GET', '/api/auth/list-accounts', { token });
      const [{ email }] = (await service.database.sql(`select email from auth."user" where id = $1`, [
        own[0].userId,
      ])) as [{ email: string }];
      const racing = Array.from({ length: 6 }, () => post('sign-in/email', null, { email, password }));
      const change = await post('change-password', token, {
        currentPassword: password,
        newPassword: 'another long password',
      });
      expect(change.status).toBe(200);
      await Promise.all(racing);
      expect((await service.request('GET', '/api/auth/list-sessions', { token })).body).toHaveLength(1);
    }
  });

  it('T5: a changed password ends challenges, trusted devices and reset tokens', async () => {
    const { email, token, challenge, code } = await enrol();
    const trusted = await post('two-factor/verify-totp', null, {
      code: code(0),
      twoFactorToken: await challenge(),
      trustDevice: true,
    });
    const begun = await challenge();
    await post('request-password-reset', null, { email });
    await expect
      .poll(() =>
        service.database.sql(
          `select from auth.verification where identifier like 'reset-password:%' and value = (select id from auth."user" where email = $1)`,
          [email],
        ),
      )
      .toHaveLength(1);
    await post('change-password', token, { currentPassword: password, newPassword: 'another long password' });
    expect(
      (await post('two-factor/verify-totp', null, { code: code(1), twoFactorToken: begun })).body.code,
    ).toBe('invalid_token');
    const again = await post('sign-in/email', null, {
      email,
      password: 'another long password',
      trustDeviceToken: trusted.body.trustDeviceToken,
    });
    expect(again.body.twoFactorRedirect).toBe(true);
    expect(
      await service.database.sql(
        `select from auth.verification where identifier like 'reset-password:%' and value = $1`,
        [trusted.body.user.id],
      ),
    ).toEqual([]);
  });

  it('T1: codes guessed from many addresses are bounded all the same', async () => {
    const { challenge } = await enrol();
    await forget();
    const statuses = [];
    let twoFactorToken = '';
    for (let i = 0; i < 55; i++) {
      // A challenge bears five tries.
      if (i % 4 === 0) twoFactorToken = await challenge();
      const from = { 'x-forwarded-for': `203.0.113.${i}` };
      statuses.push(
        (await post('two-factor/verify-totp', null, { code: '000000', twoFactorToken }, from)).status,
      );
    }
    expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401));
    expect(statuses.slice(50)).toEqual(Array(5).fill(429));
  });

  it('S1: a session without proof cannot make itself one with the password', async () => {
    const { email, code, challenge } = await enrol();
    const { body } = await post('two-factor/verify-totp', null, {
      code: code(0),
      twoFactorToken: await challenge(),
      trustDevice: true,
    });
    const unproven = (
      await post('sign-in/email', null, { email, password, trustDeviceToken: body.trustDeviceToken })
    ).body.token;
    for (const path of [
      'two-factor/get-totp-uri',
      'two-factor/disable',
      'two-factor/generate-backup-codes',
    ]) {
      const { status, body: refused } = await post(path, unproven, { password });
      expect([path, status, refused.code]).toEqual([path, 403, 'mfa_required']);
    }
  });

  it('T1: without a second factor there is no proof of one', async () => {
    const { token, challenge } = await enrol();
    const begun = await challenge();
    const { body: disabled } = await post('two-factor/disable', token, { password });
    const { body: enrolment } = await post('two-factor/enable', disabled.token, { password });
    expect(
      (
        await post('two-factor/verify-backup-code', null, {
          code: enrolment.backupCodes[0],
          twoFactorToken: begun,
        })
      ).status,
    ).toBe(400);
    await post('two-factor/verify-backup-code', disabled.token, { code: enrolment.backupCodes[1] });
    const { body: sessions } = await service.request('GET', '/api/auth/list-sessions', {
      token: disabled.token,
    });
    expect(sessions.map(({ mfaVerifiedAt }: { mfaVerifiedAt: unknown }) => mfaVerifiedAt)).toEqual([null]);
  });

  it('L1: what is no wrong password is not counted as one', async () => {
    await forget();
    const token = await service.signInStranger();
    for (let i = 0; i < 12; i++)
      expect((await post('two-factor/get-totp-uri', token, { password })).body.code).toBe(
        'two_factor_not_enabled',
      );
    expect(
      (
        await post('change-password', token, {
          currentPassword: password,
          newPassword: 'another long password',
        })
      ).status,
    ).toBe(200);
  });

  it('E2: odd input is refused, never a fault', async () => {
    await forget();
    for (const twoFactorToken of ['%', '%00', '2fa-%00.x', '2fa-', 'trust-device-x.y']) {
      expect((await post('two-factor/verify-totp', null, { code: '123456', twoFactorToken })).status).toBe(
        400,
      );
    }
    expect(
      (await post('reset-password', null, { token: 'a\0b', newPassword: 'a long password' })).status,
    ).toBe(400);
    expect((await post('revoke-session', service.operatorToken, { id: 'a\0b' })).status).toBe(400);
    expect((await service.request('GET', '/api/auth/verify-email?token=a.b.c', { token: null })).status).toBe(
      400,
    );
    expect(
      (await service.request('GET', '/api/auth/list-accounts', { token: `${service.operatorToken}.BAD` }))
        .status,
    ).toBe(200);
    expect(
      (await post('two-factor/get-totp-uri', `${service.operatorToken}.BAD`, { password })).body.code,
    ).toBe('two_factor_not_enabled');
    const {
      body: [{ id }],
    } = await users(operator.email);
    for (const moment of [
      '2026-12-01T00:00:00+23:59',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-15:00',
      '',
    ]) {
      expect([400]).toContain(
        (await service.request('POST', `/users/${id}/ban`, { body: { expires_at: moment } })).status,
      );
    }
  });
});

describe('mails', () => {
  it('L1: to one recipient are bounded by who asks, and in all; the answer does not tell', async () => {
    await forget();
    const { email } = await enrol();
    await forget();
    const waiting = async () =>
      (await service.database.sql(`select from auth.verification where identifier like 'reset-password:%'`))
        .length;
    const ask = (address: string) =>
      post('request-password-reset', null, { email }, { 'x-forwarded-for': address });
    const before = await waiting();
    for (let i = 0; i < 7; i++) expect((await ask('203.0.113.1')).status).toBe(200);
    await expect.poll(async () => (await waiting()) - before).toBe(5);
    // The owner, elsewhere, still gets theirs.
    expect((await ask('203.0.113.2')).status).toBe(200);
    await expect.poll(async () => (await waiting()) - before).toBe(6);
  });
});

describe('what has expired', () => {
  it('L1: sessions, tokens and counts are removed', async () => {
    const { token } = await enrol();
    const count = async () =>
      (
        await service.database.sql(
          `select (select count(*) from auth.session)::int + (select count(*) from auth.verification)::int + (select count(*) from auth.totp_use)::int + (select count(*) from guard_count)::int as n`,
        )
      )[0].n;
    await service.database.sql(
      `insert into auth.session (id, token, user_id, expires_at, updated_at) select 'old', 'old', user_id, now() - interval '1 second', now() from auth.session where token = $1`,
      [token],
    );
    await service.database.sql(
      `insert into auth.verification (id, identifier, value, expires_at) values ('old', 'old', 'old', now() - interval '1 second')`,
    );
    await service.database.sql(
      `insert into auth.totp_use (user_id, code, used_at) select user_id, 'old', now() - interval '1 hour' from auth.session where token = $1`,
      [token],
    );
    await service.database.sql(`insert into guard_count values ('old', 1, 1)`);
    const before = await count();
    await service.database.sql(`update scheduled_task set next_at = '-infinity'`);
    await service.tasks.runDue();
    expect(await count()).toBeLessThanOrEqual(before - 4);
    for (const table of ['auth.session', 'auth.verification', 'guard_count', 'auth.totp_use']) {
      expect(await service.database.sql(`select from ${table} t where t::text like '%old%'`)).toEqual([]);
    }
    expect((await service.request('GET', '/api/auth/list-accounts', { token })).status).toBe(200);
  });
});

describe('operators', () => {
  const users = (query = '', token = service.operatorToken) =>
    service.request('GET', `/users${query}`, { token });

  it('R5: list, search and page users; nobody else does', async () => {
    await service.signInStranger();
    const { body, headers } = await users('?sort_by=email&page_size=1');
    expect([body.length, headers['total-count'], typeof headers.link]).toEqual([
      1,
      String((await users()).body.length),
      'string',
    ]);
    const found = await users(`?filter[email]=${operator.email.toUpperCase()}`);
    expect(found.body).toMatchObject([{ email: operator.email, role: 'operator', banned: false }]);
    expect((await users('', await service.signInStranger())).status).toBe(403);
    expect((await users('?sort_by=id&page_from=W10')).status).toBe(400);
  });

  it('R5: make another operator, who can do everything; the last one stays, also when two go at once', async () => {
    const token = await service.signInStranger();
    const idOf = async (bearer: string) =>
      (await service.database.sql('select user_id from auth.session where token = $1', [bearer]))[0].user_id;
    const [me, other] = [await idOf(service.operatorToken), await idOf(token)];
    const role = (id: string, to: string, bearer = service.operatorToken) =>
      service.request('PUT', `/users/${id}/role`, { token: bearer, body: { role: to } });
    expect((await role(me, 'user')).body.code).toBe('last_operator');
    expect((await service.request('POST', `/users/${me}/ban`, { body: {} })).body.code).toBe('last_operator');
    expect((await service.request('DELETE', `/users/${me}`)).body.code).toBe('last_operator');
    await forget();
    expect((await post('delete-user', service.operatorToken, { password })).body.code).toBe('last_operator');
    expect((await role(other, 'user', token)).status).toBe(403);
    expect((await role(other, 'operator')).body.role).toBe('operator');
    expect((await users('', token)).status).toBe(200);
    const both = await Promise.all([role(me, 'user', token), role(other, 'user')]);
    // The loser is refused as the last one, or because it is no operator any more.
    expect(statusesOf(both)[0]).toBe(200);
    expect([400, 403]).toContain(statusesOf(both)[1]);
    expect(await service.database.sql(`select from auth."user" where role = 'operator'`)).toHaveLength(1);
    await service.database.sql(`update auth."user" set role = 'operator' where id = $1`, [me]);
    await service.database.sql(`update auth."user" set role = 'user' where id <> $1`, [me]);
  });

  it('R5: ban until a time, and delete; unknown users are 404', async () => {
    const token = await service.signInStranger();
    const [{ user_id: id }] = (await service.database.sql(
      'select user_id from auth.session where token = $1',
      [token],
    )) as [{ user_id: string }];
    const banned = await service.request('POST', `/users/${id}/ban`, {
      body: { reason: 'a reason', expires_at: '2999-01-01T00:00:00+01:00' },
    });
    expect(banned.body).toMatchObject({
      banned: true,
      ban_reason: 'a reason',
      ban_expires_at: '2998-12-31T23:00:00.000Z',
    });
    expect(
      (await service.request('POST', `/users/${id}/ban`, { body: { expires_at: 'tomorrow' } })).status,
    ).toBe(400);
    expect((await service.request('DELETE', `/users/${id}`)).status).toBe(204);
    for (const unknown of [id, 'x', '%00', 'usr_01h2xcejqtf2nbrexx3vqjhp41'])
      expect((await service.request('DELETE', `/users/${unknown}`)).status).toBe(404);
    expect((await service.request('GET', '/api/auth/list-accounts', { token })).status).toBe(401);
  });
});
