// The history of events, deliveries and attempts: a partition a week, made ahead, and dropped when it is old (behaviour W20).
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, Transaction } from '../../postgres/database.ts';
import type { ScheduledTask } from '../../postgres/scheduled-tasks.ts';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const weeksAhead = 2;
/** So long what waits for an endpoint that is disabled is kept for it (W16). */
const patienceMs = 30 * dayMs;
/** In this order: one refers to the next. */
const tables = ['attempt', 'delivery', 'event'] as const;
const batch = 5_000;

type History = {
  /** To be called before the first event: makes the partitions of now. */
  ensure(): Promise<void>;
  readonly tasks: readonly ScheduledTask[];
};

const hourMs = 60 * 60_000;

export function createHistory({ db, retentionMs }: { db: Database; retentionMs: number }): History {
  return {
    ensure: () => db.transaction((tx) => makePartitions(tx)),
    tasks: [
      {
        name: 'give up waiting deliveries',
        intervalMs: hourMs,
        async run(tx) {
          await giveUpOld(tx, retentionMs);
          await giveUpDisabled(tx);
        },
      },
      {
        name: 'make and drop webhook partitions',
        intervalMs: hourMs,
        async run(tx) {
          // A reader that takes its time must not make everyone wait behind us: the next hour is as good.
          await tx.query(sql`set local lock_timeout = '2s'`);
          await makePartitions(tx);
          await dropPartitions(tx, retentionMs);
        },
      },
    ],
  };
}

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

async function dropPartitions(tx: Transaction, retentionMs: number): Promise<void> {
  const now = await timeOf(tx);
  const rows = await tx.query<{ name: string }>(sql`
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'event'::regclass order by 1`);
  // A day more: what was given up at the end of the retention is seen to be.
  const old = rows.map(({ name }) => weekOf(name)).filter((week) => (week + 1) * weekMs < now - retentionMs - dayMs);
  for (const week of old) {
    for (const table of tables) {
      const name = nameOf(table, week);
      if (table === 'delivery') await tx.query(raw(`alter table delivery detach partition ${name}`));
      await tx.query(raw(`drop table ${name}`));
    }
  }
  await tx.query(sql`
    delete from known_producer_id where created_at < concord_now() - ${retentionMs} * interval '1 millisecond'
      and not exists (select from event where event.id = known_producer_id.event_id)`);
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

async function giveUp(tx: Transaction, waiting: Sql, reason: string): Promise<void> {
  for (let found = batch; found === batch; ) {
    const rows = await tx.query(sql`
      with overdue as (${waiting}),
      failed as (
        update delivery set status = 'failed', attempt_count = attempt_count + 1, next_attempt_at = null, completed_at = concord_now()
        from overdue where delivery.id = overdue.id returning delivery.id, attempt_count)
      insert into attempt (delivery_id, number, started_at, duration_ms, error)
      select id, attempt_count, concord_now(), 0, ${reason} from failed returning delivery_id`);
    found = rows.length;
  }
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
