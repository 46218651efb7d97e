// The typed client in a browser: paths of the page's own origin, repeated bodies, aborts.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

type Seen = { method: string; url: string; key: string | undefined; mark: string | undefined; body: string };

const program = `import * as concord from '@concord/client';
const sent = [];
const client = concord.createClient({
  baseUrl: '/console/api',
  headers: { 'concord-console': '1' },
  // As the console does: a copy is sent once more after 401.
  fetch: async (request, init) => {
    const again = request.clone();
    const response = await fetch(request, init);
    sent.push(response.status);
    return response.status === 401 ? fetch(again, init) : response;
  },
});
Object.assign(window, { concord, client, sent });`;

const seen: Seen[] = [];
let statuses: number[] = [];
let browser: Browser;
let page: Page;
let script = '';
const server = createServer(async (request, response): Promise<unknown> => {
  const { method = '', url = '', headers } = request;
  if (url === '/')
    return response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><script src="/client.js"></script>');
  if (url === '/client.js') return response.setHeader('content-type', 'text/javascript').end(script);
  let body = '';
  for await (const chunk of request) body += chunk;
  if (url === '/favicon.ico') return response.end();
  const [key, mark] = [headers['idempotency-key'], headers['concord-console']].map(String);
  seen.push({ method, url, key, mark, body });
  const status = statuses.shift() ?? 200;
  // A body that stops in the middle.
  if (status < 0) return response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  return status === 0 ? undefined : answer(response, status, url);
});
const partner = { id: 'ptr_1', name: 'Nordlys' };
const answer = (response: ServerResponse, status: number, url: string) =>
  response
    .writeHead(status, {
      'content-type': 'application/json',
      link: `</partners?page_from=after-${seen.length}>; rel="next"`,
    })
    .end(
      JSON.stringify(
        status < 300
          ? url.includes('page_size')
            ? [partner]
            : partner
          : { message: 'Later.', code: 'unavailable', request_id: 'r' },
      ),
    );

beforeAll(async () => {
  const bundled = await build({
    stdin: { contents: program, resolveDir: join(import.meta.dirname, '../../..') },
    bundle: true,
    platform: 'browser',
    write: false,
  });
  script = bundled.outputFiles[0]?.text ?? '';
  await once(server.listen(0, '127.0.0.1'), 'listening');
  browser = await chromium.connect(inject('browserUrl'));
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await browser.close();
  server.close();
});

/** Runs an expression of the page. `client` and `concord` are there. */
function run<Result>(expression: string, ...answers: number[]): Promise<Result> {
  seen.length = 0;
  statuses = answers;
  return page.evaluate<Result>(expression);
}

it('a path is enough, and every request has the headers of the client', async () => {
  const partner = await run<object>(`concord.getPartner({ client, path: { id: 'ptr_1' } })`);
  expect(partner).toEqual({ id: 'ptr_1', name: 'Nordlys' });
  expect(seen).toMatchObject([{ method: 'GET', url: '/console/api/partners/ptr_1', mark: '1' }]);
});

it('a body is sent again, with the same key', async () => {
  await run(`concord.createPartner({ client, body: { name: 'Nordlys' } })`, 503, 401);
  const [first] = seen;
  expect(seen).toEqual(
    Array(3).fill({ ...first, method: 'POST', url: '/console/api/partners', body: '{"name":"Nordlys"}' }),
  );
  expect(first?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(await page.evaluate('sent.slice(-2)')).toEqual([503, 401]);
});

it('pages follow the link', async () => {
  await run(`(async () => {
    let n = 0;
    for await (const page of concord.pages(concord.listPartners, { client })) if (++n === 2) break;
  })()`);
  expect(seen.map(({ url }) => url)).toEqual([
    '/console/api/partners?page_size=100',
    '/console/api/partners?page_size=100&page_from=after-1',
  ]);
});

it('an abort ends the request that waits, and the wait before a retry', async () => {
  for (const status of [0, 503]) {
    const asked = run<string>(
      `(window.stop = new AbortController(), concord.getPartner({ client, path: { id: 'a' }, signal: stop.signal }).catch(String))`,
      ...[status, 503, 503, 503],
    );
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    await page.evaluate(`stop.abort('enough')`);
    expect(await asked).toBe('enough');
  }
});

it('a timeout in the middle of a body is a timeout, and not a failed connection', async () => {
  const code = await run(
    `concord.getPartner({
      client: concord.createClient({ baseUrl: '/console/api', timeoutMs: 2000, maxRetries: 0 }),
      path: { id: 'ptr_1' },
    }).catch(({ code }) => code)`,
    -1,
  );
  expect(code).toBe('timeout');
});
