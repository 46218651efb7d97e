// Access reviews as time passes: the warning, what nobody confirmed ends, and what a partner keeps.
import { expect, it } from 'vitest';
import { createReviewTask } from '../../src/agreements/reviews/schedule/task.ts';
import { may, pluck, succeed, uuidOf } from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { meanwhile } from '../stage/locks.ts';
import { startBeside } from '../stage/start-service.ts';
import { dayMs, task, useReviews } from './access-review-stage.ts';

const {
  people,
  mailbox,
  service,
  cast,
  path,
  setPolicy,
  advance,
  step,
  pass,
  list,
  joinMany,
  openReview,
  read,
  decide,
  decisions,
  works,
  finish,
  mailsTo,
} = useReviews();

it('A37: what nobody confirmed ends after a warning; new agreements and the last owner stay', async () => {
  const { partner, owner, other, member } = people();
  const kept = await cast.member(partner);
  const review = await openReview();
  const late = await cast.member(partner, may('deliveries'));
  succeed(await decide(review, kept, 'confirm'));
  await pass(13.9 * dayMs);
  expect((await read(review)).warned_at).toBeNull();
  await pass(14 * dayMs + 1_000);
  const [warning = ''] = await mailsTo(owner, /ends soon$/);
  expect(warning).toMatch(/^Access to Nordlys ends soon\n/);
  expect(warning).toContain('3 agreements');
  const { due_at } = await read(review);
  expect(warning).toContain(`ends at ${due_at.slice(0, 16).replace('T', ' ')} UTC`);
  await pass(Date.parse(due_at) - Date.now() - 60_000);
  expect(await works(member)).toBe(200);
  await pass(Date.parse(due_at) - Date.now() + 1_000);
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
  const { owner, member } = people();
  const review = await openReview();
  // Down until long after the end that was planned.
  await pass(60 * dayMs);
  expect(await works(member)).toBe(200);
  const [warning = ''] = await mailsTo(owner, /ends soon$/);
  const { due_at } = await read(review);
  expect(Math.round((Date.parse(due_at) - Date.now()) / dayMs)).toBe(74);
  expect(warning).toContain(due_at.slice(0, 10));
  // Warned, and down over the end.
  await pass(80 * dayMs);
  expect(await works(member)).toBe(200);
  expect((await mailsTo(owner)).length).toBe(3);
  await pass(94 * dayMs + 60_000);
  expect(await works(member)).toBe(404);
});

it('A37: without an owner whom a mail can reach, and while the partner is hidden, nothing ends', async () => {
  const { owner, other, member } = people();
  const review = await openReview();
  const banned = 'update auth."user" set banned = $2 where id = any($1)';
  await service.sql(`select set_config('concord.orphan', 'on', false)`);
  await service.sql(banned, [[owner.id, other.id], true]);
  await finish();
  expect(await works(member)).toBe(200);
  await service.sql(banned, [[owner.id, other.id], false]);
  await service.sql(`select set_config('concord.orphan', '', false)`);
  succeed(await service.remove(path()));
  await pass(40 * dayMs);
  succeed(await service.post(path('/restore')));
  expect(await read(review)).toMatchObject({ state: 'open', warned_at: null });
  expect(await works(member)).toBe(200);
});

it('A37: nothing ends while the owners who were warned are banned', async () => {
  const { owner, other, member } = people();
  const review = await openReview();
  await pass(14 * dayMs + 1_000);
  const ban = (banned: boolean) =>
    service.sql(
      `with orphan as materialized (select set_config('concord.orphan', 'on', true))
       update auth."user" set banned = $2 from orphan where id = any($1)`,
      [[owner.id, other.id], banned],
    );
  await ban(true);
  await pass(28 * dayMs + 60_000);
  expect(await works(member)).toBe(200);
  await ban(false);
  expect(await works(owner)).toBe(200);
  expect(await read(review)).toMatchObject({ state: 'open', warned_at: null });
});

it('A37: a confirmation and the end at the same time: one of them counts', async () => {
  const { member } = people();
  const review = await openReview();
  await pass(14 * dayMs + 1_000);
  await advance(28 * dayMs + 60_000);
  const [answer] = await Promise.all([decide(review, member, 'confirm'), step()]);
  const decided = (await decisions(review))[member.agreement];
  expect([answer.status, decided]).toEqual(answer.status === 200 ? [200, 'confirmed'] : [409, 'lapsed']);
  expect(await works(member)).toBe(decided === 'confirmed' ? 200 : 404);
});

it('A37: many end in batches, by two instances, and nothing twice', async () => {
  const { partner } = people();
  const many = inForm({ short: 500, long: 2_500 });
  const partnerId = uuidOf(partner);
  await joinMany(many);
  const review = await openReview();
  expect(review.agreements.total).toBe(many + 3);
  await pass(14 * dayMs + 1_000);
  await advance(28 * dayMs + 60_000);
  const instance = await startBeside(service, { CONCORD_SMTP_URL: mailbox.url });
  const state = async () => (await read(review)).state;
  // One of them may find the task locked by the other.
  while ((await state()) === 'open') {
    await service.sql(`update scheduled_task set next_at = '-infinity' where name = $1`, [task]);
    await Promise.all([service.runDue(task), instance.tasks.runDue(task)]);
  }
  expect(await read(review)).toMatchObject({ agreements: { lapsed: many + 2, kept: 1, total: many + 3 } });
  const [{ ended, most }] = await service.sql(
    `select count(*)::int as ended, count(distinct target)::int as targets, (
       select max(n)::int from (select count(*) as n from access_review_item where decision = 'lapsed' group by xmin::text) batch) as most
     from audit_log where action = 'agreement.end' and partner_id = $1`,
    [partnerId],
  );
  expect([ended, most]).toEqual([many + 2, 100]);
});

it('A39: a partner keeps its last 50 reviews', async () => {
  const { partner } = people();
  const { id } = await openReview({ interval_days: 7 });
  await service.sql(
    `insert into access_review (id, partner_id, warning_days, step_at, due_at, closed_at)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 3, now(), now(), now() from generate_series(1, 60) n`,
    [uuidOf(partner)],
  );
  succeed(await setPolicy({ interval_days: null }));
  succeed(await setPolicy({ interval_days: 7 }));
  await pass(7 * dayMs + 60_000);
  const kept = await list();
  expect(kept).toHaveLength(50);
  expect(pluck(kept as never[], 'id')[1]).toBe(id);
});

it('A39: opening and warning mail at most 50 owners each', async () => {
  const { partner, owner } = people();
  await joinMany(60, true);
  const emails = await service.sql('select email from agreement where partner_id = $1', [uuidOf(partner)]);
  await openReview();
  await pass(14 * dayMs + 1_000);
  await mailsTo(owner);
  const received = pluck(emails, 'email').flatMap((email) => mailbox.to(email));
  expect(received.filter(({ subject }) => /^Review who|ends soon$/.test(subject ?? ''))).toHaveLength(100);
});

it('A37, O27: after a restore it warns again, since the backup lacks what owners confirmed', async () => {
  const { member } = people();
  const review = await openReview();
  await pass(14 * dayMs + 1_000);
  await advance(27.9 * dayMs);
  const kept = await service.sql('select * from auth.session');
  await service.sql('select finish_restore(now())');
  await service.sql(
    'insert into auth.session select * from jsonb_populate_recordset(null::auth.session, $1)',
    [JSON.stringify(kept)],
  );
  await pass(28 * dayMs + 60_000);
  expect(await works(member)).toBe(200);
  const { due_at } = await read(review);
  expect(Math.round((Date.parse(due_at) - Date.now()) / dayMs)).toBe(42);
});

it('A37: an owner whose ban has ended is warned', async () => {
  const { owner, other } = people();
  const change = async (what: string) =>
    service.sql(
      `with orphan as materialized (select set_config('concord.orphan', 'on', true))
       update auth."user" set ${what} from orphan where id = any($1)`,
      [[owner.id, other.id]],
    );
  await change(`banned = true, ban_expires = now() - interval '1 minute'`);
  await openReview();
  expect(await mailsTo(owner)).not.toEqual([]);
});

it('A35: a run is followed by another at once while reviews are due', async () => {
  const db = service.database.open();
  // Nobody owns these partners.
  const partners = [await cast.partner(), await cast.partner()].map((id) => uuidOf(id));
  const enqueueMail = () => Promise.reject(new Error('There is no owner'));
  const { run } = createReviewTask({ enqueueMail, baseUrl: service.url });
  const runs = async () => [await db.transaction(run), await db.transaction(run), await db.transaction(run)];
  await service.sql(
    `insert into access_review_policy (partner_id, interval_days, warning_days, next_at) select id, 90, 14, now() - interval '1 second' from unnest($1::uuid[]) id`,
    [partners],
  );
  expect(await runs()).toEqual([true, true, false]);
  await service.sql(
    `update access_review set step_at = now() - interval '1 second' where partner_id = any($1)`,
    [partners],
  );
  expect(await runs()).toEqual([true, true, false]);
  await db.close();
});

it('A36: a person who is deleted while a review opens is not in it, and the task does not fail', async () => {
  const { owner, other, member } = people();
  succeed(await setPolicy({ interval_days: 90 }));
  const errors = () => service.logs.filter((line) => line.includes('"level":50'));
  const before = errors();
  await meanwhile(service.database, 'delete from auth."user" where id = $1', [member.id], step);
  expect(errors()).toEqual(before);
  const [review] = await list();
  expect(Object.keys(await decisions(review!)).toSorted()).toEqual(
    [owner.agreement, other.agreement].toSorted(),
  );
});
