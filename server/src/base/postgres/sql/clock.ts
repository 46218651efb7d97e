// Time in SQL: the database's clock, which tests replace, and `updated_at`.
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../database.ts';
import { requireRow } from './rows.ts';

/** In milliseconds. In a transaction: when it began. */
export async function readClock(on: Queryable): Promise<Date> {
  return requireRow(await on.query<{ now: Date }>(sql`select concord_now() as now`, 'clock'), 'clock').now;
}

export const msAgo = (ms: number): Sql => sql`concord_now() - ${ms} * interval '1 millisecond'`;

export const msAhead = (ms: number): Sql => sql`concord_now() + ${ms} * interval '1 millisecond'`;

/** Strictly later, even within one millisecond or after the clock went back. */
export const movedForward = (column: Sql = sql`updated_at`): Sql =>
  sql`greatest(concord_now(), ${column} + interval '1 millisecond')`;
