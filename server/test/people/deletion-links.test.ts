// The deletion of one's own account, by the password or by a link in a mail.
import { describe, expect, it } from 'vitest';
import { expectCode, expectStatus, statusesOf, uuidOf } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { tokenIn, useMailed } from '../stage/mailbox.ts';

const { mailbox, service, cast } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
const { post, person } = createEnrolment(service);

const linkFor = async (to: string) => tokenIn(await mailbox.next(to, 'Confirm the deletion of your account'));

describe('the deletion of a user', () => {
  it('T21: is completed by a link, once, also by a user without a password', async () => {
    const user = await person();
    await service.sql('delete from auth.account where user_id = $1', [user.id]);
    await expectCode('invalid_password', post('delete-user', user.token, { password }));
    await expectStatus(200, post('delete-user', user.token, {}));
    const token = await linkFor(user.email);
    expect(await service.sql('select from auth."user" where id = $1', [user.id])).toHaveLength(1);
    const answers = await Promise.all([1, 2].map(() => post('delete-user/confirm', null, { token })));
    expect(statusesOf(answers)).toEqual([200, 400]);
    expect(await service.sql('select from auth."user" where id = $1', [user.id])).toEqual([]);
    await mailbox.next(user.email, 'Your account was deleted');
  });

  it('T21: by a link is refused to the last owner, who can use it later', async () => {
    const user = await person();
    const partner = await cast.partner();
    await cast.join(partner, user, { owner: true });
    await post('delete-user', user.token, {});
    const token = await linkFor(user.email);
    await expectCode('last_owner', post('delete-user/confirm', null, { token }));
    await cast.owner(partner);
    await expectStatus(200, post('delete-user/confirm', null, { token }));
  });
});

it('U5: the log of each partner of a user shows that the user deleted the account, by the password or by a link', async () => {
  const partners = [await cast.partner(), await cast.partner()];
  const [byPassword, byLink] = [await person(), await person()];
  for (const partner of partners) for (const user of [byPassword, byLink]) await cast.join(partner, user);
  await expectStatus(200, post('delete-user', byPassword.token, { password }));
  await post('delete-user', byLink.token, {});
  await expectStatus(200, post('delete-user/confirm', null, { token: await linkFor(byLink.email) }));
  for (const [{ id }, credential] of [
    [byPassword, 'session'],
    [byLink, 'mail_link'],
  ] as const) {
    const shown = await service.sql(
      `select partner_id, actor_id, outcome, split_part(credential, ' ', 1) as credential from audit_log
       where action = 'account.delete' and target = $1 and partner_id is not null order by partner_id`,
      [id],
    );
    const expected = partners.map((partner) => ({
      partner_id: uuidOf(partner),
      actor_id: id,
      outcome: 'done',
      credential,
    }));
    expect(shown).toEqual(
      expected.toSorted((a, b) => String(a.partner_id).localeCompare(String(b.partner_id))),
    );
  }
});
