// The SQL of recoveries, which are rows of the table of replays.
import sql from 'sql-template-tag';
import type { Read } from '../../../access/index.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { keyset, type Order, type Position } from '../../../base/postgres/sql/keyset.ts';
import { requireRow } from '../../../base/postgres/sql/rows.ts';
import { statusOf } from '../replays/schema.ts';
import type { Recovery } from './schema.ts';

/** A row of the table `replay` with an endpoint, ids as bare UUIDs. */
export type RecoveryRow = {
  recovery_id: string;
  partner_id: string;
  endpoint_id: string;
  since: Date;
  until: Date;
  total: number;
  replayed: number;
  stopped: boolean;
  created_at: Date;
  completed_at: Date | null;
};

const columns = sql`
  item.id as recovery_id, item.partner_id, item.endpoint_id, item.since, item.until, item.total, item.replayed, item.stopped,
  item.created_at, item.completed_at`;

/** The recovery that the path names, if it belongs to the endpoint of the path. */
export const recoveryRead: Read<RecoveryRow> = {
  name: 'recovery',
  columns,
  item: {
    kind: 'recovery',
    parameter: 'job_id',
    within: { kind: 'webhook_endpoint', parameter: 'endpoint_id' },
    join: (id, endpointId) =>
      sql`left join replay item on item.id = ${id} and item.endpoint_id = ${endpointId} and item.partner_id = partner.id`,
  },
};

export const toRecovery = (row: RecoveryRow): Recovery => ({
  id: formatId('recovery', row.recovery_id),
  endpoint_id: formatId('webhook_endpoint', row.endpoint_id),
  status: statusOf(row),
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  total: row.total,
  replayed: row.replayed,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});

type NewRecovery = {
  partnerId: string;
  endpointId: string;
  since: Date;
  until: Date;
  failedBy: Date;
  total: number;
};

export async function insertRecovery(
  tx: Transaction,
  id: string,
  { partnerId, endpointId, since, until, failedBy, total }: NewRecovery,
): Promise<RecoveryRow> {
  const rows = await tx.query<RecoveryRow>(sql`
    insert into replay as item (id, partner_id, endpoint_id, since, until, total, created_at)
    values (${id}, ${partnerId}, ${endpointId}, ${since}, ${until}, ${total}, ${failedBy})
    returning ${columns}`);
  return requireRow(rows, 'recovery');
}

export async function selectRecovery(on: Queryable, recoveryId: string): Promise<RecoveryRow> {
  return requireRow(
    await on.query<RecoveryRow>(sql`select ${columns} from replay item where id = ${recoveryId}`),
    'recovery',
  );
}

export async function isRunning(tx: Transaction, endpointId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select from replay where endpoint_id = ${endpointId} and completed_at is null`,
  );
  return rows.length > 0;
}

export async function selectRecoveries(
  on: Queryable,
  endpointId: string,
  by: Order<'id'>,
  after: Position | null,
  limit: number,
): Promise<Recovery[]> {
  const { from, order } = keyset({ id: sql`item.id` }, by, after, (id) => parseId('recovery', id));
  const rows = await on.query<RecoveryRow>(
    sql`select ${columns} from replay item where item.endpoint_id = ${endpointId} ${from} ${order} limit ${limit}`,
  );
  return rows.map(toRecovery);
}
