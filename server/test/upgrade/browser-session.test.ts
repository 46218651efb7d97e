// Sessions from before the console kept them in cookies.
import { expect, it } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createPasswords } from '../../src/people/index.ts';
import { consoleUrl, openBrowser } from '../browser.ts';
import { password } from '../enrolment.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('B6: a session of an older version goes on, and its token can be replaced', async () => {
  const old = await createOlderDatabase('0032');
  const [id, token] = [newId('user'), 'TokenOfAnOlderVersion00000012345'];
  await old.sql(
    `insert into auth."user" (id, name, email, email_verified, role) values ($1, 'Ann', 'ann@concord.test', true, 'user')`,
    [id],
  );
  await old.sql(
    `insert into auth.account (id, account_id, provider_id, user_id, password, updated_at) values ($1, $1, 'credential', $1, $2, now())`,
    [id, await createPasswords().hash(password)],
  );
  await old.sql(
    `insert into auth.session (id, user_id, token, expires_at, updated_at)
     values ('old', $1, encode(sha256($2), 'hex'), now() + interval '1 day', now())`,
    [id, token],
  );
  const service = await startTestService({ CONCORD_BASE_URL: consoleUrl }, () => old.url);
  expect((await service.request('GET', '/me', { token })).body.credential.id).toBe('old');
  const browser = openBrowser(service);
  browser.jar.set('__Host-concord', token);
  expect((await browser.post('step-up', { password })).status).toBe(200);
  expect([browser.session() === token, (await browser.get('/me')).body.credential.id]).toEqual([
    false,
    'old',
  ]);
  await service.stop();
  await old.drop();
});
