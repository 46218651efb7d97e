// Clients that hold connections: over real sockets, with the test's clock.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { setUser } from './callers.ts';
import { boundConnections } from './connections.ts';
import { createSendInPieces } from './pieces.ts';
import { anyone, createHttpServer } from './server.ts';
import { streamOf } from './text-stream.ts';

/** More than the system buffers of a connection take. */
const large = 'x'.repeat(32 * 1024 * 1024);

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** The client, and the server's end of its connection. */
async function dial(server: Server): Promise<{ client: Socket; end: Socket; closed: Promise<unknown> }> {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  cleanUps.push(() => client.destroy());
  const [end] = (await accepted) as [Socket];
  return { client, end, closed: new Promise((resolve) => client.once('close', resolve)) };
}

async function start({
  maxUntakenBytes,
  ...options
}: {
  trustedProxies?: string[];
  maxPerAddress?: number;
  maxUntakenBytes?: number;
} = {}) {
  let now = 0;
  const refusals: object[] = [];
  const onRefusal = (refused: object) => refusals.push(refused);
  const app = fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async (request) => {
    const { user } = request.headers;
    if (typeof user === 'string') setUser(request, user);
  });
  app.addHook('onSend', createSendInPieces(maxUntakenBytes));
  app.get('/large', async () => large);
  app.get('/left', async ({ raw }) => {
    await once(raw.socket, 'close');
    return large;
  });
  app.get('/never', () => new Promise(() => {}));
  const { sweep } = boundConnections(app.server, {
    trustedProxies: [],
    nowMs: () => now,
    onRefusal,
    ...options,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  cleanUps.push(() => app.close());
  const sweepAt = (seconds: number) => {
    now = seconds * 1_000;
    sweep();
  };
  return { server: app.server, sweepAt, refusals };
}

it('L5: a client that takes nothing of its answer for 30 seconds is disconnected, even if it sends more bytes', async () => {
  const { server, sweepAt } = await start();
  const { client, end, closed } = await dial(server);
  client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => end.writableLength).toBeGreaterThan(0);
  // Until the system buffers are full.
  const seen: number[] = [];
  const sent = () => seen.push(end.bytesWritten - end.writableLength);
  await expect.poll(() => sent() > 1 && seen.at(-1) === seen.at(-2), { interval: 200 }).toBe(true);
  sweepAt(0);
  client.write('G');
  sweepAt(30);
  expect(end.destroyed).toBe(false);
  sweepAt(31);
  expect(end.destroyed).toBe(true);
  client.resume();
  await closed;
});

it('L5: a slow client that makes progress gets the whole answer', async () => {
  const { server, sweepAt } = await start();
  const { client, end } = await dial(server);
  client.pause();
  client.write('GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let received = 0;
  let seconds = 0;
  let before = -1;
  for await (const chunk of client as AsyncIterable<Buffer>) {
    received += chunk.length;
    // 29 seconds pass between any two pieces.
    const sent = end.bytesWritten - end.writableLength;
    if (sent === before) continue;
    before = sent;
    seconds += 29;
    sweepAt(seconds);
  }
  expect(received).toBeGreaterThan(large.length);
  expect(seconds).toBeGreaterThan(60);
});

it('L5: a request that is still being answered is no stalled client', async () => {
  const { server, sweepAt } = await start();
  const { client, end } = await dial(server);
  const asked = once(server, 'request');
  client.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  for (const seconds of [0, 29, 58, 600]) sweepAt(seconds);
  expect(end.destroyed).toBe(false);
});

it('L5: a hundred requests of a connection may wait for answers; one more closes it', async () => {
  const { server } = await start();
  const { client, end, closed } = await dial(server);
  let requests = 0;
  server.on('request', () => requests++);
  const request = 'GET /never HTTP/1.1\r\nHost: a\r\n\r\n';
  client.write(request.replace('never', 'unknown'));
  await once(client, 'data');
  client.write(request.repeat(100));
  await expect.poll(() => requests).toBe(101);
  expect(end.destroyed).toBe(false);
  client.write(request);
  await closed;
});

it('L5: above the bound of answers that clients do not take, the caller with the most loses the oldest', async () => {
  const { server } = await start({ maxUntakenBytes: 4 * large.length });
  const asked = once(server, 'request');
  const left = await dial(server);
  left.client.write('GET /left HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  left.client.destroy();
  const ask = async (user: string, requests = 1) => {
    const dialed = await dial(server);
    dialed.client.pause();
    dialed.client.write(`GET /large HTTP/1.1\r\nHost: a\r\nUser: ${user}\r\n\r\n`.repeat(requests));
    await expect.poll(() => dialed.end.writableLength).toBeGreaterThan(0);
    return dialed;
  };
  const [modest, first, second, third] = [await ask('a'), await ask('b'), await ask('b'), await ask('b')];
  expect(first.end.destroyed).toBe(false);
  const other = await ask('c');
  expect([first, second, third, modest, other].map(({ end }) => end.destroyed)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  // What a client has taken no longer counts. The answers of one connection leave together.
  modest.client.resume();
  await expect.poll(() => modest.client.bytesRead).toBeGreaterThan(large.length);
  for (const { client } of [second, third]) {
    client.resume();
    await once(client, 'data');
    client.destroy();
  }
  await expect.poll(() => [second, third].every(({ end }) => end.destroyed)).toBe(true);
  const several = await ask('b', 3);
  expect([several, other].map(({ end }) => end.destroyed)).toEqual([false, false]);
  const last = await ask('c');
  expect([several, other, last].map(({ end }) => end.destroyed)).toEqual([true, false, false]);
  expect((await ask('d')).end.destroyed).toBe(false);
  expect([other, last].map(({ end }) => end.destroyed)).toEqual([false, false]);
});

it('L5: one address has a bounded number of connections; a closed one frees its place; proxies are not bounded', async () => {
  const { server, sweepAt, refusals } = await start({ maxPerAddress: 2 });
  const [first, , third] = [await dial(server), await dial(server), await dial(server)];
  await third.closed;
  await (await dial(server)).closed;
  expect(refusals).toEqual([{ address: '127.0.0.1', limit: 2 }]);
  sweepAt(60);
  await (await dial(server)).closed;
  expect(refusals).toHaveLength(2);
  first.client.destroy();
  await once(first.end, 'close');
  const again = await dial(server);
  expect(again.end.destroyed).toBe(false);
  const behindProxy = await start({
    maxPerAddress: 1,
    trustedProxies: ['::1/128', '10.0.0.1', '127.0.0.0/8'],
  });
  for (let i = 0; i < 3; i++) expect((await dial(behindProxy.server)).end.destroyed).toBe(false);
  behindProxy.server.maxConnections = 3;
  connect((behindProxy.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  await expect.poll(() => behindProxy.refusals).toEqual([{ address: 'all', limit: 10_000 }]);
});

it('L5: a client that sends nothing, or its header section too slowly, is disconnected', async () => {
  const app = createHttpServer({
    logger: pino({ level: 'silent' }),
    trustedProxies: [],
    headersTimeoutMs: 300,
  });
  app.get('/large', { onRequest: anyone }, async () => large);
  await app.listen({ port: 0, host: '127.0.0.1' });
  cleanUps.push(() => app.close());
  const silent = await dial(app.server);
  const slow = await dial(app.server);
  slow.client.write('GET / HTTP/1.1\r\nX: ');
  const drip = setInterval(() => slow.client.write('x'), 50);
  cleanUps.push(() => clearInterval(drip));
  // A proxy that connects in advance would take a text for the answer of its next request.
  silent.client.once('data', (text) => expect.fail(`The silent client got ${text}`));
  slow.client.resume();
  await Promise.all([silent.closed, slow.closed]);
});

it.each([
  [[], 125],
  [['10.0.0.0/8'], 620],
])(
  'L5: an idle connection stays open for longer than proxies %j keep theirs',
  async (trustedProxies, seconds) => {
    const app = createHttpServer({ logger: pino({ level: 'silent' }), trustedProxies });
    app.get('/', { onRequest: anyone }, async () => 'answer');
    await app.listen({ port: 0, host: '127.0.0.1' });
    cleanUps.push(() => app.close());
    const { headers } = await fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`);
    expect(headers.get('keep-alive')).toBe(`timeout=${seconds}`);
  },
);

it('L5: a large answer has its length, and a HEAD has no body', async () => {
  const app = createHttpServer({ logger: pino({ level: 'silent' }), trustedProxies: [] });
  app.get('/large', { onRequest: anyone }, async () => large);
  await app.listen({ port: 0, host: '127.0.0.1' });
  cleanUps.push(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/large`;
  const got = await fetch(url);
  expect([got.headers.get('content-length'), (await got.text()) === large]).toEqual([
    String(large.length),
    true,
  ]);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual([String(large.length), '']);
});

it('C1, Q1: a HEAD of a list that is streamed reads none of it', async () => {
  const app = createHttpServer({ logger: pino({ level: 'silent' }), trustedProxies: [] });
  let batches = 0;
  async function* list() {
    for (; batches < 3; batches++) yield '[]';
  }
  const stream = streamOf(list());
  const closed = once(stream, 'close');
  app.get('/list', { onRequest: anyone }, async (_, reply) => reply.send(stream));
  cleanUps.push(() => app.close());
  await app.inject({ method: 'HEAD', url: '/list' });
  await closed;
  expect(batches).toBe(0);
});
