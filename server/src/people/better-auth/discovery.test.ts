// Discovery against real HTTP servers that fail in different ways. The test owns the clock.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createDiscovery } from './discovery.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const document = {
  authorization_endpoint: 'https://id.example/auth',
  token_endpoint: 'https://id.example/token',
  extra: 1,
};

async function setUp(listener: RequestListener, timeoutMs?: number) {
  let asked = 0;
  let listen = listener;
  const server = createServer((request, response) => {
    asked++;
    listen(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  let now = 0;
  const failures: unknown[] = [];
  const used: string[] = [];
  const discover = createDiscovery({
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onFailure: (error) => failures.push(error),
    nowMs: () => now,
    use: async (url) => void used.push(url),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return {
    discover,
    failures,
    used,
    asked: () => asked,
    at: (ms: number) => {
      now = ms;
    },
    answerWith: (next: RequestListener) => {
      listen = next;
    },
  };
}
const json =
  (value: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(value));

it('T20: requests at the same time share one look-up, and after a success there is no other', async () => {
  const { discover, asked, used } = await setUp(json(document));
  await Promise.all(Array.from({ length: 20 }, discover));
  await discover();
  expect([asked(), used]).toEqual([
    1,
    [expect.stringMatching(/^http:.*\/\.well-known\/openid-configuration$/)],
  ]);
});

it('T20: after a failure the provider is left alone for 5 seconds, then asked again', async () => {
  const { discover, asked, at, answerWith, failures, used } = await setUp((_request, response) =>
    response.writeHead(502).end(),
  );
  const codes = await Promise.all(Array.from({ length: 20 }, () => discover().catch(({ code }) => code)));
  expect([...new Set(codes), asked(), failures.length]).toEqual(['provider_unavailable', 1, 1]);
  at(4_999);
  await expect(discover()).rejects.toMatchObject({
    code: 'provider_unavailable',
    headers: { 'retry-after': '5' },
  });
  expect(asked()).toBe(1);
  at(5_000);
  answerWith(json(document));
  await discover();
  expect([asked(), used.length]).toEqual([2, 1]);
});

it('T20: answers that are endless, silent, no JSON or without endpoints are failures', async () => {
  const endless: RequestListener = (_request, response) => {
    const chunk = Buffer.alloc(16 * 1024, ' ');
    const more = () => {
      while (response.writable && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
  const cases: RequestListener[] = [
    endless,
    (_request, response) => response.end('<html>'),
    json(null),
    json({ authorization_endpoint: 'https://id.example/auth' }),
    json({ ...document, token_endpoint: 'javascript:alert(1)' }),
    json({ ...document, jwks_uri: '/relative' }),
  ];
  for (const listener of cases) {
    const { discover, failures, used } = await setUp(listener);
    await expect(discover()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect([failures.length, used]).toEqual([1, []]);
  }
  const { discover, failures } = await setUp(() => {}, 100);
  await expect(discover()).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(failures).toEqual([expect.objectContaining({ name: 'TimeoutError' })]);
});
