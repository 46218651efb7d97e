// What the console does after a 429.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readHealth, watchedFetch } from './health.ts';

it('L11: the page waits after a 429 of the limit of all requests, and not after one of another limit', async () => {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(429, { 'retry-after': '3600', ratelimit: `"${url.slice(1)}";r=0;t=3600` }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const ask = async (limit: string) =>
    void (await (await watchedFetch(`http://127.0.0.1:${port}/${limit}`)).text());
  await ask('mails-of-address');
  expect(readHealth().state).toBe('ok');
  await ask('default');
  expect(readHealth().state).toBe('slow');
});
