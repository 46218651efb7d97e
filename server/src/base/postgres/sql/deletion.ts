// Deletes what has expired in parts: after downtime, millions of rows can have.
import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import type { ScheduledTask } from '../scheduled-tasks.ts';

/** One statement must end well before its time limit. */
const mostAtOnce = 20_000;

/**
 * Deletes a part of the rows. Returns whether there may be more. `from`: `from TABLE where CONDITION and …`, without
 * `or`. It is asked of each row again: a row can change meanwhile, and PostgreSQL before 17.7 and 18.1 does not
 * compare its ctid then.
 */
export async function deleteSome(tx: Transaction, from: Sql, atOnce = mostAtOnce): Promise<boolean> {
  const rows = await tx.query(
    sql`delete ${from} and ctid = any(array(select ctid ${from} limit ${atOnce})) returning 1`,
  );
  return rows.length === atOnce;
}

type Deletion = Omit<ScheduledTask, 'run'> & { readonly of: readonly Sql[]; readonly atOnce?: number };

/** The scheduled task that does so for these tables. */
export const deletionTask = ({ of, atOnce, ...task }: Deletion): ScheduledTask => ({
  ...task,
  async run(tx) {
    let hasMore = false;
    for (const from of of) if (await deleteSome(tx, from, atOnce)) hasMore = true;
    return hasMore;
  },
});
