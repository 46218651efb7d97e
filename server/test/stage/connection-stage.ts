// A service with partners whose people sign in with real OpenID Connect providers, one for each partner.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { formatId } from '../../src/base/ids.ts';
import { createEncryption } from '../../src/base/secrets/index.ts';
import { createCast, expectCode, type Player, succeed, uuidOf } from './cast.ts';
import { createEnrolment } from './enrolment.ts';
import { browse, startOidcProvider } from './oidc.ts';
import { toLoopback } from './receiver.ts';
import { type Response, secrets, type TestService } from './start-service.ts';

const baseUrl = 'http://127.0.0.1:1';
export const environment = { ...toLoopback, CONCORD_BASE_URL: baseUrl };

const [, secret = ''] = secrets.split(':');
const encryption = createEncryption([{ version: 1, value: secret }], 'identity connection');

export type Company = Awaited<ReturnType<typeof createCompany>>;
type Terms = { newMembers?: boolean; issuer?: string; domain?: string };

/** A partner with an owner, and a connection that is on, with one verified domain. */
export async function createCompany(service: TestService, terms: Terms = {}) {
  const cast = createCast(service);
  const uuid = randomUUID();
  const connection = formatId('identity_connection', uuid);
  const callback = `${baseUrl}/api/auth/connections/${connection}/callback`;
  const oidc = await startOidcProvider(callback);
  const { newMembers = true, issuer = oidc.issuer, domain = `${uuid.slice(0, 8)}.example` } = terms;
  const partner = await cast.partner();
  const owner = await cast.owner(partner);
  const partnerId = uuidOf(partner);
  await service.sql(
    `insert into identity_connection (id, partner_id, name, issuer, client_id, authentication, secret, enabled, tested_at,
       admits_new_members, terms_by)
     values ($1, $2, 'Directory', $3, 'concord', 'client_secret_basic', $4, true, now(), $5, $6)`,
    [uuid, partnerId, issuer, encryption.encrypt('the secret of concord', uuid), newMembers, owner.id],
  );
  await service.sql(
    `insert into identity_domain (id, partner_id, connection_id, domain, proof, verified_at) values ($1, $2, $3, $4, 'x', now())`,
    [randomUUID(), partnerId, uuid, domain],
  );
  return { uuid, connection, callback, oidc, partner, partnerId, owner, domain };
}

/** Creates a company before the tests of the file. */
export function useCompany(service: TestService, terms: () => Terms = () => ({})): Company {
  const company = {} as Company;
  beforeAll(async () => void Object.assign(company, await createCompany(service, terms())));
  afterAll(() => company.oidc.close());
  return company;
}

export type Left = { url: string; cookie: string };

export function createTravel(service: TestService) {
  /** The URL of the provider, and the cookie of the browser. */
  async function leave(path: string, body: object | undefined, token: string | null = null): Promise<Left> {
    const answer = await service.post(path, body, token);
    const { url } = succeed(answer);
    return { url, cookie: String(answer.headers['set-cookie']).split(';', 1)[0] ?? '' };
  }
  const comeBack = (at: URL, cookie: string): Promise<Response> =>
    service.request('GET', at.pathname + at.search, { token: null, headers: { cookie } });
  const start = (company: Company) =>
    leave('/api/auth/sign-in/connection', { connection_id: company.connection });
  const browseAs = ({ callback }: Company, { url }: Left, sub: string) => browse(url, sub, callback);

  return {
    leave,
    comeBack,
    start,
    browseAs,
    person(company: Company, email: string, claims: { email_verified?: unknown } = {}, sub = email) {
      company.oidc.people.set(sub, { sub, email, ...claims, name: `Name of ${sub}` });
      return sub;
    },
    async signIn(company: Company, sub: string): Promise<Response> {
      const left = await start(company);
      return comeBack(await browseAs(company, left, sub), left.cookie);
    },
    async prove(company: Company, sub: string, { token }: Pick<Player, 'token'>): Promise<Response> {
      const left = await leave('/api/auth/connections/prove', { partner_id: company.partner }, token);
      return comeBack(await browseAs(company, left, sub), left.cookie);
    },
  };
}

export const at = ({ partner, connection }: Company) => `/partners/${partner}/connections/${connection}`;

/** `sub`: the address of the person, too. */
type Waiting = {
  sub: string;
  signIn: (sub: string) => Promise<Response>;
  meanwhile: (sub: string) => Promise<unknown>;
};

/** Refuses the sign-in of a linked person with a second factor, if `meanwhile` happens before the code. */
export async function refuseMeanwhile(
  service: TestService,
  company: Company,
  { sub, signIn, meanwhile }: Waiting,
) {
  const { id, code } = await createEnrolment(service).enrol();
  await createCast(service).set(id, { email: sub });
  await service.sql(
    'insert into auth.account (id, account_id, provider_id, user_id, updated_at) values ($1, $1, $2, $3, now())',
    [sub, `connection:${company.uuid}`, id],
  );
  const { twoFactorToken } = succeed(await signIn(sub));
  await meanwhile(sub);
  const sessions = () => service.sql('select id from auth.session where user_id = $1', [id]);
  const before = await sessions();
  const verify = { code: code(0), twoFactorToken };
  await expectCode('provider_refused', service.post('/api/auth/two-factor/verify-totp', verify, null));
  expect(await sessions()).toEqual(before);
}
