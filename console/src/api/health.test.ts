// What answers say about how Concord is.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readHealth, watchedFetch } from './health.ts';

async function askServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return async (path: string) => void (await (await watchedFetch(`http://127.0.0.1:${port}/${path}`)).text());
}

it('B48: a 503 is of Concord, whose provider is away, or of a proxy that does not reach Concord', async () => {
  const ask = await askServer(({ url }, response) => {
    response.writeHead(503, url === '/concord' ? { 'api-version': '2.0' } : {}).end();
  });
  await ask('concord');
  expect(readHealth().state).toBe('ok');
  await ask('proxy');
  expect(readHealth().state).toBe('unreachable');
});

it('L11: the page waits after a 429 of the limit of all requests, and not after one of another limit', async () => {
  const ask = await askServer(({ url = '' }, response) => {
    response.writeHead(429, { 'retry-after': '3600', ratelimit: `"${url.slice(1)}";r=0;t=3600` }).end();
  });
  await ask('mails-of-address');
  expect(readHealth().state).toBe('ok');
  await ask('default');
  expect(readHealth().state).toBe('slow');
});

it('B48: a page that a network sends in place of an answer is not of Concord', async () => {
  const ask = await askServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': url === '/wifi' ? 'text/html' : 'application/json' }).end();
  });
  await ask('wifi');
  expect(readHealth().state).toBe('unreachable');
  await ask('concord');
  expect(readHealth().state).toBe('ok');
});
