// Turns before the pool: what one partner or one user waits for delays nobody else.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTurns, TurnPool } from '../../src/base/postgres/turns.ts';
import { acl, createCast, expectStatus, type Player, stock, succeed, times, uuidOf } from '../stage/cast.ts';
import { hold, holdEvents, untilWaiting } from '../stage/locks.ts';
import { toLoopback, useReceiver } from '../stage/receiver.ts';
import { type Response, useService } from '../stage/start-service.ts';
import { createWebhookPartner, type WebhookPartner } from '../stage/webhook-stage.ts';

let client: Client;
let partner: WebhookPartner;
let member: Player;
/** Somebody with another partner. */
let stranger: Player & { partnerId: string };
const terms = {
  acl_permissions: [acl('events'), acl('webhook_endpoints'), acl('deliveries'), acl('partner')],
};

const service = useService(toLoopback);
const receiver = useReceiver(service);
beforeAll(async () => {
  partner = await createWebhookPartner(service, receiver.url());
  const cast = createCast(service);
  member = await cast.member(partner.id, terms);
  const partnerId = await cast.partner();
  stranger = { ...(await cast.member(partnerId, terms)), partnerId };
  // An event of the type order.status_changed commits when the test has let go of the lock.
  await holdEvents(service.database, `new.type = 'order.status_changed'`);
});
beforeEach(async () => {
  client = await service.database.connect();
  await client.query('begin');
});
afterEach(() => client.end());

/** Of one user. */
const share = 4;
const asMember = (method: string, path: string, body?: object) =>
  service.request(method, `/partners/${partner.id}${path}`, { token: member.token, body });
const order = { type: 'order.status_changed', data: { order_id: 'a', status: 'shipped' } };
const event = stock();

/** What others do meanwhile. It needs connections of the pool. */
async function othersWork() {
  const { token, partnerId } = stranger;
  const answers = await Promise.all([
    service.patch(`/partners/${partnerId}`, { name: 'Other' }, token),
    service.get(`/partners/${partnerId}/deliveries`, token),
    service.post(`/partners/${partnerId}/events`, { ...event, producer_id: crypto.randomUUID() }, token),
    service.get('/health/ready', null),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 200]);
  expect((await service.signIn()).length).toBeGreaterThan(0);
}

/** The requests wait while the test holds its lock. They are answered when it lets go. */
async function whileTheyWait(requests: Promise<Response>[], during: () => Promise<void>) {
  const begun = performance.now();
  try {
    await during();
  } finally {
    await client.query('rollback');
  }
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  // On a busy machine, they wait longer than a request may wait for its turn.
  return performance.now() - begun < 5_000 ? statuses : statuses.filter((status) => status !== 429);
}

it('L14: changes that wait for a lock of their partner leave connections to everybody else', async () => {
  await client.query('select from partner where id = $1 for update', [uuidOf(partner.id)]);
  const changes = times(30, (n) => asMember('PATCH', '', { name: `Acme ${n}` }));
  const statuses = await whileTheyWait(changes, async () => {
    await untilWaiting(service.database, share, 'lock_for_change');
    await othersWork();
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it('L14: a read whose client leaves loses its connection, and one that waits for its turn gets none', async () => {
  const { database, logs, url } = service;
  await client.query('lock table delivery in access exclusive mode');
  const headers = { authorization: `Bearer ${member.token}` };
  const read = (query = '') => {
    const leaving = new AbortController();
    const reading = fetch(`${url}/partners/${partner.id}/deliveries${query}`, {
      headers,
      signal: leaving.signal,
    });
    return () => {
      leaving.abort();
      return expect(reading).rejects.toThrow('aborted');
    };
  };
  const reads = () =>
    database.sql(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'from delivery item where partner_id|with examined'`,
    );
  const readers = times(share, () => read());
  // It waits in a queue of its own.
  readers.push(read('?filter[status]=delivered'));
  await expect.poll(reads).toHaveLength(share + 1);
  const logged = logs.length;
  const last = read();
  await expectStatus(200, service.get('/me', stranger.token));
  await last();
  await expectStatus(200, service.get('/me', stranger.token));
  await Promise.all(readers.map((leave) => leave()));
  // Before the statements reach their own time limit.
  await expect.poll(reads, { timeout: 8_000 }).toEqual([]);
  expect(logs.slice(logged).join()).not.toContain('request failed');
});

it('L14: thousands of reads that wait for a connection, and whose clients leave, take none from the others', async () => {
  const limits = { shareOf: () => 1, maxWaiting: 1, patienceMs: 1_000, refusal: () => new Error('refused') };
  const turns = createTurns({ ...limits, onNested() {} });
  const pool = new TurnPool({ connectionString: service.database.url, max: 1 }, turns);
  onTestFinished(() => pool.end());
  const connection = await pool.connect();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const reads = times(3_000, () => turns.runFor([], () => pool.query('select'), response));
  response.destroy();
  connection.release();
  const ends = await Promise.allSettled(reads);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
});

it('L14: requests that wait for a lock of their own user leave connections to everybody else, whatever the partner', async () => {
  await client.query('select from auth."user" where id = $1 for update', [member.id]);
  const changes = times(30, (n) => service.patch('/me', { name: `Player ${n}` }, member.token));
  const statuses = await whileTheyWait(changes, async () => {
    await untilWaiting(service.database, share);
    await othersWork();
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it('L14, W9: events with a producer_id that wait for each other leave connections to everybody else', async () => {
  await client.query(`select pg_advisory_xact_lock(4711)`);
  const body = { ...order, producer_id: 'the same' };
  const publishing = times(30, () => asMember('POST', '/events', body));
  const statuses = await whileTheyWait(publishing, async () => {
    await untilWaiting(service.database, share);
    await othersWork();
  });
  expect(new Set(statuses)).toEqual(new Set([202]));
});

it('W10, L14: readers of the feed wait for events that are being published without a connection, and delay no publisher', async () => {
  await client.query(`select pg_advisory_xact_lock(4711)`);
  const batch = asMember('POST', '/events/batch', [order]);
  await untilWaiting(service.database, 1);
  let read = 0;
  const readers = times(30, () =>
    asMember('GET', '/events?page_size=1').then((answer) => {
      read++;
      return answer;
    }),
  );
  const statuses = await whileTheyWait(readers, async () => {
    await othersWork();
    // It shares the partner with the readers, and its locks with the batch.
    await expectStatus(202, asMember('POST', '/events', event));
    await expectStatus(202, asMember('POST', '/events/batch', [event, event]));
    await untilWaiting(service.database, 1);
    expect(read).toBe(0);
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [{ id }] = succeed(await batch);
  const feed: { id: string }[] = succeed(await asMember('GET', '/events?page_size=100'));
  // The batch drew its position before the others, and they were not shown before it.
  const ids = feed.map((event) => event.id);
  expect(ids.slice(ids.indexOf(id))).toHaveLength(4);
});

it('L14: many questions about access do not delay the requests that share a connection', async () => {
  const { database } = service;
  const holder = await hold(database, 'lock table permission_group');
  const question = {
    subject: { type: 'user', id: member.id },
    action: { name: 'get' },
    resource: { type: 'deliveries', id: partner.id },
    evaluations: [{}, {}],
  };
  // As many as there are shared connections.
  const asked = [1, 2].map(() => service.post('/access/v1/evaluations', question, member.token));
  const waiting = () => untilWaiting(database, 2, 'as pair');
  await waiting();
  await expectStatus(200, service.get('/me', stranger.token));
  await waiting();
  await holder.end();
  for (const answer of asked) await expectStatus(200, answer);
});
