// Documents of strangers, such as identity providers: what is fetched, and what is refused.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createDestinations } from './destinations.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createLookups } from './lookups.ts';
import { createSend } from './send.ts';

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
function fetchWith(allowedCidrs: string[], allowHttp = true) {
  const destinations = createDestinations({ allowedCidrs, allowHttp });
  const lookUp = createLookups(15_000);
  const { fetch, close } = createGuardedFetch({ destinations, lookUp, proxyUrl: null });
  onTestFinished(close);
  return fetch;
}
const loopback = ['127.0.0.0/8'];

it('K12: a document comes with its type; redirects are answers, and are not followed', async () => {
  const url = await serve((response) =>
    response.writeHead(302, { location: '/other', 'content-type': 'application/json' }).end('{}'),
  );
  const answer = await fetchWith(loopback)(url);
  expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
    302,
    'application/json',
    {},
  ]);
  const empty = await serve((response) => response.writeHead(204).end());
  await expect(fetchWith(loopback)(empty)).resolves.toMatchObject({ status: 204 });
  const odd = await serve((response) => response.writeHead(600).end());
  await expect(fetchWith(loopback)(odd)).rejects.toThrow('answered with status 600');
});

it('K12: too much, private addresses, and http where it is not allowed are refused', async () => {
  const url = await serve((response) => response.end(Buffer.alloc(1_001, 'a')));
  const ask = fetchWith(loopback);
  await expect(ask(url, { maxBytes: 1_001 })).resolves.toMatchObject({ status: 200 });
  await expect(ask(url, { maxBytes: 1_000 })).rejects.toThrow('answered with more than 1000 bytes');
  const endless = await serve((response) => {
    const more = () =>
      void (response.write(Buffer.alloc(65_536)) ? setImmediate(more) : response.once('drain', more));
    more();
  });
  await expect(ask(endless)).rejects.toThrow('answered with more than 65536 bytes');
  await expect(fetchWith([])(url)).rejects.toThrow('private or special-purpose range');
  await expect(fetchWith([])(url.replace('127.0.0.1', 'localhost'))).rejects.toThrow('private');
  await expect(fetchWith(loopback, false)(url)).rejects.toThrow('must be an https URL');
});

it('W17: names of providers and of receivers that hang share the slots of a process', () => {
  const asked: string[] = [];
  const lookUp = createLookups(15_000, (name) => void asked.push(name));
  const destinations = createDestinations({ allowedCidrs: loopback, allowHttp: true });
  const documents = createGuardedFetch({ destinations, lookUp, proxyUrl: null });
  const webhooks = createSend({ destinations, lookUp, timeoutMs: 15_000 });
  onTestFinished(() => {
    documents.close();
    webhooks.close();
  });
  for (let n = 0; n < 3; n++) {
    void documents.fetch(`http://provider${n}.example/`).catch(() => {});
    void webhooks.send({ url: new URL(`http://receiver${n}.example/`), headers: {}, body: Buffer.alloc(0) });
  }
  expect(asked).toHaveLength(4);
});
