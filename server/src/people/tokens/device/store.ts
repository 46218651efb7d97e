// The SQL of programs that ask for an access token.
import sql from 'sql-template-tag';
import type { AclPermission } from '../../../access/permissions/index.ts';
import { parseId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { queryRow } from '../../../base/postgres/sql/rows.ts';

export type NewRequest = {
  deviceCodeHash: Buffer;
  userCodeMac: Buffer;
  clientName: string | null;
  address: string;
  tokenHash: Buffer;
  tokenPrefix: string;
};

export const insertRequest = (on: Queryable, request: NewRequest) =>
  on.query(sql`
    insert into device_authorization (device_code_hash, user_code_mac, client_name, address, token_hash, token_prefix)
    values (${request.deviceCodeHash}, ${request.userCodeMac}, ${request.clientName}, ${request.address}, ${request.tokenHash},
      ${request.tokenPrefix})`);

type OpenRequest = {
  device_code_hash: Buffer;
  client_name: string | null;
  address: string;
  token_hash: Buffer;
  token_prefix: string;
  created_at: Date;
  expires_at: Date;
};

/** A program that still waits for an answer. */
const isOpen = (macs: readonly Buffer[]) =>
  sql`user_code_mac = any(${[...macs]}::bytea[]) and token_id is null and not denied and expires_at > concord_now()`;
const openColumns = sql`device_code_hash, client_name, address, token_hash, token_prefix, created_at, expires_at`;

const open = (macs: readonly Buffer[]) =>
  sql`select ${openColumns} from device_authorization where ${isOpen(macs)}`;

export const selectOpen = (on: Queryable, macs: readonly Buffer[]) => queryRow<OpenRequest>(on, open(macs));

export const lockOpen = (tx: Transaction, macs: readonly Buffer[]) =>
  queryRow<OpenRequest>(tx, sql`${open(macs)} for update`);

export const approve = (tx: Transaction, deviceCodeHash: Buffer, tokenId: string) =>
  tx.query(sql`
    update device_authorization set token_id = ${parseId('access_token', tokenId)} where device_code_hash = ${deviceCodeHash}`);

export const deny = (tx: Transaction, deviceCodeHash: Buffer) =>
  tx.query(sql`update device_authorization set denied = true where device_code_hash = ${deviceCodeHash}`);

/** What the program is told. `too_soon`: it asked before its interval was over. */
type Asked = {
  state: 'pending' | 'denied' | 'expired' | 'approved';
  too_soon: boolean;
  token_hash: Buffer;
  scopes: AclPermission[] | null;
  partner_ids: string[] | null;
  seconds_left: number | null;
};

/** Records that the program asked. Locks the row, so that only one of two simultaneous questions gets the token. */
export const ask = (tx: Transaction, deviceCodeHash: Buffer) =>
  queryRow<Asked>(
    tx,
    sql`
    with asking as (
      select device_code_hash, coalesce(asked_at > concord_now() - interval * interval '1 second', false) as too_soon
      from device_authorization where device_code_hash = ${deviceCodeHash} for update),
    asked as (
      update device_authorization request set asked_at = concord_now(),
        interval = case when too_soon then least(request.interval + 5, 300) else request.interval end
      from asking where request.device_code_hash = asking.device_code_hash returning request.*, too_soon)
    select case when denied then 'denied' when asked.expires_at <= concord_now() then 'expired'
        when token_id is null then 'pending' else 'approved' end as state,
      too_soon, asked.token_hash, token.scopes, token.partner_ids,
      floor(extract(epoch from token.expires_at - concord_now()))::int as seconds_left
    from asked left join access_token token on token.id = asked.token_id`,
  );

export const deleteRequest = (tx: Transaction, deviceCodeHash: Buffer) =>
  tx.query(sql`delete from device_authorization where device_code_hash = ${deviceCodeHash}`);
