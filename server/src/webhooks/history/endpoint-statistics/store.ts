// The SQL of what is pending now, from a bounded part of an index of pending deliveries, and of endpoints that may
// need attention.
import sql, { join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import { anyOf, queryValues, requireRow } from '../../../base/postgres/sql/rows.ts';
import type { FailingEndpoint } from './schema.ts';

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

/** Ids are bare UUIDs. */
type SuspectRow = Omit<FailingEndpoint, 'partner' | 'since' | 'recent'> & {
  partner_id: string;
  partner_name: string;
  disabled_at: Date | null;
  failing_since: Date | null;
};

const maxDisabled = 50;
const maxFailing = 200;
const ofLivePartner = sql`join partner on partner.id = endpoint.partner_id and partner.deleted_at is null`;

/**
 * Endpoints that Concord disabled in the last week, those that have failed for the longest time, and
 * `others`. Paused ones are left out.
 */
export const selectSuspects = (on: Queryable, others: readonly string[]) =>
  on.query<SuspectRow>(sql`
    select partner.id as partner_id, partner.name as partner_name, endpoint.id as endpoint_id, endpoint.url, endpoint.description,
      endpoint.environment, endpoint.status, endpoint.disabled_reason, endpoint.disabled_at, lane.failing_since
    from (
      (select endpoint.id from webhook_endpoint endpoint ${ofLivePartner}
        where endpoint.status = 'disabled' and disabled_at > concord_now() - interval '7 days' order by disabled_at desc limit ${maxDisabled})
      union (select endpoint.id from lane join webhook_endpoint endpoint on endpoint.id = lane.endpoint_id and endpoint.status = 'active' ${ofLivePartner}
        where failing_since is not null order by failing_since limit ${maxFailing})
      union select unnest(${[...others]}::uuid[])) suspect
    join webhook_endpoint endpoint using (id)
    join lane on lane.endpoint_id = endpoint.id
    ${ofLivePartner}
    where endpoint.status <> 'paused'`);
