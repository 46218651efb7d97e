// The SQL of the domains of connections.
import sql, { type Sql } from 'sql-template-tag';
import { readOf } from '../../../../access/index.ts';
import { formatId, newUuid } from '../../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../../base/postgres/database.ts';
import { listOf } from '../../../../base/postgres/sql/keyset.ts';
import {
  pick,
  queryRow,
  requireRow,
  type WithDates,
  withTextTimes,
} from '../../../../base/postgres/sql/rows.ts';
import { recordName } from './dns.ts';
import type { Domain } from './schema.ts';

export type DomainRow = Omit<
  WithDates<Domain, 'checked_at' | 'verified_at' | 'lost_at' | 'created_at'>,
  'id' | 'status' | 'record'
> & {
  domain_id: string;
  partner_id: string;
  connection_id: string;
  proof: string;
};

const columns = sql`item.id as domain_id, item.partner_id, item.connection_id, item.domain, item.proof, item.last_check, item.checked_at,
  item.verified_at, item.lost_at, item.created_at`;

export const domainRead = readOf<DomainRow>('identity_domain', columns, {
  parameter: 'domain_id',
  within: { kind: 'identity_connection', parameter: 'connection_id' },
  lock: 'update',
});

export const toDomain = (row: DomainRow): Domain => ({
  id: formatId('identity_domain', row.domain_id),
  ...withTextTimes(pick(row, ['domain', 'last_check', 'checked_at', 'verified_at', 'lost_at', 'created_at'])),
  status: row.verified_at === null ? 'pending' : row.lost_at === null ? 'verified' : 'lost',
  record: { type: 'TXT', name: recordName(row.domain), value: row.proof },
});

/** Undefined: the partner has this domain already. */
export const insertDomain = (
  tx: Transaction,
  row: Pick<DomainRow, 'partner_id' | 'connection_id' | 'domain' | 'proof'>,
) =>
  queryRow<DomainRow>(
    tx,
    sql`
    insert into identity_domain as item (id, partner_id, connection_id, domain, proof)
    values (${newUuid()}, ${row.partner_id}, ${row.connection_id}, ${row.domain}, ${row.proof})
    on conflict (partner_id, domain) do nothing returning ${columns}`,
  );

export const deleteDomain = (tx: Transaction, id: string) =>
  tx.write(sql`delete from identity_domain where id = ${id}`);

/** A domain with the name of its partner. */
export type OwnedDomain = DomainRow & { partner_name: string };

/** Locks the connection, and then its domain: so does a deletion of the connection. */
const lockOwned = (tx: Transaction, condition: Sql) =>
  queryRow<OwnedDomain>(
    tx,
    sql`
    select ${columns}, (select name from partner where id = item.partner_id) as partner_name
    from identity_domain item join identity_connection connection on connection.id = item.connection_id
    where verified_at is not null and ${condition} for no key update of connection for update of item`,
  );

/** One partner at a time verifies a domain of this name. */
export const lockName = (tx: Transaction, domain: string) =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`concord domain ${domain}`}, 0))`);

/** The caller's partner has not verified the domain. */
export const lockOtherOwner = (tx: Transaction, domain: string) => lockOwned(tx, sql`domain = ${domain}`);

/** `checked_at`: when the DNS was asked. */
type Check = Pick<DomainRow, 'last_check' | 'verified_at' | 'lost_at' | 'checked_at'>;

export const setCheck = async (tx: Transaction, id: string, check: Check) =>
  requireRow(
    await tx.query<DomainRow>(sql`
      update identity_domain item set last_check = ${check.last_check}, verified_at = ${check.verified_at},
        lost_at = ${check.lost_at}, checked_at = ${check.checked_at}
      where id = ${id} returning ${columns}`),
    'domain',
  );

const isDue = sql`checked_at <= concord_now() - interval '1 day'`;

/** Verified domains that were not checked for a day. */
export const selectDue = (on: Queryable, limit: number) =>
  on.query<{ id: string; domain: string }>(sql`
    select id, domain from identity_domain where verified_at is not null and ${isDue} order by checked_at limit ${limit}`);

/** Undefined: it was checked, moved or deleted meanwhile. */
export const lockDue = (tx: Transaction, id: string) => lockOwned(tx, sql`item.id = ${id} and ${isDue}`);

export const domainsOf = (on: Queryable, connectionId: string) =>
  listOf(on, 'identity_domain', {
    columns,
    from: sql`identity_domain item where connection_id = ${connectionId}`,
    sorted: { id: sql`id`, created_at: sql`created_at` },
    toItem: toDomain,
  });
