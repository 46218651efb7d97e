// The SQL of sandbox receivers.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { msAgo } from '../../../base/postgres/sql/clock.ts';
import type { Some } from '../../../base/postgres/sql/deletion.ts';
import { hasRows, queryRow, queryValue, queryValues } from '../../../base/postgres/sql/rows.ts';
import type { SandboxReceiverRequest } from './schema.ts';

/** As in the database. */
const kept = 50;
/** 50 large bodies would take too much memory. */
const maxListedBytes = 4 * 1024 * 1024;

export type ReceiverRow = { token: string; created_at: Date };

/** False: the partner has a receiver already. */
export const insertReceiver = (tx: Transaction, partnerId: string, token: string): Promise<boolean> =>
  hasRows(
    tx,
    sql`insert into sandbox_receiver (partner_id, token) values (${partnerId}, ${token}) on conflict (partner_id) do nothing returning 1`,
  );

export const selectReceiver = (on: Queryable, partnerId: string) =>
  queryRow<ReceiverRow>(
    on,
    sql`select token, created_at from sandbox_receiver where partner_id = ${partnerId}`,
  );

export const deleteReceiver = (tx: Transaction, partnerId: string) =>
  tx.write(sql`delete from sandbox_receiver where partner_id = ${partnerId}`);

/** `now`: the clock of the database, which also dates signatures. */
export type Found = { token: string; partner_id: string; now: Date };

export const selectByToken = (on: Queryable, token: string) =>
  queryRow<Found>(
    on,
    sql`
    select token, partner_id, concord_now() as now from sandbox_receiver join partner on partner.id = partner_id
    where token = ${token} and deleted_at is null`,
    'sandbox receiver',
  );

/** Whether it is a sandbox endpoint, and the token is that of its partner. */
export const isReceiverOfEndpoint = (on: Queryable, endpointId: string, token: string): Promise<boolean> =>
  hasRows(
    on,
    sql`
    select from webhook_endpoint endpoint join sandbox_receiver receiver on receiver.partner_id = endpoint.partner_id
    where endpoint.id = ${endpointId} and endpoint.environment = 'sandbox' and receiver.token = ${token}`,
  );

/** The deliveries of the event to the partner's sandbox endpoints with this URL, two at most. */
export const selectDeliveries = (on: Queryable, partnerId: string, eventId: string, url: string) =>
  queryValues<string>(
    on,
    sql`
    select delivery.id from webhook_endpoint endpoint
    join delivery on delivery.partner_id = endpoint.partner_id and delivery.endpoint_id = endpoint.id and delivery.event_id = ${eventId}
    where endpoint.partner_id = ${partnerId} and endpoint.environment = 'sandbox' and endpoint.url = ${url} limit 2`,
  );

export type RequestRow = {
  method: string;
  headers: [name: string, value: string][];
  body: Buffer;
  received_at: Date;
  verification: Omit<SandboxReceiverRequest['verification'], 'delivery_id'>;
  /** Bare UUID. */
  delivery_id: string | null;
};

export const selectFirstOfBatch = (on: Queryable, partnerId: string, batchId: string) =>
  queryValue<string>(
    on,
    sql`select delivery_ids[1] from delivery_batch where id = ${batchId} and partner_id = ${partnerId}`,
  );

/** Replaces the oldest of the last 50. Locks the receiver, so each request gets a number of its own. */
export async function insertRequest(
  on: Queryable,
  partnerId: string,
  request: Omit<RequestRow, 'received_at'>,
): Promise<void> {
  const { method, headers, body, verification, delivery_id: deliveryId } = request;
  await on.query(sql`
    with counted as (update sandbox_receiver set received = received + 1 where partner_id = ${partnerId} returning received)
    insert into sandbox_receiver_request (partner_id, slot, number, method, headers, body, received_at, verification, delivery_id)
    select ${partnerId}, received % ${kept}, received, ${method}, ${JSON.stringify(headers)}::jsonb, ${body}, concord_now(),
      ${JSON.stringify(verification)}::jsonb, ${deliveryId} from counted
    on conflict (partner_id, slot) do update set number = excluded.number, method = excluded.method, headers = excluded.headers,
      body = excluded.body, received_at = excluded.received_at, verification = excluded.verification,
      delivery_id = excluded.delivery_id`);
}

/** The newest first, as far as their bodies have 4 MiB together. */
export const selectRequests = (on: Queryable, partnerId: string) =>
  on.query<RequestRow>(sql`
    with sized as (
      select slot, sum(octet_length(body)) over (order by number desc) as bytes
      from sandbox_receiver_request where partner_id = ${partnerId})
    select method, headers, body, received_at, verification, delivery_id
    from sandbox_receiver_request join sized using (slot)
    where partner_id = ${partnerId} and bytes <= ${maxListedBytes} order by number desc`);

/** Requests that came before the retention of events. */
export const oldRequests = (retentionMs: number): Some => [
  sql`from sandbox_receiver_request`,
  sql`received_at < ${msAgo(retentionMs)}`,
];
