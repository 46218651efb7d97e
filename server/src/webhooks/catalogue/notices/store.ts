// The SQL of deprecations that partners must be told of (behaviour W74).
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { hasRows, queryRow } from '../../../base/postgres/sql/rows.ts';
import { seenByPartner } from '../store.ts';

/** Also restarts it: the deprecation has changed. */
export const startNotice = (tx: Transaction, type: string) =>
  tx.query(sql`
    insert into deprecation_notice (type) values (${type}) on conflict (type) do update set reached = null`);

export const hasNotices = (on: Queryable): Promise<boolean> =>
  hasRows(on, sql`select from deprecation_notice limit 1`);

/** `deprecated_at` null: the type is not deprecated any more. */
export type Notice = {
  type: string;
  reached: string | null;
  deprecated_at: Date | null;
  successor: string | null;
};

export const lockNotice = (tx: Transaction) =>
  queryRow<Notice>(
    tx,
    sql`
    select notice.type, notice.reached, event_type.deprecated_at, event_type.successor
    from deprecation_notice notice join event_type on event_type.name = notice.type
    order by notice.type limit 1 for update of notice skip locked`,
  );

const sees = (type: string | null): Sql =>
  sql`exists (select from event_type where name = ${type} and ${seenByPartner(sql`partner.id`)})`;

/** The next partners that see the type and whose live endpoints name it, and whether they see its successor. */
export const selectNamingPartners = (
  tx: Transaction,
  { type, reached, successor }: Notice,
  limit: number,
): Promise<{ id: string; name: string; sees_successor: boolean }[]> =>
  tx.query(sql`
    select partner.id, partner.name, ${sees(successor)} as sees_successor
    from partner
    where partner.deleted_at is null and (${reached}::uuid is null or partner.id > ${reached})
      and partner.id in (select partner_id from webhook_endpoint where environment = 'live' and event_types @> array[${type}])
      and ${sees(type)}
    order by partner.id limit ${limit}`);

/** `reached` null: every partner was told. */
export async function continueNotice(tx: Transaction, type: string, reached: string | null): Promise<void> {
  await tx.query(
    reached === null
      ? sql`delete from deprecation_notice where type = ${type}`
      : sql`update deprecation_notice set reached = ${reached} where type = ${type}`,
  );
}
