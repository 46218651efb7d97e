// The whole life of an account over HTTP, with mail over a real SMTP server.
import { beforeAll, describe, expect, it } from 'vitest';
import { pluck } from '../stage/cast.ts';
import { tokenIn, useMailed } from '../stage/mailbox.ts';
import { takeSecondFactorSteps } from './second-factor-steps.ts';
import { createStep, type Step } from './steps.ts';

let step: Step;
const { mailbox, service } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
beforeAll(() => {
  step = createStep(service);
});

const ann = { name: 'Ann Lee', email: 'ann@life.example', password: 'the first password' };
const credentials = (password: string, email = ann.email) => ({ body: { email, password } });

describe('the life of an account', () => {
  it('T1, S1: each answer from sign-up to deletion is as documented', async () => {
    await step('Sign up', 'sign-up/email', { body: ann }, 200);
    const firstMail = await mailbox.next(ann.email);
    expect(firstMail.html).toContain('href="http://concord.test/console/verify#token=');
    await step(
      'Sign up with a short password',
      'sign-up/email',
      { body: { ...ann, password: 'short' } },
      400,
      'invalid_request',
    );
    await step(
      'Sign up with what is no address',
      'sign-up/email',
      { body: { ...ann, email: 'ann@@life' } },
      400,
      'invalid_request',
    );
    await step(
      'Sign in before the address is verified',
      'sign-in/email',
      credentials(ann.password),
      401,
      'invalid_credentials',
    );
    await step('Have the mail sent again', 'send-verification-email', { body: { email: ann.email } }, 200);
    await step(
      'The same for an unknown address',
      'send-verification-email',
      { body: { email: 'nobody@life.example' } },
      200,
    );
    await mailbox.next(ann.email);
    await step(
      'Sign up again: the link counts whose token and password are sent',
      'sign-up/email',
      { body: ann },
      200,
    );
    const verification = tokenIn(await mailbox.next(ann.email));
    await step(
      'Have the mail sent again, after two sign-ups: nobody can tell which is yours',
      'send-verification-email',
      { body: { email: ann.email } },
      200,
    );
    expect(await service.sql('select from auth.pending_sign_up')).toHaveLength(3);
    const verify = (token: string, password?: string) => ({
      body: { token, ...(password !== undefined && { password }) },
    });
    await step(
      'Verify with a token that is garbled',
      'verify-email',
      verify('garbled', ann.password),
      400,
      'invalid_token',
    );
    await step(
      'Verify with the password of the sign-up',
      'verify-email',
      verify(verification, ann.password),
      200,
    );
    await step('Sign up with an address that is known: the same answer', 'sign-up/email', { body: ann }, 200);
    await mailbox.next(ann.email, 'You already have an account');

    let { token } = (
      await step('Sign in', 'sign-in/email', credentials(ann.password, 'Ann@Life.Example'), 200)
    ).body;
    const other = (await step('Sign in elsewhere', 'sign-in/email', credentials(ann.password), 200)).body
      .token;
    const sessions = (await step('List the sessions', 'GET /api/auth/list-sessions', { token }, 200)).body;
    expect(pluck(sessions, 'current')).toEqual([true, false]);
    expect(JSON.stringify(sessions)).not.toContain(other);
    await step('End the other session', 'revoke-session', { token, body: { id: sessions[1].id } }, 200);
    await step('End it again', 'revoke-session', { token, body: { id: sessions[1].id } }, 404, 'not_found');
    await step('Use it', 'GET /api/auth/list-accounts', { token: other }, 401, 'unauthenticated');

    const mine = (secret: string) => ({ token, body: { password: secret } });
    const accounts = (await step('List the linked accounts', 'GET /api/auth/list-accounts', { token }, 200))
      .body;
    expect(accounts).toMatchObject([{ providerId: 'credential', scopes: [] }]);
    await step('The same without a token', 'GET /api/auth/list-accounts', {}, 401, 'unauthenticated');

    const secondFactor = await takeSecondFactorSteps({ service, step, person: ann, token });
    token = secondFactor.token;

    await step(
      'Change the password, the current one being wrong',
      'change-password',
      { token, body: { currentPassword: 'wrong password', newPassword: 'the second password' } },
      400,
      'invalid_password',
    );
    await step(
      'Change the password',
      'change-password',
      { token, body: { currentPassword: ann.password, newPassword: 'the second password' } },
      200,
    );
    await step(
      'Use another session',
      'GET /api/auth/list-sessions',
      { token: secondFactor.trustedToken },
      401,
      'unauthenticated',
    );
    await step('Ask for a new password', 'request-password-reset', { body: { email: ann.email } }, 200);
    await step(
      'The same for an unknown address',
      'request-password-reset',
      { body: { email: 'nobody@life.example' } },
      200,
    );
    const reset = tokenIn(await mailbox.next(ann.email, 'Set a new password'));
    await step(
      'Set it with a garbled token',
      'reset-password',
      { body: { token: 'garbled', newPassword: 'the third password' } },
      400,
      'invalid_token',
    );
    await step(
      'Set it',
      'reset-password',
      { body: { token: reset, newPassword: 'the third password' } },
      200,
    );
    token = (
      await step('Sign in with the new password', 'sign-in/email', credentials('the third password'), 200)
    ).body.token;
    const newEmail = { token, body: { newEmail: 'lee@life.example' } };
    await step('Change the address', 'change-email', newEmail, 200);
    const change = tokenIn(await mailbox.next('lee@life.example', 'Confirm your new e-mail address'));
    await step('Verify it, in the session that asked', 'verify-email', { token, ...verify(change) }, 200);
    token = (
      await step(
        'Sign in with the new address',
        'sign-in/email',
        credentials('the third password', 'lee@life.example'),
        200,
      )
    ).body.token;

    const users = await service.get('/users?filter[email]=LEE@life');
    expect(users.body).toHaveLength(1);
    const { id } = users.body[0];
    await step(
      'An operator bans the user',
      `POST /users/${id}/ban`,
      { token: service.operatorToken, body: { reason: 'a test' } },
      200,
    );
    await step('The user lists accounts', 'GET /api/auth/list-accounts', { token }, 403, 'banned');
    await step(
      'The user generates backup codes',
      'two-factor/generate-backup-codes',
      mine('x'),
      403,
      'banned',
    );
    await step('The user reads partners', 'GET /partners', { token }, 401, 'unauthenticated');
    await step(
      'The user signs in',
      'sign-in/email',
      credentials('the third password', 'lee@life.example'),
      403,
      'banned',
    );
    await step(
      'The operator lifts the ban',
      `POST /users/${id}/unban`,
      { token: service.operatorToken },
      200,
    );
    await step(
      'Delete the account, wrong password',
      'delete-user',
      mine('wrong password'),
      400,
      'invalid_password',
    );
    await step('Sign out', 'sign-out', { token }, 204);
    token = (
      await service.post(
        '/api/auth/sign-in/email',
        { email: 'lee@life.example', password: 'the third password' },
        null,
      )
    ).body.token;
    await step(
      'Delete the account without the password: a mail asks to confirm it',
      'delete-user',
      { token, body: {} },
      200,
    );
    const deletion = tokenIn(await mailbox.next('lee@life.example', 'Confirm the deletion of your account'));
    await step(
      'Confirm it with a garbled token',
      'delete-user/confirm',
      { body: { token: 'garbled' } },
      400,
      'invalid_token',
    );
    await step('Delete the account', 'delete-user', mine('the third password'), 200);
    await step('Use its session', 'GET /api/auth/list-accounts', { token }, 401, 'unauthenticated');

    // The log contains no secret, at any level.
    const logs = service.logs.join('');
    for (const secret of [
      ann.password,
      'the third password',
      token,
      ...secondFactor.secrets,
      verification,
      reset,
      change,
      deletion,
    ]) {
      expect(logs).not.toContain(secret);
    }
  });
});
