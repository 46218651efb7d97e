// What waited in a restored backup: new deliveries overtake it, and an operator sends it or gives it up.
import { expect, it } from 'vitest';
import { commandActor } from '../../../src/audit/index.ts';
import { createDeliveries } from '../../../src/webhooks/history/deliveries/deliveries.ts';
import { createReplays } from '../../../src/webhooks/history/replays/replays.ts';
import { ensurePartitions } from '../../../src/webhooks/history/retention/history.ts';
import { chooseRestored, releaseSome } from '../../../src/webhooks/index.ts';
import { succeed } from '../../stage/cast.ts';
import { newDatabase, openDatabase } from '../../stage/new-database.ts';
import { quantities, useWebhookStage } from '../../stage/webhook-stage.ts';

const { service, mailbox, receiver, newPartner } = useWebhookStage();

const path = '/platform/held-deliveries';
const held = async () => succeed(await service.get(path));
const choose = (choice: string) => service.post(path, { choice });

/**
 * Two partners with three waiting deliveries each, a mail and a replay that wait, as a restore leaves them.
 */
async function restored() {
  // The strict one refuses each first attempt, so its lane also waits for retries.
  const urls = [
    receiver.url(),
    receiver.url(({ attempt }, response) => void response.writeHead(attempt === 1 ? 500 : 204).end()),
  ] as const;
  const partners = [await newPartner(urls[0]), await newPartner(urls[1], { ordering: 'strict' })] as const;
  for (const partner of partners) {
    await partner.pause();
    await partner.publishMany(3);
  }
  mailbox.set('refusing');
  const [{ id }] = partners;
  const email = `${id}@concord.test`;
  succeed(await service.post(`/partners/${id}/agreements`, { email }));
  const { sql } = service;
  // A restore meets no sender that is about to write a result.
  await expect.poll(() => sql('select from mail where last_error is not null')).toHaveLength(1);
  const waiting = `insert into replay (id, partner_id, filter, created_at) select gen_random_uuid(), id, '{"status": "failed"}', now() from partner order by created_at desc limit 1`;
  // The test goes on with the session that a restore ends.
  await sql('begin');
  await sql('lock table replay');
  await sql(waiting);
  await sql('create temp table kept on commit drop as select * from auth.session');
  await sql('select finish_restore(clock_timestamp())');
  const left = await sql('select from auth.session');
  await sql('insert into auth.session select * from kept');
  await sql('commit');
  expect(left).toEqual([]);
  for (const partner of partners) await partner.resume();
  mailbox.set('up');
  const replays = () => sql('select from replay where completed_at is null');
  return { partners, urls, email, replays };
}

it('O26, O27: new deliveries do not wait for held ones, and send makes the held ones due, also in strict order', async () => {
  const { partners, urls, email, replays } = await restored();
  expect(await held()).toMatchObject({ state: 'waiting', deliveries: 6, mails: 1 });
  for (const partner of partners) await partner.publish(10);
  expect(quantities(await receiver.count(urls[0], 1))).toEqual([10]);
  expect(quantities(await receiver.count(urls[1], 2))).toEqual([10, 10]);
  for (const partner of partners) {
    await expect.poll(partner.statuses).toEqual(['pending', 'pending', 'pending', 'delivered']);
    const [first] = await partner.deliveries();
    expect(first).toMatchObject({ attempt_count: 0, next_attempt_at: null });
    const stats = await partner.get(`webhook-endpoints/${partner.endpoint}/stats`);
    expect(stats.pending).toBe(3);
  }
  expect(await replays()).toHaveLength(1);
  expect(mailbox.received).toEqual([]);
  const answer = await choose('send');
  expect([answer.status, answer.body.state]).toEqual([202, 'sending']);
  expect(quantities(await receiver.count(urls[1], 8))).toEqual([10, 10, 0, 0, 1, 1, 2, 2]);
  expect(quantities(await receiver.count(urls[0], 4)).toSorted()).toEqual([0, 1, 10, 2]);
  expect((await mailbox.next(email)).to?.[0]?.address).toBe(email);
  await expect
    .poll(held)
    .toEqual({ state: 'none', deliveries: 0, mails: 0, taken_at: null, restored_at: null });
  await expect.poll(replays).toEqual([]);
  const [row] = succeed(await service.get('/audit-log?filter[action]=held_deliveries.send'));
  expect(row).toMatchObject({
    details: { deliveries: 6, mails: 1 },
    changes: { choice: { before: null, after: 'send' } },
  });
  // Without anything held, a choice changes nothing.
  expect((await choose('fail')).body).toMatchObject({ state: 'none' });
});

it('O27: fail gives deliveries an attempt that says why, drops mails, and completes replays', async () => {
  const { partners, urls, replays } = await restored();
  expect((await choose('fail')).body).toMatchObject({ state: 'failing', deliveries: 6, mails: 1 });
  await expect.poll(held).toMatchObject({ state: 'none' });
  for (const partner of partners) {
    expect(await partner.statuses()).toEqual(['failed', 'failed', 'failed']);
    const [{ id }] = await partner.deliveries('?filter[reason]=restored');
    const { attempts } = await partner.delivery(id);
    expect(attempts).toMatchObject([
      { number: 1, status_code: null, error: expect.stringMatching(/^restored: /) },
    ]);
    // The lanes are in order: the next event is delivered, and a replay sends what failed.
    await partner.publish(10);
    await partner.post(`deliveries/${id}/replay`);
  }
  for (const url of urls) await receiver.count(url, 2);
  await expect
    .poll(partners[1].statuses)
    .toEqual(expect.arrayContaining(['failed', 'failed', 'delivered', 'delivered']));
  expect(await replays()).toEqual([]);
  expect(mailbox.received).toEqual([]);
});

it('O27: the work is done in bounded batches, and a later choice changes what is still held', async () => {
  const database = await newDatabase();
  const db = openDatabase(database.url);
  await ensurePartitions(db);
  await database.sql(`
    with acme as (insert into partner (id, name) values (gen_random_uuid(), 'Acme') returning id),
    endpoint as (
      insert into webhook_endpoint (id, partner_id, url, environment, ordering, max_concurrency, header_names, status)
      select gen_random_uuid(), id, 'https://acme.example/', 'live', 'none', 1, '{}', 'active' from acme returning id, partner_id)
    insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, next_attempt_at, created_at)
    select (substr(first_id_of(now())::text, 1, 24) || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(), 'order.status_changed', partner_id, id, 'live', n, now(), now()
    from endpoint, generate_series(1, 5003) n`);
  await database.sql('insert into lane (endpoint_id) select id from webhook_endpoint');
  await database.sql(
    `insert into replay (id, partner_id, filter, created_at) select gen_random_uuid(), id, '{"status": "failed"}', now() from partner`,
  );
  await database.sql('select finish_restore(now())');
  const { step } = createReplays({ db, count: createDeliveries({ db }).count });
  expect(await step(db)).toBe(false);
  const count = () =>
    database.sql(
      `select status, next_attempt_at = 'infinity' as held, count(*)::int from delivery group by 1, 2 order by 3`,
    );
  const choice = (wanted: 'send' | 'fail') =>
    db.transaction((tx) => chooseRestored(tx, commandActor(`pending ${wanted}`), wanted));
  expect(await db.transaction(releaseSome)).toBe(false);
  await choice('send');
  expect(await db.transaction(releaseSome)).toBe(true);
  const sent = { status: 'pending', held: false, count: 5_000 };
  expect(await count()).toEqual([{ status: 'pending', held: true, count: 3 }, sent]);
  await database.sql(
    `insert into replay (id, partner_id, filter, created_at, completed_at) select gen_random_uuid(), id, '{"endpoint_id": "later"}'::jsonb, now() + interval '1 hour', null from partner
     union all select gen_random_uuid(), id, '{"endpoint_id": "ended"}', now() - interval '1 hour', now() - interval '1 hour' from partner`,
  );
  await choice('fail');
  expect(await db.transaction(releaseSome)).toBe(false);
  expect(await count()).toEqual([{ status: 'failed', held: null, count: 3 }, sent]);
  // Its replay is completed with it. A later one is not held.
  expect([await step(db), await step(db)]).toEqual([true, false]);
  const ended = `select filter from replay where completed_at < now() - interval '1 minute'`;
  expect(await database.sql(ended)).toEqual([{ filter: { endpoint_id: 'ended' } }]);
  expect(await database.sql('select from replay where completed_at is null')).toEqual([]);
  await database.sql(`update replay set completed_at = null, created_at = now()`);
  await database.sql(`insert into held_deliveries (taken_at) values (now() - interval '1 hour')`);
  expect(await step(db)).toBe(true);
  // After a choice to send, those of the backup go on.
  await database.sql(`update replay set created_at = now() - interval '2 hours'`);
  await choice('send');
  expect(await db.transaction(releaseSome)).toBe(false);
  expect(await database.sql('select from replay where completed_at is null')).toHaveLength(2);
});
