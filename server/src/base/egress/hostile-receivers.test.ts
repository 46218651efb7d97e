// What a receiver can cost: each of these would hold a connection, a core or memory without a limit.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { authority, issue } from '../../../test/stage/client-authority.ts';
import { createPeers, flood } from '../../../test/stage/peers.ts';
import { tlsForTests } from '../../../test/stage/tls.ts';

const { listen, speak, sender, closeAll } = createPeers();
afterEach(closeAll);

/**
 * A receiver that answers with `start`, and then floods. Resolves with the outcome when the connection is
 * closed.
 */
async function flooded(start: string, more: string) {
  const closed = Promise.withResolvers<number>();
  const port = await speak((socket) =>
    socket.once('data', () => {
      socket.write(start);
      void flood(socket, more).then(() => closed.resolve(socket.bytesWritten));
    }),
  );
  const outcome = await sender()(`http://127.0.0.1:${port}/`);
  // A few MiB of it can be in the buffers of the sockets, unread.
  expect(await closed.promise).toBeLessThan(32 * 1024 * 1024);
  return outcome;
}

it('W23: a flood of interim answers ends the attempt after five', async () => {
  for (const status of ['100 Continue', '102 Processing', '103 Early Hints\r\nlink: </x>'])
    expect(await flooded('', `HTTP/1.1 ${status}\r\n\r\n`)).toMatchObject({
      kind: 'failed',
      reason: 'invalid_answer',
      detail: 'the answer has more than 5 interim answers (1xx)',
    });
  const port = await speak((socket) =>
    socket.once('data', () =>
      socket.write(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5)}HTTP/1.1 204 No Content\r\n\r\n`),
    ),
  );
  expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answered', status: 204 });
});

it('W23: bytes that are not the body count too: extensions of chunks, trailers, small chunks, more answers', async () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  const answered = { kind: 'answered', status: 200 };
  expect(await flooded(`${chunked}1;`, 'extension=')).toMatchObject(answered);
  expect(await flooded(chunked, `1;${'x'.repeat(10_000)}\r\nx\r\n`)).toMatchObject(answered);
  expect(await flooded(`${chunked}0\r\n`, 'x-trailer: y\r\n')).toMatchObject(answered);
  const small = await flooded(chunked, '1\r\nx\r\n');
  expect(small).toMatchObject(answered);
  // Each byte of the body takes six bytes of the connection.
  const length = small.kind === 'answered' ? small.body.length : 0;
  expect(length).toBeGreaterThan(10_000);
  expect(length).toBeLessThan(50_000);
  expect(
    await flooded(
      'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
    ),
  ).toMatchObject(answered);
});

it('W23: a header section without an end, or of more than 16 KiB, fails', async () => {
  for (const [start, more] of [
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`, 'x'],
    ['HTTP/1.1 200 OK\r\n', 'x: y\r\n'],
    ['HTTP/1.1 200 OK\r\nx: ', 'y'],
    ['HTTP/1.1 200 ', 'x'],
    ['', '\r\n'],
  ] as const)
    expect([start, await flooded(start, more)]).toMatchObject([
      start,
      { kind: 'failed', reason: 'invalid_answer' },
    ]);
});

it('W23: the bytes of each request on a kept connection count alone', async () => {
  const full = 60 * 1024;
  let connections = 0;
  let requests = 0;
  const port = await speak((socket) => {
    connections++;
    socket.on('data', () => {
      requests++;
      const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
      if (requests <= 4) socket.write(`${head}${full.toString(16)}\r\n${'x'.repeat(full)}\r\n0\r\n\r\n`);
      if (requests !== 5) return;
      socket.write(head);
      void flood(socket, '1\r\nx\r\n');
    });
  });
  const send = sender();
  for (let i = 0; i < 4; i++) {
    const outcome = await send(`http://127.0.0.1:${port}/`);
    expect(outcome.kind === 'answered' && outcome.body.length).toBe(full);
  }
  const last = await send(`http://127.0.0.1:${port}/`);
  const length = last.kind === 'answered' ? last.body.length : 0;
  // As on a new connection: each byte of the body takes six.
  expect(length).toBeGreaterThan(10_000);
  expect(length).toBeLessThan(50_000);
  expect([connections, requests]).toEqual([1, 5]);
});

it('W14: a status and headers decide the outcome; the rest is read for a second at most, and its connection is not used again', async () => {
  const connections: Socket[] = [];
  const closed = Promise.withResolvers<void>();
  const port = await speak((socket) => {
    connections.push(socket);
    socket.once('close', () => closed.resolve());
    // The second half of the body would look like an answer to the next request.
    socket.once('data', () =>
      socket.write(
        connections.length === 1
          ? 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nbegun'
          : 'HTTP/1.1 204 No Content\r\n\r\n',
      ),
    );
  });
  const send = sender();
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
    kind: 'answered',
    status: 200,
    body: Buffer.from('begun'),
  });
  await closed.promise;
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answered', status: 204 });
  expect(connections).toHaveLength(2);
});

it('W14: a receiver that answers but does not read the request does not keep the connection', async () => {
  const sent = 32 * 1024 * 1024;
  const peers: Socket[] = [];
  let read = 0;
  const closed = Promise.withResolvers<void>();
  const port = await speak((socket) => {
    peers.push(socket);
    socket.on('data', (chunk) => {
      read += chunk.length;
    });
    socket.pause();
    socket.on('close', () => closed.resolve());
    socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  });
  const outcome = await sender()(`http://127.0.0.1:${port}/`, Buffer.alloc(sent));
  expect(outcome).toMatchObject({ kind: 'answered', status: 204 });
  for (const peer of peers) peer.resume();
  await closed.promise;
  // Some of it was in the buffers of the sockets.
  expect(read).toBeLessThan(sent);
});

it('W23: 101, a status below 100, HTTP/0.9 and other protocols are not answers', async () => {
  for (const text of [
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 099 Early\r\ncontent-length: 0\r\n\r\n',
    'HTTP/0.9 200 OK\r\n\r\n',
    '<html>hello</html>\r\n',
    '200 OK\r\n\r\n',
    'SSH-2.0-OpenSSH_9.9\r\n',
  ]) {
    const port = await speak((socket) => socket.once('data', () => socket.write(text)));
    expect([text, await sender()(`http://127.0.0.1:${port}/`)]).toMatchObject([
      text,
      { kind: 'failed', reason: 'invalid_answer' },
    ]);
  }
});

it('W23: a receiver cannot renegotiate TLS', async () => {
  let renegotiated = 0;
  const server = createTlsServer({ ...tlsForTests, maxVersion: 'TLSv1.2' });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.renegotiate({}, () => {
        renegotiated++;
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
  });
  const port = await listen(server);
  const outcome = await sender({ ca: tlsForTests.cert })(`https://localhost:${port}/`);
  expect([outcome, renegotiated]).toMatchObject([{ kind: 'failed', reason: 'tls' }, 0]);
});

it('W23: a receiver cannot choose the group of a key exchange: a large one would stop the process for seconds', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createTlsServer({
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: issue({ publicKey }),
    dhparam: 'auto',
    ciphers: 'DHE-RSA-AES128-GCM-SHA256',
    maxVersion: 'TLSv1.2',
  });
  const ended = Promise.race([once(server, 'tlsClientError'), once(server, 'secureConnection')]);
  const port = await listen(server);
  expect(await sender()(`https://localhost:${port}/`)).toMatchObject({ kind: 'failed', reason: 'tls' });
  expect((await ended)[0]).toMatchObject({ code: 'ERR_SSL_NO_SHARED_CIPHER' });
});

it('W23: a TLS handshake has at most 16 KiB: the signatures of 100 KiB of certificates would stop the process', async () => {
  const send = sender({ ca: tlsForTests.cert });
  const receiver = (certificates: number) => {
    const cert = tlsForTests.cert + `\n${authority.cert}`.repeat(certificates);
    return listen(createServer({ ...tlsForTests, cert }, (_, response) => response.writeHead(204).end()));
  };
  expect(await send(`https://localhost:${await receiver(35)}/`)).toMatchObject({ status: 204 });
  const tooLarge = await send(`https://localhost:${await receiver(45)}/`);
  expect(tooLarge).toMatchObject({
    kind: 'failed',
    reason: 'tls',
    detail: 'the TLS handshake of the receiver has more than 16 KiB (ERR_TLS_LARGE_HANDSHAKE)',
  });
});

it('W23: bytes of TLS itself count too: session tickets, new keys, small records', async () => {
  const server = createTlsServer(tlsForTests, (socket) => {
    socket.on('error', () => {});
    // The head of an answer, of less than 16 KiB, each byte in a record of its own.
    socket.once('data', async () => {
      for (const byte of `HTTP/1.1 204 No Content\r\na: ${'b'.repeat(10_000)}`)
        await new Promise((resolve) => socket.write(byte, resolve));
      socket.end('\r\n\r\n');
    });
  });
  const outcome = await sender({ ca: tlsForTests.cert })(`https://localhost:${await listen(server)}/`);
  expect(outcome).toMatchObject({
    kind: 'failed',
    detail: 'TLS has more than 128 KiB beside the answer (ERR_TLS_OVERHEAD)',
  });
});

it('W23: an operator can allow only the ciphers of TLS 1.3', () => {
  const open = `import { createSecureContext } from 'node:tls';
    import { tlsOptions } from ${JSON.stringify(import.meta.resolve('./connections.ts'))};
    createSecureContext(tlsOptions());`;
  for (const list of [
    'TLS_AES_256_GCM_SHA384',
    'TLS_AES_256_GCM_SHA384:ECDHE-RSA-AES128-GCM-SHA256',
    'DEFAULT',
  ])
    execFileSync(process.execPath, [`--tls-cipher-list=${list}`, '--input-type=module', '--eval', open]);
});

it.each(['', 'HTTP/1.1 200 OK\r\nx: '])(
  'W22: a proxy that answers %j to CONNECT loses the connection when the attempt ends',
  async (start) => {
    const closed = Promise.withResolvers<void>();
    const port = await speak((socket) => {
      socket.once('close', closed.resolve).resume().write(start);
    });
    const send = sender({ proxyUrl: new URL(`http://127.0.0.1:${port}`), timeoutMs: 500 });
    for (const scheme of ['http', 'https'])
      expect(await send(`${scheme}://127.0.0.1:1/`)).toMatchObject({ kind: 'failed', reason: 'timeout' });
    await closed.promise;
  },
);
