// The filters of deliveries by their last attempt and by the number of attempts, also among many deliveries.
import sql from 'sql-template-tag';
import { expect, it, onTestFinished } from 'vitest';
import { formatId } from '../../../src/base/ids.ts';
import type { Transaction } from '../../../src/base/postgres/database.ts';
import { examine } from '../../../src/webhooks/history/deliveries/search/store.ts';
import { pluck, succeed, times, uuidOf } from '../../stage/cast.ts';
import { answer, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, cast, newPartner } = useWebhookStage();

type Last = {
  id: string;
  status: string;
  attempt_count: number;
  status_code: number | null;
  error: string | null;
};

/** The deliveries with their last attempts, from the operations that have no such filter. */
async function lastAttempts(partner: WebhookPartner) {
  const all: Last[] = [];
  for (const { id } of await partner.deliveries()) {
    const { attempts, ...delivery } = await partner.delivery(id);
    const { status_code = null, error = null } = attempts.at(-1) ?? {};
    all.push({ ...delivery, status_code, error });
  }
  return all;
}

it('W29: the list of deliveries has filters by the status and the reason of the last attempt, and by the number of attempts', async () => {
  const partner = await newPartner(receiver.url());
  let tries = 0;
  const urls = [
    ...[404, 410, 503, 302, 299].map((status) => receiver.url(answer(status))),
    receiver.url((_, response) => response.writeHead(++tries === 1 ? 500 : 204).end()),
    'http://127.0.0.1:1/',
    'http://no-such-name.invalid/',
  ];
  for (const url of urls) await partner.post('webhook-endpoints', { url });
  await partner.publish();
  // The endpoint that answers 410 is disabled, and its delivery waits.
  await expect
    .poll(async () => (await partner.statuses()).filter((status) => status === 'pending').length)
    .toBe(1);
  await partner.pause();
  await partner.publish();
  await expect
    .poll(async () => (await partner.statuses()).filter((status) => status === 'pending').length)
    .toBe(3);

  const all = await lastAttempts(partner);
  const find = async (query: string) => (await partner.deliveries(`?${query}`)).map(({ id }: Last) => id);
  const those = (fits: (each: Last) => boolean) => all.filter(fits).map(({ id }) => id);
  const inClass = (of: number) => (each: Last) => Math.floor((each.status_code ?? 0) / 100) === of;
  const cases: [query: string, fits: (each: Last) => boolean, atLeast: number][] = [
    ...[404, 410, 503, 302, 204, 299].map((code): (typeof cases)[number] => [
      `filter[status_code]=${code}`,
      (each) => each.status_code === code,
      1,
    ]),
    ...[2, 3, 4, 5].map((of): (typeof cases)[number] => [`filter[status_code]=${of}xx`, inClass(of), 2]),
    ['filter[status_code]=418', () => false, 0],
    ['filter[reason]=redirect', (each) => each.status_code === 302, 2],
    ['filter[reason]=connection', (each) => each.error?.startsWith('connection: ') === true, 2],
    ['filter[reason]=dns', (each) => each.error?.startsWith('dns: ') === true, 2],
    ['filter[reason]=internal', () => false, 0],
    ['filter[attempt_count]=0', (each) => each.attempt_count === 0, 2],
    ['filter[attempt_count]=2', (each) => each.attempt_count === 2, 1],
    ['filter[attempt_count]=2..', (each) => each.attempt_count >= 2, 9],
    ['filter[attempt_count]=4..', () => false, 0],
    [
      'filter[status_code]=4xx&filter[status]=pending',
      (each) => inClass(4)(each) && each.status === 'pending',
      1,
    ],
    ['filter[status_code]=4xx&filter[status]=delivered', () => false, 0],
    ['filter[status_code]=2xx&filter[status]=delivered', inClass(2), 3],
    [
      'filter[status_code]=5xx&filter[attempt_count]=3',
      (each) => inClass(5)(each) && each.attempt_count === 3,
      2,
    ],
  ];
  for (const [query, fits, atLeast] of cases) {
    const expected = those(fits);
    expect([await find(query), expected.length >= atLeast], query).toEqual([expected, true]);
    expect(await find(`${query}&sort_dir=desc&page_size=100`), query).toEqual(expected.toReversed());
  }
  const own = (await partner.deliveries(
    `?filter[endpoint_id]=${partner.endpoint}&filter[status]=delivered`,
  )) as Last[];
  expect(own).toHaveLength(1);
  expect(await find(`filter[status_code]=2xx&filter[endpoint_id]=${partner.endpoint}`)).toEqual([own[0]?.id]);

  for (const [name, values] of [
    ['status_code', ['', '4', '40', '4x', '4XX', '099', '0xx', '404,500', '4040', '-404']],
    ['reason', ['', 'timeout:', 'status_4xx', 'delivered', '%']],
    ['attempt_count', ['', '-1', '1000', '3...', '..3', '3.', '03', '1..3', '1e2']],
  ] as const) {
    for (const value of values) {
      const { status, body } = await partner.send(
        'GET',
        `deliveries?filter[${name}]=${encodeURIComponent(value)}`,
      );
      expect([status, body.errors?.[0].pointer], value).toEqual([400, `/filter[${name}]`]);
    }
  }
});

it('W29: a page finds what matches behind any number of other deliveries', async () => {
  const partner = await newPartner(receiver.url());
  const { sql } = service;
  const count = 45_000;
  const few = [3, 20_001, 41_000, 44_996];
  // Their statuses are mixed, so that the windows of the three statuses have different ends.
  await sql(
    `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count,
       last_status_code, created_at, completed_at)
     select overlay(first_id_of(moment)::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, gen_random_uuid(), 'inventory.updated', $1, $2, 'live', n,
       case when n % 7 = 0 then 'cancelled' else 'failed' end, 1,
       case when n = any($4::int[]) then 404 else 500 end, moment, moment
     from (select now() as moment) at, generate_series(1, $3::int) n`,
    [uuidOf(partner.id), uuidOf(partner.endpoint), count, few],
  );
  const rows = await sql('select id from delivery where partner_id = $1 and position = any($2) order by id', [
    uuidOf(partner.id),
    few,
  ]);
  const wanted = rows.map(({ id }) => formatId('delivery', id));
  const ids = (body: { id: string }[]) => body.map(({ id }) => id);
  expect(ids(await partner.deliveries('?filter[status_code]=404'))).toEqual(wanted);
  for (const direction of ['asc', 'desc'] as const) {
    const found: string[] = [];
    let next = `/partners/${partner.id}/deliveries?filter[status_code]=404&page_size=3&sort_dir=${direction}`;
    // A page can end early, and its link goes on (Q1).
    while (next !== '') {
      const page = await service.get(next);
      expect(page.body.length).toBeLessThanOrEqual(3);
      found.push(...ids(page.body));
      next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? '';
    }
    expect(found).toEqual(direction === 'asc' ? wanted : wanted.toReversed());
  }
  expect(await partner.deliveries('?filter[attempt_count]=2..')).toEqual([]);
  expect(
    await partner.deliveries(`?filter[status_code]=5xx&filter[status]=cancelled&page_size=10`),
  ).toHaveLength(10);
});

const count = 101_000;
/**
 * The positions of the only deliveries that were delivered, and of the only ones to the sandbox: one page
 * does not examine what is between.
 */
const delivered = [5, 100_500];
const rare = [6, 100_501];

/**
 * The others failed after five attempts and a last answer of 500. Returns the ids of the delivered and of the
 * rare ones.
 */
async function insertDeliveries(partner: WebhookPartner) {
  const { sql } = service;
  const partnerId = uuidOf(partner.id);
  await sql(
    `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count,
       last_status_code, last_reason, created_at, completed_at)
     select id, id, case when rare then 'order.rare' else 'inventory.updated' end, $1, $2, case when rare then 'sandbox' else 'live' end, n,
       case when done then 'delivered' else 'failed' end, case when rare then 9 when done then 1 else 5 end,
       case when rare then 404 when done then 204 else 500 end, case when rare then 'internal' end, moment, moment
     from (select now() as moment) at, generate_series(1, $3::int) n,
       lateral (select overlay(first_id_of(moment)::text placing lpad(to_hex(n), 12, '0') from 25)::uuid as id, n = any($4::int[]) as done,
         n = any($5::int[]) as rare offset 0) given`,
    [partnerId, uuidOf(partner.endpoint), count, delivered, rare],
  );
  await sql(
    `insert into event (id, partner_id, environment, type, position, body, created_at)
     select event_id, partner_id, environment, event_type, position, '{}', created_at from delivery where partner_id = $1 and event_type = 'order.rare'`,
    [partnerId],
  );
  const idsAt = async (positions: number[]) => {
    const rows = await sql(
      'select id from delivery where partner_id = $1 and position = any($2) order by id',
      [partnerId, positions],
    );
    return rows.map(({ id }) => formatId('delivery', id));
  };
  return [await idsAt(delivered), await idsAt(rare)];
}

it('W29, W35: a page that examines many deliveries ends early, and one that an index leads to does not', async () => {
  const partner = await newPartner(receiver.url());
  const rareType = { description: '', schema: {}, example: {} };
  succeed(await service.put('/event-types/order.rare', rareType));
  const [wanted = [], few = []] = await insertDeliveries(partner);
  const get = async (query: string) => {
    const { body, headers } = await service.get(query);
    return {
      found: pluck(body, 'id'),
      next: /<([^>]+)>/.exec(String(headers.link))?.[1],
    };
  };
  const path = `/partners/${partner.id}/deliveries`;
  for (const direction of ['asc', 'desc'] as const) {
    const [first, second] = direction === 'asc' ? wanted : wanted.toReversed();
    const page = await get(`${path}?filter[status]=delivered&page_size=10&sort_dir=${direction}`);
    expect([page.found, page.next]).toEqual([[first], expect.any(String)]);
    const found: string[] = [];
    for (let { next } = page; next !== undefined; ) {
      const later = await get(next);
      found.push(...later.found);
      next = later.next;
    }
    expect(found).toEqual([second]);
  }
  expect(await get(`${path}?filter[status_code]=201&page_size=10`)).toEqual({
    found: [],
    next: expect.any(String),
  });
  // Without paging, the answer is the whole list.
  expect((await get(`${path}?filter[status_code]=2xx`)).found).toEqual(wanted);

  const indexed = [
    'filter[environment]=sandbox',
    'filter[environment]=sandbox&filter[status_code]=4xx',
    'filter[status_code]=404',
    'filter[status_code]=4xx',
    'filter[reason]=internal',
    'filter[attempt_count]=9',
    'filter[attempt_count]=6..',
    'filter[event_type]=order.rare',
  ];
  for (const query of indexed) {
    const paged = `${path}?page_size=10&${query}`;
    expect(await get(paged), query).toEqual({ found: few, next: undefined });
    expect(await get(`${paged}&sort_dir=desc`), query).toEqual({ found: few.toReversed(), next: undefined });
  }
  const none = ['filter[status_code]=418', 'filter[reason]=timeout', 'filter[attempt_count]=10..'];
  // As for a private type of others (W73), however many events that has.
  expect(await get(`${path}?page_size=10&filter[event_type]=none`)).toEqual({
    found: [],
    next: expect.any(String),
  });
  const typeOfOthers = 'filter[environment]=sandbox&filter[event_type]=inventory.updated';
  for (const query of [
    ...none,
    typeOfOthers,
    'filter[attempt_count]=0',
    'filter[status_code]=404&filter[status]=delivered',
  ]) {
    expect(await get(`${path}?page_size=10&${query}`), query).toEqual({ found: [], next: undefined });
  }

  const rows = await service.sql(
    `update delivery set status = 'pending', completed_at = null, next_attempt_at = created_at + interval '1 day'
     where partner_id = $1 and position in (7, 100502) returning id`,
    [uuidOf(partner.id)],
  );
  const pending = rows.map(({ id }) => formatId('delivery', id)).toSorted();
  for (const query of [
    'filter[status_code]=5xx',
    'filter[attempt_count]=2..',
    'filter[event_type]=inventory.updated',
  ]) {
    const found = await get(`${path}?page_size=10&filter[status]=pending&${query}`);
    expect(found, query).toEqual({ found: pending, next: undefined });
  }
  const examined = await countExamined(partner, 1_000);
  expect(examined).toBeGreaterThanOrEqual(1_000);
  expect(examined).toBeLessThan(2_000);
});

/** The deliveries that a window reads, where the planner takes the order of an index for dear. */
async function countExamined(partner: WebhookPartner, window: number): Promise<number> {
  const db = service.database.open();
  onTestFinished(() => db.close());
  const fetched = async (tx: Transaction) => {
    const [row] = await tx.query<{ count: number }>(
      sql`select sum(idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname like ${'delivery\\_2%'}`,
    );
    return row?.count ?? 0;
  };
  return db.transaction(async (tx) => {
    await tx.query(sql`select set_config('enable_indexscan', 'off', true)`);
    const before = await fetched(tx);
    const filter = { attempt_count: { least: 5, most: 5 }, status: 'delivered' } as const;
    const step = { direction: 'asc', after: null, limit: 10, window } as const;
    await examine(tx, uuidOf(partner.id), filter, step);
    return (await fetched(tx)) - before;
  });
}

it('W35: a delivery that its first attempt delivers is in none of these indexes', async () => {
  const partner = await newPartner(receiver.url());
  await partner.publish();
  await expect.poll(() => partner.statuses()).toEqual(['delivered']);
  const { sql } = service;
  const partial = await sql(
    `select pg_get_expr(indpred, indrelid) as condition from pg_index where indrelid = 'delivery'::regclass and indpred is not null`,
  );
  const conditions = partial
    .map(({ condition }) => condition)
    .filter((condition) => !/^\(+status =/.test(condition));
  // Five for filters, and that of checkpoints (W77).
  expect(conditions).toHaveLength(6);
  for (const condition of conditions) {
    const held = await sql(
      `select count(*)::int as count from delivery where partner_id = $1 and ${condition}`,
      [uuidOf(partner.id)],
    );
    expect(held[0]?.count, condition).toBe(0);
  }
});

it('W29: users take turns, so many searches of one user delay only theirs', async () => {
  const partner = await newPartner(receiver.url());
  const other = await cast.owner(partner.id);
  const path = `/partners/${partner.id}/deliveries?filter[event_type]=none&page_size=1`;
  const { sql } = service;
  await sql('begin');
  await sql('lock table delivery in access exclusive mode');
  const ended: string[] = [];
  const flood = times(23, () =>
    service.get(path).then(({ status, headers }) => {
      ended.push(`flood ${status}`);
      return [status, headers['retry-after']];
    }),
  );
  await expect.poll(() => ended).toEqual(['flood 429']);
  const calm = service.get(path, other.token).then(({ status }) => ended.push(`other ${status}`));
  await sql('commit');
  await Promise.all([...flood, calm]);
  expect(ended.filter((each) => each === 'flood 200')).toHaveLength(22);
  expect(ended.indexOf('other 200')).toBeLessThan(10);
});
