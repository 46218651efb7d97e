// Endpoints whose receivers demand a client certificate in TLS (behaviour W72).
import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { expectStatus, pluck, succeed } from '../../stage/cast.ts';
import { authority, createGuarded, issue, issuePair, issueUntrusted } from '../../stage/client-authority.ts';
import { createPeers } from '../../stage/peers.ts';
import { everyTable } from '../../stage/rows.ts';
import { tlsForTests } from '../../stage/tls.ts';
import { endedCheck, only, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, newPartner } = useWebhookStage();
const trusted = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...trusted, tlsForTests.cert]));
afterAll(() => setDefaultCACertificates(trusted));

/** A receiver that takes only clients with a certificate of the authority, and what it got. */
async function start(others: ServerOptions = {}) {
  const peers = createPeers();
  onTestFinished(peers.closeAll);
  const subjects: string[] = [];
  const server = createGuarded((request: IncomingMessage, response: ServerResponse) => {
    subjects.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN?.toString() ?? '');
    request.resume().on('end', () => response.writeHead(204).end());
  }, others);
  const port = await peers.listen(server);
  return { url: `https://127.0.0.1:${port}/`, subjects };
}

const path = (partner: WebhookPartner) => `webhook-endpoints/${partner.endpoint}/client-certificate`;
const toBody = ({ certificate, privateKey }: { certificate: string; privateKey?: string }) => ({
  certificate,
  ...(privateKey && { private_key: privateKey }),
});
const put = (partner: WebhookPartner, pair: { certificate: string; privateKey?: string }) =>
  partner.send('PUT', path(partner), toBody(pair));
const make = (partner: WebhookPartner) => partner.send('POST', path(partner));

async function errorOf(partner: WebhookPartner): Promise<string> {
  const id = await partner.publish();
  const find = () => partner.deliveries(`?filter[event_id]=${id}`);
  await expect.poll(async () => (await find())[0]?.status).toBe('failed');
  return (await partner.delivery((await find())[0].id)).attempts[0].error;
}

it('W72: an uploaded certificate is shown without its key, and opens the receiver', async () => {
  const { url, subjects } = await start();
  const partner = await newPartner(url, { retry_schedule: [] });
  expect(await errorOf(partner)).toBe(
    'tls_client: the receiver demands a client certificate (CERTIFICATE_REQUIRED)',
  );
  const failed = await partner.deliveries('?filter[reason]=tls_client');
  expect(failed).toMatchObject([{ reason: 'tls_client' }]);
  const stats = await partner.get(`webhook-endpoints/${partner.endpoint}/stats`);
  expect(stats.failed).toEqual([{ reason: 'tls_client', count: 1 }]);
  const pair = issuePair({ name: 'concord at acme' });
  const shown = succeed(await put(partner, pair));
  const read = new X509Certificate(pair.certificate);
  const summary = {
    subject: 'CN=concord at acme',
    not_after: read.validToDate.toISOString(),
    fingerprint_sha256: read.fingerprint256,
  };
  expect(shown).toMatchObject({
    ...summary,
    issuer: 'CN=TEST AUTHORITY',
    serial: read.serialNumber,
    not_before: read.validFromDate.toISOString(),
    csr: null,
    made_by_concord: false,
  });
  expect(new X509Certificate(shown.certificate).fingerprint256).toBe(read.fingerprint256);
  expect(await partner.get(path(partner))).toEqual(shown);
  expect((await partner.read()).client_certificate).toEqual(summary);
  await partner.publish();
  await expect.poll(() => subjects).toEqual(['concord at acme']);
  await expectStatus(204, partner.send('DELETE', path(partner)));
  expect((await partner.read()).client_certificate).toBeNull();
  await expectStatus(404, partner.send('DELETE', path(partner)));
  await expectStatus(404, partner.send('GET', path(partner)));
  expect(await errorOf(partner)).toMatch(/^tls_client: /);
});

it('W72: Concord makes a key and a certificate that a receiver can trust, and another authority can sign its request', async () => {
  const guarded = await start();
  const partner = await newPartner(guarded.url, { retry_schedule: [] });
  const made = succeed(await make(partner));
  expect(made).toMatchObject({
    issuer: made.subject,
    subject: `CN=concord ${partner.endpoint}`,
    made_by_concord: true,
  });
  expect(Date.parse(made.not_after) - Date.now()).toBeGreaterThan(729 * 24 * 3_600_000);
  expect(await errorOf(partner)).toMatch(/^tls_client: the receiver closed the connection/);
  const pinned = await start({ ca: made.certificate });
  await expectStatus(200, partner.change({ url: pinned.url }));
  await partner.publish();
  await expect.poll(() => pinned.subjects).toEqual([`concord ${partner.endpoint}`]);
  const publicKey = createPublicKey(made.certificate);
  const signed = succeed(await put(partner, { certificate: issue({ publicKey, name: 'signed' }) }));
  expect(signed).toMatchObject({ subject: 'CN=signed', csr: made.csr, made_by_concord: true });
  await expectStatus(200, partner.change({ url: guarded.url }));
  await partner.publish();
  await expect.poll(() => guarded.subjects).toEqual(['signed']);
  expect(createPublicKey(succeed(await make(partner)).certificate).equals(publicKey)).toBe(false);
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
it.skipIf(!hasOpenssl)(
  'W72: OpenSSL reads the request and the certificate, and both are signed',
  async () => {
    const { csr, certificate } = succeed(await make(await newPartner('https://hooks.example.com/')));
    const openssl = (input: string, ...options: string[]) =>
      execFileSync('openssl', options, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
    const request = openssl(csr, 'req', '-verify', '-noout', '-text');
    expect(request).toContain('Subject: CN = concord whe_');
    const text = openssl(certificate, 'x509', '-noout', '-text');
    for (const part of ['CA:FALSE', 'Digital Signature', 'TLS Web Client Authentication'])
      expect(text).toContain(part);
    expect(new X509Certificate(certificate).verify(createPublicKey(certificate))).toBe(true);
  },
);

it('C1, C2: a certificate has its tag in each answer, a change honours If-Match, and making one is safe to repeat', async () => {
  const partner = await newPartner('https://hooks.example.com/');
  const tagNow = async () => String((await partner.send('GET', path(partner))).headers.etag);
  const send = (method: string, headers: Record<string, string>, body?: object) =>
    service.request(method, `/partners/${partner.id}/${path(partner)}`, { headers, body });
  await expectStatus(412, send('PUT', { 'if-match': '*' }, toBody(issuePair())));
  const key = { 'idempotency-key': 'once' };
  const [made, again] = [await send('POST', key), await send('POST', key)];
  expect([made.status, again.body, made.headers.etag]).toEqual([201, made.body, await tagNow()]);
  expect(made.headers.location).toBe(`/partners/${partner.id}/${path(partner)}`);
  const old = { 'if-match': String(made.headers.etag) };
  const uploaded = await send('PUT', old, toBody(issuePair()));
  expect([uploaded.status, uploaded.headers.etag]).toEqual([200, await tagNow()]);
  await expectStatus(412, send('PUT', old, toBody(issuePair())));
  await expectStatus(412, send('POST', old));
  await expectStatus(412, send('DELETE', old));
  await expectStatus(204, send('DELETE', { 'if-match': await tagNow() }));
});

it('W72: a chain is sent, in the order of issuers', async () => {
  const partner = await newPartner('https://hooks.example.com/');
  const pair = issuePair();
  const chain = `Bag Attributes\n${pair.certificate}\n${authority.cert}\n`;
  const shown = succeed(await put(partner, { ...pair, certificate: chain }));
  expect(shown.certificate.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(shown.certificate).not.toContain('Bag Attributes');
});

/** Both times are this text, which needs 13 characters. */
function withTimes<P extends { certificate: string }>(pair: P, text: string): P {
  const der = Buffer.from(pair.certificate.replace(/-----.*?-----|\s/g, ''), 'base64').toString('latin1');
  const changed = Buffer.from(der.replace(/\d{12}Z/g, text), 'latin1').toString('base64');
  const certificate = `-----BEGIN CERTIFICATE-----\n${changed}\n-----END CERTIFICATE-----\n`;
  return { ...pair, certificate };
}

it('W72: what TLS or a receiver would refuse is 400 with its reason', async () => {
  const partner = await newPartner('https://hooks.example.com/');
  const pair = issuePair();
  const pemOf = (key: KeyObject, encryption: { cipher?: string; passphrase?: string } = {}) =>
    key.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString();
  const of = ({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }) => ({
    certificate: issue({ publicKey }),
    privateKey: pemOf(privateKey),
  });
  const encrypted = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const wrong: [object, string, RegExp][] = [
    [toBody({ certificate: pair.certificate }), '/private_key', /is required/],
    [toBody({ ...pair, certificate: 'x' }), '/certificate', /in PEM/],
    [
      toBody({ ...pair, certificate: pair.certificate.replace(/\n.{9}/, '\nAAAAAAAAA') }),
      '/certificate',
      /in PEM/,
    ],
    [toBody({ ...pair, certificate: pair.certificate + pair.privateKey }), '/certificate', /private key/],
    [toBody({ ...pair, certificate: pair.certificate.repeat(6) }), '/certificate', /at most 5/],
    [
      toBody({ ...pair, certificate: authority.cert + pair.certificate }),
      '/certificate',
      /before the one of its issuer/,
    ],
    [toBody({ ...pair, privateKey: issuePair().privateKey }), '/certificate', /for the private key/],
    [toBody({ ...pair, privateKey: 'x' }), '/private_key', /in PEM/],
    [
      toBody({
        ...pair,
        privateKey: pemOf(encrypted.privateKey, { cipher: 'aes-256-cbc', passphrase: 'x' }),
      }),
      '/private_key',
      /encrypted/,
    ],
    [toBody(issuePair({ notAfter: -1_000 })), '/certificate', /expired/],
    [toBody(withTimes(issuePair(), '280230000000Z')), '/certificate', /valid times/],
    [toBody(of(generateKeyPairSync('rsa', { modulusLength: 1_024 }))), '/private_key', /2048 to 4096/],
    [toBody(of(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))), '/private_key', /P-256/],
    [toBody(of(generateKeyPairSync('x25519'))), '/private_key', /Ed25519/],
    // OpenSSL would compute their public keys, for 10 seconds if the numbers are large.
    ...['', 'RSA ', 'EC '].map((label): [object, string, RegExp] => [
      toBody({
        ...pair,
        privateKey: pemOf(generateKeyPairSync('dsa', { modulusLength: 1_024 }).privateKey)
          .replace(/\n.*\n-----END/, '\n-----END')
          .replaceAll('PRIVATE', `${label}PRIVATE`),
      }),
      '/private_key',
      /P-256/,
    ]),
    [{ ...toBody(pair), more: 1 }, '/more', /./],
    [toBody({ ...pair, certificate: 'x'.repeat(32_769) }), '/certificate', /./],
  ];
  for (const [body, pointer, message] of wrong) {
    const refused = await partner.send('PUT', path(partner), body);
    expect([refused.status, refused.body.errors?.[0]]).toMatchObject([
      400,
      { pointer, message: expect.stringMatching(message) },
    ]);
  }
  await expectStatus(404, partner.send('GET', path(partner)));
  await make(partner);
  const foreign = await put(partner, { certificate: pair.certificate });
  expect(foreign.body.errors).toMatchObject([{ pointer: '/certificate' }]);
  for (const good of [
    of(generateKeyPairSync('rsa', { modulusLength: 2_048 })),
    of(generateKeyPairSync('ec', { namedCurve: 'P-521' })),
    of(generateKeyPairSync('ed25519')),
  ])
    expect(succeed(await put(partner, good)).made_by_concord).toBe(false);
});

it('W72: no answer, log, audit row or row of the database has a private key', async () => {
  const { url, subjects } = await start();
  const partner = await newPartner(url);
  const { privateKey, certificate } = issuePair();
  await put(partner, { certificate, privateKey });
  await partner.publish();
  await only(partner, 'delivered');
  expect(subjects).toHaveLength(1);
  const untrusted = issueUntrusted();
  await put(partner, untrusted);
  const [{ id }] = await partner.deliveries();
  const paths = [
    '',
    'webhook-endpoints',
    'audit-log',
    'deliveries',
    path(partner),
    `deliveries/${id}/attempts/1`,
  ];
  const answers = await Promise.all(paths.map((each) => partner.send('GET', each)));
  const texts = [...answers.map(({ text }) => text), ...(await everyTable(service)), ...service.logs];
  const middleOf = (pem: string) => pem.split('\n')[1] ?? '';
  // The certificate is there, so the search finds what is there.
  expect(texts.some((text) => text.includes(middleOf(untrusted.certificate)))).toBe(true);
  for (const text of texts)
    for (const pem of [privateKey, untrusted.privateKey]) {
      expect(text).not.toContain(middleOf(pem));
      expect(text).not.toContain('PRIVATE KEY');
    }
  const log = await partner.get('audit-log?filter[action]=webhook_endpoint.put_client_certificate');
  expect(pluck(log, 'changes')[0]).toMatchObject({
    client_certificate: {
      after: { fingerprint_sha256: new X509Certificate(untrusted.certificate).fingerprint256 },
    },
  });
});

it('W72, W61: the check of an endpoint has the certificate too', async () => {
  const { url, subjects } = await start();
  const partner = await newPartner(url);
  await put(partner, issuePair({ name: 'checked' }));
  await expectStatus(202, partner.act('check'));
  const { cases } = await endedCheck(partner);
  expect(cases[0]).toMatchObject({ name: 'accepts_good', status: 'passed' });
  expect(new Set(subjects)).toEqual(new Set(['checked']));
});
