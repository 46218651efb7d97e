// The caller, as GET /me shows it, and PATCH /me.
import { describe, expect, it } from 'vitest';
import { acl, expectCode, expectStatus, pluck, statusesOf, succeed, useCast } from '../stage/cast.ts';
import { createEnrolment, password } from '../stage/enrolment.ts';
import { newEmail, operator } from '../stage/start-service.ts';

const { service, cast } = useCast();
const { enrol, post } = createEnrolment(service);

const me = (token: string | null, headers = {}) => service.request('GET', '/me', { token, headers });
const change = (token: string, body: unknown, headers = {}) =>
  service.request('PATCH', '/me', { token, body, headers });
const credentialOf = async (token: string) => succeed(await me(token)).credential;

describe('GET /me', () => {
  it('T25: a session reads its user and itself', async () => {
    const { id, email, token } = await cast.user({ name: 'Ann Lee' });
    const [session] = await service.sql(
      'select id, expires_at, proven_at from auth.session where user_id = $1',
      [id],
    );
    const { status, body, headers } = await me(token);
    expect([status, headers['cache-control'], headers.etag]).toEqual([
      200,
      'private, no-cache',
      expect.any(String),
    ]);
    expect(body).toEqual({
      id,
      email,
      name: 'Ann Lee',
      email_verified: true,
      role: 'user',
      two_factor_enabled: false,
      created_at: body.created_at,
      updated_at: body.updated_at,
      credential: {
        kind: 'session',
        id: session.id,
        expires_at: session.expires_at.toISOString(),
        scopes: null,
        partner_ids: null,
        second_factor_proven: false,
        proven_at: session.proven_at.toISOString(),
      },
    });
    expect((await me(service.operatorToken)).body).toMatchObject({ email: operator.email, role: 'operator' });
    await expectStatus(304, me(token, { 'if-none-match': String(headers.etag) }));
    await expectStatus(401, me(null));
  });

  it('T25: an access token reads the same user, with its scopes and partners, and needs no scope', async () => {
    const player = await cast.user();
    const partner = await cast.partner();
    const limited = await cast.newAccessToken(player, [acl('events', 'get')], [partner]);
    const { credential, ...user } = succeed(await me(limited.token));
    expect(credential).toEqual({
      kind: 'token',
      id: limited.id,
      expires_at: limited.expires_at,
      scopes: [acl('events', 'get')],
      partner_ids: [partner],
      second_factor_proven: false,
      proven_at: null,
    });
    const { credential: _, ...inSession } = succeed(await me(player.token));
    expect(user).toEqual(inSession);
    expect(await credentialOf(await cast.accessToken(player))).toMatchObject({
      scopes: [],
      partner_ids: null,
    });
  });

  it('T25: a service account reads itself', async () => {
    const accounts = `/partners/${await cast.partner()}/service-accounts`;
    const account = succeed(await service.post(accounts, { name: 'robot' }));
    const body = { name: 'token', scopes: [] };
    const { token } = succeed(await service.post(`${accounts}/${account.id}/access-tokens`, body));
    expect(succeed(await me(token))).toMatchObject({
      id: account.id,
      name: 'robot',
      credential: { kind: 'token' },
    });
  });

  it('T25: proven_at says whether a change that needs a proof is possible', async () => {
    const asks = (token: string) =>
      post('change-email', token, { newEmail: newEmail() }).then(({ body }) => body.code);
    const { email, token, code, challenge } = await enrol();
    const proven = await credentialOf(token);
    expect(proven).toMatchObject({ second_factor_proven: true, proven_at: expect.any(String) });
    expect(await asks(token)).toBeUndefined();

    // The session of a trusted device is new, and carries no proof of the second factor.
    const trust = { code: code(0), twoFactorToken: await challenge(), trustDevice: true };
    const { trustDeviceToken } = succeed(await post('two-factor/verify-totp', null, trust));
    const trusted = succeed(await post('sign-in/email', null, { email, password, trustDeviceToken }));
    expect(await credentialOf(trusted.token)).toMatchObject({ second_factor_proven: false, proven_at: null });
    expect(await asks(trusted.token)).toBe('step_up_required');

    // A session from before the upgrade that brought the proof.
    await service.sql(`update auth.session set proven_at = '-infinity' where id = $1`, [proven.id]);
    expect(await credentialOf(token)).toMatchObject({ second_factor_proven: true, proven_at: null });
    expect(await asks(token)).toBe('step_up_required');
  });
});

describe('PATCH /me', () => {
  it('T26: changes the name, and nothing else', async () => {
    const { id, token } = await cast.user({ name: 'Ann Lee' });
    const before = succeed(await me(token));
    const name = "  Ann \u{1F600} O'Neill-Lee\n";
    const changed = succeed(await change(token, { name }));
    expect(changed).toEqual({ ...before, name, updated_at: changed.updated_at });
    expect(changed.updated_at > before.updated_at).toBe(true);
    expect(succeed(await me(token))).toEqual(changed);
    for (const body of [{ name }, {}]) expect(succeed(await change(token, body))).toEqual(changed);
    const wrong = [
      { name: null },
      { name: 5 },
      { name: 'x'.repeat(256) },
      { name: '\0' },
      { name: '\ud800' },
      [],
      null,
    ];
    for (const body of [...wrong, { email: 'a@b.test' }, { name: 'x', role: 'operator' }])
      expect([body, (await change(token, body)).status]).toEqual([body, 400]);
    expect(succeed(await me(token))).toEqual(changed);
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect(succeed(await change(token, { name: '' }, merge)).name).toBe('');

    const records = succeed(
      await service.get(`/audit-log?filter[target]=${id}&filter[action]=account.update`),
    );
    expect(pluck(records, 'changes')).toEqual([
      { name: { before: name, after: '' } },
      { name: { before: 'Ann Lee', after: name } },
    ]);
    // The row itself has no name, so that the deletion of the user erases it.
    const rows = await service.sql(`select from audit_log where target = $1 and changes::text like '%Ann%'`, [
      id,
    ]);
    expect(rows).toEqual([]);
  });

  it('T26: If-Match refuses a change of another state, and one of two changes at once', async () => {
    const { token } = await cast.user();
    const first = await me(token);
    const tag = { 'if-match': String(first.headers.etag) };
    const answers = await Promise.all(['Ann', 'Bob', 'Cem'].map((name) => change(token, { name }, tag)));
    expect(statusesOf(answers)).toEqual([200, 412, 412]);
    const winner = answers.find(({ status }) => status === 200)!;
    expect((await me(token)).body).toEqual(winner.body);
    expect((await me(token)).headers.etag).toBe(winner.headers.etag);
  });

  it('T26: takes a session, without a recent proof', async () => {
    const player = await cast.user();
    const token = await cast.accessToken(player, [acl('*')]);
    await expectCode('forbidden', change(token, { name: 'x' }));
    await service.sql(`update auth.session set proven_at = '-infinity' where user_id = $1`, [player.id]);
    await expectStatus(200, change(player.token, { name: 'x' }));
  });
});
