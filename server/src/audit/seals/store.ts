// The SQL of seals: the queue of rows that have none, the seals, and what the verification reads.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { msAgo } from '../../base/postgres/sql/clock.ts';
import { hasRows, queryRow, queryValue, queryValues } from '../../base/postgres/sql/rows.ts';
import type { Seal, SealedRow } from './seal.ts';

/** Every column of a row but its position. A column that is added later needs a new form of seal. */
const sealedColumns = sql`array[extract(epoch from at)::text, request_id, actor_kind, actor_id, credential,
  partner_id::text, action, target, outcome, details::text, changes::text,
  encode(address_commitment, 'hex'), encode(person_commitment, 'hex')]`;

export const hasUnsealed = (on: Queryable) =>
  hasRows(on, sql`select from audit_unsealed limit 1`, 'unsealed');

/** A position whose row is gone stays in the queue, for the verification. */
export const takeUnsealed = (tx: Transaction, limit: number) =>
  tx.query<SealedRow>(sql`
    with taken as (
      delete from audit_unsealed where position in (
        select position from audit_unsealed join audit_log using (position) order by position limit ${limit})
      returning position)
    select position, ${sealedColumns} as values from audit_log where position in (select position from taken) order by position`);

const sealColumns = sql`id, positions, row_macs as "rowMacs", mac, secret_version as "secretVersion", sealed_at as "sealedAt",
  dropped_at as "droppedAt", dropped_mac as "droppedMac"`;

export type StoredSeal = Seal & { readonly droppedAt: Date | null; readonly droppedMac: Buffer | null };

export const selectLastSeal = (on: Queryable) =>
  queryRow<StoredSeal>(on, sql`select ${sealColumns} from audit_seal order by id desc limit 1`);

export const selectSealsAfter = (on: Queryable, id: string, limit: number) =>
  on.query<StoredSeal>(
    sql`select ${sealColumns} from audit_seal where id > ${id} order by id limit ${limit}`,
  );

export async function insertSeal(
  tx: Transaction,
  { id, positions, rowMacs, mac, secretVersion, sealedAt }: Seal,
): Promise<void> {
  await tx.query(sql`
    insert into audit_seal (id, positions, row_macs, mac, secret_version, sealed_at)
    values (${id}, ${[...positions]}, ${rowMacs}, ${mac}, ${secretVersion}, ${sealedAt})`);
}

/** The oldest seals that stand and are older than `retentionMs`. `previousMac`: of the seal before. */
export async function selectDroppable(
  on: Queryable,
  retentionMs: number,
  limit: number,
): Promise<(StoredSeal & { readonly previousMac: Buffer | null })[]> {
  // The age is outside, so that a younger seal ends the search.
  return on.query(sql`
    select ${sealColumns}, (select mac from audit_seal before where before.id = oldest.id - 1) as "previousMac"
    from (select * from audit_seal where dropped_at is null order by id limit ${limit}) oldest
    where sealed_at < ${msAgo(retentionMs)} order by id`);
}

/** The trigger of the log lets nothing else through. */
export async function dropRows(
  tx: Transaction,
  { id }: Seal,
  droppedAt: Date,
  droppedMac: Buffer,
): Promise<void> {
  await tx.query(
    sql`update audit_seal set dropped_at = ${droppedAt}, dropped_mac = ${droppedMac} where id = ${id}`,
  );
  await tx.query(sql`select set_config('concord.dropped_seal', ${id}, true)`);
  await tx.query(
    sql`delete from audit_log where position = any ((select positions from audit_seal where id = ${id})::bigint[])`,
  );
}

/** Rows, and whether their personal values are erased or altered. */
export const selectRows = (on: Queryable, positions: readonly string[]) =>
  on.query<SealedRow & { erased: boolean; altered: boolean }>(sql`
    select position, ${sealedColumns} as values, coalesce(personal.found, 0)
        < num_nonnulls(address_commitment, person_commitment) as erased, coalesce(personal.altered, false) as altered
    from audit_log left join lateral (
      select count(*) as found, bool_or(length(salt) <> 16 or audit_person.partner_id is distinct from audit_log.partner_id
        or sha256(salt || convert_to(jsonb_build_array(subject, personal)::text, 'UTF8')) is distinct from
          case part when 'address' then address_commitment else person_commitment end) as altered
      from audit_person where audit_person.position = audit_log.position
    ) personal on true
    where audit_log.position = any (${[...positions]}::bigint[])`);

/** `after` null: from the first on. */
export const selectPositionsAfter = (on: Queryable, after: string | null, limit: number) =>
  on.query<{ position: string; waiting: boolean }>(sql`
    select position, exists (select from audit_unsealed where audit_unsealed.position = audit_log.position) as waiting
    from audit_log where ${after === null ? sql`true` : sql`position > ${after}`} order by position limit ${limit}`);

/** Undefined: none waits. */
export const selectWaitingSince = (on: Queryable) =>
  queryValue<Date>(
    on,
    sql`select at from audit_unsealed join audit_log using (position) where isfinite(at) order by at limit 1`,
  );

/** The rows of some can be gone. */
const oldestWaiting = 1_000;

/** Seconds since the oldest unsealed row was written. Null: none waits. */
export async function selectSealDelay(on: Queryable): Promise<number | null> {
  const age = await queryValue<number>(
    on,
    sql`
    select greatest(extract(epoch from concord_now() - at), 0)::float8 as age
    from (select position from audit_unsealed order by position limit ${oldestWaiting}) waiting join audit_log using (position)
    where isfinite(at) order by position limit 1`,
  );
  return age ?? null;
}

/** Positions that wait for a seal, and whose row is gone. */
export const selectLost = (on: Queryable, limit: number) =>
  queryValues<string>(
    on,
    sql`
    select position from audit_unsealed where not exists (
      select from audit_log where audit_log.position = audit_unsealed.position) order by position limit ${limit}`,
  );
