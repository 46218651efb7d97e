// The SQL of recoveries.
import sql from 'sql-template-tag';
import type { Read } from '../../access/index.ts';
import { formatId } from '../../ids.ts';
import type { Transaction } from '../../postgres/database.ts';
import { requireRow } from '../../postgres/sql/rows.ts';
import type { Recovery } from './schema.ts';

/** A row of the table `recovery`, ids as bare UUIDs. */
export type RecoveryRow = {
  recovery_id: string;
  partner_id: string;
  endpoint_id: string;
  since: Date;
  until: Date;
  total: number;
  replayed: number;
  reached: string | null;
  created_at: Date;
  completed_at: Date | null;
};

const columns = sql`item.id as recovery_id, (select partner_id from webhook_endpoint where id = item.endpoint_id) as partner_id, item.endpoint_id, item.since, item.until, item.total, item.replayed, item.reached, item.created_at, item.completed_at`;

/** The recovery that the path names, if it belongs to the endpoint of the path. */
export const recoveryRead: Read<RecoveryRow> = {
  name: 'recovery',
  columns,
  item: {
    kind: 'recovery',
    parameter: 'job_id',
    within: { kind: 'webhook_endpoint', parameter: 'endpoint_id' },
    join: (id, endpointId) => sql`left join (recovery item join webhook_endpoint endpoint on endpoint.id = item.endpoint_id)
      on item.id = ${id} and endpoint.id = ${endpointId} and endpoint.partner_id = partner.id`,
  },
};

export const toRecovery = (row: RecoveryRow): Recovery => ({
  id: formatId('recovery', row.recovery_id),
  endpoint_id: formatId('webhook_endpoint', row.endpoint_id),
  status: row.completed_at === null ? 'running' : 'completed',
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  total: row.total,
  replayed: row.replayed,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

type NewRecovery = { endpointId: string; since: Date; until: Date; failedBy: Date; total: number };

export async function insertRecovery(
  tx: Transaction,
  id: string,
  { endpointId, since, until, failedBy, total }: NewRecovery,
): Promise<RecoveryRow> {
  const rows = await tx.query<RecoveryRow>(sql`
    insert into recovery as item (id, endpoint_id, since, until, total, created_at)
    values (${id}, ${endpointId}, ${since}, ${until}, ${total}, ${failedBy})
    returning ${columns}`);
  return requireRow(rows, 'recovery');
}

export async function isRunning(tx: Transaction, endpointId: string): Promise<boolean> {
  const rows = await tx.query(sql`select from recovery where endpoint_id = ${endpointId} and completed_at is null`);
  return rows.length > 0;
}

/** Locks a random unfinished recovery, so a failing one cannot starve the rest. */
export async function lockRunning(tx: Transaction): Promise<RecoveryRow | undefined> {
  const [row] = await tx.query<RecoveryRow>(sql`
    select ${columns} from recovery item where completed_at is null order by random() limit 1 for update skip locked`);
  return row;
}

export async function updateRecovery(
  tx: Transaction,
  id: string,
  reached: string | null,
  count: number,
  completed: boolean,
): Promise<void> {
  await tx.query(sql`
    update recovery set reached = coalesce(${reached}, reached), replayed = replayed + ${count},
      completed_at = case when ${completed} then concord_now() end
    where id = ${id}`);
}
