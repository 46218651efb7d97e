// Finds out that the clock of the database was set back: what was due would wait that much longer.
import sql from 'sql-template-tag';
import type { Transaction } from './database.ts';
import type { ScheduledTask } from './scheduled-tasks.ts';
import { requireRow } from './sql/rows.ts';

/** Makes due, in bounded batches, what was due at `latest`. Returns whether nothing is left. */
export type ClockSetBack = (tx: Transaction, latest: Date) => Promise<boolean>;

/** The clock went on after the last look. */
const unseen = sql`interval '10 seconds'`;
/** Until then a transaction that began before can commit. */
const transactionEnds = sql`interval '12 seconds'`;
/** Smaller steps only delay what is due. */
const tolerated = sql`interval '2 seconds'`;

export function createClockWatch(
  features: readonly { clockSetBack?: ClockSetBack }[],
  onSetBack: (ms: number) => void,
): ScheduledTask {
  return {
    name: 'watch the clock',
    intervalMs: 5_000,
    async run(tx) {
      await tx.query(sql`insert into clock_mark (latest) values (concord_now()) on conflict do nothing`);
      const rows = await tx.query<{ latest: Date; back_ms: number | null; is_over: boolean }>(
        sql`select latest + ${unseen} as latest,
            case when concord_now() < latest - ${tolerated} then extract(epoch from latest - concord_now())::float8 * 1000 end as back_ms,
            coalesce(noticed_at between concord_now() - interval '1 hour' and concord_now() - ${transactionEnds}, false) as is_over
          from clock_mark for update`,
      );
      const { latest, back_ms, is_over } = requireRow(rows, 'mark of the clock');
      if (back_ms !== null) {
        if (!is_over) {
          const noticed = sql`case when noticed_at between concord_now() - interval '1 hour' and concord_now() then noticed_at end`;
          await tx.query(sql`update clock_mark set noticed_at = coalesce(${noticed}, concord_now())`);
          return;
        }
        onSetBack(back_ms);
        for (const { clockSetBack } of features)
          if (clockSetBack && !(await clockSetBack(tx, latest))) return;
      }
      await tx.query(sql`update clock_mark set latest = concord_now(), noticed_at = null`);
    },
  };
}
