// The SQL of the history: events, deliveries and attempts have one partition for each week (behaviour W20).
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, Queryable, Transaction } from '../../../base/postgres/database.ts';
import { msAgo, readClock } from '../../../base/postgres/sql/clock.ts';
import type { Some } from '../../../base/postgres/sql/deletion.ts';
import { anyOf, hasRows, queryValues } from '../../../base/postgres/sql/rows.ts';
import { wakeLanes } from '../../lanes/store.ts';
import { countAttempts, deletePartnerCounts, toCounted } from '../../statistics/index.ts';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const weeksAhead = 2;
/** How long deliveries wait for a disabled endpoint (W16). */
const disabledPatienceMs = 30 * dayMs;
const tables = ['attempt', 'delivery_batch', 'delivery', 'event'] as const;
const batch = 5_000;
export const stepsAtOnce = 4;

/** A request for a table lock that waits for a slow reader would block everyone. A later run tries again. */
const limitLockWait = (tx: Transaction) => tx.query(sql`set local lock_timeout = '2s'`);

async function readWeeks(on: Queryable): Promise<{ first: number; missing: number[] }> {
  const first = Math.floor((await readClock(on)).getTime() / weekMs);
  const weeks = Array.from({ length: weeksAhead + 1 }, (_, index) => first + index);
  // Of each table: a drop ends half way if a process dies, and a clock that was ahead is set back.
  const wanted = weeks.flatMap((week) => tables.map((table) => ({ week, name: nameOf(table, week) })));
  const missing = await queryValues<number>(
    on,
    sql`
    select distinct week from unnest(${wanted.map(({ week }) => week)}::int[], ${wanted.map(({ name }) => name)}::text[])
      as wanted (week, name)
    where to_regclass(name) is null order by 1`,
  );
  return { first, missing };
}

/** The first days of this week and of the weeks without partitions. */
export async function selectMissingWeeks(
  on: Queryable,
): Promise<{ thisWeek: string; missingWeeks: string[] }> {
  const { first, missing } = await readWeeks(on);
  return { thisWeek: dayOf(first), missingWeeks: missing.map(dayOf) };
}

/**
 * Each table in a transaction of its own. Publishers lock `event` before `delivery`, and deliverers after it: holding one
 * and waiting for the other would be a deadlock, which stops both for a second.
 */
export async function makePartitions(db: Database, { mayWait }: { mayWait: boolean }): Promise<void> {
  const { missing } = await readWeeks(db);
  for (const week of missing) {
    for (const table of tables) {
      // A bound cannot be a parameter; these are our own numbers and names.
      const [from, to] = [week, week + 1].map((each) => new Date(each * weekMs).toISOString());
      await db.transaction(async (tx) => {
        if (!mayWait) await limitLockWait(tx);
        await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord webhook history', 0))`);
        await tx.query(
          raw(`create table if not exists ${nameOf(table, week)} partition of ${table}
               for values from (first_id_of('${from}')) to (first_id_of('${to}'))`),
        );
      });
    }
  }
}

/** Drops the oldest partitions, also one by one, if they are old enough and have no pending delivery. */
export async function dropPartition(db: Database, retentionMs: number): Promise<void> {
  const now = (await readClock(db)).getTime();
  const names = await queryValues<string>(
    db,
    sql`select relname::text from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'event'::regclass order by 1`,
  );
  // A day later, so that deliveries that failed at the end of the retention can be seen.
  const week = names.map(weekOf).find((each) => (each + 1) * weekMs < now - retentionMs - dayMs);
  if (week === undefined) return;
  const end = new Date((week + 1) * weekMs);
  const pending = sql`select from delivery where status = 'pending' and id < first_id_of(${end}) limit 1`;
  if (await hasRows(db, pending)) return;
  for (const table of ['delivery', ...tables.filter((each) => each !== 'delivery')]) {
    const isDropped = await db.transaction(async (tx) => {
      await limitLockWait(tx);
      // The parent, which every statement locks first: dropping a partition locks its parent too.
      await tx.query(raw(`lock table only ${table} in access exclusive mode`));
      // A replay can have made one pending that we did not see yet. The lock has waited for it.
      if (table === 'delivery' && (await hasRows(tx, pending))) return false;
      await tx.query(raw(`drop table if exists ${nameOf(table, week)}`));
      return true;
    });
    if (!isDropped) return;
  }
}

/** When the oldest partition begins. */
const oldestWeek = sql`(
  select (min(right(relname, 8)) || ' UTC')::timestamptz from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = 'event'::regclass)`;

/** Those of events whose partition was dropped. Looking for the events would read all that are kept. */
export const oldProducerIds: Some = [
  sql`from known_producer_id`,
  sql`created_at < ${oldestWeek} and event_id < first_id_of(${oldestWeek})`,
];

/** Returns whether there may be more. */
export async function giveUpWaiting(tx: Transaction, retentionMs: number): Promise<boolean> {
  const old = sql`
    select id from delivery where status = 'pending' and id < first_id_of(${msAgo(retentionMs)})
    limit ${batch} for update skip locked`;
  const hasMoreOld = await giveUp(tx, old, 'expired: the delivery waited until the end of the retention');
  const patience = msAgo(disabledPatienceMs);
  const ofDisabled = sql`
    select delivery.id from webhook_endpoint endpoint join delivery on delivery.endpoint_id = endpoint.id
    where endpoint.status = 'disabled' and endpoint.disabled_at < ${patience} and delivery.status = 'pending'
      and delivery.next_attempt_at < ${patience}
    limit ${batch} for update of delivery skip locked`;
  return (await giveUp(tx, ofDisabled, 'expired: its endpoint was disabled for 30 days')) || hasMoreOld;
}

/**
 * Updates by id: a join would read every partition. Wakes the lanes, since a strict one may wait for such a delivery.
 * Returns whether there may be more.
 */
export async function giveUp(tx: Transaction, waiting: Sql, reason: string): Promise<boolean> {
  const { outcome, bucket } = toCounted({ durationMs: 0, statusCode: null, error: reason });
  for (let step = 0; step < stepsAtOnce; step++) {
    const chosen = await queryValues<string>(tx, waiting);
    if (chosen.length === 0) return false;
    const endpointIds = await queryValues<string>(
      tx,
      sql`
      with failed as (
        update delivery set status = 'failed', attempt_count = attempt_count + 1, next_attempt_at = null, completed_at = concord_now(),
          last_status_code = null, last_reason = split_part(${reason}, ':', 1)
        where id = ${anyOf(chosen)} returning id, attempt_count, partner_id, endpoint_id, completed_at as started_at),
      explained as (
        insert into attempt (delivery_id, number, started_at, duration_ms, error)
        select id, attempt_count, started_at, 0, ${reason} from failed),
      counted as (${countAttempts(sql`select *, ${outcome}::text as outcome, ${bucket}::smallint as bucket from failed`)})
      select distinct endpoint_id from failed`,
    );
    await wakeLanes(tx, endpointIds);
    if (chosen.length < batch) return false;
  }
  return true;
}

/** Deletes a part: all could exceed the statement timeout. Returns whether nothing is left. */
export async function deletePartnerHistory(tx: Transaction, partnerId: string): Promise<boolean> {
  for (const name of ['delivery', 'delivery_batch', 'event', 'checkpoint']) {
    const table = raw(name);
    const some = sql`array(select id from ${table} where partner_id = ${partnerId} limit ${batch})`;
    const ids = await queryValues<string>(tx, sql`delete from ${table} where id = any(${some}) returning id`);
    // After its delivery, which the statement that records an attempt must find.
    if (name === 'delivery') await tx.query(sql`delete from attempt where delivery_id = ${anyOf(ids)}`);
    if (ids.length === batch) return false;
  }
  // Last, since a result that is recorded meanwhile is counted until its delivery is gone.
  return deletePartnerCounts(tx, partnerId);
}

/** `event_20261119`: the name has the day on which the week begins. */
const nameOf = (table: string, week: number) => `${table}_${dayOf(week).replaceAll('-', '')}`;
const dayOf = (week: number) => new Date(week * weekMs).toISOString().slice(0, 10);

const weekOf = (name: string) =>
  Math.floor(Date.parse(name.replace(/^.*_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3T00:00:00Z')) / weekMs);
