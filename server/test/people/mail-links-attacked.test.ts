// Attacks on links in mails.

import { describe, expect, it } from 'vitest';
import { expectCode, expectStatus } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { commit, hold, untilWaiting } from '../stage/locks.ts';
import { tokenIn, useMailed } from '../stage/mailbox.ts';

const { mailbox, service } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, forget, person, enable } = createEnrolment(service);

describe('a link that was asked for before a change', () => {
  async function askedFor(user: { token: string }, newEmail: string) {
    await post('change-email', user.token, { newEmail });
    return tokenIn(await mailbox.next(newEmail, 'Confirm your new e-mail address'));
  }

  it('T8: ends when the second factor is enabled, so that a thief of the password cannot take the address afterwards', async () => {
    const user = await person();
    const thief = await service.signIn(user.email);
    const token = await askedFor({ token: thief }, 'thief@life.example');
    await enable(user.token);
    await expectCode('invalid_token', post('verify-email', null, { token, password }));
    expect(await service.sql('select email from auth."user" where id = $1', [user.id])).toEqual([
      { email: user.email },
    ]);
  });

  it('T8: ends with a ban, so that a banned user cannot delete the user and sign up again', async () => {
    const user = await person();
    const token = await askedFor(user, 'elsewhere@life.example');
    await post('delete-user', user.token, {});
    const deletion = tokenIn(await mailbox.next(user.email, 'Confirm the deletion of your account'));
    await expectStatus(200, service.post(`/users/${user.id}/ban`, {}));
    await expectCode('invalid_token', post('verify-email', null, { token, password }));
    await expectCode('invalid_token', post('delete-user/confirm', null, { token: deletion }));
    expect(await service.sql('select banned, email from auth."user" where id = $1', [user.id])).toEqual([
      { banned: true, email: user.email },
    ]);
  });

  it('T10: of a new password never reaches an address that the user is leaving', async () => {
    const user = await person();
    const leave = `update auth."user" set email = 'left@life.example' where id = $1`;
    const holder = await hold(service.database, leave, [user.id]);
    await post('request-password-reset', null, { email: user.email });
    await untilWaiting(service.database, 1);
    await commit(holder);
    const next = await person();
    await post('request-password-reset', null, { email: next.email });
    await mailbox.next(next.email, 'Set a new password');
    expect(await service.sql('select from auth.mail_link where user_id = $1', [user.id])).toEqual([]);
    expect(mailbox.to(user.email)).toEqual([]);
  });
});

it('T9: send-verification-email answers before it looks for a sign-up, so its time tells nothing', async () => {
  await forget();
  const email = 'waits@corp.example';
  await post('sign-up/email', null, { name: 'W', email, password });
  await mailbox.next(email, 'Verify your e-mail address');
  const holder = await hold(service.database, 'lock table auth.pending_sign_up in access exclusive mode');
  await expectStatus(200, post('send-verification-email', null, { email }));
  await untilWaiting(service.database, 1);
  await holder.end();
  const again = tokenIn(await mailbox.next(email, 'Verify your e-mail address'));
  await expectStatus(200, post('verify-email', null, { token: again, password }));
});
