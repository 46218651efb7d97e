// Client certificates over real TLS: who gets one, and how a refusal looks.
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { createGuarded, issuePair, issueUntrusted } from '../../../test/stage/client-authority.ts';
import { createPeers } from '../../../test/stage/peers.ts';
import { tlsForTests } from '../../../test/stage/tls.ts';
import type { KeyPair } from './client-certificates.ts';
import { createDestinations } from './destinations.ts';
import { clientFailureOf } from './failures.ts';
import { createSend } from './send.ts';

const peers = createPeers();
afterEach(peers.closeAll);

type Versions = { maxVersion: 'TLSv1.2' | 'TLSv1.3'; minVersion?: 'TLSv1.3'; ciphers?: string };
const versions: Versions[] = [{ maxVersion: 'TLSv1.2' }, { maxVersion: 'TLSv1.3', minVersion: 'TLSv1.3' }];
const nameOf = ({ socket }: IncomingMessage) => (socket as TLSSocket).getPeerCertificate().subject?.CN;

async function start(others: object) {
  const seen: unknown[] = [];
  const server = createGuarded((request, response) => {
    request.resume().on('end', () => {
      seen.push([nameOf(request), request.socket.remotePort]);
      response.writeHead(204).end();
    });
  }, others);
  const port = await peers.listen(server);
  return { seen, url: `https://localhost:${port}/` };
}

function startSending(proxyUrl?: URL) {
  const destinations = createDestinations({ allowedCidrs: ['127.0.0.0/8', '::1'], allowHttp: false });
  const { send, close } = createSend({
    destinations,
    timeoutMs: 5_000,
    ca: tlsForTests.cert,
    proxyUrl: proxyUrl ?? null,
  });
  let opened = 0;
  return {
    close,
    opened: () => opened,
    post: (url: string, pair?: KeyPair, id = 'one') =>
      send({
        url: new URL(url),
        headers: {},
        body: Buffer.alloc(300_000),
        client: pair && {
          id,
          open() {
            opened++;
            return pair;
          },
        },
      }),
  };
}

it('W72: a receiver that demands a certificate gets it, and the key is opened once', async () => {
  for (const version of versions) {
    const { seen, url } = await start(version);
    const { post, opened, close } = startSending();
    const pair = issuePair({ name: 'concord' });
    for (let i = 0; i < 3; i++)
      expect(await post(url, pair)).toMatchObject({ kind: 'answered', status: 204 });
    // One connection, which is kept.
    const [first] = seen;
    expect([seen, opened()]).toEqual([[first, first, first], 1]);
    expect((first as unknown[])[0]).toBe('concord');
    close();
  }
});

it('W72: a connection with a certificate serves nobody else, with or without one', async () => {
  const { seen, url } = await start({ rejectUnauthorized: false });
  const { post, close } = startSending();
  const [one, two] = [issuePair({ name: 'one' }), issuePair({ name: 'two' })];
  for (let round = 0; round < 2; round++) {
    await post(url, one, 'one');
    await post(url);
    await post(url, two, 'two');
    await post(url, one, 'one again');
  }
  expect(seen.map((each) => (each as unknown[])[0])).toEqual([
    ...['one', undefined, 'two', 'one'],
    ...['one', undefined, 'two', 'one'],
  ]);
  expect(new Set(seen.map((each) => (each as unknown[])[1])).size).toBe(4);
  close();
});

it('W72, W24: a missing certificate is tls_client, in TLS 1.2 and 1.3', async () => {
  const details = [
    'the receiver demands a client certificate, or accepts no such one (HANDSHAKE_FAILURE)',
    'the receiver demands a client certificate (CERTIFICATE_REQUIRED)',
  ];
  for (const [index, version] of versions.entries()) {
    const { seen, url } = await start(version);
    const { post, close } = startSending();
    for (let i = 0; i < 5; i++)
      expect(await post(url)).toMatchObject({ reason: 'tls_client', detail: details[index] });
    expect(seen).toEqual([]);
    close();
  }
});

it('W72, W24: a refused certificate is tls_client, also without an alert', async () => {
  for (const version of versions) {
    const { seen, url } = await start(version);
    const { post, close } = startSending();
    for (const pair of [issueUntrusted(), issuePair({ notAfter: -1_000 })])
      expect(await post(url, pair)).toMatchObject({
        reason: 'tls_client',
        detail: expect.stringMatching(
          /^the receiver closed the connection when it had the client certificate, which it probably refuses \(E[A-Z]+\)$/,
        ),
      });
    expect(seen).toEqual([]);
    close();
  }
});

it('W24: what fails before the certificate of the server is tls, and a receiver that closes is connection', async () => {
  const noCipher = await start({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0' });
  const plain = await peers.speak((socket) => socket.once('data', () => socket.destroy()));
  const closing = createGuarded((request) => void request.socket.destroy(), { requestCert: false });
  const port = await peers.listen(closing);
  const { post, close } = startSending();
  expect(await post(noCipher.url, issuePair())).toMatchObject({ reason: 'tls' });
  for (const url of [`https://localhost:${plain}/`, `https://localhost:${port}/`])
    expect(await post(url)).toMatchObject({ reason: 'connection' });
  expect(await post(`https://localhost:${plain}/`, issuePair())).toMatchObject({ reason: 'connection' });
  close();
});

it('W24, W72: each alert about the certificate of the client has words, and no other alert', () => {
  const handshake = { state: 'agreed', hasClientCertificate: true } as const;
  const reasons = Array.from({ length: 256 }, (_, alert) => alert).filter(
    (alert) =>
      clientFailureOf(new Error(`x:SSL alert number ${alert}\n`), handshake)?.reason === 'tls_client',
  );
  expect(reasons).toEqual([40, 41, 42, 43, 44, 45, 46, 48, 49, 116]);
  const failure = new Error('ssl3_read_bytes:ssl/tls alert handshake failure:SSL alert number 40');
  for (const state of ['begun', 'done'] as const)
    expect(clientFailureOf(failure, { ...handshake, state })).toBeNull();
});
