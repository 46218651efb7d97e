// Changes the content of an endpoint, and records what changed.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../../access/index.ts';
import { type Changes, changesBetween, recordAction, secretChange } from '../../audit/index.ts';
import { anywhere, type Destinations } from '../../base/egress/index.ts';
import { faultAt, invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { selectEventTypes, selectSchemas, selectUnusable } from '../catalogue/store.ts';
import { readFilter } from '../filters/filter.ts';
import { requireKnownPaths } from '../filters/known-paths.ts';
import type { EventFilter } from '../filters/schema.ts';
import { clearFailing, holdLanes, wakeLanes } from '../lanes/store.ts';
import type { RetryTerms } from './retry-terms.ts';
import { type Endpoint, toEndpointJson, type UpdateEndpoint } from './schema.ts';
import {
  readAuthentication,
  readDestination,
  readHeaderNames,
  type Sealings,
  withoutSecret,
} from './secrets.ts';
import * as store from './store.ts';

export type Options = {
  destinations: Destinations;
  sealings: Sealings;
  retryTerms: RetryTerms;
  /** Whether the URL is exactly the sandbox receiver of the partner. */
  isReceiverOf: (on: Queryable, partnerId: string, url: string) => Promise<boolean>;
};
type Content = store.Content & Pick<Endpoint, 'environment' | 'listener'>;
/** Undefined: it stays. */
type Secrets = Pick<UpdateEndpoint, 'headers' | 'authentication'>;

export function createEndpointChanges(options: Options) {
  const { destinations, sealings } = options;
  const merge = createMerge(options);

  const seal = (endpointId: string, { headers, authentication }: Secrets): store.SealedContent => ({
    headers:
      headers && (Object.keys(headers).length === 0 ? null : sealings.headers.seal(endpointId, headers)),
    authentication:
      authentication &&
      sealings.authentication.seal(endpointId, readAuthentication(destinations, authentication)),
  });

  /** Call it after access was decided again with the partner locked. */
  async function change(
    tx: Transaction,
    granted: store.GrantedEndpoint,
    body: UpdateEndpoint,
    ifMatch: string | undefined,
  ): Promise<Endpoint> {
    const endpointId = granted.row.endpoint_id;
    const current = requireUnchanged(ifMatch, granted);
    const next = await merge(tx, granted.partnerId, current, body);
    const had = { before: current.header_names.length > 0, after: next.header_names.length > 0 };
    requireSameOrigin(current, next.url, body);
    // Sealed values cannot be compared, except when there are none before and after.
    const sameHeaders = body.headers === undefined || !(had.before || had.after);
    const sameSecrets = sameHeaders && (body.authentication ?? null) === null;
    if (sameSecrets && isDeepStrictEqual({ ...current, ...next }, current)) return current;
    // Holds the lane until the commit, so that its owner does not release it according to the old state.
    await holdLanes(tx, [endpointId]);
    if (next.url !== current.url) await store.forgetCheck(tx, endpointId, current.environment);
    const endpoint = await store.updateEndpoint(tx, endpointId, next, seal(endpointId, body));
    const changes = {
      ...changesBetween(toLogged(current), toLogged(endpoint)),
      ...(next.url !== current.url && secretChange('url')),
      ...(body.headers !== undefined && secretChange('headers', had)),
      ...(body.authentication && secretChange('client_secret', { before: current.authentication !== null })),
    };
    const details = body.headers === undefined ? {} : { headers: 'replaced' };
    await record(tx, granted, { action: 'update', endpoint, details, changes });
    // The receiver is a new one: earlier failures no longer count.
    if (next.url !== current.url) await clearFailing(tx, [endpointId]);
    await wakeLanes(tx, [endpointId]);
    return endpoint;
  }

  return { merge, seal, change };
}

/** What a request makes of the content. */
function createMerge({ destinations, retryTerms, isReceiverOf }: Options) {
  async function readUrl(
    tx: Transaction,
    partnerId: string,
    { environment, listener }: Content,
    url: string,
  ): Promise<string> {
    if (!listener && environment === 'sandbox' && (await isReceiverOf(tx, partnerId, url))) return url;
    return readDestination(listener ? anywhere : destinations, url, '/url');
  }

  return async (
    tx: Transaction,
    partnerId: string,
    current: Content,
    { headers, authentication, url, ...members }: UpdateEndpoint,
  ): Promise<store.Content> => {
    const merged = {
      ...current,
      ...members,
      url: url === undefined ? current.url : await readUrl(tx, partnerId, current, url),
      header_names: headers === undefined ? current.header_names : readHeaderNames(headers),
      authentication:
        authentication === undefined
          ? current.authentication
          : authentication && withoutSecret(readAuthentication(destinations, authentication)),
    };
    if (merged.authentication && merged.header_names.some((name) => name.toLowerCase() === 'authorization'))
      throw invalidRequest(
        authentication === undefined ? '/headers' : '/authentication',
        'must not be set beside the other: both send the header Authorization',
      );
    retryTerms.requireAllowed(members);
    // Those that it has already stay, also if they were taken away.
    const added = members.event_types?.filter((name) => !current.event_types?.includes(name)) ?? [];
    await requireTypes(tx, partnerId, added, { mayBeArchived: false });
    const { filter, event_types } = merged;
    if (!isDeepStrictEqual([filter, event_types], [current.filter, current.event_types]))
      await requireFilter(
        tx,
        partnerId,
        filter,
        event_types,
        members.filter === undefined ? '/event_types' : undefined,
      );
    return merged;
  };
}

/** @throws ServiceError precondition_failed */
export function requireUnchanged(ifMatch: string | undefined, { row }: store.GrantedEndpoint): Endpoint {
  const current = store.toEndpoint(row);
  requireMatch(ifMatch, toEndpointJson(current));
  return current;
}

type Part = {
  action: string;
  columns: store.PartColumns;
  /** Secrets that change. */
  changes?: Changes;
};

/**
 * Changes a part of an endpoint that has routes of its own. Its owner reads the endpoint again for the next
 * attempt.
 */
export async function changePart(
  tx: Transaction,
  granted: store.GrantedEndpoint,
  { action, columns, changes }: Part,
): Promise<Endpoint> {
  const { endpoint_id: id } = granted.row;
  await holdLanes(tx, [id]);
  const endpoint = await store.updatePart(tx, id, columns);
  const shown = changesBetween(toLogged(store.toEndpoint(granted.row)), toLogged(endpoint));
  await record(tx, granted, { action, endpoint, changes: { ...shown, ...changes } });
  await wakeLanes(tx, [id]);
  return endpoint;
}

/** Resumes also a disabled endpoint. */
export async function setStatus(
  tx: Transaction,
  granted: store.GrantedEndpoint,
  action: 'pause' | 'resume',
  ifMatch: string | undefined,
): Promise<Endpoint> {
  const current = requireUnchanged(ifMatch, granted);
  const status = action === 'pause' ? 'paused' : 'active';
  if (status === 'paused' && current.status === 'disabled') throw new ServiceError('endpoint_disabled');
  if (status === current.status) return current;
  const endpoint = await changePart(tx, granted, {
    action,
    columns: { status, disabled_reason: null, disabled_at: null },
  });
  // The receiver was repaired: earlier failures no longer count.
  if (status === 'active') await clearFailing(tx, [granted.row.endpoint_id]);
  return endpoint;
}

/**
 * The log has the origin of the URL only: paths and queries of receivers often contain credentials. Headers
 * are there by name.
 */
export const toLogged = ({ url, check: _, authentication, ...endpoint }: Endpoint) => ({
  ...endpoint,
  url_origin: new URL(url).origin,
  authentication: authentication && {
    ...authentication,
    token_url: new URL(authentication.token_url).origin,
  },
});

type Recorded = {
  action: string;
  endpoint: Pick<Endpoint, 'id' | 'url'>;
  details?: object;
  changes?: Changes;
};
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

/** Stored headers and tokens may be secrets of the present receiver. Whoever sends them again knows them. */
function requireSameOrigin(current: Endpoint, nextUrl: string, given: Secrets): void {
  const [from, to] = [new URL(current.url).origin, new URL(nextUrl).origin];
  if (from === to) return;
  const why = `is required, because the URL changes from ${from} to ${to}`;
  if (given.headers === undefined && current.header_names.length > 0)
    throw new ServiceError('headers_required', {
      faults: [faultAt('/headers', `${why}; send {} to remove them`, 'required')],
    });
  if (given.authentication === undefined && current.authentication !== null)
    throw new ServiceError('endpoint_authentication_required', {
      faults: [faultAt('/authentication', `${why}; send null to remove it`, 'required')],
    });
}

/** @throws ServiceError invalid_request: the partner has no such type */
export async function requireTypes(
  on: Queryable,
  partnerId: string,
  names: readonly string[],
  { mayBeArchived }: { mayBeArchived: boolean },
): Promise<void> {
  const unusable = names.length === 0 ? undefined : await selectUnusable(on, partnerId, names);
  if (unusable && !(unusable.archived && mayBeArchived))
    throw invalidRequest(
      '/event_types',
      unusable.archived
        ? `must not name archived event types, but has ${unusable.name}`
        : `must name event types, but has ${unusable.name}; GET /event-types lists them`,
    );
}

/**
 * What the schemas of the event types know can be filtered by (behaviour W69). `pointer`: as in `requireKnownPaths`.
 * @throws ServiceError invalid_request
 */
export async function requireFilter(
  on: Queryable,
  partnerId: string,
  filter: EventFilter | null,
  eventTypes: readonly string[] | null,
  pointer?: string,
): Promise<void> {
  if (filter === null) return;
  const { conditions } = readFilter(filter);
  const types =
    eventTypes === null
      ? await selectEventTypes(on, [partnerId], { archived: false })
      : await selectSchemas(on, partnerId, eventTypes);
  requireKnownPaths(
    conditions,
    types.map(({ schema }) => schema),
    pointer,
  );
}
