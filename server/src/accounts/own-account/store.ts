// The SQL of linked accounts.
import sql from 'sql-template-tag';
import type { Queryable } from '../../postgres/database.ts';

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
