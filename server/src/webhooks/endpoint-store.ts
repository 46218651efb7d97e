// The SQL of webhook endpoints.
import sql, { join, type Sql } from 'sql-template-tag';
import type { Read } from '../agreements/index.ts';
import type { Order, Position } from '../http/lists.ts';
import { formatId, parseId } from '../ids.ts';
import type { Queryable, Transaction } from '../postgres/database.ts';
import { keyset } from '../postgres/keyset.ts';
import type { Endpoint } from './endpoint-schema.ts';

/** A row of the table `webhook_endpoint`, ids as bare UUIDs. */
export type EndpointRow = Omit<Endpoint, 'id' | 'created_at' | 'updated_at'> & {
  endpoint_id: string;
  partner_id: string;
  created_at: Date;
  updated_at: Date;
};

const columns = (table: Sql) => sql`
  ${table}.id as endpoint_id, ${table}.partner_id, ${table}.url, ${table}.description, ${table}.event_types, ${table}.environment,
  ${table}.ordering, ${table}.max_concurrency, ${table}.rate_limit_per_second, ${table}.header_names, ${table}.status,
  ${table}.disabled_reason, ${table}.created_at, ${table}.updated_at`;
const own = columns(sql`webhook_endpoint`);

/** The endpoint that the path names. */
export const endpointRead: Read = {
  name: 'webhook endpoint',
  columns: columns(sql`item`),
  item: {
    kind: 'webhook_endpoint',
    parameter: 'endpoint_id',
    join: (id) => sql`left join webhook_endpoint item on item.id = ${id} and item.partner_id = partner.id`,
    // Deliverers disable endpoints, and lock no partner.
    lock: (id) => sql`select from webhook_endpoint where id = ${id} for no key update`,
  },
};

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: formatId('webhook_endpoint', row.endpoint_id),
    url: row.url,
    description: row.description,
    event_types: row.event_types,
    environment: row.environment,
    ordering: row.ordering,
    max_concurrency: row.max_concurrency,
    rate_limit_per_second: row.rate_limit_per_second,
    header_names: row.header_names,
    status: row.status,
    disabled_reason: row.disabled_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** What somebody decides about an endpoint. `sealedHeaders` undefined: those of before stay. */
export type Content = Pick<
  Endpoint,
  'url' | 'description' | 'event_types' | 'ordering' | 'max_concurrency' | 'rate_limit_per_second' | 'header_names' | 'status'
>;

export async function insertEndpoint(
  tx: Transaction,
  {
    id,
    partnerId,
    environment,
    sealedHeaders,
  }: { id: string; partnerId: string; environment: string; sealedHeaders: Buffer | null },
  content: Content,
): Promise<EndpointRow> {
  return changed(
    await tx.query<EndpointRow>(sql`
      insert into webhook_endpoint (id, partner_id, environment, sealed_headers, url, description, event_types, ordering, max_concurrency,
        rate_limit_per_second, header_names)
      values (${parseId('webhook_endpoint', id)}, ${partnerId}, ${environment}, ${sealedHeaders}, ${content.url}, ${content.description},
        ${content.event_types}, ${content.ordering}, ${content.max_concurrency}, ${content.rate_limit_per_second}, ${content.header_names})
      returning ${own}`),
  );
}

export async function updateEndpoint(
  tx: Transaction,
  endpointId: string,
  content: Content,
  sealedHeaders: Buffer | null | undefined,
): Promise<EndpointRow> {
  const headers = sealedHeaders === undefined ? sql`` : sql`, sealed_headers = ${sealedHeaders}`;
  return changed(
    await tx.query<EndpointRow>(sql`
      update webhook_endpoint set url = ${content.url}, description = ${content.description}, event_types = ${content.event_types},
        ordering = ${content.ordering}, max_concurrency = ${content.max_concurrency},
        rate_limit_per_second = ${content.rate_limit_per_second}, header_names = ${content.header_names}, status = ${content.status},
        disabled_reason = case ${content.status} when 'disabled' then disabled_reason end,
        disabled_at = case ${content.status} when 'disabled' then disabled_at end ${headers},
        updated_at = greatest(concord_now(), updated_at + interval '1 millisecond')
      where id = ${endpointId} returning ${own}`),
  );
}

function changed([row]: EndpointRow[]): EndpointRow {
  if (!row) throw new Error('An endpoint that was locked, or just made, is gone');
  return row;
}

export async function deleteEndpoint(tx: Transaction, endpointId: string): Promise<void> {
  await tx.query(sql`delete from webhook_endpoint where id = ${endpointId}`);
}

export async function selectEndpointIds(on: Queryable, partnerId: string): Promise<string[]> {
  const rows = await on.query<{ id: string }>(sql`select id from webhook_endpoint where partner_id = ${partnerId}`);
  return rows.map(({ id }) => id);
}

const sortColumns = {
  id: sql`webhook_endpoint.id`,
  created_at: sql`webhook_endpoint.created_at`,
  updated_at: sql`webhook_endpoint.updated_at`,
} as const;
export type EndpointSort = keyof typeof sortColumns;
export type EndpointFilter = { environment?: string | undefined; status?: string | undefined };

export async function selectEndpoints(
  on: Queryable,
  partnerId: string,
  filter: EndpointFilter,
  by: Order<EndpointSort>,
  after: Position | null,
  limit: number,
): Promise<Endpoint[]> {
  const { from, order } = keyset(sortColumns, by, after, (id) => parseId('webhook_endpoint', id));
  const rows = await on.query<EndpointRow>(
    sql`select ${own} from webhook_endpoint where ${matches(partnerId, filter)} ${from} ${order} limit ${limit}`,
  );
  return rows.map(toEndpoint);
}

export async function countEndpoints(on: Queryable, partnerId: string, filter: EndpointFilter = {}): Promise<number> {
  const [row] = await on.query<{ count: number }>(
    sql`select count(*)::int as count from webhook_endpoint where ${matches(partnerId, filter)}`,
  );
  return row?.count ?? 0;
}

function matches(partnerId: string, { environment, status }: EndpointFilter): Sql {
  const conditions = [sql`partner_id = ${partnerId}`];
  if (environment !== undefined) conditions.push(sql`environment = ${environment}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return join(conditions, ' and ');
}
