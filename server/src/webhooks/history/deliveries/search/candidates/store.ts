// The SQL of what a search of deliveries reads: an index that has few deliveries, if the filter has one.
import sql, { join, type Sql } from 'sql-template-tag';
import { parseId } from '../../../../../base/ids.ts';
import type { Queryable } from '../../../../../base/postgres/database.ts';
import { failureReasons } from '../../../../statistics/index.ts';
import { type DeliveryFilter, maxInteger, narrowing } from '../filter.ts';

/**
 * Conditions on `delivery` that one index answers for each row of `wanted`, or once.
 * They name the condition of a partial index, since the planner does not know what a row of `wanted` holds.
 */
type Part = { readonly wanted: Sql | null; readonly conditions: Sql };
/** All deliveries that match the filter are in one of the parts, and can be in several. */
export type Candidates = {
  readonly parts: readonly Part[];
  /**
   * The rows of `wanted` that can each have many deliveries. A statement reads a window of each, so it
   * divides its window by them.
   */
  readonly branches: number;
};

const onePart = (wanted: Sql | null, conditions: Sql, branches = 1): Candidates => ({
  parts: [{ wanted, conditions }],
  branches,
});
const valuesOf = (values: readonly unknown[], type: Sql) =>
  sql`unnest(${[...values]}::${type}[]) wanted (value)`;

export async function findCandidates(
  on: Queryable,
  partnerId: string,
  filter: DeliveryFilter,
): Promise<Candidates> {
  const chosen = narrowing(filter);
  switch (chosen.by) {
    case 'last_status_code':
    case 'attempt_count': {
      const [column, few] = counted[chosen.by];
      const values = await selectValues(on, partnerId, counted[chosen.by], chosen.range);
      const conditions = sql`and ${column} = wanted.value and ${few}`;
      return onePart(valuesOf(values, sql`int`), conditions, Math.max(1, values.length));
    }
    case 'last_reason':
      return withReason(chosen.values);
    case 'status':
      return onePart(
        valuesOf(chosen.values, sql`text`),
        sql`and status = wanted.value and status <> 'delivered'`,
      );
    case 'event_type':
      return (await ofRareType(on, partnerId, chosen.type, filter)) ?? inOrder(filter);
    case 'attempt_outcome':
      return ofFailedAttempt(on, partnerId);
    case 'every':
      return inOrder(filter);
  }
}

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

/** Columns with an index of few deliveries, and the condition of the index. */
const counted = {
  last_status_code: [sql`last_status_code`, sql`last_status_code not between 200 and 299`],
  attempt_count: [sql`attempt_count`, sql`attempt_count > 1`],
} as const;

const refused = failureReasons.filter((reason) => !reason.startsWith('status_'));

/** Their last attempt failed, or they have several attempts. */
async function ofFailedAttempt(on: Queryable, partnerId: string): Promise<Candidates> {
  const found = await Promise.all([
    findCandidates(on, partnerId, { attempt_count: { least: 2, most: maxInteger } }),
    findCandidates(on, partnerId, { status_code: { least: 0, most: 199 } }),
    findCandidates(on, partnerId, { status_code: { least: 300, most: maxInteger } }),
  ]);
  const all = [withReason(refused), ...found];
  const branches = found.reduce((sum, each) => sum + each.branches, refused.length);
  return { parts: all.flatMap(({ parts }) => parts), branches };
}

/** The different values in the range. Reads one entry of the index for each. */
async function selectValues(
  on: Queryable,
  partnerId: string,
  [column, few]: readonly [Sql, Sql],
  { least, most }: { least: number; most: number },
): Promise<number[]> {
  if (least === most) return [least];
  const next = (from: Sql) => sql`
    (select ${column} from delivery where partner_id = ${partnerId} and ${few} and ${column} ${from} and ${column} <= ${most}
     order by ${column} limit 1)`;
  const rows = await on.query<{ value: number }>(sql`
    with recursive found (value) as (
      ${next(sql`>= ${least}`)} union all select ${next(sql`> found.value`)} from found where value is not null)
    select value from found where value is not null`);
  return rows.map(({ value }) => value);
}

/** Bounds what is read to learn that a type is not rare. */
const maxEvents = 1_000;

/** The deliveries of each event of the type. Null: the type has too many events, of any partner. */
async function ofRareType(
  on: Queryable,
  partnerId: string,
  type: string,
  { from, to }: DeliveryFilter,
): Promise<Candidates | null> {
  const events = await on.query<{ id: string; own: boolean }>(sql`
    select id, partner_id = ${partnerId} as own from event
    where type = ${type} ${and(idsBetween(from, to))} limit ${maxEvents + 1}`);
  if (events.length > maxEvents) return null;
  const ids = events.flatMap(({ id, own }) => (own ? [id] : []));
  const [first, last] = [ids.map((id) => idsOf(id).first), ids.map((id) => idsOf(id).last)];
  return onePart(
    sql`unnest(${ids}::uuid[], ${first}::uuid[], ${last}::uuid[]) wanted (value, first, last)`,
    sql`and event_id = wanted.value and id between wanted.first and wanted.last`,
  );
}

/**
 * The ids of an event's deliveries begin with the event's millisecond, which narrows the search to one
 * partition.
 */
export function idsOf(eventId: string): { first: string; last: string } {
  const [first = '', last = ''] = ['0', 'f'].map(
    (digit) => eventId.slice(0, 14) + [4, 4, 12].map((n) => digit.repeat(n)).join('-'),
  );
  return { first, last };
}

/** An id begins with the creation time of its row, so the index of ids serves. */
export const idsBetween = (from: Date | undefined, to: Date | undefined): Sql[] => [
  ...(from === undefined ? [] : [sql`id >= first_id_of(${from})`]),
  ...(to === undefined ? [] : [sql`id < first_id_of(${to})`]),
];

export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`` : sql`and ${join(conditions, ' and ')}`;
