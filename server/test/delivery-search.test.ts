// Searches of deliveries that match few or none of very many: the work for one page is limited, and users take turns.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatId, parseId } from '../src/ids.ts';
import { startWebhookStage, type WebhookPartner, type WebhookStage } from './webhook-stage.ts';

let stage: WebhookStage;
beforeAll(async () => {
  stage = await startWebhookStage();
});
afterAll(() => stage.stop());

const count = 101_000;
/** The positions of the only deliveries to the sandbox. */
const rare = [5, 100_500];

async function insertDeliveries(partner: WebhookPartner): Promise<void> {
  await stage.service.database.sql(
    `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count, created_at, completed_at)
     select overlay(first_id_of(moment)::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, '00000000-0000-7000-8000-000000000000',
       'inventory.updated', $1, $2, case when n = any($4::int[]) then 'sandbox' else 'live' end, n, 'delivered', 1, moment, moment
     from (select now() as moment) at, generate_series(1, $3::int) n`,
    [parseId('partner', partner.id), parseId('webhook_endpoint', partner.endpoint), count, rare],
  );
}

it('W29: a page that examines many deliveries ends early, and its Link goes on from there', async () => {
  const partner = await stage.newPartner(stage.receiver.url());
  await insertDeliveries(partner);
  const rows = await stage.service.database.sql(`select id from delivery where environment = 'sandbox' order by id`);
  const wanted = rows.map(({ id }) => formatId('delivery', id));
  const path = `/partners/${partner.id}/deliveries?filter[environment]=sandbox`;
  for (const direction of ['asc', 'desc'] as const) {
    const found: string[] = [];
    let next = `${path}&page_size=10&sort_dir=${direction}`;
    for (const length of [1, 1]) {
      const { body, headers } = await stage.service.request('GET', next);
      expect(body).toHaveLength(length);
      found.push(...body.map(({ id }: { id: string }) => id));
      next = /<([^>]+)>/.exec(String(headers.link))?.[1] ?? '';
    }
    expect([found, next]).toEqual([direction === 'asc' ? wanted : wanted.toReversed(), '']);
  }
  const never = await stage.service.request('GET', `/partners/${partner.id}/deliveries?filter[event_type]=none&page_size=10`);
  expect([never.status, never.body, never.headers.link !== undefined]).toEqual([200, [], true]);
  // Without paging, the answer is the whole list.
  expect((await stage.service.request('GET', path)).body.map(({ id }: { id: string }) => id)).toEqual(wanted);
});

it('W29: users take turns, so many searches of one user delay only theirs', async () => {
  const partner = await stage.newPartner(stage.receiver.url());
  const { service } = stage;
  const other = await stage.cast.member(partner.id, { owner: true });
  const path = `/partners/${partner.id}/deliveries?filter[event_type]=none&page_size=1`;
  const { sql } = service.database;
  await sql('begin');
  await sql('lock table delivery in access exclusive mode');
  const ended: string[] = [];
  const flood = Array.from({ length: 23 }, () =>
    service.request('GET', path).then(({ status, headers }) => {
      ended.push(`flood ${status}`);
      return [status, headers['retry-after']];
    }),
  );
  await expect.poll(() => ended).toEqual(['flood 429']);
  const calm = service.request('GET', path, { token: other.token }).then(({ status }) => ended.push(`other ${status}`));
  await sql('commit');
  await Promise.all([...flood, calm]);
  expect(ended.filter((each) => each === 'flood 200')).toHaveLength(22);
  expect(ended.indexOf('other 200')).toBeLessThan(10);
});
