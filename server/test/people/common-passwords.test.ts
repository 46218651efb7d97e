// The commonest passwords are refused wherever a password is set.
import { expect, it } from 'vitest';
import { expectStatus } from '../stage/cast.ts';
import { launch } from '../stage/launch.ts';
import { tokenIn, useMailed } from '../stage/mailbox.ts';
import { newDatabase } from '../stage/new-database.ts';
import { operator } from '../stage/start-service.ts';

const { mailbox, service } = useMailed();

const post = (path: string, body: object, token: string | null = null) => service.post(path, body, token);
const refused = expect.stringMatching(/^This password is among the most common, .* four random words\.$/);
const refusedAt = (pointer: string) => ({
  status: 400,
  body: { code: 'common_password', message: refused, errors: [{ pointer, message: refused }] },
});
const signUp = (password: string) =>
  post('/api/auth/sign-up/email', { name: 'Ann', email: 'ann@nordlys.example', password });

it.each([
  ['one of the list, behind the 10,000 commonest', 'password1234'],
  ['whatever its case', 'PassWord1234'],
  ['two of the 10,000 commonest', 'welcome12345'],
  ['one twice', 'trustno1TRUSTNO1'],
  ['fewer than four characters', 'abcabcabcabc'],
])('T28: a sign-up refuses a common password: %s', async (_why, password) => {
  expect(await signUp(password)).toMatchObject(refusedAt('/password'));
});

it('T28: a password of words that are not common together is taken', async () => {
  for (const password of ['correct horse battery staple', 'superman in 2026', 'xK3v9qPz71Lw'])
    await expectStatus(200, signUp(password));
});

it('T28: a change and a reset refuse it, and keep what they needed for another try', async () => {
  const token = await service.signIn();
  const change = (newPassword: string) =>
    post('/api/auth/change-password', { currentPassword: operator.password, newPassword }, token);
  expect(await change('qwertyqwerty')).toMatchObject(refusedAt('/newPassword'));
  await expectStatus(200, post('/api/auth/request-password-reset', { email: operator.email }));
  const mail = await mailbox.next(operator.email);
  const reset = { token: tokenIn(mail) };
  expect(await post('/api/auth/reset-password', { ...reset, newPassword: 'letmein12345' })).toMatchObject(
    refusedAt('/newPassword'),
  );
  await expectStatus(200, post('/api/auth/reset-password', { ...reset, newPassword: operator.password }));
});

it('T28: a first start with a common password of the setting fails, and names the setting', async () => {
  const program = launch({
    DATABASE_URL: (await newDatabase()).url,
    CONCORD_OPERATOR_PASSWORD: 'administrator',
  });
  expect(await program.ended).toBe(1);
  expect(program.lines.join('\n')).toContain(
    'CONCORD_OPERATOR_PASSWORD cannot be used. This password is among the most common',
  );
});

it('T28: a sign-in with a common password answers the same for an address with an account and for one without', async () => {
  const signIn = (email: string) => post('/api/auth/sign-in/email', { email, password: 'password1234' });
  const [known, unknown] = [await signIn(operator.email), await signIn('nobody@nordlys.example')];
  expect([known.status, known.body.code, known.body.message]).toEqual([
    401,
    unknown.body.code,
    unknown.body.message,
  ]);
  expect(unknown.status).toBe(401);
});
