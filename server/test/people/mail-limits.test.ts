// How many mails strangers can cause, and what is left for the owner of an address.
import { beforeEach, expect, it } from 'vitest';
import { atOnce, expectStatus, times } from '../stage/cast.ts';
import { password } from '../stage/enrolment.ts';
import { tokenIn, untilSent, useMailed } from '../stage/mailbox.ts';

const { mailbox, service } = useMailed({
  CONCORD_RATE_LIMIT: '100000/10s',
  CONCORD_TRUSTED_PROXIES: '127.0.0.1',
});

beforeEach(() => service.sql('delete from guard_count'));

const ask = (path: string, body: object, address: string, token: string | null = null) =>
  service.request('POST', `/api/auth/${path}`, { token, body, headers: { 'x-forwarded-for': address } });
const post = async (path: string, body: object, address: string, token: string | null = null) => {
  await expectStatus(200, ask(path, body, address, token));
};
const signUp = (email: string, address: string) =>
  post('sign-up/email', { name: 'N', email, password }, address);
const addressesOf = (n: number) => times(n, (i) => `198.51.100.${i}`);

/** Removes the mails that were sent. Returns how many there were for addresses that start like this. */
async function receivedBy(email: string) {
  await untilSent(service);
  return mailbox.received.splice(0).filter((mail) => mail.to?.[0]?.address?.startsWith(email)).length;
}

it('L10, L12: one address can cause 20 mails an hour, to however many people; then each request for a mail is 429 and says so', async () => {
  await atOnce(20, (i) => signUp(`person${i}@limits.example`, `2001:db8:0:1::${i}`));
  const [office, email] = ['2001:db8:0:1::ffff', 'one.more@limits.example'];
  const refused = await ask('sign-up/email', { name: 'N', email, password }, office);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(refused.body.message).toMatch(
    /^Too many mails for your network address: the limit "mails-of-address" allows 20 in 60 minutes\. Try again in \d\d minutes\.$/,
  );
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
  for (const path of ['request-password-reset', 'send-verification-email'])
    expect((await ask(path, { email }, office)).status, path).toBe(429);
  const { token } = await service.signInStranger();
  await expectStatus(429, ask('change-email', { newEmail: email }, office, token));
  await expectStatus(429, ask('delete-user', {}, office, token));
  await signUp('elsewhere@limits.example', '2001:db8:0:2::1');
  await mailbox.next('elsewhere@limits.example');
  expect(await receivedBy('one.more@limits.example')).toBe(0);
});

it('L6: mails of other kinds cannot use up the resets of an address', async () => {
  const email = 'victim@limits.example';
  await signUp(email, '203.0.113.1');
  const link = tokenIn(await mailbox.next(email));
  for (const address of addressesOf(6))
    for (let i = 0; i < 5; i++) await post('send-verification-email', { email }, address);
  expect(await receivedBy(email)).toBe(29);
  await post('verify-email', { token: link, password }, '203.0.113.1');
  await post('request-password-reset', { email }, '203.0.113.1');
  expect((await mailbox.next(email)).subject).toBe('Set a new password');
});

it('L6: when strangers have used up the resets of an address, their last mail still resets the password', async () => {
  const { email } = await service.signInStranger();
  for (const address of addressesOf(2))
    for (let i = 0; i < 5; i++) await post('request-password-reset', { email }, address);
  const mails = [];
  for (let i = 0; i < 10; i++) mails.push(await mailbox.next(email));
  await post('request-password-reset', { email }, '203.0.113.1');
  await signUp('marker@limits.example', '203.0.113.1');
  await mailbox.next('marker@limits.example');
  expect(await receivedBy(email)).toBe(0);
  await post(
    'reset-password',
    { token: tokenIn(mails.at(-1)!), newPassword: 'another long password' },
    '203.0.113.1',
  );
});

it('L6: only mails that are sent count: a mail that is not sent again uses nothing up', async () => {
  const email = 'nobody.yet@limits.example';
  for (const address of addressesOf(7))
    for (let i = 0; i < 5; i++) await post('send-verification-email', { email }, address);
  await signUp(email, '203.0.113.1');
  await mailbox.next(email);
});

it('L10: what the recipient has left does not change the count of the asker', async () => {
  const [busy, office] = ['busy@limits.example', '203.0.113.9'];
  await signUp(busy, '203.0.113.1');
  // More than one address may send to one recipient; unknown recipients count as well.
  for (let i = 0; i < 9; i++) await post('send-verification-email', { email: busy }, office);
  for (let i = 0; i < 11; i++)
    await post('send-verification-email', { email: 'unknown@limits.example' }, office);
  await expectStatus(429, ask('send-verification-email', { email: busy }, office));
  expect(await receivedBy(busy)).toBe(6);
});

it('L10: a signed-in user can cause 10 mails an hour, from however many addresses', async () => {
  const { token } = await service.signInStranger();
  const statuses = [];
  for (const [i, address] of addressesOf(12).entries())
    statuses.push((await ask('change-email', { newEmail: `new${i}@limits.example` }, address, token)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  expect(await receivedBy('new')).toBe(10);
});
