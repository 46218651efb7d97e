// One attempt over real sockets: what a receiver can do, and where the request does not go.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createPeers } from '../../../test/stage/peers.ts';
import { tlsForTests } from '../../../test/stage/tls.ts';
import { createDestinations } from './destinations.ts';
import { failureOf } from './failures.ts';
import type { LookUp } from './lookups.ts';
import { createSend } from './send.ts';

const { listen, serve, speak, sender, closeLast, closeAll } = createPeers();
afterEach(closeAll);

it('W14: posts the body as it is, and reads status, Retry-After and the answer', async () => {
  const seen: unknown[] = [];
  const port = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push([
      request.method,
      request.url,
      request.headers['content-length'],
      Buffer.concat(chunks).toString(),
    ]);
    response.writeHead(429, { 'retry-after': '7' }).end('later');
  });
  const outcome = await sender()(`http://127.0.0.1:${port}/hook?x=1`, '{"é":1}');
  expect(outcome).toMatchObject({
    kind: 'answered',
    status: 429,
    retryAfter: '7',
    body: Buffer.from('later'),
  });
  expect(seen).toEqual([['POST', '/hook?x=1', '8', '{"é":1}']]);
});

it('W14: a redirect is an answer, and is not followed', async () => {
  let asked = 0;
  const target = await serve((_, response) => {
    asked++;
    response.end();
  });
  const port = await serve((_, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end(),
  );
  expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answered', status: 307 });
  expect(asked).toBe(0);
});

it('W14: 64 KiB of an endless answer are read, and the connection is closed', async () => {
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

it('W14: a receiver that hangs or trickles is left in time', async () => {
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
});

it('W28: the request has Host, the headers in their order, and the length of the body', async () => {
  const requests: string[] = [];
  const port = await speak((socket) =>
    socket.on('data', (chunk: Buffer) => {
      requests.push(chunk.toString('latin1'));
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    }),
  );
  const send = sender();
  const url = `http://127.0.0.1:${port}/hook?`;
  for (const body of ['{}', '']) await send(url, body, { 'X-Own': 'a', signature: 'b' });
  const start = `POST /hook? HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nX-Own: a\r\nsignature: b\r\n`;
  expect(requests).toEqual([
    `${start}content-length: 2\r\nConnection: keep-alive\r\n\r\n{}`,
    `${start}content-length: 0\r\nConnection: keep-alive\r\n\r\n`,
  ]);
  expect(await send(url, '{}', { 'x-own': 'a\r\nb: c' })).toMatchObject({
    kind: 'failed',
    reason: 'connection',
  });
  expect(requests).toHaveLength(2);
});

it('W21: the connected address is checked before anything of the request is written', async () => {
  let received = 0;
  const answer = (socket: Socket) =>
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  const plain = await speak(answer);
  const secure = await listen(createSecureServer(tlsForTests, answer));
  // Linux and macOS connect 0.0.0.0 to the loopback address, which is not allowed here.
  const send = sender({ allowedCidrs: ['0.0.0.0/32'], ca: tlsForTests.cert });
  for (const url of [`http://0.0.0.0:${plain}/`, `https://0.0.0.0:${secure}/`])
    expect([url, await send(url)]).toMatchObject([url, { kind: 'failed', reason: 'address_refused' }]);
  expect(received).toBe(0);
});

it('W21: an address that is not allowed is never connected to, by number or by name', async () => {
  let connections = 0;
  const port = await speak(() => connections++);
  const send = sender({ allowedCidrs: [] });
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433'])
    expect(await send(`http://${host}:${port}/`)).toMatchObject({
      kind: 'failed',
      reason: 'address_refused',
    });
  expect(connections).toBe(0);
});

it('W14: a connection that was closed while it was idle costs no attempt, and no other is tried twice', async () => {
  let connections = 0;
  let requests = 0;
  const port = await speak((socket) => {
    connections++;
    let isFirst = true;
    socket.on('error', () => {});
    socket.on('data', () => {
      requests++;
      if (!isFirst) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      isFirst = false;
    });
  });
  const send = sender();
  const answered = async () =>
    expect(await send(`http://127.0.0.1:${port}/`, '')).toMatchObject({ kind: 'answered', status: 204 });
  await Promise.all([answered(), answered()]);
  await answered();
  expect([connections, requests]).toEqual([3, 4]);
  const resetting = await speak((socket) =>
    socket.on('data', () => {
      requests++;
      socket.resetAndDestroy();
    }),
  );
  expect(await send(`http://127.0.0.1:${resetting}/`, '')).toMatchObject({
    kind: 'failed',
    reason: 'connection',
  });
  expect(requests).toBe(5);
});

/** A proxy that records each CONNECT request and its credentials. */
async function startProxy(status = 200) {
  const asked: string[] = [];
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request, near: Socket, head: Buffer) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    if (status !== 200) return void near.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const far = connect(Number(String(request.url).split(':').at(-1)), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      far.write(head);
      near.pipe(far).pipe(near);
    });
    for (const socket of [near, far]) socket.on('error', () => {});
  });
  return { asked, url: new URL(`http://user:pass%20word@127.0.0.1:${await listen(proxy)}`) };
}

it('W22: the proxy connects to the address, TLS uses the name, and connections are reused', async () => {
  const proxy = await startProxy();
  const seen: unknown[] = [];
  const answer: RequestListener = (request, response) => {
    seen.push([request.headers.host, request.url]);
    response.writeHead(204).end();
  };
  const secure = await listen(createTlsServer(tlsForTests, answer));
  const plain = await serve(answer);
  const send = sender({ proxyUrl: proxy.url, ca: tlsForTests.cert });
  for (const url of [
    `https://localhost:${secure}/a?b`,
    `https://localhost:${secure}/a?b`,
    `https://127.0.0.1:${secure}/`,
    `http://localhost:${plain}/c`,
  ])
    expect([url, await send(url)]).toEqual([url, expect.objectContaining({ kind: 'answered', status: 204 })]);
  expect(seen).toEqual([
    [`localhost:${secure}`, '/a?b'],
    [`localhost:${secure}`, '/a?b'],
    [`127.0.0.1:${secure}`, '/'],
    [`localhost:${plain}`, '/c'],
  ]);
  const large = { ...tlsForTests, cert: `${tlsForTests.cert}\n`.repeat(50) };
  const hostile = await listen(createTlsServer(large, answer));
  expect(await send(`https://localhost:${hostile}/`)).toMatchObject({ reason: 'tls' });
  proxy.asked.pop();
  // A number is compared with the certificate too.
  expect(await send(`https://127.0.0.2:${secure}/`)).toMatchObject({ kind: 'failed', reason: 'tls' });
  proxy.asked.pop();
  const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`;
  const addressOf = (port: number) =>
    expect.stringMatching(new RegExp(`^(127\\.0\\.0\\.1|\\[::1\\]):${port} ${authorization}$`));
  expect(proxy.asked).toEqual([addressOf(secure), addressOf(secure), addressOf(plain)]);
});

it('W22: the proxy is not asked for a refused address or for Concord, and its own answer is a failure', async () => {
  const proxy = await startProxy();
  const guarded = sender({ proxyUrl: proxy.url, allowedCidrs: [] });
  for (const url of ['https://localhost/', 'http://127.0.0.1/', 'http://[::1]/'])
    expect(await guarded(url)).toMatchObject({ kind: 'failed', reason: 'address_refused' });
  const lookUp: LookUp = (_name, _options, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '203.0.113.1', family: 4 },
    ]);
  expect(await sender({ proxyUrl: proxy.url, lookUp })('http://half.test/')).toMatchObject({
    kind: 'failed',
    reason: 'address_refused',
  });
  expect(proxy.asked).toEqual([]);
  for (const status of [410, 204, 407]) {
    const refusing = await startProxy(status);
    const send = sender({ proxyUrl: refusing.url });
    for (const url of ['http://127.0.0.1:1/', 'https://127.0.0.1:1/'])
      expect([status, await send(url)]).toMatchObject([
        status,
        { kind: 'failed', reason: 'proxy', detail: `the proxy answered ${status}` },
      ]);
  }
  const away = sender({ proxyUrl: new URL('http://127.0.0.1:1') });
  expect(await away('http://127.0.0.1:1/')).toMatchObject({
    kind: 'failed',
    reason: 'proxy',
    detail: 'the proxy cannot be reached',
  });
  const { send, close } = createSend({
    destinations: createDestinations({ allowedCidrs: [], allowHttp: true }),
    timeoutMs: 60_000,
    proxyUrl: new URL('http://127.0.0.1:1'),
  });
  onTestFinished(close);
  const port = await serve((_, response) => response.writeHead(204).end());
  const toConcord = {
    url: new URL(`http://localhost:${port}/`),
    headers: {},
    body: Buffer.alloc(0),
    toSelf: true,
  };
  expect(await send(toConcord)).toMatchObject({ kind: 'answered', status: 204 });
});

it('W22: a tunnel that opens when its request has timed out is closed: the next request would use it without TLS', async () => {
  const opening = Promise.withResolvers<void>();
  const tunnels: Socket[] = [];
  onTestFinished(() => tunnels.forEach((near) => void near.destroy()));
  const proxy = createServer().on('connect', async (_, near: Socket) => {
    tunnels.push(near.resume());
    await opening.promise;
    near.write('HTTP/1.1 200 OK\r\n\r\n');
  });
  const proxyUrl = new URL(`http://127.0.0.1:${await listen(proxy)}`);
  const send = sender({ proxyUrl, timeoutMs: 200 });
  expect(await send('https://localhost:1/')).toMatchObject({ kind: 'failed', reason: 'timeout' });
  opening.resolve();
  await expect.poll(() => tunnels.map(({ readableEnded }) => readableEnded)).toEqual([true]);
});

it('W14: a receiver that hangs on a reused connection gets one request, and no new time', async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    if (++requests === 1) response.writeHead(204).end();
  });
  const send = sender({ timeoutMs: 500 });
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answered', status: 204 });
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'failed', reason: 'timeout' });
  // A repeated request would arrive before this one.
  const other = sender({ timeoutMs: 500 });
  await other(`http://127.0.0.1:${port}/`);
  expect(requests).toBe(3);
});

it('W17: a stop ends requests in flight, even while their names are looked up', async () => {
  const { send, close } = createSend({
    destinations: createDestinations({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true }),
    timeoutMs: 60_000,
  });
  const port = await serve(() => {});
  const outcome = send({ url: new URL(`http://127.0.0.1:${port}/`), headers: {}, body: Buffer.alloc(0) });
  close();
  expect(await outcome).toMatchObject({ kind: 'failed', reason: 'connection' });
});

it('W17: a stop ends every request that is still in flight', async () => {
  const { send, close } = createSend({
    destinations: createDestinations({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true }),
    timeoutMs: 60_000,
  });
  const arrived = Promise.withResolvers<void>();
  let waiting = 0;
  const port = await serve(({ url }, response) => {
    if (url === '/answered') response.writeHead(204).end();
    else if (++waiting === 4) arrived.resolve();
  });
  const ask = (path: string) =>
    send({ url: new URL(`http://127.0.0.1:${port}${path}`), headers: {}, body: Buffer.alloc(0) });
  // Answered ones leave between others that stay.
  const outcomes = ['/answered', '/1', '/2', '/answered', '/3', '/answered', '/4'].map(ask);
  await Promise.all([arrived.promise, outcomes[0], outcomes[3], outcomes[5]]);
  close();
  const stopped = { kind: 'failed', reason: 'connection', detail: 'Concord was stopped' };
  const answered = { kind: 'answered', status: 204 };
  expect(await Promise.all(outcomes)).toMatchObject([
    answered,
    stopped,
    stopped,
    answered,
    stopped,
    answered,
    stopped,
  ]);
});

it('W15, W24: a failure has its reason, plain words and a code, and no text of OpenSSL, of Node or of the receiver', async () => {
  const plain = await speak((socket) => socket.once('data', () => socket.end('nonsense\r\n\r\n')));
  const resetting = await speak((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const secure = await listen(
    createTlsServer(tlsForTests, (_, response) => response.writeHead(204).end()),
    '0.0.0.0',
  );
  const old = await listen(
    createTlsServer({
      ...tlsForTests,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL:@SECLEVEL=0',
    }),
  );
  const gone = await serve(() => {});
  closeLast();
  const send = sender();
  const trusting = sender({ ca: tlsForTests.cert });
  const detailOf = async (outcome: ReturnType<typeof send>) => {
    const result = await outcome;
    return result.kind === 'failed' ? `${result.reason}: ${result.detail}` : result;
  };
  expect([
    await detailOf(send(`https://127.0.0.1:${plain}/`)),
    await detailOf(send(`https://localhost:${old}/`)),
    await detailOf(send(`https://localhost:${secure}/`)),
    await detailOf(trusting(`https://127.0.0.2:${secure}/`)),
    await detailOf(send(`http://127.0.0.1:${plain}/`)),
    await detailOf(send(`http://127.0.0.1:${resetting}/`)),
    await detailOf(send(`http://127.0.0.1:${gone}/`)),
    await detailOf(send('http://nowhere.invalid/')),
  ]).toEqual([
    expect.stringMatching(/^tls: the TLS handshake failed \((EPROTO|ERR_SSL_[A-Z_]+)\)$/),
    expect.stringMatching(/^tls: the TLS handshake failed \((EPROTO|ERR_SSL_[A-Z0-9_]+)\)$/),
    'tls: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    'tls: the certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
    'invalid_answer: the answer is not HTTP/1.1 (HPE_INVALID_CONSTANT)',
    'connection: the connection was closed before an answer (ECONNRESET)',
    expect.stringMatching(/^connection: .*\(ECONNREFUSED\)$/),
    expect.stringMatching(/^dns: [a-z -]+ \((ENOTFOUND|EAI_AGAIN)\)$/),
  ]);
  // TLS uses the name.
  for (const host of ['localhost', '127.0.0.1'])
    expect(await trusting(`https://${host}:${secure}/`)).toMatchObject({ kind: 'answered', status: 204 });
  const certificate = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
  expect(failureOf(certificate)).toEqual({
    reason: 'tls',
    detail: 'the certificate has expired (CERT_HAS_EXPIRED)',
  });
  for (const code of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CRL_HAS_EXPIRED', 'HOSTNAME_MISMATCH'])
    expect(failureOf(Object.assign(new Error('x'), { code })).reason).toBe('tls');
  const strange = Object.assign(new Error('error:0A000086:SSL routines'), { code: 'a code\r\nof ../deps' });
  expect(failureOf(strange)).toEqual({ reason: 'connection', detail: 'the connection failed (unknown)' });
});
