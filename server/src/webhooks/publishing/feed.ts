// Reading events: one with its deliveries, and the feed.
import type { Granted } from '../../access/index.ts';
import { requireFound, ServiceError } from '../../base/errors.ts';
import { serializer } from '../../base/http/serialization.ts';
import { formatId, parseId } from '../../base/ids.ts';
import { createDatabaseQueue } from '../../base/limits/index.ts';
import type { Database, Queryable } from '../../base/postgres/database.ts';
import type { Order, Position } from '../../base/postgres/sql/keyset.ts';
import { mayListDeliveries } from '../history/deliveries/deliveries.ts';
import { Delivery } from '../history/deliveries/schema.ts';
import { deliveriesOf } from '../history/deliveries/search/store.ts';
import { readHorizon } from './horizon.ts';
import { type GivenFeedFilter, isWholeFeed, readFeedFilter, searchEvents } from './search/store.ts';
import * as store from './store.ts';

const toDeliveryJson = serializer(Delivery);
/** An event has one delivery for each endpoint at most, and a partner has fewer endpoints. */
const maxDeliveries = 1_000;

/** Searches of one partner run one after another, so they delay no other partner. */
const searchLimits = {
  name: 'event-searches',
  concurrencyPerGroup: 1,
  what: 'searches of the events of a partner',
};

export type Feed = ReturnType<typeof createFeed>;

export function createFeed(db: Database) {
  const search = createDatabaseQueue(db, searchLimits);
  return {
    /** As JSON. Its data is the text that was published. */
    async get(granted: Granted<{ event_id: string }>): Promise<string> {
      const { partnerId, row } = granted;
      const event = requireFound((await store.selectEvents(db, [row.event_id]))[0]);
      if (!mayListDeliveries(granted)) return store.toEventJson(event, false, ',"deliveries":null');
      const filter = { event_id: formatId('event', event.id) };
      const order = { by: 'id', direction: 'asc' } as const;
      const found = await deliveriesOf(db, partnerId, filter).page(order, null, maxDeliveries);
      return store.toEventJson(event, true, `,"deliveries":[${found.map(toDeliveryJson).join(',')}]`);
    },

    list(granted: Granted, asked: GivenFeedFilter) {
      const { partnerId } = granted;
      const toItem = (event: store.EventRow) => ({
        id: formatId('event', event.id),
        json: store.toEventJson(event, showsFiltered),
      });
      const showsFiltered = mayListDeliveries(granted);
      const filter = readFeedFilter(asked);
      const isWhole = isWholeFeed(filter);
      return {
        mayBeShort: isWhole,
        async page({ direction }: Order<'id'>, after: Position | null, limit: number) {
          const step = {
            reached: await reachedBy(db, partnerId),
            after: after && parseId('event', after.id),
            direction,
            limit,
          };
          if (isWhole) return (await store.selectFeed(db, partnerId, filter.environments, step)).map(toItem);
          const { items, reached } = await search(partnerId, () => searchEvents(db, partnerId, filter, step));
          return { items: items.map(toItem), reached };
        },
      };
    },
  };
}

const patienceMs = 12_000;

/** @throws ServiceError rate_limited when a transaction takes too long */
async function reachedBy(on: Queryable, partnerId: string): Promise<string> {
  const { position, late } = await readHorizon(on, [partnerId], patienceMs);
  if (late.size === 0) return position;
  throw new ServiceError('rate_limited', {
    detail: `The feed waits for events that are being published for more than ${patienceMs / 1_000} seconds. Try again in 1 second.`,
    headers: { 'retry-after': '1' },
  });
}
