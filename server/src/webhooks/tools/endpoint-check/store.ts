// The SQL of checks of endpoints. The owner and the id guard every write of a runner.
import sql from 'sql-template-tag';
import { newUuid } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { msAhead } from '../../../base/postgres/sql/clock.ts';
import {
  anyOf,
  hasRows,
  queryRow,
  queryValue,
  queryValues,
  requireRow,
} from '../../../base/postgres/sql/rows.ts';
import { termColumns } from '../../endpoints/store.ts';
import type { Environment } from '../../environments.ts';
import type { Terms } from '../../lanes/hand-over.ts';
import type { Result } from './check.ts';

/** A row of the table `endpoint_check`, ids as bare UUIDs. */
export type CheckRow = {
  endpoint_id: string;
  id: string;
  url: string;
  status: 'none' | 'running' | 'passed' | 'failed';
  results: Result[];
  started_at: Date;
  finished_at: Date | null;
  waived_at: Date | null;
  waived_reason: string | null;
};

const columns = sql`endpoint_id, id, url, status, results, started_at, finished_at, waived_at, waived_reason`;

export const selectCheck = (on: Queryable, endpointId: string) =>
  queryRow<CheckRow>(on, sql`select ${columns} from endpoint_check where endpoint_id = ${endpointId}`);

/** Replaces the last check. Its waiver stays. */
export async function startCheck(tx: Transaction, endpointId: string, url: string): Promise<CheckRow> {
  const rows = await tx.query<CheckRow>(sql`
    insert into endpoint_check (endpoint_id, id, url, status, event_id) values (${endpointId}, ${newUuid()}, ${url}, 'running', ${newUuid()})
    on conflict (endpoint_id) do update set id = excluded.id, url = excluded.url, status = 'running', results = '[]',
      event_id = excluded.event_id, started_at = concord_now(), finished_at = null
    returning ${columns}`);
  await tx.query(sql`update webhook_endpoint set check_status = 'running' where id = ${endpointId}`);
  return requireRow(rows, 'check');
}

export async function waiveCheck(
  tx: Transaction,
  { endpointId, url, reason }: { endpointId: string; url: string; reason: string },
): Promise<CheckRow> {
  const rows = await tx.query<CheckRow>(sql`
    insert into endpoint_check (endpoint_id, id, url, status, event_id, finished_at, waived_at, waived_reason)
    values (${endpointId}, ${newUuid()}, ${url}, 'none', ${newUuid()}, concord_now(), concord_now(), ${reason})
    on conflict (endpoint_id) do update set waived_at = excluded.waived_at, waived_reason = excluded.waived_reason
    returning ${columns}`);
  await tx.query(sql`
    update webhook_endpoint set unchecked = false, checked_at = concord_now(),
      check_status = case when check_status in ('running', 'passed') then check_status else 'waived' end
    where id = ${endpointId}`);
  return requireRow(rows, 'check');
}

const deliveriesRead = 100;

/**
 * Whether this URL has acknowledged one of the last deliveries of a live endpoint of the partner, which can have
 * another one now.
 */
export async function isInUse(on: Queryable, partnerId: string, url: string): Promise<boolean> {
  const last = await queryValues<string>(
    on,
    sql`
    select last.id from webhook_endpoint endpoint cross join lateral (
      select id from delivery where partner_id = ${partnerId} and endpoint_id = endpoint.id order by id desc limit ${deliveriesRead}) last
    where endpoint.partner_id = ${partnerId} and endpoint.environment = 'live'`,
  );
  // By ids: a join would read every partition.
  return hasRows(
    on,
    sql`select from attempt where delivery_id = ${anyOf(last)} and url = ${url} and status_code between 200 and 299 limit 1`,
  );
}

/** A check that a process runs. Another process takes it over when the lease has ended. */
export type Claim = Readonly<{ endpoint_id: string; id: string; owner: string }>;

/** At all instances together: a partner whose receivers hang must not take all places. */
const runningOfPartner = 2;

/** Claims a check that nobody runs. One claim at a time, at all instances: each sees those before it. */
export async function claimCheck(
  tx: Transaction,
  owner: string,
  leaseMs: number,
): Promise<Claim | undefined> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('concord endpoint_check', 0))`);
  return queryRow<Claim>(
    tx,
    sql`
    update endpoint_check set owner = ${owner}, leased_until = ${msAhead(leaseMs)}
    where endpoint_id = (
      select waiting.endpoint_id from endpoint_check waiting
      join webhook_endpoint endpoint on endpoint.id = waiting.endpoint_id
      join partner on partner.id = endpoint.partner_id and partner.deleted_at is null
      where waiting.status = 'running' and (waiting.leased_until is null or waiting.leased_until < concord_now())
        and ${runningOfPartner} > (
          select count(*) from endpoint_check running join webhook_endpoint other on other.id = running.endpoint_id
          where other.partner_id = endpoint.partner_id and running.status = 'running' and running.leased_until >= concord_now())
      order by waiting.started_at limit 1 for update of waiting skip locked)
    returning endpoint_id, id, owner`,
  );
}

const isOurs = ({ endpoint_id, id, owner }: Claim) =>
  sql`endpoint_check.endpoint_id = ${endpoint_id} and endpoint_check.id = ${id} and endpoint_check.owner = ${owner} and endpoint_check.status = 'running'`;

/** What the next request needs. `done`: how many cases have ended. */
export type Next = Terms &
  Readonly<{
    environment: Environment;
    partner_id: string;
    event_types: string[] | null;
    event_id: string;
    done: number;
    now: Date;
  }>;

/** Renews the lease. Undefined: the check, its endpoint or its partner is gone, or another process has it. */
export const renewCheck = (on: Queryable, claim: Claim, leaseMs: number) =>
  queryRow<Next>(
    on,
    sql`
    update endpoint_check set leased_until = ${msAhead(leaseMs)}
    from webhook_endpoint endpoint join partner on partner.id = endpoint.partner_id and partner.deleted_at is null
    where ${isOurs(claim)} and endpoint.id = endpoint_check.endpoint_id and endpoint.url = endpoint_check.url
    returning ${termColumns}, endpoint.environment, endpoint.partner_id, endpoint.event_types,
      endpoint_check.event_id, jsonb_array_length(results) as done, concord_now() as now`,
  );

/** False: another process has the check. */
export const addResult = (on: Queryable, claim: Claim, result: Result, done: number): Promise<boolean> =>
  hasRows(
    on,
    sql`
    update endpoint_check set results = results || ${JSON.stringify([result])}::jsonb
    where ${isOurs(claim)} and jsonb_array_length(results) = ${done} returning 1`,
  );

/** Locks the endpoint of a check, as its other changes do. */
export const lockEndpoint = (tx: Transaction, endpointId: string) =>
  queryRow<{ environment: Environment }>(
    tx,
    sql`select environment from webhook_endpoint where id = ${endpointId} for no key update`,
  );

/**
 * With the endpoint locked and its lane held. A failure makes the deliveries wait again where a check is needed, and
 * none was waived. False: another process has the check.
 */
export async function finishCheck(
  tx: Transaction,
  claim: Claim,
  { status, isNeeded }: { status: 'passed' | 'failed'; isNeeded: boolean },
): Promise<boolean> {
  const waived = await queryValue<boolean>(
    tx,
    sql`
    update endpoint_check set status = ${status}, finished_at = concord_now(), owner = null, leased_until = null
    where ${isOurs(claim)} returning waived_at is not null as waived`,
  );
  if (waived === undefined) return false;
  const shown = status === 'failed' && waived ? 'waived' : status;
  await tx.query(sql`
    update webhook_endpoint set check_status = ${shown}, checked_at = concord_now(), unchecked = ${shown === 'failed' && isNeeded}
    where id = ${claim.endpoint_id}`);
  return true;
}

/** Another process may take the check over now. */
export const releaseCheck = (on: Queryable, claim: Claim) =>
  on.query(sql`update endpoint_check set owner = null, leased_until = null where ${isOurs(claim)}`);
