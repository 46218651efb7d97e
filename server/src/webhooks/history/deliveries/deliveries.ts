// What can be done with deliveries: see and count them, replay one, and send one now.
import type { Granted } from '../../../access/index.ts';
import { holds } from '../../../access/permissions/index.ts';
import { changesBetween, recordAction } from '../../../audit/index.ts';
import { requireFound, ServiceError, tooMany } from '../../../base/errors.ts';
import { requireMatch } from '../../../base/http/entity-tag.ts';
import type { ListSource } from '../../../base/http/lists.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { type IdempotentRequest, ok, transactIdempotent } from '../../../base/idempotency/index.ts';
import { createDatabaseQueue } from '../../../base/limits/index.ts';
import type { Database, Queryable, Transaction } from '../../../base/postgres/database.ts';
import { selectEndpointStatus } from '../../endpoints/store.ts';
import { holdLanes, wakeLanes } from '../../lanes/store.ts';
import * as wire from './schema.ts';
import {
  type DeliveryFilter,
  type GivenDeliveryFilter,
  isIndexed,
  readDeliveryFilter,
} from './search/filter.ts';
import { countDeliveries, deliveriesOf, searchDeliveries, type shortCount } from './search/store.ts';
import * as store from './store.ts';

const toJson = serializer(wire.Delivery);
const toJsonWithAttempts = serializer(wire.DeliveryWithAttempts);

/** Pages that examine many deliveries. Few run at once, so that they do not take every connection. */
const searchLimits = { name: 'delivery-searches', what: 'searches of deliveries of a user' };

export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries({ db }: { db: Database }) {
  const inTurn = createDatabaseQueue(db, searchLimits);

  return {
    get: ({ row }: Granted<store.DeliveryRow>) => withAttempts(db, row),

    list: ({ partnerId, actor }: Granted, wanted: GivenDeliveryFilter): ListSource<'id', wire.Delivery> => {
      const filter = readDeliveryFilter(wanted);
      if (isIndexed(filter)) return { page: deliveriesOf(db, partnerId, filter).page };
      return {
        page: (...asked) =>
          inTurn(actor.userId, () =>
            db.transaction((tx) => searchDeliveries(tx, partnerId, filter, ...asked)),
          ),
      };
    },

    /** What a replay and a send-now of the filter would do. */
    count: ({ partnerId, actor }: Granted, filter: DeliveryFilter, bounds: typeof shortCount) =>
      inTurn(actor.userId, () => db.transaction((tx) => countDeliveries(tx, partnerId, filter, bounds))),

    change: (
      action: keyof typeof acts,
      granted: Granted<store.DeliveryRow>,
      idempotent: IdempotentRequest,
      ifMatch: string | undefined,
    ) =>
      transactIdempotent(db, granted.recheck, idempotent, async (tx, { actor, partnerId }) => {
        const { delivery_id: id, endpoint_id: endpointId } = granted.row;
        await holdLanes(tx, [endpointId]);
        const row = requireFound(await store.lockDelivery(tx, id));
        if (ifMatch !== undefined) requireMatch(ifMatch, toJsonWithAttempts(await withAttempts(tx, row)));
        const changed = await acts[action](tx, row, await selectEndpointStatus(tx, partnerId, endpointId));
        const delivery = store.toDelivery(changed);
        if (changed !== row) {
          await wakeLanes(tx, [endpointId]);
          const changes = changesBetween(store.toDelivery(row), delivery);
          const target = delivery.id;
          await recordAction(tx, { actor, partnerId, action: `delivery.${action}`, target, changes });
        }
        return ok(toJson(delivery));
      }),
  };
}

/** Otherwise an event would show what the list of deliveries refuses (behaviour W30, W69). */
export const mayListDeliveries = ({ principal, membership }: Granted) =>
  holds(principal, membership, [{ resource: 'deliveries', method: 'query' }]);

/** Returns the same row if nothing changes. */
type Act = (tx: Transaction, row: store.DeliveryRow, endpoint: EndpointStatus) => Promise<store.DeliveryRow>;
/** Undefined: the endpoint is deleted. */
type EndpointStatus = string | undefined;

/** Makes the next attempt of a pending delivery due. */
const sendNow: Act = async (tx, row, endpoint) => {
  if (row.status !== 'pending')
    throw new ServiceError('not_pending', { detail: `The delivery is ${row.status}.` });
  requireActive(endpoint);
  if (row.next_attempt_at === null) throw new ServiceError('delivery_held');
  const { moved } = await store.sendDeliveriesNow(tx, [row.delivery_id], [row.endpoint_id], null);
  return moved === 0 ? row : requireFound(await store.lockDelivery(tx, row.delivery_id));
};

/** Starts a new round, unless the delivery is pending. */
const replay: Act = async (tx, row, endpoint) => {
  requireNotDisabled(endpoint);
  if (row.status === 'pending') return row;
  if (row.attempt_count >= store.maxAttempts) {
    throw tooMany(
      `This delivery has had ${row.attempt_count} attempts. A delivery gets no new round after ${store.maxAttempts} attempts.`,
    );
  }
  return store.replayDelivery(tx, row.delivery_id);
};

const acts = { send_now: sendNow, replay };

const withAttempts = async (on: Queryable, row: store.DeliveryRow): Promise<wire.DeliveryWithAttempts> => ({
  ...store.toDelivery(row),
  attempts: await store.selectAttempts(on, row.delivery_id),
});

/** @throws ServiceError endpoint_deleted, endpoint_disabled */
export function requireNotDisabled(status: EndpointStatus): void {
  if (status === undefined) throw new ServiceError('endpoint_deleted');
  if (status === 'disabled') throw new ServiceError('endpoint_disabled');
}

/** @throws ServiceError endpoint_deleted, endpoint_disabled, endpoint_paused, endpoint_unchecked */
export function requireActive(status: EndpointStatus): void {
  requireNotDisabled(status);
  if (status === 'paused') throw new ServiceError('endpoint_paused');
  if (status === 'unchecked') throw new ServiceError('endpoint_unchecked');
}
