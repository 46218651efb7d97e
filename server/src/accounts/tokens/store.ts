// The SQL of access tokens.
import sql from 'sql-template-tag';
import { parseId } from '../../ids.ts';
import type { AclPermission } from '../../permissions/index.ts';
import type { Queryable, Transaction } from '../../postgres/database.ts';
import { keyset, type Order, type Position } from '../../postgres/sql/keyset.ts';
import { requireRow, selectCount } from '../../postgres/sql/rows.ts';

/** A row of the table `access_token`. Ids are bare UUIDs. */
export type TokenRow = {
  id: string;
  name: string;
  prefix: string;
  scopes: AclPermission[];
  partner_ids: string[] | null;
  expires_at: Date;
  created_at: Date;
};

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

export async function deleteToken(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const gone = await tx.query(
    sql`delete from access_token where id = ${parseId('access_token', id)} and user_id = ${userId} returning id`,
  );
  return gone.length > 0;
}

const sortColumns = {
  id: sql`id`,
  name: sql`name`,
  created_at: sql`created_at`,
  expires_at: sql`expires_at`,
} as const;
export type TokenSort = keyof typeof sortColumns;

const ofUser = (userId: string) => sql`user_id = ${userId} and expires_at > concord_now()`;

export function selectTokens(
  on: Queryable,
  userId: string,
  by: Order<TokenSort>,
  after: Position | null,
  limit: number,
): Promise<TokenRow[]> {
  const { from, order } = keyset(sortColumns, by, after, (id) => parseId('access_token', id));
  return on.query<TokenRow>(sql`select ${columns} from access_token where ${ofUser(userId)} ${from} ${order} limit ${limit}`);
}

export const countTokens = (on: Queryable, userId: string): Promise<number> =>
  selectCount(on, sql`access_token where ${ofUser(userId)}`);
