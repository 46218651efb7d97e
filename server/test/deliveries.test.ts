// Deliveries over real sockets: attempts, retries, order, rates, pause and resume, replay and recovery, and what ends an endpoint.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cast, createCast, succeed } from './cast.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { type Received, type Receiver, startReceiver, toLoopback } from './receiver.ts';
import { startTestService, type TestService } from './start-service.ts';

let service: TestService;
let receiver: Receiver;
let mailbox: Mailbox;
let cast: Cast;
beforeAll(async () => {
  mailbox = await startMailbox();
  service = await startTestService({
    ...toLoopback,
    CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms,100ms',
    CONCORD_WEBHOOK_TIMEOUT: '500ms',
    CONCORD_SMTP_URL: mailbox.url,
  });
  receiver = await startReceiver(service.url);
  cast = createCast(service);
});
afterAll(async () => {
  await service.stop();
  await mailbox.close();
  receiver.close();
  expect(receiver.refused).toEqual([]);
});

type Partner = Awaited<ReturnType<typeof newPartner>>;
/** A partner with an endpoint at this URL. */
async function newPartner(url: string, terms: object = {}) {
  const id = await cast.partner();
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    service.request(method, `/partners/${id}/${path}`, { headers, ...(body !== undefined && { body }) });
  const endpoint: string = succeed(await send('POST', 'webhook-endpoints', { url, ...terms })).id;
  const stock = (quantity: number) => ({ type: 'inventory.updated', data: { sku: 'a', quantity } });
  return {
    id,
    send,
    endpoint,
    publish: async (quantity = 1): Promise<string> => succeed(await send('POST', 'events', stock(quantity))).id,
    publishMany: async (count: number) =>
      succeed(
        await send(
          'POST',
          'events/batch',
          Array.from({ length: count }, (_, index) => stock(index)),
        ),
      ),
    deliveries: async (query = '') => succeed(await send('GET', `deliveries${query}`)),
    delivery: async (delivery: string) => succeed(await send('GET', `deliveries/${delivery}`)),
    act: (action: string, body?: unknown) => send('POST', `webhook-endpoints/${endpoint}/${action}`, body),
    read: async () => succeed(await send('GET', `webhook-endpoints/${endpoint}`)),
  };
}
/** The only delivery, when it is in this status. */
async function only(partner: Partner, status: string) {
  await expect.poll(async () => (await partner.deliveries())[0]?.status).toBe(status);
  return partner.delivery((await partner.deliveries())[0].id);
}
const answer =
  (status: number, headers = {}, body = '') =>
  (_: Received, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);
/** The mail behind the invitation. */
async function noticeTo(email: string) {
  await mailbox.next(email);
  return mailbox.next(email);
}
const quantities = (all: Received[]) => all.map(({ event }) => (event.data as { quantity: number }).quantity);

describe('attempts', () => {
  it('W11, W14: a 2xx acknowledges; the delivery and its attempt are there to see', async () => {
    const partner = await newPartner(receiver.url(answer(299, {}, 'thanks\0')));
    const event = await partner.publish();
    const { id, attempts, created_at, completed_at, ...rest } = await only(partner, 'delivered');
    expect(rest).toEqual({
      ...{ event_id: event, event_type: 'inventory.updated', endpoint_id: partner.endpoint, environment: 'live' },
      ...{ status: 'delivered', attempt_count: 1, next_attempt_at: null },
    });
    const [{ started_at, duration_ms, ...attempt }] = attempts;
    expect([attempts.length, attempt]).toEqual([1, { number: 1, status_code: 299, error: null, response_body: 'thanks\ufffd' }]);
    expect([created_at <= started_at, started_at <= completed_at, duration_ms < 500]).toEqual([true, true, true]);
    const { attempts: _, ...listed } = await partner.delivery(id);
    expect(await partner.deliveries()).toEqual([listed]);
  });

  it('W2, W15: what fails is tried again, signed afresh, in the same bytes; then it has failed, and says why', async () => {
    const url = receiver.url(answer(500, {}, 'x'.repeat(20_000)));
    const partner = await newPartner(url);
    await partner.publish();
    const { attempts, attempt_count, next_attempt_at } = await only(partner, 'failed');
    expect([attempt_count, next_attempt_at, attempts.map(({ number }: { number: number }) => number)]).toEqual([
      3,
      null,
      [1, 2, 3],
    ]);
    expect(attempts[0].response_body).toBe('x'.repeat(16 * 1024));
    const all = receiver.at(url);
    expect(all.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(all.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(all.map(({ headers }) => headers.signature)).size).toBe(3);
    // 20 % sooner at the most.
    expect(all[1]!.at - all[0]!.at).toBeGreaterThan(40);
    expect(all[2]!.at - all[1]!.at).toBeGreaterThan(80);
  });

  it('W14: redirects, hanging, resetting and refusing receivers are failed attempts that say so', async () => {
    const cases: [string, number | null, RegExp | null][] = [
      [receiver.url(answer(302, { location: 'http://127.0.0.1:1/' })), 302, /^redirect: /],
      [receiver.url(() => {}), null, /^timeout: /],
      [receiver.url((_, response) => response.destroy()), null, /^connection: /],
      ['http://127.0.0.1:1/', null, /^connection: /],
      ['http://no-such-name.invalid/', null, /^dns: /],
    ];
    for (const [url, statusCode, error] of cases) {
      const partner = await newPartner(url);
      await partner.publish();
      const { attempts } = await only(partner, 'failed');
      expect(attempts[0]).toMatchObject({ status_code: statusCode, error: error ? expect.stringMatching(error) : null });
    }
  });

  it('W21: an address that is no longer allowed is a failed attempt, and is not connected to', async () => {
    const partner = await newPartner('http://127.0.0.1:1/');
    await service.database.sql(
      `update webhook_endpoint set url = 'http://10.0.0.1/' where partner_id in (select partner_id from webhook_endpoint order by created_at desc limit 1)`,
    );
    await partner.publish();
    expect((await only(partner, 'failed')).attempts[0].error).toMatch(/^address_refused: /);
  });

  it('W15: Retry-After of 429 and 503 counts between one step and two', async () => {
    for (const status of [429, 503]) {
      const url = receiver.url(answer(status, { 'retry-after': '60' }));
      const partner = await newPartner(url);
      await partner.publish();
      const [first, second] = await receiver.count(url, 2);
      expect(second!.at - first!.at).toBeGreaterThan(95);
    }
  });

  it('W8: the headers of an endpoint are sent along', async () => {
    const url = receiver.url();
    const partner = await newPartner(url, { headers: { 'X-Key': 'a secret', Authorization: 'Bearer x' } });
    await partner.publish();
    const [got] = await receiver.count(url, 1);
    expect(got?.headers).toMatchObject({ 'x-key': 'a secret', authorization: 'Bearer x' });
    expect(service.logs.join()).not.toContain('a secret');
  });
});

describe('lanes', () => {
  it('W17: strict is first in, first out; one that fails for good lets the next ones go', async () => {
    let failures = 0;
    const url = receiver.url((got, response) => {
      const fails = quantities([got])[0] === 3 && ++failures <= 3;
      response.writeHead(fails ? 500 : 204).end();
    });
    const partner = await newPartner(url, { ordering: 'strict' });
    await partner.publishMany(10);
    await partner.publish(10);
    const all = await receiver.count(url, 13);
    expect(quantities(all)).toEqual([0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10]);
    await expect.poll(async () => (await partner.deliveries('?filter[status]=failed')).length).toBe(1);
  });

  it('W17: an endpoint has no more requests at once than it is allowed', async () => {
    let now = 0;
    let most = 0;
    const url = receiver.url((_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.writeHead(204).end();
      }, 20);
    });
    const partner = await newPartner(url, { max_concurrency: 3 });
    await partner.publishMany(60);
    await receiver.count(url, 60);
    expect(most).toBe(3);
  });

  it('W17: a rate is kept, and costs no attempt', async () => {
    const url = receiver.url();
    const partner = await newPartner(url, { rate_limit_per_second: 20 });
    await partner.publishMany(25);
    const all = await receiver.count(url, 25);
    expect(all.every(({ attempt }) => attempt === 1)).toBe(true);
    // 25 need 24 intervals of 50 ms; what arrives close together was sent apart.
    expect(all[24]!.at - all[0]!.at).toBeGreaterThan(1_150);
    for (let from = 0; from + 21 < 25; from++) expect(all[from + 21]!.at - all[from]!.at).toBeGreaterThan(950);
  });

  it('W8: paused endpoints wait, and go on when resumed; so do those of a deleted partner', async () => {
    const url = receiver.url();
    const partner = await newPartner(url);
    succeed(await partner.act('pause'));
    await partner.publish(1);
    const other = await newPartner(receiver.url());
    await other.publish();
    await only(other, 'delivered');
    expect([receiver.at(url).length, (await partner.deliveries())[0].status]).toEqual([0, 'pending']);
    succeed(await partner.act('resume'));
    await receiver.count(url, 1);
    await only(partner, 'delivered');

    succeed(await partner.act('pause'));
    await partner.publish(2);
    succeed(await service.request('DELETE', `/partners/${partner.id}`));
    await service.database.sql(`update webhook_endpoint set status = 'active' where url = $1`, [url]);
    await service.database.sql(`update lane set next_at = now() where owner is null and next_at = 'infinity'`);
    await other.publish();
    await expect.poll(async () => (await other.deliveries('?filter[status]=delivered')).length).toBe(2);
    expect(receiver.at(url)).toHaveLength(1);
    succeed(await service.request('POST', `/partners/${partner.id}/restore`));
    await receiver.count(url, 2);
  });

  it('W16: deleting an endpoint cancels what waits for it', async () => {
    const partner = await newPartner(receiver.url());
    succeed(await partner.act('pause'));
    await partner.publishMany(3);
    succeed(await partner.send('DELETE', `webhook-endpoints/${partner.endpoint}`));
    const all = await partner.deliveries();
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const replayed = await partner.send('POST', `deliveries/${all[0].id}/replay`);
    expect([replayed.status, replayed.body.code]).toEqual([400, 'endpoint_deleted']);
  });
});

describe('endpoints that end', () => {
  it('W15, W16: 410 disables at once and tells the owners; its deliveries wait, and go on when it is resumed', async () => {
    let gone = true;
    const url = receiver.url((_, response) => response.writeHead(gone ? 410 : 204).end());
    const partner = await newPartner(url);
    const owner = await cast.member(partner.id, { owner: true });
    await cast.member(partner.id);
    await partner.publish();
    const mail = await noticeTo(owner.email);
    expect(mail.subject).toBe('A webhook endpoint of Acme is disabled');
    expect(mail.text).toContain(`http://concord.test/partners/${partner.id}/webhook-endpoints/${partner.endpoint}/resume`);
    expect(await partner.read()).toMatchObject({ status: 'disabled', disabled_reason: 'It answered 410 Gone.' });
    const [row] = await service.database.sql(
      `select actor_id, target from audit_log where action = 'webhook_endpoint.disable' order by position desc limit 1`,
    );
    expect(row).toEqual({ actor_id: 'system', target: partner.endpoint });
    await partner.publish();
    const [first] = await partner.deliveries();
    const refused = await partner.act('recover', { since: '2026-01-01T00:00:00Z' });
    expect([refused.status, refused.body.code]).toEqual([400, 'endpoint_disabled']);
    gone = false;
    const resumed = succeed(await partner.act('resume'));
    expect([resumed.status, resumed.disabled_reason]).toEqual(['active', null]);
    await expect.poll(async () => (await partner.deliveries('?filter[status]=delivered')).length).toBe(2);
    expect((await partner.delivery(first.id)).attempt_count).toBe(2);
  });

  it('W16: 410 of a URL that the endpoint no longer has disables nothing', async () => {
    const gone = Promise.withResolvers<void>();
    const old = receiver.url((_, response) => void gone.promise.then(() => response.writeHead(410).end()));
    const partner = await newPartner(old);
    await partner.publish();
    await receiver.count(old, 1);
    const url = receiver.url();
    succeed(await partner.send('PATCH', `webhook-endpoints/${partner.endpoint}`, { url }));
    gone.resolve();
    await receiver.count(url, 1);
    await only(partner, 'delivered');
    expect((await partner.read()).status).toBe('active');
  });

  it('W16: what is replayed at a disabled endpoint is 400, and so is pausing it', async () => {
    const partner = await newPartner(receiver.url());
    await partner.publish();
    const { id } = await only(partner, 'delivered');
    await service.database.sql(
      `update webhook_endpoint set status = 'disabled', disabled_reason = 'x', disabled_at = now() where partner_id = (select partner_id from webhook_endpoint order by created_at desc limit 1)`,
    );
    for (const refused of [await partner.send('POST', `deliveries/${id}/replay`), await partner.act('pause')])
      expect([refused.status, refused.body.code]).toEqual([400, 'endpoint_disabled']);
  });

  it('W16: five days of nothing but failures disable an endpoint; a success in between begins them anew', async () => {
    let fails = true;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const partner = await newPartner(url);
    const owner = await cast.member(partner.id, { owner: true });
    const since = async () =>
      (
        await service.database.sql(
          `select failing_since, now() - failing_since < interval '1 minute' as fresh from lane join webhook_endpoint on id = endpoint_id where url = $1`,
          [url],
        )
      )[0];
    const age = () =>
      service.database.sql(
        `update lane set failing_since = failing_since - interval '5 days' from webhook_endpoint where id = endpoint_id and url = $1`,
        [url],
      );
    await partner.publish();
    await expect.poll(async () => (await partner.deliveries('?filter[status]=failed')).length).toBe(1);
    expect((await since()).fresh).toBe(true);
    fails = false;
    await age();
    await partner.publish();
    await expect.poll(async () => (await partner.deliveries('?filter[status]=delivered')).length).toBe(1);
    expect((await since()).failing_since).toBeNull();
    fails = true;
    await partner.publish();
    await expect.poll(async () => (await partner.deliveries('?filter[status]=failed')).length).toBe(2);
    expect((await partner.read()).status).toBe('active');
    await age();
    await partner.publish();
    await noticeTo(owner.email);
    expect(await partner.read()).toMatchObject({ status: 'disabled', disabled_reason: 'Every attempt failed for five days.' });
    succeed(await partner.act('resume'));
    expect((await since()).failing_since === null || (await since()).fresh).toBe(true);
  });
});

describe('again', () => {
  it('W11: a replay is a new round of the same delivery; of one that is pending nothing changes', async () => {
    let fails = true;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const partner = await newPartner(url);
    await partner.publish();
    const { id } = await only(partner, 'failed');
    const replay = (headers = {}) => partner.send('POST', `deliveries/${id}/replay`, undefined, headers);
    succeed(await replay());
    await receiver.count(url, 6);
    expect((await only(partner, 'failed')).attempt_count).toBe(6);
    succeed(await partner.act('pause'));
    const pending = succeed(await replay({ 'idempotency-key': 'r' }));
    expect(pending).toMatchObject({ status: 'pending', completed_at: null, attempt_count: 6 });
    expect(succeed(await replay())).toEqual(pending);
    fails = false;
    succeed(await partner.act('resume'));
    const { attempts } = await only(partner, 'delivered');
    expect(attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(receiver.at(url).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(succeed(await replay({ 'idempotency-key': 'r' }))).toEqual(pending);
    succeed(await replay());
    await receiver.count(url, 8);
  });

  it('W11: a recovery replays what failed in a time, all of it, and nothing else', async () => {
    let fails = true;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const partner = await newPartner(url);
    await partner.publish(1_000_000);
    await only(partner, 'failed');
    const since = new Date().toISOString();
    await partner.publishMany(550);
    await partner.publishMany(50);
    await expect.poll(async () => (await partner.deliveries('?filter[status]=failed')).length, { timeout: 25_000 }).toBe(601);
    fails = false;
    const started = await partner.act('recover', { since });
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({ endpoint_id: partner.endpoint, status: 'running', since, total: 600, replayed: 0 });
    const job = String(started.headers.location).replace(`/partners/${partner.id}/`, '');
    await expect.poll(async () => succeed(await partner.send('GET', job)).status).toBe('completed');
    expect(succeed(await partner.send('GET', job))).toMatchObject({ total: 600, replayed: 600 });
    await expect.poll(async () => (await partner.deliveries('?filter[status]=delivered')).length, { timeout: 25_000 }).toBe(600);
    expect(await partner.deliveries('?filter[status]=failed')).toHaveLength(1);
    const nothing = succeed(await partner.act('recover', { since, until: since }));
    expect(nothing.total).toBe(0);
    await expect.poll(() => service.database.sql('select from recovery where completed_at is null')).toEqual([]);
    expect(succeed(await partner.act('recover', { since: '0001-01-01T00:00:00Z' })).total).toBe(1);
    const backwards = await partner.act('recover', { since, until: '1969-12-31T00:00:00Z' });
    expect(backwards.status).toBe(400);
    for (const body of [{}, { since: 'x' }, { since, until: 5 }, { since, more: 1 }])
      expect((await partner.act('recover', body)).status).toBe(400);
  });

  it('W11: beyond 200 attempts there is no new round', async () => {
    const partner = await newPartner(receiver.url());
    await partner.publish();
    const { id } = await only(partner, 'delivered');
    const set = (count: number) =>
      service.database.sql(
        `update delivery set attempt_count = $1 where id = (select id from delivery order by id desc limit 1)`,
        [count],
      );
    await set(200);
    const refused = await partner.send('POST', `deliveries/${id}/replay`);
    expect([refused.status, refused.body.code]).toEqual([400, 'limit_reached']);
    await set(199);
    succeed(await partner.send('POST', `deliveries/${id}/replay`));
    await only(partner, 'delivered');
  });

  it('C1: a replay, a recovery and a test event keep to If-Match', async () => {
    const partner = await newPartner(receiver.url(), { environment: 'sandbox' });
    succeed(await partner.act('test'));
    const { id } = await only(partner, 'delivered');
    const path = `deliveries/${id}`;
    const other = { 'if-match': '"other"' };
    const tag = String((await partner.send('GET', path)).headers.etag);
    const endpoint = `webhook-endpoints/${partner.endpoint}`;
    const endpointTag = String((await partner.send('GET', endpoint)).headers.etag);
    const since = { since: '2026-01-01T00:00:00Z' };
    for (const [action, body, good] of [
      [`${path}/replay`, undefined, tag],
      [`${endpoint}/recover`, since, endpointTag],
      [`${endpoint}/test`, undefined, endpointTag],
    ] as const) {
      expect([action, (await partner.send('POST', action, body, other)).status]).toEqual([action, 412]);
      expect((await partner.send('POST', action, body, { 'if-match': good })).status).toBeLessThan(300);
    }
  });

  it('W8: a test event goes to one sandbox endpoint, to a live one it is 400', async () => {
    const url = receiver.url();
    const other = receiver.url();
    const partner = await newPartner(url, { environment: 'sandbox', event_types: ['order.status_changed'] });
    succeed(await partner.send('POST', 'webhook-endpoints', { url: other, environment: 'sandbox' }));
    const { status, body } = await partner.act('test');
    expect([status, body.type, body.environment]).toEqual([202, 'order.status_changed', 'sandbox']);
    const [got] = await receiver.count(url, 1);
    expect([got?.event.id, got?.event.environment]).toEqual([body.id, 'sandbox']);
    expect(receiver.at(other)).toHaveLength(0);
    const live = await newPartner(receiver.url());
    const refused = await live.act('test');
    expect([refused.status, refused.body.code]).toEqual([400, 'endpoint_live']);
  });
});

it('W11: deliveries are filtered by status, endpoint, event, type and time', async () => {
  const partner = await newPartner(receiver.url());
  const more = succeed(await partner.send('POST', 'webhook-endpoints', { url: receiver.url(answer(500)) })).id;
  const first = await partner.publish();
  const second = await partner.publish();
  await expect.poll(async () => (await partner.deliveries('?filter[status]=failed')).length).toBe(2);
  await expect.poll(async () => (await partner.deliveries('?filter[status]=delivered')).length).toBe(2);
  const count = async (query: string) => (await partner.deliveries(query)).length;
  expect(await count(`?filter[endpoint_id]=${more}`)).toBe(2);
  expect(await count(`?filter[event_id]=${first}`)).toBe(2);
  expect(await count(`?filter[event_id]=${second}&filter[endpoint_id]=${more}&filter[status]=failed`)).toBe(1);
  expect(await count('?filter[event_type]=inventory.updated')).toBe(4);
  expect(await count('?filter[event_type]=order.status_changed')).toBe(0);
  for (const none of ['endpoint_id', 'event_id']) expect(await count(`?filter[${none}]=nonsense`)).toBe(0);
  const [{ created_at: at }, , { created_at: later }] = await partner.deliveries();
  const of = (range: string) => count(`?filter[created_at]=${encodeURIComponent(range)}`);
  expect(await of(`${at}..`)).toBe(4);
  expect(await of(`..${at}`)).toBe(0);
  expect([await of('0001-01-01T00:00:00Z..'), await of('..1969-12-31T00:00:00Z')]).toEqual([4, 0]);
  expect(await of(`${at}..${later}`)).toBe(2);
  for (const bad of ['..', at, `${at}..${at}..`, 'a..b', '2026..'])
    expect((await partner.send('GET', `deliveries?filter[created_at]=${bad}`)).status).toBe(400);
  const page = await partner.send('GET', 'deliveries?page_size=3&sort_dir=desc');
  expect([page.body.length, page.headers['total-count']]).toEqual([3, undefined]);
  const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? '';
  const rest = (await service.request('GET', next)).body;
  expect([...page.body, ...rest]).toEqual((await partner.deliveries()).toReversed());
});
