// The filters of deliveries by their last attempt and by the number of attempts.
import { expect, it } from 'vitest';
import { formatId, parseId } from '../../../src/base/ids.ts';
import { succeed } from '../../stage/cast.ts';
import { answer, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, newPartner } = useWebhookStage();

type Last = {
  id: string;
  status: string;
  attempt_count: number;
  status_code: number | null;
  error: string | null;
};

/** The deliveries with their last attempts, from the operations that have no such filter. */
async function lastAttempts(partner: WebhookPartner): Promise<Last[]> {
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
  succeed(await partner.act('pause'));
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
    expect([query, await find(query), expected.length >= atLeast]).toEqual([query, expected, true]);
    expect([query, await find(`${query}&sort_dir=desc&page_size=100`)]).toEqual([
      query,
      expected.toReversed(),
    ]);
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
      expect([value, status, body.errors?.[0].pointer]).toEqual([value, 400, `/filter[${name}]`]);
    }
  }
});

it('W29: a page finds what matches behind any number of other deliveries', async () => {
  const partner = await newPartner(receiver.url());
  const { sql } = service.database;
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
    [parseId('partner', partner.id), parseId('webhook_endpoint', partner.endpoint), count, few],
  );
  const rows = await sql('select id from delivery where partner_id = $1 and position = any($2) order by id', [
    parseId('partner', partner.id),
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
