// The SQL of linked accounts, and of changes that wait for a link.
import sql from 'sql-template-tag';
import type { Queryable } from '../../base/postgres/database.ts';
import type { WithDates } from '../../base/postgres/sql/rows.ts';
import type { LinkedAccount } from './schema.ts';

type LinkedAccountRow = Omit<WithDates<LinkedAccount, 'createdAt' | 'updatedAt'>, 'scopes'> & {
  scope: string | null;
};

export const selectLinkedAccounts = (on: Queryable, userId: string) =>
  on.query<LinkedAccountRow>(sql`
    select id, provider_id as "providerId", created_at as "createdAt", updated_at as "updatedAt", account_id as "accountId",
      user_id as "userId", scope
    from auth.account where user_id = ${userId} order by created_at, id`);

export const selectPendingChanges = (on: Queryable, userId: string) =>
  on.query<{ purpose: string; email: string | null; expires_at: Date }>(sql`
    select purpose, email, expires_at from auth.mail_link where user_id = ${userId} and expires_at > concord_now() order by expires_at`);
