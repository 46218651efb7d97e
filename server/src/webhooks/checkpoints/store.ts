// The SQL of checkpoints. A trigger keeps a chain for each endpoint that has them (migration 0007).
import sql from 'sql-template-tag';
import { formatId, parseId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { msAgo } from '../../base/postgres/sql/clock.ts';
import type { Some } from '../../base/postgres/sql/deletion.ts';
import { onPage, type Page, ways } from '../../base/postgres/sql/keyset.ts';
import {
  anyOf,
  columnList,
  hasRows,
  queryRow,
  type WithDates,
  withTextTimes,
} from '../../base/postgres/sql/rows.ts';
import type { GrantedEndpoint } from '../endpoints/store.ts';
import type { Environment } from '../environments.ts';
import type { Checkpoint, CheckpointDelivery } from './schema.ts';

/** How far the checkpoints of an endpoint reach. Ids are bare UUIDs. */
export type Chain = Readonly<{
  endpoint_id: string;
  position: string;
  reached_at: Date;
  previous_id: string | null;
}>;
export type DueChain = Chain &
  Readonly<{
    partner_id: string;
    environment: Environment;
    /** The last checkpoint is not delivered yet, or the partner is deleted. */
    waits: boolean;
  }>;

const isDue = sql`due_at <= concord_now()`;
export const hasDue = (on: Queryable): Promise<boolean> =>
  hasRows(on, sql`select from checkpoint_chain where ${isDue} limit 1`);

export const selectDue = (on: Queryable, limit: number) =>
  on.query<DueChain>(
    sql`
    select chain.endpoint_id, chain.position::text as position, chain.reached_at, chain.previous_id, endpoint.partner_id, endpoint.environment,
      partner.deleted_at is not null or not chain.behind and 'pending' is not distinct from (
        select status from delivery where delivery.endpoint_id = chain.endpoint_id and proof = 'checkpoint' order by position desc limit 1) as waits
    from checkpoint_chain chain join webhook_endpoint endpoint on endpoint.id = chain.endpoint_id join partner on partner.id = endpoint.partner_id
    where ${isDue} order by due_at limit ${limit}`,
    'due checkpoints',
  );

export async function postpone(
  on: Queryable,
  endpointIds: readonly string[],
  seconds: number,
): Promise<void> {
  if (endpointIds.length === 0) return;
  await on.query(sql`
    update checkpoint_chain set due_at = concord_now() + ${seconds} * interval '1 second'
    where endpoint_id = ${anyOf(endpointIds)} and ${isDue}`);
}

export type Covered = {
  event_id: string;
  status: CheckpointDelivery['status'];
  position: string;
  created_at: Date;
};

/** Deliveries that checkpoints count, after a position and up to another one, in the order of the feed. */
export const selectCovered = (
  on: Queryable,
  endpointId: string,
  after: string,
  until: string,
  limit: number,
) =>
  on.query<Covered>(
    sql`
    select event_id, status, position::text as position, created_at from delivery
    where endpoint_id = ${endpointId} and proof = 'covered' and position > ${after}::bigint and position <= ${until}::bigint
    order by delivery.position limit ${limit}`,
    'covered deliveries',
  );

const summaryNames = ['count', 'delivered', 'pending', 'failed', 'cancelled', 'root'] as const;
const shownNames = [...summaryNames, 'jws'] as const;
type Summary = Pick<Checkpoint, (typeof summaryNames)[number]>;
/** How far a checkpoint reaches. `isCut`: there is more to cover. */
export type Reached = { summary: Summary; until: string; reached_at: Date; isCut: boolean };

/**
 * Moves the chain on, and writes its checkpoint. False: the chain has changed meanwhile, or has ended. The
 * next checkpoint is due after the interval, or now if this one is cut.
 */
export async function extendChain(
  tx: Transaction,
  { endpoint_id, partner_id, previous_id, position, reached_at }: DueChain,
  made: Reached & { id: string; jws: string; created_at: Date },
): Promise<boolean> {
  // Before the statement that reads the interval: a change of it that is under way holds the chain.
  await tx.write(sql`select from checkpoint_chain where endpoint_id = ${endpoint_id} for update`);
  const { count, delivered, pending, failed, cancelled, root } = made.summary;
  return hasRows(
    tx,
    sql`
    with moved as (
      update checkpoint_chain chain set position = ${made.until}::bigint, previous_id = ${made.id}, reached_at = ${made.reached_at}, behind = ${made.isCut},
        due_at = concord_now() + case when ${made.isCut} then 0 else endpoint.checkpoint_minutes end * interval '1 minute'
      from webhook_endpoint endpoint
      where chain.endpoint_id = ${endpoint_id} and endpoint.id = chain.endpoint_id
        and chain.position = ${position}::bigint and chain.previous_id is not distinct from ${previous_id}::uuid
      returning chain.endpoint_id)
    insert into checkpoint (id, partner_id, endpoint_id, previous_id, after, until, covers_from, covers_until, ${columnList(shownNames)}, created_at)
    select ${made.id}::uuid, ${partner_id}::uuid, endpoint_id, ${previous_id}::uuid, ${position}::bigint, ${made.until}::bigint,
      ${reached_at}, ${made.reached_at}, ${count}::int, ${delivered}::int, ${pending}::int, ${failed}::int,
      ${cancelled}::int, ${root}, ${made.jws}, ${made.created_at}
    from moved returning 1`,
  );
}

/** Ids are bare UUIDs. */
type CheckpointRow = WithDates<Checkpoint, 'covers_from' | 'covers_until' | 'created_at'>;
const columns = sql`id, endpoint_id, previous_id, covers_from, covers_until, ${columnList(shownNames)}, created_at`;

const toCheckpoint = (row: CheckpointRow): Checkpoint => ({
  ...withTextTimes(row),
  id: formatId('checkpoint', row.id),
  endpoint_id: formatId('webhook_endpoint', row.endpoint_id),
  previous_id: row.previous_id && formatId('checkpoint', row.previous_id),
});

type Owner = Pick<GrantedEndpoint, 'partnerId' | 'row'>;
const ofOwner = ({ partnerId, row }: Owner) =>
  sql`partner_id = ${partnerId} and endpoint_id = ${row.endpoint_id}`;

export async function selectCheckpoints(
  on: Queryable,
  owner: Owner,
  ...page: Page<'id'>
): Promise<Checkpoint[]> {
  const end = onPage({ id: sql`id` }, 'checkpoint', page);
  const rows = await on.query<CheckpointRow>(
    sql`select ${columns} from checkpoint where ${ofOwner(owner)} ${end}`,
  );
  return rows.map(toCheckpoint);
}

/** The range is no part of the wire. Undefined: the endpoint has no such checkpoint. */
export async function selectCheckpoint(
  on: Queryable,
  owner: Owner,
  id: string,
): Promise<{ shown: Checkpoint; after: string; until: string } | undefined> {
  const row = await queryRow<CheckpointRow & { after: string; until: string }>(
    on,
    sql`select ${columns}, after::text as after, until::text as until from checkpoint
      where ${ofOwner(owner)} and id = ${parseId('checkpoint', id)}`,
  );
  return row && { ...row, shown: toCheckpoint(row) };
}

/** What a checkpoint covers, in the order of positions. A page starts after the event `from`. */
export async function selectDeliveriesOf(
  on: Queryable,
  { partnerId, row: { endpoint_id: endpointId } }: Owner,
  { after, until }: Readonly<{ after: string; until: string }>,
  ...[{ direction }, from, limit]: Page<'id'>
): Promise<(CheckpointDelivery & { id: string })[]> {
  const { after: comparison, way } = ways[direction];
  const start =
    from === null
      ? sql``
      : sql`and position ${comparison} coalesce((select position from event where id = ${parseId('event', from.id)} and partner_id = ${partnerId}), 0)`;
  const rows = await on.query<{ id: string; event_id: string; status: CheckpointDelivery['status'] }>(sql`
    select id, event_id, status from delivery
    where endpoint_id = ${endpointId} and proof = 'covered' and position > ${after}::bigint and position <= ${until}::bigint ${start}
    order by position ${way} limit ${limit}`);
  return rows.map(({ id, event_id, status }) => {
    const event = formatId('event', event_id);
    // A list goes on after the `id` of its last item.
    return { id: event, event_id: event, delivery_id: formatId('delivery', id), status };
  });
}

/** Before the first delivery that it covers is removed, a day after the retention. */
export const oldCheckpoints = (retentionMs: number): Some => [
  sql`from checkpoint`,
  sql`covers_from < ${msAgo(retentionMs)}`,
];
