// The SQL of linked accounts, and of changes that wait for a link.
import sql from 'sql-template-tag';
import type { Queryable } from '../../base/postgres/database.ts';

type Row = {
  id: string;
  provider_id: string;
  created_at: Date;
  updated_at: Date;
  account_id: string;
  user_id: string;
  scope: string | null;
};

export function selectLinkedAccounts(on: Queryable, userId: string): Promise<Row[]> {
  return on.query<Row>(sql`
    select id, provider_id, created_at, updated_at, account_id, user_id, scope from auth.account
    where user_id = ${userId} order by created_at, id`);
}

export function selectPendingChanges(
  on: Queryable,
  userId: string,
): Promise<{ purpose: string; email: string | null; expires_at: Date }[]> {
  return on.query(sql`
    select purpose, email, expires_at from auth.mail_link where user_id = ${userId} and expires_at > concord_now() order by expires_at`);
}
