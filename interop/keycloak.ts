// A company's people sign in with a real Keycloak: set-up over the API, a test, a new member, a logout at the provider.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  addDomain,
  type Concord,
  ConcordError,
  createClient,
  createConnection,
  createPartner,
  enableConnection,
  getMe,
  listOwnAgreements,
  type ProviderRedirect,
  signInWithConnection,
  testConnection,
  verifyDomain,
} from '@concord/client';
import { startDnsServer } from '../server/test/stage/dns-server.ts';
import { findPort } from '../tools/tour-shell.ts';
import { hasTools, type Place, withConcord } from './concord.ts';

const version = '26.7.3';
const cache = join(import.meta.dirname, '../node_modules/.cache/interop/keycloak');
const home = join(cache, `keycloak-${version}`);
const execute = promisify(execFile);
const patienceMs = 180_000;
const admin = { username: 'admin', password: 'an-administrator-of-the-test' };
const secret = 'a-secret-of-the-test';
const person = { email: 'eva@nordlys.example', password: 'a-password-of-the-test' };
/** Names of its own, so that a logout of Eva ends no session of the operator. */
const tester = { email: 'tester@nordlys.example', password: 'a-password-of-the-test' };

const toUser = ({ email, password }: typeof person) => ({
  username: email,
  email,
  emailVerified: true,
  enabled: true,
  firstName: 'Eva',
  lastName: 'Berg',
  credentials: [{ type: 'password', value: password, temporary: false }],
});

async function install(): Promise<void> {
  if (existsSync(join(home, 'bin/kc.sh'))) return;
  mkdirSync(cache, { recursive: true });
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
  const copy = [`-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`, '-Dmdep.useBaseVersion=true'];
  await execute('mvn', ['-q', '-B', 'dependency:copy', ...copy], { cwd: cache });
  await execute('jar', ['xf', `keycloak-quarkus-dist-${version}.zip`], { cwd: cache });
}

async function withKeycloak<T>(work: (url: string) => Promise<T>): Promise<T> {
  const port = await findPort(0);
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(join(home, 'data/import'), { recursive: true });
  const client = {
    clientId: 'concord',
    secret,
    redirectUris: ['http://127.0.0.1:*'],
    attributes: { 'pkce.code.challenge.method': 'S256' },
  };
  const realm = { realm: 'staff', enabled: true, sslRequired: 'none', clients: [client] };
  writeFileSync(
    join(home, 'data/import/staff.json'),
    JSON.stringify({ ...realm, users: [person, tester].map(toUser) }),
  );
  const options = [
    'start-dev',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    '--db=dev-mem',
    '--import-realm',
  ];
  const child = spawn('sh', [join(home, 'bin/kc.sh'), ...options], {
    stdio: 'ignore',
    // A group of its own: the script starts Java.
    detached: true,
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    },
  });
  const ended = once(child, 'exit');
  try {
    const ready = async () =>
      (await fetch(`${url}/realms/staff/.well-known/openid-configuration`).catch(() => null))?.ok === true;
    await until('Keycloak answers', ready);
    return await work(url);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid);
    await ended;
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`In vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A `fetch` that follows redirects and keeps cookies by origin, as a browser does. */
function createBrowser(): typeof fetch {
  const jar = new Map<string, Map<string, string>>();
  return async function go(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const request = new Request(input, { ...init, redirect: 'manual' });
    const { origin } = new URL(request.url);
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    if (cookies.size > 0)
      request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(request);
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return location === null ? response : go(new URL(location, request.url).href);
  };
}

/** Leaves Concord for Keycloak, signs in there, and returns. */
async function visit(
  { url: baseUrl, token }: Place,
  begin: (client: Concord) => Promise<ProviderRedirect>,
  { email, password }: typeof person,
): Promise<Record<string, unknown>> {
  const go = createBrowser();
  const { url } = await begin(createClient({ baseUrl, token, fetch: go }));
  const page = await (await go(url)).text();
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
  const body = new URLSearchParams({ username: email, password });
  const answer = await go(action.replaceAll('&amp;', '&'), { method: 'POST', body });
  return (await answer.json()) as Record<string, unknown>;
}

/** What an administrator of Keycloak does. */
async function administrate(keycloak: string) {
  const form = { grant_type: 'password', client_id: 'admin-cli', ...admin };
  const answer = await fetch(`${keycloak}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${keycloak}/admin/realms/staff${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak answered ${response.status} to ${path}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  return {
    async tellOfLogouts(url: string): Promise<void> {
      const [client] = await call('GET', '/clients?clientId=concord');
      const attributes = {
        ...client.attributes,
        'backchannel.logout.url': url,
        'backchannel.logout.session.required': 'true',
      };
      await call('PUT', `/clients/${client.id}`, { ...client, attributes });
    },
    async logOut(email: string): Promise<void> {
      const [user] = await call('GET', `/users?email=${encodeURIComponent(email)}&exact=true`);
      await call('POST', `/users/${user.id}/logout`);
    },
  };
}

async function setUp(place: Place, keycloak: string, dns: Awaited<ReturnType<typeof startDnsServer>>) {
  const { client } = place;
  const { id } = await createPartner({ client, body: { name: 'Nordlys' } });
  const connection = await createConnection({
    client,
    path: { id },
    body: {
      name: 'Keycloak',
      issuer: `${keycloak}/realms/staff`,
      client_id: 'concord',
      authentication: 'client_secret_basic',
      client_secret: secret,
      admits_new_members: true,
    },
  });
  const path = { id, connection_id: connection.id };
  const domain = await addDomain({ client, path, body: { domain: 'nordlys.example' } });
  dns.records.set(domain.record.name, [domain.record.value]);
  const { status } = await verifyDomain({ client, path: { ...path, domain_id: domain.id } });
  const { tested } = await visit(place, (browser) => testConnection({ client: browser, path }), tester);
  const { enabled } = await enableConnection({ client, path });
  return { partner: id, connection, done: status === 'verified' && tested === connection.id && enabled };
}

/** Lists what is not as expected. */
export async function runKeycloak(): Promise<string[]> {
  const tools = [
    ['java', '-version'],
    ['jar', '--version'],
    ['mvn', '--version'],
  ];
  if (!(await hasTools('Keycloak', tools))) return [];
  await install();
  const dns = await startDnsServer();
  const problems: string[] = [];
  const expect = (what: string, holds: boolean) => {
    if (holds) process.stdout.write(`ok Keycloak: ${what}\n`);
    else problems.push(`Keycloak: not ${what}`);
  };
  try {
    await withKeycloak((keycloak) =>
      withConcord(
        async (place) => {
          const { partner, connection, done } = await setUp(place, keycloak, dns);
          expect('a domain is verified, a sign-in tests the connection, and it is on', done);
          const body = { email: person.email };
          const begin = (browser: Concord) => signInWithConnection({ client: browser, body });
          const { token } = await visit(place, begin, person);
          const her = createClient({ baseUrl: place.url, token: String(token) });
          const [mine] = await listOwnAgreements({ client: her });
          expect('a person of the domain signs in, and is a member', mine?.partner?.id === partner);
          const administrator = await administrate(keycloak);
          await administrator.tellOfLogouts(connection.backchannel_logout_uri);
          await administrator.logOut(person.email);
          const isOut = () =>
            getMe({ client: her }).then(
              () => false,
              (error: unknown) => error instanceof ConcordError && error.status === 401,
            );
          await until('the session ends', isOut);
          expect('a logout at Keycloak ends her session here', true);
        },
        { CONCORD_DNS_SERVERS: dns.address },
      ),
    );
  } catch (error) {
    problems.push(`Keycloak: ${(error as Error).message}`);
  } finally {
    dns.close();
  }
  return problems;
}
