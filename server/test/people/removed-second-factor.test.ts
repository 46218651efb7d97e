// An operator removes the second factor of a person who has lost it.
import { expect, it } from 'vitest';
import { createAuthenticator } from '../stage/authenticator.ts';
import { acl, expectCode, expectStatus, pluck, succeed } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { commit, hold, stopAt, untilWaiting } from '../stage/locks.ts';
import { useMailed } from '../stage/mailbox.ts';
import { createPasskeyStage } from '../stage/passkey-stage.ts';

const { mailbox, service, cast } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, enrol } = createEnrolment(service);
const { add, alone } = createPasskeyStage(service);

const remove = (userId: string, token?: string) => service.remove(`/users/${userId}/second-factor`, token);
const signIn = (email: string, more = {}) => post('sign-in/email', null, { email, password, ...more });

it('T31: the person signs in with the password alone, and nothing from before proves or opens anything', async () => {
  const person = await enrol();
  const authenticator = createAuthenticator();
  succeed(await add(person.token, authenticator));
  const { trustDeviceToken } = succeed(
    await post('two-factor/verify-totp', null, {
      code: person.code(0),
      twoFactorToken: await person.challenge(),
      trustDevice: true,
    }),
  );
  expect(succeed(await signIn(person.email, { trustDeviceToken }))).toHaveProperty('token');
  const program = await cast.accessToken(person, [acl('agreements', 'query')]);
  const waiting = await person.challenge();

  await expectStatus(204, remove(person.id));

  await expectStatus(401, service.get('/me', person.token));
  await expectCode(
    'invalid_token',
    post('two-factor/verify-totp', null, { code: person.code(1), twoFactorToken: waiting }),
  );
  await expectCode('invalid_passkey', post('passkey/sign-in', null, await alone(authenticator)));
  const token: string = succeed(await signIn(person.email)).token;
  const { two_factor_enabled: enabled } = succeed(await service.get('/me', token));
  expect([enabled, succeed(await service.get('/api/auth/passkeys', token))]).toEqual([false, []]);
  // The access token stays, without its proof.
  const { credential } = succeed(await service.get('/me', program));
  expect(credential.second_factor_proven).toBe(false);

  const { text = '' } = await mailbox.next(person.email, 'An operator removed your second factor');
  expect(text).not.toContain('127.0.0.1');
  const rows = succeed(await service.get(`/audit-log?filter[target]=${person.id}&sort_dir=asc`));
  expect(rows).toContainEqual(
    expect.objectContaining({
      action: 'user.remove_second_factor',
      actor: expect.objectContaining({ kind: 'operator' }),
      changes: { two_factor_enabled: { before: true, after: false } },
    }),
  );
  expect(pluck(rows, 'action').filter((action) => action === 'user.remove_second_factor')).toHaveLength(1);
});

it('T31: a sign-in whose code was right before, and whose session comes after, gets none', async () => {
  const { id, code, challenge } = await enrol();
  const body = { code: code(0), twoFactorToken: await challenge() };
  const stop = await stopAt(service.database, { table: 'auth.session', event: 'insert' });
  const verified = post('two-factor/verify-totp', null, body);
  await stop.reached();
  await expectStatus(204, remove(id));
  await stop.release();
  await expectCode('invalid_token', verified);
  expect(await service.sql('select from auth.session where user_id = $1', [id])).toEqual([]);
});

it('T31: a sign-in whose code is checked at that moment has ended', async () => {
  const { id, code, challenge } = await enrol();
  const body = { code: code(0), twoFactorToken: await challenge() };
  const removal = await hold(service.database, 'lock table auth.two_factor in access exclusive mode');
  const verified = post('two-factor/verify-totp', null, body);
  await untilWaiting(service.database, 1);
  await removal.query('update auth."user" set two_factor_enabled = false where id = $1', [id]);
  await removal.query('delete from auth.two_factor where user_id = $1', [id]);
  await commit(removal);
  await expectCode('invalid_token', verified);
});

it('T31: operators alone may do it, in a session with a recent proof', async () => {
  const person = await enrol();
  const appointed = await cast.user();
  const token = await cast.appoint(appointed);
  const program = await cast.accessToken({ ...appointed, token }, [acl('*')]);
  for (const refused of [person.token, program]) await expectCode('forbidden', remove(person.id, refused));
  await service.advanceClock(11 * 60_000);
  await expectCode('step_up_required', remove(person.id, token));
  await service.advanceClock(0);
  for (const unknown of ['usr_01h2xcejqtf2nbrexx3vqjhp41', 'x', '%00'])
    await expectStatus(404, remove(unknown, token));
  await expectCode('two_factor_not_enabled', remove(appointed.id, token));
  expect(succeed(await signIn(person.email))).toHaveProperty('twoFactorToken');
});
