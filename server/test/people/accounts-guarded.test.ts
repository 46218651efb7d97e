// The limits that protect accounts from simultaneous and wrong requests, and other attacks on accounts.
import { describe, expect, it } from 'vitest';
import { atOnce, expectCode, expectStatus, pluck, statusesOf, succeed } from '../stage/cast.ts';
import { createEnrolment, fillLine, password } from '../stage/enrolment.ts';
import { tokenIn, useMailed } from '../stage/mailbox.ts';
import { openService, operator } from '../stage/start-service.ts';

const { mailbox, service } = useMailed({
  CONCORD_RATE_LIMIT: '100000/10s',
  CONCORD_TRUSTED_PROXIES: '127.0.0.1',
});
const { post, forget, enrol } = createEnrolment(service);

it('S2: a right code is no wrong one where the database fails meanwhile: it is 500, and the sign-in goes on with that code', async () => {
  const { challenge, code } = await enrol();
  const verify = { code: code(0), twoFactorToken: await challenge() };
  await service.sql(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'gone' using errcode = '57P01'; end $$;
     insert into auth.verification (id, identifier, value, expires_at) values ('left', repeat('0', 64), '', now() - interval '1 hour')`,
  );
  const failWhere = (row: string) =>
    service.sql(
      `create or replace trigger fail before delete on auth.verification for each row when (${row}) execute function fail()`,
    );
  await failWhere('true');
  await expectStatus(500, post('two-factor/verify-totp', null, verify));
  // It leaves the clean-up to a task.
  await failWhere(`old.id = 'left'`);
  await expectStatus(200, post('two-factor/verify-totp', null, verify));
  await service.sql('drop function fail() cascade');
});

describe('backup codes', () => {
  it('S1: three of twenty simultaneous generations succeed, and exactly one returned set works', async () => {
    const { token, challenge } = await enrol();
    await forget();
    const answers = await atOnce(20, () => post('two-factor/generate-backup-codes', token, { password }));
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

  it('S1: exactly one set of twenty simultaneous generations works, even without the limit', async () => {
    const unguarded = createEnrolment(await openService());
    const { token } = await unguarded.enrol();
    const answers = await atOnce(20, () =>
      unguarded.post('two-factor/generate-backup-codes', token, { password }),
    );
    const uses = [];
    for (const { body } of answers)
      uses.push(await unguarded.post('two-factor/verify-backup-code', token, { code: body.backupCodes[0] }));
    expect(statusesOf(uses)).toEqual([200, ...Array(19).fill(401)]);
  });

  it('S1: one of eight simultaneous uses of one code succeeds', async () => {
    const { token } = await enrol();
    const { body } = await post('two-factor/generate-backup-codes', token, { password });
    const uses = await atOnce(8, () =>
      post('two-factor/verify-backup-code', token, { code: body.backupCodes[3] }),
    );
    expect(statusesOf(uses)).toEqual([200, ...Array(7).fill(401)]);
  });

  it('T1: of simultaneous backup codes each works, in a session and in sign-ins', async () => {
    const { token, challenge } = await enrol();
    const { body } = await post('two-factor/generate-backup-codes', token, { password });
    const challenges = [await challenge(), await challenge(), await challenge(), await challenge()];
    const [ofSession, ofSignIns] = [body.backupCodes.slice(0, 4), body.backupCodes.slice(4, 8)];
    await forget();
    const verify = (bearer: string | null, proof: object) =>
      post('two-factor/verify-backup-code', bearer, proof);
    const inSession = await Promise.all(ofSession.map((code: string) => verify(token, { code })));
    expect(statusesOf(inSession)).toEqual([200, 200, 200, 200]);
    const inSignIns = await Promise.all(
      challenges.map((twoFactorToken, i) => verify(null, { code: ofSignIns[i], twoFactorToken })),
    );
    expect(statusesOf(inSignIns)).toEqual([200, 200, 200, 200]);
  });

  it('S1: after ten wrong passwords even the right one is refused', async () => {
    const { token } = await enrol();
    for (let i = 0; i < 10; i++) {
      await service.sql(`delete from guard_count where key like 'backup-codes%'`);
      await expectStatus(
        400,
        post('two-factor/generate-backup-codes', token, { password: 'wrong password' }),
      );
    }
    await service.sql(`delete from guard_count where key like 'backup-codes%'`);
    const { status, headers } = await post('two-factor/generate-backup-codes', token, { password });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
  });
});

describe('codes of the second factor', () => {
  it('T1: one of eight simultaneous challenges accepts the same TOTP code', async () => {
    const { code, challenge } = await enrol();
    const challenges = [];
    for (let i = 0; i < 8; i++) challenges.push(await challenge());
    await forget();
    const same = code(0);
    const uses = await Promise.all(
      challenges.map((twoFactorToken) =>
        post('two-factor/verify-totp', null, { code: same, twoFactorToken }),
      ),
    );
    expect(statusesOf(uses)).toEqual([200, ...Array(7).fill(401)]);
  });

  it('L1: failures lock an account for one address, not for its owner at another', async () => {
    const { email, challenge, code } = await enrol();
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    const verify = (twoFactorToken: string, code: string, headers = {}) =>
      post('two-factor/verify-totp', null, { code, twoFactorToken }, headers);
    // A challenge allows five attempts.
    for (const begun of [await challenge(), await challenge()])
      for (let i = 0; i < 5; i++) await expectStatus(401, verify(begun, '000000', stranger));
    await expectCode('rate_limited', verify(await challenge(), code(0), stranger));
    await expectStatus(200, verify(await challenge(), code(0)));
    for (let i = 0; i < 10; i++)
      await post('sign-in/email', null, { email, password: 'wrong password' }, stranger);
    await expectStatus(429, post('sign-in/email', null, { email, password }, stranger));
    await expectStatus(200, post('sign-in/email', null, { email, password }));
  });
});

describe('secrets', () => {
  it('T12, S1: do not appear in a dump of the database', async () => {
    const { token, secret, email, challenge, code } = await enrol();
    await forget();
    const { body } = await post('two-factor/generate-backup-codes', token, { password });
    await post('request-password-reset', null, { email });
    const begun = await challenge();
    const proof = { code: code(0), twoFactorToken: await challenge(), trustDevice: true };
    const trusted = (await post('two-factor/verify-totp', null, proof)).body;
    const device = decodeURIComponent(trusted.trustDeviceToken).split(/[!.]/)[1];
    expect(device).toMatch(/^trust-device-/);
    const tables = await service.sql(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace where relkind = 'r' and nspname in ('public', 'auth')`,
    );
    let dump = '';
    for (const { name } of tables) dump += JSON.stringify(await service.sql(`select t::text from ${name} t`));
    const tokens = [service.operatorToken, token, trusted.token, begun.split('.')[0], device];
    for (const hidden of [password, secret, ...body.backupCodes, ...tokens]) {
      // Not toContain, which would print the whole dump.
      expect(dump.includes(hidden), hidden).toBe(false);
    }
    expect(dump).toContain('trust-device-');
    expect(service.logs.join('')).not.toContain(secret);
  });
});

describe('a flood of sign-ins', () => {
  it('L1: is processed two at a time or refused, and does not delay other requests', async () => {
    await forget();
    const flood = await fillLine(60, (i) =>
      post('sign-in/email', null, { email: `f${i}@flood.example`, password }),
    );
    await expectStatus(200, service.get('/partners'));
    expect(new Set(statusesOf(await flood.end()))).toEqual(new Set([401, 429]));
  });
});

describe('mails', () => {
  it('L1: to one recipient are limited per address of the requester, and the answer does not reveal it', async () => {
    await forget();
    const { email } = await enrol();
    await forget();
    const waiting = async () =>
      (await service.sql(`select from auth.mail_link where purpose = 'reset_password'`)).length;
    const ask = (address: string) =>
      post('request-password-reset', null, { email }, { 'x-forwarded-for': address });
    const before = await waiting();
    for (let i = 0; i < 7; i++) await expectStatus(200, ask('203.0.113.1'));
    await expect.poll(async () => (await waiting()) - before).toBe(5);
    // The owner, at another address, still gets a mail.
    await expectStatus(200, ask('203.0.113.2'));
    await expect.poll(async () => (await waiting()) - before).toBe(6);
  });
});

describe('the cleanup task', () => {
  it('L1: deletes expired sessions, tokens and counts', async () => {
    const { token } = await enrol();
    const count = async () =>
      (
        await service.sql(
          `select (select count(*) from auth.session)::int + (select count(*) from auth.verification)::int + (select count(*) from auth.proof_use)::int + (select count(*) from guard_count)::int as n`,
        )
      )[0].n;
    await service.sql(
      `insert into auth.session (id, token, user_id, expires_at, updated_at) select 'old', repeat('0', 64), user_id, now() - interval '1 second', now() from auth.session where token = encode(sha256($1), 'hex')`,
      [token],
    );
    await service.sql(
      `insert into auth.verification (id, identifier, value, expires_at) values ('old', repeat('0', 64), 'old', now() - interval '1 second')`,
    );
    await service.sql(
      `insert into auth.proof_use (proof_hash, user_id, used_at) select sha256('old'), user_id, now() - interval '1 hour' from auth.session where token = encode(sha256($1), 'hex')`,
      [token],
    );
    await service.sql(`insert into guard_count values ('old', now() - interval '1 second', 1)`);
    const before = await count();
    await service.runTask('delete expired sessions and tokens');
    await service.runTask('delete ended request windows');
    expect(await count()).toBeLessThanOrEqual(before - 4);
    for (const table of ['auth.session', 'auth.verification', 'guard_count']) {
      expect(await service.sql(`select from ${table} t where t::text like '%old%'`)).toEqual([]);
    }
    expect(await service.sql(`select from auth.proof_use where proof_hash = sha256('old')`)).toEqual([]);
    await expectStatus(200, service.get('/api/auth/list-accounts', token));
  });
});

describe('attacks on accounts', () => {
  const users = (filter: string) => service.get(`/users?filter[email]=${encodeURIComponent(filter)}`);

  it('T1: the count of the attempts of a challenge is not a challenge', async () => {
    const { challenge } = await enrol();
    const [identifier] = (await challenge()).split('.');
    for (const kind of [
      { path: 'verify-totp', code: '123456' },
      { path: 'verify-backup-code', code: 'aaaaa-bbbbb' },
    ]) {
      const twoFactorToken = `2fa-attempts-${identifier}`;
      const { status, body } = await post(`two-factor/${kind.path}`, null, {
        code: kind.code,
        twoFactorToken,
      });
      expect([kind.path, status, body.code]).toEqual([kind.path, 400, 'invalid_token']);
    }
  });

  it('S2: a challenge and a trusted device that have expired count no more, before the task deletes them', async () => {
    const { email, code, challenge } = await enrol();
    const verify = (twoFactorToken: string, step: number) =>
      post('two-factor/verify-totp', null, { code: code(step), twoFactorToken, trustDevice: true });
    const { trustDeviceToken } = succeed(await verify(await challenge(), 0));
    const begun = await challenge();
    const signIn = () => post('sign-in/email', null, { email, password, trustDeviceToken });
    await service.sql(`update auth.verification set expires_at = concord_now() - interval '1 second'`);
    await expectCode('invalid_token', verify(begun, 1));
    expect(succeed(await signIn()).twoFactorRedirect).toBe(true);
  });

  it('T5: a password change ends challenges, trusted devices and reset tokens', async () => {
    const { email, token, challenge, code } = await enrol();
    const trusted = await post('two-factor/verify-totp', null, {
      code: code(0),
      twoFactorToken: await challenge(),
      trustDevice: true,
    });
    const begun = await challenge();
    await post('request-password-reset', null, { email });
    const link = tokenIn(await mailbox.next(email, 'Set a new password'));
    await post('change-password', token, { currentPassword: password, newPassword: 'another long password' });
    await expectCode(
      'invalid_token',
      post('two-factor/verify-totp', null, { code: code(1), twoFactorToken: begun }),
    );
    const again = await post('sign-in/email', null, {
      email,
      password: 'another long password',
      trustDeviceToken: trusted.body.trustDeviceToken,
    });
    expect(again.body.twoFactorRedirect).toBe(true);
    const reset = { token: link, newPassword: 'a password of a thief' };
    await expectCode('invalid_token', post('reset-password', null, reset));
  });

  it('T1: wrong codes from many addresses are limited too', async () => {
    const { challenge, token } = await enrol();
    await forget();
    const statuses = [];
    let twoFactorToken = '';
    for (let i = 0; i < 55; i++) {
      if (i % 5 === 0) twoFactorToken = await challenge();
      const from = { 'x-forwarded-for': `203.0.113.${i}` };
      statuses.push(
        (await post('two-factor/verify-totp', null, { code: '000000', twoFactorToken }, from)).status,
      );
    }
    expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401));
    expect(statuses.slice(50)).toEqual(Array(5).fill(429));
    // The step-up of a session has its own limit.
    const stepUp = (i: number) =>
      post('two-factor/verify-totp', token, { code: '000000' }, { 'x-forwarded-for': `198.51.100.${i}` });
    for (let i = 0; i < 50; i++) await expectStatus(401, stepUp(i));
    await expectStatus(429, stepUp(50));
  });

  it('S1, E3: a session without proof cannot obtain proof with the password, and is refused before the body is read', async () => {
    const { email, code, challenge } = await enrol();
    const { body } = await post('two-factor/verify-totp', null, {
      code: code(0),
      twoFactorToken: await challenge(),
      trustDevice: true,
    });
    const unproven = (
      await post('sign-in/email', null, { email, password, trustDeviceToken: body.trustDeviceToken })
    ).body.token;
    for (const [path, code] of [
      ['two-factor/get-totp-uri', 'step_up_required'],
      ['two-factor/disable', 'step_up_required'],
      ['two-factor/generate-backup-codes', 'mfa_required'],
    ] as const) {
      await expectCode(code, post(path, unproven, { password }));
      await expectCode(code, post(path, unproven, {}));
    }
  });

  it('T1: a session has no proof while the second factor is disabled', async () => {
    const { token, challenge } = await enrol();
    const begun = await challenge();
    const { body: disabled } = await post('two-factor/disable', token, { password });
    const { body: enrolment } = await post('two-factor/enable', disabled.token, { password });
    await expectStatus(
      400,
      post('two-factor/verify-backup-code', null, {
        code: enrolment.backupCodes[0],
        twoFactorToken: begun,
      }),
    );
    await post('two-factor/verify-backup-code', disabled.token, { code: enrolment.backupCodes[1] });
    const { body: sessions } = await service.get('/api/auth/list-sessions', disabled.token);
    expect(pluck(sessions, 'mfaVerifiedAt')).toEqual([null]);
  });

  it('L1: only wrong passwords count as wrong passwords', async () => {
    await forget();
    const { token } = await service.signInStranger();
    for (let i = 0; i < 12; i++)
      await expectCode('two_factor_not_enabled', post('two-factor/get-totp-uri', token, { password }));
    await expectStatus(
      200,
      post('change-password', token, {
        currentPassword: password,
        newPassword: 'another long password',
      }),
    );
  });

  it('E2: malformed input is refused and never causes a 500', async () => {
    await forget();
    for (const twoFactorToken of ['%', '%00', '2fa-%00.x', '2fa-', 'trust-device-x.y']) {
      await expectStatus(400, post('two-factor/verify-totp', null, { code: '123456', twoFactorToken }));
    }
    await expectStatus(400, post('reset-password', null, { token: 'a\0b', newPassword: 'a long password' }));
    await expectStatus(400, post('revoke-session', service.operatorToken, { id: 'a\0b' }));
    await expectStatus(400, post('verify-email', null, { token: 'a\0b', password }));
    await expectStatus(200, service.get('/api/auth/list-accounts', `${service.operatorToken}.BAD`));
    await expectCode(
      'two_factor_not_enabled',
      post('two-factor/get-totp-uri', `${service.operatorToken}.BAD`, { password }),
    );
    const {
      body: [{ id }],
    } = await users(operator.email);
    for (const moment of [
      '2100-12-01T00:00:00+23:59',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-15:00',
      '',
    ]) {
      expect([400]).toContain((await service.post(`/users/${id}/ban`, { expires_at: moment })).status);
    }
  });
});
