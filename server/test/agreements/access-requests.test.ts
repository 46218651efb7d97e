// Access that members ask for: what an approval gives, to whom, and until when.
import { beforeEach, expect, it } from 'vitest';
import {
  acl,
  expectCode,
  expectStatus,
  type Member,
  may,
  type Player,
  pluck,
  statusesOf,
  succeed,
} from '../stage/cast.ts';
import { untilSent, useMailed } from '../stage/mailbox.ts';

const { mailbox, service, cast } = useMailed();

let partner: string;
let owner: Member;
let asker: Member;
beforeEach(async () => {
  await service.advanceClock(0);
  await service.pauseTask('lapse access requests');
  partner = await cast.partner('Nordlys');
  owner = await cast.member(partner, { owner: true }, { name: 'Olga Owner' });
  asker = await cast.member(partner, {}, { name: 'Ann Lee' });
});

const hourMs = 3_600_000;
const requests = '/access-requests';
const path = (rest = '') => `/partners/${partner}${rest}`;
const body = (...permissions: string[]) => ({
  permissions,
  duration_seconds: 3_600,
  reason: 'A lost order.',
});
const post = (token: string, more: object = {}) =>
  service.post(path(requests), { ...body('deliveries.query'), ...more }, token);
const ask = async (more: object = {}, token = asker.token) => succeed(await post(token, more));
const answer = (verb: string, { id }: { id: string }, token = owner.token, sent?: object) =>
  service.request('POST', path(`${requests}/${id}/${verb}`), { token, body: sent });
const seen = async ({ id }: { id: string }, token = owner.token) =>
  succeed(await service.get(path(`${requests}/${id}`), token));
const deliveries = async (token = asker.token) => (await service.get(path('/deliveries'), token)).status;
const giver = (...more: object[]) =>
  cast.member(partner, {
    acl_permissions: [acl('agreements'), acl('deliveries', 'query')],
    ...Object.assign({}, ...more),
  });
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const atMs = (moment: string, ms: number) =>
  service.setClock(new Date(Date.parse(moment) + ms).toISOString());

async function mailsTo({ email }: Player) {
  await untilSent(service);
  return mailbox
    .to(email)
    .filter(({ subject }) => subject?.includes('access'))
    .map(({ subject, text }) => `${subject}\n${text}`);
}

it('A30: a member asks in a session for what they lack; people who can approve it get a mail', async () => {
  const stranger = await cast.user();
  await expectStatus(404, post(stranger.token));
  expect(await deliveries()).toBe(403);
  const made = await post(asker.token);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ...body('deliveries.query'),
    name: 'Ann Lee',
    state: 'pending',
    ends_at: null,
  });
  expect(made.headers.location).toBe(path(`${requests}/${made.body.id}`));
  expect(await deliveries()).toBe(403);
  const [mail = ''] = await mailsTo(owner);
  expect(mail).toMatch(/^Ann Lee asks for access to Nordlys\n/);
  expect(mail).toContain('deliveries.query');
  expect(mail).toContain('A lost order.');
  expect(mail).toContain(`/console/p/${partner}/access-requests`);
  expect(await mailsTo(asker)).toEqual([]);

  // A program cannot widen its own access.
  const program = await cast.accessToken(asker, [acl('*')]);
  await expectStatus(403, post(program));
  await expectStatus(400, post(owner.token));
  for (const wrong of [
    { permissions: [] },
    { permissions: ['*.get'] },
    { permissions: ['deliveries.query', 'deliveries.query'] },
    { duration_seconds: 59 },
    { duration_seconds: 90 * 86_400 + 1 },
    { reason: '' },
    { reason: 'x'.repeat(501) },
    { reason: undefined },
    { state: 'approved' },
  ])
    await expectStatus(400, post(asker.token, wrong));
});

it('A30: the same permissions that are pending are the same request; 10 are pending, and 20 made in a day', async () => {
  const first = await ask(body('events.get', 'events.query'));
  const again = await post(asker.token, body('events.query', 'events.get'));
  expect([again.status, again.body.id]).toEqual([200, first.id]);
  const names = ['get', 'put', 'post', 'patch', 'delete', 'query'].flatMap((each) => [
    `partner.${each}`,
    `deliveries.${each}`,
  ]);
  const made = [];
  for (const name of names.slice(0, 9)) made.push(await ask(body(name)));
  await expectCode('limit_reached', post(asker.token, body('agreements.get')));
  for (const each of made) succeed(await answer('withdraw', each, asker.token));
  for (const name of names.slice(0, 10)) {
    if (name === names[9]) succeed(await answer('withdraw', first, asker.token));
    const each = await ask(body(name));
    succeed(await answer('withdraw', each, asker.token));
  }
  await expectCode('limit_reached', post(asker.token, body('agreements.get')));
  await service.advanceClock(25 * hourMs);
  await ask(body('agreements.get'));
  // An hour has at most five mails of this kind for one person.
  const mails = await mailsTo(owner);
  expect(mails.filter((mail) => mail.includes('no more mails'))).toHaveLength(1);
});

it('A31: only somebody who may grant exactly that approves it, in a session, and never their own', async () => {
  const request = await ask();
  const refused: Record<string, string> = {
    'own request': asker.token,
    'no permission on agreements': (await cast.member(partner, may('deliveries'))).token,
    'not what is asked': (await cast.member(partner, may('agreements'))).token,
    'a shorter end': (await giver({ expires_at: inMs(hourMs / 2) })).token,
    'second factor': (
      await cast.member(
        partner,
        { acl_permissions: [acl('agreements'), acl('deliveries')], mfa_required: true },
        { secondFactor: 'proven' },
      )
    ).token,
    'a token': await cast.accessToken(owner, [acl('*')]),
  };
  for (const [reason, token] of Object.entries(refused))
    expect((await answer('approve', request, token)).status, reason).toBe(403);
  await expectStatus(404, answer('approve', request, (await cast.user()).token));
  const elsewhere = await cast.partner();
  await expectStatus(
    404,
    service.request('POST', `/partners/${elsewhere}${requests}/${request.id}/approve`, {
      token: service.operatorToken,
    }),
  );
  expect(await deliveries()).toBe(403);
  const helper = await giver();
  expect(succeed(await answer('approve', request, helper.token))).toMatchObject({
    state: 'approved',
    decided_by: 'Player',
  });
  expect(await deliveries()).toBe(200);
});

it('A30, A31, E3: an access token is refused before the body is read', async () => {
  const request = await ask();
  const token = await cast.accessToken(owner, [acl('*')]);
  await expectStatus(403, post(token, { unknown: true }));
  await expectStatus(403, answer('deny', request, token, { unknown: true }));
});

it('A31: an operator does not answer their own request', async () => {
  const request = await ask();
  const token = await cast.appoint(asker);
  await expectStatus(403, answer('approve', request, token));
  await expectStatus(403, answer('deny', request, token));
  expect((await seen(request)).state).toBe('pending');
});

it('A31: a request is answered once: of two answers at once, one wins', async () => {
  const request = await ask();
  const helper = await giver();
  const raced = await Promise.all([answer('approve', request), answer('deny', request, helper.token)]);
  expect(statusesOf(raced)).toEqual([200, 409]);
  const settled = await seen(request);
  expect(['approved', 'denied']).toContain(settled.state);
  for (const [verb, token] of [
    ['approve', owner.token],
    ['deny', owner.token],
    ['withdraw', asker.token],
  ] as const)
    await expectCode('access_request_settled', answer(verb, request, token));
  expect(await deliveries()).toBe(settled.state === 'approved' ? 200 : 403);

  const withdrawn = await ask(body('events.get'));
  await expectStatus(403, answer('withdraw', withdrawn, owner.token));
  succeed(await answer('withdraw', withdrawn, asker.token));
  await expectStatus(409, answer('approve', withdrawn));
});

it('A31: who denies says why in the mail', async () => {
  const request = await ask();
  const denied = succeed(await answer('deny', request, owner.token, { note: 'See the dashboard.' }));
  expect(denied).toMatchObject({ state: 'denied', note: 'See the dashboard.', decided_by: 'Olga Owner' });
  const [mail = ''] = await mailsTo(asker);
  expect(mail).toMatch(/^Your request for access to Nordlys is denied\n/);
  expect(mail).toContain('See the dashboard.');
});

it('A32: an approval gives exactly what was asked, and ends by itself to the millisecond', async () => {
  const request = await ask();
  const { ends_at, settled_at } = succeed(await answer('approve', request));
  expect(Math.abs(Date.parse(ends_at) - Date.parse(settled_at) - hourMs)).toBeLessThanOrEqual(1);
  expect(await deliveries()).toBe(200);
  for (const other of ['/events', '/audit-log', '/agreements'])
    expect((await service.get(path(other), asker.token)).status, other).toBe(403);
  const agreement = succeed(await service.get(path(`/agreements/${asker.agreement}`), asker.token));
  expect(agreement.acl_permissions).toEqual([]);
  const effective = async () =>
    succeed(await service.get(path(`/agreements/${asker.agreement}/effective-permissions`), asker.token))
      .filter(({ allowed }: { allowed: boolean }) => allowed)
      .map(({ resource, method, because }: Record<string, string>) => `${resource}.${method} ${because}`);
  expect(await effective()).toEqual(['deliveries.query access_request']);
  const evaluate = async () =>
    succeed(
      await service.post(
        '/access/v1/evaluation',
        {
          subject: { type: 'user', id: asker.email },
          action: { name: 'query' },
          resource: { type: 'deliveries', id: partner, properties: { partner_id: partner } },
        },
        service.operatorToken,
      ),
    ).decision;
  expect(await evaluate()).toBe(true);

  await atMs(ends_at, -1);
  expect(await deliveries()).toBe(200);
  await service.setClock(ends_at);
  expect(await deliveries()).toBe(403);
  expect(await effective()).toEqual([]);
  expect(await evaluate()).toBe(false);
  expect((await seen(request)).state).toBe('ended');
});

it('A32: it ends with the agreement, and a longer agreement does not give it again', async () => {
  succeed(await cast.change(partner, asker.agreement, { expires_at: inMs(10 * hourMs) }));
  const long = await ask({ duration_seconds: 20 * 3_600 });
  const { ends_at } = succeed(await answer('approve', long));
  expect(Math.abs(Date.parse(ends_at) - Date.now() - 10 * hourMs)).toBeLessThan(hourMs);
  const sooner = inMs(hourMs);
  succeed(await cast.change(partner, asker.agreement, { expires_at: sooner }));
  expect((await seen(long)).ends_at).toBe(sooner);
  succeed(await cast.change(partner, asker.agreement, { expires_at: null }));
  await service.setClock(sooner);
  expect(await deliveries()).toBe(403);
});

it('A32: the person and those who could approve it end it early', async () => {
  for (const by of [owner, asker]) {
    const request = await ask();
    await expectStatus(409, answer('revoke', request, by.token));
    succeed(await answer('approve', request));
    expect(await deliveries()).toBe(200);
    expect(succeed(await answer('revoke', request, by.token)).state).toBe('ended');
    expect(await deliveries()).toBe(403);
    await expectStatus(409, answer('revoke', request, by.token));
  }
});

it('A33: nobody grants onwards for longer than an approval gives it to them', async () => {
  const middle = await cast.member(partner, may('agreements'));
  const third = await cast.member(partner);
  const request = await ask({}, middle.token);
  const { ends_at } = succeed(await answer('approve', request));
  const give = (more: object) =>
    cast.change(partner, third.agreement, { ...may('deliveries', 'query'), ...more }, middle.token);
  await expectStatus(403, give({}));
  await expectStatus(403, give({ expires_at: new Date(Date.parse(ends_at) + 1).toISOString() }));
  succeed(await give({ expires_at: ends_at }));
  await expectStatus(403, give({ expires_at: null }));
  // Neither by a group, nor by approving what lasts longer.
  const group = (permissions: object[]) =>
    service.post(path('/acl-permission-groups'), { name: 'g', acl_permissions: permissions }, middle.token);
  await expectStatus(403, group([acl('deliveries', 'query')]));
  const longer = await ask({ duration_seconds: 7_200 });
  await expectStatus(403, answer('approve', longer, middle.token));
  const shorter = await ask({ ...body('deliveries.query', 'deliveries.get'), duration_seconds: 60 });
  await expectStatus(403, answer('approve', shorter, middle.token));
  succeed(await answer('withdraw', longer, asker.token));
  const within = await ask({ duration_seconds: 60 });
  succeed(await answer('approve', within, middle.token));
});

it('A34: an unanswered request lapses after seven days; the task marks it, and mails the person', async () => {
  const request = await ask();
  await service.setClock(request.lapses_at);
  expect((await seen(request)).state).toBe('lapsed');
  await expectStatus(409, answer('approve', request));
  await ask();
  await service.runTask('lapse access requests');
  expect(await seen(request)).toMatchObject({ state: 'lapsed', settled_at: request.lapses_at });
  const [mail = ''] = await mailsTo(asker);
  expect(mail).toMatch(/^Your request for access to Nordlys was not answered\n/);
  const log = succeed(await service.get(path('/audit-log?filter[action]=access_request.lapse'), owner.token));
  expect(pluck(log, 'target')).toEqual([request.id]);
});

it('A34: people of a hidden partner get no mail; after its restore the request lapses', async () => {
  const request = await ask();
  await service.setClock(request.lapses_at);
  succeed(await service.remove(path()));
  await service.runTask('lapse access requests');
  expect(await mailsTo(asker)).toEqual([]);
  succeed(await service.post(path('/restore')));
  await service.runTask('lapse access requests');
  expect(await mailsTo(asker)).toHaveLength(1);
});

it('A34: callers with agreements.query list all requests, others their own; the list has filters', async () => {
  const other = await cast.member(partner);
  const [mine, theirs] = [await ask(), await ask({}, other.token)];
  const list = async (token: string, query = '') =>
    pluck(succeed(await service.get(path(`${requests}${query}`), token)), 'id').toSorted();
  const all = [mine.id, theirs.id].toSorted();
  expect(await list(owner.token)).toEqual(all);
  expect(await list(asker.token)).toEqual([mine.id]);
  await expectStatus(403, service.get(path(`${requests}/${theirs.id}`), asker.token));
  await expectStatus(404, service.get(path(requests), (await cast.user()).token));
  succeed(await answer('approve', theirs));
  expect(await list(owner.token, '?filter[state]=pending')).toEqual([mine.id]);
  expect(await list(owner.token, '?filter[state]=approved')).toEqual([theirs.id]);
  expect(await list(owner.token, `?filter[agreement_id]=${other.agreement}`)).toEqual([theirs.id]);
  const actions = pluck(succeed(await service.get(path('/audit-log?sort=id'), owner.token)), 'action');
  expect(actions.filter((each) => each.startsWith('access_request.'))).toHaveLength(3);
});

it('A34: what people wrote is deleted with them', async () => {
  const helper = await giver();
  const [mine, denied] = [
    await ask({ reason: 'Reason of Ann' }),
    await ask(body('deliveries.query', 'events.get')),
  ];
  const other = await cast.member(partner);
  const theirs = await ask({}, other.token);
  succeed(await answer('deny', theirs, helper.token, { note: 'A note of the helper' }));
  const stored = async () =>
    JSON.stringify(await service.sql('select reason, note, decided_by from access_request'));
  expect(await stored()).toContain('Reason of Ann');
  succeed(await service.remove(`/users/${asker.id}`));
  succeed(await service.remove(`/users/${helper.id}`));
  expect(await stored()).not.toMatch(/Reason of Ann|note of the helper/);
  for (const gone of [mine, denied])
    await expectStatus(404, service.get(path(`${requests}/${gone.id}`), owner.token));
  expect(await seen(theirs)).toMatchObject({ state: 'denied', note: null, decided_by: null });
});

it('U13, C2: a kept answer to others has no name and no text of a person who was deleted', async () => {
  const keyed = (verb: string, { id }: { id: string }, token: string) =>
    service.request('POST', path(`${requests}/${id}/${verb}`), {
      token,
      headers: { 'idempotency-key': 'kept' },
    });
  const other = await cast.member(partner, { owner: true }, { name: 'Otto Other' });
  const asked = await ask({ reason: 'Reason of Ann' });
  succeed(await answer('approve', asked));
  const answered = succeed(await keyed('revoke', asked, other.token));
  expect([answered.decided_by, answered.reason]).toEqual(['Olga Owner', 'Reason of Ann']);
  succeed(await service.remove(`/users/${owner.id}`));
  expect(succeed(await keyed('revoke', asked, other.token))).toMatchObject({
    decided_by: '',
    name: 'Ann Lee',
  });
  succeed(await service.remove(`/users/${asker.id}`));
  const kept = JSON.stringify(await service.sql('select body from idempotent_answer'));
  for (const text of ['Olga Owner', 'Ann Lee', 'Reason of Ann', asker.email])
    expect(kept).not.toContain(text);
});
