// The SQL of searching deliveries. A statement examines few enough to end before the statement timeout.
import sql, { join, type Sql } from 'sql-template-tag';
import type { Part } from '../../../../base/http/lists.ts';
import { formatId, parseId } from '../../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { listOf, type Page, ways } from '../../../../base/postgres/sql/keyset.ts';
import { allOf, anyOf, requireRow } from '../../../../base/postgres/sql/rows.ts';
import type { Delivery, DeliveryCounts } from '../schema.ts';
import { ableCounts, columns, type DeliveryRow, toDelivery } from '../store.ts';
import { createBudget } from './budget.ts';
import { type Candidates, findCandidates, idsBetween, idsOf } from './candidates/store.ts';
import type { DeliveryFilter } from './filter.ts';

/** A page that has examined so many, for so long, ends early. */
export const pageBudget = { rows: 100_000, ms: 100 };
/** What a request counts before it is answered. */
export const shortCount = { rows: 10_000, ms: 150 };
/** What a replay counts at its start. */
export const longCount = { rows: 100_000, ms: 5_000 };
/** Events that filters kept from endpoints. */
const maxFiltered = { rows: 100_000, atOnce: 20_000 };

/** For filters that are indexed. */
export const deliveriesOf = (on: Queryable, partnerId: string, filter: DeliveryFilter) =>
  listOf(on, 'delivery', {
    columns,
    from: sql`delivery item where partner_id = ${partnerId} and ${inIdRange(filter)} and ${matches(partnerId, filter)}`,
    sorted: { id: sql`id` },
    toItem: toDelivery,
  });

/** Otherwise PostgreSQL reads and sorts all that an index has, where it takes them for few, and not the next window. */
async function findInOrder(tx: Transaction, partnerId: string, filter: DeliveryFilter): Promise<Candidates> {
  await tx.write(
    sql`select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`,
  );
  return findCandidates(tx, partnerId, filter);
}

export async function searchDeliveries(
  tx: Transaction,
  partnerId: string,
  filter: DeliveryFilter,
  ...[{ direction }, start, limit]: Page<'id'>
): Promise<Part<Delivery>> {
  const candidates = await findInOrder(tx, partnerId, filter);
  const budget = createBudget(pageBudget, 2 * limit);
  const found: string[] = [];
  let after = start && parseId('delivery', start.id);
  let ended = false;
  for (let window = budget.next(); window > 0 && !ended && found.length < limit; window = budget.next()) {
    const next = { direction, after, limit: limit - found.length, window };
    const { ids, reached, examined, isLast } = await examineNext(tx, partnerId, filter, candidates, next);
    found.push(...ids);
    after = reached;
    budget.spend(examined * candidates.branches);
    ended = isLast;
  }
  const rows = await tx.query<DeliveryRow>(
    sql`select ${columns} from delivery item where id = ${anyOf(found)} order by id ${ways[direction].way}`,
  );
  const reached = ended || found.length === limit ? null : after;
  return { items: rows.map(toDelivery), reached: reached && formatId('delivery', reached) };
}

/** Finds at most `limit` after an id, and examines at most `window`. */
type Step = { direction: 'asc' | 'desc'; after: string | null; limit: number; window: number };
/** The ids that match, out of the `examined` deliveries up to `reached`, which is null if there was none. */
type Examined = { ids: string[]; reached: string | null; examined: number; isLast: boolean };

export async function countDeliveries(
  tx: Transaction,
  partnerId: string,
  filter: DeliveryFilter,
  bounds: { rows: number; ms: number },
): Promise<DeliveryCounts> {
  const candidates = await findInOrder(tx, partnerId, filter);
  const filtered = await countFiltered(tx, partnerId, filter);
  const budget = createBudget(bounds, 2_500);
  const counts = { matching: 0, replayable: 0, sendable: 0, filtered, complete: false };
  let after: string | null = null;
  for (let window = budget.next(); window > 0 && !counts.complete; window = budget.next()) {
    const rowsRead = readWindow(partnerId, filter, candidates, { direction: 'asc', after, window });
    const rows = await tx.query<Counted>(sql`
      with examined as materialized (${rowsRead})
      select matching, replayable, sendable, (select count(*)::int from examined) as examined,
        (select id from examined order by id desc limit 1) as reached
      from (select ${ableCounts(partnerId)} from examined where ${matches(partnerId, filter)}) counted`);
    const { matching, replayable, sendable, examined, reached } = requireRow(rows, 'counts');
    counts.matching += matching;
    counts.replayable += replayable;
    counts.sendable += sendable;
    counts.complete = examined < windowOf(candidates, window);
    after = reached;
    budget.spend(Math.max(1, examined) * candidates.branches);
  }
  return counts;
}

type Counted = {
  matching: number;
  replayable: number;
  sendable: number;
  examined: number;
  reached: string | null;
};

/**
 * How many events filters kept from endpoints, counted for each endpoint. Only filters that an event has
 * count; it has no status of a delivery.
 */
async function countFiltered(on: Queryable, partnerId: string, filter: DeliveryFilter): Promise<number> {
  const { event_id, event_type, environment, endpoint_id, from, to } = filter;
  const ids = allOf(idsBetween(from, to), event_id !== undefined && sql`id = ${parseId('event', event_id)}`);
  const conditions = allOf(
    sql`true`,
    event_type !== undefined && sql`type = ${event_type}`,
    environment !== undefined && sql`environment = ${environment}`,
    endpoint_id !== undefined &&
      sql`filtered_for @> array[${parseId('webhook_endpoint', endpoint_id)}::uuid]`,
  );
  const each = endpoint_id === undefined ? sql`sum(cardinality(filtered_for))` : sql`count(*)`;
  let filtered = 0;
  let before: string | null = null;
  for (let left = maxFiltered.rows; left > 0; left -= maxFiltered.atOnce) {
    const start = before === null ? sql`` : sql`and id < ${before}`;
    const rows: { filtered: number; examined: number; last: string | null }[] = await on.query(sql`
      with examined as materialized (
        select id, type, environment, filtered_for from event
        where partner_id = ${partnerId} and filtered_for is not null and ${ids} ${start} order by id desc limit ${maxFiltered.atOnce})
      select (select coalesce(${each}, 0)::int from examined where ${conditions}) as filtered, count(*)::int as examined,
        (array_agg(id order by id))[1] as last from examined`);
    const window = requireRow(rows, 'window');
    filtered += window.filtered;
    if (window.examined < maxFiltered.atOnce) return filtered;
    before = window.last;
  }
  return filtered;
}

export const examine = async (tx: Transaction, partnerId: string, filter: DeliveryFilter, step: Step) =>
  examineNext(tx, partnerId, filter, await findInOrder(tx, partnerId, filter), step);

/** How many each branch examines. */
const windowOf = ({ branches }: Candidates, window: number) => Math.ceil(window / branches);

/** Selects the next deliveries that can match, with the columns that conditions need. */
function readWindow(
  partnerId: string,
  filter: DeliveryFilter,
  candidates: Candidates,
  { direction, after, window: read }: Omit<Step, 'limit'>,
): Sql {
  const window = windowOf(candidates, read);
  const { way, after: comparison } = ways[direction];
  const ids = allOf(inIdRange(filter), after !== null && sql`id ${comparison} ${after}`);
  const rows = candidates.parts.map(({ wanted, conditions }) => {
    const next = sql`
      select id, status, environment, endpoint_id, event_id, event_type, attempt_count, round_attempts, last_status_code, last_reason,
        next_attempt_at, completed_at
      from delivery where partner_id = ${partnerId} ${conditions} and ${ids} order by id ${way} limit ${window}`;
    if (wanted === null) return sql`(${next})`;
    return sql`(select next.* from ${wanted} cross join lateral (${next}) next order by id ${way} limit ${window})`;
  });
  // `union`: what is in several indexes is examined once.
  return rows.length === 1
    ? join(rows)
    : sql`select * from (${join(rows, ' union ')}) next order by id ${way} limit ${window}`;
}

async function examineNext(
  on: Queryable,
  partnerId: string,
  filter: DeliveryFilter,
  candidates: Candidates,
  step: Step,
): Promise<Examined> {
  const { direction, limit } = step;
  const window = windowOf(candidates, step.window);
  const { way, back, after: comparison } = ways[direction];
  const rowsRead = readWindow(partnerId, filter, candidates, step);
  const examined = await on.query<Examined>(sql`
    with examined as materialized (${rowsRead}),
    found as materialized (select id from examined where ${matches(partnerId, filter)} order by id ${way} limit ${limit}),
    reached as materialized (
      select coalesce((select id from found order by id ${way} offset ${limit - 1}), (select id from examined order by id ${back} limit 1)) as id)
    select array(select id from found order by id ${way}) as ids, reached.id as reached,
      (select count(*)::int from examined where id = reached.id or not id ${comparison} reached.id) as examined,
      (select count(*) from found) < ${limit} and (select count(*) from examined) < ${window} as "isLast"
    from reached`);
  return requireRow(examined, 'window');
}

const inIdRange = ({ event_id, ids, from, to }: DeliveryFilter): Sql =>
  allOf(
    idsBetween(from, to),
    event_id !== undefined && ofEvent(parseId('event', event_id)),
    ids !== undefined && sql`id = ${anyOf(ids.flatMap((id) => parseId('delivery', id) ?? []))}`,
  );

function ofEvent(id: string | null): Sql {
  if (id === null) return sql`false`;
  const { first, last } = idsOf(id);
  return sql`event_id = ${id} and id between ${first} and ${last}`;
}

function matches(partnerId: string, filter: DeliveryFilter): Sql {
  const { state, endpoint_id, status_code, attempt_count, attempt_outcome, settledBy } = filter;
  const equal = [
    [sql`status`, filter.status],
    [sql`environment`, filter.environment],
    [sql`endpoint_id`, endpoint_id === undefined ? undefined : parseId('webhook_endpoint', endpoint_id)],
    [sql`event_type`, filter.event_type],
    [sql`last_reason`, filter.reason],
  ] as const;
  const between = [
    [sql`last_status_code`, status_code],
    [sql`attempt_count`, attempt_count],
  ] as const;
  return allOf(
    sql`true`,
    ...equal.map(([column, value]) => value !== undefined && sql`${column} = ${value}`),
    ...between.map(
      ([column, range]) => range !== undefined && sql`${column} between ${range.least} and ${range.most}`,
    ),
    state !== undefined && isIn(partnerId, state),
    attempt_outcome !== undefined && hasFailed,
    settledBy !== undefined && sql`(status = 'pending' or completed_at <= ${settledBy})`,
  );
}

/** The same states as `toDelivery` shows. */
function isIn(partnerId: string, state: string): Sql {
  const endpoints = sql`array(select id from webhook_endpoint where partner_id = ${partnerId} and status = 'active' and not unchecked)`;
  const waits = sql`(next_attempt_at = 'infinity' or endpoint_id <> all(${endpoints}))`;
  if (state === 'waiting') return sql`status = 'pending' and ${waits}`;
  if (state === 'queued') return sql`status = 'pending' and round_attempts = 0 and not ${waits}`;
  if (state === 'retrying') return sql`status = 'pending' and round_attempts > 0 and not ${waits}`;
  return sql`status = ${state}`;
}

/** The last attempt tells most of them. */
const hasFailed = sql`
  (last_reason is not null or last_status_code not between 200 and 299 or attempt_count > 1 and exists (
    select from attempt where delivery_id = examined.id and (status_code is null or status_code not between 200 and 299)))`;
