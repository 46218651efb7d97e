// The SQL of what a restored backup held: deliveries due at 'infinity', and replays older than the backup.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { anyOf, hasRows, queryRow, selectCount } from '../../../base/postgres/sql/rows.ts';
import { holdLanes, laneChannel, replayPayload, wakeLanes } from '../../lanes/store.ts';
import { giveUp } from '../retention/store.ts';
import type { Choice } from './schema.ts';

export type Restore = { taken_at: Date; restored_at: Date; choice: Choice | null };

const isRestored = sql`status = 'pending' and next_attempt_at = 'infinity'`;
/** Counting stops there. */
const maxCounted = 100_000;
const batch = 5_000;

const current = sql`select taken_at, restored_at, choice from held_deliveries`;

export const selectRestore = (on: Queryable) => queryRow<Restore>(on, current);

/** Until the commit, no other transaction works on what waits. */
export const lockRestore = (tx: Transaction) => queryRow<Restore>(tx, sql`${current} for update`);

export const countRestored = (on: Queryable) =>
  selectCount(on, sql`(select from delivery where ${isRestored} limit ${maxCounted}) counted`);

export const updateChoice = (tx: Transaction, choice: Choice) =>
  tx.write(sql`update held_deliveries set choice = ${choice}`);

export async function sendBatch(tx: Transaction): Promise<number> {
  const chosen = await tx.query<{ id: string; endpoint_id: string }>(
    sql`select id, endpoint_id from delivery where ${isRestored} order by endpoint_id, position limit ${batch}`,
  );
  const endpointIds = await holdLanes(tx, [...new Set(chosen.map(({ endpoint_id }) => endpoint_id))]);
  await tx.query(sql`
    update delivery set next_attempt_at = concord_now() where id = ${anyOf(chosen.map(({ id }) => id))} and ${isRestored}`);
  await wakeLanes(tx, endpointIds);
  return chosen.length;
}

export async function failSome(tx: Transaction): Promise<boolean> {
  const waiting = sql`select id from delivery where ${isRestored} limit ${batch} for update skip locked`;
  await giveUp(tx, waiting, 'restored: an operator chose not to send what waited in a restored backup');
  return !(await hasRows(tx, sql`select from delivery where ${isRestored} limit 1`));
}

/** After `send`, older replays go on. After `fail`, they are completed. */
export async function endRestore(tx: Transaction, { choice, taken_at }: Restore): Promise<void> {
  if (choice === 'fail')
    await tx.query(
      sql`update replay set completed_at = concord_now() where completed_at is null and created_at <= ${taken_at}`,
    );
  await tx.query(sql`delete from held_deliveries`);
  tx.notifyAfterCommit(laneChannel, replayPayload);
}
