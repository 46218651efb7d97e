// The SQL that bounds notices: how many a user got of one kind in the last hour.
import sql from 'sql-template-tag';
import type { Transaction } from '../../base/postgres/database.ts';
import { requireRow } from '../../base/postgres/sql/rows.ts';

/** Notices of one kind to one user in an hour. The last one says that it is the last. */
export const maxNoticesAnHour = 5;

/** Counts a notice. @returns its number in this hour, from 1 */
export async function countNotice(tx: Transaction, userId: string, kind: string) {
  const rows = await tx.query<{ sent: number }>(sql`
    insert into auth.notice_count as counted (user_id, kind, since, sent) values (${userId}, ${kind}, concord_now(), 1)
    on conflict (user_id, kind) do update set
      sent = case when counted.since > concord_now() - interval '1 hour' then counted.sent + 1 else 1 end,
      since = case when counted.since > concord_now() - interval '1 hour' then counted.since else excluded.since end
    returning sent`);
  return requireRow(rows, 'notice').sent;
}
