// Checkpoints: signed statements of what was published for an endpoint (behaviour W77).
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { checkpointType } from '../../../src/webhooks/catalogue/checkpoint-type.ts';
import { expectStatus, pluck, succeed, uuidOf } from '../../stage/cast.ts';
import { commit, hold, holdEvents, letEventsGo, untilWaiting } from '../../stage/locks.ts';
import type { Received } from '../../stage/receiver.ts';
import { startWorkerHere, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';
import { checkpointsOf, openJws, rootOf } from './checkpoint-stage.ts';

const { service, receiver, newPartner } = useWebhookStage();
const open = async (terms: object = {}, url = receiver.url()) => {
  const partner = await newPartner(url, { checkpoint_minutes: 1, ...terms });
  return { partner, url, ...checkpointsOf(service, partner) };
};
const delivered = (partner: WebhookPartner, count: number) =>
  expect
    .poll(async () => (await partner.deliveries('?filter[status]=delivered')).length)
    .toBeGreaterThanOrEqual(count);
const parseEndpoint = ({ endpoint }: WebhookPartner) => uuidOf(endpoint);
/** Ends with the test at the latest: a request that waits would keep the service from stopping. */
async function holdPublishers() {
  const lock = await hold(service.database, 'select pg_advisory_xact_lock(4711)');
  onTestFinished(() => lock.end());
  return lock;
}
const checkpointsAt = (url: string) =>
  receiver.at(url).filter(({ event }) => event.type === checkpointType.name);
const dataOf = ({ event }: Received) => event.data as Record<string, unknown>;

it('W77: a checkpoint has the number and the Merkle root of the deliveries, is signed, and is sent to its endpoint alone', async () => {
  const { partner, url, path, make, deliveries } = await open({ event_types: ['inventory.updated'] });
  const other = receiver.url();
  // It has deliveries of its own at the same positions.
  await partner.post('webhook-endpoints', { url: other, checkpoint_minutes: 60 });
  const published: string[] = [];
  for (let n = 0; n < 7; n++) published.push(await partner.publish(n));
  await delivered(partner, 14);
  const [checkpoint, ...more] = await make();
  expect(more).toEqual([]);
  expect(checkpoint).toMatchObject({
    endpoint_id: partner.endpoint,
    previous_id: null,
    root: rootOf(published),
    count: 7,
    delivered: 7,
    pending: 0,
    failed: 0,
    cancelled: 0,
  });
  expect(succeed(await service.get(`${path}/${checkpoint.id}`))).toEqual(checkpoint);

  const list = await deliveries(checkpoint);
  expect(pluck(list, 'event_id')).toEqual(published);
  expect(new Set(pluck(list, 'status'))).toEqual(new Set(['delivered']));
  const page = await service.get(`${path}/${checkpoint.id}/deliveries?page_size=3&page_from=${published[1]}`);
  expect(pluck(succeed(page), 'event_id')).toEqual(published.slice(2, 5));
  expect(page.headers.link).toContain('rel="next"');
  expect(await deliveries(checkpoint, '?sort_dir=desc&page_size=7')).toEqual(list.toReversed());

  const { header, statement, isRight } = await openJws(service, checkpoint.jws);
  expect(header).toEqual({ alg: 'ES384', kid: expect.any(String), typ: 'concord-checkpoint+jws' });
  const { id: checkpoint_id, jws, ...said } = checkpoint;
  expect(statement).toEqual({ ...said, checkpoint_id, partner_id: partner.id, environment: 'live' });
  expect(isRight).toBe(true);

  await expect.poll(() => checkpointsAt(url)).toHaveLength(1);
  expect(dataOf(checkpointsAt(url)[0]!)).toEqual({ ...statement, jws });
  expect(checkpointsAt(other)).toEqual([]);
});

it('W77: checkpoints follow each other without a gap, and one without deliveries has the count 0', async () => {
  const { partner, make, eventIds } = await open({ event_types: ['inventory.updated'] });
  const [one, two] = [await partner.publish(1), await partner.publish(2)];
  await partner.send('POST', 'events', {
    type: 'order.status_changed',
    data: { order_id: '1', status: 'new' },
  });
  await delivered(partner, 2);
  await make();
  // The delivery of the first checkpoint is not counted, nor is the event that the endpoint does not want.
  await delivered(partner, 3);
  await make();
  await delivered(partner, 4);
  const three = await partner.publish(3);
  await delivered(partner, 5);
  const all = await make();
  expect(pluck(all, 'previous_id')).toEqual([null, all[0].id, all[1].id]);
  expect(await Promise.all(all.map(eventIds))).toEqual([[one, two], [], [three]]);
  expect(pluck(all, 'root')).toEqual([rootOf([one, two]), rootOf([]), rootOf([three])]);
  expect(pluck(all, 'covers_from').slice(1)).toEqual(pluck(all, 'covers_until').slice(0, -1));
});

it('W77: deliveries of a paused endpoint are pending, and the next checkpoint waits for the one before', async () => {
  const { partner, make, eventIds, deliveries } = await open();
  await make();
  await delivered(partner, 1);
  await partner.pause();
  const first = await partner.publish(1);
  const [, paused] = await make();
  expect(paused).toMatchObject({ count: 1, pending: 1, delivered: 0 });
  const second = await partner.publish(2);
  expect(await make()).toHaveLength(2);
  expect(await (await open()).make()).toHaveLength(1);
  await partner.resume();
  await delivered(partner, 4);
  const third = await partner.publish(3);
  await delivered(partner, 5);
  const all = await make();
  expect(await Promise.all(all.map(eventIds))).toEqual([[], [first], [second, third]]);
  // The list says what has happened since.
  expect(pluck(await deliveries(paused), 'status')).toEqual(['delivered']);
});

it('W77: failed deliveries are counted, and a replay changes the list but no checkpoint', async () => {
  let isBroken = true;
  const url = receiver.url((_: Received, response: ServerResponse) =>
    response.writeHead(isBroken ? 500 : 204).end(),
  );
  const { partner, make, deliveries } = await open({ retry_schedule: [] }, url);
  await partner.publish();
  await expect.poll(() => partner.statuses()).toEqual(['failed']);
  isBroken = false;
  const [checkpoint] = await make();
  expect(checkpoint).toMatchObject({ count: 1, failed: 1 });
  const [{ delivery_id, status }] = await deliveries(checkpoint);
  expect(status).toBe('failed');
  await partner.post(`deliveries/${delivery_id}/replay`);
  await expect.poll(async () => (await deliveries(checkpoint))[0].status).toBe('delivered');
  await expect.poll(async () => (await make()).length).toBe(2);
  expect(pluck(await make(), 'count').slice(0, 2)).toEqual([1, 0]);
});

it('W77: checkpoints cover what is published after the answer that turned them on, and off and on begin another chain', async () => {
  const { partner, make, eventIds } = await open({ checkpoint_minutes: null });
  await partner.publish(1);
  expect(await make()).toEqual([]);
  succeed(await partner.change({ checkpoint_minutes: 5 }));
  const second = await partner.publish(2);
  await delivered(partner, 2);
  await make();
  succeed(await partner.change({ checkpoint_minutes: null }));
  await partner.publish(3);
  succeed(await partner.change({ checkpoint_minutes: 5 }));
  const fourth = await partner.publish(4);
  await delivered(partner, 5);
  const all = await make();
  expect(await Promise.all(all.map(eventIds))).toEqual([[second], [fourth]]);
  expect(pluck(all, 'previous_id')).toEqual([null, null]);
});

it('W77: another interval counts from the last checkpoint', async () => {
  const { partner, bare } = await open({ checkpoint_minutes: 60 });
  const minutes = async () => {
    const [row] = await service.sql(
      'select extract(epoch from due_at - reached_at)::float8 / 60 as minutes from checkpoint_chain where endpoint_id = $1',
      [bare],
    );
    return row.minutes;
  };
  expect(await minutes()).toBeCloseTo(60, 1);
  succeed(await partner.change({ checkpoint_minutes: 5 }));
  expect(await minutes()).toBeCloseTo(5, 1);
  succeed(await partner.change({ description: 'x' }));
  expect(await minutes()).toBeCloseTo(5, 1);
});

it('W77: nobody else publishes a checkpoint', async () => {
  const { partner } = await open();
  const { name: type, example: data } = checkpointType;
  for (const [path, body] of [
    ['events', { type, data }],
    ['events/batch', [{ type, data }]],
  ] as const)
    await expectStatus(400, partner.send('POST', path, body));
});

it('W77: a checkpoint of another endpoint, of nobody, and of a deleted endpoint is 404', async () => {
  const { partner, path, make } = await open();
  const other = await open();
  const { id } = await partner.post('webhook-endpoints', { url: receiver.url(), checkpoint_minutes: 60 });
  const beside = checkpointsOf(service, { id: partner.id, endpoint: id });
  const [checkpoint] = await make();
  expect(await beside.list()).toEqual([]);
  for (const id of ['cpt_01h2xcejqtf2nbrexx3vqjhp41', 'x', partner.id]) {
    await expectStatus(404, service.get(`${path}/${id}`));
    await expectStatus(404, service.get(`${path}/${id}/deliveries`));
  }
  for (const at of [other.path, beside.path]) await expectStatus(404, service.get(`${at}/${checkpoint.id}`));
  succeed(await partner.send('DELETE', `webhook-endpoints/${partner.endpoint}`));
  await expectStatus(404, service.get(`${path}/${checkpoint.id}`));
  expect(
    await service.sql('select from checkpoint_chain where endpoint_id = $1', [parseEndpoint(partner)]),
  ).toEqual([]);
});

it('W77, W20: a checkpoint is deleted when its oldest delivery reaches the retention', async () => {
  const { partner, make, list } = await open();
  await make();
  await delivered(partner, 1);
  const [, kept] = await make();
  await service.sql(
    `update checkpoint set covers_from = now() - interval '90 days' where id <> $1 and endpoint_id = $2`,
    [uuidOf(kept.id), parseEndpoint(partner)],
  );
  await service.runTask('delete old checkpoints');
  expect(await list()).toEqual([kept]);
});

it('W77: a checkpoint waits for the events before its horizon that are being published', async () => {
  const { partner, due, list, eventIds } = await open();
  const bare = (
    await service.sql('select partner_id from webhook_endpoint where id = $1', [parseEndpoint(partner)])
  )[0].partner_id;
  await holdEvents(service.database, `new.body like '%held back%' and new.partner_id = '${bare}'`);
  onTestFinished(async () => void (await letEventsGo(service.database)));
  const lock = await holdPublishers();
  const early = partner.send('POST', 'events/batch', [
    { type: 'inventory.updated', data: { sku: 'held back', quantity: 1 } },
  ]);
  await untilWaiting(service.database, 1);
  // A later position commits first.
  const late = await partner.publish(2);
  await due();
  const making = service.runTask('make checkpoints');
  const looked = () =>
    service.sql(`select from checkpoint_chain where endpoint_id = $1 and due_at > now()`, [
      parseEndpoint(partner),
    ]);
  await expect.poll(looked).toHaveLength(1);
  expect(await list()).toEqual([]);
  await lock.end();
  const [{ id }] = succeed(await early);
  await making;
  const all = await list();
  expect(await Promise.all(all.map(eventIds))).toEqual([[id, late]]);
});

it('W77: what is published while checkpoints are turned on is in no checkpoint or in one, never lost between two', async () => {
  const { partner, make, eventIds } = await open({ checkpoint_minutes: null });
  await holdEvents(service.database, `new.body like '%before the change%'`);
  onTestFinished(async () => void (await letEventsGo(service.database)));
  const lock = await holdPublishers();
  const before = partner.send('POST', 'events', {
    type: 'inventory.updated',
    data: { sku: 'before the change', quantity: 1 },
  });
  await untilWaiting(service.database, 1);
  const change = partner.change({ checkpoint_minutes: 1 });
  await untilWaiting(service.database, 2);
  await lock.end();
  succeed(await before);
  succeed(await change);
  const after = await partner.publish(2);
  await delivered(partner, 2);
  expect(await Promise.all((await make()).map(eventIds))).toEqual([[after]]);
});

it('W77: a process that dies while it makes a checkpoint leaves neither checkpoint nor event, and the next one makes both', async () => {
  const { url, bare, due, list, make } = await open();
  await holdEvents(service.database, `new.type = '${checkpointType.name}'`);
  const lock = await holdPublishers();
  await due();
  const making = service.runTask('make checkpoints');
  await untilWaiting(service.database, 1);
  // What the database sees when the process has gone.
  await service.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  await making;
  expect(await list()).toEqual([]);
  await lock.end();
  await letEventsGo(service.database);
  expect(await make()).toHaveLength(1);
  await expect.poll(() => checkpointsAt(url)).toHaveLength(1);
  expect(
    await service.sql(`select from delivery where endpoint_id = $1 and proof = 'checkpoint'`, [bare]),
  ).toHaveLength(1);
});

it('W77: two processes that make the same checkpoint make one', async () => {
  const { bare, due, list } = await open();
  const [one, two] = [await startWorkerHere(service), await startWorkerHere(service)];
  await holdEvents(service.database, `new.type = '${checkpointType.name}'`);
  onTestFinished(async () => void (await letEventsGo(service.database)));
  const lock = await holdPublishers();
  await service.pauseTask('make checkpoints');
  await due();
  await service.sql("update scheduled_task set next_at = '-infinity' where name = 'make checkpoints'");
  const making = one.tasks.runDue('make checkpoints');
  await untilWaiting(service.database, 1);
  // The first process loses the task's row while it publishes, so the second one takes the task over.
  await service.sql(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and query not like '%4711%'`);
  const taking = two.tasks.runDue('make checkpoints');
  await untilWaiting(service.database, 1, 'update checkpoint_chain');
  await lock.end();
  expect((await Promise.all([making, taking]))[0]).toEqual([]);
  expect(await list()).toHaveLength(1);
  const sent = await service.sql(`select from delivery where endpoint_id = $1 and proof = 'checkpoint'`, [
    bare,
  ]);
  expect(sent).toHaveLength(1);
});

it('W77: a change of the interval that commits while a checkpoint is made counts for the next one', async () => {
  const { bare, due, list } = await open({ checkpoint_minutes: 1_440 });
  await service.pauseTask('make checkpoints');
  await due();
  const change = await hold(
    service.database,
    'update webhook_endpoint set checkpoint_minutes = 1 where id = $1',
    [bare],
  );
  const making = service.runTask('make checkpoints');
  await untilWaiting(service.database, 1, 'checkpoint_chain');
  await commit(change);
  await making;
  expect(await list()).toHaveLength(1);
  const late = `select from checkpoint_chain where endpoint_id = $1 and due_at > now() + interval '1 minute'`;
  expect(await service.sql(late, [bare])).toEqual([]);
});

it('W77: a test event cannot be a checkpoint, and no checkpoint waits for it', async () => {
  const url = receiver.url();
  const { partner, make } = await open(
    { environment: 'sandbox', event_types: [checkpointType.name, 'inventory.updated'] },
    url,
  );
  for (const more of [{}, { data: checkpointType.example }])
    expect(await partner.act('test', { type: checkpointType.name, ...more })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/type' }] },
    });
  // Without a type, it is the first other one that the endpoint wants.
  expect(succeed(await partner.act('test')).type).toBe('inventory.updated');
  await delivered(partner, 1);
  const [checkpoint, ...more] = await make();
  expect([more, (await openJws(service, checkpoint.jws, '/sandbox')).isRight]).toEqual([[], true]);
  await expect.poll(() => checkpointsAt(url)).toHaveLength(1);
});

it('W77: more than 100,000 deliveries follow in the next checkpoint at once', async () => {
  const { partner, bare, make, list, deliveries } = await open();
  await partner.pause();
  const first = await partner.publish();
  await service.sql(
    `with more as (
       insert into event (id, partner_id, environment, type, position, body, created_at)
       select overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, partner_id, environment, type, nextval('event_position'), body, created_at
       from event, generate_series(1, 100000) n where id = $2 returning *)
     insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, created_at, completed_at, proof)
     select id, id, type, partner_id, $1, environment, position, 'delivered', created_at, created_at, 'covered' from more`,
    [bare, uuidOf(first)],
  );
  // On a slow machine it follows in the next run of the task.
  await expect.poll(async () => (await make()).length).toBe(2);
  const all = await list();
  expect(pluck(all, 'count')).toEqual([100_000, 1]);
  expect(pluck(all, 'pending')).toEqual([1, 0]);
  expect(all[1].previous_id).toBe(all[0].id);
  const ids = pluck(await deliveries(all[0]), 'event_id');
  expect([ids.length, ids[0], rootOf(ids)]).toEqual([100_000, first, all[0].root]);
});
