// Notices: the mails that tell a user what was changed.
import { describe, expect, it } from 'vitest';
import { expectStatus } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { useMailed } from '../stage/mailbox.ts';

const { mailbox, service, cast } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, forget, person } = createEnrolment(service);

describe('notices', () => {
  it('T22: tell the user what was changed, when, from where, and what to do', async () => {
    const user = await person();
    const now = new Date().toISOString();
    await service.setClock(now);
    await post('change-password', user.token, {
      currentPassword: password,
      newPassword: 'another long password',
    });
    const { text } = await mailbox.next(user.email, 'Your password was changed');
    const when = `${now.slice(0, 16).replace('T', ' ')} UTC`;
    expect(text).toContain(
      `The password of your Concord account was changed at ${when}, from the address 127.0.0.1.`,
    );
    expect(text).toContain('request a new password at once');
    await service.advanceClock(0);
  });

  it('T22: of one kind are five in an hour, and the fifth says so', async () => {
    const user = await person();
    for (let i = 0; i < 7; i++) await cast.accessToken(user, []);
    const mails: [string, string][] = [];
    for (let i = 0; i < 5; i++) {
      const { messageId = '', text = '' } = await mailbox.next(user.email, 'An access token was created');
      mails.push([messageId, text]);
    }
    // Mails can arrive in another order. Their ids have the order in which they were written.
    const written = mails.toSorted().map(([, text]) => text.includes('no more mails'));
    expect(written).toEqual([false, false, false, false, true]);
    await service.advanceClock(61 * 60_000);
    const again = await service.signIn(user.email);
    await cast.accessToken({ ...user, token: again }, []);
    expect((await mailbox.next(user.email, 'An access token was created')).text).not.toContain(
      'no more mails',
    );
    expect(mailbox.to(user.email)).toEqual([]);
    await service.advanceClock(0);
  });

  it('T22: commit with the change', async () => {
    const user = await person();
    await service.sql(
      `create function refuse_mail() returns trigger language plpgsql as $$ begin raise exception 'no mail'; end $$`,
    );
    await service.sql(
      'create trigger refuse_mail before insert on mail for each row execute function refuse_mail()',
    );
    const change = { currentPassword: password, newPassword: 'another long password' };
    await expectStatus(500, post('change-password', user.token, change));
    await service.sql('drop trigger refuse_mail on mail');
    expect(await service.signIn(user.email)).toEqual(expect.any(String));
  });

  it('T22: tell about the second factor', async () => {
    await forget();
    const { email, token } = await createEnrolment(service).enrol();
    await mailbox.next(email, 'A second factor was enabled');
    await expectStatus(200, post('two-factor/generate-backup-codes', token, { password }));
    await mailbox.next(email, 'New backup codes were made for your account');
    await post('two-factor/disable', token, { password });
    await mailbox.next(email, 'The second factor was disabled');
  });
});
