// The SQL of the domains of connections.
import sql from 'sql-template-tag';
import type { Read } from '../../../../access/index.ts';
import { newUuid } from '../../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { onPage, type Page } from '../../../../base/postgres/sql/keyset.ts';
import { queryRow, requireRow, selectTotal, type Total } from '../../../../base/postgres/sql/rows.ts';

export type DomainRow = {
  domain_id: string;
  partner_id: string;
  connection_id: string;
  domain: string;
  proof: string;
  last_check: 'found' | 'missing' | 'failed' | null;
  checked_at: Date | null;
  verified_at: Date | null;
  lost_at: Date | null;
  created_at: Date;
};

const names = sql`partner_id, connection_id, domain, proof, last_check, checked_at, verified_at, lost_at, created_at`;
const columns = sql`id as domain_id, ${names}`;

/** The domain that the path names. */
export const domainRead: Read<DomainRow> = {
  name: 'identity domain',
  columns: sql`item.id as domain_id, item.partner_id, item.connection_id, item.domain, item.proof, item.last_check, item.checked_at,
    item.verified_at, item.lost_at, item.created_at`,
  item: {
    kind: 'identity_domain',
    parameter: 'domain_id',
    within: { kind: 'identity_connection', parameter: 'connection_id' },
    join: (id, within) => sql`left join lateral (
      select id, ${names} from identity_domain
      where id = ${id} and connection_id = ${within} and identity_domain.partner_id = partner.id
    ) item on true`,
    lock: (id) => sql`select from identity_domain where id = ${id} for update`,
  },
};

/** Undefined: the partner has this domain already. */
export const insertDomain = (
  tx: Transaction,
  {
    partnerId,
    connectionId,
    domain,
    proof,
  }: { partnerId: string; connectionId: string; domain: string; proof: string },
): Promise<DomainRow | undefined> =>
  queryRow(
    tx,
    sql`
    insert into identity_domain (id, partner_id, connection_id, domain, proof)
    values (${newUuid()}, ${partnerId}, ${connectionId}, ${domain}, ${proof})
    on conflict (partner_id, domain) do nothing returning ${columns}`,
  );

export async function deleteDomain(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`delete from identity_domain where id = ${id}`);
}

/** The row of another partner that has verified the domain. It is locked. */
export const lockOtherOwner = (tx: Transaction, { domain, partner_id }: DomainRow) =>
  queryRow<DomainRow & { partner_name: string }>(
    tx,
    sql`
    select ${columns}, (select name from partner where id = partner_id) as partner_name from identity_domain
    where domain = ${domain} and verified_at is not null and partner_id <> ${partner_id} for update`,
  );

/** `checked_at`: now, unless it is given. */
type Check = Pick<DomainRow, 'last_check' | 'verified_at' | 'lost_at'> &
  Partial<Pick<DomainRow, 'checked_at'>>;

export async function setCheck(tx: Transaction, id: string, check: Check): Promise<DomainRow> {
  return requireRow(
    await tx.query<DomainRow>(sql`
      update identity_domain set last_check = ${check.last_check}, verified_at = ${check.verified_at},
        lost_at = ${check.lost_at}, checked_at = coalesce(${check.checked_at ?? null}, concord_now())
      where id = ${id} returning ${columns}`),
    'domain',
  );
}

/** Verified domains that were not checked for a day. They are locked; those of changes under way come later. */
export const lockDue = (tx: Transaction, limit: number): Promise<(DomainRow & { partner_name: string })[]> =>
  tx.query(sql`
    select ${columns}, (select name from partner where id = partner_id) as partner_name from identity_domain
    where verified_at is not null and checked_at <= concord_now() - interval '1 day'
    order by checked_at limit ${limit} for update skip locked`);

const sortColumns = { id: sql`id`, created_at: sql`created_at` } as const;

export const selectDomains = (
  on: Queryable,
  connectionId: string,
  page: Page<keyof typeof sortColumns>,
): Promise<DomainRow[]> =>
  on.query(sql`
    select ${columns} from identity_domain where connection_id = ${connectionId} ${onPage(sortColumns, 'identity_domain', page)}`);

export const countDomains = (on: Queryable, connectionId: string): Promise<Total> =>
  selectTotal(on, sql`identity_domain where connection_id = ${connectionId}`);
