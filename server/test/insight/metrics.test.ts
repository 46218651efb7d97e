// Metrics over HTTP.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetricsPort } from '../../src/insight/metrics/port.ts';
import { createCast, expectStatus, times } from '../stage/cast.ts';
import { type Network, startNetwork } from '../stage/network.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { metricsUrlOf, parseMetrics, scrape, sumOf } from '../stage/scrape.ts';
import { startTestService, type TestService } from '../stage/start-service.ts';
import { createWebhookPartner } from '../stage/webhook-stage.ts';

let service: TestService;
let network: Network;
let url: string;
beforeAll(async () => {
  const environment = { ...toLoopback, CONCORD_METRICS_PORT: '0', CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms' };
  service = await startTestService(environment, async (databaseUrl) => {
    network = await startNetwork(databaseUrl);
    return network.url;
  });
  url = metricsUrlOf(service.announcements);
});
afterAll(async () => {
  await service.stop();
  network.close();
});

const read = () => scrape(url);
/** Of what the database says: a scrape is much work, and what one has read is kept for five seconds. */
const pollKept = <T>(values: () => Promise<T>) => expect.poll(values, { interval: 200 });
/** All readers together (metrics/installation.ts). */
const statementsOfARound = 9;

it('O4: operators read the metrics with a token; the port of its own needs none and serves nothing else', async () => {
  const answer = await service.get('/metrics');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(sumOf(parseMetrics(answer.text), 'concord_build_info', { role: 'all' })).toBe(1);
  await expectStatus(401, service.get('/metrics', null));
  await expectStatus(403, service.get('/metrics', (await service.signInStranger()).token));

  expect(sumOf(await read(), 'concord_build_info')).toBe(1);
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(new URL(path, url), { method })).status;
  expect([await statusOf('/'), await statusOf('/partners'), await statusOf('/metrics', 'POST')]).toEqual([
    404, 404, 405,
  ]);
});

it('O4: clients that ask and take no answer do not keep the connections of the port', async () => {
  const text = 'x'.repeat(200_000);
  const scrapes = createMetricsPort({
    host: '127.0.0.1',
    port: 0,
    write: async () => text,
    onFailure: () => {},
    // A busy machine connects in this time.
    silenceMs: 6_000,
  });
  const port = await scrapes.start();
  const sockets = times(50, () => connect(port, '127.0.0.1').on('error', () => {}));
  for (const socket of sockets) {
    await once(socket, 'connect');
    socket.pause();
    // The answers are more than the buffers of a connection hold.
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
  }
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const asked = httpRequest({ port, path: '/metrics', agent: false }, (answer) => {
        answer.resume().on('end', () => resolve(true));
      });
      asked.on('error', () => resolve(false)).end();
    });
  expect(await answers()).toBe(false);
  await expect.poll(answers).toBe(true);
  for (const socket of sockets) socket.destroy();
  await scrapes.stop();
});

it('O5: requests are counted by route pattern, method and status; unknown paths and methods share a label', async () => {
  const cast = createCast(service);
  const partner = await cast.partner();
  const route = { method: 'GET', route: '/partners/:id', status: '200' };
  const before = sumOf(await read(), 'concord_http_requests_total', route) ?? 0;
  for (let n = 0; n < 3; n++) await service.get(`/partners/${partner}`);
  const counted = async () => sumOf(await read(), 'concord_http_requests_total', route);
  await expect.poll(counted).toBe(before + 3);

  for (const path of ['/a', '/b/c', `/partners/${partner}/nothing`]) await service.get(path);
  const { hostname, port } = new URL(service.url);
  await new Promise((resolve) =>
    httpRequest({ hostname, port, method: 'PROPFIND', path: '/d' }, (answer) =>
      answer.resume().on('end', resolve),
    ).end(),
  );
  const socket = connect(Number(port), hostname);
  socket.end('NONSENSE /e HTTP/1.1\r\nhost: a\r\n\r\n');
  await new Promise((resolve) => socket.resume().on('close', resolve));

  const unknown = async () =>
    sumOf(await read(), 'concord_http_requests_total', { route: 'unknown', method: 'GET' });
  await expect.poll(unknown).toBe(3);
  const samples = await read();
  const labels = (label: string) => new Set(samples.flatMap((each) => each.labels[label] ?? []));
  for (const route of labels('route')) expect(route).toMatch(/^(unknown|\/[a-z0-9/:*._-]*)$/i);
  for (const method of labels('method'))
    expect(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'other']).toContain(method);
  const text = JSON.stringify(samples);
  expect(text).not.toContain(partner);
  expect(text).not.toContain(partner.slice(4));
  const buckets = samples.filter(
    ({ name, labels }) =>
      name === 'concord_http_request_duration_seconds_bucket' && labels.route === '/partners/:id',
  );
  const infinite = buckets.filter(({ labels }) => labels.le === '+Inf' && labels.method === 'GET');
  expect(infinite.map(({ value }) => value)).toEqual([
    sumOf(samples, 'concord_http_request_duration_seconds_count', { route: '/partners/:id', method: 'GET' }),
  ]);
});

it('O8: events, deliveries and attempts are counted once, by outcome and reason; so are keys, lanes, mails and seals', async () => {
  const receiver = await startReceiver(service.url);
  const statuses = [500, 204];
  const hook = receiver.url((_, response) => void response.writeHead(statuses.shift() ?? 204).end());
  const partner = await createWebhookPartner(service, hook);
  const before = await read();
  const grown = async (name: string, labels: Record<string, string>) =>
    (sumOf(await read(), name, labels) ?? 0) - (sumOf(before, name, labels) ?? 0);
  const live = { environment: 'live' };
  const send = (producerId: string) =>
    partner.send('POST', 'events', {
      type: 'inventory.updated',
      data: { sku: 'a', quantity: 1 },
      producer_id: producerId,
    });
  for (const producerId of ['one', 'one']) await expectStatus(202, send(producerId));
  await partner.publishMany(2);
  await expect.poll(() => grown('concord_deliveries_ended_total', { ...live, status: 'delivered' })).toBe(3);
  expect(await grown('concord_events_published_total', live)).toBe(3);
  expect(await grown('concord_deliveries_created_total', live)).toBe(3);
  expect(await grown('concord_attempts_total', { ...live, outcome: 'delivered' })).toBe(3);
  expect(await grown('concord_attempts_total', { ...live, outcome: 'status_5xx' })).toBe(1);
  expect(await grown('concord_attempts_total', live)).toBe(4);
  expect(await grown('concord_attempt_duration_seconds_count', {})).toBe(4);
  expect(await grown('concord_access_reads_total', {})).toBeGreaterThan(0);
  expect(await grown('concord_database_statements_total', { statement: 'record results' })).toBeGreaterThan(
    0,
  );
  receiver.close();

  const samples = await read();
  for (const environment of ['live', 'sandbox']) {
    expect(sumOf(samples, 'concord_signing_keys', { environment, state: 'active' })).toBe(1);
    expect(sumOf(samples, 'concord_signing_key_active_age_seconds', { environment })).toBeGreaterThan(0);
  }
  for (const name of [
    'concord_leases_lost_total',
    'concord_mail_failing',
    'concord_lanes_oldest_due_age_seconds',
  ])
    expect(sumOf(samples, name), name).toBe(0);
  for (const pool of ['requests', 'deliveries', 'metrics'])
    expect(sumOf(samples, 'concord_database_pool_max', { pool }), pool).toBeGreaterThan(0);
  for (const name of ['nodejs_gc_duration_seconds_count', 'process_cpu_seconds_total'])
    expect(sumOf(samples, name), name).toBeGreaterThan(0);
});

it('O80: a service with a database of its own does not show the disk', async () => {
  expect(sumOf(await read(), 'concord_data_disk_free_bytes')).toBeUndefined();
});

it('O81: the metrics of mail tell one domain that refuses from a server that fails, and leave out held mails', async () => {
  const { sql } = service;
  const values = async () => {
    const samples = await read();
    return [
      'waiting',
      'oldest_age_seconds',
      'oldest_unrefused_age_seconds',
      'refusing_domains',
      'delayed_recipients',
    ].map((name) => sumOf(samples, `concord_mail_${name}`));
  };
  const insert = (domain: string | null, nextAt: string, recipient = 'ann', age = '1 hour') =>
    sql(
      `insert into mail (id, sealed, created_at, last_error, refusing_domain, next_at, recipient)
       values (gen_random_uuid(), '\\x00', now() - $4::interval, 'x', $1, $2, $3)`,
      [domain, nextAt, recipient, age],
    );
  await sql('delete from mail');
  await insert(null, 'infinity');
  await insert('a', '2999-01-01');
  await insert('a', '2999-01-01');
  await pollKept(values).toEqual([2, expect.closeTo(3_600, -2), 0, 1, 1]);
  // Others at the domain: one waits for as long, and one can be greylisted.
  await insert('a', '2999-01-01', 'bob');
  await insert('a', '2999-01-01', 'cay', '14 minutes');
  await insert('b', '2999-01-01');
  await insert(null, '2999-01-01');
  await pollKept(values).toEqual([6, expect.closeTo(3_600, -2), expect.closeTo(3_600, -2), 2, 2]);
  await sql('delete from mail');
});

it('O6: the database is asked once in five seconds, whoever scrapes', async () => {
  const asked = async () => {
    const samples = parseMetrics((await service.get('/metrics')).text);
    return sumOf(samples, 'concord_database_statement_duration_seconds_count', { pool: 'metrics' }) ?? 0;
  };
  /** After a round has ended: a slow one goes on when its scrape has answered. */
  const askedInRounds = async () => {
    const missing = async () =>
      (await read()).filter(({ name, value }) => name === 'concord_installation_value_read' && value === 0);
    await expect.poll(missing).toEqual([]);
    return asked();
  };
  const begun = performance.now();
  const before = await askedInRounds();
  for (let n = 0; n < 20; n++) await Promise.all([read(), asked()]);
  const rounds = ((await askedInRounds()) - before) / statementsOfARound;
  expect(rounds).toBe(Math.round(rounds));
  expect(rounds).toBeLessThanOrEqual(1 + (performance.now() - begun) / 5_000);
});

it('O6: a value that cannot be read is missing, and the others are there', async () => {
  await service.sql('alter table mail rename to away');
  const waiting = async () => sumOf(await read(), 'concord_mail_waiting');
  await pollKept(waiting).toBeUndefined();
  const samples = await read();
  expect(sumOf(samples, 'concord_database_up')).toBe(1);
  expect(sumOf(samples, 'concord_deliveries_pending')).toBeDefined();
  expect(sumOf(samples, 'concord_installation_value_read', { value: 'mail' })).toBe(0);
  expect(sumOf(samples, 'concord_installation_value_read', { value: 'lanes' })).toBe(1);
  await service.sql('alter table away rename to mail');
  await pollKept(waiting).toBe(0);
});

it('O6: while the database is away or hangs, a scrape answers and says so, before a request that waits for the database', async () => {
  let samples: Awaited<ReturnType<typeof read>> = [];
  const up = async () => {
    samples = await read();
    return sumOf(samples, 'concord_database_up');
  };
  const waiting: Promise<unknown>[] = [];
  for (const mode of ['cut', 'silent'] as const) {
    await pollKept(up).toBe(1);
    // Both connections that requests share: on them a request waits for 12 s, and for a new one 5 s.
    for (let asked = 0; asked < 2; asked++)
      await expect.poll(async () => (await service.get('/partners')).status).toBe(200);
    network.set(mode);
    let isAnswered = false;
    if (mode === 'silent')
      waiting.push(
        service.get('/partners').finally(() => {
          isAnswered = true;
        }),
      );
    await pollKept(up).toBe(0);
    expect(isAnswered).toBe(false);
    expect(sumOf(samples, 'concord_deliveries_pending')).toBeUndefined();
    expect(sumOf(samples, 'concord_http_requests_total')).toBeGreaterThan(0);
    network.set('up');
  }
  await Promise.all(waiting);
  await pollKept(up).toBe(1);
  expect(sumOf(await read(), 'concord_database_errors_total', { class: 'connection' })).toBeGreaterThan(0);
});
