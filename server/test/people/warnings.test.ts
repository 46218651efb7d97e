// Mails that warn before agreements and personal access tokens end.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { acl, succeed, uuidOf } from '../stage/cast.ts';
import { untilSent, useMailed } from '../stage/mailbox.ts';

let partner: string;
const { mailbox, service, cast } = useMailed();
beforeAll(async () => {
  partner = await cast.partner('Nordlys.example');
});

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/**
 * Runs both tasks, waits until every mail is sent, and returns the texts of the warnings to these addresses.
 * Drops all other mails.
 */
async function warningsTo(...addresses: string[]) {
  for (const ends of ['agreements', 'access tokens']) await service.runTask(`warn before ${ends} end`);
  await untilSent(service);
  const texts: string[] = [];
  for (const mail of mailbox.received.splice(0))
    if (addresses.includes(mail.to?.[0]?.address ?? '') && /ends soon$/.test(mail.subject ?? ''))
      texts.push(mail.text ?? '');
  return texts;
}

beforeEach(async () => {
  await service.advanceClock(0);
  // The timer would run them, too, since the clock was set back.
  for (const ends of ['agreements', 'access tokens']) await service.pauseTask(`warn before ${ends} end`);
});

it('A17: a mail warns 14 days before an agreement ends, once for each end', async () => {
  const end = inMs(14 * dayMs + 30 * minuteMs);
  const { email, agreement } = await cast.member(partner, { expires_at: end });
  expect(await warningsTo(email)).toEqual([]);
  await service.advanceClock(31 * minuteMs);
  const before = succeed(await service.get(`/partners/${partner}/agreements/${agreement}`));
  const [warning = '', ...others] = await warningsTo(email);
  expect(others).toEqual([]);
  expect(warning).toContain(
    `Your agreement with Nordlys. example on Concord ends at ${end.slice(0, 16).replace('T', ' ')} UTC.`,
  );
  expect(succeed(await service.get(`/partners/${partner}/agreements/${agreement}`))).toEqual(before);
  expect(await warningsTo(email)).toEqual([]);
  // Another member of the agreement changes: no new warning.
  succeed(await cast.change(partner, agreement, { mfa_required: true, expires_at: end }));
  expect(await warningsTo(email)).toEqual([]);
  succeed(await cast.change(partner, agreement, { expires_at: inMs(3 * dayMs) }));
  expect(await warningsTo(email)).toHaveLength(1);
  succeed(await cast.change(partner, agreement, { expires_at: inMs(15 * dayMs) }));
  expect(await warningsTo(email)).toEqual([]);
  await service.advanceClock(2 * dayMs);
  expect(await warningsTo(email)).toHaveLength(1);
});

it('A17: no mail for a pending agreement, an end that has passed, a banned user, a hidden partner or a service account', async () => {
  const soon = { expires_at: inMs(5 * dayMs) };
  const hidden = await cast.partner('Hidden');
  const [invited, past, banned, away] = [
    await cast.user(),
    await cast.member(partner, { expires_at: inMs(minuteMs) }),
    await cast.member(partner, soon),
    await cast.member(hidden, soon),
  ];
  const { id } = succeed(await cast.invite(partner, invited.email));
  succeed(await cast.change(partner, id, soon));
  succeed(await service.post(`/users/${banned.id}/ban`, {}));
  succeed(await service.remove(`/partners/${hidden}`));
  const robot = succeed(await service.post(`/partners/${partner}/service-accounts`, { name: 'robot' }));
  succeed(await cast.change(partner, robot.agreement_id, soon));
  await service.advanceClock(2 * minuteMs);
  expect(await warningsTo(...[invited, past, banned, away].map(({ email }) => email))).toEqual([]);
  expect(
    await service.sql(
      'select from agreement where expires_at is not null and warned_at is not null and email like $1',
      ['%.invalid'],
    ),
  ).toEqual([]);
  // They are warned when the reason is gone.
  succeed(await service.post(`/users/${banned.id}/unban`));
  expect(await warningsTo(banned.email)).toHaveLength(1);
});

it('T24: a mail warns 7 days before a personal token ends, once, and names the token; short tokens get none', async () => {
  const [player, banned] = [await cast.user(), await cast.user()];
  const create = async (name: string, lastsMs: number, { token } = player) =>
    succeed(
      await service.post(
        '/me/access-tokens',
        { name, scopes: [acl('partner', 'get')], expires_at: inMs(lastsMs) },
        token,
      ),
    );
  await create('short', 6 * dayMs);
  await create('banned', 7 * dayMs + minuteMs, banned);
  succeed(await service.post(`/users/${banned.id}/ban`, {}));
  const long = await create('nightly.export', 7 * dayMs + 30 * minuteMs);
  expect(await warningsTo(player.email)).toEqual([]);
  await service.advanceClock(31 * minuteMs);
  const [warning = '', ...others] = await warningsTo(player.email, banned.email);
  expect(others).toEqual([]);
  expect(warning).toContain(`Your access token nightly. export (${long.prefix}...) ends at`);
  expect(warning).not.toContain(long.token);
  expect(await warningsTo(player.email)).toEqual([]);
});

it('T24: tokens of service accounts get no mail', async () => {
  const robot = succeed(await service.post(`/partners/${partner}/service-accounts`, { name: 'robot' }));
  const { id } = succeed(
    await service.post(`/partners/${partner}/service-accounts/${robot.id}/access-tokens`, {
      name: 'token',
      scopes: [],
      expires_at: inMs(8 * dayMs),
    }),
  );
  await service.advanceClock(2 * dayMs);
  await service.runTask('warn before access tokens end');
  expect(id).toMatch(/^pat_/);
  expect(
    await service.sql('select from access_token where user_id = $1 and warned_at is not null', [robot.id]),
  ).toEqual([]);
});

it('A17: the run after one that has its fill begins at once', async () => {
  await service.sql(
    `with made as (
       insert into auth."user" (id, name, email, email_verified)
       select 'usr_many' || n, 'Many', 'many' || n || '@concord.test', true from generate_series(1, 501) n returning id, email)
     insert into agreement (id, partner_id, email, email_key, user_id, owner, expires_at)
     select gen_random_uuid(), $1, email, email, id, false, now() + interval '3 days' from made`,
    [uuidOf(partner)],
  );
  await service.runTask('warn before agreements end');
  await service.runDue('warn before agreements end');
  expect(await service.sql(`select from agreement where email like 'many%' and warned_at is null`)).toEqual(
    [],
  );
});
