// Links in mails: who can complete them, how often, and what they end.
import { describe, expect, it } from 'vitest';
import { acl, atOnce, expectCode, expectFault, expectStatus, statusesOf, succeed } from '../stage/cast.ts';
import { createEnrolment, errorCodeOf, fillLine, password } from '../stage/enrolment.ts';
import { tokenIn, untilSent, useMailed } from '../stage/mailbox.ts';

const { mailbox, service, cast } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, forget, person } = createEnrolment(service);

const subjects = {
  verify: 'Verify your e-mail address',
  reset: 'Set a new password',
  newAddress: 'Confirm your new e-mail address',
  deletion: 'Confirm the deletion of your account',
};
const tokenFor = async (to: string, kind: keyof typeof subjects) =>
  tokenIn(await mailbox.next(to, subjects[kind]));

describe('a sign-up', () => {
  const signUp = async (email: string, secret: string) => {
    await post('sign-up/email', null, { name: 'C', email, password: secret });
    return tokenFor(email, 'verify');
  };
  const verify = (token: string, secret: string) => post('verify-email', null, { token, password: secret });
  const usersWith = (email: string) => service.sql('select from auth."user" where email = $1', [email]);

  it('T8: a mail scanner that opens the link completes nothing, so a stranger cannot accept an invitation by it', async () => {
    await forget();
    const [email, secret] = ['ceo@corp.example', 'a password of a stranger'];
    await post('sign-up/email', null, { name: 'C', email, password: secret });
    const mail = await mailbox.next(email, subjects.verify);
    const url = new URL(/http:\S+/.exec(mail.text ?? '')?.[0] ?? '');
    expect([url.pathname, url.search]).toEqual(['/console/verify', '']);
    for (const method of ['GET', 'HEAD']) {
      // 503 where the console is not built.
      expect(
        (await service.request(method, url.pathname, { token: null, headers: { accept: 'text/html' } }))
          .status,
      ).toBeOneOf([200, 503]);
      for (const path of ['verify-email', 'reset-password', 'delete-user/confirm'])
        await expectStatus(
          405,
          service.request(method, `/api/auth/${path}?token=${tokenIn(mail)}`, { token: null }),
        );
    }
    expect(await usersWith(email)).toEqual([]);
    await expectStatus(401, post('sign-in/email', null, { email, password: secret }));
  });

  it('T1, T9: only the password of the same sign-up completes it, so a stranger gains nothing', async () => {
    await forget();
    const email = 'two@corp.example';
    const ofStranger = await signUp(email, 'a password of a stranger');
    const ofOwner = await signUp(email, 'a password of the owner');
    await signUp(email, 'the last of a stranger');
    await expectCode('invalid_password', verify(ofStranger, 'a password of the owner'));
    await expectCode('invalid_password', verify(ofOwner, 'a password of a stranger'));
    await expectCode('invalid_request', post('verify-email', null, { token: ofOwner }));
    expect(await usersWith(email)).toEqual([]);
    await expectStatus(200, verify(ofOwner, 'a password of the owner'));
    await expectCode('invalid_token', verify(ofStranger, 'a password of a stranger'));
    const signIn = (secret: string) => post('sign-in/email', null, { email, password: secret });
    for (const secret of ['a password of a stranger', 'the last of a stranger'])
      await expectStatus(401, signIn(secret));
    await expectStatus(200, signIn('a password of the owner'));
  });

  it('T9: a token is dead after ten guesses, even if they are simultaneous', async () => {
    await forget();
    const email = 'guessed@corp.example';
    const token = await signUp(email, 'a password of a person');
    const codes = await atOnce(14, () => errorCodeOf(verify(token, 'a wrong password')));
    expect(codes.sort()).toEqual([...Array(10).fill('invalid_password'), ...Array(4).fill('invalid_token')]);
    await expectCode('invalid_token', verify(token, 'a password of a person'));
  });

  it('T9: two simultaneous completions create one user', async () => {
    await forget();
    const email = 'twice@corp.example';
    const token = await signUp(email, password);
    const statuses = (await Promise.all([verify(token, password), verify(token, password)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 400]);
    expect(await usersWith(email)).toHaveLength(1);
  });

  it('T9, L3: a guess that is refused because too many passwords wait does not count', async () => {
    await forget();
    const [email, secret] = ['waits@corp.example', 'a long enough password'];
    const token = await signUp(email, secret);
    const flood = await fillLine(30, (i) =>
      post('sign-in/email', null, { email: `nobody${i}@flood.example`, password: 'wrong' }),
    );
    const refused = await atOnce(12, () => verify(token, secret));
    expect(statusesOf(refused)).toEqual(Array(12).fill(429));
    await flood.end();
    await expectStatus(200, verify(token, secret));
    expect(await usersWith(email)).toEqual([{}]);
  });
});

describe('a new password', () => {
  const request = async (email: string) => {
    await post('request-password-reset', null, { email });
    return tokenFor(email, 'reset');
  };
  const reset = (token: string, newPassword = 'a completely new password') =>
    post('reset-password', null, { token, newPassword });

  it('T29: a token is checked without using it, and is dead once it was used', async () => {
    const user = await person();
    const token = await request(user.email);
    const check = () => post('reset-password/check', null, { token });
    expect([(await check()).status, (await check()).status]).toEqual([200, 200]);
    await expectStatus(200, reset(token));
    await expectCode('invalid_token', check());
    await expectCode('invalid_token', post('reset-password/check', null, { token: user.token }));
  });

  it('T10: ends sessions, access tokens and other links; the token works once, and its hash alone is stored', async () => {
    const user = await person();
    const other = await request(user.email);
    const token = await request(user.email);
    const program = await cast.accessToken(user, [acl('*')]);
    await post('delete-user', user.token, {});
    const deletion = await tokenFor(user.email, 'deletion');
    const stored = JSON.stringify(
      await service.sql(`select encode(token_hash, 'base64') as hash, t::text from auth.mail_link t`),
    );
    for (const secret of [other, token, deletion]) expect(stored).not.toContain(secret);
    expect(token).toMatch(/^[\w-]{32}$/);

    const statuses = (await Promise.all([reset(token), reset(token)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    await expectCode('invalid_token', reset(other));
    await expectCode('invalid_token', post('delete-user/confirm', null, { token: deletion }));
    for (const bearer of [user.token, program]) await expectStatus(401, service.get('/partners', bearer));
    await expectStatus(
      200,
      post('sign-in/email', null, { email: user.email, password: 'a completely new password' }),
    );
    const [row] = await service.sql(
      `select credential, outcome from audit_log where action = 'account.reset_password' and target = $1`,
      [user.id],
    );
    expect(row).toEqual({ credential: 'mail_link reset_password', outcome: 'done' });
  });

  it('T10: of a user without one verifies the address, and drops links of providers that were made before', async () => {
    const user = await person();
    await cast.set(user.id, { email_verified: false });
    await service.sql(`update auth.account set provider_id = 'oidc', password = null where user_id = $1`, [
      user.id,
    ]);
    const session = await cast.session(user.id);
    await expectStatus(200, reset(await request(user.email)));
    const accounts = await service.sql('select provider_id from auth.account where user_id = $1', [user.id]);
    expect(accounts).toEqual([{ provider_id: 'credential' }]);
    await expectStatus(401, service.get('/api/auth/list-accounts', session));
    await expectStatus(
      200,
      post('sign-in/email', null, { email: user.email, password: 'a completely new password' }),
    );
  });

  it('T10: of a verified user keeps the links of providers', async () => {
    const user = await person();
    await service.sql(
      `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ('oidc ' || $1, $1, 'oidc', $1, now())`,
      [user.id],
    );
    await reset(await request(user.email));
    expect(await service.sql('select from auth.account where user_id = $1', [user.id])).toHaveLength(2);
  });

  it('T10: is not offered to a service account', async () => {
    const partner = await cast.partner();
    const { body } = await service.post(`/partners/${partner}/service-accounts`, { name: 'robot' });
    expect(body.id).toMatch(/^usr_/);
    await post('request-password-reset', null, { email: `${body.id}@service-account.invalid` });
    const after = await person();
    await request(after.email);
    expect(await service.sql('select from auth.mail_link where user_id = $1', [body.id])).toEqual([]);
  });

  it('T8: a link expires after an hour, and a link of one purpose serves no other', async () => {
    const user = await person();
    const token = await request(user.email);
    await expectCode('invalid_token', post('delete-user/confirm', null, { token }));
    await expectCode('invalid_token', post('verify-email', null, { token, password }));
    await service.advanceClock(61 * 60_000);
    await expectCode('invalid_token', reset(token));
    await service.runTask('delete expired sessions and tokens');
    expect(await service.sql('select from auth.mail_link where user_id = $1', [user.id])).toEqual([]);
    await service.advanceClock(0);
  });

  it('T8: a sign-up that nobody verified is deleted after a day, and serves nobody until then', async () => {
    const email = 'never-verified@concord.test';
    const signUp = async (to: string) => {
      succeed(await post('sign-up/email', null, { email: to, password, name: 'Nev' }));
      return tokenFor(to, 'verify');
    };
    const token = await signUp(email);
    const waiting = () => service.sql('select from auth.pending_sign_up where email = $1', [email]);
    const task = 'delete expired sessions and tokens';
    for (const [hours, left] of [
      [23, 1],
      [25, 0],
    ] as const) {
      await service.pauseTask(task);
      await service.advanceClock(hours * 3_600_000);
      if (left === 0) {
        await expectCode('invalid_token', post('verify-email', null, { token, password }));
        await post('send-verification-email', null, { email });
        // A mail that was asked for later has arrived.
        await signUp('later@concord.test');
        expect(await waiting()).toHaveLength(1);
      }
      await service.runTask(task);
      expect(await waiting()).toHaveLength(left);
    }
    await service.advanceClock(0);
  });
});

describe('a new address', () => {
  const change = (token: string, newEmail: string) => post('change-email', token, { newEmail });
  const verify = (token: string, body: object, bearer: string | null = null) =>
    post('verify-email', bearer, { token, ...body });
  const addressOf = async (id: string) =>
    (await service.sql('select email from auth."user" where id = $1', [id]))[0].email;

  it('T11: is set by the token in the session that asked, or with the password; both addresses learn of it', async () => {
    const user = await person();
    const other = await cast.session(user.id);
    await expectStatus(200, change(user.token, 'New.One@life.example'));
    const asked = await mailbox.next(user.email, 'A new address for your account was requested');
    expect(asked.text).toContain('from the address 127.0.0.1');
    expect(asked.text).not.toContain('#token=');
    const token = await tokenFor('new.one@life.example', 'newAddress');
    await expectCode('invalid_request', verify(token, {}));
    await expectCode('invalid_token', verify(token, {}, other));
    await expectCode('invalid_password', verify(token, { password: 'a wrong password' }));
    expect(await addressOf(user.id)).toBe(user.email);
    await expectStatus(200, verify(token, {}, user.token));
    expect(await addressOf(user.id)).toBe('new.one@life.example');
    for (const to of [user.email, 'new.one@life.example'])
      await mailbox.next(to, 'The address of your account was changed');
    await expectCode('invalid_token', verify(token, { password }));

    await change(user.token, 'second@life.example');
    const second = await tokenFor('second@life.example', 'newAddress');
    await expectStatus(200, verify(second, { password }));
    expect(await addressOf(user.id)).toBe('second@life.example');
    const rows = await service.sql(
      `select outcome from audit_log where action = 'account.change_email' and target = $1 order by position`,
      [user.id],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['intended', 'done', 'intended', 'done']);
  });

  it('T11: ends the sign-ups that wait for the address', async () => {
    const user = await person();
    const [email, other] = ['third@life.example', 'fourth@life.example'];
    const waiting = () =>
      service.sql('select email from auth.pending_sign_up where email = any ($1)', [[email, other]]);
    for (const to of [email, other])
      succeed(await post('sign-up/email', null, { email: to, password, name: 'Stranger' }));
    await expect.poll(waiting).toHaveLength(2);
    await expectStatus(200, change(user.token, email));
    await expectStatus(200, verify(await tokenFor(email, 'newAddress'), { password }));
    expect(await waiting()).toEqual([{ email: other }]);
  });

  it('T11: does the same work for an address that has an account, and tells only its owner', async () => {
    const [user, owner] = [await person(), await person()];
    const written = async (newEmail: string) => {
      await service.sql('delete from auth.mail_link');
      await untilSent(service);
      const before = mailbox.attempts();
      const { status, body } = await change(user.token, newEmail);
      await mailbox.next(user.email, 'A new address for your account was requested');
      await expect.poll(() => mailbox.attempts() - before).toBe(2);
      return [status, body, (await service.sql('select from auth.mail_link')).length];
    };
    const free = await written('free@life.example');
    expect(await written(owner.email)).toEqual(free);
    const told = await mailbox.next(owner.email, 'This address already has an account');
    expect(told.text).not.toContain('#token=');
    await expectFault('/newEmail', change(user.token, user.email));
  });

  it('T11: that another user got meanwhile is not set, and a newer request ends the link', async () => {
    const user = await person();
    await change(user.token, 'raced@life.example');
    const first = await tokenFor('raced@life.example', 'newAddress');
    await change(user.token, 'raced@life.example');
    const second = await tokenFor('raced@life.example', 'newAddress');
    await expectCode('invalid_token', verify(first, { password }));
    const winner = await person();
    await cast.set(winner.id, { email: 'raced@life.example' });
    await expectCode('invalid_token', verify(second, { password }));
    await expectCode('invalid_token', verify(second, {}, user.token));
    expect(await addressOf(user.id)).toBe(user.email);
  });

  it('T11: cannot be set by a link from before the password or the address changed, nor by guessing', async () => {
    const user = await person();
    await change(user.token, 'late@life.example');
    const token = await tokenFor('late@life.example', 'newAddress');
    await post('change-password', user.token, {
      currentPassword: password,
      newPassword: 'another long password',
    });
    await expectCode('invalid_token', verify(token, { password: 'another long password' }));
    await change(user.token, 'later@life.example');
    const guessed = await tokenFor('later@life.example', 'newAddress');
    for (let i = 0; i < 10; i++)
      await expectCode('invalid_password', verify(guessed, { password: `wrong ${i}` }));
    await expectCode('invalid_token', verify(guessed, { password: 'another long password' }));
    await cast.set(user.id, { email: 'moved@life.example' });
    expect(await service.sql('select from auth.mail_link where user_id = $1', [user.id])).toEqual([]);
  });

  it('T9, L3: a dead link stays dead, also when its guesses are refused because too many passwords wait', async () => {
    await forget();
    const user = await person();
    await expectStatus(200, change(user.token, 'dead@life.example'));
    const token = await tokenFor('dead@life.example', 'newAddress');
    const guess = (i: number) => verify(token, { password: `a wrong password ${i}` });
    for (let i = 0; i < 10; i++) await expectCode('invalid_password', guess(i));
    await expectCode('invalid_token', guess(10));
    await (await fillLine(60, guess)).end();
    await expectCode('invalid_token', verify(token, { password }));
  });
});
