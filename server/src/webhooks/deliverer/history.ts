// The history of events, deliveries and attempts: a partition a week, made ahead, and dropped when it is old (behaviour W20).
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, Transaction } from '../../postgres/database.ts';
import type { ScheduledTask } from '../../postgres/scheduled-tasks.ts';
import { cancelLeft } from '../delivery-store.ts';
import { wakeLanes } from './lane-store.ts';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const weeksAhead = 2;
/** So long what waits for an endpoint that is disabled is kept for it (W16). */
const patienceMs = 30 * dayMs;
/** In this order: one refers to the next. */
const tables = ['attempt', 'delivery', 'event'] as const;
const batch = 5_000;
const stepsAtOnce = 4;

type History = {
  /** To be called before the first event: makes the partitions of now. */
  ensure(): Promise<void>;
  readonly tasks: readonly ScheduledTask[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export function createHistory({ db, retentionMs }: { db: Database; retentionMs: number }): History {
  /** Each a transaction of its own: one that fails undoes no other. Those that can have much to do take some of it each minute. */
  const task = (name: string, intervalMs: number, run: ScheduledTask['run']): ScheduledTask => ({ name, intervalMs, run });
  return {
    ensure: () => db.transaction((tx) => makePartitions(tx)),
    tasks: [
      task('make webhook partitions', hourMs, async (tx) => {
        await bePatient(tx);
        await makePartitions(tx);
      }),
      task('drop webhook partitions', hourMs, async (tx) => {
        await bePatient(tx);
        await dropPartition(tx, retentionMs);
      }),
      task('give up waiting deliveries', minuteMs, async (tx) => {
        await giveUpOld(tx, retentionMs);
        await giveUpDisabled(tx);
      }),
      task('cancel waiting deliveries', minuteMs, (tx) => cancelLeft(tx, stepsAtOnce)),
      task('forget producer ids', minuteMs, (tx) => forget(tx, retentionMs)),
    ],
  };
}

/** A reader that takes its time must not make everyone wait behind us: later is as good. */
const bePatient = (tx: Transaction) => tx.query(sql`set local lock_timeout = '2s'`);

async function makePartitions(tx: Transaction): Promise<void> {
  const now = await timeOf(tx);
  const first = Math.floor(now / weekMs);
  const weeks = Array.from({ length: weeksAhead + 1 }, (_, index) => first + index);
  const missing = await tx.query<{ week: number }>(sql`
    select week from unnest(${weeks}::int[], ${weeks.map((week) => nameOf('event', week))}::text[]) as wanted (week, name)
    where to_regclass(name) is null`);
  if (missing.length === 0) return;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord webhook history', 0))`);
  for (const { week } of missing) {
    for (const table of tables.toReversed()) {
      // Numbers of ours and names of ours: a bound cannot be a parameter.
      const [from, to] = [week, week + 1].map((each) => new Date(each * weekMs).toISOString());
      await tx.query(
        raw(`create table if not exists ${nameOf(table, week)} partition of ${table}
             for values from (first_id_of('${from}')) to (first_id_of('${to}'))`),
      );
    }
  }
}

/** The oldest one, when it is due, and nothing in it waits any more: that is given up first. */
async function dropPartition(tx: Transaction, retentionMs: number): Promise<void> {
  const now = await timeOf(tx);
  const rows = await tx.query<{ name: string }>(sql`
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'event'::regclass order by 1`);
  // A day more: what was given up at the end of the retention is seen to be.
  const week = rows.map(({ name }) => weekOf(name)).find((each) => (each + 1) * weekMs < now - retentionMs - dayMs);
  if (week === undefined) return;
  const waiting = await tx.query(sql`select from ${raw(nameOf('delivery', week))} where status = 'pending' limit 1`);
  if (waiting.length > 0) return;
  for (const table of tables) {
    const name = nameOf(table, week);
    if (table === 'delivery') await tx.query(raw(`alter table delivery detach partition ${name}`));
    await tx.query(raw(`drop table ${name}`));
  }
}

/** What belongs to no event any more. */
async function forget(tx: Transaction, retentionMs: number): Promise<void> {
  const horizon = sql`concord_now() - ${retentionMs} * interval '1 millisecond'`;
  await tx.query(sql`delete from recovery where completed_at < ${horizon}`);
  await tx.query(sql`
    delete from known_producer_id where ctid = any(array(
      select ctid from known_producer_id known where created_at < ${horizon}
        and not exists (select from event where event.id = known.event_id) limit ${batch * stepsAtOnce}))`);
}

/** What is still pending becomes failed, and says why where its attempts are. */
async function giveUpOld(tx: Transaction, retentionMs: number): Promise<void> {
  const waiting = sql`
    select id from delivery where status = 'pending' and id < first_id_of(concord_now() - ${retentionMs} * interval '1 millisecond')
    limit ${batch} for update skip locked`;
  await giveUp(tx, waiting, 'expired: it waited until the end of the retention');
}

async function giveUpDisabled(tx: Transaction): Promise<void> {
  const patience = sql`concord_now() - ${patienceMs} * interval '1 millisecond'`;
  const waiting = sql`
    select delivery.id from webhook_endpoint endpoint join delivery on delivery.endpoint_id = endpoint.id
    where endpoint.status = 'disabled' and endpoint.disabled_at < ${patience} and delivery.status = 'pending'
      and delivery.next_attempt_at < ${patience}
    limit ${batch} for update of delivery skip locked`;
  await giveUp(tx, waiting, 'expired: its endpoint was disabled for 30 days');
}

/** By their ids: a join would read every partition. Lanes are woken, since what was given up may have held up what is behind it. */
async function giveUp(tx: Transaction, waiting: Sql, reason: string): Promise<void> {
  for (let step = 0; step < stepsAtOnce; step++) {
    const chosen = (await tx.query<{ id: string }>(waiting)).map(({ id }) => id);
    if (chosen.length === 0) return;
    const rows = await tx.query<{ endpoint_id: string }>(sql`
      with failed as (
        update delivery set status = 'failed', attempt_count = attempt_count + 1, next_attempt_at = null, completed_at = concord_now()
        where id = any(${chosen}::uuid[]) returning id, attempt_count, endpoint_id),
      told as (
        insert into attempt (delivery_id, number, started_at, duration_ms, error)
        select id, attempt_count, concord_now(), 0, ${reason} from failed)
      select distinct endpoint_id from failed`);
    await wakeLanes(
      tx,
      rows.map(({ endpoint_id }) => endpoint_id),
    );
    if (chosen.length < batch) return;
  }
}

/** A step of emptying a partner that is to be purged; answers with whether nothing is left. In one go it could take longer than a statement may. */
export async function emptyPartner(tx: Transaction, partnerId: string): Promise<boolean> {
  for (const table of [sql`delivery`, sql`event`]) {
    const some = sql`array(select id from ${table} where partner_id = ${partnerId} limit ${batch})`;
    const rows = await tx.query(sql`delete from ${table} where id = any(${some}) returning 1`);
    if (rows.length === batch) return false;
  }
  return true;
}

async function timeOf(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ now: Date }>(sql`select concord_now() as now`);
  if (!row) throw new Error('The database does not know the time');
  return row.now.getTime();
}

/** `event_20261119`: by the day its week begins. */
const nameOf = (table: string, week: number) =>
  `${table}_${new Date(week * weekMs).toISOString().slice(0, 10).replaceAll('-', '')}`;

const weekOf = (name: string) =>
  Math.floor(Date.parse(name.replace(/^.*_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3T00:00:00Z')) / weekMs);
