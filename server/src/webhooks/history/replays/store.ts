// The SQL of replays.
import sql from 'sql-template-tag';
import type { Read } from '../../../access/index.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { msAgo } from '../../../base/postgres/sql/clock.ts';
import { keyset, type Order, type Position } from '../../../base/postgres/sql/keyset.ts';
import { requireRow } from '../../../base/postgres/sql/rows.ts';
import type { WireFilter } from '../deliveries/search/filter.ts';
import type { Replay } from './schema.ts';

/** A row of the table `replay`, ids as bare UUIDs. */
export type ReplayRow = Pick<Replay, 'action' | 'filter' | 'total' | 'replayed' | 'skipped'> & {
  replay_id: string;
  stopped: boolean;
  created_at: Date;
  completed_at: Date | null;
};

const columns = sql`
  item.id as replay_id, item.action, item.filter, item.total, item.stopped, item.replayed, item.skipped, item.created_at,
  item.completed_at`;

/** The replay that the path names. */
export const replayRead: Read<ReplayRow> = {
  name: 'replay',
  columns,
  item: {
    kind: 'replay',
    parameter: 'replay_id',
    join: (id) => sql`left join replay item on item.id = ${id} and item.partner_id = partner.id`,
  },
};

export const toReplay = (row: ReplayRow): Replay => ({
  id: formatId('replay', row.replay_id),
  action: row.action,
  status: row.completed_at === null ? 'running' : row.stopped ? 'stopped' : 'completed',
  filter: row.filter,
  total: row.total,
  examined: row.replayed + row.skipped,
  replayed: row.replayed,
  skipped: row.skipped,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

/** As it is stored: the filters of the request, and the deliveries that it names. */
export type StoredFilter = WireFilter & { readonly delivery_ids?: readonly string[] };
export type NewReplay = {
  id: string;
  partnerId: string;
  action: Replay['action'];
  filter: StoredFilter;
  total: number | null;
  createdAt: Date;
};

export async function insertReplay(
  tx: Transaction,
  { id, partnerId, action, filter, total, createdAt }: NewReplay,
): Promise<ReplayRow> {
  const rows = await tx.query<ReplayRow>(sql`
    insert into replay as item (id, partner_id, action, filter, total, created_at)
    values (${parseId('replay', id)}, ${partnerId}, ${action}, ${filter}, ${total}, ${createdAt}) returning ${columns}`);
  return requireRow(rows, 'replay');
}

/** One replay and one send-now run for each endpoint that a filter names, and one of each for all others. */
export async function isRunning(
  tx: Transaction,
  { partnerId, action, filter }: Pick<NewReplay, 'partnerId' | 'action' | 'filter'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select from replay where partner_id = ${partnerId} and completed_at is null
      and action = ${action} and coalesce(filter ->> 'endpoint_id', '') = ${filter.endpoint_id ?? ''}`);
  return rows.length > 0;
}

/** Stops a replay after the step that runs. Returns whether it was running. */
export async function stopReplay(tx: Transaction, replayId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update replay set completed_at = concord_now(), stopped = true where id = ${replayId} and completed_at is null returning id`);
  return rows.length > 0;
}

export async function selectReplay(on: Queryable, replayId: string): Promise<ReplayRow> {
  return requireRow(
    await on.query<ReplayRow>(sql`select ${columns} from replay item where id = ${replayId}`),
    'replay',
  );
}

export async function selectReplays(
  on: Queryable,
  partnerId: string,
  by: Order<'id'>,
  after: Position | null,
  limit: number,
): Promise<Replay[]> {
  const { from, order } = keyset({ id: sql`item.id` }, by, after, (id) => parseId('replay', id));
  const rows = await on.query<ReplayRow>(sql`
    select ${columns} from replay item where partner_id = ${partnerId} ${from} ${order} limit ${limit}`);
  return rows.map(toReplay);
}

/** An unfinished replay. */
export type Running = {
  id: string;
  partner_id: string;
  action: Replay['action'];
  filter: StoredFilter;
  /** The last examined delivery. */
  reached: string | null;
  created_at: Date;
};

/**
 * Locks an unfinished one of a random partner, so neither a failing one nor a partner with many can starve
 * the rest. Those of a restored backup wait for an operator (O26).
 */
export async function lockRunning(tx: Transaction): Promise<Running | undefined> {
  const [row] = await tx.query<Running>(sql`
    select id, partner_id, action, filter, reached, created_at
    from replay join (
      select id, row_number() over (partition by partner_id order by random()) as place from replay where completed_at is null) turn using (id)
    where completed_at is null and not exists (select from held_deliveries where taken_at >= replay.created_at)
    order by turn.place, random() limit 1 for update of replay skip locked`);
  return row;
}

type Progress = {
  reached: string | null;
  replayed: number;
  skipped: number;
  isLast: boolean;
};

/** `total` grows if more match than were counted: a delivery can begin to match after the count. */
export async function updateReplay(tx: Transaction, id: string, progress: Progress): Promise<void> {
  const { reached, replayed, skipped, isLast } = progress;
  await tx.query(sql`
    update replay set reached = coalesce(${reached}, reached), replayed = replayed + ${replayed}, skipped = skipped + ${skipped},
      total = case when total is not null then greatest(total, replayed + skipped + ${replayed + skipped}) end,
      completed_at = case when ${isLast} then concord_now() end
    where id = ${id}`);
}

/** Completed replays are kept as long as the history. */
export async function deleteOldReplays(tx: Transaction, retentionMs: number): Promise<void> {
  await tx.query(sql`delete from replay where completed_at < ${msAgo(retentionMs)}`);
}
