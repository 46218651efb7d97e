// Searches of deliveries that match few or none of very many.
import { expect, it } from 'vitest';
import { formatId, parseId } from '../../../src/base/ids.ts';
import { pluck, succeed, times } from '../../stage/cast.ts';
import { useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, cast, newPartner } = useWebhookStage();

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
async function insertDeliveries(partner: WebhookPartner): Promise<string[][]> {
  const { sql } = service.database;
  const partnerId = parseId('partner', partner.id);
  await sql(
    `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count,
       last_status_code, last_reason, created_at, completed_at)
     select id, id, case when rare then 'order.rare' else 'inventory.updated' end, $1, $2, case when rare then 'sandbox' else 'live' end, n,
       case when done then 'delivered' else 'failed' end, case when rare then 9 when done then 1 else 5 end,
       case when rare then 404 when done then 204 else 500 end, case when rare then 'internal' end, moment, moment
     from (select now() as moment) at, generate_series(1, $3::int) n,
       lateral (select overlay(first_id_of(moment)::text placing lpad(to_hex(n), 12, '0') from 25)::uuid as id, n = any($4::int[]) as done,
         n = any($5::int[]) as rare offset 0) given`,
    [partnerId, parseId('webhook_endpoint', partner.endpoint), count, delivered, rare],
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
    expect([query, await get(paged)]).toEqual([query, { found: few, next: undefined }]);
    expect([query, await get(`${paged}&sort_dir=desc`)]).toEqual([
      query,
      { found: few.toReversed(), next: undefined },
    ]);
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
    expect([query, await get(`${path}?page_size=10&${query}`)]).toEqual([
      query,
      { found: [], next: undefined },
    ]);
  }

  const rows = await service.sql(
    `update delivery set status = 'pending', completed_at = null, next_attempt_at = created_at + interval '1 day'
     where partner_id = $1 and position in (7, 100502) returning id`,
    [parseId('partner', partner.id)],
  );
  const pending = rows.map(({ id }) => formatId('delivery', id)).toSorted();
  for (const query of [
    'filter[status_code]=5xx',
    'filter[attempt_count]=2..',
    'filter[event_type]=inventory.updated',
  ]) {
    const found = await get(`${path}?page_size=10&filter[status]=pending&${query}`);
    expect([query, found]).toEqual([query, { found: pending, next: undefined }]);
  }
});

it('W35: a delivery that its first attempt delivers is in none of these indexes', async () => {
  const partner = await newPartner(receiver.url());
  await partner.publish();
  await expect.poll(() => partner.statuses()).toEqual(['delivered']);
  const { sql } = service.database;
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
      [parseId('partner', partner.id)],
    );
    expect([condition, held[0]?.count]).toEqual([condition, 0]);
  }
});

it('W29: users take turns, so many searches of one user delay only theirs', async () => {
  const partner = await newPartner(receiver.url());
  const other = await cast.owner(partner.id);
  const path = `/partners/${partner.id}/deliveries?filter[event_type]=none&page_size=1`;
  const { sql } = service.database;
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
