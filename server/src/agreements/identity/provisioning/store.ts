// The SQL of provisioning tokens, and of the log of requests.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { hasRows, queryRow } from '../../../base/postgres/sql/rows.ts';

type Caller = { connectionId: string; partnerId: string; used: boolean };

/** `used`: in the last minute. */
export const selectCaller = (on: Queryable, tokenHash: Buffer) =>
  queryRow<Caller>(
    on,
    sql`
    select connection_id as "connectionId", partner_id as "partnerId",
      coalesce(last_used_at > concord_now() - interval '1 minute', false) as used
    from provisioning_token join partner on partner.id = partner_id and deleted_at is null
    where token_hash = ${tokenHash}`,
  );

export const markUsed = (on: Queryable, tokenHash: Buffer) =>
  on.write(sql`update provisioning_token set last_used_at = concord_now() where token_hash = ${tokenHash}`);

/** Nobody replaces the token before the transaction ends. The caller has locked the partner. */
export async function lockToken(tx: Transaction, tokenHash: Buffer) {
  await tx.query(sql`select from provisioning_token where token_hash = ${tokenHash} for share`);
  return selectCaller(tx, tokenHash);
}

/** For a connection without a token. */
export const insertToken = (
  tx: Transaction,
  connection: { connectionId: string; partnerId: string },
  { hash, prefix }: { hash: Buffer; prefix: string },
) =>
  tx.write(sql`
    insert into provisioning_token (connection_id, partner_id, token_hash, prefix)
    values (${connection.connectionId}, ${connection.partnerId}, ${hash}, ${prefix})`);

/** False: there was none. */
export const deleteToken = (tx: Transaction, connectionId: string) =>
  hasRows(tx, sql`delete from provisioning_token where connection_id = ${connectionId} returning 1`);

export const selectToken = (on: Queryable, connectionId: string) =>
  queryRow<{ prefix: string; created_at: Date; last_used_at: Date | null }>(
    on,
    sql`select prefix, created_at, last_used_at from provisioning_token where connection_id = ${connectionId}`,
  );

export type RequestRow = {
  created_at: Date;
  method: string;
  path: string;
  status: number;
  detail: string | null;
};

const keptRequests = 50;

export const insertRequest = (
  on: Queryable,
  connectionId: string,
  { method, path, status, detail }: Omit<RequestRow, 'created_at'>,
) =>
  on.write(sql`
    with inserted as (
      insert into provisioning_request (connection_id, method, path, status, detail)
      values (${connectionId}, ${method}, ${path}, ${status}, ${detail}))
    delete from provisioning_request where connection_id = ${connectionId} and position <= (
      select position from provisioning_request where connection_id = ${connectionId}
      order by position desc offset ${keptRequests - 1} limit 1)`);

/** The newest first. */
export const selectRequests = (on: Queryable, connectionId: string) =>
  on.query<RequestRow>(sql`
    select created_at, method, path, status, detail from provisioning_request
    where connection_id = ${connectionId} order by position desc limit ${keptRequests}`);
