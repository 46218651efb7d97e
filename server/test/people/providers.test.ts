// Sign-in through a real OpenID Connect provider: new users, known users, refused addresses, and links.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { codeOf, expectCode, expectStatus, statusesOf } from '../stage/cast.ts';
import { createEnrolment } from '../stage/enrolment.ts';
import { openService, operator } from '../stage/start-service.ts';
import { type ProviderStage, useProviderStage } from './provider-stage.ts';

let { service, oidc, person, visit, makeUser, accountsOf } = {} as ProviderStage;
const stage = useProviderStage();
beforeAll(() => {
  ({ service, oidc, person, visit, makeUser, accountsOf } = stage);
});

it('T1: a new person becomes a user, and the next sign-in returns the same user', async () => {
  person('ann', 'ann@oidc.example');
  const first = await visit('ann');
  expect([first.status, first.body.user.email, first.body.user.name]).toEqual([
    200,
    'ann@oidc.example',
    'Name of ann',
  ]);
  const again = await visit('ann');
  expect(again.body.user.id).toBe(first.body.user.id);
  const { body } = await service.get('/api/auth/list-accounts', again.body.token);
  expect(body).toMatchObject([
    { providerId: 'oidc', accountId: 'ann', scopes: expect.arrayContaining(['openid', 'email']) },
  ]);
  // Only our own second factor counts, not that of the provider.
  const sessions = await service.get('/api/auth/list-sessions', again.body.token);
  expect(sessions.body.every((session: { mfaVerifiedAt: unknown }) => session.mfaVerifiedAt === null)).toBe(
    true,
  );
});

it('S1: an existing user is linked by an address that both sides have verified; list-accounts returns both accounts', async () => {
  // T15: that the user has unlinked another provider does not matter.
  await service.sql(
    `insert into auth.unlinked_provider (user_id, provider_id) select id, 'google' from auth."user" where email = $1`,
    [operator.email],
  );
  const { status, body } = await visit(person('op', operator.email));
  expect([status, body.user.email]).toEqual([200, operator.email]);
  expect((await accountsOf(body.token)).sort()).toEqual(['credential', 'oidc']);
});

const unverified = { email_verified: false };
const refusedAsUnverified = [403, 'email_not_verified'];
const linksOf = (email: string) =>
  service.sql(
    `select provider_id from auth.account join auth."user" on user_id = "user".id where email = $1`,
    [email],
  );

it('T14: an address that one side has not verified links nothing', async () => {
  const victim = 'victim@oidc.example';
  await makeUser(victim);
  await service.sql(`update auth."user" set email_verified = false where email = $1`, [victim]);
  expect(codeOf(await visit(person('thief', victim)))).toEqual(refusedAsUnverified);
  await service.sql(`update auth."user" set email_verified = true where email = $1`, [victim]);
  expect(codeOf(await visit(person('thief', victim, unverified)))).toEqual(refusedAsUnverified);
  expect(await linksOf(victim)).toEqual([{ provider_id: 'credential' }]);
});

it('T14: an address that the provider has not verified creates no account, and the answer does not tell whether one exists', async () => {
  const email = 'nobody@oidc.example';
  for (const claims of [unverified, {}, { email_verified: 'false' }, { email_verified: 0 }]) {
    const answer = await visit(person('newcomer', email, claims));
    expect(codeOf(answer)).toEqual(refusedAsUnverified);
    const taken = await visit(person('other', operator.email, claims));
    expect({ ...taken.body, request_id: '' }).toEqual({ ...answer.body, request_id: '' });
  }
  expect(await service.sql(`select from auth."user" where email = $1`, [email])).toEqual([]);
  await expectStatus(200, visit(person('newcomer', email, { email_verified: 'true' })));
});

it('T14: a user whose own address is not verified cannot sign in with a provider', async () => {
  const email = 'unproven@oidc.example';
  await expectStatus(200, visit(person('unproven', email)));
  await service.sql(`update auth."user" set email_verified = false where email = $1`, [email]);
  const before = await service.sql('select from auth.session');
  expect(codeOf(await visit('unproven'))).toEqual(refusedAsUnverified);
  expect(await service.sql('select from auth.session')).toHaveLength(before.length);
  expect(await service.sql(`select from auth."user" where email = $1 and email_verified`, [email])).toEqual(
    [],
  );
});

it('T14: a provider that no longer verifies the address still signs its user in', async () => {
  await expectStatus(200, visit(person('kept', 'kept@oidc.example')));
  const again = await visit(person('kept', 'changed@oidc.example', unverified));
  expect([again.status, again.body.user.email]).toEqual([200, 'kept@oidc.example']);
});

it('T14: linking is refused for an unverified address, and for one that the user no longer has', async () => {
  const email = 'leaver@oidc.example';
  const token = await makeUser(email);
  expect(codeOf(await visit(person('leaver', email, unverified), { token }))).toEqual(refusedAsUnverified);
  const meanwhile = () =>
    service.sql(`update auth."user" set email = 'moved@oidc.example' where email = $1`, [email]);
  await expectCode('provider_refused', visit(person('leaver', email), { token, meanwhile }));
  expect(await accountsOf(token)).toEqual(['credential']);
});

it('T14: a banned user cannot sign in with a provider', async () => {
  const email = 'banned@oidc.example';
  const { body } = await visit(person('banned', email));
  await expectStatus(200, service.post(`/users/${body.user.id}/ban`, {}));
  await expectCode('banned', visit('banned'));
});

describe('a user with a second factor', () => {
  const cases = { 'who left without one': true, 'who left with one': false };
  for (const [title, enablesMeanwhile] of Object.entries(cases)) {
    it(`T13: ${title} gets a challenge from the provider, and a session only with a code`, async () => {
      const email = `${randomUUID()}@oidc.example`;
      const token = await makeUser(email);
      const sub = person(email, email);
      expect((await visit(sub)).body.token).toMatch(/^\w{32}$/);
      const { post, enable } = createEnrolment(service);
      let code = enablesMeanwhile ? undefined : await enable(token);
      const meanwhile = async () => {
        code ??= await enable(token);
      };
      const { status, body } = await visit(sub, { meanwhile });
      expect([status, Object.keys(body).sort()]).toEqual([200, ['twoFactorRedirect', 'twoFactorToken']]);
      const sessions = () =>
        service.sql(
          `select mfa_verified_at from auth.session join auth."user" u on u.id = user_id where email = $1 order by auth.session.created_at`,
          [email],
        );
      // Only the session that enabled the second factor is left.
      expect(await sessions()).toHaveLength(1);
      const { twoFactorToken } = body;
      await expectStatus(401, post('two-factor/verify-totp', null, { code: '000000', twoFactorToken }));
      const proven = await post('two-factor/verify-totp', null, { code: code?.(0), twoFactorToken });
      expect([proven.status, proven.body.user.email]).toEqual([200, email]);
      expect((await sessions()).map(({ mfa_verified_at: at }) => at instanceof Date)).toEqual([true, true]);
      await expectStatus(200, service.get('/api/auth/list-sessions', proven.body.token));
    });
  }

  it('T13: who enables it while the session is created gets no session', async () => {
    const { sql } = service;
    const email = `${randomUUID()}@oidc.example`;
    await expectStatus(200, visit(person(email, email)));
    await sql('delete from auth.session where user_id = (select id from auth."user" where email = $1)', [
      email,
    ]);
    // The insert of a session waits while the test holds the lock.
    await sql(`create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(42); return new; end $$`);
    await sql(
      'create trigger wait_for_test before insert on auth.session for each row execute function wait_for_test()',
    );
    await sql('select pg_advisory_lock(42)');
    const racing = visit(email);
    const blocked = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    await expect.poll(async () => (await sql(blocked)).length).toBe(1);
    await sql(`update auth."user" set two_factor_enabled = true where email = $1`, [email]);
    await sql('select pg_advisory_unlock(42)');
    await expectCode('provider_refused', racing);
    await sql('drop trigger wait_for_test on auth.session');
    expect(
      await sql('select from auth.session join auth."user" u on u.id = user_id where email = $1', [email]),
    ).toEqual([]);
  });

  it('T13: a password does not make the device trusted for a provider', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const token = await makeUser(email);
    const { post, enable } = createEnrolment(service);
    const code = await enable(token);
    const { twoFactorToken } = (await post('sign-in/email', null, { email, password: operator.password }))
      .body;
    const trusted = await post('two-factor/verify-totp', null, {
      code: code(0),
      twoFactorToken,
      trustDevice: true,
    });
    const cookie = `better-auth.trust_device=${trusted.body.trustDeviceToken}`;
    expect((await visit(person(email, email), { cookie })).body.twoFactorRedirect).toBe(true);
  });
});

it('E4: only the browser that started the sign-in can finish it', async () => {
  const strange = await visit(person('ann', 'ann@oidc.example'), { keepCookie: false });
  expect([strange.status, strange.body.code]).toEqual([400, 'provider_refused']);
  for (const query of [
    '',
    '?code=x',
    '?state=x&code=y',
    '?error=access_denied',
    '?state=%00',
    `?code=${'x'.repeat(9_000)}`,
  ]) {
    const { status } = await service.request('GET', `/api/auth/callback/oidc${query}`, {
      token: null,
      headers: { cookie: 'concord_oauth_state=x.y' },
    });
    expect(status).toBe(400);
  }
  await expectStatus(400, service.post('/api/auth/sign-in/social', { provider: 'nonsense' }, null));
  await expectStatus(404, service.post('/api/auth/sign-in/social', { provider: 'github' }, null));
});

it('T1: the sign-in URL of a configured provider carries its client id and redirect URI', async () => {
  const { body } = await service.post('/api/auth/sign-in/social', { provider: 'google' }, null);
  const url = new URL(body.url);
  expect([url.host, url.searchParams.get('client_id'), url.searchParams.get('redirect_uri')]).toEqual([
    'accounts.google.com',
    'google-client',
    'http://concord.test/api/auth/callback/google',
  ]);
});

it('T12: the state of a visit to the provider cannot be read in the database', async () => {
  const { body } = await service.post('/api/auth/sign-in/social', { provider: 'oidc' }, null);
  const state = new URL(body.url).searchParams.get('state') ?? '';
  expect(state).toMatch(/^[\w-]{32}$/);
  const [newest] = await service.sql(
    'select identifier, value from auth.verification order by created_at desc limit 1',
  );
  expect(newest.identifier).toMatch(/^auth-state:[0-9a-f]{64}$/);
  expect(newest.value).not.toMatch(/callbackURL|codeVerifier/);
  const dump = JSON.stringify(await service.sql('select t::text from auth.verification t'));
  expect(dump.includes(state)).toBe(false);
});

it('S1: the provider tokens cannot be read in the database', async () => {
  await visit(person('ann', 'ann@oidc.example'));
  const rows = await service.sql(
    `select access_token, refresh_token from auth.account where provider_id = 'oidc' and access_token is not null`,
  );
  expect(rows.length).toBeGreaterThan(0);
  // The provider's tokens have 43 characters; sealed tokens are longer.
  for (const { access_token } of rows) expect(access_token.length).toBeGreaterThan(60);
});

it('T20: a provider that is away at start is 503 with Retry-After, and works without a restart when it is back', async () => {
  oidc.setAway(true);
  onTestFinished(() => oidc.setAway(false));
  const started = await openService({
    CONCORD_OIDC_ISSUER: oidc.issuer,
    CONCORD_OIDC_CLIENT_ID: 'concord',
    CONCORD_OIDC_CLIENT_SECRET: 'the secret of concord',
  });
  const leave = (path: string, provider: string) =>
    started.request('POST', `/api/auth/${path}`, { body: { provider } });
  for (const path of ['sign-in/social', 'link-social']) {
    const { status, body, headers } = await leave(path, 'oidc');
    expect([status, body.code, headers['retry-after']], path).toEqual([503, 'provider_unavailable', '5']);
  }
  const returned = await started.request('GET', '/api/auth/callback/oidc?code=x&state=y', { token: null });
  expect(returned.status).toBe(503);
  await expectStatus(404, leave('sign-in/social', 'github'));
  expect(
    started.logs.filter((line) => line.includes('the OpenID Connect provider was not discovered')).length,
  ).toBeGreaterThan(0);
  oidc.setAway(false);
  const statuses: number[] = [];
  const leaveAgain = async () => statuses.push((await leave('sign-in/social', 'oidc')).status);
  await expect.poll(async () => (await leaveAgain()) > 0 && statuses.at(-1), { interval: 500 }).not.toBe(503);
  expect(statuses.at(-1)).toBe(200);
});

it('T1, T14: a signed-in user can link an account with the same address, but not with another', async () => {
  const email = 'linker@oidc.example';
  const token = await makeUser(email);
  await expectStatus(400, visit(person('stranger', 'other@oidc.example'), { token }));
  const linked = await visit(person('linker', email), { token });
  expect([linked.status, linked.body]).toEqual([200, { linked: true }]);
  expect((await accountsOf(token)).sort()).toEqual(['credential', 'oidc']);
});

describe('links to providers', () => {
  const rowsOf = (userId: string) =>
    service.sql(
      `select action, outcome, credential, details, request_id from audit_log where target = $1 and action like '%provider' order by position`,
      [userId],
    );
  const linkOf = async (token: string): Promise<{ id: string; userId: string }> =>
    (await service.get('/api/auth/list-accounts', token)).body.find(
      (account: { providerId: string }) => account.providerId === 'oidc',
    );
  const unlink = (token: string, id: string) => service.post('/api/auth/unlink-account', { id }, token);

  it('T15: a user unlinks a provider, which then cannot sign in; sessions stay, and the log has both changes', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const token = await makeUser(email);
    const linked = await visit(person(email, email), { token });
    expect(linked.body).toEqual({ linked: true });
    const elsewhere = (await visit(email)).body.token;
    const { id, userId } = await linkOf(token);
    const { status, body, headers } = await unlink(token, id);
    expect([status, body]).toEqual([200, { status: true }]);
    expect(await accountsOf(token)).toEqual(['credential']);
    await expectStatus(200, service.get('/api/auth/list-sessions', elsewhere));
    await expectStatus(404, unlink(token, id));
    // A sign-in would link a verified address again. The user has unlinked it, so only the user links it
    // again.
    await expectCode('provider_refused', visit(email));
    const details = { provider: 'oidc' };
    const link = { action: 'account.link_provider', credential: 'provider oidc', details };
    const request_id = linked.headers['x-request-id'];
    expect(await rowsOf(userId)).toEqual([
      { ...link, outcome: 'intended', request_id },
      { ...link, outcome: 'done', request_id },
      {
        action: 'account.unlink_provider',
        outcome: 'done',
        credential: expect.stringMatching(/^session /),
        details,
        request_id: headers['x-request-id'],
      },
    ]);
    expect((await visit(email, { token })).body).toEqual({ linked: true });
    await expectStatus(200, visit(email));
    // The user got a mail about each change. Without an SMTP server, mails are files.
    const outbox = join(service.dataDir, 'outbox');
    const subjects = () =>
      readdirSync(outbox)
        .filter((file) => file.endsWith('.eml'))
        .map((file) => readFileSync(join(outbox, file), 'utf8'))
        .filter((mail) => mail.includes(email))
        .map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1])
        .sort();
    const made = 'A provider was linked to your account';
    await expect.poll(subjects).toEqual([made, made, 'A provider was unlinked from your account']);
  });

  it('S2, T15: a link whose row in the log the database does not take is 500, and nothing is linked', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const token = await makeUser(email);
    await service.sql(
      `create function fail() returns trigger language plpgsql as $$ begin raise 'gone' using errcode = '57P01'; end $$;
       create trigger fail before insert on audit_log for each row execute function fail()`,
    );
    await expectStatus(500, visit(person(email, email), { token }));
    await service.sql('drop function fail() cascade');
    expect(await accountsOf(token)).toEqual(['credential']);
  });

  it('T15: the last way to sign in, the password, and the link of another user cannot be unlinked', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const { token } = (await visit(person(email, email))).body;
    const { id, userId } = await linkOf(token);
    await expectCode('last_way_to_sign_in', unlink(token, id));
    // A provider that is not configured signs nobody in.
    await service.sql(
      `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, 'github', $2, now())`,
      [randomUUID(), userId],
    );
    await expectCode('last_way_to_sign_in', unlink(token, id));
    const { token: other } = await service.signInStranger();
    await expectStatus(404, unlink(other, id));
    const { body } = await service.get('/api/auth/list-accounts', other);
    expect(await codeOf(await unlink(other, body[0].id))).toEqual([400, 'invalid_request']);
    expect(await accountsOf(token)).toContain('oidc');
  });

  it('T15: two at once cannot remove the last two ways to sign in', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const { token } = (await visit(person(email, email))).body;
    const { id, userId } = await linkOf(token);
    const google = randomUUID();
    await service.sql(
      `insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, 'google', $2, now())`,
      [google, userId],
    );
    const answers = await Promise.all([unlink(token, id), unlink(token, google)]);
    expect(statusesOf(answers)).toEqual([200, 400]);
    expect(await accountsOf(token)).toHaveLength(1);
  });

  it('T6, T15: unlinking needs a recent proof', async () => {
    const email = `${randomUUID()}@oidc.example`;
    const token = await makeUser(email);
    await visit(person(email, email), { token });
    const { id } = await linkOf(token);
    await service.sql(
      `update auth.session set proven_at = now() - interval '11 minutes' where token = encode(sha256($1), 'hex')`,
      [token],
    );
    await expectCode('step_up_required', unlink(token, id));
  });
});
