// Replays of all deliveries that match a filter, in steps that each commit (behaviour W31, W46).
import type { Granted } from '../../../access/index.ts';
import { holds } from '../../../access/permissions/index.ts';
import { changeOnce } from '../../../agreements/index.ts';
import { type Actor, changesBetween, recordAction } from '../../../audit/index.ts';
import { forbidden, invalidRequest, ServiceError } from '../../../base/errors.ts';
import type { ListSource } from '../../../base/http/lists.ts';
import { serializer } from '../../../base/http/serialization.ts';
import {
  type Answer,
  type IdempotentRequest,
  ok,
  transactIdempotent,
} from '../../../base/idempotency/index.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import type { Database, Transaction } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { selectEndpointStatus, selectInStatus } from '../../endpoints/store.ts';
import { holdLanes, laneChannel, replayPayload, wakeLanes } from '../../lanes/store.ts';
import { requireActive, requireNotDisabled } from '../deliveries/deliveries.ts';
import type { DeliveryCounts } from '../deliveries/schema.ts';
import { type DeliveryFilter, readDeliveryFilter } from '../deliveries/search/filter.ts';
import { examine, longCount } from '../deliveries/search/store.ts';
import { countPending, replayDeliveries, selectEndpointsOf, sendDeliveriesNow } from '../deliveries/store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const toJson = serializer(wire.Replay);
/** A step replays this many deliveries at most, and examines ten times as many. */
const stepSize = 500;
/** Of what waits for an endpoint that is resumed. The lane is locked meanwhile. */
const maxCounted = 100_000;

export type Replays = ReturnType<typeof createReplays>;

type Options = {
  db: Database;
  count: (granted: Granted, filter: DeliveryFilter, bounds: typeof longCount) => Promise<DeliveryCounts>;
};

export function createReplays({ db, count }: Options) {
  /** Counts before the transaction, which then is short. */
  async function start(
    granted: Granted,
    action: store.NewReplay['action'],
    body: wire.StartReplay | wire.StartSendNow,
    idempotent: IdempotentRequest,
  ): Promise<Answer> {
    const { properties } = action === 'replay' ? wire.StartReplay : wire.StartSendNow;
    if (Object.keys(body).length === 0)
      throw invalidRequest('', `must have at least one of ${Object.keys(properties).join(', ')}`, 'required');
    const createdAt = await readClock(db);
    // Only what is pending can be sent now.
    const filter: store.StoredFilter = action === 'replay' ? body : { ...body, status: 'pending' };
    const counts = await count(granted, coveredBy(toFilter(filter), createdAt), longCount);
    const total = counts.complete ? counts.matching : null;
    const filtered = action === 'replay' ? counts.filtered : null;
    return changeOnce(db, granted, idempotent, async (tx, { actor, partnerId }) => {
      await requireSendable(tx, partnerId, action, body.endpoint_id);
      const replay = await insert(tx, actor, body, { partnerId, action, filter, total, filtered, createdAt });
      const location = `/partners/${formatId('partner', partnerId)}/replays/${replay.id}`;
      return { status: 202, headers: { location }, json: toJson(replay) };
    });
  }

  return {
    list: ({ partnerId }: Granted): ListSource<'id', wire.Replay> => ({
      page: store.replaysOf(db, partnerId).page,
    }),

    start,

    /** One that has ended stays as it is. */
    stop: (granted: Granted<store.ReplayRow>, idempotent: IdempotentRequest) =>
      transactIdempotent(db, granted.recheck, idempotent, async (tx, { actor, partnerId, row }) => {
        const stopped = await store.stopReplay(tx, row.replay_id);
        const replay = store.toReplay(stopped ?? (await store.selectReplay(tx, row.replay_id)) ?? row);
        if (stopped)
          await recordAction(tx, {
            actor,
            partnerId,
            action: 'delivery.stop_replay',
            target: replay.id,
            details: { replayed: replay.replayed },
            changes: changesBetween({ status: 'running' }, { status: 'stopped' }),
          });
        return ok(toJson(replay));
      }),

    sendWaiting,
    step,
  };
}

/** In the transaction that resumes an endpoint. @throws ServiceError forbidden, endpoint_unchecked, replay_running */
async function sendWaiting(
  tx: Transaction,
  { principal, membership, partnerId, actor }: Granted,
  endpointId: string,
): Promise<void> {
  if (!holds(principal, membership, [{ resource: 'deliveries', method: 'post' }]))
    throw forbidden('send_now also requires the permission deliveries.post.');
  const asked = { endpoint_id: formatId('webhook_endpoint', endpointId) };
  await requireSendable(tx, partnerId, 'send_now', asked.endpoint_id);
  const total = await countPending(tx, endpointId, maxCounted);
  const createdAt = await readClock(tx);
  const filter = { ...asked, status: 'pending' } as const;
  await insert(tx, actor, asked, { partnerId, action: 'send_now', filter, total, filtered: null, createdAt });
}

/** One step of a running replay. Returns whether there was one. Calls at the same time take different ones. */
const step = (db: Database) =>
  db.transaction(async (tx) => {
    const running = await store.lockRunning(tx);
    if (!running) return false;
    const { id, partner_id: partnerId, action, reached: after, created_at: settledBy } = running;
    const next = { direction: 'asc', after, limit: stepSize, window: 10 * stepSize } as const;
    const filter = coveredBy(toFilter(running.filter), settledBy);
    const { ids, reached, isLast } = await examine(tx, partnerId, filter, next);
    const existing = await holdLanes(tx, await selectEndpointsOf(tx, ids));
    const endpoints = await selectInStatus(tx, existing, sendableStatuses[action]);
    const replayed =
      action === 'send_now'
        ? (await sendDeliveriesNow(tx, ids, endpoints, settledBy)).sent
        : await replayDeliveries(tx, ids, endpoints, settledBy);
    await store.updateReplay(tx, id, { reached, replayed, skipped: ids.length - replayed, isLast });
    await wakeLanes(tx, replayed > 0 ? endpoints : []);
    return true;
  });

const sendableStatuses = { replay: ['active', 'paused', 'unchecked'], send_now: ['active'] } as const;

/** `asked`: the filter as the caller gave it. */
async function insert(
  tx: Transaction,
  actor: Actor,
  asked: store.StoredFilter,
  started: store.NewReplay,
): Promise<wire.Replay> {
  if (await store.isRunning(tx, started)) throw new ServiceError('replay_running');
  const replay = store.toReplay(await store.insertReplay(tx, started));
  tx.notifyAfterCommit(laneChannel, replayPayload);
  await recordAction(tx, {
    actor,
    partnerId: started.partnerId,
    action: `delivery.${started.action}_all`,
    target: replay.id,
    changes: changesBetween({}, { filter: asked }),
  });
  return replay;
}

/** Later deliveries do not count, and neither do those that have completed another round since. */
const coveredBy = (filter: DeliveryFilter, start: Date): DeliveryFilter => ({
  ...filter,
  settledBy: start,
  to: filter.to === undefined || filter.to > start ? start : filter.to,
});

const toFilter = ({ delivery_ids: ids, ...filter }: store.StoredFilter): DeliveryFilter => ({
  ...readDeliveryFilter(filter, '/created_at'),
  ...(ids && { ids }),
});

async function requireSendable(
  tx: Transaction,
  partnerId: string,
  action: store.NewReplay['action'],
  endpointId: string | undefined,
): Promise<void> {
  if (endpointId === undefined) return;
  const id = parseId('webhook_endpoint', endpointId);
  const status = id === null ? undefined : await selectEndpointStatus(tx, partnerId, id);
  if (status === undefined) throw invalidRequest('/endpoint_id', 'must be an endpoint of the partner');
  if (action === 'send_now') requireActive(status);
  else requireNotDisabled(status);
}
