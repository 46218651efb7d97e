// How packages are served: small built folders over HTTP, and the paths of a whole service.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { anyone } from '../../src/base/http/server.ts';
import { createPublished } from '../../src/published/index.ts';
import { expectStatus, succeed } from '../stage/cast.ts';
import { serveFeature } from '../stage/serve-feature.ts';
import { useService } from '../stage/start-service.ts';

const service = useService();
/** The folder that a build leaves, with a file that the build does not list. */
function build(files: Record<string, Buffer>) {
  const folder = mkdtempSync(join(tmpdir(), 'concord-packages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const built = Object.keys(files).map((name) => ({
    name: `@concord/${name}`,
    version: '1.2.3',
    file: `${name}-1.2.3.tgz`,
  }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, `${name}-1.2.3.tgz`), content);
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(built));
  writeFileSync(join(folder, 'secret.tgz'), 'secret');
  return folder;
}

async function serve(folder: string) {
  const problems: unknown[] = [];
  const feature = createPublished({
    access: { anyone: { hook: anyone, granted: () => null } },
    baseUrl: 'https://concord.example',
    folders: { packages: folder, documents: folder },
    onProblem: (what, error) => what === 'packages' && problems.push(error),
  });
  const port = await serveFeature(feature);
  return {
    problems,
    ask: (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init),
  };
}

/** Larger than a piece of an answer. */
const client = Buffer.alloc(100_000, 'client');
const hash = createHash('sha256').update(client).digest('hex').slice(0, 16);

it('V2: the list has the URLs, the integrity and the size of each package', async () => {
  const { ask } = await serve(build({ client, 'webhook-receiver': Buffer.from('receiver') }));
  const answer = await ask('/packages');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(await answer.json()).toEqual([
    {
      name: '@concord/client',
      version: '1.2.3',
      url: 'https://concord.example/packages/client.tgz',
      immutable_url: `https://concord.example/packages/client-1.2.3-${hash}.tgz`,
      integrity: `sha512-${createHash('sha512').update(client).digest('base64')}`,
      size: client.length,
    },
    expect.objectContaining({ name: '@concord/webhook-receiver', size: 8 }),
  ]);
});

it('V2: a tarball is asked for again by its ETag, and may be kept under the name with its hash', async () => {
  const { ask } = await serve(build({ client }));
  const names = [
    ['client.tgz', 'no-cache'],
    [`client-1.2.3-${hash}.tgz`, 'public, max-age=31536000, immutable'],
  ];
  for (const [name, cacheControl] of names) {
    const path = `/packages/${name}`;
    const answer = await ask(path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(client);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(client.length),
      'cache-control': cacheControl,
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    const head = await ask(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(client.length)]);
    const known = await ask(path, { headers: { 'if-none-match': `"other", W/${headers.etag}` } });
    expect([known.status, known.headers.get('cache-control'), known.headers.get('etag')]).toEqual([
      304,
      cacheControl,
      headers.etag,
    ]);
    await expectStatus(412, ask(path, { headers: { 'if-match': '"other"' } }));
  }
});

it('V2: nothing but the listed packages is served, and no cache keeps that it is absent', async () => {
  const { ask } = await serve(build({ client }));
  for (const name of [
    `client-1.2.3-${hash.replace(/./, (digit) => (digit === '0' ? '1' : '0'))}.tgz`,
    'client-1.2.3.tgz',
    'client',
    'CLIENT.tgz',
    'secret.tgz',
    'packages.json',
    '%2e%2e%2fpackage.json',
    '..%5cpackage.json',
    '__proto__',
    'client.tgz%00',
    'x'.repeat(10_000),
  ]) {
    const answer = await ask(`/packages/${name}`);
    expect([answer.status, answer.headers.get('cache-control')], name).toEqual([404, 'no-store']);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  }
  for (const path of ['/packages/', '/packages/client.tgz/', '/packages/a/client.tgz'])
    await expectStatus(404, ask(path));
  await expectStatus(405, ask('/packages/client.tgz', { method: 'POST' }));
});

it('V2: without a build, or with a broken one, the list is empty, and the service says why', async () => {
  const broken = build({ client });
  rmSync(join(broken, 'client-1.2.3.tgz'));
  for (const folder of ['/nowhere', broken]) {
    const { ask, problems } = await serve(folder);
    expect(await (await ask('/packages')).json()).toEqual([]);
    await expectStatus(404, ask('/packages/client.tgz'));
    expect(problems).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  }
});

it('V2: a service answers without a token, whether the packages are built or not', async () => {
  expect(Array.isArray(succeed(await service.get('/packages', null)))).toBe(true);
  await expectStatus(404, service.get('/packages/absent.tgz', null));
});
