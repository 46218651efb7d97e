// The steps of the life of an account that concern the second factor.
import * as OTPAuth from 'otpauth';
import { expect } from 'vitest';
import type { TestService } from '../stage/start-service.ts';
import type { Step } from './steps.ts';

/** A code from an independent authenticator app, `steps` time steps from now. */
function codeOf(uri: string, steps = 0) {
  return (OTPAuth.URI.parse(uri) as OTPAuth.TOTP).generate({ timestamp: Date.now() + steps * 30_000 });
}

type Options = {
  service: TestService;
  step: Step;
  person: { email: string; password: string };
  /** Of a session that has just signed in. */
  token: string;
};

/**
 * Returns the session at the end, the session of a trusted device, and the secrets that no log may contain.
 */
export async function takeSecondFactorSteps({ service, step, person: ann, token: first }: Options) {
  let token = first;
  const mine = (secret: string) => ({ token, body: { password: secret } });
  const credentials = { email: ann.email, password: ann.password };
  const patience = () => service.sql(`delete from guard_count where key like 'backup-codes%'`);
  await step(
    'Generate backup codes without a second factor',
    'two-factor/generate-backup-codes',
    mine(ann.password),
    400,
    'two_factor_not_enabled',
  );
  await step(
    'Begin with the second factor, wrong password',
    'two-factor/enable',
    mine('wrong password'),
    400,
    'invalid_password',
  );
  await patience();
  const enrolment = (await step('Begin with the second factor', 'two-factor/enable', mine(ann.password), 200))
    .body;
  const bystander = (
    await service.post('/api/auth/sign-in/email', { email: ann.email, password: ann.password }, null)
  ).body.token;
  await step(
    'Enable it with a wrong code',
    'two-factor/verify-totp',
    { token, body: { code: '000000' } },
    401,
    'invalid_code',
  );
  const enabled = (
    await step(
      'Enable it with a code: a new token',
      'two-factor/verify-totp',
      { token, body: { code: codeOf(enrolment.totpURI, -1) } },
      200,
    )
  ).body;
  await step('Use the token from before', 'GET /api/auth/list-accounts', { token }, 401, 'unauthenticated');
  await step(
    'Use another session from before',
    'GET /api/auth/list-accounts',
    { token: bystander },
    401,
    'unauthenticated',
  );
  token = enabled.token;
  await step('Begin again', 'two-factor/enable', mine(ann.password), 400, 'two_factor_enabled');
  await step(
    'Generate backup codes',
    'two-factor/generate-backup-codes',
    { token, body: { password: ann.password, more: 'is ignored' } },
    200,
  );
  const { backupCodes } = (
    await step('Generate them again', 'two-factor/generate-backup-codes', mine(ann.password), 200)
  ).body;
  await patience();
  await step(
    'The same without a password',
    'two-factor/generate-backup-codes',
    { token, body: {} },
    400,
    'invalid_request',
  );

  const signIn = (extra = {}) => ({ body: { ...credentials, ...extra } });
  let pending = (await step('Sign in: a second factor is asked for', 'sign-in/email', signIn(), 200)).body;
  expect(Object.keys(pending).sort()).toEqual(['twoFactorRedirect', 'twoFactorToken']);
  const used = codeOf(enrolment.totpURI);
  const complete = (
    await step(
      'With a code',
      'two-factor/verify-totp',
      { body: { code: used, twoFactorToken: pending.twoFactorToken, trustDevice: true } },
      200,
    )
  ).body;
  await step(
    'The same challenge again',
    'two-factor/verify-totp',
    { body: { code: codeOf(enrolment.totpURI, 1), twoFactorToken: pending.twoFactorToken } },
    400,
    'invalid_token',
  );
  pending = (await service.request('POST', '/api/auth/sign-in/email', { token: null, ...signIn() })).body;
  await step(
    'With an old backup code',
    'two-factor/verify-backup-code',
    { body: { code: enrolment.backupCodes[0], twoFactorToken: pending.twoFactorToken } },
    401,
    'invalid_code',
  );
  await step(
    'With a backup code',
    'two-factor/verify-backup-code',
    { body: { code: backupCodes[0], twoFactorToken: pending.twoFactorToken } },
    200,
  );
  const trusted = (
    await step(
      'Sign in on a trusted device',
      'sign-in/email',
      signIn({ trustDeviceToken: complete.trustDeviceToken }),
      200,
    )
  ).body;
  expect(trusted.token).toBeDefined();
  const proof = async (bearer: string) =>
    (await service.get('/api/auth/list-sessions', bearer)).body.find(
      ({ current }: { current: boolean }) => current,
    ).mfaVerifiedAt;
  expect([await proof(trusted.token), await proof(complete.token)]).toEqual([null, expect.any(String)]);
  await step(
    'Step that session up',
    'two-factor/verify-backup-code',
    { token: trusted.token, body: { code: backupCodes[1] } },
    200,
  );
  expect(await proof(trusted.token)).toEqual(expect.any(String));
  await step('Show the secret again', 'two-factor/get-totp-uri', mine(ann.password), 200);
  const disabled = (
    await step('Disable the second factor: a new token', 'two-factor/disable', mine(ann.password), 200)
  ).body;
  token = disabled.token;
  expect([await proof(token), await proof(trusted.token)]).toEqual([null, null]);
  const secret = OTPAuth.URI.parse(enrolment.totpURI).secret.base32;
  return { token, trustedToken: trusted.token as string, secrets: [used, backupCodes[0] as string, secret] };
}
