// Access reviews: owners confirm each agreement, and what nobody confirms ends after a warning.
import { beforeEach, expect, it } from 'vitest';
import { parseId } from '../src/base/ids.ts';
import { acl, createCast, expectStatus, type Player, pluck, succeed } from './cast.ts';
import { useMailbox } from './mailbox.ts';
import { startBeside, useService } from './start-service.ts';

const mailbox = useMailbox();
const service = useService(() => ({ CONCORD_SMTP_URL: mailbox.url }));
const cast = createCast(service);

type Member = Player & { agreement: string };
type Review = { id: string; state: string; due_at: string; agreements: Record<string, number> };
const dayMs = 86_400_000;
const task = 'run access reviews';
const policyPath = '/access-review-policy';
const reviewsPath = '/access-reviews';

let partner: string;
let owner: Member;
let other: Member;
let member: Member;
beforeEach(async () => {
  await service.advanceClock(0);
  await service.pauseTask(task);
  // What the tests before left.
  await service.sql('delete from mail');
  await service.sql('delete from access_review_policy');
  await service.sql('delete from access_review');
  partner = await cast.partner('Nordlys');
  owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
  other = await cast.member(partner, { owner: true }, { name: 'Otto Other' });
  member = await cast.member(partner, { acl_permissions: [acl('deliveries', 'query')] }, { name: 'Ann Lee' });
});

const path = (rest = '') => `/partners/${partner}${rest}`;
const setPolicy = (body: object, token = owner.token) => service.put(path(policyPath), body, token);
/** As if everybody had signed in anew. */
async function advance(ms: number): Promise<void> {
  const at = Date.now() + ms;
  await service.sql('update auth.session set created_at = $1, updated_at = $1, expires_at = $2', [
    new Date(at),
    new Date(at + dayMs),
  ]);
  await service.advanceClock(ms);
}
/** One step: its own timer does not run the task. */
async function step(): Promise<void> {
  await service.runTask(task);
  await service.pauseTask(task);
}
const list = async (token = owner.token): Promise<Review[]> =>
  succeed(await service.get(path(reviewsPath), token));
async function joinMany(count: number, isOwner = false): Promise<void> {
  await service.sql(
    `with person as (
       insert into auth."user" (id, name, email, email_verified, role)
       select 'usr_' || gen_random_uuid(), 'Person ' || n, gen_random_uuid() || '@concord.test', true, 'user' from generate_series(1, $2::int) n
       returning id, email)
     insert into agreement (id, partner_id, email, email_key, user_id, owner)
     select gen_random_uuid(), $1, email, email, id, $3 from person`,
    [parseId('partner', partner), count, isOwner],
  );
}
async function openReview(body: object = { interval_days: 90, warning_days: 14 }): Promise<Review> {
  succeed(await setPolicy(body));
  await step();
  const [review] = await list();
  if (!review) throw new Error('No review is open');
  return review;
}
const one = (review: { id: string }, rest = '') => path(`${reviewsPath}/${review.id}${rest}`);
const read = async (review: { id: string }): Promise<Review & Record<string, unknown>> =>
  succeed(await service.get(one(review), owner.token));
const items = async (review: { id: string }, query = '') =>
  succeed(await service.get(one(review, `/items${query}`), owner.token));
const decide = (
  review: { id: string },
  { agreement }: { agreement: string },
  verb: string,
  token = owner.token,
) => service.request('POST', one(review, `/items/${agreement}/${verb}`), { token });
const bulk = (review: { id: string }, ids: string[], token = owner.token) =>
  service.post(one(review, '/confirm'), { agreement_ids: ids }, token);
const decisions = async (review: { id: string }): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await items(review)).map((item: { id: string; decision: string }) => [item.id, item.decision]),
  );
const works = async ({ token }: Player) => (await service.get(path('/deliveries'), token)).status;
const agreement = async (of: { agreement: string }) =>
  succeed(await service.get(path(`/agreements/${of.agreement}`)));
/** Warns, and ends what nobody confirmed, as the days pass. */
async function finish(days = 14): Promise<void> {
  await advance(days * dayMs + 1_000);
  await step();
  await advance(2 * days * dayMs + 60_000);
  await step();
}

/** They can arrive in any order. */
async function mailsTo({ email }: Player, subject = /^Review who|ends soon$/): Promise<string[]> {
  await expect.poll(() => service.sql('select from mail'), { timeout: 20_000 }).toEqual([]);
  return mailbox.received
    .filter((mail) => mail.to?.[0]?.address === email && subject.test(mail.subject ?? ''))
    .map((mail) => `${mail.subject}\n${mail.text}`);
}

it('A35: owners and operators set the interval and the days of the warning, in a session with a recent proof', async () => {
  expect(succeed(await service.get(path(policyPath), owner.token))).toEqual({
    interval_days: null,
    warning_days: 14,
    next_review_at: null,
  });
  for (const wrong of [
    { interval_days: 6 },
    { interval_days: 367 },
    { interval_days: 20, warning_days: 11 },
    { interval_days: 366, warning_days: 61 },
    { interval_days: 90, warning_days: 0 },
    { warning_days: 3 },
    { interval_days: 90, other: 1 },
  ])
    await expectStatus(400, setPolicy(wrong));
  const administrator = await cast.member(partner, { acl_permissions: [acl('*')] });
  const token = await cast.accessToken(owner, [acl('*')]);
  for (const refused of [administrator.token, token])
    for (const each of [policyPath, reviewsPath]) await expectStatus(403, service.get(path(each), refused));
  await expectStatus(403, setPolicy({ interval_days: 90 }, administrator.token));
  await expectStatus(404, setPolicy({ interval_days: 90 }, (await cast.user()).token));
  const stale = await cast.session(owner.id);
  await service.sql(
    `update auth.session set proven_at = now() - interval '11 minutes' where token = encode(sha256($1), 'hex')`,
    [stale],
  );
  expect((await setPolicy({ interval_days: 90 }, stale)).body.code).toBe('step_up_required');
  // Half of the interval is the most.
  expect(succeed(await setPolicy({ interval_days: 7 }))).toMatchObject({ interval_days: 7, warning_days: 3 });
  const [row] = succeed(
    await service.get(path('/audit-log?filter[action]=partner.set_access_review_policy&page_size=1')),
  );
  expect(row.changes.interval_days).toEqual({ before: null, after: 7 });
});

it('A35: the first review opens at once, the next an interval later, and turning reviews off ends nothing', async () => {
  const first = await openReview();
  expect(first.state).toBe('open');
  await step();
  expect(await list()).toHaveLength(1);
  succeed(await setPolicy({ interval_days: null }));
  expect(await read(first)).toMatchObject({ state: 'closed', agreements: { undecided: 3, pending: 0 } });
  succeed(await setPolicy({ interval_days: 90 }));
  await finish();
  expect(await list()).toHaveLength(1);
  expect(await works(member)).toBe(200);
  await advance(90 * dayMs + 60_000);
  await step();
  const [second] = await list();
  expect(second).toMatchObject({ state: 'open', agreements: { total: 3 } });
  expect(await list()).toHaveLength(2);
});

it('A36: a review lists agreements as they were, and opening it mails the owners once', async () => {
  const robot = succeed(await service.post(path('/service-accounts'), { name: 'robot' }));
  const group = succeed(await service.get(path('/acl-permission-groups'))).find(
    ({ name }: { name: string }) => name === 'Viewer',
  );
  succeed(await cast.change(partner, member.agreement, { acl_permission_group_ids: [group.id] }));
  const expired = await cast.member(partner, { expires_at: new Date(Date.now() - 1_000).toISOString() });
  const invited = succeed(await cast.invite(partner, 'new@concord.test'));
  const review = await openReview();
  succeed(
    await cast.change(partner, member.agreement, { acl_permissions: [], acl_permission_group_ids: [] }),
  );
  const found = await items(review);
  expect(pluck(found, 'id').toSorted()).toEqual(
    [owner.agreement, other.agreement, member.agreement, robot.agreement_id].toSorted(),
  );
  expect(pluck(found, 'id')).not.toContain(expired.agreement);
  expect(pluck(found, 'id')).not.toContain(invited.id);
  const of = (id: string) => found.find((item: { id: string }) => item.id === id);
  expect(of(member.agreement)).toMatchObject({
    name: 'Ann Lee',
    email: member.email,
    owner: false,
    service_account: false,
    permissions: ['deliveries.query'],
    group_names: ['Viewer'],
    decision: 'pending',
    decided_by: null,
  });
  expect(of(robot.agreement_id)).toMatchObject({ name: 'robot', email: null, service_account: true });
  await step();
  const [mail = '', ...more] = await mailsTo(owner);
  expect(more).toEqual([]);
  expect(mail).toMatch(/^Review who has access to Nordlys\n/);
  expect(mail).toContain('4 agreements');
  expect(mail).toContain(`/console/p/${partner}/access-reviews/${review.id}`);
  expect(await mailsTo(other)).toHaveLength(1);
  expect(await mailsTo(member)).toEqual([]);
  expect(await items(review, `?filter[email]=${encodeURIComponent(member.email.slice(0, 9))}`)).toHaveLength(
    1,
  );
  const page = await service.get(one(review, '/items?page_size=2'), owner.token);
  expect(page.body).toHaveLength(2);
  expect(page.headers['total-count']).toBe('4');
});

it('A36: owners confirm and end in a session; another owner decides about their own agreement', async () => {
  const review = await openReview();
  const program = await cast.accessToken(owner, [acl('*')]);
  await expectStatus(403, decide(review, member, 'confirm', program));
  await expectStatus(403, decide(review, member, 'confirm', member.token));
  await expectStatus(403, bulk(review, [member.agreement], program));
  const robot = succeed(await service.post(path('/service-accounts'), { name: 'robot' }));
  const { token } = succeed(
    await service.post(path(`/service-accounts/${robot.id}/access-tokens`), {
      name: 'a',
      scopes: [acl('*')],
    }),
  );
  succeed(await cast.change(partner, robot.agreement_id, { acl_permissions: [acl('*')] }));
  await expectStatus(403, decide(review, member, 'end', token));
  for (const verb of ['confirm', 'end']) await expectStatus(403, decide(review, owner, verb));
  expect(pluck(succeed(await bulk(review, [owner.agreement])), 'decision')).toEqual(['pending']);
  expect(succeed(await decide(review, member, 'confirm'))).toMatchObject({
    decision: 'confirmed',
    decided_by: 'Olga Owner',
    decided_by_email: owner.email,
  });
  expect(succeed(await decide(review, owner, 'confirm', other.token)).decision).toBe('confirmed');
  expect(await read(review)).toMatchObject({ state: 'open', agreements: { pending: 1, confirmed: 2 } });
  expect(succeed(await decide(review, other, 'end')).decision).toBe('ended');
  expect(await works(other)).toBe(404);
  expect((await read(review)).state).toBe('closed');
  const rows = succeed(await service.get(path('/audit-log')));
  expect(
    rows
      .filter(({ details }: { details: { access_review?: string } }) => details.access_review === review.id)
      .map(({ action, target, actor }: Record<string, { id: string }>) => [action, target, actor?.id]),
  ).toEqual([
    ['agreement.end', other.agreement, owner.id],
    ['agreement.confirm', owner.agreement, other.id],
    ['agreement.confirm', member.agreement, owner.id],
  ]);
});

it('A36: the only owner decides about the own agreement, but the last owner stays', async () => {
  succeed(await service.remove(path(`/agreements/${other.agreement}`)));
  const review = await openReview();
  expect((await decide(review, owner, 'end')).body.code).toBe('last_owner');
  expect(succeed(await decide(review, owner, 'confirm')).decision).toBe('confirmed');
});

it('A36: each agreement is decided once, while it lives and the review is open; ids of others are 404 or 400', async () => {
  const review = await openReview();
  const leaver = await cast.member(partner);
  await expectStatus(404, decide(review, leaver, 'confirm'));
  await expectStatus(400, bulk(review, [member.agreement, leaver.agreement]));
  await expectStatus(400, bulk(review, []));
  const elsewhere = await cast.partner();
  for (const rest of ['', '/items', '/document'])
    await expectStatus(404, service.get(`/partners/${elsewhere}${reviewsPath}/${review.id}${rest}`));
  await expectStatus(
    404,
    service.post(`/partners/${elsewhere}${reviewsPath}/${review.id}/confirm`, {
      agreement_ids: [member.agreement],
    }),
  );
  expect((await items(review, '?filter[decision]=pending')).length).toBe(3);

  succeed(await decide(review, member, 'confirm'));
  succeed(await decide(review, member, 'confirm', other.token));
  expect((await decide(review, member, 'end')).body.code).toBe('access_review_settled');
  // Ended otherwise: nobody can confirm it any more.
  succeed(await service.remove(path(`/agreements/${other.agreement}`)));
  expect((await decide(review, other, 'confirm')).body.code).toBe('access_review_settled');
  expect(
    pluck(succeed(await bulk(review, [other.agreement, member.agreement])), 'decision').toSorted(),
  ).toEqual(['confirmed', 'gone']);
  succeed(await decide(review, owner, 'confirm'));
  expect(await read(review)).toMatchObject({
    state: 'closed',
    agreements: { confirmed: 2, gone: 1, total: 3 },
  });
  expect((await decide(review, member, 'confirm')).body.code).toBe('access_review_settled');
  expect((await bulk(review, [member.agreement])).status).toBe(409);
});

it('A36: of two owners who decide at the same time, one wins', async () => {
  const third = await cast.member(partner, { owner: true });
  const review = await openReview();
  const answers = await Promise.all([
    decide(review, member, 'confirm', owner.token),
    decide(review, member, 'end', other.token),
    decide(review, member, 'end', third.token),
    bulk(review, [member.agreement], third.token),
  ]);
  const [item] = (await items(review)).filter(({ id }: { id: string }) => id === member.agreement);
  const isConfirmed = item.decision === 'confirmed';
  expect(answers.map(({ status }) => status)).toEqual(
    isConfirmed ? [200, 409, 409, 200] : [409, 200, 200, 200],
  );
  expect((await agreement(member)).expires_at === null).toBe(isConfirmed);
  const rows = await service.sql(
    `select from audit_log where target = $1 and action in ('agreement.confirm', 'agreement.end')`,
    [member.agreement],
  );
  expect(rows).toHaveLength(1);
});

it('A37: what nobody confirmed ends after a warning; new agreements and the last owner stay', async () => {
  const kept = await cast.member(partner);
  const review = await openReview();
  const late = await cast.member(partner, { acl_permissions: [acl('deliveries')] });
  succeed(await decide(review, kept, 'confirm'));
  await advance(13.9 * dayMs);
  await step();
  expect((await read(review)).warned_at).toBeNull();
  await advance(14 * dayMs + 1_000);
  await step();
  const [warning = ''] = await mailsTo(owner, /ends soon$/);
  expect(warning).toMatch(/^Access to Nordlys ends soon\n/);
  expect(warning).toContain('3 agreements');
  const { due_at } = await read(review);
  expect(warning).toContain(`ends at ${due_at.slice(0, 16).replace('T', ' ')} UTC`);
  await advance(Date.parse(due_at) - Date.now() - 60_000);
  await step();
  expect(await works(member)).toBe(200);
  await advance(Date.parse(due_at) - Date.now() + 1_000);
  await step();
  expect(await works(member)).toBe(404);
  expect(await works(late)).toBe(200);
  // Of the owners, the one who decided in the review stays.
  expect(await decisions(review)).toEqual({
    [owner.agreement]: 'kept',
    [other.agreement]: 'lapsed',
    [member.agreement]: 'lapsed',
    [kept.agreement]: 'confirmed',
  });
  expect(await read(review)).toMatchObject({
    state: 'closed',
    agreements: { kept: 1, lapsed: 2, confirmed: 1 },
  });
  expect(await works(owner)).toBe(200);
  const ended = succeed(await service.get(path('/agreements?filter[state]=expired'), owner.token));
  expect(pluck(ended, 'id').toSorted()).toEqual([member.agreement, other.agreement].toSorted());
  const [row] = await service.sql(`select * from audit_log where target = $1 and action = 'agreement.end'`, [
    member.agreement,
  ]);
  expect(row).toMatchObject({ actor_kind: 'task', details: { access_review: review.id } });
  expect(row.changes.expires_at.before).toBeNull();
  expect((await mailsTo(owner)).length).toBe(2);
});

it('A37: after downtime it warns again, and every day of the warning counts', async () => {
  const review = await openReview();
  // Down until long after the end that was planned.
  await advance(60 * dayMs);
  await step();
  expect(await works(member)).toBe(200);
  const [warning = ''] = await mailsTo(owner, /ends soon$/);
  const { due_at } = await read(review);
  expect(Math.round((Date.parse(due_at) - Date.now()) / dayMs)).toBe(74);
  expect(warning).toContain(due_at.slice(0, 10));
  // Warned, and down over the end.
  await advance(80 * dayMs);
  await step();
  expect(await works(member)).toBe(200);
  expect((await mailsTo(owner)).length).toBe(3);
  await advance(94 * dayMs + 60_000);
  await step();
  expect(await works(member)).toBe(404);
});

it('A37: without an owner whom a mail can reach, and while the partner is hidden, nothing ends', async () => {
  const review = await openReview();
  const banned = 'update auth."user" set banned = $2 where id = any($1)';
  await service.sql(`select set_config('concord.orphan', 'on', false)`);
  await service.sql(banned, [[owner.id, other.id], true]);
  await finish();
  expect(await works(member)).toBe(200);
  await service.sql(banned, [[owner.id, other.id], false]);
  await service.sql(`select set_config('concord.orphan', '', false)`);
  succeed(await service.remove(path()));
  await advance(40 * dayMs);
  await step();
  succeed(await service.post(path('/restore')));
  expect(await read(review)).toMatchObject({ state: 'open', warned_at: null });
  expect(await works(member)).toBe(200);
});

it('A37: nothing ends while the owners who were warned are banned', async () => {
  const review = await openReview();
  await advance(14 * dayMs + 1_000);
  await step();
  const ban = (banned: boolean) =>
    service.sql(
      `with orphan as materialized (select set_config('concord.orphan', 'on', true))
       update auth."user" set banned = $2 from orphan where id = any($1)`,
      [[owner.id, other.id], banned],
    );
  await ban(true);
  await advance(28 * dayMs + 60_000);
  await step();
  expect(await works(member)).toBe(200);
  await ban(false);
  expect(await works(owner)).toBe(200);
  expect(await read(review)).toMatchObject({ state: 'open', warned_at: null });
});

it('A37: a confirmation and the end at the same time: one of them counts', async () => {
  const review = await openReview();
  await advance(14 * dayMs + 1_000);
  await step();
  await advance(28 * dayMs + 60_000);
  const [answer] = await Promise.all([decide(review, member, 'confirm'), step()]);
  const decided = (await decisions(review))[member.agreement];
  expect([answer.status, decided]).toEqual(answer.status === 200 ? [200, 'confirmed'] : [409, 'lapsed']);
  expect(await works(member)).toBe(decided === 'confirmed' ? 200 : 404);
});

it('A37: thousands end in batches, by two instances, and nothing twice', async () => {
  const partnerId = parseId('partner', partner);
  await joinMany(2_500);
  const review = await openReview();
  expect(review.agreements.total).toBe(2_503);
  await advance(14 * dayMs + 1_000);
  await step();
  await advance(28 * dayMs + 60_000);
  const instance = await startBeside(service, { CONCORD_SMTP_URL: mailbox.url });
  const state = async () => (await read(review)).state;
  // One of them may find the task locked by the other.
  while ((await state()) === 'open') {
    await service.sql(`update scheduled_task set next_at = '-infinity' where name = $1`, [task]);
    await Promise.all([service.runDue(task), instance.tasks.runDue(task)]);
  }
  await service.pauseTask(task);
  expect(await read(review)).toMatchObject({ agreements: { lapsed: 2_502, kept: 1, total: 2_503 } });
  const [{ ended, most }] = await service.sql(
    `select count(*)::int as ended, count(distinct target)::int as targets, (
       select max(n)::int from (select count(*) as n from access_review_item where decision = 'lapsed' group by xmin::text) batch) as most
     from audit_log where action = 'agreement.end' and partner_id = $1`,
    [partnerId],
  );
  expect([ended, most]).toEqual([2_502, 100]);
}, 60_000);

it('A38: the document is CSV that no spreadsheet runs, and outlives agreements and accounts', async () => {
  succeed(await service.patch(path(), { name: '=cmd|"/c calc"!A1' }));
  const evil = await cast.member(partner, {}, { name: '@SUM(1+1)*cmd' });
  await service.sql('update auth."user" set name = $2 where id = $1', [member.id, '-2+3, "x"\r\ny']);
  // Spreadsheets of many countries split at semicolons, and at line breaks outside of the quotes that they see.
  const split = await cast.member(partner, {}, { name: 'Ann; =1+1' });
  const review = await openReview();
  succeed(await decide(review, evil, 'confirm'));
  succeed(await decide(review, member, 'end'));
  const download = async () => {
    const answer = await service.get(one(review, '/document'), owner.token);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="access-review-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    return succeed(answer) as string;
  };
  const before = await download();
  expect(before.split('\r\n')[0]).toBe(
    'partner,opened_at,due_at,closed_at,agreement_id,name,email,kind,permissions,groups,decision,decided_at,decided_by,decided_by_email',
  );
  expect(before).toContain(`"'=cmd|""/c calc""!A1"`);
  expect(before).toContain(`,'@SUM(1+1)*cmd,${evil.email},member,`);
  expect(before).toContain(`,"'-2+3, ""x""\r\ny",${member.email},member,deliveries.query,,ended,`);
  expect(before).toContain(`,Olga Owner,${owner.email}\r\n`);
  expect(before.endsWith('\r\n')).toBe(true);
  expect(before).toContain(`,Ann; '=1+1,${split.email},`);

  // The agreement is deleted: the document stays. The accounts are deleted: their names go.
  succeed(await service.remove(path(`/agreements/${member.agreement}`)));
  expect(await download()).toBe(before);
  for (const { id } of [member, evil]) succeed(await service.remove(`/users/${id}`));
  const after = await download();
  expect(after).toContain(`,${member.agreement},,,member,deliveries.query,,ended,`);
  expect(after).not.toContain(member.email);
  expect(after).not.toContain('SUM');
  succeed(await decide(review, owner, 'confirm', other.token));
  succeed(await service.remove(`/users/${owner.id}`));
  const last = succeed(await service.get(one(review, '/document'), other.token));
  expect(last).not.toContain(owner.email);
  expect(last).not.toContain('Olga');
});

it('A38, U12: a person exports what was decided about them, and not who decided', async () => {
  const review = await openReview();
  succeed(await decide(review, member, 'confirm'));
  const { access_reviews } = succeed(await service.get('/me/export', member.token));
  expect(access_reviews).toEqual([
    expect.objectContaining({
      id: member.agreement,
      review_id: review.id,
      email: member.email,
      decision: 'confirmed',
    }),
  ]);
  expect(JSON.stringify(access_reviews)).not.toContain(owner.email);
});

it('A39: a partner keeps its last 50 reviews', async () => {
  const { id } = await openReview({ interval_days: 7 });
  await service.sql(
    `insert into access_review (id, partner_id, warning_days, step_at, due_at, closed_at)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 3, now(), now(), now() from generate_series(1, 60) n`,
    [parseId('partner', partner)],
  );
  succeed(await setPolicy({ interval_days: null }));
  succeed(await setPolicy({ interval_days: 7 }));
  await advance(7 * dayMs + 60_000);
  await step();
  const kept = await list();
  expect(kept).toHaveLength(50);
  expect(pluck(kept as never[], 'id')[1]).toBe(id);
});

it('A39: opening and warning mail at most 50 owners each', async () => {
  await joinMany(60, true);
  const received = () =>
    mailbox.received.filter(({ subject }) => /^Review who|ends soon$/.test(subject ?? ''));
  mailbox.received.splice(0);
  await openReview();
  await advance(14 * dayMs + 1_000);
  await step();
  await mailsTo(owner);
  expect(received().length).toBe(100);
});

it('A37, O27: after a restore it warns again, since the backup lacks what owners confirmed', async () => {
  const review = await openReview();
  await advance(14 * dayMs + 1_000);
  await step();
  await advance(27.9 * dayMs);
  const kept = await service.sql('select * from auth.session');
  await service.sql('select finish_restore(now())');
  await service.sql(
    'insert into auth.session select * from jsonb_populate_recordset(null::auth.session, $1)',
    [JSON.stringify(kept)],
  );
  await advance(28 * dayMs + 60_000);
  await step();
  expect(await works(member)).toBe(200);
  const { due_at } = await read(review);
  expect(Math.round((Date.parse(due_at) - Date.now()) / dayMs)).toBe(42);
});
