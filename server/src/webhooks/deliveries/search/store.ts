// The SQL of searching deliveries. A statement examines a limited number of them, so none meets the statement timeout.
import sql, { join, type Sql } from 'sql-template-tag';
import type { Part } from '../../../http/lists.ts';
import { formatId, parseId } from '../../../ids.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { keyset, type Order, type Position } from '../../../postgres/sql/keyset.ts';
import { requireRow } from '../../../postgres/sql/rows.ts';
import type { Delivery } from '../schema.ts';
import { type DeliveryRow, ownColumns, toDelivery } from '../store.ts';
import { type DeliveryFilter, undeliveredStatuses } from './filter.ts';

/** How many deliveries one statement of a list examines: at first few, since most filters match many. */
const firstWindow = 1_000;
const largestWindow = 20_000;
const growth = 4;
/** How many deliveries one page examines. Then it ends early, so that no page keeps the database busy for long. */
const maxExamined = 100_000;

/** For filters that are indexed. */
export async function selectDeliveries(
  on: Queryable,
  partnerId: string,
  filter: DeliveryFilter,
  by: Order<'id'>,
  after: Position | null,
  limit: number,
): Promise<Delivery[]> {
  const { from, order } = keyset({ id: sql`id` }, by, after, (id) => parseId('delivery', id));
  const where = sql`partner_id = ${partnerId} ${all([...inIdRange(filter), ...matches(filter)])} ${from} ${order} limit ${limit}`;
  return (await on.query<DeliveryRow>(sql`select ${ownColumns} from delivery where ${where}`)).map(toDelivery);
}

/** For any filter. */
export async function searchDeliveries(
  on: Queryable,
  partnerId: string,
  filter: DeliveryFilter,
  by: Order<'id'>,
  start: Position | null,
  limit: number,
): Promise<Part<Delivery>> {
  const { direction } = by;
  const found: string[] = [];
  let after = start && parseId('delivery', start.id);
  let window = Math.max(firstWindow, 2 * limit);
  let left = maxExamined;
  let ended = false;
  while (!ended && left > 0 && found.length < limit) {
    const next = { direction, after, limit: limit - found.length, window: Math.min(window, largestWindow, left) };
    const { ids, reached, examined, isLast } = await examine(on, partnerId, filter, next);
    found.push(...ids);
    after = reached;
    window *= growth;
    left -= examined;
    ended = isLast;
  }
  const { order } = keyset({ id: sql`id` }, by, null, () => null);
  const rows = await on.query<DeliveryRow>(sql`select ${ownColumns} from delivery where id = any(${found}::uuid[]) ${order}`);
  const reached = ended || found.length === limit ? null : after;
  return { items: rows.map(toDelivery), reached: reached && formatId('delivery', reached) };
}

/** After which id, in which order, how many results at most, and how many deliveries may be examined for them. */
type Step = { direction: 'asc' | 'desc'; after: string | null; limit: number; window: number };
/** The ids that match, out of the `examined` deliveries up to `reached`, which is null if there was none. */
type Examined = { ids: string[]; reached: string | null; examined: number; isLast: boolean };

/** Examines the next deliveries in the order of ids. */
export async function examine(
  on: Queryable,
  partnerId: string,
  filter: DeliveryFilter,
  { direction, after, limit, window }: Step,
): Promise<Examined> {
  const [comparison, way, back] = direction === 'asc' ? [sql`>`, sql`asc`, sql`desc`] : [sql`<`, sql`desc`, sql`asc`];
  const ids = [...inIdRange(filter), ...(after === null ? [] : [sql`id ${comparison} ${after}`])];
  /** Its conditions are those of an index, so that it reads no other rows. */
  const next = (indexed: Sql) => sql`
    select id, status, environment, endpoint_id, event_id, event_type, attempt_count, completed_at from delivery
    where partner_id = ${partnerId} ${indexed} ${all(ids)} order by id ${way} limit ${window}`;
  const rows = await on.query<Examined>(sql`
    with examined as materialized (${nextOf(filter, next)} order by id ${way} limit ${window}),
    found as materialized (
      select id from examined where true ${all([...matches(filter), ...inLastAttempt(filter)])} order by id ${way} limit ${limit}),
    reached as materialized (
      select coalesce((select id from found order by id ${way} offset ${limit - 1}), (select id from examined order by id ${back} limit 1)) as id)
    select array(select id from found order by id ${way}) as ids, reached.id as reached,
      (select count(*)::int from examined where id = reached.id or not id ${comparison} reached.id) as examined,
      (select count(*) from found) < ${limit} and (select count(*) from examined) < ${window} as "isLast"
    from reached`);
  return requireRow(rows, 'window');
}

function nextOf(filter: DeliveryFilter, next: (indexed: Sql) => Sql): Sql {
  const statuses = undeliveredStatuses(filter);
  if (statuses !== null) {
    const each = next(sql`and status = wanted.status and status <> 'delivered'`);
    return sql`select found.* from unnest(${[...statuses]}::text[]) wanted (status) cross join lateral (${each}) found`;
  }
  const { endpointId } = filter;
  const indexed = endpointId === undefined ? sql`` : sql`and endpoint_id = ${parseId('webhook_endpoint', endpointId)}`;
  return sql`select * from (${next(indexed)}) found`;
}

const all = (conditions: readonly Sql[]) => (conditions.length === 0 ? sql`` : sql`and ${join(conditions, ' and ')}`);

function inIdRange({ eventId, from, to }: DeliveryFilter): Sql[] {
  const conditions: Sql[] = [];
  if (eventId !== undefined) conditions.push(ofEvent(parseId('event', eventId)));
  // An id begins with the creation time of its row, so the index of ids serves.
  if (from !== undefined) conditions.push(sql`id >= first_id_of(${from})`);
  if (to !== undefined) conditions.push(sql`id < first_id_of(${to})`);
  return conditions;
}

/** The ids of an event's deliveries begin with the event's millisecond, which narrows the search to one partition. */
function ofEvent(id: string | null): Sql {
  if (id === null) return sql`false`;
  const [first, last] = ['0', 'f'].map((digit) => id.slice(0, 14) + [4, 4, 12].map((length) => digit.repeat(length)).join('-'));
  return sql`event_id = ${id} and id between ${first} and ${last}`;
}

function matches({ status, environment, endpointId, eventType, attemptCount, settledBy }: DeliveryFilter): Sql[] {
  const conditions: Sql[] = [];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (environment !== undefined) conditions.push(sql`environment = ${environment}`);
  if (endpointId !== undefined) conditions.push(sql`endpoint_id = ${parseId('webhook_endpoint', endpointId)}`);
  if (eventType !== undefined) conditions.push(sql`event_type = ${eventType}`);
  if (attemptCount !== undefined) conditions.push(sql`attempt_count between ${attemptCount.least} and ${attemptCount.most}`);
  if (settledBy !== undefined) conditions.push(sql`(status = 'pending' or completed_at <= ${settledBy})`);
  return conditions;
}

/** A scalar subquery looks up one attempt for each row. PostgreSQL could turn a join into a scan of all attempts. */
function inLastAttempt({ statusCode, reason }: DeliveryFilter): Sql[] {
  const conditions: Sql[] = [];
  if (statusCode !== undefined) conditions.push(sql`status_code between ${statusCode.least} and ${statusCode.most}`);
  if (reason !== undefined) conditions.push(sql`starts_with(error, ${`${reason}:`})`);
  if (conditions.length === 0) return [];
  return [
    sql`(select ${join(conditions, ' and ')} from attempt where delivery_id = examined.id and number = examined.attempt_count)`,
  ];
}
