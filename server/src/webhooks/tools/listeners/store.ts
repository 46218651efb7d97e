// The SQL of listeners: the requests that wait for an answer, and when a command asked last.
import sql from 'sql-template-tag';
import { uuidAt } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { msAgo, msAhead } from '../../../base/postgres/sql/clock.ts';
import { anyOf, hasRows, queryRow, queryValue } from '../../../base/postgres/sql/rows.ts';
import type { ListenerRequest } from '../../delivering/attempt.ts';
import { batchBodies } from '../../delivering/batches/store.ts';
import type { ListenerAnswer } from './schema.ts';

/**
 * Every process listens to this channel. The payload has `request` and the id of an endpoint, `answer` and the id
 * of a request, or `stream`, the id of an endpoint and the id of its stream that begins.
 */
export const listenerChannel = 'concord_listeners';
const notify = (kind: 'request' | 'answer', id: string) =>
  sql`pg_notify(${listenerChannel}, ${`${kind} ${id}`})`;

/** False: somebody has deleted the endpoint, as a command that ends does. */
export const insertRequest = (
  on: Queryable,
  id: string,
  {
    id: deliveryId,
    endpoint_id,
    event_id,
    batch_id,
    attempt,
    url,
    headers,
    payload,
    timeoutMs,
  }: ListenerRequest,
) =>
  hasRows(
    on,
    sql`
    with inserted as (
      insert into listener_request (id, endpoint_id, delivery_id, event_id, batch_id, attempt, url, headers, thin, ends_at)
      select ${id}, id, ${deliveryId}, ${event_id}, ${batch_id}, ${attempt}, ${url.href}, ${JSON.stringify(headers)}::jsonb, ${payload === 'thin'},
        ${msAhead(timeoutMs)}
      from webhook_endpoint where id = ${endpoint_id} for key share
      returning 1)
    select ${notify('request', endpoint_id)} from inserted`,
    'insert listener request',
  );

export type Waiting = {
  id: string;
  delivery_id: string;
  event_id: string;
  batch_id: string | null;
  attempt: number;
  url: string;
  headers: Readonly<Record<string, string>>;
  type: string;
  /** The event as it is stored. */
  bodies: readonly string[];
  thin: boolean;
};

/**
 * The oldest that waits for an answer, and that neither this stream nor a later one has sent. It counts as sent from
 * then on.
 */
export const takeRequest = (on: Queryable, endpointId: string, stream: string) =>
  queryRow<Waiting>(
    on,
    sql`
    with taken as (
      update listener_request set stream = ${stream}
      where id = (
        select id from listener_request
        where endpoint_id = ${endpointId} and answer is null and ends_at > concord_now() and (stream is null or stream < ${stream})
        order by id limit 1 for update skip locked)
      returning id, delivery_id, event_id, batch_id, attempt, url, headers, thin)
    select taken.*, event.type, case when batch_id is null then array[event.body] else ${batchBodies(sql`taken.batch_id`)} end as bodies
    from taken join event on event.id = taken.event_id`,
  );

/** False: nobody waits for the answer. */
export const answerRequest = (
  on: Queryable,
  { id, endpointId, answer }: { id: string; endpointId: string; answer: ListenerAnswer },
): Promise<boolean> =>
  hasRows(
    on,
    sql`
    with answered as (
      update listener_request set answer = ${JSON.stringify(answer)}::jsonb
      where id = ${id} and endpoint_id = ${endpointId} and answer is null and ends_at > concord_now() returning 1)
    select ${notify('answer', id)} from answered`,
  );

/** Removes what has its answer, or also what has none. Returns the answers. */
export const removeRequests = (
  on: Queryable,
  ids: readonly string[],
  { unanswered }: { unanswered: boolean },
) =>
  on.query<{ id: string; answer: ListenerAnswer | null }>(
    sql`
    delete from listener_request where id = ${anyOf(ids)} and (${unanswered} or answer is not null) returning id, answer`,
    'remove listener requests',
  );

/**
 * Begins a stream, and ends those before. Returns its id, which is above theirs. Undefined: there is no such
 * listener.
 */
export async function beginStream(tx: Transaction, endpointId: string): Promise<string | undefined> {
  const now = await queryValue<Date>(
    tx,
    sql`
    update webhook_endpoint set listener_seen_at = concord_now() where id = ${endpointId} and listener_seen_at is not null
    returning listener_seen_at`,
  );
  if (now === undefined) return undefined;
  const stream = uuidAt(now.getTime());
  tx.notifyAfterCommit(listenerChannel, `stream ${endpointId} ${stream}`);
  return stream;
}

export type Gone = { id: string; partner_id: string; url: string };

/** Locks them, as a deletion by a request does before it locks publishing. A command that comes back waits. */
export const lockGone = (tx: Transaction, patienceMs: number): Promise<Gone[]> =>
  tx.query<Gone>(sql`
    select id, partner_id, url from webhook_endpoint where listener_seen_at < ${msAgo(patienceMs)}
    order by listener_seen_at limit 20 for no key update skip locked`);

/** Deletes requests whose process has ended. */
export const deleteEnded = (tx: Transaction) =>
  tx.query(sql`delete from listener_request where ends_at < ${msAgo(60_000)}`);
