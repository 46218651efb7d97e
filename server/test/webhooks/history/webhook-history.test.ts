// The history: partitions are created ahead and dropped when old, and deliveries that still wait fail.

import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { deleteSome } from '../../../src/base/postgres/sql/deletion.ts';
import { oldProducerIds } from '../../../src/webhooks/history/retention/store.ts';
import { pluck, stock, succeed, uuidOf } from '../../stage/cast.ts';
import { commit, hold, ofThisDatabase, waiters } from '../../stage/locks.ts';
import { toLoopback, useReceiver } from '../../stage/receiver.ts';
import { useService } from '../../stage/start-service.ts';
import { createWebhookPartner } from '../../stage/webhook-stage.ts';

const service = useService({ ...toLoopback, CONCORD_WEBHOOK_RETENTION: '60d' });
const receiver = useReceiver(service, { now: () => clock });

const dayMs = 86_400_000;
const noPartner = '00000000-0000-0000-0000-000000000000';
const weekMs = 7 * dayMs;
/** In a week whose partition does not exist yet. */
const start = Math.ceil(Date.now() / weekMs) * weekMs + 5.25 * weekMs;
const partitionOf = (table: string, day: number) =>
  `${table}_${new Date(Math.floor((start + day * dayMs) / weekMs) * weekMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
let clock = Date.now();
const inFlight = () =>
  service.sql(
    `select from delivery join webhook_endpoint endpoint on endpoint.id = endpoint_id
     where delivery.status = 'pending' and endpoint.status = 'active'`,
  );
async function moveClock(day: number) {
  clock = start + day * dayMs;
  // The operator stays signed in: a task deletes sessions that have ended.
  await service.sql('update auth.session set expires_at = $2, created_at = $1, updated_at = $1', [
    new Date(clock),
    new Date(clock + dayMs),
  ]);
  await service.setClock(new Date(clock).toISOString());
}
async function setDay(day: number) {
  // A webhook signed by the old clock must also arrive before the clock moves.
  await expect.poll(inFlight).toEqual([]);
  await moveClock(day);
  // The schedule does not follow the clock, so the test runs the tasks by name. Each run drops one partition.
  for (const task of [
    'make webhook partitions',
    'give up waiting deliveries',
    ...Array(8).fill('drop webhook partitions'),
    'rotate signing keys',
  ])
    await service.runTask(task);
}

async function newPartner(terms: object = {}) {
  const url = receiver.url();
  const partner = await createWebhookPartner(service, url, terms);
  const publish = async (producer_id?: string): Promise<string> =>
    (await partner.post('events', { ...stock(), producer_id })).id;
  return { ...partner, url, publish };
}
const partitions = async () =>
  (
    await service.sql(
      `select relname from pg_inherits join pg_class on oid = inhrelid where relname ~ '^(event|delivery|attempt)_\\d+$' order by 1`,
    )
  ).map(({ relname }) => relname as string);

it('W20: partitions are created two weeks ahead, and old partitions are dropped with their contents', async () => {
  await setDay(0);
  const partner = await newPartner();
  const first = await partner.publish('p');
  await receiver.count(partner.url, 1);
  expect(await partner.deliveries()).toHaveLength(1);
  const before = await partitions();
  const made = before.filter((name) => name.startsWith('event') && name >= partitionOf('event', 0));
  expect(made).toEqual([0, 7, 14].map((day) => partitionOf('event', day)));
  await setDay(59);
  // A producer id is remembered as long as its event is kept.
  expect(await partner.publish('p')).toBe(first);
  expect(await partner.get('events')).toHaveLength(1);
  await setDay(62);
  const known = () => service.sql(`select from known_producer_id where producer_id = 'p'`);
  const db = service.database.open();
  const read = await db.transaction(async (tx) => {
    await deleteSome(tx, oldProducerIds);
    return tx.query(sql`
      select relation::regclass from pg_locks where pid = pg_backend_pid() and relation::regclass::text ~ '^event'`);
  });
  await db.close();
  // To look for the events would read all that are kept.
  expect(read).toEqual([]);
  expect(await known()).toHaveLength(1);
  await setDay(66);
  expect(await partitions()).toContain(made[0]);
  await setDay(69);
  await service.runTask('delete old producer ids');
  expect(await known()).toEqual([]);
  const after = await partitions();
  expect(after.filter((name) => name.slice(-8) <= made[0]!.slice(-8))).toEqual([]);
  expect(await partner.get('events')).toEqual([]);
  expect(await partner.deliveries()).toEqual([]);
  const again = await partner.publish('p');
  expect(again).not.toBe(first);
  // A cursor older than all kept events skips none of them.
  expect(await partner.get(`events?page_from=${first}`)).toMatchObject([{ id: again }]);
  await receiver.count(partner.url, 2);
});

it('W9: a producer_id is forgotten with its event, even before the cleanup', async () => {
  await setDay(80);
  const partner = await newPartner();
  const first = await partner.publish('q');
  await receiver.count(partner.url, 1);
  await service.sql(`delete from event where producer_id = 'q'`);
  await service.sql(
    `update known_producer_id set created_at = created_at - interval '8 days' where producer_id = 'q'`,
  );
  const second = await partner.publish('q');
  expect(second).not.toBe(first);
  expect(await partner.publish('q')).toBe(second);
});

it('W20: a delivery that still waits when its retention ends fails with a reason', async () => {
  await setDay(100);
  const [partner, other] = [await newPartner(), await newPartner()];
  await partner.pause();
  for (const each of [partner, other]) await each.publish();
  await setDay(159);
  expect((await partner.deliveries())[0].status).toBe('pending');
  await setDay(161);
  const [{ id, status, attempt_count }] = await partner.deliveries();
  expect([status, attempt_count]).toEqual(['failed', 1]);
  expect(pluck(await other.deliveries(), 'status')).toEqual(['delivered']);
  const { attempts } = await partner.get(`deliveries/${id}`);
  expect(attempts).toMatchObject([
    { number: 1, duration_ms: 0, status_code: null, error: expect.stringMatching(/^expired: /) },
  ]);
});

it('W20: a partition is not dropped while one of its deliveries waits', async () => {
  await setDay(165);
  const partner = await newPartner();
  await partner.pause();
  await partner.publish();
  // The task that fails waiting deliveries has not run yet.
  await service.pauseTask('give up waiting deliveries');
  await moveClock(240);
  const drop = async () => {
    for (let n = 0; n < 12; n++) await service.runTask('drop webhook partitions');
  };
  const waiting = `select from delivery where status = 'pending'`;
  await drop();
  expect(await service.sql(waiting)).toHaveLength(1);
  await service.runTask('give up waiting deliveries');
  expect(await service.sql(waiting)).toHaveLength(0);
  await service.pauseTask('give up waiting deliveries');
  // A replay has not committed when the task looks.
  const replay = await hold(
    service.database,
    `update delivery set status = 'pending', next_attempt_at = concord_now(), completed_at = null
      where last_reason = 'expired' and partner_id = $1`,
    [uuidOf(partner.id)],
  );
  const dropping = drop();
  await expect.poll(() => waiters(service.database)).toHaveLength(1);
  await commit(replay);
  await dropping;
  expect(await service.sql(waiting)).toHaveLength(1);
  await service.runTask('give up waiting deliveries');
  await drop();
  const left = (await partitions()).filter((name) => name.startsWith('delivery'));
  expect(left.filter((name) => name <= partitionOf('delivery', 165))).toEqual([]);
});

it('W20: a partition is locked after its table, as every statement does', async () => {
  await moveClock(249);
  const reader = await hold(service.database, 'lock table only delivery in access share mode');
  const dropping = service.runTask('drop webhook partitions');
  await expect.poll(() => waiters(service.database)).toHaveLength(1);
  const locked = `select from pg_locks where ${ofThisDatabase} and granted and mode = 'AccessExclusiveLock' and relation::regclass::text ~ '_[0-9]{8}$'`;
  expect(await service.sql(locked)).toEqual([]);
  await reader.query('select from delivery limit 1');
  await commit(reader);
  await dropping;
});

it('W16: a delivery that waits for 30 days at a disabled endpoint fails with a reason; later deliveries keep waiting', async () => {
  await setDay(250);
  const partner = await newPartner();
  const other = await newPartner();
  const lately = await newPartner();
  const disable = ({ url }: { url: string }) =>
    service.sql(
      `update webhook_endpoint set status = 'disabled', disabled_reason = 'x', disabled_at = concord_now() where url = $1`,
      [url],
    );
  for (const each of [partner, other]) await disable(each);
  await lately.pause();
  for (const each of [partner, lately]) await each.publish();
  await setDay(279);
  await disable(lately);
  await partner.publish();
  await other.publish();
  await setDay(281);
  expect(pluck(await partner.deliveries(), 'status')).toEqual(['failed', 'pending']);
  expect(pluck(await lately.deliveries(), 'status')).toEqual(['pending']);
  const [{ id }] = await partner.deliveries();
  const { attempts } = await partner.get(`deliveries/${id}`);
  expect(attempts).toMatchObject([{ error: expect.stringMatching(/^expired: its endpoint was disabled/) }]);
  await partner.resume();
  await receiver.count(partner.url, 1);
  await expect.poll(async () => (await partner.deliveries())[1].status).toBe('delivered');
  await partner.post(`deliveries/${id}/replay`);
  await receiver.count(partner.url, 2);
});

it('P4, N4: purging a partner deletes its events, deliveries, attempts and counts; the platform keeps its hours', async () => {
  await setDay(300);
  await service.pauseTask('delete old statistics');
  const [partner, other] = [await newPartner(), await newPartner()];
  for (const each of [partner, other]) {
    await each.publish();
    await receiver.count(each.url, 1);
    await expect.poll(async () => (await each.deliveries())[0].status).toBe('delivered');
  }
  const rowsOf = async (each: { id: string }) => {
    const id = uuidOf(each.id);
    const ids = pluck(await service.sql('select id from delivery where partner_id = $1', [id]), 'id');
    return async () => [
      ...(await service.sql('select id from event where partner_id = $1', [id])),
      ...(await service.sql('select id from delivery where partner_id = $1', [id])),
      ...(await service.sql('select delivery_id from attempt where delivery_id = any($1)', [ids])),
      ...(await service.sql('select endpoint_id from delivery_minute where partner_id = $1', [id])),
      ...(await service.sql('select endpoint_id from delivery_hour where partner_id = $1', [id])),
    ];
  };
  const [left, kept] = [await rowsOf(partner), await rowsOf(other)];
  succeed(await service.remove(`/partners/${partner.id}`));
  expect(await left()).toHaveLength(4);
  // The retention ends the hours of earlier tests at any time.
  const platform = () =>
    service.sql('select sum(count) from delivery_hour where partner_id = $1 and at > $2', [
      noPartner,
      new Date(start + 299 * dayMs),
    ]);
  await setDay(302);
  await service.runTask('sum up statistics by the hour');
  // An hour of the endpoint, and one of the partner.
  expect(await left()).toHaveLength(6);
  const before = await platform();
  await setDay(331);
  await service.runTask('purge deleted partners');
  expect(await platform()).toEqual(before);
  expect([await left(), (await kept()).length]).toEqual([[], 6]);
  expect(await service.sql('select from partner where deleted_at is not null')).toEqual([]);
});

it('W20: while more deliveries have waited too long than one run fails, the next run begins at once', async () => {
  await setDay(340);
  await (await newPartner()).makePending(20_001);
  await setDay(401);
  await service.runDue('give up waiting deliveries');
  expect(await service.sql(`select from delivery where status = 'pending'`)).toEqual([]);
});

it('P4: while a purge has more to delete than one run deletes, the next run begins at once', async () => {
  await setDay(410);
  const { id, makePending } = await newPartner();
  await makePending(5_001);
  succeed(await service.remove(`/partners/${id}`));
  await setDay(441);
  await service.runTask('purge deleted partners');
  await service.runDue('purge deleted partners');
  expect(await service.sql('select from partner where id = $1', [uuidOf(id)])).toEqual([]);
});

it('W20: partitions are made and dropped one table at a time, since publishers and deliverers lock the tables in different orders', async () => {
  await setDay(450);
  await moveClock(530);
  for (const [task, table] of [
    ['make webhook partitions', 'delivery'],
    ['drop webhook partitions', 'event'],
  ] as const) {
    const reader = await hold(service.database, `lock table only ${table} in access share mode`);
    const running = service.runTask(task);
    await expect.poll(() => waiters(service.database)).toHaveLength(1);
    const locked = `select relation::regclass from pg_locks where ${ofThisDatabase} and granted and mode = 'AccessExclusiveLock' and relation in (
      'event'::regclass, 'delivery'::regclass, 'delivery_batch'::regclass, 'attempt'::regclass)`;
    expect(await service.sql(locked)).toEqual([]);
    await commit(reader);
    await running;
  }
  expect(await partitions()).toContain(partitionOf('event', 544));
});

it('W20: what was dropped of a week is made again, when the clock was ahead and the drop ended half way', async () => {
  await setDay(540);
  const partner = await newPartner();
  await service.sql(`drop table ${partitionOf('delivery', 540)}`);
  await service.runTask('make webhook partitions');
  await partner.publish();
  await receiver.count(partner.url, 1);
});
