// Operators see and end the sessions of users.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { acl, expectCode, expectStatus, pluck, succeed, useCast } from '../stage/cast.ts';
import { password } from '../stage/enrolment.ts';

const { service, cast } = useCast();

const path = (userId: string, sessionId = '') => `/users/${userId}/sessions${sessionId && `/${sessionId}`}`;
const list = async (userId: string) => succeed(await service.get(path(userId)));
const idsOf = (sessions: { id: string }[]) => sessions.map(({ id }) => id);
const end = (userId: string, sessionId = '') => service.remove(path(userId, sessionId));
const me = async (token: string) => (await service.get('/me', token)).status;
const recordsOf = async (userId: string) =>
  succeed(await service.get(`/audit-log?filter[target]=${userId}&sort_dir=asc`));

it('T27: operators list the sessions of a user, oldest first and without a token', async () => {
  const { id, email } = await cast.user();
  await service.sql(
    `insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
     select $1, $1, 'credential', $1, password, now() from auth.account where provider_id = 'credential' limit 1`,
    [id],
  );
  // After the password, whose change ends sessions.
  const token = await cast.session(id);
  const signIn = { token: null, body: { email, password }, headers: { 'user-agent': 'a browser' } };
  const second = succeed(await service.request('POST', '/api/auth/sign-in/email', signIn)).token;
  const sessions = await list(id);
  expect(sessions).toMatchObject([
    { current: false, ip_address: null, user_agent: null },
    { current: false, ip_address: '127.0.0.1', user_agent: 'a browser', mfa_verified_at: null },
  ]);
  const [{ hash }] = await service.sql('select token as hash from auth.session where id = $1', [
    sessions[1].id,
  ]);
  for (const secret of [token, second, hash]) expect(JSON.stringify(sessions)).not.toContain(secret);
  await service.sql(`update auth.session set expires_at = now() - interval '1 second' where id = $1`, [
    sessions[0].id,
  ]);
  expect(idsOf(await list(id))).toEqual([sessions[1].id]);
  const own = (await service.get('/me')).body.id;
  expect((await list(own)).filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
});

it('T27: a list of sessions has the newest 1,000', async () => {
  const { id, token } = await cast.user();
  await service.sql(
    `insert into auth.session (id, user_id, token, expires_at, created_at, updated_at)
     select gen_random_uuid(), $1, encode(sha256(n::text::bytea), 'hex'), now() + interval '1 day', now() + n * interval '1 second', now()
     from generate_series(1, 1000) n`,
    [id],
  );
  const sessions = await list(id);
  expect(sessions).toHaveLength(1_000);
  const times = pluck(sessions, 'created_at');
  expect(times).toEqual(times.toSorted());
  const own = succeed(await service.get('/api/auth/list-sessions', token));
  expect(idsOf(own)).toEqual(idsOf(sessions));
});

it('T27: an ended session is refused from its next request on; other sessions and access tokens stay', async () => {
  const player = await cast.user();
  const other = await cast.session(player.id);
  const program = await cast.accessToken(player);
  const first = (await service.get('/me', player.token)).body.credential.id;
  const bystander = await cast.user();
  const [theirs] = await list(bystander.id);

  await expectStatus(204, end(player.id, first));
  expect([await me(player.token), await me(other), await me(program)]).toEqual([401, 200, 200]);
  for (const [userId, sessionId] of [
    [player.id, first],
    [player.id, theirs.id],
    [player.id, '%00'],
    [player.id, 'x'],
    ['usr_01h2xcejqtf2nbrexx3vqjhp41', theirs.id],
    ['%00', theirs.id],
  ] as const)
    expect([sessionId, (await end(userId, sessionId)).status], userId).toEqual([sessionId, 404]);
  expect([await me(other), await me(bystander.token)]).toEqual([200, 200]);

  await cast.session(player.id);
  await expectStatus(204, end(player.id));
  expect([await me(other), await me(program), await me(bystander.token)]).toEqual([401, 200, 200]);
  expect(await list(player.id)).toEqual([]);
  await expectStatus(204, end(player.id));
  for (const unknown of ['usr_01h2xcejqtf2nbrexx3vqjhp41', 'x', '%00']) {
    await expectStatus(404, end(unknown));
    await expectStatus(404, service.get(path(unknown)));
  }

  const records = (await recordsOf(player.id)).filter(({ action }: { action: string }) =>
    action.startsWith('user.'),
  );
  expect(records).toMatchObject([
    {
      action: 'user.end_session',
      outcome: 'done',
      partner_id: null,
      actor: { kind: 'operator' },
      changes: { sessions: { before: [first], after: [] } },
    },
    { action: 'user.end_sessions', changes: { sessions: { before: expect.any(Array), after: [] } } },
    { action: 'user.end_sessions', changes: {} },
  ]);
});

it('T27, U5: the logs of partners do not show that sessions of a member ended', async () => {
  const partner = await cast.partner();
  const member = await cast.member(partner);
  await expectStatus(204, end(member.id));
  const records = succeed(await service.get(`/partners/${partner}/audit-log`));
  expect(records.filter(({ target }: { target: string }) => target === member.id)).toEqual([]);
});

it('T27: only an operator in a session may do it', async () => {
  const player = await cast.user();
  const [session] = await list(player.id);
  const appointed = await cast.user();
  const token = await cast.appoint(appointed);
  const program = await cast.accessToken({ ...appointed, token }, [acl('*')]);
  for (const refused of [player.token, program])
    for (const [method, url] of [
      ['GET', path(player.id)],
      ['DELETE', path(player.id)],
      ['DELETE', path(player.id, session.id)],
    ] as const)
      await expectCode('forbidden', service.request(method, url, { token: refused }));
  expect(await me(player.token)).toBe(200);
  // An operator can end their own session.
  const [own] = (await list(appointed.id)).toReversed();
  await expectStatus(204, service.remove(path(appointed.id, own.id), token));
  expect(await me(token)).toBe(401);
  await expectStatus(401, service.get(`/users/${randomUUID()}/sessions`, token));
});
