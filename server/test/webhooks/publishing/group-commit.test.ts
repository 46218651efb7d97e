// Group commit: events of many partners in one transaction, and what may not stop or spoil a group.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  atOnce,
  createCast,
  expectStatus,
  may,
  type Player,
  stock,
  succeed,
  times,
  uuidOf,
} from '../../stage/cast.ts';
import { commit, hold, holdEvents, untilWaiting } from '../../stage/locks.ts';
import { toLoopback, useReceiver } from '../../stage/receiver.ts';
import { type Response, useService } from '../../stage/start-service.ts';
import { createWebhookPartner, quantities, type WebhookPartner } from '../../stage/webhook-stage.ts';

let client: Client;
/** Its event holds a group open while a test holds a lock. */
let first: WebhookPartner;
const service = useService(toLoopback);
const receiver = useReceiver(service);
beforeAll(async () => {
  first = await newPartner();
  await holdEvents(service.database, `new.partner_id = '${uuid(first)}'`);
});
beforeEach(async () => {
  client = await service.database.connect();
  return () => client.end();
});

const newPartner = (terms: object = {}) => createWebhookPartner(service, receiver.url(), terms);
const event = stock();
const requests = { sent: 0, arrived: 0 };
function countArrival(message: unknown) {
  const { request } = message as { request: IncomingMessage };
  if (request.method === 'POST' && request.url?.endsWith('/events')) requests.arrived++;
}
beforeAll(() => subscribe('http.server.request.start', countArrival));
afterAll(() => void unsubscribe('http.server.request.start', countArrival));
function publish(
  partner: { id: string },
  { token = service.operatorToken, body = event as object, headers = {} } = {},
): Promise<Response> {
  requests.sent++;
  return service.request('POST', `/partners/${partner.id}/events`, { token, body, headers });
}
const keyed = (partner: { id: string }, key: string, body = event) =>
  publish(partner, { body, headers: { 'idempotency-key': key } });
const uuid = (partner: { id: string }) => uuidOf(partner.id);
/** The sizes of the transactions that wrote the events of these partners. */
async function groupsOf(partners: readonly WebhookPartner[]): Promise<number[]> {
  const rows = await service.sql(
    'select count(*)::int as size from event where partner_id = any($1) group by xmin::text order by 1',
    [partners.map(uuid)],
  );
  return rows.map(({ size }) => size);
}

/** Runs `during` while a group is under way: it cannot commit before `during` has ended. */
async function duringGroup<T>(during: () => Promise<T>) {
  await client.query('begin; select pg_advisory_xact_lock(4711)');
  const opening = publish(first);
  await untilWaiting(service.database, 1);
  try {
    return await during();
  } finally {
    await client.query('commit');
    succeed(await opening);
  }
}

/** Requests that wait behind the group: they have arrived, and later ones of the same kind were answered. */
async function sent(publishing: Promise<Response>[]) {
  await expect.poll(() => requests.arrived).toBe(requests.sent);
  for (let n = 0; n < 5; n++) succeed(await service.get(`/partners/${first.id}`));
  return publishing;
}

it('W9: events that arrive while a transaction is under way are written together, 64 at most', async () => {
  const partners = await atOnce(10, () => newPartner());
  const publishing = await duringGroup(() => sent(times(80, (index) => publish(partners[index % 10]!))));
  for (const answer of await Promise.all(publishing)) succeed(answer);
  const sizes = await groupsOf(partners);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(80);
  expect(sizes.length).toBeLessThan(27);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
});

it('W9: partners take turns, so many events of one partner do not delay an event of another', async () => {
  const [flooding, other] = [await newPartner(), await newPartner()];
  const publishing = await duringGroup(async () => {
    const flood = await sent(times(70, () => publish(flooding)));
    return [...flood, ...(await sent([publish(other)]))];
  });
  for (const answer of await Promise.all(publishing)) succeed(answer);
  const [before] = await service.sql(
    `select count(*)::int as events from event where partner_id = $1
     and position < (select position from event where partner_id = $2)`,
    [uuid(flooding), uuid(other)],
  );
  expect(before!.events).toBeLessThan(64);
});

it('I1: an event of a group is refused when its publisher lost the access before the group began', async () => {
  const cast = createCast(service);
  const [partner, other] = [await newPartner(), await newPartner()];
  const [leaver, banned] = [await cast.owner(partner.id), await cast.owner(partner.id)];
  await cast.owner(partner.id);
  const { refused, accepted } = await duringGroup(async () => {
    const [accepted, ...refused] = await sent([
      publish(other),
      publish(partner, leaver),
      publish(partner, banned),
    ]);
    succeed(await service.remove(`/partners/${partner.id}/agreements/${leaver.agreement}`));
    await cast.set(banned.id, { banned: true });
    return { refused, accepted };
  });
  await expectStatus(404, refused[0]!);
  await expectStatus(401, refused[1]!);
  await expectStatus(202, accepted!);
  expect(await groupsOf([partner])).toEqual([]);
});

it('I1: an event of a group waits for the ban of its publisher, and the others do not', async () => {
  const cast = createCast(service);
  const [partner, other] = [await newPartner(), await newPartner()];
  const banned = await cast.owner(partner.id);
  await cast.owner(partner.id);
  const ban = await hold(service.database, 'select from auth."user" where id = $1 for update', [banned.id]);
  const [waits, accepted] = await duringGroup(() => sent([publish(partner, banned), publish(other)]));
  await expectStatus(202, accepted!);
  await untilWaiting(service.database, 1);
  await ban.query('update auth."user" set banned = true where id = $1', [banned.id]);
  await commit(ban);
  await expectStatus(401, waits!);
  expect(await groupsOf([partner])).toEqual([]);
});

it('I1: a publisher with a new agreement does not lose it before the event has committed', async () => {
  const cast = createCast(service);
  const terms = may('events', 'post');
  const publisher = await cast.member(first.id, terms);
  await client.query('begin; select pg_advisory_xact_lock(4711)');
  const opening = publish(first);
  await untilWaiting(service.database, 1);
  const [publishing] = await sent([publish(first, publisher)]);
  succeed(await service.remove(`/partners/${first.id}/agreements/${publisher.agreement}`));
  const { id } = await cast.join(first.id, publisher, terms);
  // The lock is asked for again before the second event comes to it.
  await client.query('commit; begin; select pg_advisory_xact_lock(4711)');
  await expectStatus(202, opening);
  await untilWaiting(service.database, 1);
  const removing = service.remove(`/partners/${first.id}/agreements/${id}`);
  await untilWaiting(service.database, 2);
  await client.query('commit');
  await expectStatus(202, publishing!);
  await expectStatus(204, removing);
});

it('W12: an event of a group is checked against the schema that is stored when it is written', async () => {
  const type = async (minimum: number) =>
    succeed(
      await service.put('/event-types/group.measured?force=true', {
        description: 'A measurement.',
        schema: { type: 'object', properties: { n: { type: 'integer', minimum } } },
        example: { n: 100 },
      }),
    );
  const partner = await newPartner();
  const measured = (n: number) => publish(partner, { body: { type: 'group.measured', data: { n } } });
  await type(10);
  await expectStatus(202, measured(10));
  await expectStatus(400, measured(9));
  const publishing = await duringGroup(async () => {
    const requests = await sent([measured(15)]);
    await type(20);
    return requests;
  });
  await expectStatus(400, publishing[0]!);
  await type(5);
  await expectStatus(202, measured(9));
});

it('C2: requests with an Idempotency-Key are written together, and each has one effect', async () => {
  const [partner, other] = [await newPartner(), await newPartner()];
  const before = await keyed(partner, 'before');
  // A group does not wait for a partner whose lane is being released.
  await expect.poll(() => service.sql('select from lane where owner is not null')).toEqual([]);
  const changed = { ...event, data: { sku: 'b', quantity: 2 } };
  const publishing = await duringGroup(() =>
    sent([
      keyed(partner, 'new'),
      keyed(partner, 'new'),
      keyed(other, 'new'),
      keyed(partner, 'before'),
      publish(partner),
    ]),
  );
  const answers = await Promise.all(publishing);
  const told = answers.map(({ status, body, headers }) => [
    status,
    body.code,
    headers['idempotent-replayed'],
  ]);
  const isNew = [202, undefined, undefined];
  expect(told.slice(0, 2)).toEqual(
    expect.arrayContaining([isNew, [409, 'idempotency_in_flight', undefined]]),
  );
  expect(told.slice(2)).toEqual([isNew, [202, undefined, 'true'], isNew]);
  expect(await groupsOf([partner, other])).toEqual([1, 3]);
  const again = [
    await keyed(partner, 'new'),
    await keyed(partner, 'before'),
    await keyed(partner, 'before', changed),
  ] as const;
  expect(again[0].body).toEqual(answers.find(({ status }) => status === 202)!.body);
  expect(again[1].body).toEqual(before.body);
  expect(again[2].body.code).toBe('idempotency_key_reused');
  expect(await groupsOf([partner, other])).toEqual([1, 3]);
});

it('W9: an event that the database refuses fails alone', async () => {
  await service.sql(`
    create function refuse_poison() returns trigger language plpgsql as $$
      begin raise exception 'poison' using errcode = '23514'; end $$;
    create trigger refuse_poison before insert on event for each row when (new.body like '%poison%') execute function refuse_poison()`);
  const partners = [await newPartner(), await newPartner(), await newPartner()] as const;
  const poison = { type: 'inventory.updated', data: { sku: 'poison', quantity: 1 } };
  const publishing = await duringGroup(() =>
    sent([publish(partners[0]), publish(partners[1], { body: poison }), publish(partners[2])]),
  );
  expect((await Promise.all(publishing)).map(({ status }) => status)).toEqual([202, 500, 202]);
  await service.sql('drop trigger refuse_poison on event; drop function refuse_poison');
});

it('I7: an event fails alone whose endpoint has a filter that this version cannot read', async () => {
  const partners = [await newPartner(), await newPartner(), await newPartner()] as const;
  await service.sql(`update webhook_endpoint set filter = '{"path": "/sku", "later": 1}' where id = $1`, [
    uuidOf(partners[1].endpoint),
  ]);
  const publishing = await duringGroup(() => sent(partners.map((partner) => publish(partner))));
  expect((await Promise.all(publishing)).map(({ status }) => status)).toEqual([202, 500, 202]);
});

const ofLane = 'select from lane where endpoint_id = $1';
const lockable: Record<
  string,
  (partner: WebhookPartner, publisher: Player) => [statement: string, value: string | null]
> = {
  'the publish lock, which a reader of the feed holds': (partner) => [
    `select pg_advisory_xact_lock(hashtextextended('concord publishing ' || $1, 0))`,
    uuid(partner),
  ],
  'the lane of an endpoint': ({ endpoint }) => [`${ofLane} for update`, uuidOf(endpoint)],
  'the lane of an endpoint, as another publisher does,': ({ endpoint }) => [
    `${ofLane} for no key update`,
    uuidOf(endpoint),
  ],
  'the agreement of a publisher': (partner) => [
    'select from agreement where partner_id = $1 for update',
    uuid(partner),
  ],
  'the account of a publisher': (_, { id }) => ['select from auth."user" where id = $1 for update', id],
};
it.each(Object.entries(lockable))(
  'W9: while somebody holds %s, events of other partners are published',
  async (_, lock) => {
    const cast = createCast(service);
    const [stalled, free] = [await newPartner(), await newPartner()];
    const publisher = await cast.owner(stalled.id);
    await client.query('begin');
    const [statement, value] = lock(stalled, publisher);
    await client.query(statement, [value]);
    const waiting = publish(stalled, publisher);
    await untilWaiting(service.database, 1);
    const answers = await atOnce(20, () => publish(free));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await groupsOf([stalled])).toEqual([]);
    await client.query('commit');
    await expectStatus(202, waiting);
  },
);

it('W9: while an expired answer to an Idempotency-Key is being deleted, events of other partners are published', async () => {
  const [stalled, free] = [await newPartner(), await newPartner()];
  succeed(await keyed(stalled, 'old'));
  await service.sql(
    `update idempotent_answer set created_at = created_at - interval '25 hours' where key = 'old' and path like $1`,
    [`%${stalled.id}%`],
  );
  await client.query('begin');
  await client.query(`delete from idempotent_answer where key = 'old'`);
  const waiting = keyed(stalled, 'old');
  await untilWaiting(service.database, 1);
  await expectStatus(202, publish(free));
  await client.query('commit');
  await expectStatus(202, waiting);
});

it('W19: the transaction that publishes claims the lane for its own process', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const hang = receiver.url((_, response) => arrived.resolve(response));
  const partner = await createWebhookPartner(service, hang);
  succeed(await publish(partner));
  const [row] = await service.sql(
    `select lane.xmin::text = event.xmin::text as same, owner is not null as owned, lane.epoch::int as epoch
     from event join webhook_endpoint endpoint on endpoint.partner_id = event.partner_id
     join lane on lane.endpoint_id = endpoint.id where event.partner_id = $1`,
    [uuid(partner)],
  );
  expect(row).toEqual({ same: true, owned: true, epoch: 1 });
  (await arrived.promise).writeHead(204).end();
});

it('W9: an event is published while no key can sign, and delivered when one can', async () => {
  const url = receiver.url();
  const partner = await createWebhookPartner(service, url);
  const [key] = await service.sql(`
    update signing_key set activates_at = activates_at + interval '1 hour' where environment = 'live' and revoked_at is null returning kid`);
  succeed(await publish(partner));
  await service.sql(`update signing_key set activates_at = activates_at - interval '1 hour' where kid = $1`, [
    key!.kid,
  ]);
  await receiver.count(url, 1);
});

it('W8: an endpoint that was changed or paused while a group was under way gets nothing from memory', async () => {
  const urls = [receiver.url(), receiver.url(), receiver.url()] as const;
  const [moved, paused] = [
    await createWebhookPartner(service, urls[0]),
    await createWebhookPartner(service, urls[2]),
  ];
  await service.sql(`create trigger wait_too after insert on event for each row
    when (new.partner_id in ('${uuid(moved)}', '${uuid(paused)}')) execute function wait_for_test()`);
  for (const partner of [moved, paused]) succeed(await publish(partner));
  await receiver.count(urls[0], 1);
  await receiver.count(urls[2], 1);
  await client.query('begin; select pg_advisory_xact_lock(4711)');
  const held = [publish(moved), publish(paused)];
  await untilWaiting(service.database, 1);
  succeed(await service.patch(`/partners/${moved.id}/webhook-endpoints/${moved.endpoint}`, { url: urls[1] }));
  await paused.pause();
  await client.query('commit');
  for (const answer of await Promise.all(held)) succeed(answer);
  await receiver.count(urls[1], 1);
  await service.sql('drop trigger wait_too on event');
  expect((await receiver.count(urls[0], 1)).length).toBe(1);
  expect((await receiver.count(urls[2], 1)).length).toBe(1);
  await paused.resume();
  await receiver.count(urls[2], 2);
});

it('W17: events are handed over only while nothing older waits', async () => {
  const answers: ServerResponse[] = [];
  const url = receiver.url((_, response) => void answers.push(response));
  const partner = await createWebhookPartner(service, url, { max_concurrency: 1 });
  for (let quantity = 0; quantity < 5; quantity++) await partner.publish(quantity);
  for (let quantity = 0; quantity < 30; quantity++) {
    const arrived = await receiver.count(url, quantity + 1);
    // A new event is being published whenever a slot is free.
    const publishing = partner.publish(5 + quantity);
    answers[quantity]!.writeHead(204).end();
    await publishing;
    expect(quantities(arrived)).toEqual(times(quantity + 1, (index) => index));
  }
  for (let quantity = 30; quantity < 35; quantity++) {
    await receiver.count(url, quantity + 1);
    answers[quantity]!.writeHead(204).end();
  }
});

it('W14: what is handed over and what is read from the database is sent once', async () => {
  const urls = [receiver.url(), receiver.url(), receiver.url()];
  const partner = await createWebhookPartner(service, urls[0]!);
  await partner.post('webhook-endpoints', { url: urls[1], max_concurrency: 1 });
  await partner.post('webhook-endpoints', { url: urls[2], ordering: 'strict' });
  const publishing = times(40, async (index) => {
    for (let n = 0; n < 5; n++) await (index % 8 === 0 ? partner.publishMany(5) : partner.publish(n));
  });
  await Promise.all(publishing);
  const total = 5 * (35 + 5 * 5);
  for (const url of urls) {
    const ids = (await receiver.count(url, total)).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(total);
  }
  await partner.until('pending', 0);
  for (const url of urls) expect(await receiver.count(url, total)).toHaveLength(total);
  const attempts = await service.sql(
    'select distinct attempt_count as attempts from delivery where partner_id = $1',
    [uuid(partner)],
  );
  expect(attempts).toEqual([{ attempts: 1 }]);
});
