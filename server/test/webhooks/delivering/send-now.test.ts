// Sending now what waits for a retry.

import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { formatId, newId } from '../../../src/base/ids.ts';
import { sendDeliveriesNow } from '../../../src/webhooks/history/deliveries/store.ts';
import {
  codeOf,
  expectCode,
  expectFault,
  may,
  pluck,
  statusesOf,
  succeed,
  uuidOf,
} from '../../stage/cast.ts';
import { listen } from '../../stage/listen.ts';
import { waiters } from '../../stage/locks.ts';
import { type Received, toLoopback } from '../../stage/receiver.ts';
import { openService } from '../../stage/start-service.ts';
import {
  answer,
  createWebhookPartner,
  quantities,
  startWorkerHere,
  useWebhookStage,
  type WebhookPartner,
} from '../../stage/webhook-stage.ts';

// No retry becomes due during the test.
const { service, receiver, cast, newPartner } = useWebhookStage({
  CONCORD_WEBHOOK_RETRY_SCHEDULE: '1h,3h,5h',
});

/** A receiver that answers 500 until it is mended. */
function breakable() {
  const state = { isBroken: true };
  const url = receiver.url(
    (_: Received, response: ServerResponse) => void response.writeHead(state.isBroken ? 500 : 204).end(),
  );
  return {
    url,
    mend: () => Object.assign(state, { isBroken: false }),
    receivedHere: () => receiver.received.filter((each) => url.endsWith(each.path)),
  };
}
/**
 * Another service, which sends nothing itself, and a partner whose endpoint refuses connections unless it has a
 * URL.
 */
async function startApi(terms: object = {}, url = 'http://127.0.0.1:1/') {
  const service = await openService({ ...toLoopback, CONCORD_ROLE: 'api' });
  const partner = await createWebhookPartner(service, url, terms);
  return { service, partner, sql: service.database.sql };
}
const sql = (text: string, values: unknown[] = []) => service.sql(text, values);
const tried = (partner: WebhookPartner, count: number) =>
  expect.poll(async () => (await partner.deliveries('?filter[attempt_count]=1..')).length).toBe(count);
const completed = async (partner: WebhookPartner, id: string) => {
  await expect.poll(async () => (await partner.get(`replays/${id}`)).status).toBe('completed');
  return await partner.get(`replays/${id}`);
};

it('W45: the next attempt of a pending delivery is made now, earlier attempts still count, and a failure follows the schedule', async () => {
  const { url, mend } = breakable();
  const partner = await newPartner(url);
  await partner.publish();
  await tried(partner, 1);
  const [{ id }] = await partner.deliveries();
  const sendNow = (headers = {}) => partner.send('POST', `deliveries/${id}/send-now`, undefined, headers);
  const first = await sendNow({ 'idempotency-key': 'once' });
  expect(first.body).toMatchObject({ id, status: 'pending', attempt_count: 1 });
  expect(Date.parse(first.body.next_attempt_at)).toBeLessThanOrEqual(Date.now());
  await expect.poll(async () => (await partner.delivery(id)).attempt_count).toBe(2);
  // The second step of the schedule, and up to a fifth more or less.
  const failed = await partner.delivery(id);
  const waitsFor =
    (Date.parse(failed.next_attempt_at) - Date.parse(failed.attempts[1].started_at)) / 3_600_000;
  expect([failed.status, Math.round(waitsFor / 3)]).toEqual(['pending', 1]);
  const repeated = await sendNow({ 'idempotency-key': 'once' });
  expect([repeated.body, repeated.headers['idempotent-replayed']]).toEqual([first.body, 'true']);

  mend();
  succeed(await sendNow());
  await expect.poll(async () => (await partner.delivery(id)).status).toBe('delivered');
  expect(pluck((await partner.delivery(id)).attempts, 'status_code')).toEqual([500, 500, 204]);
  await expectCode('not_pending', sendNow());
  const audited = await sql(
    `select target, changes from audit_log where action = 'delivery.send_now' order by position`,
  );
  expect(audited.map(({ target, changes }) => [target, Object.keys(changes as object)])).toEqual([
    [id, ['next_attempt_at']],
    [id, ['next_attempt_at']],
  ]);
});

it('W45: a paused or disabled endpoint, and a delivery that is held after a restore, are refused with the reason', async () => {
  const partner = await newPartner(breakable().url);
  await partner.publish();
  await tried(partner, 1);
  const [{ id }] = await partner.deliveries();
  const refused = async (body?: object) => [
    codeOf(await partner.send('POST', `deliveries/${id}/send-now`)),
    ...(body ? [codeOf(await partner.send('POST', 'deliveries/send-now', body))] : []),
  ];
  const ofEndpoint = { endpoint_id: partner.endpoint };
  await partner.pause();
  expect(await refused(ofEndpoint)).toEqual([
    [400, 'endpoint_paused'],
    [400, 'endpoint_paused'],
  ]);
  await sql(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'x', disabled_at = now() where id = $1`,
    [uuidOf(partner.endpoint)],
  );
  expect(await refused(ofEndpoint)).toEqual([
    [400, 'endpoint_disabled'],
    [400, 'endpoint_disabled'],
  ]);
  await sql(
    `update webhook_endpoint set status = 'active', disabled_reason = null, disabled_at = null where id = $1`,
    [uuidOf(partner.endpoint)],
  );
  await sql(`update delivery set next_attempt_at = 'infinity' where id = $1`, [uuidOf(id)]);
  expect(await refused()).toEqual([[400, 'delivery_held']]);
  const all = await partner.post('deliveries/send-now', ofEndpoint);
  expect(await completed(partner, all.id)).toMatchObject({ total: 1, replayed: 0, skipped: 1 });
  expect(await partner.get('delivery-counts')).toEqual({
    matching: 1,
    replayable: 0,
    sendable: 0,
    filtered: 0,
    complete: true,
  });
  expect(
    await sql(`select from delivery where id = $1 and next_attempt_at = 'infinity'`, [uuidOf(id)]),
  ).toHaveLength(1);
});

it('W45, W17: at a strict endpoint the deliveries before it go first', async () => {
  const { url, mend, receivedHere } = breakable();
  const partner = await newPartner(url, { ordering: 'strict' });
  for (const quantity of [1, 2, 3, 4]) await partner.publish(quantity);
  await tried(partner, 1);
  mend();
  const third = (await partner.deliveries())[2];
  await partner.post(`deliveries/${third.id}/send-now`);
  await partner.until('delivered', 4);
  expect(quantities(receivedHere())).toEqual([1, 1, 2, 3, 4]);
});

it('W45: a delivery in flight is not sent a second time', async () => {
  const answers: (() => void)[] = [];
  const url = receiver.url((_, response) => void answers.push(() => response.writeHead(204).end()));
  const partner = await newPartner(url);
  await partner.publish();
  await expect.poll(() => answers.length).toBe(1);
  const [{ id }] = await partner.deliveries();
  for (const _ of [1, 2]) await partner.post(`deliveries/${id}/send-now`);
  const all = await partner.post('deliveries/send-now', { endpoint_id: partner.endpoint });
  await completed(partner, all.id);
  for (const send of answers) send();
  await expect.poll(async () => (await partner.delivery(id)).status).toBe('delivered');
  expect([answers.length, (await partner.delivery(id)).attempt_count]).toEqual([1, 1]);
});

it('W46, W47: what matches a filter, a selection and an endpoint are sent now, and counted before', async () => {
  const [one, two, paused] = [breakable(), breakable(), breakable()];
  const partner = await newPartner(one.url);
  const add = async (url: string) => (await partner.post('webhook-endpoints', { url })).id as string;
  const [second, third] = [await add(two.url), await add(paused.url)];
  for (const _ of [1, 2]) await partner.publish();
  await tried(partner, 6);
  await partner.post(`webhook-endpoints/${third}/pause`);
  const countOf = async (query: string) => await partner.get(`delivery-counts${query}`);
  const none = { replayable: 0, filtered: 0, complete: true };
  expect(await countOf('')).toEqual({ matching: 6, sendable: 4, ...none });
  expect(await countOf(`?filter[endpoint_id]=${second}&filter[status]=pending`)).toEqual({
    matching: 2,
    sendable: 2,
    ...none,
  });
  expect(await countOf('?filter[status_code]=4xx')).toEqual({ matching: 0, sendable: 0, ...none });
  await expectFault('/filter[nothing]', partner.send('GET', 'delivery-counts?filter[nothing]=1'));

  const start = (body: object) => partner.send('POST', 'deliveries/send-now', body);
  two.mend();
  const ofEndpoint = await start({ endpoint_id: second });
  expect(ofEndpoint.body).toMatchObject({
    action: 'send_now',
    filter: { endpoint_id: second, status: 'pending' },
    total: 2,
  });
  expect(ofEndpoint.headers.location).toBe(`/partners/${partner.id}/replays/${ofEndpoint.body.id}`);
  // The deliveries of the other endpoints do not count.
  expect(await completed(partner, ofEndpoint.body.id)).toMatchObject({
    total: 2,
    examined: 2,
    replayed: 2,
    skipped: 0,
  });
  await partner.until('delivered', 2);

  one.mend();
  const [, { id: chosen }] = await partner.deliveries(`?filter[endpoint_id]=${partner.endpoint}`);
  const selection = succeed(await start({ delivery_ids: [chosen, 'dlv_nonsense'] }));
  expect(await completed(partner, selection.id)).toMatchObject({ total: 1, replayed: 1, skipped: 0 });
  await partner.until('delivered', 3);
  const rest = succeed(await start({ environment: 'live', reason: undefined }));
  expect(await completed(partner, rest.id)).toMatchObject({ total: 3, replayed: 1, skipped: 2 });
  await partner.until('delivered', 4);
  expect(
    (await partner.deliveries(`?filter[endpoint_id]=${third}`)).map(
      (each: { attempt_count: number }) => each.attempt_count,
    ),
  ).toEqual([1, 1]);
  expect(await countOf('')).toEqual({ matching: 6, replayable: 4, sendable: 0, filtered: 0, complete: true });

  for (const [body, pointer] of [
    [{}, ''],
    [{ status: 'failed' }, '/status'],
    [{ delivery_ids: [] }, '/delivery_ids'],
    [{ delivery_ids: Array(201).fill(chosen) }, '/delivery_ids'],
    [{ endpoint_id: formatId('webhook_endpoint', randomUUID()) }, '/endpoint_id'],
    [{ more: 1 }, '/more'],
  ] as const) {
    await expectFault(pointer, start(body));
  }
  const audited = await sql(
    `select target, changes from audit_log where action = 'delivery.send_now_all' and target = $1`,
    [selection.id],
  );
  expect(audited).toEqual([
    {
      target: selection.id,
      changes: { filter: { before: null, after: { delivery_ids: [chosen, 'dlv_nonsense'] } } },
    },
  ]);
});

it('W46: a step moves those before its deliveries at a strict endpoint, also if an earlier step has passed them, but none that it has moved', async () => {
  const { service, partner } = await startApi({ ordering: 'strict' });
  const db = service.database.open();
  const { id: other } = await partner.post('webhook-endpoints', {
    url: 'http://127.0.0.1:1/',
    ordering: 'strict',
  });
  for (const _ of [1, 2, 3]) await partner.publish();
  const waits = `update delivery set attempt_count = 1, next_attempt_at = now() + interval '1 day'`;
  await service.sql(waits);
  const ofOther = uuidOf(other);
  const rows = await service.sql('select id, endpoint_id from delivery where endpoint_id <> $1 order by id', [
    ofOther,
  ]);
  const [first, second, third] = pluck(rows, 'id') as [string, string, string];
  const began = new Date();
  const move = (ids: string[]) =>
    db.transaction((tx) => sendDeliveriesNow(tx, ids, [rows[0].endpoint_id], began));
  const attempted = (id: string, number: number, at: string) =>
    service.sql(
      `insert into attempt (delivery_id, number, started_at, duration_ms) values ($1, $2, ${at}, 0)`,
      [id, number],
    );
  await attempted(first, 1, `now() - interval '1 hour'`);
  // An earlier step has examined the first, and did not choose it.
  expect(await move([second])).toEqual({ sent: 1, moved: 2 });
  await attempted(first, 2, `now() + interval '1 second'`);
  await service.sql(waits);
  expect(await move([third])).toEqual({ sent: 1, moved: 2 });
  const due = 'select id from delivery where next_attempt_at <= now() order by position';
  expect([(await service.sql(due)).map(({ id }) => id), first < second]).toEqual([[second, third], true]);
  await db.close();
});

it('W46: 1,100 pending deliveries get one attempt each, in steps', async () => {
  // An endpoint that answers gets many requests at once.
  const failing = createServer(answer(500));
  const { service, partner, sql } = await startApi({}, `http://127.0.0.1:${await listen(failing)}/`);
  for (const _ of [1, 2]) await partner.publishMany(600);
  // The schedule waits for hours after the seventh attempt.
  await sql(`update delivery set attempt_count = 6, round_attempts = 6, next_attempt_at = now() + interval '1 day'
    where id in (select id from delivery order by id limit 1100)`);
  await sql(
    `update delivery set status = 'delivered', next_attempt_at = null, completed_at = now() where attempt_count = 0`,
  );
  await sql(`update lane set next_at = now() + interval '1 day'`);
  const start = (body: object) => partner.send('POST', 'deliveries/send-now', body);
  const all = await Promise.all([1, 2, 3].map(() => start({ environment: 'live' })));
  expect(statusesOf(all)).toEqual([202, 400, 400]);
  expect(all.find(({ status }) => status === 400)?.body.code).toBe('replay_running');
  const ofEndpoint = succeed(await start({ endpoint_id: partner.endpoint }));
  expect((await partner.post('deliveries/replay', { status: 'failed' })).status).toBe('running');
  const ofAll = all.find(({ status }) => status === 202)?.body.id;
  expect((await partner.post(`replays/${ofAll}/stop`)).status).toBe('stopped');
  const worker = await startWorkerHere(service);
  expect(await completed(partner, ofEndpoint.id)).toMatchObject({
    total: 1_100,
    replayed: 1_100,
    skipped: 0,
  });
  const attempts = `select attempt_count, count(*)::int from delivery where status = 'pending' group by 1 order by 1`;
  await expect.poll(() => sql(attempts)).toEqual([{ attempt_count: 7, count: 1_100 }]);
  await worker.stop();
});

it('W47, W31: deliveries that are created, or begin to match, after the count never exceed the total', async () => {
  const { service, partner, sql } = await startApi();
  for (const _ of [1, 2]) await partner.publish();
  const waits = `attempt_count = $1, round_attempts = $1, next_attempt_at = now() + interval '1 day'`;
  await sql(`update delivery set ${waits}`, [1]);
  await sql(`update lane set next_at = now() + interval '1 day'`);

  // The count has found two deliveries, and the replay waits to be written.
  await sql('begin');
  await sql('lock table replay in exclusive mode');
  const starting = partner.send('POST', 'deliveries/send-now', { environment: 'live' });
  await expect.poll(() => waiters(service.database)).toHaveLength(1);
  const columns = await sql(`
    select string_agg(quote_ident(attname), ', ') as names from pg_attribute
    where attrelid = 'delivery'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'position')
      and attgenerated = '' and attidentity = ''`);
  const [{ names }] = columns as [{ names: string }];
  await sql(
    `insert into delivery (id, position, ${names})
      select $1, (select max(position) + 1 from delivery), ${names} from delivery limit 1`,
    [uuidOf(newId('delivery'))],
  );
  await sql('commit');
  const all = succeed(await starting);
  const tried = await partner.post('deliveries/send-now', {
    attempt_count: '2..',
    endpoint_id: partner.endpoint,
  });
  expect([all.total, tried.total]).toEqual([2, 0]);
  await sql(`update delivery set ${waits}`, [2]);

  const worker = await startWorkerHere(service);
  expect(await completed(partner, all.id)).toMatchObject({ total: 2, examined: 2, replayed: 2 });
  expect(await completed(partner, tried.id)).toMatchObject({ total: 3, examined: 3 });
  await worker.stop();
});

it('W48: a replay can be stopped, and stays as it is then', async () => {
  const { service, partner, sql } = await startApi();
  await partner.publish();
  await sql(`update delivery set status = 'failed', next_attempt_at = null, completed_at = now()`);
  const replay = await partner.post('deliveries/replay', { status: 'failed' });
  expect(replay.total).toBe(1);
  const stop = async (id: string) => await partner.post(`replays/${id}/stop`);
  const stopped = await stop(replay.id);
  expect([stopped.status, stopped.replayed, stopped.completed_at === null]).toEqual(['stopped', 0, false]);
  expect(await stop(replay.id)).toEqual(stopped);
  const worker = await startWorkerHere(service);
  const next = await partner.post('deliveries/replay', { status: 'pending' });
  expect(await completed(partner, next.id)).toMatchObject({ examined: 0, replayed: 0 });
  expect(await partner.statuses()).toEqual(['failed']);
  expect((await stop(next.id)).status).toBe('completed');
  const audited = await sql(
    `select target, details from audit_log where action = 'delivery.stop_replay' order by position`,
  );
  expect(audited).toEqual([{ target: replay.id, details: { replayed: 0 } }]);
  await worker.stop();
});

it('W49: an endpoint is resumed and sends now what waits for a retry, if the caller may replay', async () => {
  const { url, mend } = breakable();
  const partner = await newPartner(url);
  for (const _ of [1, 2]) await partner.publish();
  await tried(partner, 2);
  await partner.pause();
  mend();
  const member = await cast.member(partner.id, may('webhook_endpoints', 'post'));
  const path = `/partners/${partner.id}/webhook-endpoints/${partner.endpoint}/resume`;
  const refused = await service.post(path, { send_now: true }, member.token);
  expect([codeOf(refused), (await partner.read()).status]).toEqual([[403, 'forbidden'], 'paused']);
  expect(succeed(await partner.act('resume', { send_now: true })).status).toBe('active');
  await expect.poll(() => partner.statuses()).toEqual(['delivered', 'delivered']);
  const [sent] = await partner.get('replays');
  expect(await completed(partner, sent.id)).toMatchObject({ action: 'send_now', total: 2, replayed: 2 });
  await expectFault('/send_now', partner.act('resume', { send_now: 'yes' }));
  await partner.pause();
  await partner.publish();
  succeed(await partner.act('resume', { send_now: true }));
  expect((await partner.get('replays'))[1]).toMatchObject({ action: 'send_now', total: 1 });
});

it('W49, W47: resuming counts all of a long queue for the total', async () => {
  const { partner, sql } = await startApi();
  await partner.publish();
  await partner.pause();
  await sql(
    `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, next_attempt_at, created_at)
     select overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, event_id, event_type, partner_id, endpoint_id, environment, position,
       next_attempt_at, created_at
     from delivery, generate_series(1, 12344) n`,
  );
  succeed(await partner.act('resume', { send_now: true }));
  expect(await partner.get('replays')).toMatchObject([{ action: 'send_now', total: 12_345 }]);
});
