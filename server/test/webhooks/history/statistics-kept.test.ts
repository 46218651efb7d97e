// Statistics over time.
import type { ServerResponse } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { expectStatus, pluck, succeed, times, uuidOf } from '../../stage/cast.ts';
import { toLoopback, useReceiver } from '../../stage/receiver.ts';
import { useService } from '../../stage/start-service.ts';
import { answer, createWebhookPartner, only } from '../../stage/webhook-stage.ts';
import {
  dayMs,
  expectHistory,
  historyOf,
  hourMs,
  minuteMs,
  ofEndpoint,
  ofPartner,
  read,
  type Stats,
} from './statistics-history.ts';

/** Later than what the start writes. */
const year = new Date().getUTCFullYear() + 1;
const start = Date.parse(`${year}-03-01T10:50:30Z`);
let clock = start;
const service = useService({
  ...toLoopback,
  CONCORD_WEBHOOK_RETENTION: '60d',
  CONCORD_WEBHOOK_RETRY_SCHEDULE: '20ms',
});
const receiver = useReceiver(service, { now: () => clock });
beforeAll(async () => {
  await setClock(start);
});

async function setClock(at: number) {
  clock = at;
  const [from, to] = [new Date(at), new Date(at + dayMs)];
  await service.sql('update auth.session set expires_at = $2, created_at = $1, updated_at = $1', [from, to]);
  await service.setClock(from.toISOString());
  for (const task of ['make webhook partitions', 'rotate signing keys']) await service.runTask(task);
}
const fold = () => service.runTask('sum up statistics by the hour');
const forget = () => service.runTask('delete old statistics');
const minutes = () => service.sql('select from delivery_minute');
const iso = (at: number) => new Date(at).toISOString();
async function moveClock() {
  clock += 200;
  await service.setClock(iso(clock));
}
/** Waits until so many deliveries are not pending. The clock moves a little, so that retries become due. */
const done = (partner: { statuses(): Promise<string[]> }, count: number) =>
  expect
    .poll(async () => {
      await moveClock();
      return (await partner.statuses()).filter((status) => status !== 'pending').length;
    })
    .toBe(count);

it('N2, N4: hours are sums of their minutes before and after they are folded, also with late and refused results', async () => {
  const held: ServerResponse[] = [];
  let hold = false;
  const url = receiver.url((_, response) => (hold ? held.push(response) : response.writeHead(204).end()));
  const partner = await createWebhookPartner(service, url);
  const other: string = (await partner.post('webhook-endpoints', { url: receiver.url(answer(500)) })).id;
  const period = `from=${iso(start - hourMs)}&to=${iso(start + 6 * hourMs)}`;
  const check = async () => {
    const history = await ofPartner(service, partner.id);
    for (const [step, ms] of [
      ['1h', hourMs],
      ['6h', 6 * hourMs],
      ['1d', dayMs],
    ] as const) {
      expectHistory(await read(service, `/partners/${partner.id}/stats?step=${step}&${period}`), history, ms);
      expectHistory(
        await read(service, `/platform/stats?step=${step}&${period}`),
        await historyOf(service),
        ms,
      );
    }
    for (const endpoint of [partner.endpoint, other]) {
      const path = `/partners/${partner.id}/webhook-endpoints/${endpoint}/stats`;
      expectHistory(await read(service, `${path}?${period}`), await ofEndpoint(service, endpoint), hourMs);
      expectHistory(
        await read(service, `${path}?step=15m&${period}`),
        await ofEndpoint(service, endpoint),
        15 * minuteMs,
      );
    }
    return history.length;
  };

  await partner.publishMany(3);
  await done(partner, 6);
  expect(await check()).toBe(9);
  await fold();
  await check();
  await setClock(start + hourMs);
  await partner.publishMany(2);
  await done(partner, 10);
  await fold();
  expect(await check()).toBe(15);
  // The first hour ended over an hour ago, so it is folded.
  await setClock(start + 2 * hourMs);
  await fold();
  const folded = await service.sql('select distinct at from delivery_hour');
  expect(folded.map(({ at }) => at.toISOString())).toEqual([`${year}-03-01T10:00:00.000Z`]);
  await fold();
  expect(await check()).toBe(15);

  // Another process has the turn by the time of the answer: the result is refused, and the delivery is sent
  // again.
  hold = true;
  await partner.publish();
  await expect.poll(() => held.length).toBe(1);
  await service.sql(
    `update lane set epoch = epoch + 1, owner = gen_random_uuid(), next_at = concord_now() + interval '5 seconds' where endpoint_id = $1`,
    [uuidOf(partner.endpoint)],
  );
  held[0]!.writeHead(204).end();
  await expect
    .poll(async () => {
      await moveClock();
      return held.length;
    })
    .toBe(2);
  await done(partner, 11);
  // The hour in which the second attempt began is folded when its answer arrives. The lease does not end
  // meanwhile.
  await service.sql(`update lane set next_at = '2028-01-01' where owner is not null`);
  await setClock(start + 5 * hourMs);
  await fold();
  expect(await check()).toBe(17);
  hold = false;
  held[1]!.writeHead(204).end();
  await done(partner, 12);
  expect(await check()).toBe(18);

  await setClock(start + 8 * dayMs);
  await fold();
  await forget();
  expect(await minutes()).toEqual([]);
  const path = `/partners/${partner.id}/stats?${period}`;
  expectHistory(await read(service, path), await ofPartner(service, partner.id), hourMs);
  await setClock(start + 61 * dayMs);
  await forget();
  expect((await read(service, path)).attempts).toBe(0);
  expect(await service.sql('select from delivery_hour')).toEqual([]);
});

it('N1, N5: what is pending is counted by age, and a delivery that waits too long has an attempt that counts', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const path = `/partners/${partner.id}/webhook-endpoints/${partner.endpoint}/stats`;
  const pending = async () => {
    const all = [
      await read(service, path),
      await read(service, `/partners/${partner.id}/stats`),
      await read(service, '/platform/stats'),
    ];
    all.push(...(await read(service, `/partners/${partner.id}/webhook-endpoint-stats`)));
    const [first, ...others] = all.map(({ pending, oldest_pending_age_seconds: age }) => [pending, age]);
    for (const other of others) expect(other).toEqual(first);
    return first;
  };
  expect(await pending()).toEqual([0, null]);
  await partner.pause();
  await partner.publish();
  await setClock(clock + 90_500);
  await partner.publish();
  expect(await pending()).toEqual([2, 90]);
  // Of another partner: only the platform counts it.
  const other = await createWebhookPartner(service, receiver.url());
  await other.pause();
  await other.publish();
  const counts = [`/partners/${partner.id}/stats`, '/platform/stats'].map(
    async (each) => (await read(service, each)).pending,
  );
  expect(await Promise.all(counts)).toEqual([2, 3]);
  succeed(await other.send('DELETE', `webhook-endpoints/${other.endpoint}`));
  expect(await pending()).toEqual([2, 90]);

  await setClock(clock + 61 * dayMs);
  await service.runTask('give up waiting deliveries');
  expect(await pending()).toEqual([0, null]);
  const stats: Stats = await read(service, `${path}?step=1m&from=${iso(clock - minuteMs)}`);
  expectHistory(stats, await ofEndpoint(service, partner.endpoint), minuteMs);
  expect([stats.failed, stats.p50_ms]).toEqual([[{ reason: 'expired', count: 2 }], null]);
});

it('N1: endpoints of others are hidden, and a deleted endpoint stays in the counts of its partner', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const stranger = await createWebhookPartner(service, receiver.url());
  const hidden = [stranger.endpoint, newId('webhook_endpoint'), 'nonsense'];
  for (const id of hidden) await expectStatus(404, partner.send('GET', `webhook-endpoints/${id}/stats`));
  const ids = async (query: string): Promise<string[]> =>
    (await partner.get(`webhook-endpoint-stats${query}`)).map(
      (one: { endpoint_id: string }) => one.endpoint_id,
    );
  expect(await ids(`?endpoint_id=${[...hidden, partner.endpoint, partner.endpoint].join(',')}`)).toEqual([
    partner.endpoint,
  ]);
  expect(await ids(`?endpoint_id=${stranger.endpoint}`)).toEqual([]);
  expect(await ids('?endpoint_id=')).toEqual([]);
  expect(await ids('')).toEqual([partner.endpoint]);
  await partner.publish();
  await only(partner, 'delivered');
  succeed(await partner.send('DELETE', `webhook-endpoints/${partner.endpoint}`));
  expect(await ids('')).toEqual([]);
  expect(await read(service, `/partners/${partner.id}/stats`)).toMatchObject({ attempts: 1, delivered: 1 });
});

it('N4: a statement sums up ten minutes at most, so that large hours are folded too', async () => {
  await setClock(Date.parse(`${year}-08-01T12:30:00Z`));
  await fold();
  const { sql } = service;
  await sql(`
    create table statement_about_hours (minutes numeric);
    create function note_statement() returns trigger language plpgsql as $$
    begin
      insert into statement_about_hours select sum(count) from added where partner_id = '00000000-0000-0000-0000-000000000000';
      return null;
    end $$;
    create trigger note_insert after insert on delivery_hour referencing new table as added
      for each statement execute function note_statement();
    insert into delivery_minute select gen_random_uuid(), gen_random_uuid(), minute, 'delivered', 1, 1
      from generate_series('${year}-08-01T12:00:00Z'::timestamptz, '${year}-08-01T12:59:00Z', '1 minute') minute`);
  await setClock(Date.parse(`${year}-08-01T14:30:00Z`));
  await fold();
  const [hour] = await sql(`select sum(count)::int as count from delivery_hour
    where at = '${year}-08-01T12:00:00Z' and partner_id = '00000000-0000-0000-0000-000000000000'`);
  expect(hour.count).toBe(60);
  // The first statement inserts the sum of everyone, and the others add to it.
  expect((await sql('select max(minutes)::int as most from statement_about_hours'))[0].most).toBe(10);
  await sql('drop trigger note_insert on delivery_hour');
});

it('N4: the counts of hours are read from their index alone, however far apart their rows are', async () => {
  const { sql } = service;
  await sql(
    `insert into delivery_hour select gen_random_uuid(), gen_random_uuid(), '${year}-08-15T12:00:00Z', 'delivered', 1, 1 from generate_series(1, 5000)`,
  );
  await sql('vacuum analyze delivery_hour');
  const plan =
    await sql(`explain (format json) select endpoint_id, at, outcome, bucket, count from delivery_hour
    where partner_id = '00000000-0000-7000-8000-000000000000' and endpoint_id = any('{00000000-0000-0000-0000-000000000000}'::uuid[]) and at >= '${year}-08-01' and at < '${year}-09-01'`);
  expect(JSON.stringify(plan)).toContain('"Node Type":"Index Only Scan"');
  await sql(`delete from delivery_hour where at = '${year}-08-15T12:00:00Z'`);
});

it('N4: the period is whole steps, and bounded', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  await setClock(Date.parse(`${year}-09-01T10:50:30Z`));
  const of = (query: string) => service.get(`/partners/${partner.id}/stats?${query}`);
  const period = async (query: string) => {
    const { from, to, step } = succeed(await of(query));
    return [from, to, step];
  };
  expect(await period('')).toEqual([`${year}-08-31T10:00:00.000Z`, `${year}-09-01T11:00:00.000Z`, '1h']);
  expect(await period(`step=15m&from=${year}-09-01T08:01:00%2B02:00&to=${year}-09-01T07:00:00Z`)).toEqual([
    `${year}-09-01T06:00:00.000Z`,
    `${year}-09-01T07:00:00.000Z`,
    '15m',
  ]);
  expect(await period(`step=1d&from=${year}-08-01T01:00:00Z`)).toEqual([
    `${year}-08-01T00:00:00.000Z`,
    `${year}-09-02T00:00:00.000Z`,
    '1d',
  ]);
  expect(succeed(await of(`step=5m&from=${year}-08-27T10:50:30Z`)).step).toBe('5m');
  const fault = async (path: string, query: string) => {
    const { status, body } = await service.get(`${path}?${query}`);
    return [status, ...pluck(body.errors, 'pointer')];
  };
  const path = `/partners/${partner.id}/stats`;
  expect(await fault(path, `from=${year}-09-01T00:00:00Z&to=${year}-09-01T00:00:00Z`)).toEqual([
    400,
    '/from',
  ]);
  expect(await fault(path, `from=${year}-06-01T00:00:00Z`)).toEqual([400, '/step']);
  expect(await fault(path, `step=1m&from=${year}-08-31T09:00:00Z`)).toEqual([400, '/step']);
  expect(await fault(path, `step=5m&from=${year}-08-25T10:50:29Z&to=${year}-08-26T00:00:00Z`)).toEqual([
    400,
    '/from',
  ]);
  expect(await fault(path, 'step=2h')).toEqual([400, '/step']);
  expect(await fault(path, 'from=yesterday')).toEqual([400, '/from']);
  expect(await fault(path, 'to=9999-12-31T23:30:00Z')).toEqual([400, '/to']);
  expect(await fault('/platform/stats', 'step=15m')).toEqual([400, '/step']);
  const hours = (from: string) => `step=15m&from=${year}-09-01T${from}Z&to=${year}-09-01T10:50:00Z`;
  expect(succeed(await service.get(`/platform/stats?${hours('04:50:00')}`)).step).toBe('15m');
  expect(await fault('/platform/stats', hours('04:49:59'))).toEqual([400, '/step']);
  for (let n = 0; n < 2; n++) await partner.post('webhook-endpoints', { url: receiver.url() });
  const list = `/partners/${partner.id}/webhook-endpoint-stats`;
  expect(await fault(list, `from=${year}-07-11T00:00:00Z`)).toEqual([400, '/step']);
  expect(succeed(await service.get(`${list}?from=${year}-08-01T00:00:00Z`))).toHaveLength(3);
});

it('N5: the pending deliveries of all endpoints in a list are counted to 100,000 together', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  await partner.pause();
  await partner.publish();
  const others = times(19, () => partner.send('POST', 'webhook-endpoints', { url: receiver.url() }));
  await Promise.all(others);
  // The ids have the time of an id whose partition exists.
  await service.sql(
    `insert into delivery (id, endpoint_id, partner_id, environment, event_id, event_type, position, created_at, next_attempt_at)
     select overlay(known.id::text placing lpad(to_hex(row_number() over ()), 12, '0') from 25)::uuid, endpoint.id, known.partner_id, known.environment,
       known.event_id, known.event_type, known.position, known.created_at, known.next_attempt_at
     from delivery known join webhook_endpoint endpoint using (partner_id)
       cross join generate_series(1, case when endpoint.id = known.endpoint_id then 6000 else 5000 end)
     where partner_id = $1`,
    [uuidOf(partner.id)],
  );
  const all = await read(service, `/partners/${partner.id}/webhook-endpoint-stats`);
  expect(pluck(all, 'pending')).toEqual(Array(20).fill(5_000));
  const one = await read(service, `/partners/${partner.id}/webhook-endpoints/${partner.endpoint}/stats`);
  expect(one.pending).toBe(6_001);
  // Large counts are kept for a while, each for its partner.
  const other = await createWebhookPartner(service, receiver.url());
  const counts = [partner, other].map(
    async ({ id }) => (await read(service, `/partners/${id}/stats`)).pending,
  );
  expect(await Promise.all(counts)).toEqual([100_000, 0]);
  expect((await read(service, `/partners/${other.id}/stats`)).pending).toBe(0);
});
