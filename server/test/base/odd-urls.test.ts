// URLs that programs write in different ways: the one that is signed, sent and shown is the same.
import { generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { createDestinations } from '../../src/base/egress/destinations.ts';
import { signAttempt } from '../../src/webhooks/delivering/sign.ts';
import { signWithNode } from '../../src/webhooks/signing-keys/index.ts';
import { faultOf } from '../stage/cast.ts';
import { createPeers } from '../stage/peers.ts';
import { openService } from '../stage/start-service.ts';
import { tlsForTests } from '../stage/tls.ts';

type OddUrls = {
  accepted: { about: string; url: string; sent: string }[];
  refused: { about: string; url: string }[];
};
const { accepted, refused }: OddUrls = JSON.parse(
  readFileSync(new URL('../../../vectors/odd-urls.json', import.meta.url), 'utf8'),
);

const { listen, speak, sender, closeAll } = createPeers();
afterEach(closeAll);

const everywhere = ['0.0.0.0/0', '::/0'];
const destinations = createDestinations({ allowedCidrs: everywhere, allowHttp: true });
const key = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const toLoopback = (
  _: string,
  __: object,
  answer: (error: null, addresses: { address: string; family: number }[]) => void,
) => answer(null, [{ address: '127.0.0.1', family: 4 }]);

async function sign(url: URL): Promise<Record<string, string>> {
  const signer = { kid: 'test', sign: signWithNode(key.privateKey) };
  const content = { url, body: Buffer.from('{}'), id: 'evt_1', attempt: 1, userAgent: 'test' };
  return (await signAttempt({ ...content, key: signer, nowMs: 0 })).headers;
}

/** Receivers that keep the bytes of each request, with and without TLS. */
async function startWire() {
  const requests: string[] = [];
  const talk = (socket: Socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.endsWith('\r\n\r\n{}')) return;
      requests.push(text);
      text = '';
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  };
  return { requests, plain: await speak(talk), secure: await listen(createTlsServer(tlsForTests, talk)) };
}

/** The URL as a receiver sees it: from the bytes alone. */
function readWire(text: string, scheme: string) {
  const [first = '', ...lines] = text.split('\r\n\r\n')[0]!.split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { method, uri: `${scheme}//${headers.get('host')}${target}`, headers };
}

/** Verifies by RFC 9421, section 2.5, without our packages. */
function verifies({ method, uri, headers }: ReturnType<typeof readWire>) {
  const parameters = headers.get('signature-input')!.replace(/^sig1=/, '');
  const names = [.../^\(([^)]*)\)/.exec(parameters)![1]!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
  const componentOf = (name: string) =>
    name === '@method' ? method : name === '@target-uri' ? uri : headers.get(name);
  const base = [
    ...names.map((name) => `"${name}": ${componentOf(name)}`),
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const signature = Buffer.from(headers.get('signature')!.split(':')[1]!, 'base64');
  return verify('sha384', Buffer.from(base), { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, signature);
}

it('W2: the signature covers the URL that the bytes of the request have, through a proxy', async () => {
  const wire = await startWire();
  const proxy = createServer();
  proxy.on('connect', (request, near: Socket) => {
    const far = connect(/:443$/.test(String(request.url)) ? wire.secure : wire.plain, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      near.pipe(far).pipe(near);
    });
  });
  const proxyUrl = new URL(`http://127.0.0.1:${await listen(proxy)}`);
  const send = sender({ allowedCidrs: everywhere, proxyUrl, lookUp: toLoopback, ca: tlsForTests.cert });
  expect(accepted.length).toBeGreaterThanOrEqual(40);
  for (const { about, url: text, sent } of accepted) {
    const url = destinations.parseNewUrl(text);
    expect([about, await send(url.href, '{}', await sign(url))]).toMatchObject([
      about,
      { kind: 'answered', status: 204 },
    ]);
    const got = readWire(wire.requests.at(-1)!, url.protocol);
    expect([got.uri, verifies(got)], about).toEqual([sent, true]);
  }
});

it('W2: the signature covers the URL that the bytes of the request have, without a proxy', async () => {
  const wire = await startWire();
  const send = sender({ allowedCidrs: everywhere, lookUp: toLoopback, ca: tlsForTests.cert });
  for (const { about, sent } of accepted) {
    const url = new URL(sent);
    // No test can listen on the default ports.
    url.port = String(url.protocol === 'https:' ? wire.secure : wire.plain);
    if (url.hostname.startsWith('[')) url.hostname = '127.0.0.1';
    // The setters keep an empty query.
    expect(url.href.endsWith('?')).toBe(sent.endsWith('?'));
    expect([about, await send(url.href, '{}', await sign(url))]).toMatchObject([
      about,
      { kind: 'answered', status: 204 },
    ]);
    const got = readWire(wire.requests.at(-1)!, url.protocol);
    expect([got.uri, verifies(got)], about).toEqual([url.href, true]);
  }
});

it('W8, W21: an endpoint shows the URL that is sent; URLs that programs read in different ways are 400', async () => {
  const service = await openService({
    CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
    CONCORD_WEBHOOK_ALLOWED_CIDRS: everywhere.join(','),
  });
  const { body: partner } = await service.post('/partners', { name: 'Acme' });
  const endpoints = `/partners/${partner.id}/webhook-endpoints`;
  const { body: endpoint } = await service.post(endpoints, { url: 'http://first.example/' });
  for (const { about, url, sent } of accepted) {
    const made = await service.post(endpoints, { url });
    expect([made.status, made.body.url], about).toEqual([201, sent]);
    const changed = await service.patch(`${endpoints}/${endpoint.id}`, { url });
    expect([changed.status, changed.body.url], about).toEqual([200, sent]);
    // The text that is shown is accepted, and stays as it is.
    const again = await service.patch(`${endpoints}/${endpoint.id}`, { url: sent });
    expect(again.body).toEqual(changed.body);
  }
  const long = [
    { about: 'too many characters when it is encoded', url: `http://hooks.example/${'é'.repeat(400)}` },
    { about: 'too many characters', url: `http://hooks.example/${'a'.repeat(2_048)}` },
  ];
  for (const { about, url } of [...refused, ...long]) {
    expect([about, ...faultOf(await service.post(endpoints, { url }))]).toEqual([about, 400, '/url']);
  }
});
