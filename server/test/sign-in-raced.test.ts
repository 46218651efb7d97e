// Sign-ins with the old password while a change of it commits.

import { expect, it } from 'vitest';
import { createEnrolment, password } from './enrolment.ts';
import { untilWaiting } from './locks.ts';
import { useService } from './start-service.ts';

const service = useService({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, forget, enrol } = createEnrolment(service);

const sql = (text: string, values: unknown[] = []) => service.sql(text, values);
const userOf = async (token: string) =>
  (await service.get('/api/auth/list-accounts', token)).body[0].userId as string;
const sessionsOf = (userId: string) => sql('select from auth.session where user_id = $1', [userId]);
/** A transaction that another client holds open. */
async function begin() {
  const holder = await service.database.connect();
  await holder.query('begin');
  return {
    run: (text: string, values: unknown[] = []) => holder.query(text, values),
    async commit() {
      await holder.query('commit');
      await holder.end();
    },
  };
}
const changePassword = `update auth.account set password = 'a hash of another password' where user_id = $1`;

it('T5: a sign-in gets no session from a password whose change has begun', async () => {
  await forget();
  const token = await service.signInStranger();
  const id = await userOf(token);
  const [{ email }] = (await sql('select email from auth."user" where id = $1', [id])) as [{ email: string }];
  const change = await begin();
  await change.run(changePassword, [id]);
  const racing = post('sign-in/email', null, { email, password });
  await untilWaiting(service.database, 1);
  await change.commit();
  expect((await racing).body.code).toBe('invalid_credentials');
  expect(await sessionsOf(id)).toEqual([]);
});

it('T5: a code gets no session if the password changes after the challenge is taken', async () => {
  const { token, challenge, code } = await enrol();
  const id = await userOf(token);
  const twoFactorToken = await challenge();
  const change = await begin();
  // Lets the code take the challenge, but not insert the session.
  await change.run('lock table auth.session in share mode');
  const racing = post('two-factor/verify-totp', null, { code: code(0), twoFactorToken });
  await untilWaiting(service.database, 1);
  await change.run(changePassword, [id]);
  await change.commit();
  expect((await racing).body.code).toBe('invalid_token');
  expect(await sessionsOf(id)).toEqual([]);
});
