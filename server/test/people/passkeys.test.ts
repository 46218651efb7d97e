// Passkeys: a user's own, as the second factor, and alone as a sign-in.
import { expect, it } from 'vitest';
import { createAuthenticator } from '../stage/authenticator.ts';
import {
  codeOf,
  expectCode,
  expectFault,
  expectStatus,
  may,
  pluck,
  statusesOf,
  succeed,
} from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { useMailed } from '../stage/mailbox.ts';
import { createPasskeyStage } from '../stage/passkey-stage.ts';
import { operator } from '../stage/start-service.ts';

const { mailbox, service, cast } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
const enrolment = createEnrolment(service);
const { post, forget, add, enrol, alone, second } = createPasskeyStage(service);

const list = (token: string) => service.get('/api/auth/passkeys', token);
const remove = (token: string, id: string) =>
  service.request('DELETE', `/api/auth/passkeys/${id}`, { token });
const me = async (token: string) => succeed(await service.get('/me', token));
const proofOf = async (token: string) => {
  const { two_factor_enabled: enabled, credential } = await me(token);
  return [enabled, credential.second_factor_proven];
};
const added = 'A passkey was added to your account';

it('S4: the first passkey enables the second factor, ends other sessions, and brings backup codes', async () => {
  const person = await service.signInStranger();
  const other = (await post('sign-in/email', null, { email: person.email, password })).body.token;
  const answer = succeed(await add(person.token));
  expect(answer).toMatchObject({ passkey: { name: 'Laptop', backed_up: false, last_used_at: null } });
  expect(answer.backupCodes).toHaveLength(10);
  await expectStatus(401, list(person.token));
  await expectStatus(401, list(other));
  expect(await proofOf(answer.token)).toEqual([true, true]);
  expect(succeed(await list(answer.token))).toEqual([answer.passkey]);
  await mailbox.next(person.email, added);

  const another = succeed(await add(answer.token, createAuthenticator(), {}, 'Phone'));
  expect(Object.keys(another)).toEqual(['passkey']);
  expect(pluck(succeed(await list(answer.token)), 'name')).toEqual(['Laptop', 'Phone']);
});

it('S4: adding requires a recent proof, renaming does not, and nobody touches the passkeys of others', async () => {
  const one = await enrol();
  const other = await enrol();
  const path = `/api/auth/passkeys/${one.passkey.id}`;
  for (const [method, token] of [
    ['PATCH', other.token],
    ['DELETE', other.token],
  ] as const)
    await expectStatus(
      404,
      service.request(method, path, { token, body: method === 'PATCH' ? { name: 'x' } : undefined }),
    );
  const rename = (name: string) => service.request('PATCH', path, { token: one.token, body: { name } });
  await expectStatus(400, rename(''));
  await expectStatus(400, rename('n'.repeat(101)));
  await service.sql(`update auth.session set proven_at = '-infinity' where user_id = $1`, [one.id]);
  expect(succeed(await rename('Work laptop'))).toMatchObject({ id: one.passkey.id, name: 'Work laptop' });
  for (const answer of [
    await post('passkeys/options', one.token),
    await post('passkeys', one.token),
    await remove(one.token, one.passkey.id),
  ])
    expect(codeOf(answer)).toEqual([403, 'step_up_required']);
  const rows = await service.sql(
    `select action, changes, personal from audit_log left join audit_person using (position) where target = $1 and action like '%passkey' and part = 'person' order by position`,
    [one.id],
  );
  expect(pluck(rows, 'action')).toEqual(['account.add_passkey', 'account.rename_passkey']);
  expect(rows[0].changes).toEqual({
    passkey: { before: null, after: one.passkey.id },
    two_factor_enabled: { before: false, after: true },
  });
  expect(JSON.stringify(rows[1])).toContain('Work laptop');
});

it('S4: a user has twenty passkeys, and a credential belongs to one user', async () => {
  const { id, token, authenticator } = await enrol();
  await expectFault('/credential', add(token, authenticator));
  const other = await service.signInStranger();
  await expectFault('/credential', add(other.token, authenticator));
  // Nothing of the refused request stays.
  expect(await proofOf(other.token)).toEqual([false, false]);
  await service.sql(
    `insert into auth.passkey (id, user_id, credential_id, public_key, counter, transports, name, aaguid, backed_up)
     select gen_random_uuid(), $1, sha256(n::text::bytea), '', 0, '{}', 'n', gen_random_uuid(), false from generate_series(1, 18) n`,
    [id],
  );
  const both = await Promise.all([add(token), add(token)]);
  expect(statusesOf(both)).toEqual([200, 400]);
  await expectCode('limit_reached', add(token));
});

it('S4, T22: an authenticator app can be added to passkeys, and mails tell about it and its backup codes', async () => {
  const { email, token, backupCodes, challenge } = await enrol();
  const options = async () =>
    succeed(await post('two-factor/options', null, { twoFactorToken: await challenge() }));
  expect(await options()).toMatchObject({ app: false, passkey: { publicKey: { allowCredentials: [{}] } } });
  const code = await enrolment.enable(token);
  expect(await options()).toMatchObject({ app: true });
  await mailbox.next(email, 'A second factor was enabled');
  // Starting with the app made new codes.
  await mailbox.next(email, 'New backup codes were made for your account');
  const old = { code: backupCodes[0], twoFactorToken: await challenge() };
  await expectCode('invalid_code', post('two-factor/verify-backup-code', null, old));
  const totp = await post('two-factor/verify-totp', null, {
    code: code(0),
    twoFactorToken: await challenge(),
  });
  expect(await proofOf(succeed(totp).token)).toEqual([true, true]);
});

it('S5: removing the last passkey disables the second factor, and an app keeps it enabled', async () => {
  const app = await enrolment.enrol();
  const beside = succeed(await add(app.token)).passkey;
  const { id, email, token, passkey, challenge, authenticator } = await enrol();
  const pending = await challenge();
  const spare = succeed(await add(token)).passkey;
  await expectStatus(204, remove(token, spare.id));
  expect(await proofOf(token)).toEqual([true, true]);
  await expectStatus(204, remove(token, passkey.id));
  expect(await proofOf(token)).toEqual([false, false]);
  await mailbox.next(email, 'A passkey was removed from your account');
  await mailbox.next(email, 'The second factor was disabled');
  expect(await service.sql('select from auth.two_factor where user_id = $1', [id])).toEqual([]);
  await expectCode('invalid_token', post('two-factor/options', null, { twoFactorToken: pending }));
  await expectCode('invalid_passkey', post('passkey/sign-in', null, await alone(authenticator)));
  expect((await post('sign-in/email', null, { email, password })).body.token).toBeDefined();

  await expectStatus(204, remove(app.token, beside.id));
  expect(await proofOf(app.token)).toEqual([true, true]);
});

it('S5: disabling the second factor removes the passkeys; a new password and role keep them', async () => {
  const { id, email, token, authenticator } = await enrol();
  succeed(
    await post('change-password', token, { currentPassword: password, newPassword: 'seven bright lamps' }),
  );
  await cast.set(id, { role: 'operator' });
  await cast.set(id, { role: 'user' });
  const again = succeed(await post('passkey/sign-in', null, await alone(authenticator)));
  expect(again.user).toMatchObject({ id, email });
  const disabled = await post('two-factor/disable', again.token, { password: 'seven bright lamps' });
  expect(succeed(await list(succeed(disabled).token))).toEqual([]);
  await expectCode('invalid_passkey', post('passkey/sign-in', null, await alone(authenticator)));
});

it('S5: a backup code replaces a lost passkey', async () => {
  const { backupCodes, passkey, challenge } = await enrol();
  const body = { code: backupCodes[0], twoFactorToken: await challenge() };
  const { token } = succeed(await post('two-factor/verify-backup-code', null, body));
  const found = createAuthenticator();
  succeed(await add(token, found));
  await expectStatus(204, remove(token, passkey.id));
  succeed(await post('passkey/sign-in', null, await alone(found)));
  const { backupCodes: next } = succeed(await post('two-factor/generate-backup-codes', token, { password }));
  expect(next).toHaveLength(10);
});

it('S6: a passkey signs in alone, with the proof of a second factor, and shows its last use', async () => {
  const { id, email, authenticator } = await enrol();
  const body = await alone(authenticator);
  const signedIn = succeed(await post('passkey/sign-in', null, body));
  expect(signedIn.user).toEqual({ id, email, name: 'Stranger' });
  expect(await proofOf(signedIn.token)).toEqual([true, true]);
  expect(succeed(await list(signedIn.token))).toMatchObject([{ last_used_at: expect.any(String) }]);
  expect(
    await service.sql(
      `select outcome, details from audit_log where target = $1 and action = 'account.sign_in'`,
      [id],
    ),
  ).toEqual([{ outcome: 'done', details: { by: 'passkey' } }]);
});

it('S6: an agreement that requires a second factor works with a passkey, and not without', async () => {
  const partner = await cast.partner();
  const person = await enrol();
  const member = { ...person, token: (await enrolment.post('sign-in/email', null, person)).body.token };
  expect(member.token).toBeUndefined();
  await cast.join(partner, person, { ...may('partner', 'get'), mfa_required: true });
  const without = await service.sql(
    `update auth.session set mfa_verified_at = null where user_id = $1 returning id`,
    [person.id],
  );
  expect(without).toHaveLength(1);
  await expectCode('mfa_required', service.get(`/partners/${partner}`, person.token));
  const { token } = succeed(await post('passkey/sign-in', null, await alone(person.authenticator)));
  await expectStatus(200, service.get(`/partners/${partner}`, token));
});

it('S7: a passkey completes a sign-in as the second factor, without user verification', async () => {
  const { authenticator, challenge } = await enrol();
  const twoFactorToken = await challenge();
  const proof = await second(authenticator, { twoFactorToken }, { verifiesUser: false });
  const { token } = succeed(await post('two-factor/verify-passkey', null, { ...proof, twoFactorToken }));
  expect(await proofOf(token)).toEqual([true, true]);
  const again = await post('two-factor/verify-passkey', null, { ...proof, twoFactorToken });
  expect(codeOf(again)).toEqual([400, 'invalid_token']);
});

it('S7: a passkey steps a session up: alone if it verifies its user, otherwise with the password', async () => {
  const { id, token, authenticator } = await enrol();
  const age = () =>
    service.sql(
      `update auth.session set proven_at = '-infinity', mfa_verified_at = null where user_id = $1`,
      [id],
    );
  const stepUp = async (more: object, wrong = {}) =>
    post('step-up', token, { passkey: await second(authenticator, { token }, wrong), ...more });
  await age();
  await expectFault('/password', stepUp({}, { verifiesUser: false }));
  await expectCode('mfa_required', post('step-up', token, { password }));
  await expectFault('/password', post('step-up', token, {}));
  expect((await me(token)).credential.proven_at).toBeNull();
  for (const [more, wrong] of [
    [{}, {}],
    [{ password }, { verifiesUser: false }],
  ]) {
    await age();
    succeed(await stepUp(more as object, wrong));
    expect((await me(token)).credential).toMatchObject({
      second_factor_proven: true,
      proven_at: expect.any(String),
    });
  }
});

it('S7: a code of an app that the user does not have says so, and the sign-in goes on waiting', async () => {
  const { authenticator, challenge } = await enrol();
  const twoFactorToken = await challenge();
  const body = { code: '123456', twoFactorToken };
  await expectCode('two_factor_not_enabled', post('two-factor/verify-totp', null, body));
  const proof = await second(authenticator, { twoFactorToken });
  succeed(await post('two-factor/verify-passkey', null, { ...proof, twoFactorToken }));
});

it('T6, S7: a changed password ends a sign-in that waits for a passkey', async () => {
  const { id, authenticator, challenge } = await enrol();
  const twoFactorToken = await challenge();
  const proof = await second(authenticator, { twoFactorToken });
  await service.sql(`update auth.account set password = 'another' where user_id = $1`, [id]);
  const late = await post('two-factor/verify-passkey', null, { ...proof, twoFactorToken });
  expect(codeOf(late)).toEqual([400, 'invalid_token']);
  await forget();
});

it('S6: an operator signs in with a passkey too', async () => {
  const authenticator = createAuthenticator();
  const { token } = succeed(await add(service.operatorToken, authenticator));
  expect((await me(token)).email).toBe(operator.email);
  const signedIn = succeed(await post('passkey/sign-in', null, await alone(authenticator)));
  await expectStatus(200, service.get('/users', signedIn.token));
});

it('U12, S4: the export of a person lists passkeys, and no answer shows a key', async () => {
  const { token, passkey, authenticator } = await enrol();
  const { text, body } = await service.get('/me/export', token);
  expect(body.passkeys).toEqual([passkey]);
  expect(text).not.toContain(authenticator.id);
});
