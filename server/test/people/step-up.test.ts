// The step-up before changes that a stolen session must not make, and what ends with a role.

import { describe, expect, it } from 'vitest';
import { createOperator, createPasswords } from '../../src/people/index.ts';
import { acl, codeOf, expectCode, expectStatus, useCast } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { hold, untilWaiting } from '../stage/locks.ts';

const { service, cast } = useCast({
  CONCORD_RATE_LIMIT: '100000/10s',
  CONCORD_GOOGLE_CLIENT_ID: 'google-client',
  CONCORD_GOOGLE_CLIENT_SECRET: 'google-secret',
});
const { post, forget, enrol } = createEnrolment(service);

const minutes = (count: number) => service.advanceClock(count * 60_000);
/** A session that can still be used, and whose user signed in more than ten minutes ago. */
async function oldSession() {
  await minutes(0);
  const { token } = await service.signInStranger();
  await minutes(11);
  return token;
}
const createToken = (token: string) =>
  service.post('/me/access-tokens', { name: 'x', scopes: [acl('partner', 'get')] }, token);

describe('step-up', () => {
  it('T6: changes of the account need a proof that is at most ten minutes old, and say so before they read the body', async () => {
    const token = await oldSession();
    const paths = [
      ...[
        'change-password',
        'change-email',
        'two-factor/enable',
        'two-factor/disable',
        'two-factor/get-totp-uri',
        'link-social',
        'delete-user',
      ].map((path) => `/api/auth/${path}`),
      '/me/access-tokens',
    ];
    for (const path of paths) {
      const { status, body } = await service.post(path, '{', token);
      expect([status, body.code], path).toEqual([403, 'step_up_required']);
      expect(body.message).toContain('POST /api/auth/step-up');
      const without = await service.post(path, '{', null);
      expect(without.status, path).toBe(401);
    }
    await expectStatus(200, service.get('/api/auth/list-sessions', token));
    expect((await post('step-up', token, { password })).body).toEqual({ status: true });
    for (const path of paths) {
      expect([path, ...codeOf(await service.post(path, '{', token))]).toEqual([path, 400, 'invalid_json']);
    }
    await minutes(22);
    await expectCode('step_up_required', createToken(token));
  });

  it('T6: a token of a service account needs a proof too, because it outlives the session and the password', async () => {
    await minutes(0);
    const partner = await cast.partner();
    const owner = await cast.owner(partner);
    const accounts = `/partners/${partner}/service-accounts`;
    const { body: account } = await service.post(accounts, { name: 'robot' }, owner.token);
    const create = (token: string, body: object | string) =>
      service.post(`${accounts}/${account.id}/access-tokens`, body, token);
    await minutes(11);
    await expectCode('step_up_required', create(owner.token, '{'));
    await expectStatus(201, create(await cast.session(owner.id), { name: 't', scopes: [] }));
  });

  it('T6: a sign-in is a proof for ten minutes, and renews it', async () => {
    await minutes(0);
    const { token } = await service.signInStranger();
    await minutes(9);
    await expectStatus(201, createToken(token));
    await minutes(10.1);
    await expectStatus(403, createToken(token));
  });

  it('T6: an access token cannot step up', async () => {
    await minutes(0);
    const token = (await createToken((await service.signInStranger()).token)).body.token;
    await expectStatus(403, post('step-up', token, { password }));
  });

  it('T6: a wrong password is refused, counted, and proves nothing', async () => {
    const token = await oldSession();
    await forget();
    for (let i = 0; i < 10; i++) {
      await expectCode('invalid_password', post('step-up', token, { password: 'wrong password' }));
    }
    await expectCode('rate_limited', post('step-up', token, { password }));
    await forget();
    await expectCode('step_up_required', createToken(token));
    await expectCode('two_factor_not_enabled', post('step-up', token, { password, code: '123456' }));
    await expectCode('step_up_required', createToken(token));
  });

  it('T6: with a second factor a code is needed too, and each works once', async () => {
    await minutes(0);
    const { token, code } = await enrol();
    await minutes(11);
    const { backupCodes } = (await post('two-factor/generate-backup-codes', token, { password })).body;
    await expectCode('mfa_required', post('step-up', token, { password }));
    await expectCode('invalid_code', post('step-up', token, { password, code: '000000' }));
    await expectCode(
      'invalid_password',
      post('step-up', token, { password: 'wrong password', code: code(0) }),
    );
    await expectCode('step_up_required', createToken(token));
    const used = code(0);
    await expectStatus(200, post('step-up', token, { password, code: used }));
    await expectCode('invalid_code', post('step-up', token, { password, code: used }));
    await expectStatus(201, createToken(token));
    await minutes(22);
    await expectStatus(403, createToken(token));
    await expectStatus(200, post('step-up', token, { password, code: backupCodes[0] }));
    await expectCode('invalid_code', post('step-up', token, { password, code: backupCodes[0] }));
    await expectStatus(201, createToken(token));
  });

  it('T6: a session of a trusted device must be stepped up, however new it is', async () => {
    await minutes(0);
    const { email, code, challenge } = await enrol();
    const { body } = await post('two-factor/verify-totp', null, {
      code: code(0),
      twoFactorToken: await challenge(),
      trustDevice: true,
    });
    const trusted = await post('sign-in/email', null, {
      email,
      password,
      trustDeviceToken: body.trustDeviceToken,
    });
    const { token } = trusted.body;
    await expectCode('step_up_required', createToken(token));
    await expectStatus(200, post('step-up', token, { password, code: code(1) }));
    await expectStatus(201, createToken(token));
  });

  it('T6: a session that ends while its code is checked is 401', async () => {
    await minutes(0);
    const { id, token, code } = await enrol();
    const holder = await hold(service.database, 'select from auth."user" where id = $1 for update', [id]);
    const stepped = post('step-up', token, { password, code: code(0) });
    await untilWaiting(service.database, 1, 'proof_use');
    await service.sql('delete from auth.session where user_id = $1', [id]);
    await holder.end();
    await expectCode('unauthenticated', stepped);
  });

  it('T6: a proof that is gone when the change commits does not count', async () => {
    await minutes(0);
    const user = await cast.user();
    const { sql } = service;
    const holder = await hold(service.database, 'select from auth."user" where id = $1 for update', [
      user.id,
    ]);
    const made = createToken(user.token);
    await untilWaiting(service.database, 1);
    await sql(`update auth.session set proven_at = proven_at - interval '11 minutes' where user_id = $1`, [
      user.id,
    ]);
    await holder.end();
    await expectCode('step_up_required', made);
    expect(await sql('select from access_token where user_id = $1', [user.id])).toEqual([]);
  });
});

describe('a changed role', () => {
  it("T7: ends the user's sessions and access tokens, so that a token does not become an operator's", async () => {
    await minutes(0);
    const user = await cast.user();
    const token = await cast.accessToken(user, [acl('*')]);
    const status = async (bearer: string) => (await service.get('/partners', bearer)).status;
    const setRole = (role: string) => service.put(`/users/${user.id}/role`, { role });
    await expectStatus(200, setRole('user'));
    expect([await status(user.token), await status(token)]).toEqual([200, 200]);
    await expectStatus(200, setRole('operator'));
    expect([await status(user.token), await status(token)]).toEqual([401, 401]);
    const session = await cast.session(user.id);
    const operators = await cast.accessToken({ ...user, token: session }, [acl('*')]);
    // An operator who gives up the role loses the session with it.
    await expectStatus(200, service.put(`/users/${user.id}/role`, { role: 'user' }, session));
    expect([await status(session), await status(operators)]).toEqual([401, 401]);
  });

  it('T7: on the command line ends them too', async () => {
    const user = await cast.user();
    const db = service.database.open();
    const announced: string[] = [];
    const parts = {
      db,
      passwords: createPasswords(),
      password: null,
      announce: (line: string) => announced.push(line),
    };
    await createOperator({ ...parts, email: user.email });
    await db.close();
    await expectStatus(401, service.get('/partners', user.token));
    expect(announced).toEqual([expect.stringContaining('have ended')]);
  });
});
