// Reading the answer of a statement.
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../database.ts';

/** The first row. @throws Error when there is none: the caller has locked or just written the row. */
export function requireRow<Row>([row]: readonly Row[], what: string): Row {
  if (row === undefined) throw new Error(`The ${what} that was locked or just written is gone`);
  return row;
}

/** Counts rows: `selectCount(db, sql\`partner where deleted_at is null\`)`. */
export async function selectCount(on: Queryable, from: Sql): Promise<number> {
  const [row] = await on.query<{ count: number }>(sql`select count(*)::int as count from ${from}`);
  return row?.count ?? 0;
}
