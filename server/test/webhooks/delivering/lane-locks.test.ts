// Lanes with transactions opened by hand.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Database, Transaction } from '../../../src/base/postgres/database.ts';
import { createHandOver } from '../../../src/webhooks/delivering/hand-over.ts';
import { createOwnedLanes } from '../../../src/webhooks/delivering/owned-lanes.ts';
import { createSender } from '../../../src/webhooks/delivering/sender.ts';
import type { Signers } from '../../../src/webhooks/delivering/sign.ts';
import { selectDue } from '../../../src/webhooks/delivering/store.ts';
import { disableEndpoints, holdSubscribers } from '../../../src/webhooks/endpoints/store.ts';
import {
  claimLanes,
  releaseLanes,
  renewEveryMs,
  renewLanes,
  selectOwnedLanes,
  updateFailing,
} from '../../../src/webhooks/lanes/store.ts';
import { expectStatus, pluck, stock, succeed } from '../../stage/cast.ts';
import { hold, untilWaiting } from '../../stage/locks.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { useService } from '../../stage/start-service.ts';

let db: Database;
let client: Client;
let partner: string;
let endpoint: string;
const service = useService({ ...toLoopback, CONCORD_ROLE: 'api' });
beforeAll(() => {
  db = service.database.open();
});
afterAll(async () => {
  await db.close();
});
beforeEach(async () => {
  // Each test has the only endpoint and lane. Truncating could deadlock with a scheduled task that reads
  // several of the tables.
  for (const table of ['webhook_endpoint', 'replay', 'attempt', 'delivery', 'event'])
    await service.sql(`delete from ${table}`);
  client = await service.database.connect();
  partner = `/partners/${succeed(await service.post('/partners', { name: 'Acme' })).id}`;
  endpoint = `${partner}/webhook-endpoints/${(await post('webhook-endpoints', { url: 'http://127.0.0.1:1/' })).id}`;
});
afterEach(() => client.end());

const post = async (path: string, body: object) => succeed(await service.post(`${partner}/${path}`, body));
const publish = () => post('events', stock());
const owner = randomUUID();
const claim = () => claimLanes(db, owner, { healthy: 10, failing: 10 });
const lane = async () =>
  (
    await service.sql(
      `select owner is null as free, next_at <= now() as due, next_at = 'infinity' as sleeps from lane`,
    )
  )[0];
const owned = { free: false, due: false, sleeps: false };
const given = { free: true, due: true, sleeps: false };
/** Marks all due deliveries, or those of an endpoint, as delivered, as a deliverer would. */
const finish = (endpointId: string | null = null) =>
  service.sql(
    `update delivery set status = 'delivered', next_attempt_at = null, completed_at = now()
     where status = 'pending' and ($1::uuid is null or endpoint_id = $1)`,
    [endpointId],
  );

it('W17: one deliverer claims a lane; a lane released with nothing due sleeps', async () => {
  expect(await claim()).toEqual([]);
  await publish();
  const other = await hold(service.database, 'select from lane for no key update');
  expect(await claim()).toEqual([]);
  await other.end();
  const both = await Promise.all([claim(), claim(), claim()]);
  expect(both.flat()).toHaveLength(1);
  const [lease] = both.flat();
  await finish();
  expect(await releaseLanes(db, [lease!])).toEqual({
    gone: new Set([lease!.endpointId]),
    dueInMs: Number.POSITIVE_INFINITY,
  });
  expect(await lane()).toEqual({ free: true, due: false, sleeps: true });
  await publish();
  expect(await lane()).toEqual(given);
});

it('W19: a deliverer cannot release a lane while a publisher has not committed', async () => {
  await publish();
  const [lease] = await claim();
  await finish();
  // An uncommitted publisher has read the lane as owned and holds a lock on it.
  await client.query('begin');
  await client.query('select from lane for key share');
  expect((await releaseLanes(db, [lease!])).gone.size).toBe(0);
  await client.query('commit');
  expect((await releaseLanes(db, [lease!])).gone.size).toBe(1);
});

it('W19: a publisher waits while a deliverer releases the lane, and then wakes the lane', async () => {
  await publish();
  await claim();
  await finish();
  await client.query('begin');
  await client.query('select from lane for update');
  const publishing = publish();
  await untilWaiting(service.database, 1);
  await client.query(`update lane set owner = null, next_at = 'infinity'`);
  await client.query('commit');
  await publishing;
  expect(await lane()).toEqual(given);
});

it('W19: a renewal does not reclaim a lane that is being released', async () => {
  await publish();
  const [lease] = await claim();
  await client.query('begin');
  await client.query('select from lane for update');
  const renewal = renewLanes(db, owner, [lease!]);
  await untilWaiting(service.database, 1);
  await client.query(`update lane set owner = null, next_at = now() - interval '1 second'`);
  await client.query('commit');
  expect(await renewal).toEqual(new Set());
  expect(await lane()).toEqual(given);
});

it('W8: resuming an endpoint wakes its lane, even while the lane is being released', async () => {
  await publish();
  succeed(await service.post(`${endpoint}/pause`));
  const [lease] = await claim();
  expect(await selectDue(db, [{ ...lease!, share: 5 }], [])).toEqual([]);
  await client.query('begin');
  await client.query('select from lane for update');
  const resuming = service.post(`${endpoint}/resume`);
  await untilWaiting(service.database, 1);
  await client.query(`update lane set owner = null, next_at = 'infinity'`);
  await client.query('commit');
  succeed(await resuming);
  expect(await lane()).toEqual(given);
});

it('W19: the owner of a lane hears that something was published', async () => {
  await publish();
  const [lease] = await claim();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.query('listen concord_lanes');
  await publish();
  await expect.poll(() => heard).toContain(lease!.endpointId);
});

/** A deliverer of this process that can be handed deliveries. By default it has no key to send them. */
async function prepareHandOver(keys?: Signers) {
  const unused = () => {
    throw new Error('Nothing is sent');
  };
  const lanes = createOwnedLanes({ db, owner, concurrency: 10, observer: { leasesLost: unused } });
  const sender = createSender({
    makeAttempt: unused,
    recorder: { add: unused, stop: unused },
    concurrency: 10,
    isOurs: unused,
    wake: unused,
  });
  const handOver = createHandOver({
    lanes,
    sender,
    signers: () => (keys ? Promise.resolve(keys) : Promise.reject(new Error('No key can sign'))),
    capacity: () => 10,
    isRunning: () => true,
    wake: () => {},
    onFault: unused,
  });
  const [{ partner_id }] = await service.sql('select partner_id from webhook_endpoint');
  const [endpoint] = await db.transaction((tx) => holdSubscribers(tx, partner_id, null));
  const { id } = endpoint!;
  const event = { id: randomUUID(), environment: 'live', body: '', traceparent: null } as const;
  const written = {
    endpointIds: [id],
    due: [{ id: randomUUID(), event, endpoint: endpoint! }],
    clock: { now: new Date(), readAt: 0 },
  };
  return { lanes, sender, handOver, written, ownLane: () => lanes.get(id) };
}

it('W14: a delivery that a look has begun, or whose lane was claimed again, is not sent from memory', async () => {
  const { lanes, sender, handOver, written } = await prepareHandOver({} as Signers);
  const { id, endpoint } = written.due[0]!;
  const hand = (meanwhile: () => void) =>
    handOver.publishing((wake) =>
      db.transaction(async (tx) => {
        await wake(tx, written);
        meanwhile();
      }),
    );
  await hand(() =>
    sender.inFlight.begin({ id, deliveryIds: [id], endpointId: endpoint.id }, false).recorded(),
  );
  await hand(() =>
    lanes.add({ endpointId: endpoint.id, epoch: '99', failingSince: null }).foundAll(performance.now()),
  );
  expect(sender.inFlight.size()).toBe(0);
});

it('W18: a lane is known if the answer to the commit that claimed it was lost', async () => {
  const { lanes, handOver, written, ownLane } = await prepareHandOver();
  const publishing = handOver.publishing(async (wake) => {
    await db.transaction((tx) => wake({ ...tx, afterCommit: () => {} }, written));
    // The answer can still come.
    lanes.doubt();
    await lanes.adopt(handOver.isClaiming);
    expect([await lane(), ownLane()]).toEqual([owned, undefined]);
    throw new Error('lost');
  });
  await expect(publishing).rejects.toThrow('lost');
  await lanes.adopt(handOver.isClaiming);
  expect([await lane(), ownLane()?.epoch]).toEqual([owned, '1']);
});

it('W18: a lane is known if the answer to its claim was lost, also if PostgreSQL claims it later', async () => {
  const query: Database['query'] = (statement, name) =>
    name === 'claim lanes' ? Promise.reject(new Error('lost')) : db.query(statement, name);
  const observer = { leasesLost: () => expect.unreachable() };
  const lanes = createOwnedLanes({ db: { ...db, query }, owner, concurrency: 10, observer });
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['performance'] });
  await publish();
  await expect(lanes.claim(10, 10)).rejects.toThrow('lost');
  await lanes.adopt(() => false);
  // What PostgreSQL did with the statement meanwhile.
  const [late] = await claim();
  expect([await lane(), lanes.size()]).toEqual([owned, 0]);
  vi.advanceTimersByTime(renewEveryMs);
  await lanes.adopt(() => false);
  expect(lanes.get(late!.endpointId)?.epoch).toBe(late!.epoch);
});

it('W16, W17: an owner that is handed deliveries all the time learns that the endpoint fails, and that it works', async () => {
  const { handOver, written, ownLane } = await prepareHandOver();
  const handIn = () => handOver.publishing((wake) => db.transaction((tx) => wake(tx, written)));
  await handIn();
  expect(ownLane()?.isFailing()).toBe(false);
  await service.sql('update lane set failing_since = now()');
  await handIn();
  expect(ownLane()?.isFailing()).toBe(true);
  await service.sql('update lane set failing_since = null');
  await handIn();
  expect(ownLane()?.isFailing()).toBe(false);
});

it('W18: a lease of an earlier epoch finds, renews, judges and releases nothing', async () => {
  await publish();
  const [lease] = await claim();
  expect(await selectDue(db, [{ ...lease!, share: 5 }], [])).toHaveLength(1);
  await service.sql(`update lane set next_at = now() - interval '1 second'`);
  const [next] = await claim();
  expect(BigInt(next!.epoch)).toBe(BigInt(lease!.epoch) + 1n);
  expect(await selectDue(db, [{ ...lease!, share: 5 }], [])).toEqual([]);
  expect(await renewLanes(db, owner, [lease!])).toEqual(new Set());
  await db.transaction(async (tx) => {
    const gone = { ...lease!, url: 'http://127.0.0.1:1/' };
    expect(await disableEndpoints(tx, [gone], [])).toEqual([]);
    await updateFailing(tx, randomUUID(), [{ ...lease!, failing: true }]);
  });
  expect(await service.sql('select from lane where failing_since is not null')).toEqual([]);
  // The former owner learns that the lane is lost.
  expect((await releaseLanes(db, [lease!])).gone).toEqual(new Set([lease!.endpointId]));
  expect((await lane()).free).toBe(false);
  expect(await renewLanes(db, owner, [next!])).toEqual(new Set([next!.endpointId]));
});

for (const ordering of ['none', 'strict']) {
  it(`W18: an owner finds, renews and releases its lanes, and none of another owner (ordering ${ordering})`, async () => {
    succeed(await service.patch(endpoint, { ordering }));
    await publish();
    const [own] = await claim();
    await post('webhook-endpoints', { url: 'http://127.0.0.1:1/', ordering });
    await publish();
    const other = randomUUID();
    const [theirs] = await claimLanes(db, other, { healthy: 10, failing: 10 });
    expect(await selectOwnedLanes(db, owner)).toEqual([own]);
    expect(await renewLanes(db, owner, [own!, theirs!])).toEqual(new Set([own!.endpointId]));
    await finish(own!.endpointId);
    expect((await releaseLanes(db, [own!])).dueInMs).toBe(Number.POSITIVE_INFINITY);
    expect([await selectOwnedLanes(db, owner), await selectOwnedLanes(db, other)]).toEqual([[], [theirs]]);
  });
}

/** Publishes in an open transaction that has not committed yet. */
async function publishByHand() {
  const [{ id }] = await service.sql('select partner_id as id from webhook_endpoint');
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock_shared(hashtextextended($1, 0))`, [
    `concord publishing ${id}`,
  ]);
  const ofNow = `overlay(gen_random_uuid()::text placing left(first_id_of(now())::text, 13) from 1)::uuid`;
  await client.query(
    `with made as (
       insert into event (id, partner_id, environment, type, position, body, created_at)
       select ${ofNow}, $1, 'live', 'x', nextval('event_position'), '{"type":"x","data":{}}', now() returning *)
     insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, next_attempt_at, created_at)
     select ${ofNow}, made.id, 'x', $1, webhook_endpoint.id, 'live', position, now(), now() from made, webhook_endpoint`,
    [id],
  );
}

it('W16: deleting an endpoint waits for a publisher; a later publisher waits for the deletion and delivers nothing to the endpoint', async () => {
  await publishByHand();
  const deleting = service.remove(endpoint);
  await untilWaiting(service.database, 1);
  const publishing = publish();
  await untilWaiting(service.database, 2);
  await client.query('commit');
  await expectStatus(204, deleting);
  await publishing;
  expect(await service.sql('select status from delivery')).toEqual([{ status: 'cancelled' }]);
});

it('W10: a reader of the feed waits for publishers that have a position, but not for later publishers', async () => {
  await publishByHand();
  const reading = service.get(`${partner}/events?page_size=10`);
  // The last statement of a connection of the pool: the reader has seen the publisher.
  const looks = `select from pg_stat_activity where position('join pg_locks' in query) > 0 and pid <> pg_backend_pid()`;
  await expect.poll(() => service.sql(looks)).not.toHaveLength(0);
  const later = await publish();
  await client.query('commit');
  expect(succeed(await reading)).toHaveLength(1);
  expect(succeed(await service.get(`${partner}/events`))[1].id).toBe(later.id);
});

it('W17: of two events that are published at the same time, the one that commits first goes first, also with strict ordering', async () => {
  await service.sql(`update webhook_endpoint set ordering = 'strict'`);
  await publishByHand();
  await publish();
  const [lease] = await claim();
  const head = async () => (await selectDue(db, [{ ...lease!, share: 5 }], [])).map(({ id }) => id);
  const places = async () =>
    (await service.sql('select id from delivery order by position')).map(({ id }) => id);
  const sentFirst = await head();
  await client.query('commit');
  expect(await places()).toEqual([(await head())[0], sentFirst[0]]);
  expect([sentFirst.length, (await head()).length]).toEqual([1, 1]);
});

it('W17: an event that is published after the answer to another one follows it', async () => {
  await service.sql(`update webhook_endpoint set ordering = 'strict'`);
  const events = [await publish(), await publish(), await publish()].map(({ id }) => id);
  expect(pluck(succeed(await service.get(`${partner}/events`)), 'id')).toEqual(events);
});

it('W17: failing lanes are claimed separately', async () => {
  await publish();
  await service.sql('update lane set failing_since = now()');
  expect(await claimLanes(db, randomUUID(), { healthy: 10, failing: 0 })).toEqual([]);
  expect(await claimLanes(db, randomUUID(), { healthy: 0, failing: 10 })).toHaveLength(1);
});

it('W16: a change to an endpoint that was disabled in the meantime leaves it disabled', async () => {
  await client.query('begin');
  await client.query(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'x', disabled_at = now()`,
  );
  const changing = service.patch(endpoint, { description: 'd' });
  await untilWaiting(service.database, 1);
  await client.query('commit');
  expect(succeed(await changing)).toMatchObject({
    status: 'disabled',
    disabled_reason: 'x',
    description: 'd',
  });
});

it('W17: what is due is looked for once in each lane, however many partners there are', async () => {
  const lanes = 20;
  for (let n = 0; n < lanes; n++) {
    const { id } = succeed(await service.post('/partners', { name: `Acme ${n}` }));
    succeed(await service.post(`/partners/${id}/webhook-endpoints`, { url: 'http://127.0.0.1:1/' }));
    await expectStatus(202, service.post(`/partners/${id}/events`, stock()));
  }
  const claimed = await claimLanes(db, owner, { healthy: lanes, failing: 0 });
  const asked = claimed.map((lane) => ({ ...lane, share: 1 }));
  const countScans = async (tx: Transaction) => {
    const [row] = await tx.query<{ scans: number; partitions: number }>(
      sql`select sum(idx_scan)::int as scans, count(*)::int as partitions from pg_stat_xact_user_tables where relname like ${'delivery\\_2%'}`,
    );
    return row ?? { scans: 0, partitions: 0 };
  };
  const read = async (tx: Transaction) => {
    // Earlier transactions of the connection may still be counted.
    const { scans } = await countScans(tx);
    const due = await selectDue(tx, asked, []);
    const after = await countScans(tx);
    return { due, count: after.scans - scans, partitions: after.partitions };
  };
  const { due, count, partitions } = await db.transaction(read, { lookUps: true });
  expect(due).toHaveLength(lanes);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(lanes * partitions);
});
