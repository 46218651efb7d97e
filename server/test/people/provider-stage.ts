// A service whose users sign in through a real OpenID Connect provider.
import { afterAll, beforeAll, expect } from 'vitest';
import { browse, startOidcProvider } from '../stage/oidc.ts';
import { startTestService } from '../stage/start-service.ts';

const callbackOf = (baseUrl: string) => `${baseUrl}/api/auth/callback/oidc`;

type Visit = {
  token?: string | null;
  keepCookie?: boolean;
  cookie?: string;
  meanwhile?: () => Promise<unknown>;
};

export type ProviderStage = Awaited<ReturnType<typeof startProviderStage>>;

/** Starts a stage before the tests of the file and stops it after them. */
export function useProviderStage(baseUrl?: string): ProviderStage {
  const stage = {} as ProviderStage;
  beforeAll(async () => void Object.assign(stage, await startProviderStage(baseUrl)));
  afterAll(() => stage.stop());
  return stage;
}

async function startProviderStage(baseUrl = 'http://concord.test') {
  const callback = callbackOf(baseUrl);
  const oidc = await startOidcProvider(callback);
  const service = await startTestService({
    CONCORD_BASE_URL: baseUrl,
    CONCORD_OIDC_ISSUER: oidc.issuer,
    CONCORD_OIDC_CLIENT_ID: 'concord',
    CONCORD_OIDC_CLIENT_SECRET: 'the secret of concord',
    CONCORD_GOOGLE_CLIENT_ID: 'google-client',
    CONCORD_GOOGLE_CLIENT_SECRET: 'google-secret',
  });
  return {
    oidc,
    service,
    person(sub: string, email: string, claims: { email_verified?: unknown } = { email_verified: true }) {
      oidc.people.set(sub, { sub, email, ...claims, name: `Name of ${sub}` });
      return sub;
    },
    /** Visits the provider and returns; with `token`, it links an account instead of signing in. */
    async visit(
      sub: string,
      { token = null, keepCookie = true, cookie: more = 'other=1', meanwhile = async () => {} }: Visit = {},
    ) {
      const path = token === null ? '/api/auth/sign-in/social' : '/api/auth/link-social';
      const left = await service.post(path, { provider: 'oidc' }, token);
      expect(left.status).toBe(200);
      const cookie = String(left.headers['set-cookie']);
      expect(cookie).toMatch(
        /^concord_oauth_state=[^;]+; Path=\/api\/auth\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/,
      );
      const back = await browse(left.body.url, sub, callback);
      await meanwhile();
      return service.request('GET', back.pathname + back.search, {
        token: null,
        headers: keepCookie ? { cookie: `${more}; ${cookie.split(';', 1)[0]}` } : {},
      });
    },
    /** A user with a password, signed in. */
    async makeUser(email: string) {
      const { id, token } = await service.signInStranger();
      await service.sql(`update auth."user" set email = $2 where id = $1`, [id, email]);
      return token;
    },
    accountsOf: async (token: string): Promise<string[]> =>
      (await service.get('/api/auth/list-accounts', token)).body.map(
        (account: { providerId: string }) => account.providerId,
      ),
    async stop() {
      await service.stop();
      oidc.close();
    },
  };
}
