// The sandbox receiver of a partner. The base URL is a loopback address: no other webhook may go there.
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { atOnce, expectStatus, pluck, succeed, uuidOf } from '../../stage/cast.ts';
import { listen } from '../../stage/listen.ts';
import { hold } from '../../stage/locks.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { startRelay } from '../../stage/relay.ts';
import { openService } from '../../stage/start-service.ts';
import { startWorkerHere } from '../../stage/webhook-stage.ts';
import {
  connected,
  createSandboxPartner,
  delivered,
  type Partner,
  retries,
  useSandboxStage,
} from './sandbox-stage.ts';

const stage = useSandboxStage();

describe('B10: the receiver', () => {
  it('B10, C1: PUT creates one receiver with a random URL, GET shows it, DELETE ends it, and both are in the audit log', async () => {
    const partner = await stage.newPartner();
    await expectStatus(404, partner.send('GET', 'sandbox-receiver'));
    await expectStatus(404, partner.send('GET', 'sandbox-receiver/requests'));
    const [one, two] = await Promise.all([
      partner.send('PUT', 'sandbox-receiver'),
      partner.send('PUT', 'sandbox-receiver'),
    ]);
    expect([one.status, two.status, two.body]).toEqual([200, 200, one.body]);
    expect(one.body.url).toMatch(new RegExp(`^${stage.relay.url}/console/receiver/[\\w-]{32}$`));
    const shown = await partner.send('GET', 'sandbox-receiver');
    expect([shown.body, shown.headers.etag]).toEqual([one.body, expect.stringMatching(/^"[\w-]{27}"$/)]);
    expect(one.headers.etag).toBe(shown.headers.etag);
    expect(await partner.requests()).toEqual([]);
    await expectStatus(204, partner.send('DELETE', 'sandbox-receiver'));
    await expectStatus(404, partner.send('DELETE', 'sandbox-receiver'));
    expect(await partner.receiver()).not.toBe(one.body.url);
    const log = await partner.get('audit-log');
    const rows = log.filter(({ action }: { action: string }) => action.startsWith('sandbox_receiver'));
    expect(
      rows.map(({ action, target }: { action: string; target: string }) => [action, target]).toSorted(),
    ).toEqual([
      ['sandbox_receiver.create', partner.partner],
      ['sandbox_receiver.create', partner.partner],
      ['sandbox_receiver.delete', partner.partner],
    ]);
    expect(JSON.stringify(log)).not.toContain(one.body.url.slice(-32));
  });

  it('B10: an unknown token, another method and a deleted partner are refused, and nothing is kept', async () => {
    const partner = await stage.newPartner();
    const url = await partner.receiver();
    const path = new URL(url).pathname;
    for (const wrong of [
      path.slice(0, -1),
      `${path}x`,
      `${path}/`,
      `${path.slice(0, -32)}${'A'.repeat(32)}`,
      '/console/receiver/',
    ])
      expect((await stage.service.post(wrong, {}, null)).status, wrong).toBe(404);
    await expectStatus(404, stage.service.get(path, null));
    for (const method of ['PUT', 'DELETE'])
      await expectStatus(405, stage.service.request(method, path, { token: null }));
    expect(await partner.requests()).toEqual([]);
    await expectStatus(204, stage.post(url, {}));
    expect(await partner.requests()).toHaveLength(1);
    succeed(await stage.service.remove(`/partners/${partner.partner}`));
    await expectStatus(404, stage.post(url, {}));
  });

  it('B10: requests above the window are 429 by receiver, and requests to unknown receivers by address', async () => {
    const limited = await openService({
      CONCORD_RATE_LIMIT: '20/600s',
      CONCORD_BASE_URL: stage.relay.url,
    });
    const [busy, quiet] = [await createSandboxPartner(limited), await createSandboxPartner(limited)];
    const [one, other] = [await busy.receiver(), await quiet.receiver()];
    const to = (url: string) => limited.request('POST', new URL(url).pathname, { token: null, body: {} });
    for (let count = 0; count < 20; count++) await expectStatus(204, to(one));
    const refused = await to(one);
    expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([
      429,
      '"sandbox-receiver";q=20;w=600',
    ]);
    await expectStatus(204, to(other));
    const unknown = `${one.slice(0, -32)}${'A'.repeat(32)}`;
    const statuses: number[] = [];
    for (let count = 0; count < 30; count++) statuses.push((await to(unknown)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    await expectStatus(204, to(other));
    // Above a limit nobody asks the database: here it could not answer.
    const holder = await hold(limited.database, 'lock table sandbox_receiver in access exclusive mode');
    const guess = `${one.slice(0, -32)}${'B'.repeat(32)}`;
    expect([(await to(guess)).status, (await to(one)).status]).toEqual([429, 429]);
    await holder.end();
  });
});

describe('B11: the exemption', () => {
  it('B11: a sandbox endpoint may have exactly the URL of the receiver, and gets its webhooks', async () => {
    const partner = await stage.newPartner();
    const { url, endpoint } = await connected(partner);
    expect((await partner.get(`webhook-endpoints/${endpoint}`)).url).toBe(url);
    await partner.post(`webhook-endpoints/${endpoint}/test`);
    const delivery = await delivered(partner);
    const [request, ...others] = await partner.requests();
    expect(others).toEqual([]);
    const { event_id, id } = delivery;
    expect(request.verification).toMatchObject({
      verified: true,
      step: null,
      code: null,
      reason: null,
      event_id,
      delivery_id: id,
    });
    const attempt = await partner.get(`deliveries/${id}/attempts/1`);
    expect(request.verification.key_id).toBe(attempt.key_id);
    expect(request.body).toBe(attempt.request.body);
    const names = request.headers.map(({ name }: { name: string }) => name.toLowerCase());
    expect(names).toEqual(
      expect.arrayContaining(['host', 'content-type', 'webhook-id', 'signature', 'signature-input']),
    );
    // Each request has its own delivery, also if another endpoint gets the event.
    succeed(await partner.create('https://hooks.invalid/'));
    const next = succeed(await partner.publish()).id;
    await expect.poll(async () => (await partner.requests()).length).toBe(2);
    const sent = await partner.get(`deliveries?filter[event_id]=${next}&filter[endpoint_id]=${endpoint}`);
    expect((await partner.requests())[0].verification.delivery_id).toBe(sent[0].id);
  });

  it('B11: every other URL, environment and partner is refused as before', async () => {
    const [partner, stranger] = [await stage.newPartner(), await stage.newPartner()];
    const url = await partner.receiver();
    await stranger.receiver();
    const { port } = stage.relay;
    const wrong: [Partner, string, object?][] = [
      [partner, url, { environment: 'live' }],
      [stranger, url],
      ...[
        `${url}/`,
        `${url}?a=1`,
        `${url}?`,
        `${url}#`,
        url.slice(0, -1),
        `${url}x`,
        url.replace('/receiver/', '/receiver//'),
        url.replace('/receiver/', '/x/../receiver/'),
        url.replace('/console/', '/%63onsole/'),
        url.replace('/console', ''),
        url.replace('127.0.0.1', 'localhost'),
        url.replace('127.0.0.1', '127.1'),
        url.replace('127.0.0.1', 'user@127.0.0.1'),
        url.replace('http:', 'https:'),
        url.replace('http:', 'HTTP:'),
        url.replace(`:${port}`, `:0${port}`),
        url.replace(`:${port}`, `:${port === 65_535 ? port - 1 : port + 1}`),
        ` ${url}`,
        `${stage.relay.url}/health/live`,
      ].map((each): [Partner, string] => [partner, each]),
    ];
    for (const [who, text, terms] of wrong) expect((await who.create(text, terms)).status, text).toBe(400);
    const ordinary = succeed(await partner.create('https://hooks.example.com/')).id;
    const live = succeed(await partner.create('https://hooks.example.com/', { environment: 'live' })).id;
    const move = (id: string, to: string) => partner.send('PATCH', `webhook-endpoints/${id}`, { url: to });
    await expectStatus(400, move(live, url));
    await expectStatus(400, move(ordinary, `${url}/`));
    await expectStatus(200, move(ordinary, url));
  });

  it('B11: the exemption is decided at each attempt: another path in the row, another partner, and a receiver that is gone', async () => {
    const [partner, stranger] = [await stage.newPartner(), await stage.newPartner()];
    const { url, endpoint } = await connected(partner);
    const elsewhere = await connected(stranger);
    const setUrl = (to: string, environment = 'sandbox') =>
      stage.service.sql('update webhook_endpoint set url = $2, environment = $3 where id = $1', [
        uuidOf(endpoint),
        to,
        environment,
      ]);
    const fails = async (to: string, environment = 'sandbox') => {
      await setUrl(to, environment);
      const event = succeed(await partner.publish(environment)).id;
      const path = `deliveries?filter[event_id]=${event}`;
      await expect.poll(async () => (await partner.get(path))[0]?.status).toBe('failed');
      const { id } = (await partner.get(path))[0];
      const { attempts } = await partner.get(`deliveries/${id}`);
      expect(
        attempts.map(({ error }: { error: string }) => error.split(':')[0]),
        to,
      ).toEqual(['address_refused', 'address_refused']);
    };
    await fails(`${url}/`);
    await fails(elsewhere.url);
    await fails(url, 'live');
    await setUrl(url);
    await partner.publish();
    await expect.poll(async () => (await partner.requests()).length).toBe(1);
    succeed(await partner.send('DELETE', 'sandbox-receiver'));
    await fails(url);
    expect(await stranger.requests()).toEqual([]);
  });

  it('B11: a worker behind an egress proxy sends to the receiver directly, and to nothing else', async () => {
    const own = await startRelay();
    onTestFinished(own.close);
    const api = await openService({
      CONCORD_ROLE: 'api',
      CONCORD_BASE_URL: own.url,
      ...retries,
      CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
    });
    own.to(api.url);
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(String(request.url));
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    const port = await listen(proxy);
    await startWorkerHere(api, {
      ...retries,
      CONCORD_BASE_URL: own.url,
      CONCORD_WEBHOOK_ALLOWED_CIDRS: '',
      CONCORD_WEBHOOK_PROXY_URL: `http://127.0.0.1:${port}`,
    });
    const partner = await createSandboxPartner(api);
    await connected(partner);
    succeed(await partner.create('http://192.0.43.8/'));
    await partner.publish();
    await expect.poll(async () => (await partner.requests()).length).toBe(1);
    expect((await partner.requests())[0].verification.verified).toBe(true);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(['192.0.43.8:80']));
  });
});

it('B12: the newest 50 requests are kept, also when many come at once', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  const send = (number: number) => stage.post(url, JSON.stringify({ number }));
  await atOnce(60, (index) => send(index));
  for (let number = 100; number < 110; number++) await send(number);
  const numbers = (await partner.requests()).map(({ body }: { body: string }) => JSON.parse(body).number);
  expect(numbers).toHaveLength(50);
  expect(numbers.slice(0, 10)).toEqual([109, 108, 107, 106, 105, 104, 103, 102, 101, 100]);
  expect(new Set(numbers).size).toBe(50);
  const id = uuidOf(partner.partner);
  const full = `insert into sandbox_receiver_request (partner_id, slot, number, method, headers, body, received_at, verification)
    values ($1, 50, 100, 'POST', '[]', '', now(), '{}')`;
  await expect(stage.service.sql(full, [id])).rejects.toThrow('slot');
});

it('B12: a request that is no webhook is kept with the step that fails, with its bytes, and without its own headers', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  const broken = Buffer.from([0x7b, 0xff, 0x00]);
  await expectStatus(
    204,
    stage.post(url, broken, {
      authorization: 'Bearer hidden',
      'x-tenant': 'hidden',
      'webhook-id': 'evt_1',
    }),
  );
  await expectStatus(204, stage.post(url, '{"\\u0000":"\\ud800"'));
  // As escapes in JSON, 4 MiB of these would be 24 MiB.
  await expectStatus(204, stage.post(url, '"\x01"'));
  await expectStatus(413, stage.post(url, 'x'.repeat(1_048_577)));
  await expectStatus(415, stage.post(url, 'a', { 'content-type': 'text/plain' }));
  const requests = await partner.requests();
  expect(JSON.stringify(requests)).not.toContain('hidden');
  expect(requests).toMatchObject([
    { body: Buffer.from('"\x01"').toString('base64'), body_encoding: 'base64' },
    {
      body: '{"\\u0000":"\\ud800"',
      body_encoding: 'utf8',
      verification: { verified: false, code: 'signature_missing' },
    },
    {
      method: 'POST',
      body: broken.toString('base64'),
      body_encoding: 'base64',
      verification: { verified: false, step: 'parse', key_id: null, event_id: null, delivery_id: null },
    },
  ]);
});

it('B12: a webhook with a changed body, or of another partner, is not verified', async () => {
  const [partner, stranger] = [await stage.newPartner(), await stage.newPartner()];
  const { url } = await connected(partner);
  const other = await stranger.receiver();
  await partner.publish();
  const { id } = await delivered(partner);
  const { request } = await partner.get(`deliveries/${id}/attempts/1`);
  const kept = ['content-type', 'content-digest', 'webhook-id', 'signature-input', 'signature'];
  const headers = Object.fromEntries(
    request.headers.flatMap(({ name, value }: { name: string; value: string }) =>
      kept.includes(name) ? [[name, value]] : [],
    ),
  );
  await stage.post(url, request.body.replace('Åse', 'Ase'), headers);
  await stage.post(other, request.body, headers);
  expect(pluck(await partner.requests(), 'verification')).toMatchObject([
    { verified: false, code: 'digest_mismatch', delivery_id: null },
    { verified: true, delivery_id: id },
  ]);
  const [strange] = await stranger.requests();
  expect(strange.verification).toMatchObject({
    verified: false,
    code: 'signature_invalid',
    delivery_id: null,
  });
  expect(strange.verification.key_id).toBe((await partner.requests())[0].verification.key_id);
});

it('B12: an event of another partner, whose endpoint may go to any address here, is not verified', async () => {
  const own = await startRelay();
  onTestFinished(own.close);
  const open = await openService({ ...toLoopback, ...retries, CONCORD_BASE_URL: own.url });
  own.to(open.url);
  const [partner, stranger] = [await createSandboxPartner(open), await createSandboxPartner(open)];
  succeed(await stranger.create(await partner.receiver()));
  await stranger.publish();
  await delivered(stranger);
  expect((await partner.requests())[0].verification).toMatchObject({
    verified: false,
    code: 'partner_mismatch',
    delivery_id: null,
  });
});

it('B12: a list has at most 4 MiB of bodies, and a body of 256 KiB fits', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  const body = 'x'.repeat(256 * 1024);
  for (let count = 0; count < 18; count++) await expectStatus(204, stage.post(url, body));
  expect(await partner.requests()).toHaveLength(16);
});

it('B12: requests are deleted with their receiver, and when the retention of events has ended', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  await stage.post(url, {});
  const count = async () =>
    (
      await stage.service.sql('select from sandbox_receiver_request where partner_id = $1', [
        uuidOf(partner.partner),
      ])
    ).length;
  await stage.service.advanceClock(89 * 86_400_000);
  await stage.service.runTask('delete old requests to sandbox receivers');
  expect(await count()).toBe(1);
  await stage.service.advanceClock(91 * 86_400_000);
  await stage.service.runTask('delete old requests to sandbox receivers');
  expect(await count()).toBe(0);
  await stage.service.advanceClock(0);
  await stage.post(url, {});
  succeed(await partner.send('DELETE', 'sandbox-receiver'));
  expect(await count()).toBe(0);
});
