// The SQL of access tokens.
import sql from 'sql-template-tag';
import { type AclPermission, inWireOrder } from '../../access/permissions/index.ts';
import { formatId, parseId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { listOf } from '../../base/postgres/sql/keyset.ts';
import { queryRow, requireRow, type WithDates, withTextTimes } from '../../base/postgres/sql/rows.ts';
import { notBanned } from '../users/store.ts';
import type { AccessToken } from './schema.ts';

/** Ids are bare UUIDs. */
type TokenRow = WithDates<AccessToken, 'expires_at' | 'created_at'>;

const columns = sql`id, name, prefix, scopes, partner_ids, expires_at, created_at`;

type NewToken = {
  id: string;
  userId: string;
  name: string;
  hash: Buffer;
  prefix: string;
  scopes: AclPermission[];
  partnerIds: string[] | null;
  mfaProven: boolean;
  expiresAt: Date;
};

export async function insertToken(tx: Transaction, token: NewToken): Promise<TokenRow> {
  const rows = await tx.query<TokenRow>(sql`
    insert into access_token (id, user_id, name, token_hash, prefix, scopes, partner_ids, mfa_proven, expires_at)
    values (${parseId('access_token', token.id)}, ${token.userId}, ${token.name}, ${token.hash}, ${token.prefix},
      ${JSON.stringify(token.scopes)}, ${token.partnerIds}, ${token.mfaProven}, ${token.expiresAt})
    returning ${columns}`);
  return requireRow(rows, 'access token');
}

export const deleteToken = (tx: Transaction, userId: string, id: string) =>
  queryRow<TokenRow>(
    tx,
    sql`delete from access_token where id = ${parseId('access_token', id)} and user_id = ${userId} returning ${columns}`,
  );

export const deleteTokensOnlyFor = (tx: Transaction, userId: string, partnerId: string) =>
  tx.query(
    sql`delete from access_token where user_id = ${userId} and partner_ids = array[${partnerId}::uuid]`,
  );

/** `service_partner_id`: the token is that of a service account of this partner. */
type OwnedTokenRow = TokenRow & { user_id: string; service_partner_id: string | null };

export const deleteTokenOfHash = (tx: Transaction, hash: Buffer) =>
  queryRow<OwnedTokenRow>(
    tx,
    sql`
    delete from access_token where token_hash = ${hash} and expires_at > concord_now()
    returning ${columns}, user_id,
      (select partner_id from service_account where service_account.user_id = access_token.user_id) as service_partner_id`,
  );

export const toAccessToken = (row: TokenRow): AccessToken => ({
  ...withTextTimes(row),
  id: formatId('access_token', row.id),
  scopes: inWireOrder(row.scopes),
  partner_ids: row.partner_ids?.map((id) => formatId('partner', id)) ?? null,
});

export const tokensOf = (on: Queryable, userId: string) =>
  listOf(on, 'access_token', {
    columns,
    from: sql`access_token where user_id = ${userId} and expires_at > concord_now()`,
    sorted: {
      id: sql`id`,
      name: sql`name`,
      created_at: sql`created_at`,
      expires_at: sql`expires_at`,
    },
    toItem: toAccessToken,
  });

type Ending = { email: string; name: string; prefix: string; endsAt: Date };

/**
 * Marks at most `limit` personal tokens that end within 7 days as warned, and returns them. Tokens that were
 * created to last no longer than that are left out, and so are those of banned users.
 */
export const takeEnding = (tx: Transaction, limit: number): Promise<Ending[]> =>
  tx.query<Ending>(sql`
    with ending as (
      select token.id, account.email from access_token token join auth."user" account on account.id = token.user_id
      where token.warned_at is null
        and token.expires_at > concord_now() and token.expires_at <= concord_now() + interval '7 days'
        and token.expires_at > token.created_at + interval '7 days'
        and ${notBanned}
        and not exists (select from service_account where service_account.user_id = account.id)
      order by token.expires_at limit ${limit} for no key update of token skip locked)
    update access_token set warned_at = concord_now() from ending where access_token.id = ending.id
    returning ending.email, name, prefix, expires_at as "endsAt"`);
