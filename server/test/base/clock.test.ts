// The clock of the database has whole milliseconds. It is set ahead, and back again.
import sqlTag from 'sql-template-tag';
import { afterEach, expect, it } from 'vitest';
import { makeEarlierDue } from '../../src/webhooks/lanes/store.ts';
import { startMailbox } from '../stage/mailbox.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { startTestService, type TestService } from '../stage/start-service.ts';
import { createWebhookPartner, startWorkerHere } from '../stage/webhook-stage.ts';

const hourMs = 3_600_000;
let service: TestService;
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUps.splice(0)) await undo();
  await service.stop();
});

it('O65: after the clock of the database was set back, deliveries, leases, mails and tasks that were due are due', async () => {
  const mailbox = await startMailbox();
  cleanUps.push(() => mailbox.close());
  service = await startTestService({
    ...toLoopback,
    CONCORD_ROLE: 'api',
    CONCORD_SMTP_URL: mailbox.url,
    CONCORD_RATE_LIMIT: '1000/60s',
    CONCORD_RATE_LIMIT_STORE: 'postgres',
  });
  const { sql } = service;
  const receiver = await startReceiver(service.url);
  cleanUps.push(() => receiver.close());
  const url = receiver.url();
  const partner = await createWebhookPartner(service, url);

  await service.advanceClock(hourMs);
  await service.runTask('watch the clock');
  await partner.publish();
  // A worker that was killed ahead of time owns a lane.
  const other = await createWebhookPartner(service, receiver.url());
  await other.publish();
  await sql(`update lane set owner = gen_random_uuid(), next_at = concord_now() + interval '20 seconds'
    where endpoint_id = (select id from webhook_endpoint order by created_at desc limit 1)`);
  await sql(`insert into mail (id, sealed, next_at) values (gen_random_uuid(), '\\x00', concord_now())`);
  await sql(`update scheduled_task set next_at = concord_now() + interval '1 minute'`);

  await service.advanceClock(0);
  const late = () =>
    sql(`select (select count(*)::int from delivery where next_attempt_at > concord_now()) as deliveries,
           (select count(*)::int from lane where next_at > concord_now() + interval '25 seconds' and next_at < 'infinity') as lanes,
           (select count(*)::int from mail where next_at > concord_now() + interval '150 seconds') as mails`);
  // Transactions that began before may still write. The service's own timer may be faster.
  await service.runTask('watch the clock');
  expect(await late()).not.toEqual([{ deliveries: 0, lanes: 0, mails: 0 }]);
  await service.advanceClock(15_000);
  await service.runTask('watch the clock');
  expect(await late()).toEqual([{ deliveries: 0, lanes: 0, mails: 0 }]);
  expect(service.logs.filter((line) => line.includes('the clock of the database was set back'))).toHaveLength(
    1,
  );
  // The window of a credential starts anew.
  expect((await service.get('/partners')).headers.ratelimit).toMatch(/;t=(60|59)$/);
  const worker = await startWorkerHere(service);
  await receiver.count(url, 1);
  await worker.stop();
  // Once: the mark of the clock was set back too.
  await service.runTask('watch the clock');
  expect(service.logs.filter((line) => line.includes('the clock of the database was set back'))).toHaveLength(
    1,
  );
});

it('A6: what ends now has ended for the next statement: its column does not round the time up', async () => {
  service = await startTestService();
  const { sql } = service;
  for (let n = 0; n < 30; n++)
    expect(await sql('select concord_now()::moment = concord_now() as is_stored')).toEqual([
      { is_stored: true },
    ]);
});

it('O65: what was due is found by indexes, however long the history is', async () => {
  service = await startTestService({ ...toLoopback, CONCORD_ROLE: 'api' });
  const partner = await createWebhookPartner(service, 'http://127.0.0.1:9/');
  await partner.publish();
  const { sql, open } = service.database;
  await sql(`insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, created_at, completed_at)
    select overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, event_id, event_type, partner_id, endpoint_id, environment, position, 'delivered', created_at, created_at
    from delivery, generate_series(1, 5000) n`);
  await sql('analyze delivery');
  await sql(
    `update delivery set next_attempt_at = concord_now() + interval '1 hour' where status = 'pending'`,
  );

  const db = open();
  cleanUps.push(() => db.close());
  const latest = new Date(Date.now() + 2 * hourMs);
  const read = await db.transaction(async (tx) => {
    expect(await makeEarlierDue(tx, latest)).toBe(true);
    const rows = await tx.query<{ rows: number }>(
      sqlTag`select sum(seq_tup_read)::int as rows from pg_stat_xact_user_tables where relname like 'delivery_2%'`,
    );
    return rows[0]?.rows;
  });
  expect(read).toBe(0);
  expect(await sql(`select count(*)::int from delivery where next_attempt_at > concord_now()`)).toEqual([
    { count: 0 },
  ]);
});
