// Processes that are killed in the middle of batches lose nothing, keep the order, and repeat whole batches
// (behaviour W70).

import { expect, it } from 'vitest';
import { expectStatus, pluck } from '../../stage/cast.ts';
import { type KillStage, startKillStage } from '../../stage/kill-stage.ts';
import { kill } from '../../stage/launch.ts';
import { stopAt } from '../../stage/locks.ts';
import type { Received } from '../../stage/receiver.ts';
import { createWebhookPartner, startWorker } from '../../stage/webhook-stage.ts';

const idOf = ({ headers }: Received) => headers['webhook-id'] ?? '';
const delivered = ({ sql }: KillStage) =>
  expect.poll(() => sql(`select from delivery where status <> 'delivered'`)).toHaveLength(0);

/** Each batch arrived with the same bytes each time. Returns the events in the order of their first arrival. */
function eventsOf(requests: readonly Received[]) {
  const first = new Map<string, Received>();
  for (const each of requests) {
    const known = first.get(idOf(each)) ?? each;
    expect(String(each.body)).toBe(String(known.body));
    first.set(idOf(each), known);
  }
  return [...first.values()].flatMap(({ events }) => events.map(({ id }) => id));
}

it('W70, W18: workers that are killed during batches lose nothing, keep the order, and repeat whole batches', async () => {
  const stage = await startKillStage();
  const { service, receiver, endLeases } = stage;
  let number = 0;
  let hangs = true;
  let hung = Promise.withResolvers<void>();
  // Every fourth request gets no answer: its worker is killed. The receiver has its events all the same.
  const url = receiver.url((_, response) => {
    if (hangs && ++number % 4 === 0) hung.resolve();
    else response.writeHead(204).end();
  });
  const batch = { max_events: 5, max_wait_seconds: 0 };
  const partner = await createWebhookPartner(service, url, { ordering: 'strict', batch });
  const other = receiver.url();
  const path = `/partners/${partner.id}/webhook-endpoints`;
  await expectStatus(201, service.post(path, { url: other, batch }));
  await partner.publishMany(60);
  let worker = await startWorker(service);
  for (let kills = 0; kills < 3; kills++) {
    await hung.promise;
    hung = Promise.withResolvers();
    hangs = kills < 2;
    await kill(worker.child);
    await endLeases();
    worker = await startWorker(service);
  }
  await delivered(stage);
  const events = (await service.get(`/partners/${partner.id}/events?page_size=1000`)).body;
  expect(eventsOf(receiver.at(url))).toEqual(pluck(events, 'id'));
  expect(eventsOf(receiver.at(other)).toSorted()).toEqual(pluck(events, 'id').toSorted());
  expect(events).toHaveLength(60);
  // Only batches that were in flight at a kill came twice.
  expect(receiver.at(url).length).toBeLessThanOrEqual(12 + 3);
});

it('W70: a batch that was formed before a kill is sent by the next process, at once and whole', async () => {
  const stage = await startKillStage();
  const { service, receiver, sql } = stage;
  const url = receiver.url();
  const batch = { max_events: 3, max_wait_seconds: 60 };
  const partner = await createWebhookPartner(service, url, { ordering: 'strict', batch });
  const { reached, release } = await stopAt(service.database, { table: 'delivery_batch', event: 'commit' });
  const worker = await startWorker(service);
  await partner.publishMany(4);
  await reached();
  await kill(worker.child);
  // The server has the commit, so the batch exists from now on.
  await release();
  await expect.poll(async () => (await sql('select id from delivery_batch')).length).toBe(1);
  expect(receiver.received).toEqual([]);
  await stage.takeOver();
  const [request] = await receiver.count(url, 1);
  expect(request?.events).toHaveLength(3);
  await service.advanceClock(60_000);
  await delivered(stage);
  expect(eventsOf(receiver.at(url))).toHaveLength(4);
});
