// Personal access tokens, over HTTP.

import { beforeAll, expect, it } from 'vitest';
import { acl, atOnce, expectCode, expectStatus, type Member, may, succeed, useCast } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { commit, hold, untilWaiting } from '../stage/locks.ts';

let partner: string;
let owner: Member;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
});

const make = (body: object, token = owner.token) => service.post('/me/access-tokens', body, token);
const read = async (token: string, at = partner) => (await service.get(`/partners/${at}`, token)).status;
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();

it('T2: a token is shown once, with its scopes, and lasts 90 days by default', async () => {
  const scopes = [acl('partner', 'get'), acl('*', 'query')];
  const { status, body, headers } = await make({ name: 'ci', scopes });
  expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
  const { token, ...shown } = body;
  expect(shown).toEqual({
    id: body.id,
    name: 'ci',
    prefix: token.slice(0, 18),
    scopes,
    partner_ids: null,
    created_at: body.created_at,
    expires_at: body.expires_at,
  });
  expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(90 * 86_400_000);
  const list = await service.get('/me/access-tokens', owner.token);
  expect([list.body, list.headers['total-count']]).toEqual([[shown], '1']);
  expect(list.text).not.toContain(token);
  expect(await read(token)).toBe(200);
});

it('T2: a token has known scopes, ids of partners, and at most 365 days; a user has at most 100 tokens', async () => {
  for (const [body, status] of [
    [{ expires_at: days(364) }, 201],
    [{ expires_at: null, partner_ids: null }, 201],
    [{ expires_at: days(366) }, 400],
    [{ expires_at: days(-1) }, 400],
    [{ expires_at: 'later' }, 400],
    [{ partner_ids: ['x'] }, 400],
    [{ partner_ids: [] }, 400],
    [{ partner_ids: [partner, partner] }, 400],
    [{ scopes: [acl('nothing')] }, 400],
    [{ scopes: [acl('events'), acl('events')] }, 400],
    [{ scopes: null }, 400],
    [{ token: 'mine' }, 400],
  ] as const)
    expect([body, (await make({ name: 'x', scopes: [], ...body })).status]).toEqual([body, status]);
  const many = await cast.user();
  for (let i = 0; i < 97; i++) await make({ name: 'x', scopes: [] }, many.token);
  const answers = await atOnce(6, () => make({ name: 'x', scopes: [] }, many.token));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ body }) => body.code === 'limit_reached')).toHaveLength(3);
});

it('T2: a token may do what both its scopes and its user allow, at its partners only', async () => {
  const other = await cast.partner();
  await cast.join(other, owner, may('partner', 'get'));
  const everywhere = await cast.accessToken(owner, [acl('partner', 'get', 'patch')]);
  const here = await cast.accessToken(owner, [acl('partner', 'get')], [partner]);
  const phone = async (token: string, at: string) =>
    (await service.patch(`/partners/${at}`, { phone: '1' }, token)).status;
  expect([
    await phone(everywhere, partner),
    await phone(everywhere, other),
    await phone(here, partner),
  ]).toEqual([200, 403, 403]);
  expect([await read(here), await read(here, other), await read(everywhere, other)]).toEqual([200, 404, 200]);
});

it('T2: a token that an older version stored for no partner still gives access to none', async () => {
  const operator = await cast.user();
  await cast.set(operator.id, { role: 'operator' });
  // A changed role ends the sessions.
  operator.token = await cast.session(operator.id);
  const tokens = [
    await cast.accessToken(owner, [acl('*')], [partner]),
    await cast.accessToken(operator, [acl('*')], [partner]),
  ];
  for (const token of tokens) expect(await read(token)).toBe(200);
  await service.sql(`update access_token set partner_ids = '{}' where prefix = any ($1)`, [
    tokens.map((token) => token.slice(0, 18)),
  ]);
  for (const token of tokens) {
    expect(await read(token)).toBe(404);
    for (const path of ['/partners', '/me/agreements']) {
      const { status, body } = await service.get(path, token);
      expect([status, body], path).toEqual([200, []]);
    }
    await expectStatus(403, service.post('/partners', { name: 'x' }, token));
  }
  const { body } = await service.get('/me/access-tokens', operator.token);
  expect(body).toMatchObject([{ partner_ids: [] }]);
});

it('T2: the service stores only the hash of a token, and refuses altered tokens', async () => {
  const token = await cast.accessToken(owner, [acl('*')]);
  const dump = JSON.stringify(
    await service.sql('select *, encode(token_hash, $1) as hash from access_token', ['base64']),
  );
  expect(dump).not.toContain(token.slice(18));
  const other = token.at(-1) === 'a' ? 'b' : 'a';
  for (const wrong of [
    token.slice(0, -1) + other,
    token.slice(0, -1),
    `${token}a`,
    token.replace('concord_pat_', 'concord_pat-'),
    token.toLowerCase(),
  ])
    expect(await read(wrong)).toBe(401);
  expect(service.logs.join('\n')).not.toContain(token.slice(18));
});

it('T4: a token works on two account operations, and on nothing else below /api/auth', async () => {
  const { post, forget, enrol } = createEnrolment(service);
  const user = await enrol();
  const token = await cast.accessToken(user, []);
  const get = (path: string) => service.get(`/api/auth/${path}`, token);
  expect((await get('list-accounts')).body).toMatchObject([{ providerId: 'credential' }]);
  await forget();
  const codes = await post('two-factor/generate-backup-codes', token, { password });
  expect([codes.status, codes.body.backupCodes.length]).toEqual([200, 10]);
  await forget();
  await expectCode(
    'invalid_password',
    post('two-factor/generate-backup-codes', token, { password: 'wrong' }),
  );
  await expectStatus(401, post('two-factor/generate-backup-codes', `${token.slice(0, -1)}!`, {}));
  const verified = await post('two-factor/verify-backup-code', null, {
    code: codes.body.backupCodes[0],
    twoFactorToken: await user.challenge(),
  });
  expect(verified.status).toBe(200);
  // The temporary session for better-auth is gone.
  expect(await service.sql(`select from auth.session where expires_at < now() + interval '1 hour'`)).toEqual(
    [],
  );
  await expectStatus(403, get('list-sessions'));
  await expectStatus(403, post('sign-out', token, {}));
  await expectStatus(403, make({ name: 'x', scopes: [] }, token));
});

it('S1, T4: a token without proof of the second factor cannot generate backup codes', async () => {
  const { post, enrol } = createEnrolment(service);
  const user = await enrol();
  const [{ id }] = (await service.sql('select id from auth."user" where email = $1', [user.email])) as [
    { id: string },
  ];
  const token = await cast.accessToken({ id, email: user.email, token: await cast.session(id) }, []);
  await expectCode('mfa_required', post('two-factor/generate-backup-codes', token, { password }));
});

it('T5: revocation, expiry, a ban and deletion act on the next request', async () => {
  const revoked = succeed(await make({ name: 'x', scopes: [acl('*')] }));
  const remove = (token: string) => service.remove(`/me/access-tokens/${revoked.id}`, token);
  await expectStatus(404, remove((await cast.user()).token));
  await expectStatus(204, remove(owner.token));
  expect([await read(revoked.token), (await remove(owner.token)).status]).toEqual([401, 404]);

  const expired = await cast.accessToken(owner, [acl('*')]);
  await service.sql(`update access_token set expires_at = now() - interval '1 second' where prefix = $1`, [
    expired.slice(0, 18),
  ]);
  expect(await read(expired)).toBe(401);
  await service.runTask('delete expired sessions and tokens');
  expect(await service.sql(`select from access_token where prefix = $1`, [expired.slice(0, 18)])).toEqual([]);

  const banned = await cast.owner(partner);
  const token = await cast.accessToken(banned, [acl('*')]);
  expect(await read(token)).toBe(200);
  await service.post(`/users/${banned.id}/ban`, {});
  expect(await read(token)).toBe(401);
});

it('T5: a password change ends the tokens unless the request keeps them; a reset always ends them', async () => {
  const { id, token } = await service.signInStranger();
  const tokens = () => service.sql('select from access_token where user_id = $1', [id]);
  const change = (from: string, to: string, more: object) =>
    service.post('/api/auth/change-password', { currentPassword: from, newPassword: to, ...more }, token);
  await make({ name: 'x', scopes: [] }, token);
  await expectStatus(200, change(password, 'another password', { revokeOtherSessions: false }));
  expect(await tokens()).toHaveLength(1);
  await expectStatus(200, change('another password', password, {}));
  expect(await tokens()).toEqual([]);
  await make({ name: 'x', scopes: [] }, token);
  await service.sql(`update auth.account set password = 'reset' where user_id = $1`, [id]);
  expect(await tokens()).toEqual([]);
});

it('T2: an operator creates partners with a token that has the scope and is not limited to partners', async () => {
  const user = await cast.user();
  const player = { ...user, token: await cast.appoint(user) };
  const create = async (token: string) => (await service.post('/partners', { name: 'x' }, token)).status;
  expect(await create(await cast.accessToken(player, [acl('partner', 'post')]))).toBe(201);
  expect(await create(await cast.accessToken(player, [acl('partner', 'get')]))).toBe(403);
  expect(await create(await cast.accessToken(player, [acl('*')], [partner]))).toBe(403);
  const users = await service.get('/users', await cast.accessToken(player, [acl('*')]));
  expect(users.status).toBe(403);
});

it('T5: a session that a password change has just ended cannot create a token', async () => {
  const { id, token } = await service.signInStranger();
  const thief = await cast.session(id);
  // Both requests wait for the same lock. No token remains, whichever request runs first.
  const holder = await hold(service.database, 'select from auth."user" where id = $1 for update', [id]);
  const body = { currentPassword: password, newPassword: 'another password' };
  const changed = service.post('/api/auth/change-password', body, token);
  await untilWaiting(service.database, 1);
  const made = make({ name: 'x', scopes: [acl('*')] }, thief);
  await untilWaiting(service.database, 2);
  await holder.end();
  expect([(await changed).status, (await made).status]).toEqual([200, 401]);
  expect(await service.sql('select from access_token where user_id = $1', [id])).toEqual([]);
});

it('T2: a token has no proof if the user disables the second factor during its creation', async () => {
  const user = await cast.user({ secondFactor: 'proven' });
  const disable = 'update auth."user" set two_factor_enabled = false where id = $1';
  const holder = await hold(service.database, disable, [user.id]);
  const made = make({ name: 'x', scopes: [] }, user.token);
  await untilWaiting(service.database, 1);
  await commit(holder);
  await expectStatus(201, made);
  expect(await service.sql('select mfa_proven from access_token where user_id = $1', [user.id])).toEqual([
    { mfa_proven: false },
  ]);
});
