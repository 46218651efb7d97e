// The SQL of lanes, one for each endpoint. Only the owner of a lane sends its due deliveries. `next_at` is
// when the lane is due, or when the lease of its owner ends.
import sql, { type Sql } from 'sql-template-tag';
import type { Database, Queryable, Transaction } from '../../base/postgres/database.ts';
import { anyOf, queryValues, selectCount, unnest } from '../../base/postgres/sql/rows.ts';
import { lastDelivered } from '../statistics/index.ts';

/**
 * Every deliverer listens to this channel. The payload is empty, names endpoints whose owners should look, or
 * is `replayPayload` or `checkPayload`.
 */
export const laneChannel = 'concord_lanes';
const lease = sql`interval '20 seconds'`;
export const renewEveryMs = 5_000;

export type Lease = Readonly<{ endpointId: string; epoch: string }>;
export type Claimed = Lease & { readonly failingSince: Date | null };
const claimedColumns = sql`lane.endpoint_id as "endpointId", lane.epoch, lane.failing_since as "failingSince"`;
const idsOf = (leases: readonly Lease[]) => leases.map(({ endpointId }) => endpointId);
const held = (leases: readonly Lease[]) => unnest(leases, { endpointId: 'uuid', epoch: 'bigint' }, 'held');

/**
 * Locks lanes until the commit: no endpoint is deleted, and no owner releases a lane. Returns the endpoints
 * that still exist. Every transaction locks lanes before deliveries.
 */
export const holdLanes = (tx: Transaction, endpointIds: readonly string[]) =>
  queryValues<string>(
    tx,
    sql`select endpoint_id from lane where endpoint_id = ${anyOf(endpointIds)} order by endpoint_id for key share`,
    'hold lanes',
  );

/** Keeps lanes until the commit: nobody claims them. Call it before deliveries are locked. */
export async function keepLanes(tx: Transaction, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await tx.query(
    sql`select from lane where endpoint_id = ${anyOf(idsOf(leases))} order by endpoint_id for share`,
    'keep lanes',
  );
}

const isAsleep = sql`owner is null and next_at > concord_now()`;

/**
 * Parts of another statement that hold one lane if nobody has locked it: one if it is asleep, which also
 * keeps it for `wakeLanes`, and one if it is not. Neither has a row for a lane that somebody has locked, or
 * that changes at this moment.
 */
export const holdAsleep = (endpointId: Sql): Sql =>
  sql`select endpoint_id from lane where endpoint_id = ${endpointId} and ${isAsleep} for no key update skip locked`;
export const holdAwake = (endpointId: Sql): Sql =>
  sql`select endpoint_id from lane where endpoint_id = ${endpointId} and not (${isAsleep}) for key share skip locked`;

/**
 * Who takes the lanes that a publisher wakes. Lanes that fail stay for everyone, since deliverers limit them.
 */
export type Claim = { owner: string; endpointIds: readonly string[] };

/**
 * `claimed`: the owner of the claim has the lane now. `kept`: it had the lane already, with a lease that has not
 * ended. `version` is that of the endpoint.
 */
export type Taken = Claimed & Readonly<{ version: string; state: 'woken' | 'claimed' | 'kept' }>;

/**
 * Makes sleeping lanes due, or claims those of `claim`. Call it with the lanes held, after the due deliveries
 * are written: as a later statement it sees a lane that its owner has just released. A lane with an owner
 * stays as it is. After the commit deliverers are notified, and owners hear which of their lanes have
 * something due.
 */
export async function wakeLanes(
  tx: Transaction,
  endpointIds: readonly string[],
  claim?: Claim,
): Promise<Taken[]> {
  if (endpointIds.length === 0) return [];
  const { owner = null, endpointIds: wanted = [] } = claim ?? {};
  const given = anyOf(endpointIds);
  const rows = await tx.query<Taken>(
    sql`
    with asleep as (
      select endpoint_id, failing_since is null and endpoint_id = ${anyOf(wanted)} as claimed from lane
      where endpoint_id = ${given} and ${isAsleep} order by endpoint_id for no key update),
    woken as (
      update lane set owner = case when claimed then ${owner}::uuid end, epoch = epoch + claimed::int,
        next_at = case when claimed then concord_now() + ${lease} else concord_now() end
      from asleep where lane.endpoint_id = asleep.endpoint_id
      returning ${claimedColumns}, case when claimed then 'claimed' else 'woken' end as state),
    seen as (
      select * from woken union all select ${claimedColumns}, 'kept' from lane
      where endpoint_id = ${given} and owner = ${owner}::uuid and next_at > concord_now())
    select seen.*, endpoint.xmin::text as version from seen join webhook_endpoint endpoint on endpoint.id = "endpointId"`,
    'wake lanes',
  );
  if (rows.some(({ state }) => state === 'woken')) tx.notifyAfterCommit(laneChannel);
  const seen = new Set(idsOf(rows));
  const awake = endpointIds.filter((endpointId) => !seen.has(endpointId));
  for (let from = 0; from < awake.length; from += idsAtOnce)
    tx.notifyAfterCommit(laneChannel, awake.slice(from, from + idsAtOnce).join(' '));
  return rows.filter(({ state }) => state !== 'woken');
}

/** A notification has less than 8,000 bytes. */
const idsAtOnce = 200;

/** The payloads of notifications about a replay or a check instead of a lane. */
export const replayPayload = 'replay';
export const checkPayload = 'check';

/** Earlier failures no longer count. With the lanes held. */
export const clearFailing = (tx: Transaction, endpointIds: readonly string[]) =>
  tx.write(sql`
    update lane set failing_since = null, failing_announced = false
    where endpoint_id = ${anyOf(endpointIds)} and failing_since is not null`);

export const insertLane = (tx: Transaction, endpointId: string) =>
  tx.write(sql`insert into lane (endpoint_id) values (${endpointId})`);

/**
 * Claims due lanes, those that waited longest first. Failing lanes have their own limit, so that they cannot
 * crowd out the others.
 */
export function claimLanes(
  on: Queryable,
  owner: string,
  { healthy, failing }: { healthy: number; failing: number },
): Promise<Claimed[]> {
  const due = (which: Sql, most: number) => sql`
    select endpoint_id from lane where next_at <= concord_now() and next_at < 'infinity' and failing_since ${which}
    order by next_at limit ${most} for no key update skip locked`;
  return on.query<Claimed>(
    sql`
    with healthy as (${due(sql`is null`, healthy)}),
    failing as (${due(sql`is not null`, failing)}),
    due as (select endpoint_id from healthy union all select endpoint_id from failing)
    update lane set owner = ${owner}, epoch = lane.epoch + 1, next_at = concord_now() + ${lease}
    from due where lane.endpoint_id = due.endpoint_id returning ${claimedColumns}`,
    'claim lanes',
  );
}

/** Makes every lane due that has an owner. Only for a process that knows that no other process sends. */
export const releaseAllLanes = (on: Queryable) =>
  on.write(
    sql`update lane set owner = null, epoch = epoch + 1, next_at = concord_now() where owner is not null`,
  );

/** The lanes of an owner whose leases have not ended. */
export const selectOwnedLanes = (on: Queryable, owner: string) =>
  on.query<Claimed>(sql`
    select ${claimedColumns} from lane
    where owner = ${owner} and next_at > concord_now() and next_at <= concord_now() + ${lease} and next_at < 'infinity'`);

/**
 * Renews leases. Returns the endpoints of the lanes that are still ours. A released lane keeps its epoch, but
 * not its owner.
 */
export async function renewLanes(
  on: Queryable,
  owner: string,
  leases: readonly Lease[],
): Promise<Set<string>> {
  const renewed = await queryValues<string>(
    on,
    sql`
    with ours as (
      select lane.endpoint_id from lane join ${held(leases)} on lane.endpoint_id = held.endpoint_id and lane.epoch = held.epoch
      where lane.owner = ${owner} order by lane.endpoint_id for no key update of lane)
    update lane set next_at = concord_now() + ${lease} from ours where lane.endpoint_id = ours.endpoint_id returning lane.endpoint_id`,
  );
  return new Set(renewed);
}

/** How many of these lanes others have claimed since. A lane whose endpoint is deleted is not counted. */
export const countClaimedByOthers = (on: Queryable, owner: string, leases: readonly Lease[]) =>
  selectCount(
    on,
    sql`lane join ${held(leases)} on lane.endpoint_id = held.endpoint_id and lane.epoch > held.epoch
      where lane.owner is distinct from ${owner}`,
  );

const maxCounted = 10_000;

/**
 * The lanes that have something to do, by state. `owned`: a process sends. `due`: no process has claimed it
 * yet. `expired`: the lease of its owner has ended. `waiting`: until a retry. `oldestDueAge`: how many
 * seconds the first of the due and expired ones waits.
 */
export async function selectLaneStates(
  on: Queryable,
): Promise<{ states: Record<string, number>; oldestDueAge: number | null }> {
  const rows = await on.query<{ state: string; count: number; age: number }>(sql`
    select case when next_at > concord_now() then case when owner is null then 'waiting' else 'owned' end
        when owner is null then 'due' else 'expired' end as state,
      count(*)::int as count, extract(epoch from concord_now() - min(next_at))::float8 as age
    from (select owner, next_at from lane where next_at < 'infinity' order by next_at limit ${maxCounted}) busy
    group by 1`);
  const late = rows.filter(({ age }) => age > 0);
  return {
    states: {
      owned: 0,
      due: 0,
      expired: 0,
      waiting: 0,
      ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
    },
    oldestDueAge: late.length === 0 ? null : Math.max(...late.map(({ age }) => age)),
  };
}

const maxEvents = sql`(endpoint.batch ->> 'max_events')::int`;
const pendingHere = sql`select attempt_count, batch_id from delivery where endpoint_id = lane.endpoint_id and status = 'pending'`;
/**
 * Whether the next batch of `lane` is full, so it does not wait for its time (behaviour W70). What it is formed from:
 * deliveries without an attempt, which at a strict endpoint are the first ones. The table of the endpoint is
 * `endpoint`.
 */
const hasFullBatch = sql`(select count(*) filter (where attempt_count = 0 and batch_id is null) = ${maxEvents} from (
  (${pendingHere} and endpoint.ordering = 'none' and attempt_count = 0 and batch_id is null
     and next_attempt_at <= concord_now() + interval '60 seconds' order by next_attempt_at limit ${maxEvents})
  union all
  (${pendingHere} and endpoint.ordering = 'strict' and next_attempt_at < 'infinity' order by position limit ${maxEvents})) next)`;

/**
 * Releases lanes, each until its next delivery is due. It locks first and reads in a new statement, so that
 * it sees deliveries that were published meanwhile. A lane that a publisher holds is kept. `gone` has the
 * lanes that are no longer ours, and `dueInMs` is the time until the first of them is due.
 */
export async function releaseLanes(
  db: Database,
  leases: readonly Lease[],
): Promise<{ gone: Set<string>; dueInMs: number }> {
  if (leases.length === 0) return { gone: new Set(), dueInMs: Number.POSITIVE_INFINITY };
  return db.transaction(async (tx) => {
    const rows = await tx.query<Lease>(
      sql`
      select endpoint_id as "endpointId", epoch from lane where endpoint_id = ${anyOf(idsOf(leases))}
      order by endpoint_id for update skip locked`,
      'lock lanes',
    );
    const epochs = new Map(rows.map(({ endpointId, epoch }) => [endpointId, epoch]));
    const ours = leases.filter(({ endpointId, epoch }) => epochs.get(endpointId) === epoch);
    const dueInMs = await queryValues<number>(
      tx,
      sql`
      update lane set owner = null, next_at = coalesce((
        select case when endpoint.batch is not null and ${hasFullBatch} then concord_now() else greatest(due.at, concord_now()) end
        from webhook_endpoint endpoint join partner on partner.id = endpoint.partner_id and partner.deleted_at is null
        cross join lateral (select case endpoint.ordering
          when 'none' then (select min(next_attempt_at) from delivery where endpoint_id = lane.endpoint_id and status = 'pending')
          else (select next_attempt_at from delivery
                where endpoint_id = lane.endpoint_id and status = 'pending' and next_attempt_at < 'infinity' order by position limit 1)
        end as at) due
        where endpoint.id = lane.endpoint_id and endpoint.status = 'active' and not endpoint.unchecked and due.at is not null), 'infinity')
      where endpoint_id = ${anyOf(idsOf(ours))}
      returning extract(epoch from next_at - concord_now())::float8 * 1000`,
      'release lanes',
    );
    const lost = leases.filter(({ endpointId, epoch }) => (epochs.get(endpointId) ?? epoch) !== epoch);
    return { gone: new Set(idsOf([...ours, ...lost])), dueInMs: Math.min(...dueInMs) };
  });
}

/**
 * Records since when every attempt in a lane has failed. A success clears it. As for results, the owner may have
 * claimed the lane again.
 */
export async function updateFailing(
  tx: Transaction,
  owner: string,
  lanes: readonly (Lease & { failing: boolean })[],
): Promise<void> {
  if (lanes.length === 0) return;
  const judged = unnest(lanes, { endpointId: 'uuid', epoch: 'bigint', failing: 'boolean' }, 'judged');
  await tx.query(sql`
    with judged as (
      select judged.endpoint_id, judged.failing from ${judged} join lane on lane.endpoint_id = judged.endpoint_id and (lane.epoch = judged.epoch or lane.owner = ${owner})
      order by judged.endpoint_id for no key update of lane)
    update lane set failing_since = case when judged.failing then concord_now() end
    from judged where lane.endpoint_id = judged.endpoint_id and (lane.failing_since is null) = judged.failing`);
}

/**
 * The end of the last minute after `failing_since` in which the endpoint got something. Null: there is none. A process
 * can be killed after it has recorded a success, and before it has cleared `failing_since`.
 */
export const deliveredUntil = sql`(
  select ${lastDelivered(sql`endpoint.partner_id`, sql`endpoint.id`, sql`lane.failing_since`)}
  from webhook_endpoint endpoint where endpoint.id = lane.endpoint_id)`;

/** Lets failures begin after the last success. `others`: lanes that the transaction changes later. */
export async function correctFailing(
  tx: Transaction,
  leases: readonly Lease[],
  others: readonly Lease[],
): Promise<void> {
  if (leases.length === 0) return;
  // All in one order, as a renewal locks them.
  const all = anyOf(idsOf([...leases, ...others]));
  await tx.query(sql`select from lane where endpoint_id = ${all} order by endpoint_id for no key update`);
  await tx.query(sql`
    with late as (
      select lane.endpoint_id, ${deliveredUntil} as until from lane join ${held(leases)} on lane.endpoint_id = held.endpoint_id and lane.epoch = held.epoch)
    update lane set failing_since = late.until from late where lane.endpoint_id = late.endpoint_id and late.until is not null`);
}

/** More than the clocks of a claim and of this statement differ. */
const leaseAndMargin = sql`interval '25 seconds'`;
const deliveriesAtOnce = 20_000;

/** Those that match, 20,000 at most. Returns how many. */
async function makeDeliveriesDue(tx: Transaction, latest: Date, which: Sql): Promise<number> {
  const found = await queryValues<string>(
    tx,
    sql`
    select due.id from lane cross join lateral (
      select id from delivery where endpoint_id = lane.endpoint_id and status = 'pending' and ${which}
        and next_attempt_at > concord_now() and next_attempt_at <= ${latest} limit ${deliveriesAtOnce}) due
    limit ${deliveriesAtOnce}`,
  );
  // By ids, since a join would read every partition.
  await tx.query(sql`
    update delivery set next_attempt_at = concord_now()
    where id = ${anyOf(found)} and status = 'pending' and next_attempt_at > concord_now()`);
  return found.length;
}

/**
 * Makes due what had become due at `latest`, before the clock of the database was set back: deliveries, and
 * lanes that nobody owns. A lease that ends later than a new one has an owner that has gone, or that will
 * renew it. Retries are made due in the last step only: in each step, those that failed again since would be
 * among them, and would use up their attempts.
 */
export async function makeEarlierDue(tx: Transaction, latest: Date): Promise<boolean> {
  const isLast = (await makeDeliveriesDue(tx, latest, sql`attempt_count = 0`)) < deliveriesAtOnce;
  if (isLast) await makeDeliveriesDue(tx, latest, sql`attempt_count > 0`);
  await tx.query(sql`
    with waiting as (
      select endpoint_id from lane where owner is null and next_at > concord_now() and next_at <= ${latest}
        or owner is not null and next_at > concord_now() + ${leaseAndMargin} and next_at < 'infinity'
      order by endpoint_id for no key update)
    update lane set owner = null, next_at = concord_now() from waiting where lane.endpoint_id = waiting.endpoint_id`);
  tx.notifyAfterCommit(laneChannel);
  return isLast;
}
