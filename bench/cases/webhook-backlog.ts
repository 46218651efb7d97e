// How fast webhooks are delivered in a database that holds ten million finished deliveries.
import type { Case } from '../case.ts';
import { connectSql, startPostgres } from '../concord.ts';
import type { Context } from '../context.ts';
import { createCrowd, deliverToCrowd, startApi, startReceiver, webhookSettings } from '../webhooks.ts';

const unit = 'deliveries/s';
const weekMs = 7 * 86_400_000;
const weeks = 10;

export const webhookBacklog: Case = {
  name: 'webhook_backlog',
  about: 'deliveries by two workers on top of ten million finished ones, against none',
  rounds: 3,
  limitMinutes: 40,
  yardstick: 'empty',
  async setUp(context) {
    const postgres = await startPostgres(context, webhookSettings);
    const receiver = await startReceiver(context);
    const empty = await postgres.createDatabase(context);
    const crowd = await context.scope(async (scope) => createCrowd(await startApi(scope, empty), receiver, context.quick));
    const filled = await postgres.createDatabase(context, empty);
    await context.scope((scope) => fillHistory(scope, filled));
    const deliver = (databaseUrl: string) => async (scope: Context) => {
      const api = await startApi(scope, databaseUrl);
      return (await deliverToCrowd(scope, { databaseUrl, api, crowd, receiver })).perSecond;
    };
    return [
      { name: 'empty', unit, measure: deliver(empty) },
      { name: 'filled', unit, measure: deliver(filled) },
    ];
  },
};

/** Adds a million finished deliveries, or with `--quick` ten thousand, to each of ten weeks. */
async function fillHistory(context: Context, databaseUrl: string): Promise<void> {
  const sql = await connectSql(context, databaseUrl);
  const { rows } = await sql.query('select id, partner_id from webhook_endpoint limit 1');
  const count = context.quick ? 10_000 : 1_000_000;
  const first = Math.floor(Date.now() / weekMs) - weeks;
  for (let n = 0; n < weeks; n++) {
    const [from = '', to = ''] = [first + n, first + n + 1].map((week) => new Date(week * weekMs).toISOString());
    for (const table of ['event', 'delivery', 'attempt']) {
      const partition = `${table}_${from.slice(0, 10).replaceAll('-', '')}`;
      await sql.query(
        `create table if not exists ${partition} partition of ${table} for values from (first_id_of('${from}')) to (first_id_of('${to}'))`,
      );
    }
    await sql.query(
      `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count, next_attempt_at, created_at, completed_at)
       select overlay(gen_random_uuid()::text placing left(first_id_of(at)::text, 13) from 1)::uuid, gen_random_uuid(), 'inventory.updated', $1, $2, 'live', n, 'delivered', 1, null, at, at
       from (select n, $3::timestamptz + n * interval '600 ms' as at from generate_series(0, $4 - 1) n) as done`,
      [rows[0].partner_id, rows[0].id, from, count],
    );
    context.say(`${(n + 1) * count} finished deliveries`);
  }
  await sql.query('vacuum analyze delivery');
}
