// The SQL of what a search of deliveries reads: an index that has few deliveries, if the filter has one.
import sql, { raw, type Sql } from 'sql-template-tag';
import { parseId } from '../../../../../base/ids.ts';
import type { Queryable } from '../../../../../base/postgres/database.ts';
import { allOf, queryValues } from '../../../../../base/postgres/sql/rows.ts';
import { isSeenBy } from '../../../../catalogue/store.ts';
import { reasons } from '../../schema.ts';
import { type DeliveryFilter, maxInteger, type Range } from '../filter.ts';

/**
 * Conditions on `delivery` that one index answers for each row of `wanted`, or once. They name the condition
 * of a partial index: the planner does not know what `wanted` holds.
 */
type Part = Readonly<{ wanted: Sql | null; conditions: Sql }>;
/** All deliveries that match the filter are in one of the parts, and can be in several. */
export type Candidates = Readonly<{
  parts: readonly Part[];
  /** The rows of `wanted` with many deliveries each. A statement divides its window by them. */
  branches: number;
}>;

const onePart = (wanted: Sql | null, conditions: Sql, branches = 1): Candidates => ({
  parts: [{ wanted, conditions }],
  branches,
});
const valuesOf = (values: readonly unknown[], type: Sql) =>
  sql`unnest(${[...values]}::${type}[]) wanted (value)`;

/** The narrowest first. Last attempts with 2xx and deliveries with one attempt are many, so have no index. */
export async function findCandidates(
  on: Queryable,
  partnerId: string,
  filter: DeliveryFilter,
): Promise<Candidates> {
  const { status, event_type, status_code, reason, attempt_count, attempt_outcome } = filter;
  // What has ended stays for months. What is pending does not.
  if (status === 'pending' || status === 'cancelled') return inStatus([status]);
  if (status_code !== undefined && (status_code.most < 200 || status_code.least > 299))
    // The last attempt of a delivered delivery was answered with 2xx.
    return status === 'delivered' ? inStatus([]) : inRange(on, partnerId, 'last_status_code', status_code);
  if (reason !== undefined) return withReason([reason]);
  if (attempt_count !== undefined && attempt_count.least > 1)
    return inRange(on, partnerId, 'attempt_count', attempt_count);
  if (status !== undefined && status !== 'delivered') return inStatus([status]);
  if (attempt_outcome !== undefined) return ofFailedAttempt(on, partnerId);
  if (attempt_count?.most === 0) return inStatus(['pending', 'cancelled']);
  const events = event_type === undefined ? null : await selectOfRareType(on, partnerId, event_type, filter);
  return events === null ? inOrder(filter) : ofEvents(events);
}

const inStatus = (statuses: readonly string[]): Candidates =>
  onePart(valuesOf(statuses, sql`text`), sql`and status = wanted.value and status <> 'delivered'`);

const withReason = (reasons: readonly string[]): Candidates =>
  onePart(valuesOf(reasons, sql`text`), sql`and last_reason = wanted.value`);

const inOrder = ({ endpoint_id, environment }: DeliveryFilter): Candidates => {
  const ofSandbox = environment === 'sandbox' ? sql`and environment = 'sandbox'` : sql``;
  const conditions =
    endpoint_id === undefined
      ? ofSandbox
      : sql`and endpoint_id = ${parseId('webhook_endpoint', endpoint_id)}`;
  return onePart(null, conditions);
};

const few = {
  last_status_code: sql`last_status_code not between 200 and 299`,
  attempt_count: sql`attempt_count > 1`,
};

async function inRange(
  on: Queryable,
  partnerId: string,
  name: keyof typeof few,
  range: Range,
): Promise<Candidates> {
  const column = raw(name);
  const values = await selectValues(on, partnerId, column, few[name], range);
  const conditions = sql`and ${column} = wanted.value and ${few[name]}`;
  return onePart(valuesOf(values, sql`int`), conditions, Math.max(1, values.length));
}

/** Their last attempt failed, or they have several attempts. */
async function ofFailedAttempt(on: Queryable, partnerId: string): Promise<Candidates> {
  const found = await Promise.all([
    inRange(on, partnerId, 'attempt_count', { least: 2, most: maxInteger }),
    inRange(on, partnerId, 'last_status_code', { least: 0, most: 199 }),
    inRange(on, partnerId, 'last_status_code', { least: 300, most: maxInteger }),
  ]);
  const all = [withReason(reasons), ...found];
  const branches = found.reduce((sum, each) => sum + each.branches, reasons.length);
  return { parts: all.flatMap(({ parts }) => parts), branches };
}

/** The different values in the range. Reads one entry of the index for each. */
async function selectValues(
  on: Queryable,
  partnerId: string,
  column: Sql,
  condition: Sql,
  { least, most }: Range,
): Promise<number[]> {
  if (least === most) return [least];
  const next = (from: Sql) => sql`
    (select ${column} from delivery where partner_id = ${partnerId} and ${condition} and ${column} ${from} and ${column} <= ${most}
     order by ${column} limit 1)`;
  return queryValues(
    on,
    sql`
    with recursive found (value) as (
      ${next(sql`>= ${least}`)} union all select ${next(sql`> found.value`)} from found where value is not null)
    select value from found where value is not null`,
  );
}

/** Bounds what is read to learn that a type is not rare. */
const maxEvents = 1_000;

/**
 * The partner's events of a rare type. Null: the type has too many events, of any partner, or does not exist for the
 * partner: the time of a search must not tell how many events a private type of others has.
 */
export async function selectOfRareType(
  on: Queryable,
  partnerId: string,
  type: string,
  { from, to }: Pick<DeliveryFilter, 'from' | 'to'>,
): Promise<string[] | null> {
  if (!(await isSeenBy(on, partnerId, type))) return null;
  const events = await on.query<{ id: string; own: boolean }>(sql`
    select id, partner_id = ${partnerId} as own from event
    where type = ${type} and ${idsBetween(from, to)} limit ${maxEvents + 1}`);
  return events.length > maxEvents ? null : events.flatMap(({ id, own }) => (own ? [id] : []));
}

function ofEvents(ids: readonly string[]): Candidates {
  const [first, last] = [ids.map((id) => idsOf(id).first), ids.map((id) => idsOf(id).last)];
  return onePart(
    sql`unnest(${[...ids]}::uuid[], ${first}::uuid[], ${last}::uuid[]) wanted (value, first, last)`,
    sql`and event_id = wanted.value and id between wanted.first and wanted.last`,
  );
}

/** The ids of an event's deliveries begin with its millisecond, so one partition has them. */
export function idsOf(eventId: string): { first: string; last: string } {
  const filled = (digit: string) => eventId.slice(0, 14) + [4, 4, 12].map((n) => digit.repeat(n)).join('-');
  return { first: filled('0'), last: filled('f') };
}

/** An id begins with the creation time of its row. */
export const idsBetween = (from: Date | undefined, to: Date | undefined): Sql =>
  allOf(
    sql`true`,
    from !== undefined && sql`id >= first_id_of(${from})`,
    to !== undefined && sql`id < first_id_of(${to})`,
  );
