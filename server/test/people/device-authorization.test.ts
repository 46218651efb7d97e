// Device authorization (RFC 8628), over HTTP: a program asks, a person answers.
import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { acl, expectCode, expectStatus, pluck, statusesOf, succeed, useCast } from '../stage/cast.ts';
import { createEnrolment } from '../stage/enrolment.ts';
import { hold, untilWaiting } from '../stage/locks.ts';
import { postForm } from '../stage/post-form.ts';
import { client_id, errorOf, grant_type, useDeviceStage } from './device-stage.ts';

const { service, cast } = useCast({ CONCORD_TRUSTED_PROXIES: '127.0.0.1', CONCORD_RATE_LIMIT: '100000/10s' });
const enrolment = createEnrolment(service);
const { ann, ask, fetchToken, look, approve, deny, ...stage } = useDeviceStage(service, cast);

let addresses = 0;
/** From an address of its own: programs of one address are limited. */
const begin = (more: Record<string, string> = {}) =>
  stage.begin(more, { 'x-forwarded-for': `192.0.2.${++addresses}` });
/** As if the interval had passed. */
const later = () =>
  service.sql("update device_authorization set asked_at = asked_at - interval '10 minutes'");

it('T30: a program gets the token that a person approves, once, and the token works', async () => {
  const { device_code, user_code, ...rest } = await begin({ client_name: 'laptop of Ann' });
  expect(rest).toEqual({
    verification_uri: 'http://concord.test/console/device',
    verification_uri_complete: `http://concord.test/console/device?user_code=${user_code}`,
    expires_in: 900,
    interval: 5,
  });
  expect(await errorOf(fetchToken(device_code))).toEqual([400, 'authorization_pending']);
  const shown = succeed(await look(user_code.toLowerCase().replace('-', ' ')));
  expect(shown).toMatchObject({
    user_code,
    client_name: 'laptop of Ann',
    requested_from: `192.0.2.${addresses}`,
  });
  const { prefix, ...made } = succeed(await approve(user_code, ann.token, { partner_ids: [ann.partner] }));
  expect(made).toMatchObject({ name: 'laptop', partner_ids: [ann.partner] });
  await later();
  const { status, body, headers } = await fetchToken(device_code);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  const { access_token, expires_in, ...more } = body;
  expect(more).toEqual({ token_type: 'Bearer', scope: 'partner.get', partner_id: ann.partner });
  expect([access_token.startsWith(prefix), expires_in > 89 * 86_400]).toEqual([true, true]);
  await expectStatus(200, service.get(`/partners/${ann.partner}`, access_token));
  await expectStatus(403, service.get(`/partners/${ann.partner}/agreements`, access_token));
  expect(await errorOf(fetchToken(device_code))).toEqual([400, 'invalid_grant']);
  const [row] = await service.sql('select * from audit_log where target = $1', [made.id]);
  expect(row?.action).toBe('access_token.create');
  expect(JSON.stringify(await service.sql('select * from access_token'))).not.toContain(access_token);
});

it('T30: the answer names no partner if the token works with several', async () => {
  const { device_code, user_code } = await begin();
  succeed(await approve(user_code, ann.token, { partner_ids: [ann.partner, await cast.partner()] }));
  expect(succeed(await fetchToken(device_code)).partner_id).toBeNull();
});

it('T30: of two programs that fetch at once, one gets the token', async () => {
  const { device_code, user_code } = await begin();
  succeed(await approve(user_code));
  const holder = await hold(service.database, 'select from device_authorization for update');
  const both = [fetchToken(device_code), fetchToken(device_code)];
  await untilWaiting(service.database, 2);
  await holder.end();
  const answers = await Promise.all(both);
  expect(statusesOf(answers)).toEqual([200, 400]);
});

it('T30: nothing that is stored gives the token', async () => {
  const { device_code, user_code } = await begin();
  succeed(await approve(user_code));
  const stored = JSON.stringify([
    await service.sql('select * from device_authorization'),
    await service.sql('select * from access_token'),
  ]);
  for (const secret of [device_code, user_code, user_code.replace('-', '')])
    expect(stored).not.toContain(secret);
  const [{ token_hash, device_code_hash } = {}] = await service.sql('select * from device_authorization');
  for (const guess of [token_hash, device_code_hash])
    for (const encoding of ['hex', 'base64url'] as const)
      expect(await errorOf(fetchToken(guess.toString(encoding)))).toEqual([400, 'invalid_grant']);
});

it('T30: a code that is denied, expired or approved already is over', async () => {
  const denied = await begin();
  await expectStatus(204, deny(denied.user_code));
  await expectStatus(404, approve(denied.user_code));
  expect(await errorOf(fetchToken(denied.device_code))).toEqual([400, 'access_denied']);
  const expired = await begin();
  await service.sql(
    "update device_authorization set expires_at = now() - interval '1 second' where not denied and token_id is null",
  );
  for (const answer of [look(expired.user_code), approve(expired.user_code)]) await expectStatus(404, answer);
  expect(await errorOf(fetchToken(expired.device_code))).toEqual([400, 'expired_token']);
  const approved = await begin();
  succeed(await approve(approved.user_code));
  await expectStatus(404, approve(approved.user_code));
  await expectStatus(404, deny(approved.user_code));
});

it('T30: a program that asks too soon must wait longer each time', async () => {
  const { device_code, user_code } = await begin();
  const wait = (seconds: number) =>
    service.sql(`update device_authorization set asked_at = asked_at - interval '${seconds} seconds'`);
  expect(await errorOf(fetchToken(device_code))).toEqual([400, 'authorization_pending']);
  expect(await errorOf(fetchToken(device_code))).toEqual([400, 'slow_down']);
  await wait(6);
  expect(await errorOf(fetchToken(device_code))).toEqual([400, 'slow_down']);
  await wait(16);
  expect(await errorOf(fetchToken(device_code))).toEqual([400, 'authorization_pending']);
  succeed(await approve(user_code));
  await wait(16);
  await expectStatus(200, fetchToken(device_code));
});

it('T30: only a person in a session with a recent proof approves', async () => {
  const { user_code } = await begin();
  const token = await cast.accessToken(ann, [acl('*')]);
  for (const answer of [look(user_code, token), approve(user_code, token)]) await expectStatus(403, answer);
  await expectStatus(401, approve(user_code, 'x'.repeat(32)));
  const old = await cast.session(ann.id);
  await service.sql(
    "update auth.session set proven_at = now() - interval '11 minutes' where token = encode(sha256($1), 'hex')",
    [old],
  );
  await expectCode('step_up_required', approve(user_code, old));
  const banned = await cast.user();
  await cast.set(banned.id, { banned: true });
  await expectStatus(401, approve(user_code, banned.token));
  const proven = await enrolment.enrol();
  succeed(await approve(user_code, proven.token));
});

it('T30: guesses of user codes are limited, and a known code is no guess', async () => {
  const { user_code } = await begin();
  const guesser = await cast.user();
  for (let i = 0; i < 12; i++) await expectStatus(200, look(user_code, guesser.token));
  for (let i = 0; i < 10; i++) await expectStatus(404, look('BBBB-BBBB', guesser.token));
  for (const answer of [look(user_code, guesser.token), approve(user_code, guesser.token)]) {
    const { status, headers } = await answer;
    expect([status, headers.ratelimit]).toEqual([429, expect.stringContaining('user-codes')]);
  }
  await expectStatus(200, look(user_code));
});

it('T30: programs of one address are limited', async () => {
  const again = () => ask({ client_id }, { 'x-forwarded-for': '198.51.100.1' });
  for (let i = 0; i < 20; i++) await expectStatus(200, again());
  const { status, headers } = await again();
  expect([status, headers.ratelimit]).toEqual([429, expect.stringContaining('device-authorizations')]);
});

it('T30: forms are strict: the client, the grant and the type of the body', async () => {
  expect(await errorOf(ask({}))).toEqual([400, 'invalid_request']);
  expect(await errorOf(ask({ client_id: 'other' }))).toEqual([400, 'invalid_client']);
  expect(await errorOf(fetchToken('x', { client_id: 'other' }))).toEqual([400, 'invalid_client']);
  expect(await errorOf(fetchToken('x', { grant_type: 'password' }))).toEqual([400, 'unsupported_grant_type']);
  const form = (members: Record<string, string>) => postForm(service, '/oauth/token', members);
  expect(await errorOf(form({ grant_type, client_id }))).toEqual([400, 'invalid_request']);
  // RFC 6749, 5.2: another grant has members of its own, and no device_code.
  const other = form({ grant_type: 'client_credentials', client_id });
  expect(await errorOf(other)).toEqual([400, 'unsupported_grant_type']);
  for (const answer of [other, form({})]) expect((await answer).headers['cache-control']).toBe('no-store');
  expect(await errorOf(fetchToken('x'))).toEqual([400, 'invalid_grant']);
  await expectStatus(415, service.post('/oauth/token', { grant_type, client_id }, null));
  await expectStatus(413, fetchToken('x'.repeat(5_000)));
  await expectStatus(
    415,
    postForm(service, '/partners', { name: 'x' }, { authorization: `Bearer ${service.operatorToken}` }),
  );
});

it('T30: an approval obeys the rules of access tokens', async () => {
  const key = `notice:${hash('sha256', `${ann.id} access_token_created`, 'base64url')}`;
  const told = async () => {
    const current = 'select requests from guard_count where key = $1 and ends_at > concord_now()';
    return (await service.sql(current, [key]))[0]?.requests ?? 0;
  };
  const { user_code } = await begin();
  const before = await told();
  for (const body of [
    { scopes: [acl('nothing')] },
    { expires_at: '2999-01-01T00:00:00Z' },
    { partner_ids: ['x'] },
    { token: 'x' },
  ])
    await expectStatus(400, approve(user_code, ann.token, body));
  expect(await told()).toBe(before);
  succeed(await approve(user_code));
  expect(await told()).toBe(before + 1);
});

it('T30: whoever has an access token can end it, and learns nothing about another text', async () => {
  const { id: robot } = succeed(
    await service.post(`/partners/${ann.partner}/service-accounts`, { name: 'robot' }, ann.token),
  );
  const { id, token } = await cast.newAccessToken(ann, [acl('partner')]);
  const revoke = (text: string) => postForm(service, '/oauth/revoke', { token: text, client_id });
  for (const text of ['x', `${token}x`, ann.token]) await expectStatus(200, revoke(text));
  await expectStatus(200, service.get('/me', token));
  await expectStatus(200, revoke(token));
  await expectStatus(401, service.get('/me', token));
  await expectStatus(200, service.get('/me', ann.token));
  await expectStatus(200, revoke(token));
  const rows = await service.sql(
    `select actor_id, actor_kind, audit_log.partner_id, part, personal ? 'changes' as names from audit_log
     join audit_person using (position) where target = $1 and action = 'access_token.revoke' order by part`,
    [id],
  );
  const logged = { actor_id: ann.id, actor_kind: 'person', partner_id: null };
  expect(rows).toEqual([
    { ...logged, part: 'address', names: false },
    { ...logged, part: 'person', names: true },
  ]);
  const path = `/partners/${ann.partner}/service-accounts/${robot}/access-tokens`;
  const made = succeed(await service.post(path, { name: 't', scopes: [] }, ann.token));
  await expectStatus(200, revoke(made.token));
  const partnerLog = succeed(
    await service.get(`/partners/${ann.partner}/audit-log?filter[action]=access_token.revoke`, ann.token),
  );
  expect(pluck(partnerLog, 'target')).toContain(made.id);
});
