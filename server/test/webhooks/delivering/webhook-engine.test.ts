// The delivery engine: several workers, leases, lost notifications and endpoints that hang.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import sql from 'sql-template-tag';
import { expect, it, onTestFinished } from 'vitest';
import { createRecorder } from '../../../src/webhooks/delivering/recorder.ts';
import type { AttemptResult } from '../../../src/webhooks/delivering/store.ts';
import { atOnce, succeed, times, uuidOf } from '../../stage/cast.ts';
import { kill } from '../../stage/launch.ts';
import { type Receiver, startReceiver, toLoopback, useReceiver } from '../../stage/receiver.ts';
import { useService } from '../../stage/start-service.ts';
import {
  createWebhookPartner,
  openDelivering,
  startWorker,
  startWorkerHere,
} from '../../stage/webhook-stage.ts';

function useStage(environment: Record<string, string> = {}) {
  const service = useService({ ...toLoopback, ...environment });
  return { service, receiver: useReceiver(service) };
}
const delivering = useStage();
/** Its deliveries wait for the workers of a test. */
const api = useStage({ CONCORD_ROLE: 'api' });

/** A URL that answers only when `answer` is called. */
function holding(receiver: Pick<Receiver, 'url'>) {
  const held: ServerResponse[] = [];
  const url = receiver.url((_, response) => held.push(response));
  const answer = () => {
    for (const response of held.splice(0)) response.writeHead(204).end();
  };
  return { url, answer };
}

it('W19: polling finds a delivery that no notification announces', async () => {
  const { service, receiver } = delivering;
  const url = receiver.url();
  const partner = await createWebhookPartner(service, url);
  await partner.pause();
  await partner.publish();
  // SQL by hand notifies nobody.
  await service.sql(
    `with resumed as (update webhook_endpoint set status = 'active' where id = $1 returning id)
     update lane set next_at = now() - interval '1 second' from resumed where endpoint_id = id`,
    [uuidOf(partner.endpoint)],
  );
  await receiver.count(url, 1);
});

it('W19: the connection that listens for notifications reconnects', async () => {
  const { service, receiver } = delivering;
  const url = receiver.url();
  const partner = await createWebhookPartner(service, url);
  const listeners = `select pid from pg_stat_activity where datname = current_database() and query = 'listen concord_lanes'`;
  const [before] = await service.sql(listeners);
  await service.sql('select pg_terminate_backend($1)', [before.pid]);
  await partner.publish();
  await receiver.count(url, 1);
  await expect
    .poll(async () => (await service.sql(listeners)).filter(({ pid }) => pid !== before.pid).length)
    .toBe(1);
});

it('W18: a stopping worker finishes attempts in flight and starts no new ones', async () => {
  const { service, receiver } = api;
  const { url, answer } = holding(receiver);
  const partner = await createWebhookPartner(service, url);
  const worker = await startWorker(service);
  // A worker serves only its health.
  const statuses = ['/health/ready', '/partners', '/docs'].map(
    async (path) => (await fetch(worker.url + path)).status,
  );
  expect([await Promise.all(statuses), worker.lines.join().includes('Sign in')]).toEqual([
    [200, 404, 404],
    false,
  ]);
  await partner.publish();
  await receiver.count(url, 1);
  worker.child.kill('SIGTERM');
  await expect.poll(() => worker.lines.at(-1)).toMatch(/^Stopping/);
  await partner.publish();
  answer();
  expect(await worker.ended).toBe(0);
  expect((await partner.statuses()).toSorted()).toEqual(['delivered', 'pending']);
  expect(receiver.at(url)).toHaveLength(1);
  await partner.pause();
});

it('W18: a stopping worker immediately releases attempts that do not end in time to other workers', async () => {
  const { service, receiver } = api;
  const { url, answer } = holding(receiver);
  const partner = await createWebhookPartner(service, url);
  const worker = await startWorkerHere(service);
  await partner.publish();
  await receiver.count(url, 1);
  await worker.stop();
  const [lane] = await service.sql('select owner, next_at <= now() as due from lane where endpoint_id = $1', [
    uuidOf(partner.endpoint),
  ]);
  expect(lane).toEqual({ owner: null, due: true });
  const other = await startWorkerHere(service);
  const [, again] = await receiver.count(url, 2);
  expect(again!.attempt).toBe(1);
  answer();
  await expect.poll(partner.statuses).toEqual(['delivered']);
  await other.stop();
});

it('W18: a lease is renewed for as long as an attempt runs', async () => {
  const environment = { CONCORD_WEBHOOK_TIMEOUT: '5m' };
  // The service has room for four requests, and all four wait for their answers. The other worker takes all
  // other lanes.
  const { service, receiver } = await openDelivering({ ...environment, CONCORD_WEBHOOK_CONCURRENCY: '4' });
  const held = times(4, () => holding(receiver));
  const partners = await Promise.all(held.map(({ url }) => createWebhookPartner(service, url)));
  for (const partner of partners) await partner.publish();
  for (const { url } of held) await receiver.count(url, 1);
  const leases = () =>
    service.sql(
      `select epoch, next_at, next_at <= now() + interval '20 seconds' as in_time from lane where endpoint_id = any($1) order by endpoint_id`,
      [partners.map(({ endpoint }) => uuidOf(endpoint))],
    );
  const epochs = async () => (await leases()).map(({ epoch }) => epoch);
  const first = await leases();
  expect(first.map(({ in_time }) => in_time)).toEqual([true, true, true, true]);
  const end = new Date(Math.max(...first.map(({ next_at }) => next_at.getTime())) + 1);
  await expect.poll(async () => (await leases()).every(({ next_at }) => next_at > end)).toBe(true);
  // The first leases have ended. The other worker would claim a lane whose lease has ended.
  await service.setClock(end.toISOString());
  const other = await startWorkerHere(service, environment);
  const free = receiver.url();
  await (await createWebhookPartner(service, free)).publish();
  await receiver.count(free, 1);
  expect(await epochs()).toEqual(first.map(({ epoch }) => epoch));
  for (const { url, answer } of held) {
    expect(receiver.at(url)).toHaveLength(1);
    answer();
  }
  for (const partner of partners) await expect.poll(partner.statuses).toEqual(['delivered']);
  await other.stop();
});

it('W18: when a worker is killed, another worker takes over its lanes as soon as their leases end', async () => {
  const { service, receiver } = api;
  const { url, answer } = holding(receiver);
  const partner = await createWebhookPartner(service, url);
  const worker = await startWorker(service);
  await partner.publish();
  await receiver.count(url, 1);
  const other = await startWorkerHere(service);
  await kill(worker.child);
  // The lease has not ended, so no other worker can send.
  const leased = 'select from lane where next_at > concord_now() and owner is not null';
  expect(await service.sql(leased)).toHaveLength(1);
  await service.advanceClock(20_000);
  const [, again] = await receiver.count(url, 2);
  expect(again!.attempt).toBe(1);
  answer();
  await expect.poll(partner.statuses).toEqual(['delivered']);
  await other.stop();
});

/** A recorder, and the pending deliveries of a paused endpoint. No deliverer runs, since it would claim the lane. */
async function startRecorder(count: number, signers: Parameters<typeof createRecorder>[0]['signers']) {
  const { service, receiver } = api;
  const partner = await createWebhookPartner(service, receiver.url());
  await partner.pause();
  await partner.publishMany(count);
  const db = service.database.open();
  onTestFinished(() => db.close());
  const faults: unknown[] = [];
  const outcomes: string[] = [];
  const owner = randomUUID();
  const recorder = createRecorder({
    db,
    owner,
    signers,
    notifyDisabled: async () => {},
    observer: { published() {}, leasesLost() {}, attempted: ({ outcome }) => void outcomes.push(outcome) },
    onFault: (error) => faults.push(error),
  });
  const endpoint = [uuidOf(partner.endpoint)];
  const rows = await service.sql(
    'select id, endpoint_id, epoch from delivery join lane using (endpoint_id) where endpoint_id = $1 order by position',
    endpoint,
  );
  const results = rows.map(
    ({ id, endpoint_id, epoch }): AttemptResult => ({
      batchId: null,
      deliveries: [{ deliveryId: id, waitMs: null }],
      signed: null,
      thin: false,
      environment: 'live',
      ordering: 'none',
      endpointId: endpoint_id,
      epoch,
      attemptsBefore: 0,
      url: '',
      status: 'failed',
      retryMs: null,
      startedAt: new Date(),
      durationMs: 1,
      statusCode: 500,
      error: null,
      responseBody: 'ab',
      gone: false,
      unanswered: false,
      disableAfterMs: 0,
      failingSince: null,
    }),
  );
  const kept = () =>
    service.sql(
      `select response_body, error from attempt join delivery on delivery.id = delivery_id where endpoint_id = $1 order by position`,
      endpoint,
    );
  const claimAs = (next: string) =>
    service.sql('update lane set owner = $2, epoch = epoch + 1 where endpoint_id = $1', [...endpoint, next]);
  return { partner, owner, recorder, results, faults, outcomes, kept, claimAs };
}
const good = { response_body: 'ab', error: null };

it('W18: a result is refused after another process has claimed the lane, but not after its own has claimed it again', async () => {
  const noKeys = () => Promise.reject(new Error('No lane is strict'));
  const { owner, recorder, results, kept, claimAs } = await startRecorder(1, noKeys);
  await claimAs(randomUUID());
  await recorder.add(results[0]!);
  expect(await kept()).toEqual([]);
  await claimAs(owner);
  await recorder.add(results[0]!);
  expect(await kept()).toEqual([good]);
});

it('W14: a result that the database refuses does not delay other results', async () => {
  const noKeys = () => Promise.reject(new Error('No lane is strict'));
  const { partner, recorder, results, faults, outcomes, kept } = await startRecorder(3, noKeys);
  await Promise.all(
    results.map((result, index) => recorder.add(index === 1 ? { ...result, responseBody: 'a\0b' } : result)),
  );
  expect(faults.length).toBeGreaterThan(0);
  expect(outcomes).toEqual(['status_5xx', 'status_5xx', 'status_5xx']);
  expect(await kept()).toEqual([
    good,
    { response_body: null, error: 'internal: the answer could not be stored' },
    good,
  ]);
  expect(await partner.statuses()).toEqual(['failed', 'failed', 'failed']);
});

it('W14, W17: a result is recorded as it is when the next delivery of its strict lane cannot be read', async () => {
  const { partner, recorder, results, faults, kept } = await startRecorder(2, (on) =>
    on.query(sql`select 1 / 0`).then(() => expect.unreachable()),
  );
  const [first] = results;
  expect(await recorder.add({ ...first!, ordering: 'strict', status: 'delivered' })).toBeUndefined();
  expect([faults.length, await kept()]).toEqual([1, [good]]);
  expect((await partner.statuses()).toSorted()).toEqual(['delivered', 'pending']);
});

it('W17: an endpoint that hangs holds one connection and does not delay other endpoints', async () => {
  const { service, receiver } = await openDelivering({
    CONCORD_WEBHOOK_CONCURRENCY: '40',
    CONCORD_WEBHOOK_TIMEOUT: '5m',
  });
  const hanging = await atOnce(30, () =>
    createWebhookPartner(
      service,
      receiver.url(() => {}),
    ),
  );
  await Promise.all(hanging.map((partner) => partner.publishMany(10)));
  const urls = times(30, () => receiver.url());
  const others = await Promise.all(urls.map((url) => createWebhookPartner(service, url)));
  await Promise.all(others.map((partner) => partner.publishMany(5)));
  await Promise.all(urls.map((url) => receiver.count(url, 5)));
  // No hanging attempt has ended yet.
  const [{ attempts }] = (await service.sql(
    `select coalesce(sum(attempt_count), 0)::int as attempts from delivery where partner_id = any($1)`,
    [
      (
        await service.sql(`select partner_id from webhook_endpoint order by created_at limit 30`)
      ).map((row) => row.partner_id),
    ],
  )) as [{ attempts: number }];
  expect(attempts).toBe(0);
});

it('W17: failing endpoints use at most a quarter of the connections', async () => {
  const { service, receiver } = await openDelivering({
    CONCORD_WEBHOOK_CONCURRENCY: '8',
    CONCORD_WEBHOOK_TIMEOUT: '5m',
    CONCORD_WEBHOOK_RETRY_SCHEDULE: '1h',
  });
  let now = 0;
  let most = 0;
  const hang = (_: unknown, response: ServerResponse) => {
    most = Math.max(most, ++now);
    response.on('close', () => now--);
  };
  const hanging = await atOnce(12, () => createWebhookPartner(service, receiver.url(hang)));
  await service.sql('update lane set failing_since = now()');
  await Promise.all(hanging.map((partner) => partner.publishMany(3)));
  const url = receiver.url();
  const healthy = await createWebhookPartner(service, url);
  await healthy.publishMany(50);
  await receiver.count(url, 50);
  expect(most).toBeLessThanOrEqual(2);
});

it('W6: a revoked key signs no more webhooks', async () => {
  const { service, receiver } = delivering;
  const url = receiver.url();
  const partner = await createWebhookPartner(service, url);
  await partner.publish();
  const [first] = await receiver.count(url, 1);
  const kid = /keyid="([^"]+)"/.exec(first!.headers['signature-input']!)![1]!;
  succeed(await service.post(`/signing-keys/${kid}/revoke`));
  // This receiver has fetched no keys yet.
  const fresh = await startReceiver(service.url);
  const other = fresh.url();
  succeed(await partner.change({ url: other }));
  await partner.publish();
  const [second] = await fresh.count(other, 1);
  expect(second!.headers['signature-input']).not.toContain(kid);
  fresh.close();
});
