// Endpoints that filter events by their data (behaviour W69).
import { expect, it } from 'vitest';
import { acl, expectStatus, pluck, stock, succeed, times, uuidOf } from '../../stage/cast.ts';
import { kill, launch } from '../../stage/launch.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { secrets } from '../../stage/start-service.ts';
import { quantities, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, cast, newPartner } = useWebhookStage();
const subscribe = (terms: object, url = receiver.url()) => newPartner(url, terms);

const few = { path: '/quantity', range: { lt: 10 } };
const oslo = { path: '/location', equals: 'Oslo' };
const addEndpoint = async (partner: WebhookPartner, terms: object): Promise<string> =>
  (await partner.post('webhook-endpoints', { url: receiver.url(), ...terms })).id;
const publish = async (partner: WebhookPartner, data: object, more = {}) =>
  await partner.post('events', { type: 'inventory.updated', data: { sku: 'a', ...data }, ...more });
/** The endpoints that have a delivery of the event. */
const reached = async (partner: WebhookPartner, event: string) =>
  pluck(await partner.deliveries(`?filter[event_id]=${event}`), 'endpoint_id').toSorted();
const fault = (pointer: string, text: string) =>
  expect.objectContaining({
    errors: [expect.objectContaining({ pointer, message: expect.stringContaining(text) })],
  });
const moveCounts = () => service.runTask('count filtered events');
const statsOf = async (partner: WebhookPartner, endpoint = partner.endpoint) =>
  await partner.get(`webhook-endpoints/${endpoint}/stats`);

it('W69: only what matches makes a delivery, and an event shows who did not get it', async () => {
  const url = receiver.url();
  const partner = await subscribe({ filter: { all: [few, oslo] } }, url);
  const same = await addEndpoint(partner, { filter: { all: [few, oslo] } });
  const opposite = await addEndpoint(partner, { filter: { not: { all: [few, oslo] } } });
  const every = await addEndpoint(partner, {});
  const other = await addEndpoint(partner, {
    event_types: ['order.status_changed'],
    filter: { path: '/status', equals: 'x' },
  });
  const sandbox = await addEndpoint(partner, { environment: 'sandbox', filter: few });

  const matching = await publish(partner, { quantity: 9, location: 'Oslo' });
  const missing = await publish(partner, { quantity: 9 });
  expect(matching.filtered_endpoint_ids).toEqual([opposite]);
  expect(missing.filtered_endpoint_ids.toSorted()).toEqual([partner.endpoint, same].toSorted());
  expect(await reached(partner, matching.id)).toEqual([partner.endpoint, same, every].toSorted());
  expect(await reached(partner, missing.id)).toEqual([opposite, every].toSorted());
  const feed = await partner.get('events');
  expect(pluck(feed, 'filtered_endpoint_ids')).toEqual(
    [matching, missing].map((each) => each.filtered_endpoint_ids),
  );
  const one = await partner.get(`events/${missing.id}`);
  expect(one.filtered_endpoint_ids).toEqual(missing.filtered_endpoint_ids);
  // What receivers get is as before.
  const [got, ...more] = await receiver.count(url, 1);
  expect(Object.keys(got?.event ?? {})).toEqual([
    'id',
    'type',
    'created_at',
    'partner_id',
    'environment',
    'data',
  ]);
  expect(more).toEqual([]);

  const batch = await partner.post('events/batch', [
    ...[1, 10].map((quantity) => ({ ...stock(quantity), environment: 'sandbox' })),
    { type: 'order.status_changed', data: { order_id: '1', status: 'y' } },
    { type: 'order.status_changed', data: { order_id: '1', status: 'x' } },
  ]);
  expect(pluck(batch, 'filtered_endpoint_ids')).toEqual([
    [],
    [sandbox],
    expect.arrayContaining([partner.endpoint, same, other]),
    expect.arrayContaining([partner.endpoint, same]),
  ]);
  expect(await reached(partner, batch[3].id)).toEqual([opposite, every, other].toSorted());
});

it('W69, W9: a repeated producer id answers with the decision of the first time', async () => {
  const partner = await subscribe({ filter: few });
  const first = await publish(partner, { quantity: 10 }, { producer_id: 'p' });
  expect(first.filtered_endpoint_ids).toEqual([partner.endpoint]);
  succeed(await partner.change({ filter: null }));
  expect(await publish(partner, { quantity: 10 }, { producer_id: 'p' })).toEqual(first);
  const twice = { ...stock(1), producer_id: 'twice' };
  const batch = await partner.post('events/batch', [twice, twice]);
  expect(batch[0]).toEqual(batch[1]);
});

it('W69: a change counts for later events, is in the audit log, and null ends the filter', async () => {
  const partner = await subscribe({ filter: few });
  const change = async (body: object) => succeed(await partner.change(body));
  expect((await publish(partner, { quantity: 10 })).filtered_endpoint_ids).toHaveLength(1);
  expect((await change({ description: 'x' })).filter).toEqual(few);
  expect((await change({ filter: oslo })).filter).toEqual(oslo);
  expect((await publish(partner, { quantity: 10, location: 'Oslo' })).filtered_endpoint_ids).toEqual([]);
  expect((await partner.read()).filter).toEqual(oslo);
  expect((await change({ filter: null })).filter).toBeNull();
  expect((await publish(partner, { quantity: 10 })).filtered_endpoint_ids).toEqual([]);
  const log = await partner.get('audit-log?filter[action]=webhook_endpoint.update');
  const changes = log.flatMap((row: { changes: object }) =>
    'filter' in row.changes ? [row.changes.filter] : [],
  );
  expect(changes).toEqual(
    expect.arrayContaining([
      { before: few, after: oslo },
      { before: oslo, after: null },
    ]),
  );
});

it('W69: a filter that is wrong, or whose path no chosen type knows, is 400 with its pointer', async () => {
  const partner = await subscribe({ event_types: ['inventory.updated'] });
  const path = `webhook-endpoints/${partner.endpoint}`;
  const refuse = async (body: object) => (await expectRefused(partner.send('PATCH', path, body))).body;
  async function expectRefused(answer: ReturnType<WebhookPartner['send']>) {
    const got = await answer;
    expect(got.status).toBe(400);
    return got;
  }
  const unknown = { all: [few, { path: '/status', equals: 'x' }] };
  expect(await refuse({ filter: unknown })).toEqual(fault('/filter/all/1/path', '/status'));
  expect(await refuse({ filter: { path: '/sku', prefix: 1 } })).toEqual(
    fault('/filter/prefix', 'must be a text'),
  );
  expect(await refuse({ filter: { path: '/sku', equals: 'x'.repeat(17_000) } })).toEqual(
    fault('/filter', '16 KiB'),
  );
  const text = '{"filter": {"path": "/quantity", "range": {"lt": 1e400}}}';
  const infinite = await partner.send('PATCH', path, text, { 'content-type': 'application/json' });
  expect(infinite.body).toEqual(fault('/filter/range/lt', 'binary64'));
  expect(await refuse({ filter: [] })).toEqual(fault('/filter', 'object'));
  const create = { url: receiver.url(), filter: { path: '/nowhere', exists: true } };
  const made = await expectRefused(partner.send('POST', 'webhook-endpoints', create));
  expect(made.body).toEqual(fault('/filter/path', '/nowhere'));
  // All types know it together.
  succeed(await partner.send('PATCH', path, { event_types: null, filter: unknown }));
  expect(await refuse({ event_types: ['inventory.updated'] })).toEqual(fault('/event_types', '/status'));
  expect((await partner.read()).event_types).toBeNull();
});

it('W69, W26: an event type can lose a member that a filter names, which is then missing', async () => {
  const type = (schema: object, example: object) =>
    service.put('/event-types/stock.moved', { description: 'x', schema, example });
  const known = { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } };
  succeed(await type(known, { from: 'a', to: 'b' }));
  const filter = { path: '/from', equals: 'a' };
  const partner = await subscribe({ event_types: ['stock.moved'], filter });
  const { from: _, ...left } = known.properties;
  succeed(await type({ ...known, properties: left }, { to: 'b' }));
  succeed(await partner.change({ description: 'the rest can change', filter }));
  await expectStatus(400, partner.change({ filter: { not: filter } }));
  const publishMove = async (data: object) =>
    (await partner.post('events', { type: 'stock.moved', data })).filtered_endpoint_ids;
  expect(await publishMove({ to: 'b' })).toEqual([partner.endpoint]);
  expect(await publishMove({ to: 'b', from: 'a' })).toEqual([]);
});

it('W69, W17: at a strict endpoint what matches keeps its order', async () => {
  const url = receiver.url();
  const partner = await subscribe(
    { ordering: 'strict', filter: { path: '/quantity', range: { gte: 10 } } },
    url,
  );
  // Others are published in between, and one event a request.
  const sent = [12, 3, 30, 4, 11, 25, 9, 10, 40, 0, 17];
  for (const quantity of sent) await partner.publish(quantity);
  const wanted = sent.filter((quantity) => quantity >= 10);
  expect(quantities(await receiver.count(url, wanted.length))).toEqual(wanted);
});

it('W69, W32: a test event ignores the filter', async () => {
  const url = receiver.url();
  const partner = await subscribe(
    { environment: 'sandbox', filter: { path: '/sku', equals: 'nothing' } },
    url,
  );
  expect(succeed(await partner.act('test')).filtered_endpoint_ids).toEqual([]);
  await receiver.count(url, 1);
});

it('W69: who may not list deliveries does not see whom an event did not reach', async () => {
  const partner = await subscribe({ filter: few });
  const { id } = await publish(partner, { quantity: 10 });
  const shown = async (...granted: ReturnType<typeof acl>[]) => {
    const events = acl('events', 'get', 'post', 'query');
    const { token } = await cast.member(partner.id, { acl_permissions: [events, ...granted] });
    const path = `/partners/${partner.id}/events`;
    const answers = [
      succeed(await service.get(path, token))[0],
      succeed(await service.get(`${path}/${id}`, token)),
      succeed(await service.post(path, stock(10), token)),
      succeed(await service.post(`${path}/batch`, [stock(10)], token))[0],
    ];
    return pluck(answers, 'filtered_endpoint_ids');
  };
  expect(await shown()).toEqual([null, null, null, null]);
  expect(await shown(acl('deliveries', 'query'))).toEqual(Array(4).fill([partner.endpoint]));
});

it('W69, N1: statistics count what was filtered, of an endpoint and of the partner', async () => {
  const partner = await subscribe({ filter: few });
  const other = await addEndpoint(partner, { filter: { path: '/quantity', equals: 0 } });
  // One has no attempt at all.
  await partner.publishMany(30);
  await partner.publishMany(12);
  await partner.until('delivered', 22);
  await moveCounts();
  await moveCounts();
  const [own, others] = [await statsOf(partner), await statsOf(partner, other)];
  expect(own).toMatchObject({
    attempts: 20,
    delivered: 20,
    failed: [],
    filtered: 22,
    recent: { attempts: 20 },
  });
  expect(others).toMatchObject({ attempts: 2, delivered: 2, failed: [], filtered: 40 });
  expect(own.steps.reduce((sum: number, step: { filtered: number }) => sum + step.filtered, 0)).toBe(22);
  expect(await partner.get('stats')).toMatchObject({ attempts: 22, filtered: 62 });
  // Neither failing nor late.
  expect(await partner.get('webhook-endpoints?filter[state]=failing')).toEqual([]);
});

it('W69, N2: counts that come after their hour was summed up are added to it', async () => {
  const partner = await subscribe({ filter: few });
  await service.pauseTask('count filtered events');
  // No attempt makes a step.
  await partner.pause();
  await partner.publishMany(15);
  await service.sql(`update filtered_count set at = at - interval '5 hours' where partner_id = $1`, [
    uuidOf(partner.id),
  ]);
  await service.runTask('sum up statistics by the hour');
  await moveCounts();
  for (const step of ['1h', '1m']) {
    const stats = await partner.get(`stats?step=${step}`);
    expect([stats.filtered, stats.steps.length], step).toEqual([5, 1]);
  }
  await service.runTask('sum up statistics by the hour');
  expect((await statsOf(partner)).filtered).toBe(5);
  // Those of an hour that is summed up later count once.
  await partner.publishMany(15);
  await moveCounts();
  await service.advanceClock(7_200_000);
  await service.runTask('sum up statistics by the hour');
  expect((await statsOf(partner)).filtered).toBe(10);
  await service.advanceClock(0);
});

it('W69: a process that is killed while it publishes loses no count, and repeats none', async () => {
  const partner = await subscribe({ filter: few });
  await service.pauseTask('count filtered events');
  const started = launch({
    ...toLoopback,
    DATABASE_URL: service.database.url,
    CONCORD_SECRETS: secrets,
    CONCORD_RATE_LIMIT: 'off',
    CONCORD_ROLE: 'api',
  });
  const url = await started.ready();
  let answered = 0;
  const publishers = times(8, async () => {
    for (;;) {
      const answer = await fetch(`${url}/partners/${partner.id}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(stock(answered % 20)),
      }).catch(() => null);
      if (answer?.status !== 202) return answer?.status;
      answered++;
    }
  });
  await expect.poll(() => answered).toBeGreaterThan(100);
  await kill(started.child);
  expect(new Set(await Promise.all(publishers))).toEqual(new Set([undefined]));
  await moveCounts();
  const [{ filtered }] = await service.sql(
    'select count(*)::int as filtered from event where partner_id = $1 and filtered_for is not null',
    [uuidOf(partner.id)],
  );
  expect(filtered).toBeGreaterThan(30);
  expect((await statsOf(partner)).filtered).toBe(filtered);
});

it('W69, W31, W47: counts and replays say what was filtered in the period, and do not send it', async () => {
  const partner = await subscribe({ filter: few });
  const other = await addEndpoint(partner, { filter: { path: '/quantity', equals: 0 } });
  const before = new Date().toISOString();
  await partner.publishMany(12);
  await partner.publishMany(1);
  await partner.until('delivered', 13);
  const counted = async (query: string) => (await partner.get(`delivery-counts?${query}`)).filtered;
  expect(await counted(`filter[endpoint_id]=${partner.endpoint}`)).toBe(2);
  expect(await counted(`filter[endpoint_id]=${other}&filter[status]=failed`)).toBe(11);
  expect(await counted('filter[event_type]=inventory.updated')).toBe(13);
  expect(await counted('filter[event_type]=order.status_changed')).toBe(0);
  expect(await counted('filter[environment]=sandbox')).toBe(0);
  expect(await counted(`filter[created_at]=..${before}`)).toBe(0);
  expect(await counted(`filter[created_at]=${before}..`)).toBe(13);
  const [last] = (await partner.get('events?sort_dir=desc')).filter(
    (event: { filtered_endpoint_ids: string[] }) => event.filtered_endpoint_ids.length > 0,
  );
  expect(await counted(`filter[event_id]=${last.id}`)).toBe(last.filtered_endpoint_ids.length);

  const replay = await partner.post('deliveries/replay', { endpoint_id: partner.endpoint });
  expect(replay).toMatchObject({ total: 11, filtered: 2 });
  const done = async () => await partner.get(`replays/${replay.id}`);
  await expect.poll(async () => (await done()).status).toBe('completed');
  expect(await done()).toMatchObject({ replayed: 11, filtered: 2 });
  const sent = await partner.post('deliveries/send-now', { endpoint_id: partner.endpoint });
  expect(sent.filtered).toBeNull();
});

it('W69: a filter is checked against the last events of its environment and types', async () => {
  const partner = await subscribe({});
  const check = (body: object, token?: string) =>
    service.post(`/partners/${partner.id}/webhook-endpoints/filter-check`, body, token);
  const none = succeed(await check({ filter: few }));
  expect(none).toEqual({ examined: 0, matching: 0, complete: true, filtered_event_ids: [] });
  await partner.publishMany(40);
  await publish(partner, { quantity: 1 }, { environment: 'sandbox' });
  const order = { type: 'order.status_changed', data: { order_id: '1', status: 'x' } };
  await partner.post('events', order);
  const all = succeed(await check({ filter: few }));
  expect(all).toMatchObject({ examined: 41, matching: 10, complete: true });
  const newest = pluck(await partner.get('events?sort_dir=desc&filter[environment]=live'), 'id');
  expect(all.filtered_event_ids).toEqual(newest.slice(0, 20));
  expect(
    succeed(await check({ filter: few, event_types: ['order.status_changed', 'inventory.updated'] }))
      .examined,
  ).toBe(41);
  expect(succeed(await check({ filter: few, event_types: ['inventory.updated'] }))).toMatchObject({
    examined: 40,
    matching: 10,
  });
  expect(succeed(await check({ filter: few, environment: 'sandbox' }))).toMatchObject({
    examined: 1,
    matching: 1,
  });
  expect((await check({ filter: { any: [{ path: '/x', exists: true }] } })).body).toEqual(
    fault('/filter/any/0/path', '/x'),
  );
  expect((await check({ filter: few, event_types: ['no.such'] })).body).toEqual(
    fault('/event_types', 'no.such'),
  );
  await partner.publishMany(1_000);
  expect(succeed(await check({ filter: few }))).toMatchObject({ examined: 1_000, matching: 10 });
  // The counts tell what is in the events.
  const member = async (...granted: ReturnType<typeof acl>[]) =>
    (await cast.member(partner.id, { acl_permissions: [acl('webhook_endpoints', 'post'), ...granted] }))
      .token;
  await expectStatus(403, check({ filter: few }, await member()));
  await expectStatus(200, check({ filter: few }, await member(acl('events', 'query'))));
});

it('W69: the check of a filter ends after 16 MiB of events', async () => {
  const partner = await subscribe({});
  await service.sql(
    `insert into event (id, partner_id, environment, type, position, body, created_at)
     select overlay(first_id_of(now())::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, $1, 'live', 'inventory.updated', nextval('event_position'),
       $2, now() from generate_series(1, 75) n`,
    [uuidOf(partner.id), JSON.stringify({ data: { sku: 'x'.repeat(250_000), quantity: 1 } })],
  );
  const check = await partner.post('webhook-endpoints/filter-check', { filter: few });
  expect(check.complete).toBe(false);
  expect(check.examined).toBeGreaterThan(60);
  expect(check.examined).toBeLessThan(75);
  expect(check.matching).toBe(check.examined);
});
