// One attempt over real sockets: what a receiver can do to it, and where it does not go.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createDestinations } from './destination.ts';
import { createSend } from './send.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
const serve = (listener: RequestListener) => listen(createServer(listener));
const speak = (talk: (socket: Socket) => void) => listen(createTcpServer(talk));

function sender({ allowedCidrs = ['127.0.0.0/8', '::1'], timeoutMs = 2_000 } = {}) {
  const { send, close } = createSend({ destinations: createDestinations({ allowedCidrs, allowHttp: true }), timeoutMs });
  closing.push(close);
  return (url: string, body = '{"a":1}') =>
    send({ url: new URL(url), headers: { 'content-type': 'application/json' }, body: Buffer.from(body) });
}

it('W14: posts the body as it is, and reads status, Retry-After and the answer', async () => {
  const seen: unknown[] = [];
  const port = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push([request.method, request.url, request.headers['content-length'], Buffer.concat(chunks).toString()]);
    response.writeHead(429, { 'retry-after': '7' }).end('later');
  });
  const outcome = await sender()(`http://127.0.0.1:${port}/hook?x=1`, '{"é":1}');
  expect(outcome).toMatchObject({ kind: 'answered', status: 429, retryAfter: '7', body: Buffer.from('later') });
  expect(seen).toEqual([['POST', '/hook?x=1', '8', '{"é":1}']]);
});

it('W14: a redirect is an answer, and is not followed', async () => {
  let asked = 0;
  const target = await serve((_, response) => {
    asked++;
    response.end();
  });
  const port = await serve((_, response) => response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end());
  expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answered', status: 307 });
  expect(asked).toBe(0);
});

it('W14: of an endless answer 64 KiB are read, and the connection is left', async () => {
  const closed = Promise.withResolvers<void>();
  const port = await serve((request, response) => {
    request.socket.on('close', () => closed.resolve());
    const write = () => {
      while (response.write('x'.repeat(16_384)));
      response.once('drain', write);
    };
    write();
  });
  const outcome = await sender()(`http://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
  expect(outcome.kind === 'answered' && outcome.body.length).toBe(65_536);
  await closed.promise;
});

it('W14: who hangs or trickles is left in time; a status that came counts', async () => {
  const send = sender({ timeoutMs: 200 });
  const silent = await speak(() => {});
  const deaf = await speak((socket) => socket.pause());
  const trickling = await speak((socket) => {
    const timer = setInterval(() => socket.write('H'), 20);
    socket.on('close', () => clearInterval(timer)).on('error', () => {});
  });
  for (const port of [silent, deaf, trickling]) {
    const outcome = await send(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ kind: 'failed' });
    if (port !== trickling) expect(outcome).toMatchObject({ reason: 'timeout' });
  }
  const slowBody = await serve((_, response) => response.writeHead(200).write('begun'));
  expect(await send(`http://127.0.0.1:${slowBody}/`)).toMatchObject({
    kind: 'answered',
    status: 200,
    body: Buffer.from('begun'),
  });
});

it('W15: resets, refused connections, nonsense, bad certificates and unknown names fail with their reason', async () => {
  const send = sender();
  const resetting = await speak((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const talking = await speak((socket) => socket.once('data', () => socket.end('nonsense\r\n\r\n')));
  const headers = await speak((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)),
  );
  const gone = await serve(() => {});
  closing.pop()?.();
  expect(await send(`http://127.0.0.1:${resetting}/`)).toMatchObject({ kind: 'failed', reason: 'connection' });
  expect(await send(`http://127.0.0.1:${gone}/`)).toMatchObject({ kind: 'failed', reason: 'connection' });
  for (const port of [talking, headers])
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'failed', reason: 'invalid_answer' });
  expect(await send(`https://127.0.0.1:${talking}/`)).toMatchObject({ kind: 'failed', reason: 'tls' });
  expect(await send('http://nowhere.invalid/')).toMatchObject({ kind: 'failed', reason: 'dns' });
});

it('W21: an address that is not allowed is never connected to, by number or by name', async () => {
  let connections = 0;
  const port = await speak(() => connections++);
  const send = sender({ allowedCidrs: [] });
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433'])
    expect(await send(`http://${host}:${port}/`)).toMatchObject({ kind: 'failed', reason: 'address_refused' });
  expect(connections).toBe(0);
});

it('W14: a connection that was closed while it was idle costs no attempt', async () => {
  let connections = 0;
  let requests = 0;
  const port = await speak((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.on('data', () => {
      requests++;
      if (requests === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  const send = sender();
  for (let i = 0; i < 2; i++)
    expect(await send(`http://127.0.0.1:${port}/`, '')).toMatchObject({ kind: 'answered', status: 204 });
  expect([connections, requests]).toEqual([2, 3]);
});
