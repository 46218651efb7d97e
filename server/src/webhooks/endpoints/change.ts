// Changes the content of an endpoint, and records what changed.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../../access/index.ts';
import { type Changes, changesBetween, recordAction, secretChange } from '../../audit/index.ts';
import { anywhere, DestinationError, type Destinations } from '../../base/egress/index.ts';
import { faultAt, invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { selectUnknownEventTypes } from '../catalogue/store.ts';
import { clearFailing, holdLanes, wakeLanes } from '../lanes/store.ts';
import { type HeaderEncryption, readHeaderNames } from './headers.ts';
import type { RetryTerms } from './retry-terms.ts';
import { type Endpoint, toEndpointJson, type UpdateEndpoint } from './schema.ts';
import * as store from './store.ts';

export type Options = {
  destinations: Destinations;
  headers: HeaderEncryption;
  retryTerms: RetryTerms;
  /** Whether the URL is exactly the sandbox receiver of the partner. */
  isReceiverOf: (on: Queryable, partnerId: string, url: string) => Promise<boolean>;
};
type Content = store.Content & Pick<Endpoint, 'environment' | 'listener'>;
type How = { action: string; ifMatch: string | undefined; status?: 'active' | 'paused' };

export function createEndpointChanges({
  destinations,
  headers: encryption,
  retryTerms,
  isReceiverOf,
}: Options) {
  async function readUrl(
    tx: Transaction,
    partnerId: string,
    { environment, listener }: Content,
    url: string,
  ): Promise<string> {
    if (!listener && environment === 'sandbox' && (await isReceiverOf(tx, partnerId, url))) return url;
    try {
      return (listener ? anywhere : destinations).parseNewUrl(url).href;
    } catch (error) {
      throw error instanceof DestinationError ? invalidRequest('/url', error.message) : error;
    }
  }

  async function merge(
    tx: Transaction,
    partnerId: string,
    current: Content,
    { headers, url, ...members }: UpdateEndpoint,
  ): Promise<store.Content> {
    const merged = {
      ...current,
      ...members,
      url: url === undefined ? current.url : await readUrl(tx, partnerId, current, url),
      header_names: headers === undefined ? current.header_names : readHeaderNames(headers),
    };
    retryTerms.requireAllowed(members);
    await requireKnown(tx, members.event_types ?? []);
    return merged;
  }

  /** Call it after access was decided again with the partner locked. */
  async function change(
    tx: Transaction,
    granted: Granted<store.EndpointRow>,
    body: UpdateEndpoint,
    { action, ifMatch, status }: How,
  ): Promise<Endpoint> {
    const endpointId = granted.row.endpoint_id;
    const current = store.toEndpoint(granted.row);
    requireMatch(ifMatch, toEndpointJson(current));
    if (status === 'paused' && current.status === 'disabled') throw new ServiceError('endpoint_disabled');
    const next = { ...(await merge(tx, granted.partnerId, current, body)), ...(status && { status }) };
    const had = { before: current.header_names.length > 0, after: next.header_names.length > 0 };
    if (body.headers === undefined && had.before) requireSameOrigin(current.url, next.url);
    // Sealed headers cannot be compared, except when there are none before and after.
    const sameHeaders = body.headers === undefined || !(had.before || had.after);
    if (sameHeaders && isDeepStrictEqual({ ...current, ...next }, current)) return current;
    // Holds the lane until the commit, so that its owner does not release it according to the old state.
    await holdLanes(tx, [endpointId]);
    const sealed = body.headers === undefined ? undefined : encryption.encrypt(current.id, body.headers);
    if (next.url !== current.url) await store.forgetCheck(tx, endpointId, current.environment);
    const endpoint = store.toEndpoint(await store.updateEndpoint(tx, endpointId, next, sealed));
    const changes = {
      ...changesBetween(toLogged(current), toLogged(endpoint)),
      ...(next.url !== current.url && secretChange('url')),
      ...(body.headers !== undefined && secretChange('headers', had)),
    };
    const details = body.headers === undefined ? {} : { headers: 'replaced' };
    await record(tx, granted, { action, endpoint, details, changes });
    // The receiver is a new one, or was repaired: earlier failures no longer count.
    if (status === 'active' || next.url !== current.url) await clearFailing(tx, endpointId);
    await wakeLanes(tx, [endpointId]);
    return endpoint;
  }

  return { merge, change };
}

/**
 * The log has the origin of the URL only: paths and queries of receivers often contain credentials. Headers
 * are there by name.
 */
export const toLogged = ({ url, check: _, ...endpoint }: Endpoint) => ({
  ...endpoint,
  url_origin: new URL(url).origin,
});

type Recorded = { action: string; endpoint: Endpoint; details?: object; changes: Changes };
export const record = (
  tx: Transaction,
  { actor, partnerId }: Pick<Granted, 'actor' | 'partnerId'>,
  { action, endpoint: { id: target, url }, ...recorded }: Recorded,
): Promise<void> =>
  recordAction(tx, {
    actor,
    partnerId,
    action: `webhook_endpoint.${action}`,
    target,
    targetName: new URL(url).host,
    ...recorded,
  });

/** Stored headers may be secrets of the present receiver. Whoever sends them again knows them. */
function requireSameOrigin(current: string, next: string): void {
  const [from, to] = [new URL(current).origin, new URL(next).origin];
  if (from === to) return;
  const problem = `is required, because the URL changes from ${from} to ${to}; send {} to remove them`;
  throw new ServiceError('headers_required', { faults: [faultAt('/headers', problem, 'required')] });
}

async function requireKnown(tx: Transaction, names: readonly string[]): Promise<void> {
  const [unknown] = names.length === 0 ? [] : await selectUnknownEventTypes(tx, names);
  if (unknown !== undefined)
    throw invalidRequest(
      '/event_types',
      `must name event types, but has ${unknown}; GET /event-types lists them`,
    );
}
