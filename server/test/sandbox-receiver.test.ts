// The sandbox receiver of a partner. The base URL is a loopback address: no other webhook may go there.
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseId } from '../src/base/ids.ts';
import { expectStatus, pluck, succeed } from './cast.ts';
import { hold } from './locks.ts';
import { toLoopback } from './receiver.ts';
import { startRelay } from './relay.ts';
import { secrets, startTestService, type TestService } from './start-service.ts';
import { startWorker } from './webhook-stage.ts';

const retries = { CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms' };
const soon = { timeout: 30_000 };
let relay: Awaited<ReturnType<typeof startRelay>>;
let service: TestService;
beforeAll(async () => {
  relay = await startRelay();
  service = await startTestService({ CONCORD_BASE_URL: relay.url, ...retries });
  relay.to(service.url);
});
afterAll(async () => {
  await service.stop();
  relay.close();
});

async function newPartner(at = service) {
  const partner: string = succeed(await at.request('POST', '/partners', { body: { name: 'Acme' } })).id;
  const send = (method: string, path: string, body?: unknown) =>
    at.request(method, `/partners/${partner}/${path}`, body === undefined ? {} : { body });
  return {
    partner,
    send,
    receiver: async (): Promise<string> => succeed(await send('PUT', 'sandbox-receiver')).url,
    requests: async () => succeed(await send('GET', 'sandbox-receiver/requests')),
    create: (url: string, terms: object = {}) =>
      send('POST', 'webhook-endpoints', { url, environment: 'sandbox', ...terms }),
    deliveries: async () => succeed(await send('GET', 'deliveries')),
    publish: (environment = 'sandbox', quantity = 1) =>
      send('POST', 'events', { type: 'inventory.updated', environment, data: { sku: 'Åse', quantity } }),
  };
}
type Partner = Awaited<ReturnType<typeof newPartner>>;

/** Creates an endpoint at the receiver. */
async function connected(partner: Partner, terms: object = {}) {
  const url = await partner.receiver();
  return { url, endpoint: succeed(await partner.create(url, terms)).id as string };
}
async function delivered(partner: Partner) {
  await expect.poll(async () => (await partner.deliveries())[0]?.status, soon).toBe('delivered');
  return (await partner.deliveries())[0];
}
const post = (url: string, body: unknown, headers = {}) =>
  service.request('POST', new URL(url).pathname, { token: null, body, headers });

describe('B10: the receiver', () => {
  it('B10: PUT creates one receiver with a random URL, GET shows it, DELETE ends it, and both are in the audit log', async () => {
    const partner = await newPartner();
    await expectStatus(404, partner.send('GET', 'sandbox-receiver'));
    await expectStatus(404, partner.send('GET', 'sandbox-receiver/requests'));
    const [one, two] = await Promise.all([
      partner.send('PUT', 'sandbox-receiver'),
      partner.send('PUT', 'sandbox-receiver'),
    ]);
    expect([one.status, two.status, two.body]).toEqual([200, 200, one.body]);
    expect(one.body.url).toMatch(new RegExp(`^${relay.url}/console/receiver/[\\w-]{32}$`));
    expect((await partner.send('GET', 'sandbox-receiver')).body).toEqual(one.body);
    expect(await partner.requests()).toEqual([]);
    await expectStatus(204, partner.send('DELETE', 'sandbox-receiver'));
    await expectStatus(404, partner.send('DELETE', 'sandbox-receiver'));
    expect(await partner.receiver()).not.toBe(one.body.url);
    const log = succeed(await partner.send('GET', 'audit-log'));
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
    const partner = await newPartner();
    const url = await partner.receiver();
    const path = new URL(url).pathname;
    for (const wrong of [
      path.slice(0, -1),
      `${path}x`,
      `${path}/`,
      `${path.slice(0, -32)}${'A'.repeat(32)}`,
      '/console/receiver/',
    ])
      expect([wrong, (await service.post(wrong, {}, null)).status]).toEqual([wrong, 404]);
    await expectStatus(404, service.get(path, null));
    for (const method of ['PUT', 'DELETE'])
      await expectStatus(405, service.request(method, path, { token: null }));
    expect(await partner.requests()).toEqual([]);
    await expectStatus(204, post(url, {}));
    expect(await partner.requests()).toHaveLength(1);
    succeed(await service.remove(`/partners/${partner.partner}`));
    await expectStatus(404, post(url, {}));
  });

  it('B10: requests above the window are 429 by receiver, and requests to unknown receivers by address', async () => {
    const limited = await startTestService({ CONCORD_RATE_LIMIT: '20/600s', CONCORD_BASE_URL: relay.url });
    try {
      const [busy, quiet] = [await newPartner(limited), await newPartner(limited)];
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
    } finally {
      await limited.stop();
    }
  });
});

describe('B11: the exemption', () => {
  it('B11: a sandbox endpoint may have exactly the URL of the receiver, and gets its webhooks', async () => {
    const partner = await newPartner();
    const { url, endpoint } = await connected(partner);
    expect(succeed(await partner.send('GET', `webhook-endpoints/${endpoint}`)).url).toBe(url);
    succeed(await partner.send('POST', `webhook-endpoints/${endpoint}/test`));
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
    const attempt = succeed(await partner.send('GET', `deliveries/${id}/attempts/1`));
    expect(request.verification.key_id).toBe(attempt.key_id);
    expect(request.body).toBe(attempt.request.body);
    const names = request.headers.map(({ name }: { name: string }) => name.toLowerCase());
    expect(names).toEqual(
      expect.arrayContaining(['host', 'content-type', 'webhook-id', 'signature', 'signature-input']),
    );
  });

  it('B11: every other URL, environment and partner is refused as before', async () => {
    const [partner, stranger] = [await newPartner(), await newPartner()];
    const url = await partner.receiver();
    await stranger.receiver();
    const { port } = relay;
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
        `${relay.url}/health/live`,
      ].map((each): [Partner, string] => [partner, each]),
    ];
    for (const [who, text, terms] of wrong)
      expect([text, (await who.create(text, terms)).status]).toEqual([text, 400]);
    const ordinary = succeed(await partner.create('https://hooks.example.com/')).id;
    const live = succeed(await partner.create('https://hooks.example.com/', { environment: 'live' })).id;
    const move = (id: string, to: string) => partner.send('PATCH', `webhook-endpoints/${id}`, { url: to });
    await expectStatus(400, move(live, url));
    await expectStatus(400, move(ordinary, `${url}/`));
    await expectStatus(200, move(ordinary, url));
  });

  it('B11: the exemption is decided at each attempt: another path in the row, another partner, and a receiver that is gone', async () => {
    const [partner, stranger] = [await newPartner(), await newPartner()];
    const { url, endpoint } = await connected(partner);
    const elsewhere = await connected(stranger);
    const setUrl = (to: string, environment = 'sandbox') =>
      service.sql('update webhook_endpoint set url = $2, environment = $3 where id = $1', [
        parseId('webhook_endpoint', endpoint),
        to,
        environment,
      ]);
    const fails = async (to: string, environment = 'sandbox') => {
      await setUrl(to, environment);
      const event = succeed(await partner.publish(environment)).id;
      const path = `deliveries?filter[event_id]=${event}`;
      await expect.poll(async () => succeed(await partner.send('GET', path))[0]?.status, soon).toBe('failed');
      const { id } = succeed(await partner.send('GET', path))[0];
      const { attempts } = succeed(await partner.send('GET', `deliveries/${id}`));
      expect([to, attempts.map(({ error }: { error: string }) => error.split(':')[0])]).toEqual([
        to,
        ['address_refused', 'address_refused'],
      ]);
    };
    await fails(`${url}/`);
    await fails(elsewhere.url);
    await fails(url, 'live');
    await setUrl(url);
    await partner.publish();
    await expect.poll(async () => (await partner.requests()).length, soon).toBe(1);
    succeed(await partner.send('DELETE', 'sandbox-receiver'));
    await fails(url);
    expect(await stranger.requests()).toEqual([]);
  });

  it('B11: a worker process behind an egress proxy sends to the receiver directly, and to nothing else', {
    timeout: 120_000,
  }, async () => {
    const own = await startRelay();
    const api = await startTestService({
      CONCORD_ROLE: 'api',
      CONCORD_SECRETS: secrets,
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
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { port: number };
    try {
      const worker = await startWorker(api, {
        ...retries,
        CONCORD_BASE_URL: own.url,
        CONCORD_WEBHOOK_ALLOWED_CIDRS: '',
        CONCORD_WEBHOOK_PROXY_URL: `http://127.0.0.1:${port}`,
      });
      const partner = await newPartner(api);
      await connected(partner);
      succeed(await partner.create('http://192.0.43.8/'));
      await partner.publish();
      await expect.poll(async () => (await partner.requests()).length, soon).toBe(1);
      expect((await partner.requests())[0].verification.verified).toBe(true);
      await expect.poll(() => asked.length, soon).toBeGreaterThan(0);
      expect(new Set(asked)).toEqual(new Set(['192.0.43.8:80']));
      worker.child.kill('SIGTERM');
      await worker.ended;
    } finally {
      proxy.close();
      await api.stop();
      own.close();
    }
  });
});

describe('B12: what is kept', () => {
  it('B12: the newest 50 requests are kept, also when many come at once', async () => {
    const partner = await newPartner();
    const url = await partner.receiver();
    const send = (number: number) => post(url, JSON.stringify({ number }));
    await Promise.all(Array.from({ length: 60 }, (_, index) => send(index)));
    for (let number = 100; number < 110; number++) await send(number);
    const numbers = (await partner.requests()).map(({ body }: { body: string }) => JSON.parse(body).number);
    expect(numbers).toHaveLength(50);
    expect(numbers.slice(0, 10)).toEqual([109, 108, 107, 106, 105, 104, 103, 102, 101, 100]);
    expect(new Set(numbers).size).toBe(50);
    const id = parseId('partner', partner.partner);
    const full = `insert into sandbox_receiver_request (partner_id, slot, number, method, headers, body, received_at, verification)
      values ($1, 50, 100, 'POST', '[]', '', now(), '{}')`;
    await expect(service.sql(full, [id])).rejects.toThrow('slot');
  });

  it('B12: a request that is no webhook is kept with the step that fails, with its bytes, and without its own headers', async () => {
    const partner = await newPartner();
    const url = await partner.receiver();
    const broken = Buffer.from([0x7b, 0xff, 0x00]);
    await expectStatus(
      204,
      post(url, broken, {
        authorization: 'Bearer hidden',
        'x-tenant': 'hidden',
        'webhook-id': 'evt_1',
      }),
    );
    await expectStatus(204, post(url, '{"\\u0000":"\\ud800"'));
    await expectStatus(413, post(url, 'x'.repeat(270_000)));
    await expectStatus(415, post(url, 'a', { 'content-type': 'text/plain' }));
    const requests = await partner.requests();
    expect(JSON.stringify(requests)).not.toContain('hidden');
    expect(requests).toMatchObject([
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
    const [partner, stranger] = [await newPartner(), await newPartner()];
    const { url } = await connected(partner);
    const other = await stranger.receiver();
    await partner.publish();
    const { id } = await delivered(partner);
    const { request } = succeed(await partner.send('GET', `deliveries/${id}/attempts/1`));
    const kept = ['content-type', 'content-digest', 'webhook-id', 'signature-input', 'signature'];
    const headers = Object.fromEntries(
      request.headers.flatMap(({ name, value }: { name: string; value: string }) =>
        kept.includes(name) ? [[name, value]] : [],
      ),
    );
    await post(url, request.body.replace('Åse', 'Ase'), headers);
    await post(other, request.body, headers);
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
    const open = await startTestService({ ...toLoopback, ...retries, CONCORD_BASE_URL: own.url });
    own.to(open.url);
    try {
      const [partner, stranger] = [await newPartner(open), await newPartner(open)];
      succeed(await stranger.create(await partner.receiver()));
      await stranger.publish();
      await delivered(stranger);
      expect((await partner.requests())[0].verification).toMatchObject({
        verified: false,
        code: 'partner_mismatch',
        delivery_id: null,
      });
    } finally {
      await open.stop();
      own.close();
    }
  });

  it('B12: a list has at most 4 MiB of bodies, and a body of 256 KiB fits', async () => {
    const partner = await newPartner();
    const url = await partner.receiver();
    const body = 'x'.repeat(256 * 1024);
    for (let count = 0; count < 18; count++) await expectStatus(204, post(url, body));
    expect(await partner.requests()).toHaveLength(16);
  });

  it('B12: requests are deleted with their receiver, and when the retention of events has ended', async () => {
    const partner = await newPartner();
    const url = await partner.receiver();
    await post(url, {});
    const count = async () =>
      (
        await service.sql('select from sandbox_receiver_request where partner_id = $1', [
          parseId('partner', partner.partner),
        ])
      ).length;
    await service.advanceClock(89 * 86_400_000);
    await service.runTask('delete old requests to sandbox receivers');
    expect(await count()).toBe(1);
    await service.advanceClock(91 * 86_400_000);
    await service.runTask('delete old requests to sandbox receivers');
    expect(await count()).toBe(0);
    await service.advanceClock(0);
    await post(url, {});
    succeed(await partner.send('DELETE', 'sandbox-receiver'));
    expect(await count()).toBe(0);
  });
});
