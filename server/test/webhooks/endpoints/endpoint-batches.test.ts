// Endpoints that get several events in one request (behaviour W70).
import { expect, it, onTestFinished } from 'vitest';
import { uuidAt } from '../../../src/base/ids.ts';
import {
  dissolveBatches,
  insertBatches,
  selectCandidates,
  selectMembers,
} from '../../../src/webhooks/delivering/batches/store.ts';
import { expectFault, pluck, succeed, times, uuidOf } from '../../stage/cast.ts';
import type { Received } from '../../stage/receiver.ts';
import { answer, useWebhookStage } from '../../stage/webhook-stage.ts';

const { service, receiver, newPartner } = useWebhookStage({
  CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms,100ms,100ms',
});

const quantitiesOf = (all: readonly Received[]) =>
  all.map(({ events }) => events.map(({ data }) => (data as { quantity: number }).quantity));
const idOf = ({ headers }: Received) => headers['webhook-id'];
const numbers = (from: number, to: number) => times(to - from, (index) => from + index);

const batchOf = (max_events: number, max_wait_seconds = 60) => ({ batch: { max_events, max_wait_seconds } });

it('W70: a full batch is one signed request with an array of the events, byte for byte', async () => {
  for (const ordering of ['none', 'strict']) {
    const url = receiver.url();
    const partner = await newPartner(url, { ordering, ...batchOf(3) });
    await partner.publishMany(6);
    const requests = await receiver.count(url, 2);
    expect(quantitiesOf(requests).flat().toSorted()).toEqual(numbers(0, 6));
    if (ordering === 'strict') expect(quantitiesOf(requests)).toEqual([numbers(0, 3), numbers(3, 6)]);
    expect(requests.map(({ attempt }) => attempt)).toEqual([1, 1]);
    expect(new Set(requests.map(idOf)).size).toBe(2);
    for (const each of requests) expect(idOf(each)).toMatch(/^bat_[0-9a-z]{26}$/);
    await partner.until('delivered', 6);
    const feed = await partner.get('events');
    expect(requests.flatMap(({ events }) => events.map(({ id }) => id)).toSorted()).toEqual(
      pluck(feed, 'id').toSorted(),
    );
  }
});

it('W70, W28: each delivery has the attempt, and shows the request of its batch as it was sent', async () => {
  const url = receiver.url();
  const partner = await newPartner(url, { ordering: 'strict', ...batchOf(4) });
  await partner.publishMany(4);
  const [request] = await receiver.count(url, 1);
  await partner.until('delivered', 4);
  for (const { id } of await partner.deliveries()) {
    const { attempts } = await partner.delivery(id);
    const batch = { id: idOf(request!), events: 4 };
    expect(attempts).toMatchObject([{ number: 1, status_code: 204, batch }]);
    const attempt = await partner.get(`deliveries/${id}/attempts/1`);
    expect(attempt.batch).toEqual(batch);
    expect(attempt.request.body).toBe(String(request?.body));
    for (const { name, value } of attempt.request.headers)
      expect(request?.headers[name], name).toEqual(value);
    const verified = await service.post('/webhook-debug/verify', {
      ...attempt.request,
      at: new Date().toISOString(),
    });
    expect(succeed(verified).verified).toBe(true);
  }
});

it('W70: a batch that is not full waits for its time, and one that becomes full does not', async () => {
  const url = receiver.url();
  const partner = await newPartner(url, batchOf(3));
  await partner.publish(0);
  await partner.publish(1);
  expect(pluck(await partner.deliveries(), 'state')).toEqual(['queued', 'queued']);
  await partner.publish(2);
  expect(quantitiesOf(await receiver.count(url, 1))).toEqual([numbers(0, 3)]);

  for (const ordering of ['none', 'strict']) {
    const slow = receiver.url();
    const waiting = await newPartner(slow, { ordering, ...batchOf(100, 0.4) });
    const since = performance.now();
    await waiting.publishMany(2);
    const [first] = await receiver.count(slow, 1);
    expect(quantitiesOf([first!]).flat().toSorted()).toEqual([0, 1]);
    expect(first!.at - since).toBeGreaterThanOrEqual(400);
    await waiting.until('delivered', 2);
    // While the lane is still owned, too.
    const again = performance.now();
    await waiting.publish(2);
    const [, second] = await receiver.count(slow, 2);
    expect(second!.at - again).toBeGreaterThanOrEqual(400);
  }
});

it('W70: a batch has at most 1 MiB, and at least one event', async () => {
  const url = receiver.url();
  const partner = await newPartner(url, { ordering: 'strict', ...batchOf(100, 0) });
  await partner.pause();
  const events = times(9, (quantity) => ({
    type: 'inventory.updated',
    data: { sku: 'x'.repeat(250_000), quantity },
  }));
  for (const event of events) await partner.post('events', event);
  await partner.resume();
  const requests = await receiver.count(url, 3);
  expect(quantitiesOf(requests)).toEqual([numbers(0, 4), numbers(4, 8), [8]]);
  for (const { body } of requests) expect(body.length).toBeLessThanOrEqual(1_048_576);
});

it('W70: a batch repeats with the same id and bytes, and its retries end for all', async () => {
  for (const ordering of ['none', 'strict']) {
    const url = receiver.url(answer(500));
    const partner = await newPartner(url, { ordering, ...batchOf(5) });
    await partner.publishMany(5);
    const requests = await receiver.count(url, 4);
    expect(new Set(requests.map(({ body }) => String(body))).size).toBe(1);
    expect(new Set(requests.map(idOf)).size).toBe(1);
    expect(requests.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(new Set(requests.map(({ headers }) => headers.signature)).size).toBe(4);
    await partner.until('failed', 5);
    const all = await partner.deliveries();
    expect(new Set(pluck<number>(all, 'attempt_count'))).toEqual(new Set([4]));
  }
});

it('W70, W17: the order holds within and between batches while requests fail', async () => {
  let number = 0;
  const url = receiver.url((_, response) => response.writeHead(++number % 3 === 0 ? 503 : 204).end());
  const partner = await newPartner(url, { ordering: 'strict', ...batchOf(7, 0) });
  // One after the other: events that are published at the same time have no order (W17).
  for (let round = 0; round < 10; round++) {
    await partner.publishMany(20);
    await partner.publish(1_000);
  }
  await partner.until('delivered', 210);
  const feed: string[] = pluck(await partner.get('events?page_size=1000'), 'id');
  const requests = receiver.at(url);
  const once = requests.filter(
    (each, index) => idOf(each) !== idOf(requests[index - 1] ?? each) || index === 0,
  );
  expect(once.flatMap(({ events }) => events.map(({ id }) => id))).toEqual(feed);
  expect(once.length).toBeLessThan(60);
  const bodies = Map.groupBy(requests, idOf);
  for (const [, all] of bodies) expect(new Set(all.map(({ body }) => String(body))).size).toBe(1);
});

it('W70: without order, several batches are in flight, max_concurrency at most', async () => {
  let open = 0;
  let most = 0;
  const url = receiver.url((_, response) => {
    most = Math.max(most, ++open);
    const answerOne = () => {
      open--;
      response.writeHead(204).end();
    };
    // A busy machine sends the first three in this time.
    setTimeout(answerOne, most < 3 ? 2_000 : 30);
  });
  const partner = await newPartner(url, { max_concurrency: 3, ...batchOf(10, 0) });
  await partner.pause();
  await partner.publishMany(300);
  await partner.resume();
  await partner.until('delivered', 300);
  expect(most).toBe(3);
  const requests = receiver.at(url);
  expect(requests).toHaveLength(30);
  expect(
    quantitiesOf(requests)
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual(numbers(0, 300));
});

it('W70, W11, W31: a replay is a batch of one', async () => {
  const url = receiver.url();
  const partner = await newPartner(url, batchOf(3));
  await partner.publishMany(3);
  await partner.until('delivered', 3);
  const [{ id, event_id }] = await partner.deliveries();
  await partner.post(`deliveries/${id}/replay`);
  const [first, second] = await receiver.count(url, 2);
  expect(second?.events.map((event) => event.id)).toEqual([event_id]);
  expect(Array.isArray(JSON.parse(String(second?.body)))).toBe(true);
  expect(idOf(second!)).not.toBe(idOf(first!));
  expect(second?.attempt).toBe(2);
  await partner.until('delivered', 3);
  await partner.post('deliveries/replay', { endpoint_id: partner.endpoint });
  const all = await receiver.count(url, 5);
  expect(quantitiesOf(all.slice(2)).flat().toSorted()).toEqual([0, 1, 2]);
});

it('W70, W45: sending one delivery now sends its batch', async () => {
  for (const ordering of ['none', 'strict']) {
    let fails = true;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const partner = await newPartner(url, { ordering, retry_schedule: [3_600], ...batchOf(3) });
    await partner.publishMany(3);
    await expect
      .poll(async () => pluck(await partner.deliveries(), 'state'))
      .toEqual(['retrying', 'retrying', 'retrying']);
    fails = false;
    const all = await partner.deliveries();
    await partner.post(`deliveries/${all[1].id}/send-now`);
    const [first, second] = await receiver.count(url, 2);
    expect([idOf(second!), String(second?.body)]).toEqual([idOf(first!), String(first?.body)]);
    await partner.until('delivered', 3);
  }
});

it('W70: what is left of a batch goes on alone when one of its deliveries has ended otherwise', async () => {
  for (const ordering of ['none', 'strict']) {
    let fails = true;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const beside = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const terms = { ordering, retry_schedule: [3_600], ...batchOf(3) };
    const [partner, whole] = [await newPartner(url, terms), await newPartner(beside, terms)];
    for (const each of [partner, whole]) {
      await each.publishMany(3);
      await expect.poll(async () => (await each.deliveries('?filter[state]=retrying')).length).toBe(3);
    }
    const [first] = await receiver.count(url, 1);
    await service.sql(
      `update delivery set status = 'failed', next_attempt_at = null, completed_at = now() where event_id = (
         select event.id from event where event.body like '%' || $1 || '%')`,
      [first!.events[1]!.id],
    );
    fails = false;
    await partner.post('deliveries/send-now', { endpoint_id: partner.endpoint });
    const [, ...others] = await receiver.count(url, 3);
    expect(others.map(({ events }) => events.length)).toEqual([1, 1]);
    expect(others.map(({ events }) => events[0]?.id).toSorted()).toEqual(
      [first!.events[0]!.id, first!.events[2]!.id].toSorted(),
    );
    expect(new Set([first!, ...others].map(idOf)).size).toBe(3);
    expect(others.map(({ attempt }) => attempt)).toEqual([2, 2]);
    await partner.until('delivered', 2);
    // The batch of another endpoint repeats whole.
    await whole.post('deliveries/send-now', { endpoint_id: whole.endpoint });
    expect(new Set((await receiver.count(beside, 2)).map(idOf)).size).toBe(1);
  }
});

it('W70: a batch is formed of pending deliveries that are in no other, and leaves those that are in another', async () => {
  const partner = await newPartner(receiver.url(), batchOf(100));
  await partner.pause();
  await partner.publishMany(4);
  const db = service.database.open();
  onTestFinished(db.close);
  const rows = await service.sql('select id from delivery where partner_id = $1 order by id', [
    uuidOf(partner.id),
  ]);
  const [ended, one, two, three] = pluck(rows, 'id') as [string, string, string, string];
  await service.sql(
    `update delivery set status = 'cancelled', next_attempt_at = null, completed_at = now() where id = $1`,
    [ended],
  );
  const [first, second] = [uuidAt(Date.now()), uuidAt(Date.now())];
  const form = (batchId: string, ids: string[]) =>
    db.transaction((tx) =>
      insertBatches(
        tx,
        ids.map((id, number) => ({ id, batchId, number })),
      ),
    );
  expect(await form(first, [ended, one, two])).toEqual([{ id: first, delivery_ids: [one, two] }]);
  expect(await form(second, [two, three])).toEqual([{ id: second, delivery_ids: [three] }]);
  await service.sql('update delivery set batch_id = $1 where id = $2', [second, two]);
  expect(pluck(await selectMembers(db, [first]), 'id')).toEqual([one, null]);
  await db.transaction((tx) => dissolveBatches(tx, [first]));
  const left = await service.sql('select id, batch_id from delivery where batch_id is not null');
  expect(left).toEqual(expect.arrayContaining([two, three].map((id) => ({ id, batch_id: second }))));
  expect(pluck(left, 'id')).not.toContain(one);
  // Nothing is found for a lease that was lost.
  const lost = { endpointId: uuidOf(partner.endpoint), epoch: '-1' };
  const asked = [{ ...lost, ordering: 'none', maxEvents: 4, share: 1 }] as const;
  expect(await db.transaction((tx) => selectCandidates(tx, asked, []))).toEqual([]);
});

it('W70: a change of batch counts from the next attempt', async () => {
  for (const ordering of ['none', 'strict']) {
    const url = receiver.url(answer(500));
    const retried = { ordering, retry_schedule: [3_600, 3_600, 3_600] };
    const partner = await newPartner(url, { ...retried, ...batchOf(4) });
    const again = async (count: number) => {
      await expect.poll(async () => (await partner.deliveries('?filter[state]=retrying')).length).toBe(4);
      await partner.post('deliveries/send-now', { endpoint_id: partner.endpoint });
      return receiver.count(url, count);
    };
    await partner.publishMany(4);
    await receiver.count(url, 1);
    // A batch that is there keeps its events.
    succeed(await partner.change(batchOf(2)));
    const [first, second] = await again(2);
    expect(String(second?.body)).toBe(String(first?.body));
    await expect.poll(async () => (await partner.deliveries('?filter[attempt_count]=2')).length).toBe(4);
    succeed(await partner.change({ batch: null }));
    const alone = (await again(ordering === 'strict' ? 3 : 6))[2];
    expect(alone?.events).toHaveLength(1);
    expect(idOf(alone!)).toBe(alone?.events[0]?.id);
    // One of them was sent alone, so the batch that they were in cannot be repeated.
    succeed(await partner.change(batchOf(4)));
    const later = await again(ordering === 'strict' ? 4 : 10);
    expect(idOf(later.at(-1)!)).not.toBe(idOf(first!));
    expect(later.at(-1)!.events).toHaveLength(1);
  }
});

it('W70: the events of a batch in flight are not sent alone when batch is turned off', async () => {
  const held = Promise.withResolvers<void>();
  const url = receiver.url(async (request, response) => {
    const [quantities = []] = quantitiesOf([request]);
    if (quantities.length === 2 || quantities.includes(29)) await held.promise;
    response.writeHead(204).end();
  });
  // An endpoint that has answered gets several requests at once. One of them stays, so the lane stays too.
  const partner = await newPartner(url, { ...batchOf(3), timeout_seconds: 30 });
  await partner.publishMany(30);
  await partner.until('delivered', 27);
  succeed(await partner.change(batchOf(2, 0)));
  await partner.publishMany(2);
  await receiver.count(url, 11);
  succeed(await partner.change({ batch: null }));
  // What was published during a pause is read from the database, after what has waited longer.
  await partner.pause();
  await partner.publish(9);
  await partner.resume();
  await partner.until('delivered', 28);
  held.resolve();
  await partner.until('delivered', 33);
  const sent = quantitiesOf(receiver.at(url));
  expect(sent.filter(({ length }) => length < 3)).toEqual([[0, 1], [9]]);
});

it('W70: batch has 2 to 100 events and at most 60 seconds, and null ends it', async () => {
  const partner = await newPartner(receiver.url(), batchOf(100, 0.5));
  expect((await partner.read()).batch).toEqual({ max_events: 100, max_wait_seconds: 0.5 });
  const path = `webhook-endpoints/${partner.endpoint}`;
  for (const [batch, pointer] of [
    [{ max_events: 1, max_wait_seconds: 0 }, '/batch/max_events'],
    [{ max_events: 101, max_wait_seconds: 0 }, '/batch/max_events'],
    [{ max_events: 2, max_wait_seconds: 61 }, '/batch/max_wait_seconds'],
    [{ max_events: 2, max_wait_seconds: -1 }, '/batch/max_wait_seconds'],
    [{ max_events: 2 }, '/batch/max_wait_seconds'],
    [{ max_events: 2, max_wait_seconds: 0, more: 1 }, '/batch/more'],
  ] as const) {
    await expectFault(pointer, partner.send('PATCH', path, { batch }));
  }
  expect(succeed(await partner.change({ batch: null })).batch).toBeNull();
  const audit = succeed(await service.get(`/partners/${partner.id}/audit-log`));
  expect(JSON.stringify(audit)).toContain('max_events');
});
