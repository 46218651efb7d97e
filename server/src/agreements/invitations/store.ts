// The SQL of invitations: the names in their mails, what they offer, and who answers them.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryRow, requireRow } from '../../base/postgres/sql/rows.ts';

/** `until`: the end of an invitation that is sent now. */
export type Names = { partner: string; inviter: string; until: Date };

export async function selectNames(tx: Transaction, partnerId: string, inviterId: string): Promise<Names> {
  const rows = await tx.query<Names>(
    sql`
    select partner.name as partner, account.name as inviter, concord_now() + interval '7 days' as until from partner, auth."user" account
    where partner.id = ${partnerId} and account.id = ${inviterId}`,
    'names of invitation',
  );
  return requireRow(rows, 'partner');
}

/** The partner of an agreement. Undefined: the agreement or the partner is deleted. */
export async function selectPartner(
  on: Queryable,
  agreementId: string,
): Promise<{ id: string; name: string } | undefined> {
  return queryRow(
    on,
    sql`
    select partner.id, partner.name from agreement join partner on partner.id = agreement.partner_id
    where agreement.id = ${agreementId} and partner.deleted_at is null`,
  );
}

/** Every mutation locks the partner and the user before the agreement. */
export async function lockAgreement(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`select from agreement where id = ${id} for no key update`);
}

export async function selectAccount(
  on: Queryable,
  userId: string,
): Promise<{ email: string; verified: boolean } | undefined> {
  return queryRow(
    on,
    sql`
    select email, email_verified as verified from auth."user" where id = ${userId}`,
  );
}

export async function hasAccount(on: Queryable, email: string): Promise<boolean> {
  return hasRows(on, sql`select from auth."user" where email = ${email}`);
}

/** Deletes the pending agreements with these addresses. Ids are bare UUIDs. */
export function deleteInvitationsTo(
  tx: Transaction,
  emails: readonly string[],
): Promise<{ id: string; partner_id: string }[]> {
  return tx.query(sql`
    delete from agreement where user_id is null and email_key = any (${emails}) returning id, partner_id`);
}
