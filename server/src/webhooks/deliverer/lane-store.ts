// The SQL of lanes: an endpoint each. Who owns one, by a lease, sends what is due in it; `next_at` is when it is due, or when the lease ends.
import sql from 'sql-template-tag';
import type { Database, Queryable, Transaction } from '../../postgres/database.ts';

/** Listened to by every deliverer. */
export const laneChannel = 'concord_lanes';
const lease = sql`interval '20 seconds'`;
export const renewEveryMs = 5_000;

export type Claimed = Lease & { readonly failingSince: Date | null };
export type Lease = { readonly endpointId: string; readonly epoch: string };

/** Of the endpoints that are given, those that are still there: locked, so that none is deleted, and no owner lets go, meanwhile. */
export async function holdLanes(tx: Transaction, endpointIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ endpoint_id: string }>(
    sql`select endpoint_id from lane where endpoint_id = any(${[...endpointIds]}) order by endpoint_id for key share`,
    'hold lanes',
  );
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/**
 * To be called after what is due was written, with the lanes held, as a statement of its own: one that an owner is just letting go is then
 * seen. A lane that has an owner is left to it.
 */
export async function wakeLanes(tx: Transaction, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return;
  await tx.query(
    sql`
    with asleep as (
      select endpoint_id from lane where endpoint_id = any(${[...endpointIds]}) and owner is null and next_at > concord_now()
      order by endpoint_id for no key update),
    woken as (update lane set next_at = concord_now() from asleep where lane.endpoint_id = asleep.endpoint_id returning 1)
    select pg_notify(${laneChannel}, '') from woken limit 1`,
    'wake lanes',
  );
}

/** What a notification says when it is of a recovery, and of no lane. */
export const ofRecovery = 'recovery';

export async function notifyRecovery(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_notify(${laneChannel}, ${ofRecovery})`);
}

/** Its attempts begin anew: what failed before counts no more. */
export async function forgetFailing(tx: Transaction, endpointId: string): Promise<void> {
  await tx.query(sql`update lane set failing_since = null where endpoint_id = ${endpointId} and failing_since is not null`);
}

export async function insertLane(tx: Transaction, endpointId: string): Promise<void> {
  await tx.query(sql`insert into lane (endpoint_id) values (${endpointId})`);
}

/** Those that are due, the longest waiting first. Those whose every attempt failed of late are counted apart, so that they crowd out no other. */
export async function claimLanes(
  on: Queryable,
  owner: string,
  { healthy, failing }: { healthy: number; failing: number },
): Promise<Claimed[]> {
  const due = sql`next_at <= concord_now() and next_at < 'infinity'`;
  const rows = await on.query<{ endpoint_id: string; epoch: string; failing_since: Date | null }>(
    sql`
    with healthy as (
      select endpoint_id from lane where ${due} and failing_since is null order by next_at limit ${healthy}
      for no key update skip locked),
    failing as (
      select endpoint_id from lane where ${due} and failing_since is not null order by next_at limit ${failing}
      for no key update skip locked),
    due as (select endpoint_id from healthy union all select endpoint_id from failing)
    update lane set owner = ${owner}, epoch = lane.epoch + 1, next_at = concord_now() + ${lease}
    from due where lane.endpoint_id = due.endpoint_id returning lane.endpoint_id, lane.epoch, lane.failing_since`,
    'claim lanes',
  );
  return rows.map(({ endpoint_id: endpointId, epoch, failing_since: failingSince }) => ({ endpointId, epoch, failingSince }));
}

/** Answers with those that are still ours: one that is just being let go keeps its epoch, and must not wait for the end of a lease. */
export async function renewLanes(on: Queryable, owner: string, leases: readonly Lease[]): Promise<Set<string>> {
  const rows = await on.query<{ endpoint_id: string }>(sql`
    with ours as (
      select lane.endpoint_id from lane join ${held(leases)} on lane.endpoint_id = held.endpoint_id and lane.epoch = held.epoch
      where lane.owner = ${owner} order by lane.endpoint_id for no key update of lane)
    update lane set next_at = concord_now() + ${lease} from ours where lane.endpoint_id = ours.endpoint_id returning lane.endpoint_id`);
  return new Set(rows.map(({ endpoint_id }) => endpoint_id));
}

/**
 * Lets go of lanes, each until its next delivery is due. First the lock, then in a new statement the look: what was published meanwhile is
 * seen. A lane that somebody is just publishing to is kept. `gone`: those that were let go, or were ours no more; `dueInMs`: when the first of them is.
 */
export async function releaseLanes(db: Database, leases: readonly Lease[]): Promise<{ gone: Set<string>; dueInMs: number }> {
  if (leases.length === 0) return { gone: new Set(), dueInMs: Number.POSITIVE_INFINITY };
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ endpoint_id: string; epoch: string }>(
      sql`
      select lane.endpoint_id, lane.epoch from lane where endpoint_id = any(${leases.map(({ endpointId }) => endpointId)})
      order by endpoint_id for update skip locked`,
      'lock lanes',
    );
    const epochs = new Map(rows.map(({ endpoint_id, epoch }) => [endpoint_id, epoch]));
    const ours = leases.filter(({ endpointId, epoch }) => epochs.get(endpointId) === epoch);
    const released = await tx.query<{ due_in_ms: number }>(
      sql`
      update lane set owner = null, next_at = coalesce((
        select greatest(due.at, concord_now())
        from webhook_endpoint endpoint join partner on partner.id = endpoint.partner_id and partner.deleted_at is null
        cross join lateral (select case endpoint.ordering
          when 'none' then (select min(next_attempt_at) from delivery where endpoint_id = lane.endpoint_id and status = 'pending')
          else (select next_attempt_at from delivery where endpoint_id = lane.endpoint_id and status = 'pending' order by position limit 1)
        end as at) due
        where endpoint.id = lane.endpoint_id and endpoint.status = 'active' and due.at is not null), 'infinity')
      where endpoint_id = any(${ours.map(({ endpointId }) => endpointId)}) 
      returning extract(epoch from next_at - concord_now())::float8 * 1000 as due_in_ms`,
      'release lanes',
    );
    const lost = leases.filter(({ endpointId, epoch }) => (epochs.get(endpointId) ?? epoch) !== epoch);
    return {
      gone: new Set([...ours, ...lost].map(({ endpointId }) => endpointId)),
      dueInMs: Math.min(...released.map(({ due_in_ms }) => due_in_ms)),
    };
  });
}

const held = (leases: readonly Lease[]) => sql`unnest(${leases.map(({ endpointId }) => endpointId)}::uuid[],
  ${leases.map(({ epoch }) => epoch)}::bigint[]) as held (endpoint_id, epoch)`;
