// The SQL of what is pending now. Each statement reads a bounded part of an index of pending deliveries.
import sql, { join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import { anyOf, queryValues, requireRow } from '../../../base/postgres/sql/rows.ts';

/** Counting stops there. */
const maxPending = 100_000;

export type Pending = { pending: number; age: number | null };
export type PendingOf = Pending & { endpoint_id: string };

const age = sql`floor(extract(epoch from greatest(concord_now() - oldest.created_at, interval '0')))::float8`;
const pendingOf = (which: Sql, oldest: Sql, most: number) => sql`
  select (select count(*) from (select from delivery where ${which} status = 'pending' limit ${most}) counted)::int as pending,
    (select ${age} from (${oldest}) oldest) as age`;
const firstBy = (order: Sql, which: Sql) =>
  sql`(select created_at from delivery where ${which} status = 'pending' order by ${order} limit 1)`;

export async function selectPending(on: Queryable, partnerId: string | null): Promise<Pending> {
  const which = partnerId === null ? sql`` : sql`partner_id = ${partnerId} and`;
  return requireRow(await on.query<Pending>(pendingOf(which, firstBy(sql`id`, which), maxPending)), 'count');
}

/** By endpoint. The endpoints share the bound. */
export async function selectPendingOf(on: Queryable, endpointIds: readonly string[]): Promise<PendingOf[]> {
  if (endpointIds.length === 0) return [];
  const most = Math.floor(maxPending / endpointIds.length);
  // One by one, so that each uses the indexes that begin with the endpoint.
  const each = endpointIds.map((id) => {
    const which = sql`endpoint_id = ${id} and`;
    const [due, restored] = [sql`<`, sql`=`].map((is) =>
      firstBy(sql`position`, sql`${which} next_attempt_at ${is} 'infinity' and`),
    );
    const oldest = sql`select min(created_at) as created_at from (${due} union all ${restored}) ends having count(*) > 0`;
    return sql`select ${id}::uuid as endpoint_id, one.* from (${pendingOf(which, oldest, most)}) one`;
  });
  return on.query<PendingOf>(join(each, ' union all '));
}

export function selectEndpointIds(
  on: Queryable,
  partnerId: string,
  only: readonly string[] | undefined,
): Promise<string[]> {
  const chosen = only && sql`and id = ${anyOf(only)}`;
  return queryValues(
    on,
    sql`select id from webhook_endpoint where partner_id = ${partnerId} ${chosen ?? sql``} order by id`,
  );
}
