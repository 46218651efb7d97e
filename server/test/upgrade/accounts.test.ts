// Sessions, sign-ups and links in mails from before the step-up and before our own links.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createPasswords } from '../../src/people/index.ts';
import { password } from '../enrolment.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('T6, T9: older sessions are proven since their creation, older sign-ups can be completed, older links are gone', async () => {
  const old = await createOlderDatabase('0017');
  const id = newId('user');
  await old.sql(
    `insert into auth."user" (id, name, email, email_verified, role) values ($1, 'Ann', 'ann@concord.test', true, 'user')`,
    [id],
  );
  const [fresh, stale] = ['FreshTokenOfAnOlderVersion012345', 'StaleTokenOfAnOlderVersion012345'];
  for (const [token, minutes] of [
    [fresh, 5],
    [stale, 15],
  ]) {
    await old.sql(
      `insert into auth.session (id, user_id, token, expires_at, created_at, updated_at)
       values ($1, $2, $1, now() + interval '1 day', now() - make_interval(mins => $3), now())`,
      [token, id, minutes],
    );
  }
  const hashOf = (token: string) => createHash('sha256').update(token).digest();
  await old.sql(
    `insert into auth.pending_sign_up (token_hash, email, name, password, expires_at)
     values ($1, 'new@concord.test', 'New', $2, now() + interval '1 day')`,
    [hashOf('waiting'), await createPasswords().hash(password)],
  );
  await old.sql(
    `insert into auth.mail_link (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
    [hashOf('a token of better-auth'), id],
  );

  const service = await startTestService({}, () => old.url);
  const create = async (token: string) =>
    (await service.request('POST', '/me/access-tokens', { token, body: { name: 'x', scopes: [] } })).body
      .code;
  expect([await create(fresh), await create(stale)]).toEqual([undefined, 'step_up_required']);
  expect((await service.request('GET', '/api/auth/list-sessions', { token: stale })).status).toBe(200);
  const verify = (token: string) =>
    service.request('POST', '/api/auth/verify-email', { token: null, body: { token, password } });
  expect((await verify('waiting')).status).toBe(200);
  expect(await service.signIn('new@concord.test')).toEqual(expect.any(String));
  expect((await verify('a token of better-auth')).body.code).toBe('invalid_token');
  await service.stop();
  await old.drop();
});
