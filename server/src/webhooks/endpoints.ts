// What can be done with webhook endpoints: the rules between HTTP and SQL.
import { isDeepStrictEqual } from 'node:util';
import type { Granted } from '../agreements/index.ts';
import { recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import type { ListSource } from '../http/lists.ts';
import { formatId, newId } from '../ids.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { Sealer } from '../sealing.ts';
import { DestinationError, type Destinations } from './deliverer/destination.ts';
import { forgetFailing, holdLanes, insertLane, wakeLanes } from './deliverer/lane-store.ts';
import { cancelDeliveries, leaveToCancel } from './delivery-store.ts';
import type { CreateEndpoint, Endpoint, UpdateEndpoint } from './endpoint-schema.ts';
import * as store from './endpoint-store.ts';
import { beginPublishing, holdPublishing, toEventText } from './event-store.ts';
import { selectEventType, unknownEventTypes } from './event-type-store.ts';
import { publish } from './events.ts';

const maxEndpoints = 100;
/** Of what waits for an endpoint so much is cancelled when it is deleted; what is more, soon after. */
const cancelSteps = 10;
const maxHeaderBytes = 8 * 1024;
/** Ours, those of the connection, and those that the signature or the body depend on. */
const reservedHeaders =
  /^(?:host|user-agent|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-.*|signature.*|webhook-.*)$/i;

type InPartner = Granted<{ partner_id: string }>;
type GrantedEndpoint = Granted<store.EndpointRow>;
type Options = { db: Database; destinations: Destinations; sealer: Sealer };

export type Endpoints = ReturnType<typeof createEndpoints>;

export function createEndpoints({ db, destinations, sealer }: Options) {
  /** `granted` has been decided again, with the partner locked. */
  async function change(
    tx: Transaction,
    { row, actor }: GrantedEndpoint,
    { action, ifMatch, status }: { action: string; ifMatch?: string | undefined; status?: 'active' | 'paused' },
    body: UpdateEndpoint,
  ): Promise<Endpoint> {
    const current = store.toEndpoint(row);
    requireMatch(ifMatch, current);
    if (status === 'paused' && current.status === 'disabled') throw new ServiceError('endpoint_disabled');
    const next = { ...merge(current, body), ...(status && { status }) };
    await requireKnown(tx, next.event_types);
    // Sealed headers are not compared; where there were none and are none now, nothing changes.
    const sameHeaders = body.headers === undefined || current.header_names.length + next.header_names.length === 0;
    if (sameHeaders && isDeepStrictEqual({ ...current, ...next }, current)) return current;
    // Held until this commits: whoever owns the lane does not let it go by what the endpoint was before.
    await holdLanes(tx, [row.endpoint_id]);
    const sealed = body.headers === undefined ? undefined : seal(current.id, body.headers);
    const changed = await store.updateEndpoint(tx, row.endpoint_id, next, sealed);
    // Neither URL nor headers: both can hold what lets somebody in.
    const details = { members: Object.keys(body), ...(status && { status }) };
    await recordAction(tx, { actor, partnerId: row.partner_id, action, target: current.id, details });
    // Another receiver, or one that was put right: what failed before counts no more.
    if (status === 'active' || next.url !== current.url) await forgetFailing(tx, row.endpoint_id);
    await wakeLanes(tx, [row.endpoint_id]);
    return store.toEndpoint(changed);
  }

  function merge(current: store.Content, { headers, url, ...body }: UpdateEndpoint): store.Content {
    return {
      url: url === undefined ? current.url : readUrl(url),
      description: body.description === undefined ? current.description : body.description,
      event_types: body.event_types === undefined ? current.event_types : body.event_types,
      ordering: body.ordering ?? current.ordering,
      max_concurrency: body.max_concurrency ?? current.max_concurrency,
      rate_limit_per_second:
        body.rate_limit_per_second === undefined ? current.rate_limit_per_second : body.rate_limit_per_second,
      header_names: headers === undefined ? current.header_names : readHeaderNames(headers),
      status: current.status,
    };
  }

  function readUrl(text: string): string {
    try {
      destinations.parseUrl(text);
      return text;
    } catch (error) {
      throw error instanceof DestinationError ? invalid('/url', error.message) : error;
    }
  }

  const seal = (id: string, headers: Record<string, string> | null) =>
    headers === null || Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), id);

  /** Pauses, or sets going again what is paused or was disabled. */
  const setStatus = (
    granted: GrantedEndpoint,
    action: string,
    status: 'active' | 'paused',
    repeatable: Repeatable,
    ifMatch?: string,
  ) =>
    db.transaction(async (tx) => {
      const locked = await granted.lock(tx);
      return answerOnce(tx, repeatable, locked.actor.userId, async () => ({
        status: 200,
        headers: {},
        body: await change(tx, locked, { action, ifMatch, status }, {}),
      }));
    });

  return {
    get: ({ row }: GrantedEndpoint): Endpoint => store.toEndpoint(row),

    list: ({ row }: InPartner, filter: store.EndpointFilter): ListSource<store.EndpointSort, Endpoint> => ({
      page: (order, after, limit) => store.selectEndpoints(db, row.partner_id, filter, order, after, limit),
      count: () => store.countEndpoints(db, row.partner_id, filter),
    }),

    create: (granted: InPartner, body: CreateEndpoint, repeatable: Repeatable): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { row, actor } = await granted.lock(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          const { environment = 'live', ...members } = body;
          const content = merge(fresh, members);
          await requireKnown(tx, content.event_types);
          if ((await store.countEndpoints(tx, row.partner_id)) >= maxEndpoints) {
            throw new ServiceError('limit_reached', { detail: `A partner has ${maxEndpoints} webhook endpoints at most.` });
          }
          const id = newId('webhook_endpoint');
          const made = { id, partnerId: row.partner_id, environment, sealedHeaders: seal(id, body.headers ?? null) };
          const inserted = await store.insertEndpoint(tx, made, content);
          await insertLane(tx, inserted.endpoint_id);
          const endpoint = store.toEndpoint(inserted);
          await recordAction(tx, {
            actor,
            partnerId: row.partner_id,
            action: 'webhook_endpoint.create',
            target: id,
            details: { environment },
          });
          return { status: 201, headers: {}, body: endpoint };
        });
      }),

    update: (granted: GrantedEndpoint, body: UpdateEndpoint, ifMatch?: string): Promise<Endpoint> =>
      db.transaction(async (tx) => change(tx, await granted.lock(tx), { action: 'webhook_endpoint.update', ifMatch }, body)),

    pause: (granted: GrantedEndpoint, repeatable: Repeatable, ifMatch?: string) =>
      setStatus(granted, 'webhook_endpoint.pause', 'paused', repeatable, ifMatch),

    resume: (granted: GrantedEndpoint, repeatable: Repeatable, ifMatch?: string) =>
      setStatus(granted, 'webhook_endpoint.resume', 'active', repeatable, ifMatch),

    /** Sends the example of a type that it wants: to this endpoint alone. @throws ServiceError endpoint_live, endpoint_disabled */
    test: (granted: GrantedEndpoint, repeatable: Repeatable, ifMatch?: string): Promise<Answer> =>
      db.transaction(async (tx) => {
        await beginPublishing(tx, granted.row.partner_id);
        const { row, actor } = await granted.again(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          requireMatch(ifMatch, store.toEndpoint(row));
          if (row.environment === 'live') throw new ServiceError('endpoint_live');
          if (row.status === 'disabled') throw new ServiceError('endpoint_disabled');
          const type = await selectEventType(tx, row.event_types?.[0] ?? 'inventory.updated');
          if (!type) throw new Error('An event type is gone');
          const draft = { type: type.name, environment: row.environment, producerId: null, data: JSON.stringify(type.example) };
          const [event] = await publish(tx, row.partner_id, [draft], row.endpoint_id);
          if (!event) throw new Error('An event that was just published is gone');
          const target = formatId('webhook_endpoint', row.endpoint_id);
          await recordAction(tx, { actor, partnerId: row.partner_id, action: 'webhook_endpoint.test', target });
          return { status: 202, headers: {}, body: { text: toEventText(event) } };
        });
      }),

    /** What waits for a partner that is there again goes on. */
    async wakeAll(tx: Transaction, partnerId: string): Promise<void> {
      const ids = await holdLanes(tx, await store.selectEndpointIds(tx, partnerId));
      await wakeLanes(tx, ids);
    },

    delete: (granted: GrantedEndpoint, ifMatch?: string): Promise<void> =>
      db.transaction(async (tx) => {
        const { row, actor } = await granted.lock(tx);
        const current = store.toEndpoint(row);
        requireMatch(ifMatch, current);
        // What is just being published is cancelled too.
        await holdPublishing(tx, row.partner_id);
        await store.deleteEndpoint(tx, row.endpoint_id);
        if (!(await cancelDeliveries(tx, row.endpoint_id, cancelSteps))) await leaveToCancel(tx, row.endpoint_id);
        await recordAction(tx, { actor, partnerId: row.partner_id, action: 'webhook_endpoint.delete', target: current.id });
      }),
  };
}

const fresh: store.Content = {
  url: '',
  description: null,
  event_types: null,
  ordering: 'none',
  max_concurrency: 8,
  rate_limit_per_second: null,
  header_names: [],
  status: 'active',
};

async function requireKnown(tx: Transaction, names: readonly string[] | null): Promise<void> {
  const unknown = names === null ? [] : await unknownEventTypes(tx, names);
  if (unknown.length > 0) throw invalid('/event_types', `has no event type ${unknown[0]}`);
}

function readHeaderNames(headers: Record<string, string> | null): string[] {
  const names = Object.keys(headers ?? {});
  const reserved = names.find((name) => reservedHeaders.test(name));
  if (reserved !== undefined) throw invalid('/headers', `must not set ${reserved}`);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) throw invalid('/headers', 'has a name twice');
  if (JSON.stringify(headers ?? {}).length > maxHeaderBytes) throw invalid('/headers', `has more than ${maxHeaderBytes} bytes`);
  return names;
}

const invalid = (pointer: string, message: string) =>
  new ServiceError('invalid_request', { faults: [{ pointer, code: 'invalid_value', message }] });
