// Listeners: a command on the machine of a developer fetches the requests of a sandbox endpoint, and answers them.

import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createKeyCache, verifyWebhook, type WebhookEvent } from '@concord/webhook-receiver';
import { expect, it, onTestFinished } from 'vitest';
import type { Granted } from '../../../src/access/index.ts';
import { createListen } from '../../../src/base/postgres/notifications.ts';
import type { EndpointRow } from '../../../src/webhooks/endpoints/store.ts';
import { createListeners } from '../../../src/webhooks/tools/listeners/listeners.ts';
import { createRelay } from '../../../src/webhooks/tools/listeners/relay.ts';
import { createCast, expectStatus, may, succeed, useCast, uuidOf } from '../../stage/cast.ts';
import { hold, untilWaiting } from '../../stage/locks.ts';
import { openService, startBeside } from '../../stage/start-service.ts';
import { type ListenerRequest, openStream } from './listener-stream.ts';

const { service, cast } = useCast();
const url = 'http://localhost:4000/hooks?tenant=a%20b';
const stock = { type: 'inventory.updated', environment: 'sandbox', data: { sku: 'a', quantity: 1 } };

async function listen(partner: string, members: object = {}) {
  const endpoint = succeed(
    await service.post(`/partners/${partner}/listeners`, { forward_to: url, ...members }),
  );
  return endpoint.id as string;
}

const open = (
  partner: string,
  endpoint: string,
  token = service.operatorToken,
  at: Parameters<typeof openStream>[0] = service,
) => openStream(at, partner, endpoint, token);

const answer = (
  partner: string,
  endpoint: string,
  request: ListenerRequest | null,
  body: object,
  at: Poster = service,
) =>
  at.post(`/partners/${partner}/listeners/${endpoint}/requests/${request?.id}/answer`, {
    duration_ms: 12,
    ...body,
  });

type Poster = Pick<typeof service, 'post'>;

const deliveryOf = async (partner: string, id: string | undefined) =>
  succeed(await service.get(`/partners/${partner}/deliveries/${id}`));

const attemptOf = async (
  partner: string,
  request: ListenerRequest | null,
  at: Pick<typeof service, 'get'> = service,
) => {
  const read = async () =>
    succeed(await at.get(`/partners/${partner}/deliveries/${request?.delivery_id}`)).attempts;
  await expect.poll(async () => (await read()).length).toBe(1);
  return (await read())[0];
};

it('W64: a listener gets requests that are signed for the URL it forwards to, and its answers are recorded', async () => {
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const headers = { 'x-tenant': 'hidden' };
  succeed(await service.patch(`/partners/${partner}/webhook-endpoints/${endpoint}`, { headers }));
  const stream = await open(partner, endpoint);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const request = await stream.next();
  expect(request?.url).toBe(url);
  expect(JSON.stringify(request)).not.toContain('hidden');
  const { event } = await verifyWebhook<WebhookEvent>(
    {
      method: 'POST',
      url,
      headers: Object.fromEntries(request?.headers.map(({ name, value }) => [name, value]) ?? []),
      body: Buffer.from(request?.body ?? ''),
    },
    {
      keys: createKeyCache({ url: `${service.url}/sandbox/.well-known/jwks.json`, allowHttp: true }),
      anyPartner: true,
    },
  );
  expect(event).toMatchObject({ type: stock.type, data: stock.data });
  await expectStatus(204, answer(partner, endpoint, request, { status: 202, body: 'taken' }));
  await expect.poll(async () => (await deliveryOf(partner, request?.delivery_id)).status).toBe('delivered');
  const { attempts } = await deliveryOf(partner, request?.delivery_id);
  expect(attempts).toMatchObject([{ status_code: 202, response_body: 'taken', duration_ms: 12 }]);
  await expectStatus(404, answer(partner, endpoint, request, { status: 200 }));
  stream.leave();
});

it('W64: what has no answer when a stream is cut comes again in the next one, and only that', async () => {
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const first = await open(partner, endpoint);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  await expectStatus(204, answer(partner, endpoint, await first.next(), { status: 204 }));
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const cut = await first.next();
  first.leave();
  const second = await open(partner, endpoint);
  expect(await second.next()).toEqual(cut);
  await expectStatus(204, answer(partner, endpoint, cut, { status: 500, body: 'boom\0' }));
  expect((await attemptOf(partner, cut)).response_body).toBe('boom\ufffd');
  const third = await open(partner, endpoint);
  expect(await second.next()).toBeNull();
  third.leave();
});

it('W64, E1: a fault of the URL names forward_to', async () => {
  const answer = await service.post(`/partners/${await cast.partner()}/listeners`, {
    forward_to: 'localhost',
  });
  expect(answer.body.errors).toEqual([
    { pointer: '/forward_to', code: 'invalid_value', message: 'forward_to must be an absolute URL' },
  ]);
});

it('W64, W24: an error of the command is a failed attempt, and one line', async () => {
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const stream = await open(partner, endpoint);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const refused = await stream.next();
  await expectStatus(400, answer(partner, endpoint, refused, {}));
  const error = ' refused\r\ntls: \u202eno\u2028';
  await expectStatus(204, answer(partner, endpoint, refused, { error }));
  expect((await attemptOf(partner, refused)).error).toBe('connection: refused tls: no');
  stream.leave();
});

it('W64: no answer in time is a failed attempt', async () => {
  const hasty = await openService({ CONCORD_WEBHOOK_TIMEOUT: '300ms' });
  const partner = await createCast(hasty).partner();
  const add = async () =>
    succeed(await hasty.post(`/partners/${partner}/listeners`, { forward_to: url })).id as string;
  const [endpoint, patient] = [await add(), await add()];
  succeed(await hasty.patch(`/partners/${partner}/webhook-endpoints/${patient}`, { timeout_seconds: 30 }));
  const stream = await open(partner, endpoint, hasty.operatorToken, hasty);
  succeed(await hasty.post(`/partners/${partner}/events`, stock));
  const ignored = await stream.next();
  expect((await attemptOf(partner, ignored, hasty)).error).toMatch(/^timeout: /);
  const waiting = 'select from listener_request where endpoint_id = $1';
  expect(await hasty.sql(waiting, [uuidOf(endpoint)])).toEqual([]);
  // That of another listener still waits.
  const other = await open(partner, patient, hasty.operatorToken, hasty);
  const kept = await other.next();
  expect(kept).toMatchObject({ attempt: 1 });
  // A stop waits for what is in flight.
  succeed(await answer(partner, patient, kept, { status: 204 }, hasty));
  other.leave();
  stream.leave();
});

it('W64: a stream ends before the next request when its caller has lost access', async () => {
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const member = await cast.member(partner, may('webhook_endpoints'));
  const stream = await open(partner, endpoint, member.token);
  await service.sql('delete from auth.session where user_id = $1', [member.id]);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  expect(await stream.next()).toBeNull();
});

it('W64: access that is lost while a stream takes a request counts, and the request waits for the next stream', async () => {
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const member = await cast.member(partner, may('webhook_endpoints'));
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const waiting = () =>
    service.sql('select from listener_request where endpoint_id = $1', [uuidOf(endpoint)]);
  await expect.poll(waiting).toHaveLength(1);
  const holder = await hold(service.database, 'lock table listener_request in exclusive mode');
  const stream = await open(partner, endpoint, member.token);
  await untilWaiting(service.database, 1, 'update listener_request');
  await service.sql('delete from auth.session where user_id = $1', [member.id]);
  await holder.end();
  expect(await stream.next()).toBeNull();
  const next = await open(partner, endpoint);
  expect(await next.next()).toMatchObject({ event_type: stock.type });
  next.leave();
});

it('W64, T8: a HEAD of the stream ends no open one', async () => {
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const stream = await open(partner, endpoint);
  const head = await service.request('HEAD', `/partners/${partner}/listeners/${endpoint}/requests`);
  expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  expect(await stream.next()).toMatchObject({ event_type: stock.type });
  stream.leave();
});

it('W64: a request reaches a stream of another instance, and its answer comes back', async () => {
  const other = await openService({
    DATABASE_URL: service.database.url,
    CONCORD_ROLE: 'api',
  });
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const stream = await open(partner, endpoint, service.operatorToken, other);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const request = await stream.next();
  const path = `/partners/${partner}/listeners/${endpoint}/requests/${request?.id}/answer`;
  await expectStatus(204, other.post(path, { status: 204, duration_ms: 1 }, service.operatorToken));
  await expect.poll(async () => (await deliveryOf(partner, request?.delivery_id)).status).toBe('delivered');
  stream.leave();
});

it('W64: a listener without a command for five minutes is deleted, and no other endpoint is', async () => {
  const partner = await cast.partner();
  const [gone, here] = [await listen(partner), await listen(partner)];
  await service.sql(
    `update webhook_endpoint set listener_seen_at = concord_now() - interval '6 minutes' where id = $1`,
    [uuidOf(gone)],
  );
  const stream = await open(partner, here);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const request = await stream.next();
  await service.runTask('delete listeners without a command');
  await expectStatus(404, service.get(`/partners/${partner}/webhook-endpoints/${gone}`));
  await expectStatus(204, answer(partner, here, request, { status: 204 }));
  stream.leave();
  const log = succeed(
    await service.get(`/partners/${partner}/audit-log?filter[action]=webhook_endpoint.delete`),
  );
  expect(log).toMatchObject([{ target: gone }]);
});

it('W64: a stream ends when the next one begins at another instance', async () => {
  const other = await startBeside(service, { CONCORD_ROLE: 'api' });
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  const first = await open(partner, endpoint);
  const second = await open(partner, endpoint, service.operatorToken, other);
  const begun = performance.now();
  expect(await first.next()).toBeNull();
  // By itself it ends after a minute.
  expect(performance.now() - begun).toBeLessThan(20_000);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const request = await second.next();
  await expectStatus(204, answer(partner, endpoint, request, { status: 204 }));
  second.leave();
});

/** Streams of a listener at an instance of their own. */
async function streamsOfOne() {
  const endpoint = await listen(await cast.partner());
  const db = service.database.open();
  const onFault = (error: unknown) => expect(error).toBeUndefined();
  const listenTo = createListen({ connectionString: service.database.url });
  const relay = createRelay({ db, listen: listenTo, onFault });
  await relay.start();
  onTestFinished(async () => {
    await relay.stop();
    await db.close();
  });
  const listeners = createListeners({ db, relay } as Parameters<typeof createListeners>[0]);
  const row = { endpoint_id: uuidOf(endpoint), listener: true };
  const open = () => listeners.stream({ row } as Granted<EndpointRow>, async () => {});
  return { open, stop: listeners.stop, ask: relay.ask };
}

it('W64: a request to an endpoint that was deleted meanwhile waits for nobody, and is no failure of Concord', async () => {
  const { ask } = await streamsOfOne();
  const [id, endpoint_id, event_id] = [randomUUID(), randomUUID(), randomUUID()];
  const request = { id, endpoint_id, event_id, batch_id: null, attempt: 1, url: new URL(url), headers: {} };
  expect(await ask({ ...request, payload: 'full', timeoutMs: 3_600_000 })).toMatchObject({
    kind: 'failed',
    reason: 'timeout',
  });
});

it('W64: a stream whose reader takes nothing is cut off when the next one begins', async () => {
  const { open } = await streamsOfOne();
  const [first, second] = [await open(), await open()];
  // By itself it ends after a minute.
  await expect.poll(() => first.destroyed, { timeout: 40_000 }).toBe(true);
  expect(second.destroyed).toBe(false);
  second.destroy();
});

it('W64, O55: a stream that begins while its instance stops ends at once', async () => {
  const { open, stop } = await streamsOfOne();
  await stop();
  expect(await text(await open())).toBe('retry: 1000\n\n');
});

it('W64: an instance that stops leaves no request that nobody waits for', async () => {
  const api = await openService({ CONCORD_ROLE: 'api' });
  const worker = await startBeside(api, { CONCORD_ROLE: 'worker' });
  const partner = await createCast(api).partner();
  const { id } = succeed(await api.post(`/partners/${partner}/listeners`, { forward_to: url }));
  const stream = await open(partner, id, api.operatorToken, api);
  succeed(await api.post(`/partners/${partner}/events`, stock));
  await stream.next();
  await worker.stop();
  expect(await api.sql('select from listener_request')).toEqual([]);
  stream.leave();
});

it('W64: a command that comes back while its listener is deleted is told so', async () => {
  const partner = await cast.partner();
  const endpoint = await listen(partner);
  await service.sql(
    `update webhook_endpoint set listener_seen_at = concord_now() - interval '6 minutes' where id = $1`,
    [uuidOf(endpoint)],
  );
  const publisher = await hold(
    service.database,
    `select pg_advisory_xact_lock_shared(hashtextextended('concord publishing ' || $1::text, 0))`,
    [uuidOf(partner)],
  );
  const deleting = service.runTask('delete listeners without a command');
  await untilWaiting(service.database, 1);
  const stream = service.get(`/partners/${partner}/listeners/${endpoint}/requests`);
  await untilWaiting(service.database, 2);
  await publisher.end();
  await deleting;
  await expectStatus(404, stream);
});

it('W64: another endpoint has no stream, and no request of another listener can be answered', async () => {
  const partner = await cast.partner();
  const others = await listen(partner);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  // The oldest request is of the other one.
  await expect
    .poll(() => service.sql('select from listener_request where endpoint_id = $1', [uuidOf(others)]))
    .toHaveLength(1);
  const mine = await listen(partner);
  const stream = await open(partner, mine);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  const request = await stream.next();
  expect((await deliveryOf(partner, request?.delivery_id)).endpoint_id).toBe(mine);
  await expectStatus(404, answer(partner, others, request, { status: 200 }));
  await expectStatus(204, answer(partner, mine, request, { status: 200 }));
  const url = 'https://hooks.example.com/';
  const ordinary = succeed(await service.post(`/partners/${partner}/webhook-endpoints`, { url })).id;
  await expectStatus(400, service.get(`/partners/${partner}/listeners/${ordinary}/requests`));
  stream.leave();
});
