// Fills a database as years of use would: partners with their members, and a history of finished deliveries
// with their attempts and counts.
import type { Stage } from './stage.ts';
import { createPartner, type Target } from './webhooks.ts';

export type Size = { partners: number; deliveries: number };

const targetCount = 100;
const endpointsEach = 2;
/** Each event has a delivery for each endpoint of its partner. */
const eventsAtOnce = 25_000;
const historyDays = 70;

/**
 * The first target has half of the deliveries, and up to 200,000 agreements. Partners have more members than these
 * endpoints.
 */
export async function fill(stage: Stage, size: Size, say: (line: string) => void): Promise<void> {
  const targets: Target[] = [];
  for (let n = 0; n < targetCount; n++)
    targets.push(await createPartner(stage.api, endpointsEach, stage.receiver.url));
  const { sql } = stage;
  // Rows that fit each other need no triggers and no look-ups of foreign keys.
  await sql.query('set session_replication_role = replica; set synchronous_commit = off');
  await sql.query("alter system set max_wal_size = '8GB'");
  await sql.query('select pg_reload_conf()');
  await fillPartners(stage, size, say);
  await fillHistory(stage, size, say);
  await sql.query('alter system reset max_wal_size');
  await sql.query('select pg_reload_conf()');
  await sql.query('reset session_replication_role; reset synchronous_commit');
  say('vacuum and analyze');
  await sql.query('vacuum analyze');
}

/** A user owns about ten partners; each partner has one invitation. Every thousandth partner is deleted. */
async function fillPartners({ sql }: Stage, { partners }: Size, say: (line: string) => void): Promise<void> {
  const users = Math.ceil(partners / 10);
  await sql.query(
    `insert into auth."user" (id, name, email, email_verified, created_at, updated_at)
     select 'usr_01' || substr(md5(n::text), 1, 24), 'Member ' || n, 'member' || n || '@bench.example', true, at, at
     from generate_series(1, $1::int) n, lateral (select now() - (n % 1000) * interval '1 day' as at) given`,
    [users],
  );
  const step = 100_000;
  for (let from = 1; from <= partners; from += step) {
    await sql.query(
      `with made as materialized (
         select n, uuidv7() as id, date_trunc('milliseconds', now() - ($1 - n) * interval '1 minute') as at
         from generate_series($2::int, least($2 + $3 - 1, $1)) n),
       partners as (
         insert into partner (id, name, description, phone, vat_no, website, billing_email, street, postal_code, city, country, created_at,
           updated_at, deleted_at)
         select id, (array['Nordic', 'Alpine', 'Baltic', 'Iberian', 'Pacific', 'Atlantic', 'Saxon'])[1 + n % 7] || ' '
             || (array['Foods', 'Steel', 'Textiles', 'Timber', 'Marine', 'Energy', 'Pharma', 'Paper', 'Glass', 'Tools', 'Toys'])[1 + n % 11]
             || ' ' || n,
           'Deliveries on weekdays', '+46 8 ' || n, 'SE' || lpad(n::text, 10, '0') || '01', 'https://partner' || n || '.example',
           'billing@partner' || n || '.example', 'Storgatan ' || n % 90, '111 22', 'Stockholm', 'SE', at, at,
           case when n % 1000 = 0 then now() end
         from made)
       insert into agreement (id, partner_id, email, email_key, user_id, owner, created_at, updated_at)
       select uuidv7(), id, email, email, user_id, user_id is not null, at, at
       from made, lateral (
         select 'usr_01' || substr(md5((1 + n % $4)::text), 1, 24) as user_id, 'member' || 1 + n % $4 || '@bench.example' as email
         union all select null, 'invited' || n || '@bench.example') given`,
      [partners, from, step, users],
    );
    say(`${Math.min(from + step - 1, partners)} of ${partners} partners`);
  }
  // All targets have this name, and the first is the oldest.
  await sql.query(
    `insert into agreement (id, partner_id, email, email_key, user_id, owner)
     select uuidv7(), (select id from partner where name = 'Acme' order by id limit 1), given.email, given.email, "user".id, false
     from (select n, 'colleague' || n || '@bench.example' as email from generate_series(1, $1) n) given
       left join auth."user" on n % 10 = 0 and "user".email = 'member' || n / 10 || '@bench.example'`,
    [Math.min(200_000, partners)],
  );
  say('the audit log');
  await sql.query(auditStatement, [users]);
}

/** A record of each invitation, by one of these users. They are sealed by nobody. */
const auditStatement = `
with recorded as (
  insert into audit_log (at, request_id, actor_kind, actor_id, credential, partner_id, action, target, outcome, address_commitment, person_commitment)
  select at, 'bench', 'person', 'usr_01' || substr(md5((1 + n % $1)::text), 1, 24), 'session bench', partner_id,
    (array['agreement.create', 'agreement.update'])[1 + n % 2], 'agr_' || substr(replace(id::text, '-', ''), 1, 26),
    case when n % 100 = 0 then 'denied' else 'done' end, '', ''
  from (select *, row_number() over (order by created_at, id) as n, created_at as at from agreement where user_id is null) invited
  order by at, id
  returning position, partner_id, actor_id, target)
insert into audit_person (position, partner_id, part, subject, personal)
select position, partner_id, part, subject, personal from recorded, lateral (values
  ('address', actor_id, jsonb_build_object('address', '192.0.2.7', 'name', 'Member', 'email', substr(actor_id, 8) || '@bench.example')),
  ('person', target, jsonb_build_object('email', substr(target, 5) || '@bench.example'))) known (part, subject, personal)`;

async function fillHistory({ sql }: Stage, { deliveries }: Size, say: (line: string) => void): Promise<void> {
  const events = Math.ceil(deliveries / endpointsEach);
  // The sums of hours end here, as `sum up statistics by the hour` leaves them.
  const { rows } = await sql.query<{ end: Date; start: Date }>(
    `with done as (
       update delivery_hour_progress set hours_until = date_trunc('hour', now() - interval '1 hour', 'UTC') returning hours_until)
     select hours_until as end, hours_until - $1 * interval '1 day' as start from done`,
    [historyDays],
  );
  const [period] = rows;
  if (period === undefined) throw new Error('delivery_hour_progress is empty');
  await makePartitions(sql, period.start);
  for (let from = 0; from < events; from += eventsAtOnce) {
    await sql.query(historyStatement, [
      from,
      Math.min(from + eventsAtOnce, events) - 1,
      events,
      period.start,
      period.end,
      targetCount,
    ]);
    say(`${Math.min(from + eventsAtOnce, events) * endpointsEach} of ${events * endpointsEach} deliveries`);
  }
  await sql.query("select setval('event_position', $1)", [events]);
}

const weekMs = 7 * 86_400_000;

async function makePartitions(sql: Stage['sql'], start: Date): Promise<void> {
  for (let week = Math.floor(start.getTime() / weekMs); week * weekMs < Date.now(); week++) {
    const [from = '', to = ''] = [week, week + 1].map((each) => new Date(each * weekMs).toISOString());
    for (const table of ['event', 'delivery', 'attempt']) {
      const name = `${table}_${from.slice(0, 10).replaceAll('-', '')}`;
      await sql.query(
        `create table if not exists ${name} partition of ${table} for values from (first_id_of('${from}')) to (first_id_of('${to}'))`,
      );
    }
  }
}

/**
 * Of each hundred deliveries, two failed after five attempts and five were delivered by the third. Attempts
 * that succeed take up to
 * 19 ms, since the bucket of so short a duration has its number. Parameters: first and last event, number of
 * events, start, end, targets.
 */
const historyStatement = `
with target as materialized (
  select row_number() over (order by id) - 1 as n, id from (select id from partner where name = 'Acme' order by id limit $6) given),
endpoint as materialized (
  select target.n, target.id as partner_id, webhook_endpoint.id, row_number() over (partition by target.n order by webhook_endpoint.id) - 1 as k
  from target join webhook_endpoint on partner_id = target.id),
made as materialized (
  select i, target.id as partner_id, target.n, at, (case when i % 10 = 9 then 'order.status_changed' else 'inventory.updated' end) as type,
    overlay(uuidv7()::text placing left(first_id_of(at)::text, 13) from 1)::uuid as id
  from generate_series($1::int, $2::int) i
  join target on target.n = case when i % 2 = 0 then 0 else 1 + i / 2 % ($6 - 1) end,
    lateral (select date_trunc('milliseconds', $4::timestamptz + (i::float8 / $3) * ($5::timestamptz - $4 - interval '1 minute')) as at) given),
events as (
  insert into event (id, partner_id, environment, type, position, body, created_at)
  select id, partner_id, 'live', type, i + 1, format(
    '{"id":"evt_%s","type":"%s","created_at":"%s","partner_id":"ptr_01h2xcejqtf2nbrexx3vqjhp41","environment":"live","data":{"sku":"NX-%s","quantity":12,"location":"Oslo"}}',
    left(md5(i::text), 26), type, at, i), at
  from made),
planned as materialized (
  select made.*, endpoint.id as endpoint_id, made.i * 2 + endpoint.k as j,
    overlay(uuidv7()::text placing left(first_id_of(at)::text, 13) from 1)::uuid as delivery_id,
    case when (made.i * 2 + endpoint.k) % 50 = 7 then 'failed' else 'delivered' end as status,
    case when (made.i * 2 + endpoint.k) % 50 = 7 then 5 when (made.i * 2 + endpoint.k) % 21 = 3 then 3 else 1 end as attempts
  from made join endpoint using (n)),
deliveries as (
  insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count, round_attempts, created_at, completed_at)
  select delivery_id, id, type, partner_id, endpoint_id, 'live', i + 1, status, attempts, attempts, at, at + attempts * interval '5 seconds'
  from planned),
tried as materialized (
  select planned.*, number, at + (number - 1) * interval '5 seconds' + interval '12 ms' as started_at, outcome
  from planned, generate_series(1, attempts) number,
    lateral (select case when status = 'delivered' and number = attempts then 'delivered' when j % 100 = 7 then 'timeout' else 'status_5xx' end) given (outcome)),
attempts as (
  insert into attempt (delivery_id, number, started_at, duration_ms, status_code, error, response_body, url, created, key_id, signature)
  select delivery_id, number, started_at, case outcome when 'timeout' then 15000 else 1 + j % 19 end,
    case outcome when 'delivered' then 204 when 'status_5xx' then 503 end, case outcome when 'timeout' then 'timeout: no answer within 15 s' end,
    case outcome when 'delivered' then '' when 'status_5xx' then 'busy' end, 'http://127.0.0.1:9/' || n, extract(epoch from started_at)::bigint,
    'bench', decode(repeat('5a', 96), 'hex')
  from tried),
counts as materialized (
  select partner_id, endpoint_id, date_trunc('minute', started_at, 'UTC') as at, outcome,
    (case outcome when 'timeout' then -1 else 1 + j % 19 end)::smallint as bucket, count(*) as count
  from tried group by 1, 2, 3, 4, 5),
minutes as (
  -- In the order in which a service writes them.
  insert into delivery_minute as known select * from counts where at > now() - interval '7 days' order by at, partner_id, endpoint_id
  on conflict (partner_id, endpoint_id, at, outcome, bucket) do update set count = known.count + excluded.count)
insert into delivery_hour as known (partner_id, endpoint_id, at, outcome, bucket, count)
select coalesce(partner_id, everyone), coalesce(endpoint_id, everyone), hour, outcome, bucket, sum(count)
from (select *, date_trunc('hour', at, 'UTC') as hour, '00000000-0000-0000-0000-000000000000'::uuid as everyone from counts) given
group by grouping sets ((partner_id, endpoint_id, hour, outcome, bucket, everyone), (partner_id, hour, outcome, bucket, everyone), (hour, outcome, bucket, everyone))
on conflict (partner_id, endpoint_id, at, outcome, bucket) do update set count = known.count + excluded.count`;
