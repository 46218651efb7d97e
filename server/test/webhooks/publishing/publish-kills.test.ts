// A process that is killed, or loses its database, while it publishes leaves an event with all its deliveries, or
// nothing. Whoever repeats the request gets one event.
import { expect, it, onTestFinished } from 'vitest';
import { expectCode, expectStatus, pluck, stock, times, uuidOf } from '../../stage/cast.ts';
import { arrivals, settled, startGated, startKillStage } from '../../stage/kill-stage.ts';
import { kill } from '../../stage/launch.ts';
import { commit, hold, holdEvents, untilWaiting } from '../../stage/locks.ts';
import type { Receiver } from '../../stage/receiver.ts';
import type { Response, TestService } from '../../stage/start-service.ts';
import { type StatementGate, startStatementGate } from '../../stage/statement-gate.ts';
import { createWebhookPartner, quantities, type WebhookPartner } from '../../stage/webhook-stage.ts';

type Way = {
  readonly path: string;
  readonly body: unknown;
  readonly key?: string;
  readonly count: number;
  readonly arriving?: number;
};
/** More than one statement inserts. */
const many = 101;
const keyed: Way = { path: 'events', body: stock(), key: 'once', count: 1 };
/** Each is safe to repeat. The first ones are written in groups, the others each in a transaction of its own. */
const ways: readonly Way[] = [
  keyed,
  keyed,
  keyed,
  { path: 'events', body: { ...stock(), producer_id: 'once' }, count: 1 },
  {
    path: 'events/batch',
    // Only every tenth is delivered.
    body: times(many, (index) => ({ ...stock(index), environment: index % 10 ? 'sandbox' : 'live' })),
    key: 'once',
    count: many,
    arriving: 11,
  },
];
/** As many transactions write at once: one group, and the two others. */
const transactions = 3;

type Order = Way & { readonly partner: WebhookPartner; readonly urls: readonly string[] };
type Scene = { readonly service: TestService; readonly receiver: Receiver };

/** Requests of partners with two endpoints. The strict one gets nothing from the memory of the publisher. */
const prepare = ({ service, receiver }: Scene, wanted = ways): Promise<Order[]> =>
  Promise.all(
    wanted.map(async (way) => {
      const urls = [receiver.url(), receiver.url()];
      const partner = await createWebhookPartner(service, urls[0]!);
      const second = { url: urls[1], ordering: 'strict' };
      await expectStatus(201, partner.send('POST', 'webhook-endpoints', second));
      return { ...way, partner, urls };
    }),
  );

const headersOf = ({ key }: Way) => (key === undefined ? {} : { 'idempotency-key': key });
const send = ({ partner, path, body, ...way }: Order): Promise<Response> =>
  partner.send('POST', path, body, headersOf({ path, body, ...way }));

/** What is written of a request. */
async function writtenOf({ service }: Scene, { partner, path }: Order): Promise<Record<string, number>> {
  const [counts] = await service.sql(
    `select (select count(*)::int from event where partner_id = $1) as events,
      (select count(*)::int from delivery where partner_id = $1) as deliveries,
      (select count(*)::int from idempotent_answer where path like '%' || $2 || '%') as answers,
      (select count(*)::int from known_producer_id where partner_id = $1) as ids`,
    [uuidOf(partner.id), `${path.split('/')[0]}%${partner.id}`],
  );
  return counts;
}
const nothing = { events: 0, deliveries: 0, answers: 0, ids: 0 };
const allOf = ({ count, arriving = count, key }: Way) => ({
  events: count,
  deliveries: 2 * arriving,
  answers: key === undefined ? 0 : 1,
  ids: key === undefined ? 1 : 0,
});

/** Repeats the request until PostgreSQL has noticed that the first one has ended. */
async function repeat(order: Order) {
  const answers: Response[] = [];
  await expect
    .poll(async () => {
      answers.push(await send(order));
      return answers.at(-1)?.status;
    })
    .toBe(202);
  // A client repeats after a 500 too.
  for (const { status, body } of answers.slice(0, -1))
    expect([status, body.code]).toEqual(status === 409 ? [409, 'idempotency_in_flight'] : [500, 'internal']);
  return answers.at(-1)!;
}

const isLive = ({ environment }: { environment: string }) => environment === 'live';
/** Each event exists once, and has arrived once at each endpoint if it is live. */
async function expectOnce({ service, receiver }: Scene, { partner, urls, count }: Order) {
  const { body } = await service.get(`/partners/${partner.id}/events?page_size=1000`);
  expect(body).toHaveLength(count);
  const all: string[] = pluck(body.filter(isLive), 'id');
  const [unordered, strict] = urls.map((url) => arrivals(receiver.at(url)));
  expect(unordered?.toSorted()).toEqual(all.toSorted());
  expect(strict).toEqual(all);
}

type Point = { readonly stop: Parameters<StatementGate['stopAt']>[0]; readonly isCommitted: boolean };
const points: Record<string, Point> = {
  'before PostgreSQL has the last statements': {
    stop: { at: 'before', statements: ['insert events'] },
    isCommitted: false,
  },
  'between the last statements and the commit': {
    stop: { at: 'before', statements: ['insert events', 'commit'] },
    isCommitted: false,
  },
  'between the commit and its answer': {
    stop: { at: 'answered', statements: ['insert events', 'commit'] },
    isCommitted: true,
  },
};

/** The requests that are written. One that came too late for the group has not begun. */
async function writtenAmong(scene: Scene, orders: readonly Order[], isCommitted: boolean) {
  const written = await Promise.all(orders.map((order) => writtenOf(scene, order)));
  const done = orders.filter((order, index) => written[index]!.events === order.count);
  expect(written).toEqual(orders.map((order) => (done.includes(order) ? allOf(order) : nothing)));
  expect(done.length >= transactions).toBe(isCommitted);
  return done;
}

it('C2, W9, W14: events of processes that are killed around the commit are published once, and arrive once', async () => {
  const scene = await startKillStage();
  const { service, receiver } = scene;
  const gate = await startStatementGate(service.database.url);
  onTestFinished(gate.close);
  // They deliver only from memory.
  void gate.stopAt({ at: 'before', statements: ['claim lanes'] }, Number.POSITIVE_INFINITY);
  const published: Order[] = [];
  for (const [when, { stop, isCommitted }] of Object.entries(points)) {
    const victim = await scene.startVictim({ DATABASE_URL: gate.url });
    const orders = await prepare(scene);
    const reached = gate.stopAt(stop, transactions);
    const answers = orders.map((order) =>
      victim
        .request(`/partners/${order.partner.id}/${order.path}`, order.body, headersOf(order))
        .catch(() => 'none'),
    );
    await reached;
    await kill(victim.child);
    expect(await Promise.all(answers), when).toEqual(orders.map(() => 'none'));
    const done = await writtenAmong(scene, orders, isCommitted);
    expect(receiver.received).toEqual([]);
    for (const order of orders) {
      const answer = await repeat(order);
      const isReplayed = answer.headers['idempotent-replayed'] === 'true';
      expect(isReplayed).toBe(done.includes(order) && order.key !== undefined);
      expect(await writtenOf(scene, order)).toEqual(allOf(order));
    }
    published.push(...orders);
  }
  const next = await scene.takeOver();
  await scene.settled();
  for (const order of published) await expectOnce(scene, order);
  await next.stop();
});

it('C2, W9, W14: events whose process loses its database around the commit get 500, and are published and delivered once when they are repeated', async () => {
  const scene = await startGated();
  const published: Order[] = [];
  for (const { stop, isCommitted } of Object.values(points)) {
    const orders = await prepare(scene);
    const reached = scene.gate.stopAt(stop, transactions);
    const answers = Promise.all(orders.map(send));
    await reached;
    const before = await Promise.all(orders.map((order) => writtenOf(scene, order)));
    expect(before.some(({ events }) => events! > 0)).toBe(isCommitted);
    scene.gate.cut();
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.filter((status) => status === 500).length).toBeGreaterThanOrEqual(transactions);
    for (const order of orders) {
      await repeat(order);
      expect(await writtenOf(scene, order)).toEqual(allOf(order));
    }
    published.push(...orders);
  }
  await settled(scene.service);
  for (const order of published) await expectOnce(scene, order);
});

/** A process is killed while PostgreSQL runs the statements of an event, and has its commit already. */
async function killDuringStatements(noticesEnd: boolean) {
  const scene = await startKillStage();
  const { service, startVictim } = scene;
  const gate = await startStatementGate(service.database.url);
  onTestFinished(gate.close);
  if (!noticesEnd) gate.outlive();
  const victim = await startVictim({ DATABASE_URL: gate.url });
  const [order] = (await prepare(scene, [keyed])) as [Order];
  await holdEvents(service.database, 'true');
  const lock = await hold(service.database, 'select pg_advisory_xact_lock(4711)');
  const sent = gate.stopAt({ at: 'sent', statements: ['insert events', 'commit'] });
  const answer = victim
    .request(`/partners/${order.partner.id}/${order.path}`, order.body, headersOf(order))
    .catch(() => 'none');
  await sent;
  await untilWaiting(service.database, 1);
  await kill(victim.child);
  expect(await answer).toBe('none');
  return { scene, order, lock };
}

it('C2, W14: PostgreSQL commits an event of a killed process whose commit it has: until then a repeated request is 409, then it gets the kept answer', async () => {
  const { scene, order, lock } = await killDuringStatements(false);
  await expectCode('idempotency_in_flight', send(order));
  expect(await writtenOf(scene, order)).toEqual(nothing);
  await commit(lock);
  expect((await repeat(order)).headers['idempotent-replayed']).toBe('true');
  expect(await writtenOf(scene, order)).toEqual(allOf(order));
  const next = await scene.takeOver();
  await scene.settled();
  await expectOnce(scene, order);
  await next.stop();
});

it('C2, W14: PostgreSQL gives up the statement of a killed process, and the commit behind it: the repeated request publishes', async () => {
  const { scene, order, lock } = await killDuringStatements(true);
  await untilWaiting(scene.service.database, 0);
  expect(await writtenOf(scene, order)).toEqual(nothing);
  await lock.end();
  expect((await repeat(order)).headers['idempotent-replayed']).toBeUndefined();
  expect(await writtenOf(scene, order)).toEqual(allOf(order));
  const next = await scene.takeOver();
  await scene.settled();
  await expectOnce(scene, order);
  await next.stop();
});

/** What fails in the last flight of statements. */
const failures: Record<string, string> = {
  'the insert of events': 'before insert on event for each row',
  'the insert of deliveries': 'before insert on delivery for each row',
  'the insert of the answer': 'before insert on idempotent_answer for each row',
  'the claim of lanes': 'before update on lane for each row',
  'the commit itself': 'after insert on delivery deferrable initially deferred for each row',
};

it('C2, W9, W14: when a statement fails that the commit was sent with, nothing is written, claimed or sent, and the repeated request publishes', async () => {
  const scene = await startGated();
  const { service, receiver } = scene;
  await service.sql(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused' using errcode = '23514'; end $$`);
  for (const [what, when] of Object.entries(failures)) {
    const orders = await prepare(scene);
    const table = / on (\w+)/.exec(when)![1]!;
    const kind = what === 'the commit itself' ? 'constraint trigger' : 'trigger';
    await service.sql(`create ${kind} refuse ${when} execute function refuse()`);
    // Without a key no answer is inserted.
    const refused = orders.filter(({ key }) => table !== 'idempotent_answer' || key !== undefined);
    const answers = await Promise.all(refused.map(send));
    expect(
      answers.map(({ status }) => status),
      what,
    ).toEqual(refused.map(() => 500));
    for (const order of refused) expect(await writtenOf(scene, order)).toEqual(nothing);
    expect(await service.sql(`select from lane where owner is not null or next_at < 'infinity'`)).toEqual([]);
    expect(refused.flatMap(({ urls }) => urls.flatMap(receiver.at))).toEqual([]);
    await service.sql(`drop trigger refuse on ${table}`);
    for (const order of orders) {
      const { status, headers } = await send(order);
      expect([status, headers['idempotent-replayed']]).toEqual([202, undefined]);
      expect(await writtenOf(scene, order)).toEqual(allOf(order));
    }
    await settled(service);
    for (const order of orders) await expectOnce(scene, order);
  }
});

const look = 'select due deliveries';

/** A lane that has one request, which hangs until `letGo`, and that looks for more. */
async function startBusyLane() {
  const scene = await startGated();
  const hanging: (() => void)[] = [];
  const url = scene.receiver.url((request, response) => {
    const end = () => void response.writeHead(204).end();
    if (quantities([request])[0]! < 2) end();
    else hanging.push(end);
  });
  const partner = await createWebhookPartner(scene.service, url);
  // Each answer doubles what the lane may send at once.
  await partner.publishMany(3);
  await scene.receiver.count(url, 3);
  // The first of these has found nothing more, so the lane takes what is handed over.
  await scene.gate.stopAt({ at: 'sent', statements: [look, look] });
  const letGo = () => {
    for (const end of hanging.splice(0)) end();
  };
  return { ...scene, url, partner, letGo };
}

it('W14: what a look has sent before the publisher knows of its commit, the publisher does not send again', async () => {
  const { service, receiver, gate, url, partner, letGo } = await startBusyLane();
  const committed = gate.stopAt(points['between the commit and its answer']!.stop);
  const publishing = partner.publish(3);
  await committed;
  await receiver.count(url, 4);
  gate.release();
  await publishing;
  letGo();
  await settled(service);
  expect(quantities(receiver.at(url)).toSorted()).toEqual([0, 1, 2, 3]);
});

it('W14: what the publisher sends while a look is under way, the look does not send again', async () => {
  const { service, receiver, gate, url, partner, letGo } = await startBusyLane();
  await gate.stopAt({ at: 'before', statements: [look] });
  // Its answer comes after the hand-over.
  await partner.publish(3);
  gate.release();
  await receiver.count(url, 4);
  // The next look begins when this one has ended.
  await gate.stopAt({ at: 'sent', statements: [look] });
  letGo();
  await settled(service);
  expect(quantities(receiver.at(url)).toSorted()).toEqual([0, 1, 2, 3]);
});
