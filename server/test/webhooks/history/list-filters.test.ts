// The filters of deliveries, endpoints and events.
import { expect, it, onTestFinished } from 'vitest';
import { formatId } from '../../../src/base/ids.ts';
import { expectStatus, may, succeed, times, uuidOf } from '../../stage/cast.ts';
import { hold, untilWaiting } from '../../stage/locks.ts';
import { answer, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, cast, newPartner } = useWebhookStage();

type Row = { id: string; status: string; state: string; status_code: number | null; reason: string | null };
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

/** A partner with deliveries in every state. */
async function everyState(): Promise<{ partner: WebhookPartner; cancelled: string }> {
  const partner = await newPartner(receiver.url());
  const { sql } = service;
  let tries = 0;
  const add = async (url: string) => (await partner.post('webhook-endpoints', { url })).id as string;
  const failing = await add(receiver.url(answer(500)));
  await add(receiver.url((_, response) => response.writeHead(++tries === 1 ? 503 : 204).end()));
  await add('http://no-such-name.invalid/');
  const paused = await add(receiver.url());
  await partner.post(`webhook-endpoints/${paused}/pause`);
  const gone = await add(receiver.url());
  await partner.post(`webhook-endpoints/${gone}/pause`);
  await partner.publish();
  await expect
    .poll(async () => (await partner.statuses()).toSorted().join())
    .toBe('delivered,delivered,failed,failed,pending,pending');
  succeed(await partner.send('DELETE', `webhook-endpoints/${gone}`));
  // One that waits for its first attempt, and one for its retry: far enough away to stay so.
  await sql(
    `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, attempt_count, round_attempts,
       last_status_code, created_at, next_attempt_at)
     select overlay(event_id::text placing lpad(n::text, 12, '0') from 25)::uuid, event_id, event_type, partner_id, $2, environment, position,
       n, n, case n when 1 then 500 end, created_at, now() + interval '1 day'
     from generate_series(0, 1) n, (select * from delivery where partner_id = $1 limit 1) given`,
    [uuidOf(partner.id), uuidOf(failing)],
  );
  return { partner, cancelled: gone };
}

it('W53: the list of deliveries shows the state and the last answer, and its filters take the same words', async () => {
  const { partner } = await everyState();
  const all: Row[] = await partner.deliveries();
  const states = ['queued', 'retrying', 'waiting', 'delivered', 'failed', 'cancelled'];
  expect(new Set(all.map(({ state }) => state))).toEqual(new Set(states));
  for (const state of states) {
    const those = idsOf(all.filter((row) => row.state === state));
    expect(idsOf(await partner.deliveries(`?filter[state]=${state}`)), state).toEqual(those);
    expect(
      idsOf(await partner.deliveries(`?filter[state]=${state}&sort_dir=desc&page_size=50`)),
      state,
    ).toEqual(those.toReversed());
  }
  const last = (state: string) =>
    new Set(all.filter((row) => row.state === state).map((row) => row.status_code ?? row.reason));
  expect([last('delivered'), last('failed'), last('waiting'), last('queued')]).toEqual([
    new Set([204]),
    new Set([500, 'dns']),
    new Set([null]),
    new Set([null]),
  ]);
  for (const { id, state, status_code, reason } of all)
    expect(await partner.delivery(id)).toMatchObject({ state, status_code, reason });

  expect(await partner.deliveries('?filter[state]=queued&filter[status]=failed')).toEqual([]);
  await expectStatus(400, partner.send('GET', 'deliveries?filter[state]=pending'));
  const counts = await partner.get('delivery-counts?filter[state]=retrying');
  expect(counts).toMatchObject({ matching: 1, sendable: 1 });
  // The filter is as the client wrote it.
  const { filter } = await partner.post('deliveries/replay', { state: 'failed' });
  expect(filter).toEqual({ state: 'failed' });
});

it('W53: attempt_outcome=failed finds every delivery with a failed attempt, also one that was delivered later', async () => {
  const { partner } = await everyState();
  // One that was sent twice, and never failed.
  const [sent] = await partner.deliveries(`?filter[endpoint_id]=${partner.endpoint}`);
  await partner.post(`deliveries/${sent.id}/replay`);
  await expect.poll(async () => (await partner.delivery(sent.id)).attempts.length).toBe(2);
  const all: Row[] = await partner.deliveries();
  const withFailed: string[] = [];
  for (const { id } of all) {
    const { attempts } = await partner.delivery(id);
    const hasFailed = attempts.some(
      ({ status_code: code }: Row) => code === null || code < 200 || code > 299,
    );
    // The rows that the test inserted have no attempts.
    if (hasFailed || (attempts.length === 0 && all.find((row) => row.id === id)?.state === 'retrying'))
      withFailed.push(id);
  }
  const delivered = all.filter(({ id, state }) => state === 'delivered' && withFailed.includes(id));
  expect([delivered.length, withFailed.length]).toEqual([1, 4]);
  expect(idsOf(await partner.deliveries('?filter[attempt_outcome]=failed'))).toEqual(withFailed);
  expect(idsOf(await partner.deliveries('?filter[attempt_outcome]=failed&filter[state]=delivered'))).toEqual(
    idsOf(delivered),
  );
  expect(
    idsOf(await partner.deliveries('?filter[attempt_outcome]=failed&sort_dir=desc&page_size=3')),
  ).toEqual(withFailed.toReversed().slice(0, 3));
  await expectStatus(400, partner.send('POST', 'deliveries/replay', { attempt_outcome: 'failed' }));
});

it('W54: endpoints are found by their state, and by text in their URL and description', async () => {
  const partner = await newPartner(receiver.url());
  let tries = 0;
  const add = async (url: string, description: string | null = null) =>
    (await partner.post('webhook-endpoints', { url, description })).id as string;
  const failing = await add(receiver.url(answer(500)), 'The old ERP, 100% of orders');
  const inPart = await add(
    receiver.url((_, response) => response.writeHead(++tries === 1 ? 503 : 204).end()),
  );
  const disabled = await add(receiver.url(answer(410)));
  const paused = await add(receiver.url(), 'Warehouse');
  await partner.post(`webhook-endpoints/${paused}/pause`);
  await partner.publish();
  await expect
    .poll(async () => (await partner.statuses()).toSorted().join())
    .toBe('delivered,delivered,failed,pending,pending');
  const find = async (query: string) => {
    const { body, headers } = await partner.send('GET', `webhook-endpoints?page_size=50&${query}`);
    expect(headers['total-count']).toBe(String(body.length));
    return idsOf(body);
  };
  for (const [state, id] of Object.entries({
    failing,
    fails_in_part: inPart,
    disabled,
    paused,
    active: partner.endpoint,
  }))
    expect(await find(`filter[state]=${state}`), state).toEqual([id]);
  expect(await find('filter[text]=old%20erp')).toEqual([failing]);
  expect(await find(`filter[text]=${encodeURIComponent('100%')}`)).toEqual([failing]);
  expect(await find('filter[text]=0_o')).toEqual([]);
  expect(await find('filter[text]=127.0.0.1')).toHaveLength(5);
  expect(await find('filter[text]=warehouse&filter[state]=active')).toEqual([]);

  const blind = await cast.member(partner.id, may('webhook_endpoints'));
  const ask = (filter: string) =>
    service.get(`/partners/${partner.id}/webhook-endpoints?${filter}`, blind.token);
  expect([(await ask('filter[state]=failing')).status, (await ask('filter[status]=paused')).status]).toEqual([
    403, 200,
  ]);
});

it('W55: events are found by type, period, id, publisher id and text, in the order of the feed', async () => {
  const partner = await newPartner(receiver.url());
  const publish = async (body: object) =>
    (await partner.post('events', body)) as { id: string; created_at: string };
  const stock = (sku: string, more: object = {}) => ({
    type: 'inventory.updated',
    data: { sku, quantity: 1 },
    ...more,
  });
  const order = { type: 'order.status_changed', data: { order_id: '100%_A', status: 'shipped' } };
  const first = await publish(stock('Alpha', { producer_id: 'p-1' }));
  const second = await publish(order);
  const third = await publish(stock('beta', { environment: 'sandbox', producer_id: 'p-1' }));
  const fourth = await publish(stock('alphabet'));
  const find = async (query: string) => idsOf(await partner.get(`events?${query}`));
  const cases: [query: string, found: { id: string }[]][] = [
    ['filter[type]=inventory.updated', [first, third, fourth]],
    ['filter[type]=order.status_changed', [second]],
    ['filter[type]=inventory.updated&filter[environment]=sandbox', [third]],
    ['filter[type]=none', []],
    [`filter[id]=${second.id}`, [second]],
    [`filter[id]=${second.id}&filter[type]=inventory.updated`, []],
    ['filter[id]=nonsense', []],
    ['filter[producer_id]=p-1', [first, third]],
    ['filter[producer_id]=p-1&filter[environment]=live', [first]],
    ['filter[text]=ALPHA', [first, fourth]],
    ['filter[text]=alpha&filter[type]=order.status_changed', []],
    [`filter[text]=${encodeURIComponent('100%_a')}`, [second]],
    // What is around the data is not searched.
    [`filter[text]=${partner.id}`, []],
    ['filter[text]=inventory', []],
  ];
  for (const [query, found] of cases) {
    expect(await find(query), query).toEqual(idsOf(found));
    expect(await find(`${query}&sort_dir=desc&page_size=1`), query).toEqual(
      idsOf(found).toReversed().slice(0, 1),
    );
  }
  const since = [first, second, third, fourth].filter(({ created_at }) => created_at >= third.created_at);
  expect(await find(`filter[created_at]=${third.created_at}..`)).toEqual(idsOf(since));
  const before = [first, second, third, fourth].filter(({ created_at }) => created_at < third.created_at);
  expect(await find(`filter[created_at]=..${third.created_at}`)).toEqual(idsOf(before));
  expect(await find('filter[created_at]=2001-01-01T00:00:00Z..2002-01-01T00:00:00Z')).toEqual([]);
  expect(await find('filter[created_at]=2100-01-01T00:00:00Z..')).toEqual([]);
  for (const [name, value] of [
    ['text', 'a'],
    ['text', 'x'.repeat(101)],
    ['text', 'a%00b'],
    ['created_at', 'yesterday'],
  ])
    await expectStatus(400, partner.send('GET', `events?filter[${name}]=${value}`));
});

it('W55: a page of a search examines a limited number of events and bytes, and its Link goes on', async () => {
  const partner = await newPartner(receiver.url());
  const { sql } = service;
  const rare = [7, 100_500];
  const insert = (count: number, body: string, offset: number) =>
    sql(
      `insert into event (id, partner_id, environment, type, position, body, created_at)
       select overlay(first_id_of(moment)::text placing lpad(to_hex($4 + n), 12, '0') from 25)::uuid, $1, 'live', 'inventory.updated', nextval('event_position'),
         '{"id":"x","data":{"sku":"' || case when n = any($3::int[]) then 'needle' else ${body} end || '"}}', moment
       from (select now() as moment) at, generate_series(1, $2::int) n`,
      [uuidOf(partner.id), count, rare, offset],
    );
  await insert(101_000, `'hay'`, 0);
  const get = async (query: string) => {
    const { body, headers } = await service.get(query);
    return { found: body.length as number, next: /<([^>]+)>/.exec(String(headers.link))?.[1] };
  };
  const path = `/partners/${partner.id}/events?page_size=10&filter[text]=needle`;
  for (const direction of ['asc', 'desc']) {
    const page = await get(`${path}&sort_dir=${direction}`);
    expect(page).toEqual({ found: 1, next: expect.any(String) });
    let found = 0;
    for (let { next } = page; next !== undefined; ) {
      const later = await get(next);
      found += later.found;
      next = later.next;
    }
    expect(found).toBe(1);
  }
  // 50 events of 1 MB: their bytes end the page before their number does.
  await insert(50, `repeat('x', 1000000)`, 200_000);
  const large = await get(`${path}&sort_dir=desc`);
  expect(large).toEqual({ found: 0, next: expect.any(String) });
});

it('W55: searches of one partner run one after another, and delay no other partner', async () => {
  const [busy, other] = [await newPartner(receiver.url()), await newPartner(receiver.url())];
  await other.publish();
  const { database } = service;
  const lock = await hold(database, 'lock table event in access exclusive mode');
  onTestFinished(() => lock.end());
  // Scheduled tasks can wait for the lock, too.
  const untilSearching = (count: number) => untilWaiting(database, count, 'with read as materialized');
  const ended: string[] = [];
  const ask = (partner: WebhookPartner, name: string) =>
    partner
      .send('GET', 'events?filter[text]=needle&page_size=5')
      .then(({ status }) => ended.push(`${name} ${status}`));
  const flood = times(22, () => ask(busy, 'busy'));
  await expect.poll(() => ended).toEqual(['busy 429']);
  // One of the busy partner runs, and 20 of it wait.
  await untilSearching(1);
  const calm = ask(other, 'other');
  // That of the other partner runs beside it, and not behind the line.
  await untilSearching(2);
  await lock.query('commit');
  await Promise.all([...flood, calm]);
  expect(ended.toSorted()).toEqual([...Array(21).fill('busy 200'), 'busy 429', 'other 200']);
});

it('Q4: a search finds event types by name and description, for everybody', async () => {
  const stranger = await cast.user();
  const find = async (q: string) =>
    succeed(await service.get(`/search?q=${encodeURIComponent(q)}`, stranger.token));
  const type = {
    kind: 'event_type',
    id: 'inventory.updated',
    label: 'inventory.updated',
    partner_id: null,
    partner_name: null,
  };
  expect(await find('inventory')).toEqual([type]);
  expect(await find('quantity of an article')).toEqual([type]);
  expect(await find(formatId('event', '01890a5d-ac96-774b-bcce-b302099a8057'))).toEqual([]);
});
