// Sign-in through a real OpenID Connect provider: new users, linked users, and refused links.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browse, startOidcProvider } from './oidc.ts';
import { operator, startTestService, type TestService } from './start-service.ts';

const callback = 'http://concord.test/api/auth/callback/oidc';
let service: TestService;
let oidc: Awaited<ReturnType<typeof startOidcProvider>>;
beforeAll(async () => {
  oidc = await startOidcProvider(callback);
  service = await startTestService({
    CONCORD_OIDC_ISSUER: oidc.issuer,
    CONCORD_OIDC_CLIENT_ID: 'concord',
    CONCORD_OIDC_CLIENT_SECRET: 'the secret of concord',
    CONCORD_GOOGLE_CLIENT_ID: 'google-client',
    CONCORD_GOOGLE_CLIENT_SECRET: 'google-secret',
  });
});
afterAll(async () => {
  await service.stop();
  await oidc.close();
});

function person(sub: string, email: string, verified = true): string {
  oidc.people.set(sub, { sub, email, email_verified: verified, name: `Name of ${sub}` });
  return sub;
}

/** Visits the provider and returns; with `token`, it links an account instead of signing in. */
async function visit(sub: string, { token = null, keepCookie = true }: { token?: string | null; keepCookie?: boolean } = {}) {
  const path = token === null ? '/api/auth/sign-in/social' : '/api/auth/link-social';
  const left = await service.request('POST', path, { token, body: { provider: 'oidc' } });
  expect(left.status).toBe(200);
  const cookie = String(left.headers['set-cookie']);
  expect(cookie).toMatch(/^concord_oauth_state=[^;]+; Path=\/api\/auth\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const back = await browse(left.body.url, sub, callback);
  return service.request('GET', back.pathname + back.search, {
    token: null,
    headers: keepCookie ? { cookie: `other=1; ${cookie.split(';', 1)[0]}` } : {},
  });
}
/** A user with a password, signed in. */
async function makeUser(email: string): Promise<string> {
  const token = await service.signInStranger();
  await service.database.sql(
    `update auth."user" set email = $2 where id = (select user_id from auth.session where token = encode(sha256($1), 'hex'))`,
    [token, email],
  );
  return token;
}

const accountsOf = async (token: string) =>
  (await service.request('GET', '/api/auth/list-accounts', { token })).body.map(
    (account: { providerId: string }) => account.providerId,
  );

it('T1: a new person becomes a user, and the next sign-in returns the same user', async () => {
  person('ann', 'ann@oidc.example');
  const first = await visit('ann');
  expect([first.status, first.body.user.email, first.body.user.name]).toEqual([200, 'ann@oidc.example', 'Name of ann']);
  const again = await visit('ann');
  expect(again.body.user.id).toBe(first.body.user.id);
  const { body } = await service.request('GET', '/api/auth/list-accounts', { token: again.body.token });
  expect(body).toMatchObject([{ providerId: 'oidc', accountId: 'ann', scopes: expect.arrayContaining(['openid', 'email']) }]);
  // Only our own second factor counts, not that of the provider.
  const sessions = await service.request('GET', '/api/auth/list-sessions', { token: again.body.token });
  expect(sessions.body.every((session: { mfaVerifiedAt: unknown }) => session.mfaVerifiedAt === null)).toBe(true);
});

it('S1: an existing user is linked by an address that both sides have verified; list-accounts returns both accounts', async () => {
  const { status, body } = await visit(person('op', operator.email));
  expect([status, body.user.email]).toEqual([200, operator.email]);
  expect((await accountsOf(body.token)).sort()).toEqual(['credential', 'oidc']);
});

it('T1: an address that one side has not verified links nothing', async () => {
  const victim = 'victim@oidc.example';
  await makeUser(victim);
  await service.database.sql(`update auth."user" set email_verified = false where email = $1`, [victim]);
  const unverifiedHere = await visit(person('thief', victim));
  expect([unverifiedHere.status, unverifiedHere.body.code]).toEqual([400, 'provider_refused']);
  await service.database.sql(`update auth."user" set email_verified = true where email = $1`, [victim]);
  const unverifiedThere = await visit(person('thief', victim, false));
  expect([unverifiedThere.status, unverifiedThere.body.code]).toEqual([400, 'provider_refused']);
  const rows = await service.database.sql(
    `select provider_id from auth.account join auth."user" on user_id = "user".id where email = $1`,
    [victim],
  );
  expect(rows).toEqual([{ provider_id: 'credential' }]);
});

it('T1: a signed-in user can link an account with the same address, but not with another', async () => {
  const email = 'linker@oidc.example';
  const token = await makeUser(email);
  expect((await visit(person('stranger', 'other@oidc.example'), { token })).status).toBe(400);
  const linked = await visit(person('linker', email), { token });
  expect([linked.status, linked.body]).toEqual([200, { linked: true }]);
  expect((await accountsOf(token)).sort()).toEqual(['credential', 'oidc']);
});

it('E4: only the browser that started the sign-in can finish it', async () => {
  const strange = await visit(person('ann', 'ann@oidc.example'), { keepCookie: false });
  expect([strange.status, strange.body.code]).toEqual([400, 'provider_refused']);
  for (const query of ['', '?code=x', '?state=x&code=y', '?error=access_denied', '?state=%00', `?code=${'x'.repeat(9_000)}`]) {
    const { status } = await service.request('GET', `/api/auth/callback/oidc${query}`, {
      token: null,
      headers: { cookie: 'concord_oauth_state=x.y' },
    });
    expect(status).toBe(400);
  }
  expect(
    (
      await service.request('POST', '/api/auth/sign-in/social', {
        token: null,
        body: { provider: 'nonsense' },
      })
    ).status,
  ).toBe(400);
  expect((await service.request('POST', '/api/auth/sign-in/social', { token: null, body: { provider: 'github' } })).status).toBe(
    404,
  );
});

it('T1: the sign-in URL of a configured provider carries its client id and redirect URI', async () => {
  const { body } = await service.request('POST', '/api/auth/sign-in/social', {
    token: null,
    body: { provider: 'google' },
  });
  const url = new URL(body.url);
  expect([url.host, url.searchParams.get('client_id'), url.searchParams.get('redirect_uri')]).toEqual([
    'accounts.google.com',
    'google-client',
    'http://concord.test/api/auth/callback/google',
  ]);
});

it('T12: the state of a visit to the provider cannot be read in the database', async () => {
  const { body } = await service.request('POST', '/api/auth/sign-in/social', { token: null, body: { provider: 'oidc' } });
  const state = new URL(body.url).searchParams.get('state') ?? '';
  expect(state).toMatch(/^[\w-]{32}$/);
  const [newest] = await service.database.sql('select identifier, value from auth.verification order by created_at desc limit 1');
  expect(newest.identifier).toMatch(/^auth-state:[0-9a-f]{64}$/);
  expect(newest.value).not.toMatch(/callbackURL|codeVerifier/);
  const dump = JSON.stringify(await service.database.sql('select t::text from auth.verification t'));
  expect(dump.includes(state)).toBe(false);
});

it('S1: the provider tokens cannot be read in the database', async () => {
  await visit(person('ann', 'ann@oidc.example'));
  const rows = await service.database.sql(
    `select access_token, refresh_token from auth.account where provider_id = 'oidc' and access_token is not null`,
  );
  expect(rows.length).toBeGreaterThan(0);
  // The provider's tokens have 43 characters; sealed tokens are longer.
  for (const { access_token } of rows) expect(access_token.length).toBeGreaterThan(60);
});
