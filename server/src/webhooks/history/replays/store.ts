// The SQL of replays.
import sql from 'sql-template-tag';
import { readOf } from '../../../access/index.ts';
import { formatId, newUuid } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { msAgo } from '../../../base/postgres/sql/clock.ts';
import type { Some } from '../../../base/postgres/sql/deletion.ts';
import { listOf } from '../../../base/postgres/sql/keyset.ts';
import { columnList, hasRows, pick, queryRow, requireRow } from '../../../base/postgres/sql/rows.ts';
import type { GivenDeliveryFilter } from '../deliveries/search/filter.ts';
import type { Replay } from './schema.ts';

const contentNames = ['action', 'filter', 'total', 'replayed', 'skipped', 'filtered'] as const;
/** A row of the table `replay`, ids as bare UUIDs. */
export type ReplayRow = Pick<Replay, (typeof contentNames)[number]> & {
  replay_id: string;
  stopped: boolean;
  created_at: Date;
  completed_at: Date | null;
};

const columns = sql`
  item.id as replay_id, ${columnList(contentNames, 'item')}, item.stopped, item.created_at, item.completed_at`;

export const replayRead = readOf<ReplayRow>('replay', columns, { parameter: 'replay_id' });

export const toReplay = (row: ReplayRow): Replay => ({
  ...pick(row, contentNames),
  id: formatId('replay', row.replay_id),
  status: row.completed_at === null ? 'running' : row.stopped ? 'stopped' : 'completed',
  examined: row.replayed + row.skipped,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

export type StoredFilter = GivenDeliveryFilter & { readonly delivery_ids?: readonly string[] };
export type NewReplay = {
  partnerId: string;
  action: Replay['action'];
  filter: StoredFilter;
  total: number | null;
  filtered: number | null;
  createdAt: Date;
};

export async function insertReplay(
  tx: Transaction,
  { partnerId, action, filter, total, filtered, createdAt }: NewReplay,
): Promise<ReplayRow> {
  const rows = await tx.query<ReplayRow>(sql`
    insert into replay as item (id, partner_id, action, filter, total, filtered, created_at)
    values (${newUuid()}, ${partnerId}, ${action}, ${filter}, ${total}, ${filtered}, ${createdAt}) returning ${columns}`);
  return requireRow(rows, 'replay');
}

/** One replay and one send-now run for each endpoint that a filter names, and one of each for all others. */
export const isRunning = (tx: Transaction, { partnerId, action, filter }: NewReplay) =>
  hasRows(
    tx,
    sql`
    select from replay where partner_id = ${partnerId} and completed_at is null
      and action = ${action} and coalesce(filter ->> 'endpoint_id', '') = ${filter.endpoint_id ?? ''}`,
  );

/** Undefined: it has ended. */
export const stopReplay = (tx: Transaction, replayId: string) =>
  queryRow<ReplayRow>(
    tx,
    sql`
    update replay item set completed_at = concord_now(), stopped = true
    where id = ${replayId} and completed_at is null returning ${columns}`,
  );

export const selectReplay = (on: Queryable, replayId: string) =>
  queryRow<ReplayRow>(on, sql`select ${columns} from replay item where id = ${replayId}`);

export const replaysOf = (on: Queryable, partnerId: string) =>
  listOf(on, 'replay', {
    columns,
    from: sql`replay item where partner_id = ${partnerId}`,
    sorted: { id: sql`item.id` },
    toItem: toReplay,
  });

type Running = {
  id: string;
  partner_id: string;
  action: Replay['action'];
  filter: StoredFilter;
  reached: string | null;
  created_at: Date;
};

/**
 * Locks one of a random partner: neither a failing one nor a partner with many can starve the rest. Those of
 * a restored backup wait for an operator (O26).
 */
export const lockRunning = (tx: Transaction) =>
  queryRow<Running>(
    tx,
    sql`
    select id, partner_id, action, filter, reached, created_at
    from replay join (
      select id, row_number() over (partition by partner_id order by random()) as place from replay where completed_at is null) turn using (id)
    where completed_at is null and not exists (select from held_deliveries where taken_at >= replay.created_at)
    order by turn.place, random() limit 1 for update of replay skip locked`,
  );

type Progress = { reached: string | null; replayed: number; skipped: number; isLast: boolean };

/** `total` grows if more match than were counted: a delivery can begin to match after the count. */
export const updateReplay = (tx: Transaction, id: string, { reached, replayed, skipped, isLast }: Progress) =>
  tx.write(sql`
    update replay set reached = coalesce(${reached}, reached), replayed = replayed + ${replayed}, skipped = skipped + ${skipped},
      total = case when total is not null then greatest(total, replayed + skipped + ${replayed + skipped}) end,
      completed_at = case when ${isLast} then concord_now() end
    where id = ${id}`);

export const oldReplays = (retentionMs: number): Some => [
  sql`from replay`,
  sql`completed_at < ${msAgo(retentionMs)}`,
];
