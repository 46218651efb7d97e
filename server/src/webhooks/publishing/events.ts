// What can be done with events: publish them, and read the feed.
import type { Access, Granted } from '../../access/index.ts';
import { holds } from '../../access/permissions/index.ts';
import { recordAction } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { requireMatch } from '../../base/http/entity-tag.ts';
import { createFairQueue } from '../../base/http/fair-queue.ts';
import { serializer } from '../../base/http/serialization.ts';
import { type Answer, type IdempotentRequest, runIdempotent } from '../../base/idempotency/index.ts';
import { formatId, parseId } from '../../base/ids.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import type { Pool } from '../../base/threads/pool.ts';
import { inSpan, type Tracing } from '../../base/tracing/index.ts';
import type { DataChecks } from '../catalogue/data-checks.ts';
import type { EventTypes } from '../catalogue/event-types.ts';
import { selectEventType } from '../catalogue/store.ts';
import { Endpoint } from '../endpoints/schema.ts';
import { type EndpointRow, toEndpoint } from '../endpoints/store.ts';
import { Delivery } from '../history/deliveries/schema.ts';
import { selectDeliveries } from '../history/deliveries/search/store.ts';
import type { HandOver } from '../lanes/hand-over.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { createGroupCommit, startPublish } from './group-commit.ts';
import { readHorizon } from './horizon.ts';
import { type Published, publish } from './publish.ts';
import { type Draft, readBatch, readDrafts } from './read-drafts.ts';
import type { PublishEvent } from './schema.ts';
import { type EventFilter, isWholeFeed, readFilter, type WireFilter } from './search/filter.ts';
import { searchEvents } from './search/store.ts';
import * as store from './store.ts';

const toEndpointJson = serializer(Endpoint);
const toDeliveryJson = serializer(Delivery);
/** An event has one delivery for each endpoint at most, and a partner has fewer endpoints. */
const maxDeliveries = 1_000;
/** A larger body is read in a thread. */
const largeBodyBytes = 64 * 1024;
/** Reading takes linear time, so only a fault of ours can reach this. */
const readDeadlineMs = 120_000;
/** Larger batches wait for their turn. */
const largeBatch = 20;
/**
 * A large batch holds a connection for seconds: few run at once, and those of one partner run one after
 * another. Those that wait are in memory.
 */
const batchLimits = {
  ...{ name: 'large-batches', concurrency: 2, concurrencyPerGroup: 1, maxQueued: 200, maxQueuedPerGroup: 20 },
  ...{ retryAfterSeconds: 5, what: `batches of the partner with more than ${largeBatch} events` },
};

/** Searches of one partner run one after another, so they delay no other partner. */
const searchLimits = {
  ...{
    name: 'event-searches',
    concurrency: 2,
    concurrencyPerGroup: 1,
    maxQueued: 200,
    maxQueuedPerGroup: 20,
  },
  ...{ retryAfterSeconds: 5, what: 'searches of the events of a partner' },
};

export type Events = ReturnType<typeof createEvents>;

type Options = {
  db: Database;
  access: Pick<Access, 'recheckAll'>;
  eventTypes: EventTypes;
  checks: DataChecks;
  pool: Pool;
  handOver: HandOver;
  observer: Pick<WebhookObserver, 'published'>;
  tracing: Tracing;
};

type Terms = Pick<Published, 'makeOffer' | 'observer' | 'traceparent'>;

export function createEvents({ db, access, eventTypes, checks, pool, handOver, observer, tracing }: Options) {
  const group = createGroupCommit({ db, access, handOver, observer, tracing });

  /** Runs a transaction in a span, whose traceparent its events keep. */
  function publishing<T>(work: (tx: Transaction, terms: Terms) => Promise<T>): Promise<T> {
    const span = startPublish(tracing);
    const { traceparent } = span;
    return inSpan(span, () =>
      handOver.publishing((makeOffer) =>
        db.transaction((tx) => work(tx, { makeOffer, observer, traceparent })),
      ),
    );
  }

  /** Call it before any lock is taken, since data can be large and schemas slow. */
  async function requireFit(
    caller: string,
    drafts: readonly Draft[],
    pointer: (index: number, member: string) => string,
  ): Promise<void> {
    const schemas = await eventTypes.schemas([...new Set(drafts.map(({ type }) => type))]);
    const indexes = new Map(schemas.map(({ name }, index) => [name, index]));
    const data = drafts.map(({ type, data: text }, index) => {
      const schema = indexes.get(type);
      if (schema === undefined) throw unknownType(pointer(index, 'type'));
      return { schema, text, pointer: pointer(index, 'data') };
    });
    const misfit = await checks.findMisfit(schemas, data, caller);
    if (misfit) throw new ServiceError('invalid_request', misfit);
  }

  /**
   * The event has no `producer_id`, so it cannot have to wait for another request. `alone`: it is not
   * published yet.
   */
  async function publishInGroup(
    granted: Granted,
    draft: Draft,
    idempotent: IdempotentRequest,
  ): Promise<Answer | 'alone'> {
    const schema = await eventTypes.remembered(draft.type);
    if (!schema) throw unknownType('/type');
    const misfit = await checks.findMisfit(
      [schema],
      [{ schema: 0, text: draft.data, pointer: '/data' }],
      granted.actor.userId,
    );
    // The remembered schema can be an old one.
    return misfit ? 'alone' : group.add({ granted, draft, version: schema.version, idempotent });
  }

  async function readLargeBatch(caller: string, bytes: Uint8Array): Promise<Draft[]> {
    if (bytes.length <= largeBodyBytes) return readBatch(bytes);
    const { buffer } = Uint8Array.from(bytes);
    return (await pool.run('readBatch', new Uint8Array(buffer), {
      caller,
      deadlineMs: readDeadlineMs,
      transfer: [buffer],
    })) as Draft[];
  }

  const searches = createFairQueue(searchLimits);
  const batches = createFairQueue(batchLimits);
  const publishAll = async (
    granted: Granted,
    drafts: readonly Draft[],
    idempotent: IdempotentRequest,
    join: (events: string[]) => string,
  ): Promise<Answer> => {
    const { partnerId } = granted;
    const write = () =>
      publishing(async (tx, terms) => {
        await store.lockPublishingShared(tx, partnerId);
        const { actor } = await granted.recheck(tx);
        return runIdempotent(tx, idempotent, actor.userId, async () => {
          const events = await publish(tx, { partnerId, drafts, ...terms });
          return { status: 202, headers: {}, json: join(events.map(store.toEventJson)) };
        });
      });
    return drafts.length > largeBatch ? batches.run(partnerId, () => db.forAll(write)) : write();
  };

  return {
    async publish(granted: Granted, body: PublishEvent, idempotent: IdempotentRequest): Promise<Answer> {
      const drafts = readDrafts(body);
      const [draft] = drafts;
      if (draft && draft.producerId === null) {
        const answer = await publishInGroup(granted, draft, idempotent);
        if (answer !== 'alone') return answer;
      }
      await requireFit(granted.actor.userId, drafts, (_index, member) => `/${member}`);
      return publishAll(granted, drafts, idempotent, ([event = '']) => event);
    },

    async publishBatch(granted: Granted, bytes: Uint8Array, idempotent: IdempotentRequest): Promise<Answer> {
      const drafts = await readLargeBatch(granted.actor.userId, bytes);
      await requireFit(granted.actor.userId, drafts, (index, member) => `/${index}/${member}`);
      return publishAll(granted, drafts, idempotent, (all) => `[${all.join(',')}]`);
    },

    /**
     * Publishes the example of a type, by default of the endpoint's first one, to this endpoint only.
     * @throws ServiceError endpoint_live, endpoint_disabled, invalid_request: the type does not exist
     */
    publishTest: (
      granted: Granted<EndpointRow>,
      idempotent: IdempotentRequest,
      { type: asked, ifMatch }: { type?: string | undefined; ifMatch?: string | undefined },
    ): Promise<Answer> =>
      publishing(async (tx, terms) => {
        await store.lockPublishingShared(tx, granted.partnerId);
        const { row, actor, partnerId } = await granted.recheck(tx);
        return runIdempotent(tx, idempotent, actor.userId, async () => {
          requireMatch(ifMatch, toEndpointJson(toEndpoint(row)));
          if (row.environment === 'live') throw new ServiceError('endpoint_live');
          if (row.status === 'disabled') throw new ServiceError('endpoint_disabled');
          const type = await selectEventType(tx, asked ?? row.event_types?.[0] ?? 'inventory.updated');
          if (!type && asked !== undefined) throw unknownType('/type');
          if (!type) throw new Error('The event type of an endpoint is gone');
          const draft = {
            type: type.name,
            environment: row.environment,
            producerId: null,
            data: JSON.stringify(type.example),
          };
          const [event] = await publish(tx, { partnerId, drafts: [draft], only: row.endpoint_id, ...terms });
          if (!event) throw new Error('The event that was just published is gone');
          const target = formatId('webhook_endpoint', row.endpoint_id);
          await recordAction(tx, {
            actor,
            partnerId,
            action: 'webhook_endpoint.test',
            target,
            targetName: new URL(row.url).host,
            details: { event_type: type.name },
          });
          return { status: 202, headers: {}, json: store.toEventJson(event) };
        });
      }),

    /** As JSON. Its data is the text that was published. */
    async get({ partnerId, principal, membership, row }: Granted<{ event_id: string }>): Promise<string> {
      const [event] = await store.selectEvents(db, [row.event_id]);
      if (!event) throw new ServiceError('not_found');
      // Otherwise this operation would show what the list of deliveries refuses.
      if (!holds(principal, membership, [{ resource: 'deliveries', method: 'query' }]))
        return store.toEventJsonWith(event, 'null');
      const filter = { event_id: formatId('event', event.id) };
      const found = await selectDeliveries(
        db,
        partnerId,
        filter,
        { by: 'id', direction: 'asc' },
        null,
        maxDeliveries,
      );
      return store.toEventJsonWith(event, `[${found.map(toDeliveryJson).join(',')}]`);
    },

    feed({ partnerId }: Granted, asked: WireFilter) {
      const filter = readFilter(asked);
      return isWholeFeed(filter) ? wholeFeed(partnerId, filter) : found(partnerId, filter);
    },
  };

  function wholeFeed(partnerId: string, filter: EventFilter) {
    return {
      mayBeShort: true,
      async page({ direction }: { direction: 'asc' | 'desc' }, after: { id: string } | null, limit: number) {
        const rows = await store.selectFeed(db, partnerId, filter.environments, {
          reached: await readHorizon(db, partnerId),
          after: after && parseId('event', after.id),
          descending: direction === 'desc',
          limit,
        });
        return rows.map(toItem);
      },
    };
  }

  function found(partnerId: string, filter: EventFilter) {
    return {
      async page({ direction }: { direction: 'asc' | 'desc' }, after: { id: string } | null, limit: number) {
        const reached = await readHorizon(db, partnerId);
        const step = {
          reached,
          after: after && parseId('event', after.id),
          descending: direction === 'desc',
          limit,
        };
        const part = await searches.run(partnerId, () =>
          db.forAll(() => searchEvents(db, partnerId, filter, step)),
        );
        return { items: part.items.map(toItem), reached: part.reached };
      },
    };
  }
}

const toItem = (event: store.EventRow) => ({
  id: formatId('event', event.id),
  json: store.toEventJson(event),
});

const unknownType = (pointer: string) =>
  invalidRequest(pointer, 'must be an event type; GET /event-types lists them');
