// Traces of the real program, taken by a collector.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { expectStatus } from '../stage/cast.ts';
import { launch, newScratchDir, signIn } from '../stage/launch.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { createClient, createTestDatabase } from '../stage/start-service.ts';
import { type CollectedSpan, startCollector } from './collector.ts';

const password = 'correct horse battery';
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
const quickly = { OTEL_BSP_SCHEDULE_DELAY: '50' };
const secretText = 'text-that-only-a-parameter-has';

async function start(environment: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const program = launch({
    ...toLoopback,
    ...quickly,
    DATABASE_URL: database.url,
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_RATE_LIMIT: 'off',
    CONCORD_LOG_LEVEL: 'info',
    ...environment,
  });
  const url = await program.ready();
  const session = await signIn(url, password);
  const client = createClient(url);
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    client.request(method, path, { token: session.token, headers, body });
  onTestFinished(() => {
    session.close();
    client.close();
  });
  return {
    ...program,
    url,
    database,
    send,
    token: session.token,
    async stop() {
      program.child.kill('SIGTERM');
      expect(await program.ended).toBe(0);
      await database.drop();
    },
  };
}

async function startTraced(environment: Record<string, string> = {}) {
  const collector = await startCollector();
  onTestFinished(collector.close);
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment });
  const find = (name: string, matches: (span: CollectedSpan) => boolean = () => true) =>
    expect
      .poll(() => collector.spans.find((span) => span.name === name && matches(span)))
      .toBeDefined()
      .then(() => collector.spans.find((span) => span.name === name && matches(span))!);
  return { ...service, collector, find };
}

/** Sends the body after the service has begun the request. */
async function publishSlowly(target: string, headers: Record<string, string>) {
  const expecting = { ...headers, 'content-type': 'application/json', expect: '100-continue' };
  const request = httpRequest(target, { method: 'POST', headers: expecting });
  request.flushHeaders();
  await once(request, 'continue');
  request.end(JSON.stringify(event));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response;
}

const event = { type: 'inventory.updated', data: { sku: secretText, quantity: 1 } };

it('O10, O11, O13: a request continues the trace of its caller, with its statements and its publish; each attempt is linked to the publish', async () => {
  const { collector, find, send, token, url, lines, stop } = await startTraced({
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours',
  });
  const receiver = await startReceiver(url);
  const statuses = [500, 204];
  const hook = receiver.url((_, response) => void response.writeHead(statuses.shift() ?? 204).end());
  const { id } = (await send('POST', '/partners', { name: 'Acme' })).body;
  const endpoints = `/partners/${id}/webhook-endpoints`;
  await expectStatus(
    201,
    send('POST', endpoints, { url: hook, headers: { Traceparent: 'concord', 'X-Own': 'kept' } }),
  );
  const published = await publishSlowly(`${url}/partners/${id}/events`, {
    traceparent,
    authorization: `Bearer ${token}`,
  });
  expect(published.statusCode).toBe(202);

  const request = await find('POST /partners/:id/events');
  expect(request).toMatchObject({ traceId: caller.traceId, parentId: caller.spanId, failed: false });
  expect(request.attributes).toMatchObject({
    'http.response.status_code': 202,
    'http.route': '/partners/:id/events',
  });
  expect(request.resource).toMatchObject({
    'service.name': 'concord',
    'deployment.environment.name': 'test',
  });
  expect(collector.requests[0]?.headers).toMatchObject({
    'x-tenant': 'ours',
    'content-type': 'application/x-protobuf',
  });
  const publish = await find('publish', ({ traceId }) => traceId === caller.traceId);
  expect(publish.parentId).toBe(request.spanId);
  for (const statement of ['insert events', 'wake lanes', 'commit'])
    expect((await find(statement, ({ traceId }) => traceId === caller.traceId)).parentId, statement).toBe(
      publish.spanId,
    );
  const read = await find('one access session membership', ({ traceId }) => traceId === caller.traceId);
  expect(read.parentId).toBe(request.spanId);

  const link = { traceId: publish.traceId, spanId: publish.spanId };
  const attempt = (number: number) =>
    find('attempt', ({ attributes }) => attributes['concord.attempt'] === number);
  const [first, second] = [await attempt(1), await attempt(2)];
  expect([first.links, second.links]).toEqual([[link], [link]]);
  expect([first.failed, second.failed]).toEqual([true, false]);
  expect([first.parentId, second.parentId]).toEqual(['', '']);
  const received = await receiver.count(hook, 2);
  expect(received.map(({ headers }) => headers.traceparent)).toEqual(
    [first, second].map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  expect(received[0]?.headers['x-own']).toBe('kept');

  const line = lines
    .map((text) => (text.startsWith('{') ? JSON.parse(text) : {}))
    .find(({ msg, route }) => msg === 'request' && route === '/partners/:id/events');
  expect(line).toMatchObject({
    trace_id: caller.traceId,
    span_id: request.spanId,
    request_id: published.headers['x-request-id'],
  });
  await stop();
  receiver.close();
  // The polling of the deliverer belongs to no request.
  const ofRequest = collector.spans.filter(({ traceId }) => traceId === caller.traceId);
  expect(
    ofRequest.filter(({ name }) => /claim lanes|select due|record results|release lanes/.test(name)),
  ).toEqual([]);
  expect(Buffer.concat(collector.bodies).includes(secretText)).toBe(false);
});

it('O11: without a collector no SDK is loaded, and an endpoint that asks for the traceparent gets none', async () => {
  const loaded = join(newScratchDir(), 'loaded.cjs');
  // better-auth loads the API by itself, which is small and does nothing without an SDK.
  writeFileSync(
    loaded,
    `process.on('exit', () => console.log('loaded ' + Object.keys(require.cache).filter((file) => /@opentelemetry.(sdk|otlp|exporter|resources)/.test(file)).length));`,
  );
  const { send, url, lines, stop } = await start({ NODE_OPTIONS: `--require "${loaded}"` });
  const receiver = await startReceiver(url);
  const { id } = (await send('POST', '/partners', { name: 'Acme' })).body;
  const [asking, own] = [receiver.url(), receiver.url()];
  await send('POST', `/partners/${id}/webhook-endpoints`, {
    url: asking,
    headers: { traceparent: 'concord' },
  });
  await send('POST', `/partners/${id}/webhook-endpoints`, { url: own, headers: { traceparent: 'mine' } });
  await send('POST', `/partners/${id}/events`, event, { traceparent });
  expect((await receiver.count(asking, 1))[0]?.headers.traceparent).toBeUndefined();
  expect((await receiver.count(own, 1))[0]?.headers.traceparent).toBe('mine');
  await stop();
  receiver.close();
  expect(lines).toContain('loaded 0');
});

it('O12: a collector that hangs or refuses delays no request and no stop, and spans are bounded', async () => {
  const { collector, send, lines, stop } = await startTraced({
    OTEL_BSP_MAX_QUEUE_SIZE: '64',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '16',
  });
  const { id } = (await send('POST', '/partners', { name: 'Acme' })).body;
  const read = async (count: number) => {
    for (let n = 0; n < count; n++) await expectStatus(200, send('GET', `/partners/${id}`));
  };
  collector.behave('refuses');
  await read(50);
  await expect.poll(() => lines.filter((line) => line.includes('traces cannot be sent')).length).toBe(1);
  collector.behave('hangs');
  const before = collector.requests.length;
  await read(300);
  await expect.poll(() => collector.requests.length).toBeGreaterThan(before);
  // Of the spans of 300 requests, only those in the queue and in one batch are kept.
  const taken = collector.spans.length;
  collector.behave('takes');
  const begun = performance.now();
  await stop();
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect(collector.spans.length - taken).toBeLessThanOrEqual(64 + 16);
});
