// Lets scim2-tester, unmodified, provision people and groups of a partner.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection, createPartner, createProvisioningToken, getProvisioning } from '@concord/client';
import { hasTools, type Place, withConcord } from './concord.ts';

const cache = join(import.meta.dirname, '../node_modules/.cache/interop/scim');
const execute = promisify(execFile);

/** A connection needs a provider that describes itself. Nobody signs in with it. */
async function withProvider<T>(work: (issuer: string) => Promise<T>): Promise<T> {
  const provider = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const endpoint = (name: string) => `${issuer}/${name}`;
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        issuer,
        authorization_endpoint: endpoint('authorize'),
        token_endpoint: endpoint('token'),
        jwks_uri: endpoint('jwks'),
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  try {
    return await work(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`);
  } finally {
    provider.close();
  }
}

async function openDirectory({ client }: Place, issuer: string) {
  const { id } = await createPartner({ client, body: { name: 'Directory' } });
  const body = {
    name: 'Directory',
    issuer,
    client_id: 'concord',
    authentication: 'client_secret_basic' as const,
    client_secret: 'a secret for interoperability',
  };
  const connection = await createConnection({ client, path: { id }, body });
  const path = { id, connection_id: connection.id };
  const { token } = await createProvisioningToken({ client, path });
  return { token, baseUrl: (await getProvisioning({ client, path })).base_url };
}

export async function runScim(): Promise<string[]> {
  const name = 'scim2-tester, PyPI';
  if (!(await hasTools(name, [['python3', '-m', 'venv', '--help']]))) return [];
  mkdirSync(cache, { recursive: true });
  cpSync(join(import.meta.dirname, 'scim'), cache, { recursive: true });
  const inCache = { cwd: cache, maxBuffer: 64 * 1024 * 1024 };
  try {
    await execute('python3', ['-m', 'venv', 'venv'], inCache);
    const install = ['install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'];
    await execute('venv/bin/pip', install, inCache);
    const { stdout } = await withConcord(
      (place) =>
        withProvider(async (issuer) => {
          const { baseUrl, token } = await openDirectory(place, issuer);
          return execute('venv/bin/python', ['check.py', baseUrl, token], inCache);
        }),
      // It never waits after 429.
      { CONCORD_RATE_LIMIT: 'off' },
    );
    const { passed, skipped, problems } = JSON.parse(stdout) as {
      passed: number;
      skipped: number;
      problems: string[];
    };
    if (problems.length === 0 && passed > 0)
      process.stdout.write(`ok ${name}: ${passed} checks pass, ${skipped} are skipped\n`);
    return problems.map((problem) => `${name}: ${problem}`);
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    return [`${name}: ${message}\n${stderr.slice(-4_000)}`];
  }
}
