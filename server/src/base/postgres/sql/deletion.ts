// Deletes what has expired in parts: after downtime, millions of rows can have.
import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import type { ScheduledTask } from '../scheduled-tasks.ts';

/** One statement must end well before its time limit. */
const mostAtOnce = 20_000;

/** `from auth.session`, and what is deleted of it. */
export type Some = readonly [from: Sql, where: Sql];

/**
 * Deletes a part of the rows. Returns whether there may be more. The condition is asked of each row again: a row can
 * change meanwhile, and PostgreSQL before 17.7 and 18.1 does not compare its ctid then. `is true` keeps the planner from
 * an index, with which each row would be sought in the whole array.
 */
export async function deleteSome(
  tx: Transaction,
  [from, where]: Some,
  atOnce = mostAtOnce,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete ${from} where (${where}) is true and ctid = any(array(select ctid ${from} where ${where} limit ${atOnce}))
    returning 1`);
  return rows.length === atOnce;
}

type Deletion = Omit<ScheduledTask, 'run'> & { readonly of: readonly Some[]; readonly atOnce?: number };

/** The scheduled task that does so for these tables. */
export const deletionTask = ({ of, atOnce, ...task }: Deletion): ScheduledTask => ({
  ...task,
  async run(tx) {
    let hasMore = false;
    for (const some of of) if (await deleteSome(tx, some, atOnce)) hasMore = true;
    return hasMore;
  },
});
