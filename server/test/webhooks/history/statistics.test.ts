// Statistics against the history: every number is computed again from all attempts.
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { succeed } from '../../stage/cast.ts';
import { kill } from '../../stage/launch.ts';
import { type Received, toLoopback, useReceiver } from '../../stage/receiver.ts';
import { useService } from '../../stage/start-service.ts';
import {
  createWebhookPartner,
  startWorker,
  startWorkerHere,
  type WebhookPartner,
} from '../../stage/webhook-stage.ts';
import {
  dayMs,
  expectHistory,
  historyOf,
  hourMs,
  minuteMs,
  numbersOf,
  ofEndpoint,
  ofPartner,
  read,
} from './statistics-history.ts';

const leaseMs = 20_000;
const retries = { CONCORD_WEBHOOK_RETRY_SCHEDULE: '20ms,40ms' };

const service = useService({
  ...toLoopback,
  ...retries,
  CONCORD_ROLE: 'api',
});
const receiver = useReceiver(service);

it('N1, N2, N3: each count equals the history, with retries, replays, a kill and deletions', async () => {
  let turn = 0;
  const dropped = new Set<string | undefined>();
  const behave = ({ headers }: Received, response: ServerResponse) => {
    const number = turn++;
    // Also the second try, after a connection that was kept.
    if (number % 9 === 7) dropped.add(headers['webhook-id']);
    if (dropped.has(headers['webhook-id'])) return void response.destroy();
    // Durations from 0 to 60 ms, so that several buckets are in use.
    const reply = (status: number, headers = {}) =>
      setTimeout(() => response.writeHead(status, headers).end(), (number * 7) % 61);
    if (number % 9 === 3) return reply(503);
    if (number % 9 === 5) return reply(404);
    if (number % 9 === 6) return reply(302, { location: '/' });
    return reply(204);
  };
  const partners: WebhookPartner[] = [];
  for (let n = 0; n < 2; n++)
    partners.push(await createWebhookPartner(service, receiver.url(behave), { max_concurrency: 4 }));
  const [first, second] = partners as [WebhookPartner, WebhookPartner];
  const doomed: string = (await second.post('webhook-endpoints', { url: receiver.url(behave) })).id;
  // This one hangs until the worker that sent to it is dead.
  let hang = true;
  const hanging: ServerResponse[] = [];
  const stuckUrl = receiver.url((got, response) => (hang ? hanging.push(response) : behave(got, response)));
  const stuck: string = (await first.post('webhook-endpoints', { url: stuckUrl })).id;

  const worker = await startWorker(service, retries);
  for (const partner of partners) await partner.publishMany(30);
  await receiver.count(stuckUrl, 1);
  await expect.poll(async () => (await ofEndpoint(service, first.endpoint)).length).toBeGreaterThan(10);
  await kill(worker.child);
  hang = false;
  for (const response of hanging) response.destroy();
  await service.advanceClock(leaseMs + 1_000);
  await startWorkerHere(service, retries);
  await expect.poll(async () => (await ofEndpoint(service, doomed)).length).toBeGreaterThan(5);
  succeed(await second.send('DELETE', `webhook-endpoints/${doomed}`));

  const pending = () => service.sql(`select from delivery where status = 'pending'`);
  await expect.poll(pending).toEqual([]);
  for (const status of ['delivered', 'failed']) {
    const some = await first.deliveries(`?filter[status]=${status}&filter[endpoint_id]=${first.endpoint}`);
    for (const { id } of some.slice(0, 4)) await first.post(`deliveries/${id}/replay`);
  }
  await expect.poll(pending).toEqual([]);

  for (const { id } of partners) {
    expectHistory(
      await read(service, `/partners/${id}/stats?step=1m`),
      await ofPartner(service, id),
      minuteMs,
    );
    expectHistory(await read(service, `/partners/${id}/stats?step=1d`), await ofPartner(service, id), dayMs);
  }
  for (const endpoint of [first.endpoint, stuck]) {
    const path = `/partners/${first.id}/webhook-endpoints/${endpoint}/stats?step=5m`;
    expectHistory(await read(service, path), await ofEndpoint(service, endpoint), 5 * minuteMs);
  }
  const both = await read(
    service,
    `/partners/${first.id}/webhook-endpoint-stats?endpoint_id=${stuck},${first.endpoint}`,
  );
  expect(both).toHaveLength(2);
  for (const one of both) expectHistory(one, await ofEndpoint(service, one.endpoint_id), hourMs);
  expectHistory(await read(service, '/platform/stats'), await historyOf(service), hourMs);
  const kinds = numbersOf(await historyOf(service)).failed.map(({ reason }) => reason);
  expect(kinds).toEqual(['connection', 'redirect', 'status_4xx', 'status_5xx']);
});
