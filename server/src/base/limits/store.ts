// The table request_window: a row for each credential or address that has sent requests, for all instances.
import sql from 'sql-template-tag';
import type { Queryable } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';
import { columnOf, hasRows } from '../postgres/sql/rows.ts';
import type { Counted, CountedWindow } from './shared-counts.ts';

/** A window that ends much later is from before the clock was set back. */
const lasts = sql`known.ends_at > concord_now() and known.ends_at <= excluded.ends_at + interval '1 minute'`;

export function countRequests(
  on: Queryable,
  counted: readonly Counted[],
  windowSeconds: number,
): Promise<CountedWindow[]> {
  const column = columnOf(counted);
  // Ordered, so that the statements of two instances cannot deadlock.
  return on.query<CountedWindow>(
    sql`insert into request_window as known (key, ends_at, requests)
        select key, concord_now() + make_interval(secs => ${windowSeconds}), requests
        from unnest(${column('key')}::text[], ${column('requests')}::integer[]) as asked (key, requests) order by key
        on conflict (key) do update set
          requests = case when ${lasts} then known.requests else 0 end + excluded.requests,
          ends_at = case when ${lasts} then known.ends_at else excluded.ends_at end
        returning key, requests::float8 as total, extract(epoch from ends_at - concord_now())::float8 as seconds_left`,
    'count requests',
  );
}

const deletedAtOnce = 10_000;

/** Strangers with a large IPv6 network start new windows all the time. */
export const deleteEndedWindows: ScheduledTask = {
  name: 'delete ended request windows',
  intervalMs: 1_000,
  hasWork: (on) => hasRows(on, sql`select from request_window where ends_at <= concord_now() limit 1`),
  run: (tx) =>
    tx.write(sql`
      delete from request_window where key in
        (select key from request_window where ends_at <= concord_now() order by ends_at limit ${deletedAtOnce} for update skip locked)`),
};
