// The SQL of service accounts.
import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import type { Read } from '../../access/index.ts';
import { formatId, newUuid } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { listOf } from '../../base/postgres/sql/keyset.ts';
import { requireRow } from '../../base/postgres/sql/rows.ts';
import type * as wire from './schema.ts';

export type ServiceAccountRow = {
  user_id: string;
  agreement_id: string;
  name: string;
  created_at: Date;
};

const detail = sql`service_account.user_id, service_account.agreement_id, service_account.created_at,
  (select name from auth."user" where id = service_account.user_id) as name`;

/** The service account that the path names. Its id is the id of its user. */
export const serviceAccountRead: Read<ServiceAccountRow> = {
  name: 'service account',
  columns: sql`item.user_id, item.agreement_id, item.created_at, item.name`,
  item: {
    kind: 'user',
    parameter: 'service_account_id',
    hasTypedIds: true,
    join: (id) => sql`left join lateral (
      select ${detail}, service_account.user_id as id from service_account
      where user_id = ${id} and service_account.partner_id = partner.id
    ) item on true`,
  },
};

export function toServiceAccount(row: ServiceAccountRow): Static<typeof wire.ServiceAccount> {
  return {
    id: row.user_id,
    name: row.name,
    agreement_id: formatId('agreement', row.agreement_id),
    created_at: row.created_at.toISOString(),
  };
}

/** Inserts a service account with an accepted agreement, which grants nothing yet. */
export async function insertServiceAccount(
  tx: Transaction,
  partnerId: string,
  { id: userId, email }: { id: string; email: string },
) {
  const agreementId = newUuid();
  await tx.write(sql`
    insert into agreement (id, partner_id, email, email_key, user_id, owner)
    values (${agreementId}, ${partnerId}, ${email}, ${email}, ${userId}, false)`);
  const rows = await tx.query<ServiceAccountRow>(sql`
    insert into service_account (user_id, agreement_id, partner_id) values (${userId}, ${agreementId}, ${partnerId})
    returning ${detail}`);
  return requireRow(rows, 'service account');
}

/** Deletes the agreement. A trigger deletes the user. */
export const deleteServiceAccount = (tx: Transaction, { agreement_id }: ServiceAccountRow) =>
  tx.write(sql`delete from agreement where id = ${agreement_id}`);

export const serviceAccountsOf = (on: Queryable, partnerId: string) =>
  listOf(on, 'user', {
    columns: detail,
    from: sql`service_account where partner_id = ${partnerId}`,
    sorted: { id: sql`service_account.user_id`, created_at: sql`service_account.created_at` },
    toItem: toServiceAccount,
  });
