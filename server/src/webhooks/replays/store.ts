// The SQL of replays. Recoveries are rows of the same table, with an endpoint and a period in the place of a filter.
import sql from 'sql-template-tag';
import type { Read } from '../../access/index.ts';
import { formatId, parseId } from '../../ids.ts';
import type { Queryable, Transaction } from '../../postgres/database.ts';
import { keyset, type Order, type Position } from '../../postgres/sql/keyset.ts';
import { requireRow } from '../../postgres/sql/rows.ts';
import type { DeliveryFilter, WireFilter } from '../deliveries/search/filter.ts';
import type { Replay } from './schema.ts';

/** A row of the table `replay`, ids as bare UUIDs. */
export type ReplayRow = {
  replay_id: string;
  partner_id: string;
  filter: Replay['filter'];
  examined: number;
  replayed: number;
  skipped: number;
  created_at: Date;
  completed_at: Date | null;
};

const columns = sql`item.id as replay_id, item.partner_id, item.filter, item.examined, item.replayed, item.skipped, item.created_at, item.completed_at`;

/** The replay that the path names. */
export const replayRead: Read<ReplayRow> = {
  name: 'replay',
  columns,
  item: {
    kind: 'replay',
    parameter: 'replay_id',
    join: (id) => sql`left join replay item on item.id = ${id} and item.partner_id = partner.id and item.filter is not null`,
  },
};

export const toReplay = (row: ReplayRow): Replay => ({
  id: formatId('replay', row.replay_id),
  status: row.completed_at === null ? 'running' : 'completed',
  filter: row.filter,
  examined: row.examined,
  replayed: row.replayed,
  skipped: row.skipped,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

export async function insertReplay(tx: Transaction, id: string, partnerId: string, filter: WireFilter): Promise<ReplayRow> {
  const rows = await tx.query<ReplayRow>(sql`
    insert into replay as item (id, partner_id, filter, created_at)
    values (${parseId('replay', id)}, ${partnerId}, ${filter}, concord_now()) returning ${columns}`);
  return requireRow(rows, 'replay');
}

export async function isRunning(tx: Transaction, partnerId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select from replay where partner_id = ${partnerId} and completed_at is null and filter is not null`,
  );
  return rows.length > 0;
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
    select ${columns} from replay item where partner_id = ${partnerId} and filter is not null ${from} ${order} limit ${limit}`);
  return rows.map(toReplay);
}

/** An unfinished replay or recovery. A recovery has no wire filter, but an endpoint and a period. */
export type Running = {
  id: string;
  partner_id: string;
  filter: WireFilter | null;
  endpoint_id: string | null;
  since: Date | null;
  until: Date | null;
  /** The last examined delivery. */
  reached: string | null;
  created_at: Date;
};

/** Locks a random unfinished one, so a failing one cannot starve the rest. Those of a restored backup wait for an operator (O26). */
export async function lockRunning(tx: Transaction): Promise<Running | undefined> {
  const [row] = await tx.query<Running>(sql`
    select id, partner_id, filter, endpoint_id, since, until, reached, created_at from replay
    where completed_at is null and not exists (select from held_deliveries held where held.taken_at >= replay.created_at)
    order by random() limit 1 for update skip locked`);
  return row;
}

export const recoveryFilter = ({ endpoint_id, since, until }: Running): DeliveryFilter => ({
  status: 'failed',
  endpointId: endpoint_id === null ? undefined : formatId('webhook_endpoint', endpoint_id),
  from: since ?? undefined,
  to: until ?? undefined,
});

type Progress = { reached: string | null; examined: number; replayed: number; skipped: number; isLast: boolean };

export async function updateReplay(tx: Transaction, id: string, progress: Progress): Promise<void> {
  const { reached, examined, replayed, skipped, isLast } = progress;
  await tx.query(sql`
    update replay set reached = coalesce(${reached}, reached), examined = examined + ${examined}, replayed = replayed + ${replayed},
      skipped = skipped + ${skipped}, completed_at = case when ${isLast} then concord_now() end
    where id = ${id}`);
}

/** Completed replays and recoveries are kept as long as the history. */
export async function deleteOldReplays(tx: Transaction, retentionMs: number): Promise<void> {
  await tx.query(sql`delete from replay where completed_at < concord_now() - ${retentionMs} * interval '1 millisecond'`);
}
