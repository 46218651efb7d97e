// Reading the answer of a statement.
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../database.ts';

/** `name`: as in `Queryable.query`. */
export async function queryRow<Row>(on: Queryable, statement: Sql, name?: string): Promise<Row | undefined> {
  return (await on.query<Row>(statement, name))[0];
}

export async function queryValues<Value>(on: Queryable, statement: Sql, name?: string): Promise<Value[]> {
  return (await on.query<Record<string, Value>>(statement, name)).flatMap((row) => Object.values(row));
}

/** The first of these values. Undefined: the statement returned no row. */
export async function queryValue<Value>(on: Queryable, statement: Sql): Promise<Value | undefined> {
  return (await queryValues<Value>(on, statement))[0];
}

/** `name`: as in `Queryable.query`. */
export const hasRows = async (on: Queryable, statement: Sql, name?: string): Promise<boolean> =>
  (await on.query(statement, name)).length > 0;

/** @throws Error when there is none: the caller has locked or just written it */
export function requireRow<Row>([row]: readonly (Row | undefined)[], what: string): Row {
  if (row === undefined) throw new Error(`The ${what} that was locked or just written is gone`);
  return row;
}

/** The names come from our code, never from a request. */
export const columnList = (names: readonly string[], table?: string): Sql =>
  raw(names.map((name) => (table === undefined ? name : `${table}.${name}`)).join(', '));

/** The row in the form of the wire, whose times are texts. */
export const withTextTimes = <Row extends object>(row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as { [Name in keyof Row]: TextTime<Row[Name]> };
type TextTime<Value> = Value extends Date ? string : Value;

/** The reverse: what is stored of `Wire`, whose members of `Time` are dates. */
export type WithDates<Wire, Time extends keyof Wire> = Omit<Wire, Time> & {
  [Name in Time]: Date | Extract<Wire[Name], null>;
};

export function pick<Row extends object, N extends keyof Row>(row: Row, names: readonly N[]): Pick<Row, N> {
  const picked = {} as Pick<Row, N>;
  for (const name of names) picked[name] = row[name];
  return picked;
}

/** Counts rows: `selectCount(db, sql\`partner where deleted_at is null\`)`. */
export async function selectCount(on: Queryable, from: Sql, name?: string): Promise<number> {
  const [row] = await on.query<{ count: number }>(sql`select count(*)::int as count from ${from}`, name);
  return row?.count ?? 0;
}

/** `estimated`: more than `maxExactCount`, and `count` is about right. */
export type Total = { readonly count: number; readonly estimated: boolean };
export const maxExactCount = 10_000;

/** Counts a bounded number of rows. If there are more, the planner estimates how many. */
export async function selectTotal(on: Queryable, from: Sql, name?: string): Promise<Total> {
  const count = await selectCount(on, sql`(select from ${from} limit ${maxExactCount + 1}) counted`, name);
  if (count <= maxExactCount) return { count, estimated: false };
  const [row] = await on.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    sql`explain (format json) select from ${from}`,
  );
  return { count: Math.max(count, row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0), estimated: true };
}

export const allOf = (...conditions: readonly (Sql | false)[]): Sql =>
  join(
    conditions.filter((condition) => condition !== false),
    ' and ',
  );

export const anyOf = (uuids: readonly string[]): Sql => sql`any(${[...uuids]}::uuid[])`;

/**
 * Rows as a table: `unnest(rows, { partnerId: 'uuid' })` has the column `partner_id`. Names and types come
 * from our code, never from a request.
 */
export function unnest<Row>(
  rows: readonly Row[],
  types: { readonly [Name in keyof Row & string]?: string },
  table = 'given',
): Sql {
  const names = Object.keys(types) as (keyof Row & string)[];
  const arrays = names.map((name) => sql`${rows.map((row) => row[name])}::${raw(`${types[name]}[]`)}`);
  const columns = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return sql`unnest(${join(arrays)}) as ${raw(table)} (${columnList(columns)})`;
}
