// Sign-ins with the old password while a change of it commits.

import { expect, it } from 'vitest';
import { createEnrolment, password } from './enrolment.ts';
import { hold, untilWaiting } from './locks.ts';
import { useService } from './start-service.ts';

const service = useService({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, forget, enrol } = createEnrolment(service);

const sessionsOf = (userId: string) => service.sql('select from auth.session where user_id = $1', [userId]);
const changePassword = `update auth.account set password = 'a hash of another password' where user_id = $1`;

it('T5: a sign-in gets no session from a password whose change has begun', async () => {
  await forget();
  const { id, email } = await service.signInStranger();
  const change = await hold(service.database, changePassword, [id]);
  const racing = post('sign-in/email', null, { email, password });
  await untilWaiting(service.database, 1);
  await change.query('commit');
  await change.end();
  expect((await racing).body.code).toBe('invalid_credentials');
  expect(await sessionsOf(id)).toEqual([]);
});

it('T5: a code gets no session if the password changes after the challenge is taken', async () => {
  const { id, challenge, code } = await enrol();
  const twoFactorToken = await challenge();
  // Lets the code take the challenge, but not insert the session.
  const change = await hold(service.database, 'lock table auth.session in share mode');
  const racing = post('two-factor/verify-totp', null, { code: code(0), twoFactorToken });
  // The clean-up of expired sessions can wait for the lock, too.
  await untilWaiting(service.database, 1, 'insert into');
  await change.query(changePassword, [id]);
  await change.query('commit');
  await change.end();
  expect((await racing).body.code).toBe('invalid_token');
  expect(await sessionsOf(id)).toEqual([]);
});
