// The SQL of invitations: the names in their mails.
import sql from 'sql-template-tag';
import type { Transaction } from '../../postgres/database.ts';
import { requireRow } from '../../postgres/sql/rows.ts';

type Names = { partner: string; inviter: string };

export async function selectNames(tx: Transaction, partnerId: string, inviterId: string): Promise<Names> {
  const rows = await tx.query<Names>(sql`
    select partner.name as partner, account.name as inviter from partner, auth."user" account
    where partner.id = ${partnerId} and account.id = ${inviterId}`);
  return requireRow(rows, 'partner');
}
