// Deletes what has expired in parts: after downtime, millions of rows can have.
import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import type { ScheduledTask } from '../scheduled-tasks.ts';

/** A statement must end well before its time limit, also for sessions with all that hangs on them, and large bodies. */
const atOnce = 5_000;

/** `from auth.session`, and what is deleted of it. */
export type Some = readonly [from: Sql, where: Sql];

/**
 * Deletes a part of the rows. Returns whether there may be more. The condition is asked of each row again: a row can
 * change meanwhile, and PostgreSQL before 17.7 and 18.1 does not compare its ctid then. `is true` stops the planner
 * from using an index of the condition: it would then compare each row with the whole array.
 */
export async function deleteSome(tx: Transaction, [from, where]: Some): Promise<boolean> {
  const rows = await tx.query(sql`
    delete ${from} where (${where}) is true and ctid = any(array(select ctid ${from} where ${where} limit ${atOnce}))
    returning 1`);
  return rows.length === atOnce;
}

type Deletion = Omit<ScheduledTask, 'run'> & { readonly of: readonly Some[] };

/** A scheduled task that deletes a part of each of these tables, and runs again at once while there is more. */
export const deletionTask = ({ of, ...task }: Deletion): ScheduledTask => ({
  ...task,
  async run(tx) {
    let hasMore = false;
    for (const some of of) if (await deleteSome(tx, some)) hasMore = true;
    return hasMore;
  },
});
