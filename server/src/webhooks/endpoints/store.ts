// The SQL of webhook endpoints.
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { type Granted, readOf } from '../../access/index.ts';
import { formatId } from '../../base/ids.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { movedForward } from '../../base/postgres/sql/clock.ts';
import { onPage, type Page } from '../../base/postgres/sql/keyset.ts';
import {
  allOf,
  anyOf,
  columnList,
  hasRows,
  pick,
  queryRow,
  queryValue,
  queryValues,
  requireRow,
  selectTotal,
  type Total,
  unnest,
} from '../../base/postgres/sql/rows.ts';
import { contains } from '../../base/postgres/sql/text.ts';
import type { Environment } from '../environments.ts';
import type { Target, Terms } from '../lanes/hand-over.ts';
import { deliveredUntil, holdAsleep, holdAwake, holdLanes, type Lease } from '../lanes/store.ts';
import type { ClientCertificate } from './client-certificate/schema.ts';
import type { Endpoint } from './schema.ts';

/** A client sets these. */
const contentNames = [
  'url',
  'description',
  'event_types',
  'filter',
  'ordering',
  'max_concurrency',
  'rate_limit_per_second',
  'retry_schedule',
  'timeout_seconds',
  'disable_after_hours',
  'payload',
  'checkpoint_minutes',
  'batch',
  'header_names',
  'authentication',
] as const;
const contentColumns = columnList(contentNames);
export type Content = Pick<Endpoint, (typeof contentNames)[number]>;
const valuesOf = (content: Content): Sql => join(contentNames.map((name) => content[name]));

/** A row of the table `webhook_endpoint`, ids as bare UUIDs. */
export type EndpointRow = Omit<Endpoint, 'id' | 'signing_secret' | 'check' | 'created_at' | 'updated_at'> & {
  endpoint_id: string;
  sealed_signing_secret: Buffer | null;
  signing_secret_created_at: Date | null;
  previous_secret_until: Date | null;
  check_status: Endpoint['check']['status'];
  checked_at: Date | null;
  /** Deliveries wait for a check (W62). */
  unchecked: boolean;
  created_at: Date;
  updated_at: Date;
};
export type GrantedEndpoint = Granted<EndpointRow>;

/** Without its text: lists have many endpoints. */
const certificateSummary = sql`case when item.client_certificate is not null then
  jsonb_build_object('subject', item.client_certificate->'subject', 'not_after', item.client_certificate->'not_after',
    'fingerprint_sha256', item.client_certificate->'fingerprint_sha256') end as client_certificate`;
const columns = sql`
  item.id as endpoint_id, ${columnList(contentNames, 'item')}, item.status, item.environment, item.listener_seen_at is not null as listener,
  ${certificateSummary}, item.sealed_signing_secret, item.signing_secret_created_at, item.previous_secret_until, item.disabled_reason,
  item.check_status, item.checked_at, item.unchecked, item.created_at, item.updated_at`;

// Deliverers disable endpoints without locking the partner.
export const endpointRead = readOf<EndpointRow>('webhook_endpoint', columns, {
  parameter: 'endpoint_id',
  lock: 'no key update',
});

export const toEndpoint = (row: EndpointRow): Endpoint => ({
  id: formatId('webhook_endpoint', row.endpoint_id),
  ...pick(row, contentNames),
  status: row.status,
  environment: row.environment,
  listener: row.listener,
  signing_secret: row.signing_secret_created_at && {
    created_at: row.signing_secret_created_at.toISOString(),
    previous_valid_until: row.previous_secret_until?.toISOString() ?? null,
  },
  client_certificate: row.client_certificate,
  disabled_reason: row.disabled_reason,
  check: {
    status: row.check_status,
    checked_at: row.checked_at?.toISOString() ?? null,
    blocks_deliveries: row.unchecked,
  },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Undefined: it stays. */
export type SealedContent = Readonly<{
  headers: Buffer | null | undefined;
  authentication: Buffer | null | undefined;
}>;

export async function insertEndpoint(
  tx: Transaction,
  partnerId: string,
  { endpointId, environment, listener }: { endpointId: string; environment: string; listener: boolean },
  content: Content,
  sealed: SealedContent,
): Promise<Endpoint> {
  const rows = await tx.query<EndpointRow>(sql`
    insert into webhook_endpoint as item (id, partner_id, environment, listener_seen_at, sealed_headers, sealed_authentication, unchecked, ${contentColumns})
    values (${endpointId}, ${partnerId}, ${environment}, case when ${listener} then concord_now() end,
      ${sealed.headers ?? null}, ${sealed.authentication ?? null}, ${await needsCheck(tx, environment)}, ${valuesOf(content)}) returning ${columns}`);
  return toEndpoint(requireRow(rows, 'webhook endpoint'));
}

/** Whether a new URL of this environment gets nothing before its check. Until the commit the policy stays. */
export async function needsCheck(tx: Transaction, environment: string): Promise<boolean> {
  const policy = sql`select requires_check from webhook_policy for share`;
  return environment === 'live' && (await queryValue<boolean>(tx, policy)) === true;
}

/** Another URL needs another check. */
export async function forgetCheck(tx: Transaction, endpointId: string, environment: string): Promise<void> {
  await tx.query(sql`delete from endpoint_check where endpoint_id = ${endpointId}`);
  await tx.query(sql`
    update webhook_endpoint set check_status = 'none', checked_at = null, unchecked = ${await needsCheck(tx, environment)}
    where id = ${endpointId}`);
}

/**
 * Applies the setting of the process that starts. Returns the endpoints whose deliveries need not wait any
 * more: their lanes are held.
 */
export async function updatePolicy(tx: Transaction, requiresCheck: boolean): Promise<string[]> {
  const changed = await hasRows(
    tx,
    sql`update webhook_policy set requires_check = ${requiresCheck} where requires_check <> ${requiresCheck} returning 1`,
  );
  if (!changed) return [];
  if (requiresCheck) {
    await tx.query(sql`
      update webhook_endpoint set unchecked = true where environment = 'live' and check_status not in ('passed', 'waived')
        and not exists (select from endpoint_check where endpoint_id = webhook_endpoint.id and waived_at is not null)`);
    return [];
  }
  const ids = await queryValues<string>(
    tx,
    sql`select id from webhook_endpoint where unchecked order by id for no key update`,
  );
  const existing = await holdLanes(tx, ids);
  await tx.query(sql`update webhook_endpoint set unchecked = false where id = ${anyOf(existing)}`);
  return existing;
}

export function updateEndpoint(
  tx: Transaction,
  endpointId: string,
  content: Content,
  { headers, authentication }: SealedContent,
): Promise<Endpoint> {
  const change = sql`(${contentColumns}) = (${valuesOf(content)})
    ${headers === undefined ? empty : sql`, sealed_headers = ${headers}`}
    ${authentication === undefined ? empty : sql`, sealed_authentication = ${authentication}`}`;
  return update(tx, endpointId, change);
}

/** What has routes of its own. Null removes it. */
export type PartColumns =
  | { status: 'active' | 'paused'; disabled_reason: null; disabled_at: null }
  | Record<'client_certificate' | 'sealed_client_certificate', ClientCertificate | Buffer | null>
  | Record<
      'sealed_signing_secret' | 'signing_secret_created_at' | 'previous_secret_until',
      Buffer | Date | null
    >;

export const updatePart = (tx: Transaction, endpointId: string, part: PartColumns): Promise<Endpoint> =>
  update(tx, endpointId, sql`(${columnList(Object.keys(part))}) = (${join(Object.values(part))})`);

async function update(tx: Transaction, endpointId: string, change: Sql): Promise<Endpoint> {
  const rows = await tx.query<EndpointRow>(sql`
    update webhook_endpoint item set ${change}, updated_at = ${movedForward()}
    where id = ${endpointId} returning ${columns}`);
  return toEndpoint(requireRow(rows, 'webhook endpoint'));
}

export const selectClientCertificate = (on: Queryable, endpointId: string) =>
  queryRow<{ shown: ClientCertificate; sealed: Buffer }>(
    on,
    sql`select client_certificate as shown, sealed_client_certificate as sealed from webhook_endpoint
      where id = ${endpointId} and client_certificate is not null`,
  );

export const deleteEndpoint = (tx: Transaction, endpointId: string) =>
  tx.query(sql`delete from webhook_endpoint where id = ${endpointId}`);

export const selectStatuses = (on: Queryable, partnerId: string) =>
  on.query<Pick<Endpoint, 'id' | 'status'>>(
    sql`select id, status from webhook_endpoint where partner_id = ${partnerId}`,
  );

const sortColumns = { id: sql`item.id`, created_at: sql`item.created_at`, updated_at: sql`item.updated_at` };
export type EndpointSort = keyof typeof sortColumns;
export type EndpointFilter = {
  environment?: string | undefined;
  status?: string | undefined;
  text?: string | undefined;
  /** Bare UUIDs. */
  ids?: readonly string[] | undefined;
};

export async function selectEndpoints(
  on: Queryable,
  partnerId: string,
  filter: EndpointFilter,
  ...page: Page<EndpointSort>
): Promise<Endpoint[]> {
  const end = onPage(sortColumns, 'webhook_endpoint', page);
  const rows = await on.query<EndpointRow>(
    sql`select ${columns} from webhook_endpoint item where ${matches(partnerId, filter)} ${end}`,
  );
  return rows.map(toEndpoint);
}

export const countEndpoints = (
  on: Queryable,
  partnerId: string,
  filter: EndpointFilter = {},
): Promise<Total> => selectTotal(on, sql`webhook_endpoint where ${matches(partnerId, filter)}`);

const matches = (partnerId: string, { environment, status, text, ids }: EndpointFilter): Sql =>
  allOf(
    sql`partner_id = ${partnerId}`,
    environment !== undefined && sql`environment = ${environment}`,
    status !== undefined && sql`status = ${status}`,
    text !== undefined && sql`(url ilike ${contains(text)} or description ilike ${contains(text)})`,
    ids !== undefined && sql`id = ${anyOf(ids)}`,
  );

/** `unchecked`: it is active, but its deliveries wait for a check (W62). */
type SendingStatus = Endpoint['status'] | 'unchecked';
const sendingStatus = sql`case when endpoint.status = 'active' and endpoint.unchecked then 'unchecked' else endpoint.status end`;

export type Subscriber = Target &
  Readonly<{
    partner_id: string;
    environment: Environment;
    event_types: string[] | null;
    /** Checkpoints cover its deliveries (W77). */
    covered: boolean;
    /** JSON text. */
    filter: string | null;
  }>;

const termNames: Readonly<Record<Exclude<keyof Terms, 'listener'>, true>> = {
  url: true,
  sealed_headers: true,
  sealed_signing_secret: true,
  sealed_authentication: true,
  sealed_client_certificate: true,
  ordering: true,
  max_concurrency: true,
  rate_limit_per_second: true,
  retry_schedule: true,
  timeout_seconds: true,
  disable_after_hours: true,
  payload: true,
  batch: true,
};
/** The columns of `Terms`. The table is named `endpoint`. */
export const termColumns = sql`${columnList(Object.keys(termNames), 'endpoint')}, endpoint.listener_seen_at is not null as listener`;
const subscriberColumns = sql`endpoint.id, endpoint.partner_id, endpoint.environment, endpoint.event_types, endpoint.filter::text as filter,
  endpoint.checkpoint_minutes is not null as covered, endpoint.xmin::text as version, ${termColumns}, ${sendingStatus} as status`;

/** All of the partner, or the one that is named. */
export async function holdSubscribers(
  tx: Transaction,
  partnerId: string,
  only: string | null,
): Promise<Subscriber[]> {
  const all = await tx.query<Subscriber>(
    sql`select ${subscriberColumns} from webhook_endpoint endpoint
      where partner_id = ${partnerId} and (${only}::uuid is null or endpoint.id = ${only}::uuid)`,
    'subscribers',
  );
  const ids = all.map(({ id }) => id);
  const held = new Set(await holdLanes(tx, ids));
  return all.filter(({ id }) => held.has(id));
}

/** The same for many partners, without waiting. `busy` has the partners with a locked lane. */
export async function tryHoldSubscribers(
  tx: Transaction,
  partnerIds: readonly string[],
): Promise<{ subscribers: Map<string, Subscriber[]>; busy: Set<string> }> {
  const rows = await tx.query<Subscriber & { held: boolean }>(
    sql`
    select ${subscriberColumns}, coalesce(asleep.endpoint_id, awake.endpoint_id) is not null as held
    from webhook_endpoint endpoint left join lateral (${holdAsleep(sql`endpoint.id`)}) asleep on true
      left join lateral (${holdAwake(sql`endpoint.id`)}) awake on true
    where endpoint.partner_id = ${anyOf(partnerIds)}`,
    'hold subscribers',
  );
  return {
    subscribers: Map.groupBy(rows, ({ partner_id }) => partner_id),
    busy: new Set(rows.flatMap(({ partner_id, held }) => (held ? [] : [partner_id]))),
  };
}

/** Undefined: the partner has no such endpoint, or it is deleted. */
export const selectEndpointStatus = (on: Queryable, partnerId: string, endpointId: string) =>
  queryValue<SendingStatus>(
    on,
    sql`select ${sendingStatus} from webhook_endpoint endpoint where id = ${endpointId} and partner_id = ${partnerId}`,
  );

export const selectInStatus = (
  on: Queryable,
  endpointIds: readonly string[],
  statuses: readonly SendingStatus[],
): Promise<string[]> =>
  queryValues(
    on,
    sql`select id from webhook_endpoint endpoint where id = ${anyOf(endpointIds)} and ${sendingStatus} = any(${[...statuses]})`,
  );

export type DisabledEndpoint = {
  id: string;
  partner_id: string;
  partner_name: string;
  url: string;
  disabled_reason: string;
};

/**
 * Disables endpoints whose present URL answered 410, and endpoints that have been failing for
 * `disableAfterMs` and got nothing meanwhile. A caller that has lost the lane disables nothing.
 */
export async function disableEndpoints(
  tx: Transaction,
  gone: readonly (Lease & { url: string })[],
  failing: readonly (Lease & { disableAfterMs: number })[],
): Promise<DisabledEndpoint[]> {
  const suspects = [
    ...gone.map((each) => ({ ...each, reason: 'It answered 410 Gone.', afterMs: null })),
    ...failing.map((each) => ({
      ...each,
      url: null,
      reason: `Every attempt failed for ${inWords(each.disableAfterMs / 3_600_000)}.`,
      afterMs: each.disableAfterMs,
    })),
  ];
  return tx.query<DisabledEndpoint>(sql`
    update webhook_endpoint endpoint set status = 'disabled', disabled_at = concord_now(),
      disabled_reason = suspect.reason, updated_at = ${movedForward(sql`endpoint.updated_at`)}
    from ${unnest(suspects, { endpointId: 'uuid', epoch: 'bigint', url: 'text', reason: 'text', afterMs: 'float8' }, 'suspect')}
    join lane on lane.endpoint_id = suspect.endpoint_id and lane.epoch = suspect.epoch, partner
    where endpoint.id = suspect.endpoint_id and partner.id = endpoint.partner_id and endpoint.status = 'active'
      and coalesce(suspect.url = endpoint.url,
        lane.failing_since <= concord_now() - suspect.after_ms * interval '1 millisecond' and ${deliveredUntil} is null)
    returning endpoint.id, endpoint.partner_id, partner.name as partner_name, endpoint.url, endpoint.disabled_reason`);
}

const inWords = (hours: number): string =>
  hours === 120 ? 'five days' : hours === 1 ? 'an hour' : `${hours} hours`;
