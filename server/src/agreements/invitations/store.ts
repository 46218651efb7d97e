// The SQL of invitations: the names in their mails, what they offer, and who answers them.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryRow, requireRow } from '../../base/postgres/sql/rows.ts';

/** `until`: the end of an invitation that is sent now. */
export type Names = { partner: string; inviter: string; until: Date };

export async function selectNames(tx: Transaction, partnerId: string, inviterId: string) {
  const rows = await tx.query<Names>(
    sql`
    select partner.name as partner, account.name as inviter, concord_now() + interval '7 days' as until from partner, auth."user" account
    where partner.id = ${partnerId} and account.id = ${inviterId}`,
    'names of invitation',
  );
  return requireRow(rows, 'partner');
}

/** The partner of an agreement. Undefined: the agreement or the partner is deleted. */
export const selectPartner = (on: Queryable, agreementId: string) =>
  queryRow<{ id: string; name: string }>(
    on,
    sql`
    select partner.id, partner.name from agreement join partner on partner.id = agreement.partner_id
    where agreement.id = ${agreementId} and partner.deleted_at is null`,
  );

/** Every mutation locks the partner and the user before the agreement. */
export const lockAgreement = (tx: Transaction, id: string) =>
  tx.write(sql`select from agreement where id = ${id} for no key update`);

export const selectAccount = (on: Queryable, userId: string) =>
  queryRow<{ email: string; verified: boolean }>(
    on,
    sql`
    select email, email_verified as verified from auth."user" where id = ${userId}`,
  );

export const hasAccount = (on: Queryable, email: string) =>
  hasRows(on, sql`select from auth."user" where email = ${email}`);

/** Deletes the pending agreements with these addresses. */
export const deleteInvitationsTo = (tx: Transaction, emails: readonly string[]) =>
  tx.query<{ id: string; partner_id: string }>(sql`
    delete from agreement where user_id is null and email_key = any (${emails}) returning id, partner_id`);
