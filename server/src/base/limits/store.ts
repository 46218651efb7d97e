// The SQL of counts in time windows, for all instances.
import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import { hasRows, unnest } from '../postgres/sql/rows.ts';
import type { Counted, CountedWindow } from './shared-counts.ts';

/** A row for each credential or address that has sent requests. A crash of the database empties it. */
export const windows = raw('request_window');
/** A row for each key of a quota, such as an account, that was used lately. It survives a crash. */
export const quotas = raw('guard_count');

/** A window that ends much later is from before the clock was set back. */
const lasts = sql`known.ends_at > concord_now() and known.ends_at <= excluded.ends_at + interval '1 minute'`;

export function countRequests(
  on: Queryable,
  table: typeof windows,
  counted: readonly Counted[],
  windowSeconds: number,
): Promise<CountedWindow[]> {
  // Ordered, so that the statements of two instances cannot deadlock.
  return on.query<CountedWindow>(
    sql`insert into ${table} as known (key, ends_at, requests)
        select key, concord_now() + make_interval(secs => ${windowSeconds}), requests
        from ${unnest(counted, { key: 'text', requests: 'integer' })} order by key
        on conflict (key) do update set
          requests = case when ${lasts} then known.requests else 0 end + excluded.requests,
          ends_at = case when ${lasts} then known.ends_at else excluded.ends_at end
        returning key, requests::float8 as total, extract(epoch from ends_at - concord_now())::float8 as seconds_left`,
    `count in ${table.sql}`,
  );
}

/** What was no use after all. */
export const refundRequest = (on: Queryable, key: string): Promise<void> =>
  on.write(sql`update guard_count set requests = requests - 1 where key = ${key} and requests > 0`);

export const deleteCount = (on: Queryable, key: string): Promise<void> =>
  on.write(sql`delete from guard_count where key = ${key}`);

const deletedAtOnce = 10_000;
const ended = (table: typeof windows) => sql`from ${table} where ends_at <= concord_now()`;

/** Strangers with a large IPv6 network start new windows all the time. */
export const deleteEndedWindows: ScheduledTask = {
  name: 'delete ended request windows',
  intervalMs: 1_000,
  hasWork: (on) =>
    hasRows(on, sql`(select ${ended(windows)} limit 1) union all (select ${ended(quotas)} limit 1)`),
  async run(tx) {
    for (const table of [windows, quotas])
      await tx.write(sql`
        delete from ${table} where key in
          (select key ${ended(table)} order by ends_at limit ${deletedAtOnce} for update skip locked)`);
  },
};
