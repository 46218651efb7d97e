// The SQL of endpoints that may need attention, of all partners.
import sql from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';
import type { FailingEndpoint } from './schema.ts';

/** Ids are bare UUIDs. */
type SuspectRow = Omit<FailingEndpoint, 'partner' | 'since' | 'recent'> & {
  partner_id: string;
  partner_name: string;
  disabled_at: Date | null;
  failing_since: Date | null;
};

const maxDisabled = 50;
const maxFailing = 200;
const ofLivePartner = sql`join partner on partner.id = endpoint.partner_id and partner.deleted_at is null`;

/**
 * Endpoints that Concord disabled in the last week, those that have failed for the longest time, and
 * `others`. Paused ones are left out.
 */
export const selectSuspects = (on: Queryable, others: readonly string[]) =>
  on.query<SuspectRow>(sql`
    select partner.id as partner_id, partner.name as partner_name, endpoint.id as endpoint_id, endpoint.url, endpoint.description,
      endpoint.environment, endpoint.status, endpoint.disabled_reason, endpoint.disabled_at, lane.failing_since
    from (
      (select endpoint.id from webhook_endpoint endpoint ${ofLivePartner}
        where endpoint.status = 'disabled' and disabled_at > concord_now() - interval '7 days' order by disabled_at desc limit ${maxDisabled})
      union (select endpoint.id from lane join webhook_endpoint endpoint on endpoint.id = lane.endpoint_id and endpoint.status = 'active' ${ofLivePartner}
        where failing_since is not null order by failing_since limit ${maxFailing})
      union select unnest(${[...others]}::uuid[])) suspect
    join webhook_endpoint endpoint using (id)
    join lane on lane.endpoint_id = endpoint.id
    ${ofLivePartner}
    where endpoint.status <> 'paused'`);
