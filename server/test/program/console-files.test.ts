// How the console is served: a small built folder, over HTTP, and the paths of a whole service.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { anyone } from '../../src/base/http/server.ts';
import { createConsole } from '../../src/console/index.ts';
import { expectStatus } from '../stage/cast.ts';
import { serveFeature } from '../stage/serve-feature.ts';
import { openService, type TestService, useService } from '../stage/start-service.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const page = '<!doctype html><div id="root"></div>';
const script = `// ${'é'.repeat(100_000)}`;
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'";

/** The folder that a build leaves, and a secret beside it. */
function build(files: Record<string, string | Buffer> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'concord-console-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'secret.js'), 'secret');
  mkdirSync(join(root, 'dist/assets'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, 'dist', name), content);
  return join(root, 'dist');
}
const whole = () =>
  build({
    'index.html': page,
    'index.html.gz': gzipSync(page),
    'manifest.json': '{}',
    'assets/index-aB3.js': script,
    'assets/index-aB3.js.br': brotliCompressSync(script),
    'assets/index-aB3.js.gz': gzipSync(script),
    'assets/index-cD4.css': 'body{}',
  });

async function serve(folder: string) {
  const problems: unknown[] = [];
  const settings = {
    base_url: 'http://127.0.0.1',
    version: '0',
    providers: [],
    cookie_sign_in: { allowed: true, reason: null },
    mail: { kind: 'smtp' as const, folder: null },
    endpoint_retries: {
      retry_schedule: [5],
      timeout_seconds: 15,
      disable_after_hours: 120,
      most_retry_seconds: 604_800,
      most_timeout_seconds: 30,
      most_disable_after_hours: 720,
    },
    webhook_retention_seconds: 7_776_000,
  };
  const feature = createConsole({
    access: anyone,
    folder,
    settings,
    isSetUp: async () => true,
    onProblem: (error) => problems.push(error),
  });
  const port = await serveFeature(feature);
  return {
    problems,
    get: (path: string, headers: object = {}, method = 'GET') => ask(port, method, path, headers),
  };
}

function ask(port: number, method: string, path: string, headers: object) {
  return new Promise<{
    status: number;
    headers: Record<string, string | string[] | undefined>;
    bytes: Buffer;
  }>((resolve, reject) => {
    const outgoing = httpRequest(
      { port, host: '127.0.0.1', method, path, headers: { ...headers }, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

it('B16: a hashed file may be kept for ever, and is sent compressed as the client asks', async () => {
  const { get } = await serve(whole());
  const path = '/console/assets/index-aB3.js';
  const kinds: [string | undefined, string | undefined, (bytes: Buffer) => Buffer][] = [
    [undefined, undefined, (bytes) => bytes],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['GZIP', 'gzip', gunzipSync],
    ['gzip;q=0.5,br;q=0', 'gzip', gunzipSync],
    ['br;q=0.000, gzip; q=0', undefined, (bytes) => bytes],
    ['brotli, x-gzip', undefined, (bytes) => bytes],
  ];
  for (const [asked, encoding, decode] of kinds) {
    const { status, headers, bytes } = await get(
      path,
      asked === undefined ? {} : { 'accept-encoding': asked },
    );
    expect([status, headers['content-encoding'], headers.vary], asked).toEqual([
      200,
      encoding,
      'Accept-Encoding',
    ]);
    expect(decode(bytes).toString()).toBe(script);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-length': String(bytes.length),
    });
  }
  // Without compressed forms the file is sent as it is.
  const plain = await get('/console/assets/index-cD4.css', { 'accept-encoding': 'br, gzip' });
  expect([plain.headers['content-encoding'], plain.headers['content-type'], plain.bytes.toString()]).toEqual([
    undefined,
    'text/css; charset=utf-8',
    'body{}',
  ]);
});

it('B16: every page is the same HTML with the policy, and is asked for again each time', async () => {
  const { get } = await serve(whole());
  for (const path of [
    '/console/',
    '/console/p/ptr_1/webhooks',
    '/console/setup?x=1',
    '/console/index.html',
    '/console/a.b/c',
  ]) {
    const { status, headers, bytes } = await get(path, { ...browser, 'accept-encoding': 'gzip' });
    expect([status, gunzipSync(bytes).toString()], path).toEqual([200, page]);
    expect(headers).toMatchObject({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
      vary: 'Accept, Accept-Encoding',
      'content-type': 'text/html; charset=utf-8',
    });
    // A cache that keeps several encodings names the tag of each.
    for (const known of [headers.etag, `"x", ${headers.etag},${headers.etag}`, '*']) {
      const again = await get(path, { ...browser, 'if-none-match': String(known) });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    }
    const head = await get(path, browser, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length'], head.headers.etag]).toEqual([
      200,
      0,
      String(page.length),
      headers.etag,
    ]);
  }
});

it('B52: pages are HTML for every Accept that allows it, and 404 for any other', async () => {
  const { get } = await serve(whole());
  const allowing = [
    '*/*',
    'text/*',
    'TEXT/HTML',
    'application/json, text/plain, */*',
    'text/html;q=0.1',
    'application/json, */* ; q=0.5',
  ];
  for (const accept of [undefined, '', ...allowing]) {
    const { status, headers, bytes } = await get('/console/p/ptr_1', accept === undefined ? {} : { accept });
    expect([status, headers['content-type'], bytes.toString()], accept).toEqual([
      200,
      'text/html; charset=utf-8',
      page,
    ]);
    expect(headers.vary).toBe('Accept, Accept-Encoding');
    await expectStatus(404, get('/console/assets/index-zZ9.js', accept === undefined ? {} : { accept }));
  }
  const refusing = [
    'application/json',
    'text/plain',
    'text/html;q=0',
    '*/*, text/html; q=0.000',
    'text/*;q=0, */*',
    '*/*;q=0',
    'text/htmlx',
  ];
  for (const accept of refusing) expect((await get('/console/', { accept })).status, accept).toBe(404);
});

it('B16: a missing file, the prefix, the receiver and a program get 404, and no path leaves the folder', async () => {
  const folder = whole();
  symlinkSync('../secret.js', join(folder, 'link.js'));
  const { get } = await serve(folder);
  const missing = [
    'assets/index-zZ9.js',
    'assets/',
    'api',
    'api/me',
    'receiver/x',
    'settings/x',
    '%61pi/me',
    'assets/../../secret.js',
  ];
  for (const path of missing) expect((await get(`/console/${path}`, browser)).status, path).toBe(404);
  const hidden = [
    'manifest.json',
    'assets/index-aB3.js.br',
    'link.js',
    '../secret.js',
    '%2e%2e/secret.js',
    '..%2fsecret.js',
  ];
  for (const path of ['', 'p/ptr_1', ...hidden]) {
    const { status } = await get(`/console/${path}`, { accept: 'application/json' });
    expect(status, path).toBe(404);
    for (const headers of [{}, { accept: '*/*' }])
      expect((await get(`/console/${path}`, headers)).bytes.includes('secret'), path).toBe(false);
  }
});

it('B16: no cache keeps a 404, since an instance of another version can have the file', async () => {
  const { get } = await serve(whole());
  for (const path of ['/console/assets/index-zZ9.js', '/console/p/x', '/console/'])
    expect((await get(path, { accept: 'application/json' })).headers['cache-control'], path).toBe('no-store');
});

it('B17: without a build, pages are 503 and say what to run', async () => {
  for (const folder of [join(tmpdir(), 'concord-no-such-folder'), build({ 'assets/index-aB3.js': script })]) {
    const { get, problems } = await serve(folder);
    const { status, headers, bytes } = await get('/console/sign-in', browser);
    expect([status, headers['cache-control'], headers['content-security-policy']]).toEqual([
      503,
      'no-store',
      policy,
    ]);
    expect(bytes.toString()).toContain('npm run console');
    await expectStatus(404, get('/console/sign-in', { accept: 'application/json' }));
    await expectStatus(200, get('/console/settings'));
    expect(problems).toEqual([]);
  }
});

it('B17: a folder of more than 16 MiB is not read, and the log says so', async () => {
  const { get, problems } = await serve(
    build({ 'index.html': page, 'assets/large-aB3.js': Buffer.alloc(16 * 1024 * 1024) }),
  );
  await expectStatus(503, get('/console/', browser));
  expect(problems).toEqual([
    expect.objectContaining({ message: expect.stringContaining('npm run console') }),
  ]);
});

const service = useService({ CONCORD_RATE_LIMIT: '5/600s' });

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(Number(new URL(service.url).port), method, path, headers);

it('B18: browsers are sent from the root to the console; others get 404 as before', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await send('/', browser, method);
    expect([status, headers.location, headers.vary]).toEqual([303, '/console/', 'Accept']);
  }
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
    await expectStatus(404, send('/', headers));
  // A shared cache keeps a 404 that says nothing. Then one program hides the console from every browser.
  for (const path of ['/', '/console/', '/console/p/x', '/console/assets/unknown.js']) {
    const { status, headers } = await send(path, { accept: 'application/json' });
    expect([status, headers['cache-control'], headers.vary], path).toEqual([404, 'no-store', 'Accept']);
  }
  for (const path of ['/', '/console/', '/console/p/x']) await expectStatus(404, send(path, browser, 'POST'));
  expect((await send('/console')).headers.location).toBe('/console/');
});

it('B18: the files of the console do not count against the limit of an address', async () => {
  for (let count = 0; count < 10; count++) await expectStatus(303, send('/', browser));
  for (let count = 0; count < 10; count++)
    expect([200, 503]).toContain((await send('/console/', browser)).status);
});

it('B15: the settings name what the console needs, without a token', async () => {
  const full = await openService({
    CONCORD_BASE_URL: 'http://concord.example',
    CONCORD_GITHUB_CLIENT_ID: 'id',
    CONCORD_GITHUB_CLIENT_SECRET: 'hidden',
    CONCORD_WEBHOOK_RETENTION: '14d',
    CONCORD_OIDC_CLIENT_ID: 'id',
    CONCORD_OIDC_CLIENT_SECRET: 'hidden',
    CONCORD_OIDC_ISSUER: 'https://login.concord.invalid',
  });
  const here = await openService({ CONCORD_BASE_URL: 'http://127.0.0.1:3000' });
  const mailing = await openService({
    CONCORD_BASE_URL: 'https://concord.example',
    CONCORD_SMTP_URL: 'smtp://127.0.0.1:1',
  });
  const read = (at: TestService) => at.request('GET', '/console/settings', { token: null });
  const { body, text, headers } = await read(full);
  expect(body).toEqual({
    base_url: 'http://concord.example',
    version: expect.stringMatching(/^\d/),
    set_up: true,
    session_cookie: false,
    cookie_sign_in: { allowed: false, reason: expect.stringContaining('https') },
    providers: [
      { provider: 'github', name: 'GitHub' },
      { provider: 'oidc', name: 'login.concord.invalid' },
    ],
    mail: { kind: 'files', folder: null },
    endpoint_retries: {
      retry_schedule: [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
      timeout_seconds: 15,
      disable_after_hours: 120,
      most_retry_seconds: 604_800,
      most_timeout_seconds: 30,
      most_disable_after_hours: 720,
    },
    webhook_retention_seconds: 14 * 86_400,
  });
  expect([headers['cache-control'], text.includes('hidden')]).toEqual(['no-store', false]);
  await here.database.sql('update setup set completed_at = null');
  expect((await read(here)).body).toMatchObject({
    cookie_sign_in: { allowed: true, reason: null },
    providers: [],
    set_up: false,
    mail: { kind: 'files', folder: join(here.dataDir, 'outbox') },
  });
  expect((await read(mailing)).body.mail).toEqual({ kind: 'smtp', folder: null });
});
