// Replays of all deliveries that match a filter.
import { expect, it } from 'vitest';
import { expectCode, expectStatus, faultOf, pluck, statusesOf, succeed, uuidOf } from '../../stage/cast.ts';
import { kill } from '../../stage/launch.ts';
import { stopAt } from '../../stage/locks.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { openService } from '../../stage/start-service.ts';
import {
  answer,
  createWebhookPartner,
  startWorker,
  startWorkerHere,
  useWebhookStage,
  type WebhookPartner,
} from '../../stage/webhook-stage.ts';

const { service, receiver, newPartner } = useWebhookStage();

const completed = (partner: WebhookPartner, id: string) =>
  expect
    .poll(async () => (await partner.get(`replays/${id}`)).status)
    .toBe('completed')
    .then(async () => await partner.get(`replays/${id}`));
const countOf = (statuses: string[], wanted: string) => statuses.filter((status) => status === wanted).length;

it('W31: a replay covers what matches its filter, and skips what can get no new round', async () => {
  const failing = receiver.url(answer(500));
  const ok = receiver.url();
  const partner = await newPartner(failing);
  const add = async (url: string): Promise<string> => (await partner.post('webhook-endpoints', { url })).id;
  const [gone, disabled, paused] = await Promise.all(
    [404, 404, 200].map((status) => add(receiver.url(answer(status)))),
  );
  await add(ok);
  await partner.post(`webhook-endpoints/${paused}/pause`);
  await partner.publish();
  await partner.publish();
  await expect.poll(async () => countOf(await partner.statuses(), 'failed')).toBe(6);
  await expect.poll(async () => countOf(await partner.statuses(), 'delivered')).toBe(2);
  succeed(await partner.send('DELETE', `webhook-endpoints/${gone}`));
  const { sql } = service;
  await sql(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'x', disabled_at = now() where id = $1`,
    [uuidOf(disabled ?? '')],
  );

  const start = (body: object, headers = {}) => partner.send('POST', 'deliveries/replay', body, headers);
  const first = await start({ status_code: '5xx' }, { 'idempotency-key': 'r' });
  expect(first.body).toMatchObject({
    status: 'running',
    filter: { status_code: '5xx' },
    examined: 0,
    replayed: 0,
    skipped: 0,
  });
  expect(first.headers.location).toBe(`/partners/${partner.id}/replays/${first.body.id}`);
  // An index leads to the deliveries with such an answer (W35).
  expect(await completed(partner, first.body.id)).toMatchObject({ examined: 2, replayed: 2, skipped: 0 });
  await receiver.count(failing, 12);
  const repeated = await start({ status_code: '5xx' }, { 'idempotency-key': 'r' });
  expect([repeated.body, repeated.headers['idempotent-replayed']]).toEqual([first.body, 'true']);

  await expect.poll(async () => countOf(await partner.statuses(), 'failed')).toBe(6);
  await sql(
    'update delivery set attempt_count = 200 where id = (select id from delivery where endpoint_id = $1 limit 1)',
    [uuidOf(partner.endpoint)],
  );
  expect(await partner.get('delivery-counts')).toMatchObject({ matching: 10, replayable: 3 });
  const second = succeed(await start({ environment: 'live', attempt_count: '0..' }));
  // Skipped: one with 200 attempts, and two of each endpoint that is deleted, disabled, or has pending
  // deliveries.
  expect(await completed(partner, second.id)).toMatchObject({ examined: 10, replayed: 3, skipped: 7 });
  await receiver.count(ok, 4);
  await receiver.count(failing, 15);
  const list = await partner.send('GET', 'replays?page_size=1');
  expect([pluck(list.body, 'id'), list.headers.link !== undefined]).toEqual([[first.body.id], true]);
  expect(pluck(await partner.get('replays'), 'id')).toEqual([first.body.id, second.id]);
  const audited = await sql(
    `select target, changes from audit_log where action = 'delivery.replay_all' order by position`,
  );
  expect(audited).toEqual([
    { target: first.body.id, changes: { filter: { before: null, after: { status_code: '5xx' } } } },
    {
      target: second.id,
      changes: { filter: { before: null, after: { environment: 'live', attempt_count: '0..' } } },
    },
  ]);
  const none = succeed(await start({ created_at: `..${first.body.created_at.replace(/^\d+/, '2020')}` }));
  expect(await completed(partner, none.id)).toMatchObject({ examined: 0, replayed: 0 });

  const other = await newPartner(receiver.url());
  for (const [body, pointer] of [
    [{}, ''],
    [{ endpoint_id: other.endpoint }, '/endpoint_id'],
    [{ status: 'done' }, '/status'],
    [{ endpoint_id: 'nonsense' }, '/endpoint_id'],
    [{ endpoint_id: gone }, '/endpoint_id'],
    [{ status_code: '6' }, '/status_code'],
    [{ status_code: 500 }, '/status_code'],
    [{ attempt_count: '..3' }, '/attempt_count'],
    [{ created_at: 'yesterday' }, '/created_at'],
    [{ status: 'failed', more: 1 }, '/more'],
  ] as const) {
    expect([body, ...faultOf(await start(body))]).toEqual([body, 400, pointer]);
  }
  for (const unknown of ['nonsense', 'rpl_01h2xcejqtf2nbrexx3vqjhp41'])
    await expectStatus(404, partner.send('GET', `replays/${unknown}`));
});

it('W31: completed replays are deleted with the history', async () => {
  const partner = await newPartner(receiver.url());
  const replay = await partner.post('deliveries/replay', { status: 'failed' });
  await completed(partner, replay.id);
  const age = (days: number) =>
    service.sql(`update replay set completed_at = now() - $1 * interval '1 day' where partner_id = $2`, [
      days,
      uuidOf(partner.id),
    ]);
  const count = async () => (await partner.get('replays')).length;
  await age(89);
  await service.runTask('delete old replays');
  expect(await count()).toBe(1);
  await age(91);
  await service.runTask('delete old replays');
  expect(await count()).toBe(0);
});

it('W31, W11: a worker that is killed between two steps leaves each delivery with one new round', async () => {
  const service = await openService({ ...toLoopback, CONCORD_ROLE: 'api' });
  const partner = await createWebhookPartner(service, 'http://127.0.0.1:1/');
  await partner.pause();
  const count = 1_200;
  const { sql } = service;
  await partner.publishMany(700);
  await partner.publishMany(count - 700);
  await sql(`update delivery set status = 'failed', next_attempt_at = null, completed_at = now()`);
  await sql('create table round (delivery_id uuid)');
  await sql(`create function note_round() returns trigger language plpgsql as
    $$ begin insert into round values (new.id); return null; end $$`);
  await sql(
    'create trigger note_round after update of status on delivery for each row execute function note_round()',
  );
  // The second step has replayed its deliveries and stops before it writes its progress.
  const when = 'old.replayed > 0';
  const { reached, release } = await stopAt(service.database, { table: 'replay', event: 'update', when });

  const start = (filter = {}) => partner.send('POST', 'deliveries/replay', { status: 'failed', ...filter });
  const [{ id }] = (await Promise.all([start(), start(), start()])).flatMap(({ status, body }) =>
    status === 202 ? [body] : [],
  );
  await expectCode('replay_running', start());
  const other = await createWebhookPartner(service, 'http://127.0.0.1:1/');
  expect((await other.post('deliveries/replay', { status: 'failed' })).status).toBe('running');
  const ofEndpoint = () => start({ endpoint_id: partner.endpoint, created_at: '..2026-01-01T00:00:00Z' });
  const beside = await Promise.all([ofEndpoint(), ofEndpoint()]);
  expect(statusesOf(beside)).toEqual([202, 400]);
  const killed = await startWorker(service);
  await reached();
  await kill(killed.child);
  const shown = await partner.get(`replays/${id}`);
  expect(shown).toMatchObject({
    status: 'running',
    examined: 500,
    replayed: 500,
    skipped: 0,
    completed_at: null,
  });
  await release();
  const worker = await startWorkerHere(service);
  expect(await completed(partner, id)).toMatchObject({ examined: count, replayed: count, skipped: 0 });
  const rounds = await sql(
    'select count(*)::int as rounds, count(distinct delivery_id)::int as deliveries from round',
  );
  expect(rounds).toEqual([{ rounds: count, deliveries: count }]);
  expect(succeed(await start()).status).toBe('running');
  await worker.stop();
});
