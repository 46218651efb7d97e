// What can be done with deliveries: see them, and replay one.
import type { Granted } from '../agreements/index.ts';
import { recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import type { ListSource } from '../http/lists.ts';
import { readMoment } from '../http/schemas.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { holdLanes, wakeLanes } from './deliverer/lane-store.ts';
import type { Delivery, DeliveryWithAttempts } from './delivery-schema.ts';
import * as store from './delivery-store.ts';

type InPartner = Granted<{ partner_id: string }>;
type GrantedDelivery = Granted<store.DeliveryRow>;
type Filter = Omit<store.DeliveryFilter, 'from' | 'to'> & { createdAt?: string | undefined };

export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries({ db }: { db: Database }) {
  return {
    get: ({ row }: GrantedDelivery): Promise<DeliveryWithAttempts> => withAttempts(db, row),

    list: ({ row }: InPartner, { createdAt, ...filter }: Filter): ListSource<'id', Delivery> => {
      const all = { ...filter, ...readRange(createdAt) };
      return { page: (order, after, limit) => store.selectDeliveries(db, row.partner_id, all, order, after, limit) };
    },

    /** Sends it again, whatever came of it before. @throws ServiceError endpoint_disabled, endpoint_deleted, limit_reached */
    replay: (granted: GrantedDelivery, repeatable: Repeatable, ifMatch?: string): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { actor } = await granted.again(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          // Lanes before deliveries: everyone locks in this order.
          const { endpoint_id: endpointId } = granted.row;
          await holdLanes(tx, [endpointId]);
          const row = await store.lockDelivery(tx, granted.row.delivery_id);
          if (!row) throw new ServiceError('not_found');
          if (ifMatch !== undefined) requireMatch(ifMatch, await withAttempts(tx, row));
          const answer = (delivery: store.DeliveryRow) => ({ status: 200, headers: {}, body: store.toDelivery(delivery) });
          if (row.status === 'pending') return answer(row);
          if (row.attempt_count >= store.maxAttempts) {
            throw new ServiceError('limit_reached', {
              detail: `A delivery is attempted ${store.maxAttempts} times and a round at most.`,
            });
          }
          requireEndpoint(await store.selectEndpointStatus(tx, endpointId));
          const replayed = await store.replayDelivery(tx, row.delivery_id);
          await wakeLanes(tx, [endpointId]);
          const body = store.toDelivery(replayed);
          await recordAction(tx, { actor, partnerId: row.partner_id, action: 'delivery.replay', target: body.id });
          return answer(replayed);
        });
      }),
  };
}

const withAttempts = async (on: Queryable, row: store.DeliveryRow): Promise<DeliveryWithAttempts> => ({
  ...store.toDelivery(row),
  attempts: await store.selectAttempts(on, row.delivery_id),
});

export function requireEndpoint(status: string | null): void {
  if (status === null) throw new ServiceError('endpoint_deleted');
  if (status === 'disabled') throw new ServiceError('endpoint_disabled');
}

/** `<from>..<to>`, either may be missing. */
function readRange(text: string | undefined): { from?: Date; to?: Date } {
  if (text === undefined) return {};
  const parts = text.split('..');
  const read = (part: string) => {
    if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(part)) throw invalid();
    return readMoment(part, '/filter[created_at]');
  };
  const [from = '', to = ''] = parts;
  if (parts.length !== 2 || (from === '' && to === '')) throw invalid();
  return { ...(from !== '' && { from: read(from) }), ...(to !== '' && { to: read(to) }) };
}

const invalid = () =>
  new ServiceError('invalid_request', {
    faults: [{ pointer: '/filter[created_at]', code: 'invalid_value', message: 'must be <from>..<to>, moments of RFC 3339' }],
  });
