// Access reviews: owners set the interval, and confirm or end each agreement.
import { expect, it } from 'vitest';
import { acl, expectCode, expectStatus, may, pluck, succeed, uuidOf } from '../stage/cast.ts';
import { meanwhile } from '../stage/locks.ts';
import { dayMs, policyPath, reviewsPath, useReviews } from './access-review-stage.ts';

const {
  people,
  service,
  cast,
  path,
  setPolicy,
  step,
  pass,
  list,
  openReview,
  one,
  read,
  items,
  decide,
  bulk,
  works,
  agreement,
  finish,
  mailsTo,
} = useReviews();

it('A35: owners and operators set the interval and the days of the warning, in a session with a recent proof', async () => {
  const { partner, owner } = people();
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
  const administrator = await cast.member(partner, may('*'));
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
  await expectCode('step_up_required', setPolicy({ interval_days: 90 }, stale));
  // Half of the interval is the most.
  expect(succeed(await setPolicy({ interval_days: 7 }))).toMatchObject({ interval_days: 7, warning_days: 3 });
  const [row] = succeed(
    await service.get(path('/audit-log?filter[action]=partner.set_access_review_policy&page_size=1')),
  );
  expect(row.changes.interval_days).toEqual({ before: null, after: 7 });
});

it('A35: the first review opens at once, the next an interval later, and turning reviews off ends nothing', async () => {
  const { member } = people();
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
  // Those of another partner do not count.
  await service.sql(
    `insert into access_review (id, partner_id, warning_days, due_at, step_at, closed_at)
     select ('ffffffff-ffff-ffff-ffff-' || lpad(n::text, 12, '0'))::uuid, $1, 1, now(), now(), now() from generate_series(1, 50) n`,
    [uuidOf(await cast.partner())],
  );
  await pass(90 * dayMs + 60_000);
  const [second] = await list();
  expect(second).toMatchObject({ state: 'open', agreements: { total: 3 } });
  expect(await list()).toHaveLength(2);
});

it('A35: an interval that is set while a review opens counts from that review', async () => {
  const partner = uuidOf(people().partner);
  succeed(await setPolicy({ interval_days: 30 }));
  const opening = `
    with opened as (insert into access_review (id, partner_id, warning_days, step_at, due_at)
      values (gen_random_uuid(), $1, 1, now() + interval '1 day', now() + interval '2 days'))
    update access_review_policy set next_at = now() + interval '30 days' where partner_id = $1`;
  const set = () => setPolicy({ interval_days: 90 });
  const { next_review_at } = succeed(await meanwhile(service.database, opening, [partner], set));
  expect(Date.parse(next_review_at)).toBeGreaterThan(Date.now() + 89 * dayMs);
});

it('A36: a review lists agreements as they were, and opening it mails the owners once', async () => {
  const { partner, owner, other, member } = people();
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
  // A service account that is deleted keeps its name there.
  succeed(await service.remove(path(`/service-accounts/${robot.id}`)));
  expect(pluck(await items(review), 'name')).toContain('robot');
});

it('A36: owners confirm and end in a session; another owner decides about their own agreement', async () => {
  const { partner, owner, other, member } = people();
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
  succeed(await cast.change(partner, robot.agreement_id, may('*')));
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
  const { owner, other } = people();
  succeed(await service.remove(path(`/agreements/${other.agreement}`)));
  const review = await openReview();
  await expectCode('last_owner', decide(review, owner, 'end'));
  expect(succeed(await decide(review, owner, 'confirm')).decision).toBe('confirmed');
});

it('A36: each agreement is decided once, while it lives and the review is open; ids of others are 404 or 400', async () => {
  const { partner, owner, other, member } = people();
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
  await expectCode('access_review_settled', decide(review, member, 'end'));
  // Ended otherwise: nobody can confirm it any more.
  succeed(await service.remove(path(`/agreements/${other.agreement}`)));
  await expectCode('access_review_settled', decide(review, other, 'confirm'));
  expect(
    pluck(succeed(await bulk(review, [other.agreement, member.agreement])), 'decision').toSorted(),
  ).toEqual(['confirmed', 'gone']);
  succeed(await decide(review, owner, 'confirm'));
  expect(await read(review)).toMatchObject({
    state: 'closed',
    agreements: { confirmed: 2, gone: 1, total: 3 },
  });
  await expectCode('access_review_settled', decide(review, member, 'confirm'));
  await expectStatus(409, bulk(review, [member.agreement]));
});

it('A36: of two owners who decide at the same time, one wins', async () => {
  const { partner, owner, other, member } = people();
  const third = await cast.owner(partner);
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

it('A38: the document is CSV that no spreadsheet runs, and outlives agreements and accounts', async () => {
  const { partner, owner, other, member } = people();
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
  const { owner, member } = people();
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
