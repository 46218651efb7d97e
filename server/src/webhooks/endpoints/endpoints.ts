// What can be done with webhook endpoints.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../../access/index.ts';
import { holds } from '../../access/permissions/index.ts';
import { type Changes, changesBetween, recordAction, secretChange } from '../../audit/index.ts';
import { DestinationError, type Destinations } from '../../base/egress/index.ts';
import { faultAt, invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import type { ListSource } from '../../base/http/lists.ts';
import { serializer } from '../../base/http/serialization.ts';
import { type Answer, type IdempotentRequest, runIdempotent } from '../../base/idempotency/index.ts';
import { formatId, newId } from '../../base/ids.ts';
import type { Database, Queryable, Transaction } from '../../base/postgres/database.ts';
import { selectUnknownEventTypes } from '../catalogue/store.ts';
import { clearFailing, holdLanes, insertLane, wakeLanes } from '../lanes/store.ts';
import type { Environment } from '../signing-keys/index.ts';
import { selectRecent } from '../statistics/index.ts';
import { endpointState } from './endpoint.ts';
import { type HeaderEncryption, readHeaderNames } from './headers.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const maxEndpoints = 100;
const toJson = serializer(wire.Endpoint);

type GrantedEndpoint = Granted<store.EndpointRow>;
/** What to do with an endpoint's deliveries in the transaction that deletes it. */
type OnDelete = {
  /** Called first. Nobody may publish to the partner from then until the commit. */
  before(tx: Transaction, partnerId: string): Promise<void>;
  after(tx: Transaction, endpointId: string): Promise<void>;
};
type Options = {
  db: Database;
  destinations: Destinations;
  headers: HeaderEncryption;
  onDelete: OnDelete;
  /** Whether the URL is exactly the sandbox receiver of the partner. */
  isReceiverOf: (on: Queryable, partnerId: string, url: string) => Promise<boolean>;
  /** Begins to send now what waits for the endpoint. */
  sendWaiting: (tx: Transaction, granted: Granted, endpointId: string) => Promise<void>;
};
/** The partner and the environment of an endpoint that gets a URL. */
type Place = { tx: Transaction; partnerId: string; environment: Environment };

export type Endpoints = ReturnType<typeof createEndpoints>;

export function createEndpoints({
  db,
  destinations,
  headers: encryption,
  onDelete,
  isReceiverOf,
  sendWaiting,
}: Options) {
  /** The endpoints in this state. A partner has few. */
  async function idsIn(partnerId: string, state: string): Promise<string[]> {
    const all = await store.selectStatuses(db, partnerId);
    const active = all.filter(({ status }) => status === 'active');
    const recent = await selectRecent(
      db,
      active.map(({ id }) => ({ partner_id: partnerId, endpoint_id: id })),
    );
    return all.flatMap(({ id, status }) => (endpointState(status, recent.get(id)) === state ? [id] : []));
  }

  /** Call it after access was decided again with the partner locked. */
  async function change(
    tx: Transaction,
    granted: GrantedEndpoint,
    {
      action,
      ifMatch,
      status,
    }: { action: string; ifMatch?: string | undefined; status?: 'active' | 'paused' },
    body: wire.UpdateEndpoint,
  ): Promise<wire.Endpoint> {
    const { row, partnerId } = granted;
    const current = store.toEndpoint(row);
    requireMatch(ifMatch, toJson(current));
    if (status === 'paused' && current.status === 'disabled') throw new ServiceError('endpoint_disabled');
    const merged = await merge(current, body, { tx, partnerId, environment: current.environment });
    const next = { ...merged, ...(status && { status }) };
    await requireKnown(tx, next.event_types);
    if (body.headers === undefined && current.header_names.length > 0)
      requireSameOrigin(current.url, next.url);
    // Sealed headers cannot be compared, except when there are none before and after.
    const sameHeaders =
      body.headers === undefined || current.header_names.length + next.header_names.length === 0;
    if (sameHeaders && isDeepStrictEqual({ ...current, ...next }, current)) return current;
    // Holds the lane until the commit, so that its owner does not release it according to the old state.
    await holdLanes(tx, [row.endpoint_id]);
    const sealed = body.headers === undefined ? undefined : encryption.encrypt(current.id, body.headers);
    const changed = await store.updateEndpoint(tx, row.endpoint_id, next, sealed);
    const endpoint = store.toEndpoint(changed);
    const details = body.headers === undefined ? {} : { headers: 'replaced' };
    const had = { before: current.header_names.length > 0, after: endpoint.header_names.length > 0 };
    const headers = body.headers === undefined ? {} : secretChange('headers', had);
    const secretUrl = next.url === current.url ? {} : secretChange('url');
    const changes = { ...changesBetween(toLogged(current), toLogged(endpoint)), ...secretUrl, ...headers };
    await record(tx, granted, { action, endpoint, details, changes });
    // The receiver is a new one, or was repaired: earlier failures no longer count.
    if (status === 'active' || next.url !== current.url) await clearFailing(tx, row.endpoint_id);
    await wakeLanes(tx, [row.endpoint_id]);
    return endpoint;
  }

  async function merge(
    current: store.Content,
    { headers, url, ...members }: wire.UpdateEndpoint,
    place: Place,
  ): Promise<store.Content> {
    return {
      ...current,
      ...members,
      url: url === undefined ? current.url : await readUrl(url, place),
      header_names: headers === undefined ? current.header_names : readHeaderNames(headers),
    };
  }

  async function readUrl(text: string, { tx, partnerId, environment }: Place): Promise<string> {
    if (environment === 'sandbox' && (await isReceiverOf(tx, partnerId, text))) return text;
    try {
      return destinations.parseNewUrl(text).href;
    } catch (error) {
      throw error instanceof DestinationError ? invalidRequest('/url', error.message) : error;
    }
  }

  /** Pauses an endpoint, or resumes a paused or disabled one. */
  const setStatus = (
    granted: GrantedEndpoint,
    action: string,
    status: 'active' | 'paused',
    idempotent: IdempotentRequest,
    { ifMatch, sendNow = false }: { ifMatch?: string | undefined; sendNow?: boolean },
  ) =>
    db.transaction(async (tx) => {
      const locked = await granted.lock(tx);
      return runIdempotent(tx, idempotent, locked.actor.userId, async () => {
        const endpoint = await change(tx, locked, { action, ifMatch, status }, {});
        if (sendNow) await sendWaiting(tx, locked, locked.row.endpoint_id);
        return { status: 200, headers: {}, json: toJson(endpoint) };
      });
    });

  return {
    get: ({ row }: GrantedEndpoint): wire.Endpoint => store.toEndpoint(row),

    /** @throws ServiceError forbidden */
    async list(
      { partnerId, principal, membership }: Granted,
      { state, ...others }: Omit<store.EndpointFilter, 'ids'> & { state?: string | undefined },
    ): Promise<ListSource<store.EndpointSort, wire.Endpoint>> {
      // Whether attempts failed is told by statistics, which need this permission too (N1).
      if (state !== undefined && !holds(principal, membership, [{ resource: 'deliveries', method: 'query' }]))
        throw new ServiceError('forbidden', {
          detail: 'filter[state] also requires the permission deliveries.query.',
        });
      const filter = { ...others, ids: state === undefined ? undefined : await idsIn(partnerId, state) };
      return {
        page: (order, after, limit) => store.selectEndpoints(db, partnerId, filter, order, after, limit),
        count: () => store.countEndpoints(db, partnerId, filter),
      };
    },

    create: (granted: Granted, body: wire.CreateEndpoint, idempotent: IdempotentRequest): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { partnerId, actor } = await granted.lock(tx);
        return runIdempotent(tx, idempotent, actor.userId, async () => {
          const { environment = 'live', ...members } = body;
          const content = await merge(defaults, members, { tx, partnerId, environment });
          await requireKnown(tx, content.event_types);
          if ((await store.countEndpoints(tx, partnerId)).count >= maxEndpoints) {
            throw new ServiceError('limit_reached', {
              detail: `A partner can have at most ${maxEndpoints} webhook endpoints. Delete an endpoint first.`,
            });
          }
          const id = newId('webhook_endpoint');
          const made = {
            id,
            partnerId,
            environment,
            sealedHeaders: encryption.encrypt(id, body.headers ?? null),
          };
          const inserted = await store.insertEndpoint(tx, made, content);
          await insertLane(tx, inserted.endpoint_id);
          const endpoint = store.toEndpoint(inserted);
          const changes = changesBetween(null, toLogged(endpoint));
          await record(tx, { actor, partnerId }, { action: 'webhook_endpoint.create', endpoint, changes });
          const location = `/partners/${formatId('partner', partnerId)}/webhook-endpoints/${id}`;
          return { status: 201, headers: { location }, json: toJson(endpoint) };
        });
      }),

    update: (granted: GrantedEndpoint, body: wire.UpdateEndpoint, ifMatch?: string): Promise<wire.Endpoint> =>
      db.transaction(async (tx) =>
        change(tx, await granted.lock(tx), { action: 'webhook_endpoint.update', ifMatch }, body),
      ),

    pause: (granted: GrantedEndpoint, idempotent: IdempotentRequest, ifMatch?: string) =>
      setStatus(granted, 'webhook_endpoint.pause', 'paused', idempotent, { ifMatch }),

    /** `sendNow`: retries do not wait for their time. */
    resume: (
      granted: GrantedEndpoint,
      idempotent: IdempotentRequest,
      options: { ifMatch?: string | undefined; sendNow: boolean },
    ) => setStatus(granted, 'webhook_endpoint.resume', 'active', idempotent, options),

    /** Wakes the endpoints of a partner that was restored. */
    async wakeAll(tx: Transaction, partnerId: string): Promise<void> {
      const all = await store.selectStatuses(tx, partnerId);
      await wakeLanes(
        tx,
        await holdLanes(
          tx,
          all.map(({ id }) => id),
        ),
      );
    },

    delete: (granted: GrantedEndpoint, ifMatch?: string): Promise<void> =>
      db.transaction(async (tx) => {
        const locked = await granted.lock(tx);
        const { row } = locked;
        const current = store.toEndpoint(row);
        requireMatch(ifMatch, toJson(current));
        await onDelete.before(tx, locked.partnerId);
        await store.deleteEndpoint(tx, row.endpoint_id);
        await onDelete.after(tx, row.endpoint_id);
        const changes = changesBetween(toLogged(current), null);
        await record(tx, locked, { action: 'webhook_endpoint.delete', endpoint: current, changes });
      }),
  };
}

/**
 * The log has the origin of the URL only: paths and queries of receivers often contain credentials. Headers
 * are there by name.
 */
const toLogged = ({ url, ...endpoint }: wire.Endpoint) => ({ ...endpoint, url_origin: new URL(url).origin });

type Recorded = { action: string; endpoint: wire.Endpoint; details?: object; changes: Changes };
const record = (
  tx: Transaction,
  { actor, partnerId }: Pick<Granted, 'actor' | 'partnerId'>,
  { endpoint: { id: target, url }, ...recorded }: Recorded,
): Promise<void> =>
  recordAction(tx, { actor, partnerId, target, targetName: new URL(url).host, ...recorded });

/** The content of a new endpoint before its body is merged. */
const defaults: store.Content = {
  url: '',
  description: null,
  event_types: null,
  ordering: 'none',
  max_concurrency: 8,
  rate_limit_per_second: null,
  header_names: [],
  status: 'active',
};

/**
 * Stored headers may be secrets of the present receiver. Who sends them again knows them. @throws
 * ServiceError headers_required
 */
function requireSameOrigin(current: string, next: string): void {
  const [from, to] = [new URL(current).origin, new URL(next).origin];
  if (from === to) return;
  const fault = faultAt(
    '/headers',
    `is required, because the URL changes from ${from} to ${to}; send {} to remove them`,
    'required',
  );
  throw new ServiceError('headers_required', { faults: [fault] });
}

async function requireKnown(tx: Transaction, names: readonly string[] | null): Promise<void> {
  const unknown = names === null ? [] : await selectUnknownEventTypes(tx, names);
  if (unknown.length > 0)
    throw invalidRequest(
      '/event_types',
      `must name event types, but has ${unknown[0]}; GET /event-types lists them`,
    );
}
