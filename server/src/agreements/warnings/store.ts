// The SQL of warnings: the agreements that end soon.
import sql from 'sql-template-tag';
import type { Transaction } from '../../base/postgres/database.ts';
import { notBanned } from '../../people/index.ts';

type Ending = { partner: string; email: string; endsAt: Date };

/**
 * Marks at most `limit` agreements that end within 14 days as warned, and returns them. Service accounts and
 * banned users get no mail.
 * Agreements that are being changed are left for the next run, so this never waits.
 */
export const takeEnding = (tx: Transaction, limit: number) =>
  tx.query<Ending>(sql`
    with ending as (
      select agreement.id, partner.name as partner, account.email
      from agreement
        join partner on partner.id = agreement.partner_id and partner.deleted_at is null
        join auth."user" account on account.id = agreement.user_id
      where agreement.warned_at is null
        and agreement.expires_at > concord_now() and agreement.expires_at <= concord_now() + interval '14 days'
        and ${notBanned}
        and not exists (select from service_account where service_account.agreement_id = agreement.id)
      order by agreement.expires_at limit ${limit} for no key update of agreement skip locked)
    update agreement set warned_at = concord_now() from ending where agreement.id = ending.id
    returning ending.partner, ending.email, agreement.expires_at as "endsAt"`);
