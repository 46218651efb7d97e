// Replays of all deliveries that match a filter, in steps that each commit their progress (behaviour W31,
// W46). Recoveries use the same steps.
import type { Granted } from '../../../access/index.ts';
import { holds } from '../../../access/permissions/index.ts';
import { type Actor, changesBetween, recordAction } from '../../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../../base/errors.ts';
import type { ListSource } from '../../../base/http/lists.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { type Answer, type IdempotentRequest, runIdempotent } from '../../../base/idempotency/index.ts';
import { formatId, newId, parseId } from '../../../base/ids.ts';
import type { Database, Transaction } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { selectActive, selectEndpointStatus, selectNotDisabled } from '../../endpoints/store.ts';
import { holdLanes, laneChannel, replayPayload, wakeLanes } from '../../lanes/store.ts';
import { requireActive } from '../deliveries/deliveries.ts';
import { type DeliveryFilter, readFilter, statusOf } from '../deliveries/search/filter.ts';
import { type DeliveryCounts, examine } from '../deliveries/search/store.ts';
import { countPending, replayDeliveries, selectEndpointsOf, sendDeliveriesNow } from '../deliveries/store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const toJson = serializer(wire.Replay);
const pointerOf = (name: string) => `/${name}`;
/** A step replays this many deliveries at most, and examines ten times as many. */
const stepSize = 500;
/** Counting what waits for an endpoint that is resumed stops there: the lane is locked meanwhile. */
const maxCounted = 10_000;

/** A version that knows no states still finds the status. */
const withStatus = (filter: wire.StartReplay): wire.StartReplay =>
  filter.state === undefined || filter.status !== undefined
    ? filter
    : { ...filter, status: statusOf(filter.state) };

export type Replays = ReturnType<typeof createReplays>;

type Options = {
  db: Database;
  /** How many deliveries match. */
  count: (granted: Granted, filter: DeliveryFilter) => Promise<DeliveryCounts>;
};

export function createReplays({ db, count }: Options) {
  /** Counts before the transaction, which then is short. */
  async function start(
    granted: Granted,
    { action, filter }: Pick<store.NewReplay, 'action' | 'filter'>,
    idempotent: IdempotentRequest,
    changed: object = filter,
  ): Promise<Answer> {
    const createdAt = await readClock(db);
    const { matching, complete } = await count(granted, coveredBy(toFilter(filter), createdAt));
    return db.transaction(async (tx) => {
      const { actor, partnerId } = await granted.lock(tx);
      return runIdempotent(tx, idempotent, actor.userId, async () => {
        const started = { partnerId, action, filter };
        if (action === 'send_now') await requireSendable(tx, partnerId, filter.endpoint_id);
        const replay = await insert(tx, { ...started, matching: complete ? matching : null, createdAt });
        const changes = changesBetween({}, { filter: changed });
        await recordAction(tx, {
          actor,
          partnerId,
          action: `delivery.${action}_all`,
          target: replay.id,
          changes,
        });
        const location = `/partners/${formatId('partner', partnerId)}/replays/${replay.id}`;
        return { status: 202, headers: { location }, json: toJson(replay) };
      });
    });
  }

  /** @throws ServiceError replay_running */
  async function insert(tx: Transaction, started: Omit<store.NewReplay, 'id'>): Promise<wire.Replay> {
    if (await store.isRunning(tx, started)) throw new ServiceError('replay_running');
    const replay = store.toReplay(await store.insertReplay(tx, { id: newId('replay'), ...started }));
    tx.notifyAfterCommit(laneChannel, replayPayload);
    return replay;
  }

  return {
    get: ({ row }: Granted<store.ReplayRow>): wire.Replay => store.toReplay(row),

    list: ({ partnerId }: Granted): ListSource<'id', wire.Replay> => ({
      page: (order, after, limit) => store.selectReplays(db, partnerId, order, after, limit),
    }),

    /** @throws ServiceError invalid_request, replay_running */
    start: (granted: Granted, filter: wire.StartReplay, idempotent: IdempotentRequest): Promise<Answer> => {
      requireOneOf(filter, wire.StartReplay.properties);
      return start(granted, { action: 'replay', filter: withStatus(filter) }, idempotent, filter);
    },

    /** @throws ServiceError invalid_request, replay_running, endpoint_paused, endpoint_disabled */
    startSendNow: (
      granted: Granted,
      body: wire.StartSendNow,
      idempotent: IdempotentRequest,
    ): Promise<Answer> => {
      requireOneOf(body, wire.StartSendNow.properties);
      if (body.status !== undefined && body.status !== 'pending')
        throw invalidRequest(
          '/status',
          'must be pending or left out: only pending deliveries can be sent now',
        );
      return start(granted, { action: 'send_now', filter: { ...body, status: 'pending' } }, idempotent, body);
    },

    /** In the transaction that resumes an endpoint. @throws ServiceError forbidden, replay_running */
    async sendWaiting(
      tx: Transaction,
      { principal, membership, partnerId, actor }: Granted,
      endpointId: string,
    ): Promise<void> {
      if (!holds(principal, membership, [{ resource: 'deliveries', method: 'post' }]))
        throw new ServiceError('forbidden', {
          detail: 'send_now also requires the permission deliveries.post.',
        });
      const filter = { endpoint_id: formatId('webhook_endpoint', endpointId) };
      const matching = await countPending(tx, endpointId, maxCounted);
      const started = {
        partnerId,
        action: 'send_now',
        filter: { ...filter, status: 'pending' },
        matching,
        createdAt: await readClock(tx),
      } as const;
      const { id: target } = await insert(tx, started);
      await recordAction(tx, {
        actor,
        partnerId,
        action: 'delivery.send_now_all',
        target,
        changes: changesBetween({}, { filter }),
      });
    },

    /** One that has ended stays as it is. */
    stop: (granted: Granted<store.ReplayRow>, idempotent: IdempotentRequest): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { actor, partnerId, row } = await granted.recheck(tx);
        return runIdempotent(tx, idempotent, actor.userId, async () => {
          const hasStopped = await store.stopReplay(tx, row.replay_id);
          const replay = store.toReplay(await store.selectReplay(tx, row.replay_id));
          if (hasStopped)
            await recordStop(tx, { actor, partnerId, target: replay.id, replayed: replay.replayed });
          return { status: 200, headers: {}, json: toJson(replay) };
        });
      }),

    /**
     * One step of a running replay or recovery. Returns whether there was one. Calls at the same time take
     * different ones.
     */
    step: (on: Database): Promise<boolean> =>
      on.transaction(async (tx) => {
        const running = await store.lockRunning(tx);
        if (!running) return false;
        const { id, partner_id: partnerId, reached: after, created_at: settledBy } = running;
        const next = { direction: 'asc', after, limit: stepSize, window: 10 * stepSize } as const;
        const found = await examine(tx, partnerId, filterOf(running), next);
        const isSending = running.action === 'send_now';
        // Every transaction locks lanes before deliveries. An endpoint without a lane is deleted.
        const held = await holdLanes(tx, await selectEndpointsOf(tx, found.ids));
        // Deliveries of a recovery wait while their endpoint is disabled, as those that are pending do.
        const select = isSending ? selectActive : selectNotDisabled;
        const endpoints = running.filter === null ? held : await select(tx, held);
        const replayed = isSending
          ? (await sendDeliveriesNow(tx, found.ids, endpoints, after)).sent
          : await replayDeliveries(tx, found.ids, endpoints, settledBy);
        const { ids, reached, isLast } = found;
        await store.updateReplay(tx, id, { reached, replayed, skipped: ids.length - replayed, isLast });
        await wakeLanes(tx, replayed > 0 ? endpoints : []);
        return true;
      }),
  };
}

const filterOf = (running: store.Running): DeliveryFilter =>
  coveredBy(
    running.filter === null ? store.recoveryFilter(running) : toFilter(running.filter),
    running.created_at,
  );

/** Later deliveries do not count, and neither do those that have completed another round since. */
const coveredBy = (filter: DeliveryFilter, start: Date): DeliveryFilter => ({
  ...filter,
  settledBy: start,
  to: filter.to === undefined || filter.to > start ? start : filter.to,
});

const toFilter = ({ delivery_ids: ids, ...filter }: store.StoredFilter): DeliveryFilter => ({
  ...readFilter(filter, pointerOf),
  ...(ids && { ids }),
});

function requireOneOf(body: object, properties: object): void {
  if (Object.keys(body).length > 0) return;
  throw invalidRequest('', `must have at least one of ${Object.keys(properties).join(', ')}`, 'required');
}

/** @throws ServiceError invalid_request, endpoint_paused, endpoint_disabled */
async function requireSendable(
  tx: Transaction,
  partnerId: string,
  endpointId: string | undefined,
): Promise<void> {
  if (endpointId === undefined) return;
  const id = parseId('webhook_endpoint', endpointId);
  const status = id === null ? null : await selectEndpointStatus(tx, partnerId, id);
  if (status === null) throw invalidRequest('/endpoint_id', 'must be an endpoint of the partner');
  requireActive(status);
}

type Stopped = { actor: Actor; partnerId: string; target: string; replayed: number };
/** `target`: a replay, or the endpoint of a recovery. */
export const recordStop = (tx: Transaction, { replayed, ...stopped }: Stopped): Promise<void> =>
  recordAction(tx, {
    ...stopped,
    action: 'delivery.stop_replay',
    details: { replayed },
    changes: changesBetween({ status: 'running' }, { status: 'stopped' }),
  });
