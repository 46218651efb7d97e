// Accounts whose user is banned, signed out or given another password while a request is under way.
import * as OTPAuth from 'otpauth';
import { expect, it } from 'vitest';
import { codeOf, expectCode, expectStatus, statusesOf, succeed, useCast } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { commit, hold, meanwhile, stopAt, untilWaiting } from '../stage/locks.ts';
import { createPasskeyStage } from '../stage/passkey-stage.ts';

const { service, cast } = useCast({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, enrol, person } = createEnrolment(service);
const passkeys = createPasskeyStage(service);
const user = async (id: string) =>
  (
    await service.sql('select banned, two_factor_enabled, updated_at from auth."user" where id = $1', [id])
  )[0];

const raced = (change: string, values: unknown[], request: () => ReturnType<typeof post>) =>
  meanwhile(service.database, change, values, request);

const sessionsOf = (id: string) => service.sql('select from auth.session where user_id = $1', [id]);
const changePassword = `update auth.account set password = 'a hash of another password' where user_id = $1`;

it('T5: a sign-in after the end of a ban lifts it, and not the ban that an operator sets meanwhile', async () => {
  const { id, email } = await person();
  const signIn = () => post('sign-in/email', null, { email, password });
  const ended = `update auth."user" set banned = true, ban_expires = now() - interval '1 second' where id = $1`;
  await service.sql(ended, [id]);
  succeed(await signIn());
  expect((await user(id)).banned).toBe(false);
  await service.sql(ended, [id]);
  const again = `update auth."user" set ban_expires = null where id = $1`;
  const { body } = await raced(again, [id], signIn);
  expect((await user(id)).banned).toBe(true);
  if (body.token) await expectStatus(401, service.get('/me', body.token));
  await service.sql(ended.replace('1 second', '1 hour'), [id]);
  await service.advanceClock(-7_200_000);
  await expectCode('banned', signIn());
  await service.advanceClock(0);
});

it('T5: a sign-in gets no session from a password whose change has begun', async () => {
  const { id, email } = await person();
  await service.sql('delete from auth.session where user_id = $1', [id]);
  const signIn = () => post('sign-in/email', null, { email, password });
  await expectCode('invalid_credentials', raced(changePassword, [id], signIn));
  expect(await sessionsOf(id)).toEqual([]);
});

it('T5: a sign-in gets no session if the password changes after the check', async () => {
  const { id, token, email } = await person();
  const stop = await stopAt(service.database, { table: 'auth.session', event: 'insert' });
  const racing = post('sign-in/email', null, { email, password });
  await stop.reached();
  succeed(
    await post('change-password', token, { currentPassword: password, newPassword: 'another long password' }),
  );
  await stop.release();
  await expectCode('invalid_credentials', racing);
  expect(await sessionsOf(id)).toHaveLength(1);
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
  await commit(change);
  await expectCode('invalid_token', racing);
  expect(await sessionsOf(id)).toEqual([]);
});

it('T5, T8: a ban that commits while a change of the account waits refuses it', async () => {
  const { id, token } = await person();
  const change = () =>
    post('change-password', token, { currentPassword: password, newPassword: 'another password of mine' });
  const ban = 'update auth."user" set banned = true where id = $1';
  await expectCode('banned', raced(ban, [id], change));
});

it('T5: what a user began who is deleted meanwhile is refused, and no fault of the service', async () => {
  const gone = 'delete from auth."user" where id = $1';
  const plain = await person();
  const signIn = () => post('sign-in/email', null, { email: plain.email, password });
  await expectCode('invalid_credentials', raced(gone, [plain.id], signIn));
  const beginner = await person();
  const begin = () => post('two-factor/enable', beginner.token, { password });
  await expectCode('unauthenticated', raced(gone, [beginner.id], begin));
  const waiting = await enrol();
  const twoFactorToken = await waiting.challenge();
  const complete = () => post('two-factor/verify-totp', null, { code: waiting.code(0), twoFactorToken });
  await expectCode('invalid_code', raced(gone, [waiting.id], complete));
  const program = await enrol();
  const token = await cast.accessToken(program);
  const generate = () => post('two-factor/generate-backup-codes', token, { password });
  await expectCode('unauthenticated', raced(gone, [program.id], generate));
  const holder = await passkeys.enrol();
  const proof = await passkeys.alone(holder.authenticator);
  const prove = () => post('passkey/sign-in', null, proof);
  // S3: its passkey is not registered any more, and the log says why.
  await expectCode('invalid_passkey', raced(gone, [holder.id], prove));
  expect(service.logs.some((line) => line.includes('The user was deleted'))).toBe(true);
});

it('T5: a session that was ended meanwhile disables no second factor', async () => {
  const { id, token } = await enrol();
  const locked = await hold(service.database, 'select from auth."user" where id = $1 for update', [id]);
  const disabling = post('two-factor/disable', token, { password });
  await untilWaiting(service.database, 1);
  await locked.query('delete from auth.session where user_id = $1', [id]);
  await commit(locked);
  await expectStatus(401, disabling);
  expect((await user(id)).two_factor_enabled).toBe(true);
});

it.each([
  ['step-up', person, { password }],
  ['two-factor/disable', enrol, { password }],
  ['change-password', person, { currentPassword: password, newPassword: 'another password of mine' }],
] as const)('T5, T6: a password that changes meanwhile is no proof for %s', async (path, create, body) => {
  const { id, token } = await create();
  const locked = await hold(service.database, 'select from auth."user" where id = $1 for update', [id]);
  const racing = post(path, token, body);
  await untilWaiting(service.database, 1);
  // As in another session, which keeps this one.
  await locked.query(`select set_config('concord.in_session', 'on', true)`);
  await locked.query(changePassword, [id]);
  await commit(locked);
  await expectCode('invalid_password', racing);
});

const begin = async (token: string) =>
  OTPAuth.URI.parse(succeed(await post('two-factor/enable', token, { password })).totpURI) as OTPAuth.TOTP;

const changes: [string, string, string][] = [
  ['the password is changed', changePassword, 'unauthenticated'],
  ['the session ends', 'delete from auth.session where user_id = $1', 'unauthenticated'],
  [
    'the app is replaced',
    'update auth.two_factor set secret = (select secret from auth.two_factor where user_id <> $1 limit 1) where user_id = $1',
    'invalid_code',
  ],
];
it.each(changes)('T5, S4: the first code enables nothing if %s meanwhile', async (_case, change, refusal) => {
  await enrol();
  const { id, token } = await person();
  const totp = await begin(token);
  const locked = await hold(service.database, 'select from auth."user" where id = $1 for no key update', [
    id,
  ]);
  const verifying = post('two-factor/verify-totp', token, { code: totp.generate() });
  await untilWaiting(service.database, 1);
  await locked.query(change, [id]);
  await commit(locked);
  await expectCode(refusal, verifying);
  expect((await user(id)).two_factor_enabled).toBeNull();
});

it('S4, U11: a second factor that is not there is neither disabled nor proven', async () => {
  const { id, token } = await person();
  const notEnabled = [400, 'two_factor_not_enabled'];
  expect(codeOf(await post('two-factor/disable', token, { password }))).toEqual(notEnabled);
  const { backupCodes } = succeed(await post('two-factor/enable', token, { password }));
  expect(codeOf(await post('two-factor/verify-backup-code', token, { code: backupCodes[0] }))).toEqual(
    notEnabled,
  );
  const rows = await service.sql(
    `select from audit_log where actor_id = $1 and outcome = 'done' and changes ? 'two_factor_enabled'`,
    [id],
  );
  expect(rows).toEqual([]);
});

it('F2, C1: a role that stays moves no time, and a stale tag changes none', async () => {
  const { id } = await cast.user();
  const put = (role: string, etag?: string) =>
    service.request('PUT', `/users/${id}/role`, {
      body: { role },
      ...(etag && { headers: { 'if-match': etag } }),
    });
  const first = await put('operator');
  const before = await user(id);
  succeed(await put('operator', String(first.headers.etag)));
  expect(await user(id)).toEqual(before);
  succeed(await put('user'));
  await expectStatus(412, put('operator', String(first.headers.etag)));
});

/** Requests of one user that wait for each other: the user is locked until all of them have come that far. */
async function together(id: string, statement: string, ...requests: (() => ReturnType<typeof post>)[]) {
  const locked = await hold(service.database, 'select from auth."user" where id = $1 for no key update', [
    id,
  ]);
  const answers = requests.map((request) => request());
  await untilWaiting(service.database, requests.length, statement).finally(() => commit(locked));
  return (await Promise.all(answers)).toSorted((one, other) => one.status - other.status);
}
const forUpdate = 'for no key update';
const doneBy = (id: string, action: string) =>
  service.sql(`select from audit_log where actor_id = $1 and action = $2 and outcome = 'done'`, [id, action]);

it('T5, U11: of two sign-outs of one session at once, one ends it, and has a row in the log', async () => {
  const { id, token } = await person();
  const signOut = () => post('sign-out', token, {});
  expect(statusesOf(await together(id, forUpdate, signOut, signOut))).toEqual([204, 401]);
  expect(await doneBy(id, 'account.sign_out')).toHaveLength(1);
});

it.each(['revoke-session', 'revoke-other-sessions'])(
  'T5: of two sessions that end each other at once by %s, one stays',
  async (path) => {
    const { id, token } = await person();
    const other = await cast.session(id);
    const all = await service.sql(
      `select id, token = encode(sha256($2), 'hex') as own from auth.session where user_id = $1`,
      [id, token],
    );
    const idOf = (own: boolean) => all.find((each) => each.own === own).id;
    const answers = await together(
      id,
      forUpdate,
      () => post(path, token, path === 'revoke-session' ? { id: idOf(false) } : {}),
      () => post(path, other, path === 'revoke-session' ? { id: idOf(true) } : {}),
    );
    expect(statusesOf(answers)).toEqual([200, 401]);
    expect(await sessionsOf(id)).toHaveLength(1);
  },
);

it('T5, E2: of apps that a user begins at once, the last one counts', async () => {
  const { id, token } = await person();
  const begin = () => post('two-factor/enable', token, { password });
  const answers = await together(id, forUpdate, begin, begin);
  expect(statusesOf(answers)).toEqual([200, 200]);
  const codes = answers.map(({ body }) => OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP);
  const enabled = [];
  for (const totp of codes)
    enabled.push((await post('two-factor/verify-totp', token, { code: totp.generate() })).status);
  expect(enabled.toSorted()).toEqual([200, 401]);
});

it('T5: of two first codes at once, one enables the second factor, with one session and one row', async () => {
  const { id, token } = await person();
  const totp = await begin(token);
  const verify = (steps: number) => () =>
    post('two-factor/verify-totp', token, {
      code: totp.generate({ timestamp: Date.now() + steps * 30_000 }),
    });
  const [first, second] = await together(id, forUpdate, verify(0), verify(-1));
  await expectStatus(200, service.get('/me', first?.body.token));
  expect(second && codeOf(second)).toEqual([401, 'unauthenticated']);
  expect(await sessionsOf(id)).toHaveLength(1);
  expect(await doneBy(id, 'account.prove_second_factor')).toHaveLength(1);
});

it('T5, S4: beside passkeys, an app that replaces another one meanwhile is not enabled by a code of that', async () => {
  const { id, token } = await passkeys.enrol();
  const begin = () => post('two-factor/enable', token, { password });
  const totp = OTPAuth.URI.parse(succeed(await begin()).totpURI) as OTPAuth.TOTP;
  const locked = await hold(service.database, 'select from auth.two_factor where user_id = $1 for update', [
    id,
  ]);
  const replacing = begin();
  await untilWaiting(service.database, 1);
  const verifying = post('two-factor/verify-totp', token, { code: totp.generate() });
  await untilWaiting(service.database, 2);
  await commit(locked);
  await expectStatus(200, replacing);
  await expectCode('invalid_code', verifying);
  const [app] = await service.sql('select verified from auth.two_factor where user_id = $1', [id]);
  expect(app.verified).toBe(false);
});
