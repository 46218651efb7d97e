// Invitations by mail, through the outbox to a real SMTP server, and their limit.
import { beforeAll, expect, it } from 'vitest';
import { expectStatus, type Player, succeed, uuidOf } from '../stage/cast.ts';
import { untilSent, useMailed } from '../stage/mailbox.ts';

let partner: string;
let owner: Player;
const { mailbox, service, cast } = useMailed({ CONCORD_RATE_LIMIT: '100000/10s' });
beforeAll(async () => {
  partner = await cast.partner('Acme <b>&</b> Sons\r\nBcc: x@concord.test http://evil.example');
  owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
  await mailbox.next(owner.email);
});

it('A11, A15, L8: the mail names the inviter and the partner in safe text, and its link is the only one', async () => {
  const player = await cast.user();
  succeed(await cast.invite(partner, player.email, { owner: true }, owner.token));
  const mail = await mailbox.next(player.email);
  expect([mail.to?.length, mail.cc, mail.bcc]).toEqual([1, undefined, undefined]);
  expect(mail.subject).toBe(
    'You are invited to Acme <b>&</b> Sons Bcc: x@ concord. test http: //evil. example',
  );
  expect(mail.text).toContain('Olga Owner invites you to work with Acme');
  expect(mail.text).toContain('as an owner');
  expect(mail.html).toContain('Acme &lt;b&gt;&amp;&lt;/b&gt; Sons Bcc');
  expect(mail.html).not.toContain('<b>');
  expect(mail.text).toMatch(/You can accept or decline it until \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
  expect(mail.text?.match(/https?:\/\/\S+/g)).toHaveLength(1);
});

it('A11: an invitee without an account gets the same mail with another token, and it can be sent again', async () => {
  const { id } = succeed(await cast.invite(partner, 'nobody.yet@concord.test', {}, owner.token));
  const first = await mailbox.next('nobody.yet@concord.test');
  const resend = `/partners/${partner}/agreements/${id}/resend`;
  const answer = await service.request('POST', resend, {
    token: owner.token,
    headers: { 'idempotency-key': 'again' },
  });
  expect(answer.status).toBe(200);
  const second = await mailbox.next('nobody.yet@concord.test');
  const withoutToken = (text = '') => text.replace(/#\S+/, '').replace(/until \S+ \S+ UTC/, '');
  expect(withoutToken(second.text)).toBe(withoutToken(first.text));
  expect(second.text).not.toBe(first.text);
  // The same request sent again sends no mail.
  await service.request('POST', resend, { token: owner.token, headers: { 'idempotency-key': 'again' } });
  await untilSent(service);
  expect(mailbox.received).toEqual([]);
});

it('A2: a refused invitation sends no mail', async () => {
  await expectStatus(400, cast.invite(partner, 'nobody.yet@concord.test', {}, owner.token));
  await untilSent(service);
});

it('L6: the members of a partner can send 50 invitations an hour; refused invitations do not count', async () => {
  const at = await cast.partner();
  const inviter = await cast.user();
  await cast.join(at, inviter, { owner: true });
  const invite = (name: string, headers = {}) =>
    service.request('POST', `/partners/${at}/agreements`, {
      token: inviter.token,
      body: { email: `${name}@concord.test` },
      headers,
    });
  for (let i = 0; i < 49; i++) await expectStatus(201, invite(`many${i}`));
  const key = { 'idempotency-key': 'fiftieth' };
  await expectStatus(400, invite('many0'));
  await expectStatus(201, invite('many49', key));
  const refused = await invite('many50');
  expect([refused.status, Number(refused.headers['retry-after']) > 3_500]).toEqual([429, true]);
  expect((await invite('many49', key)).headers['idempotent-replayed']).toBe('true');
  await expectStatus(201, cast.invite(partner, 'elsewhere@concord.test'));
  // Operators move a whole company here.
  await expectStatus(201, cast.invite(at, 'many50@concord.test'));
});

it('L6: an inviter can send 10 invitations an hour to one address and 100 in all; operators 10 from a partner to one', async () => {
  const partners = [await cast.partner(), await cast.partner(), await cast.partner()];
  const inviter = await cast.user();
  for (const at of partners) await cast.join(at, inviter, { owner: true });
  const invite = (at: string, email: string) => cast.invite(at, email, {}, inviter.token);
  const { id } = succeed(await invite(partners[0]!, 'often@concord.test'));
  const path = `/partners/${partners[0]}/agreements/${id}/resend`;
  const resend = async (token: string) => (await service.request('POST', path, { token })).status;
  for (let i = 0; i < 9; i++) expect(await resend(inviter.token)).toBe(200);
  expect(await resend(inviter.token)).toBe(429);
  for (let i = 0; i < 10; i++) expect(await resend(service.operatorToken)).toBe(200);
  expect(await resend(service.operatorToken)).toBe(429);
  await expectStatus(201, cast.invite(partners[2]!, 'often@concord.test'));
  await expectStatus(429, invite(partners[1]!, 'OFTEN@concord.test'));
  for (let i = 0; i < 90; i++)
    await expectStatus(201, invite(partners[1 + (i % 2)]!, `one${i}@concord.test`));
  await expectStatus(429, invite(partners[1]!, 'over@concord.test'));
  await expectStatus(201, cast.invite(partners[1]!, 'over@concord.test'));
});

it('A16: an invitation to an address that only an older version takes is sent again, and accepted', async () => {
  const user = await cast.user();
  const { id } = succeed(await cast.invite(partner, user.email, {}, owner.token));
  const [older, key] = ['Ann@192.0.2.1', 'ann@192.0.2.1'];
  await service.sql('update agreement set email = $1, email_key = $2 where id = $3', [
    older,
    key,
    uuidOf(id),
  ]);
  await service.sql('update auth."user" set email = $1 where id = $2', [key, user.id]);
  const resend = `/partners/${partner}/agreements/${id}/resend`;
  succeed(await service.request('POST', resend, { token: owner.token }));
  const token = /console\/invitations\/\S+#(\S+)/.exec((await mailbox.next(older)).text ?? '')?.[1] ?? '';
  const accept = { token: user.token, headers: { 'invitation-token': token } };
  await expectStatus(200, service.request('POST', `/invitations/${id}/accept`, accept));
});
