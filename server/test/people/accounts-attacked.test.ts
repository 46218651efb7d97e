// Attacks on accounts.
import { describe, expect, it } from 'vitest';
import { expectStatus, pluck } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { tokenIn, useMailed } from '../stage/mailbox.ts';
import { operator } from '../stage/start-service.ts';

const { mailbox, service } = useMailed({
  CONCORD_RATE_LIMIT: '100000/10s',
  CONCORD_TRUSTED_PROXIES: '127.0.0.1',
});
const { post, forget, enrol } = createEnrolment(service);

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
    expect(
      (await post('two-factor/verify-totp', null, { code: code(1), twoFactorToken: begun })).body.code,
    ).toBe('invalid_token');
    const again = await post('sign-in/email', null, {
      email,
      password: 'another long password',
      trustDeviceToken: trusted.body.trustDeviceToken,
    });
    expect(again.body.twoFactorRedirect).toBe(true);
    const reset = { token: link, newPassword: 'a password of a thief' };
    expect((await post('reset-password', null, reset)).body.code).toBe('invalid_token');
  });

  it('T1: wrong codes from many addresses are limited too', async () => {
    const { challenge, token } = await enrol();
    await forget();
    const statuses = [];
    let twoFactorToken = '';
    for (let i = 0; i < 55; i++) {
      // A challenge allows five attempts.
      if (i % 4 === 0) twoFactorToken = await challenge();
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

  it('S1: a session without proof cannot obtain proof with the password', async () => {
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
      const { status, body: refused } = await post(path, unproven, { password });
      expect([path, status, refused.code]).toEqual([path, 403, code]);
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
      expect((await post('two-factor/get-totp-uri', token, { password })).body.code).toBe(
        'two_factor_not_enabled',
      );
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
    expect(
      (await post('two-factor/get-totp-uri', `${service.operatorToken}.BAD`, { password })).body.code,
    ).toBe('two_factor_not_enabled');
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
