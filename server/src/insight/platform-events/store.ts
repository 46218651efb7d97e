// The SQL of events about the platform. Triggers write what happened (migration 0009).
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows } from '../../base/postgres/sql/rows.ts';

export type PlatformEvent = {
  position: string;
  id: string;
  type: string;
  data: Readonly<Record<string, unknown>>;
  occurred_at: Date;
};

/** Only one transaction at a time makes the platform's partner. */
export const lockPlatformPartner = (tx: Transaction) =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord platform partner', 0))`);

/** False: there is no such partner yet. What time brought while nothing was published is not announced. */
export const switchPublishing = async (tx: Transaction, publishes: boolean): Promise<boolean> =>
  (
    await tx.query(sql`
    update platform_partner set publishes = ${publishes},
      announced_until = case when publishes then announced_until else concord_now() end
    returning 1`)
  ).length > 0;

export const insertPlatformPartner = (tx: Transaction, partnerId: string) =>
  tx.query(sql`insert into platform_partner (partner_id, publishes) values (${partnerId}, true)`);

export const announceWhatTimeBrought = (tx: Transaction) =>
  tx.query(sql`select announce_what_time_brought()`);

export const hasEvents = (on: Queryable): Promise<boolean> => hasRows(on, sql`select from platform_event`);

/** The oldest, with the partner that gets them. */
export const selectEvents = (on: Queryable, limit: number) =>
  on.query<PlatformEvent & { partner_id: string }>(sql`
    select event.position, event.id, event.type, event.data, event.occurred_at, platform.partner_id
    from platform_event event cross join platform_partner platform
      join partner on partner.id = platform.partner_id and partner.deleted_at is null
    order by event.position limit ${limit}`);

export const deleteEvents = (tx: Transaction, positions: readonly string[]) =>
  tx.query(sql`delete from platform_event where position = any(${[...positions]}::bigint[])`);

/** Those that nobody can get: their partner is deleted. */
export const deleteOrphans = (tx: Transaction) =>
  tx.query(sql`
    delete from platform_event where not exists (
      select from platform_partner platform join partner on partner.id = platform.partner_id and partner.deleted_at is null)`);
