// Replays of all deliveries that match a filter, in steps that each commit their progress (behaviour W31). Recoveries use the same steps.
import type { Granted } from '../../access/index.ts';
import { changesBetween, recordAction } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../errors.ts';
import type { ListSource } from '../../http/lists.ts';
import { serializer } from '../../http/serialization.ts';
import { type Answer, type IdempotentRequest, runIdempotent } from '../../idempotency/index.ts';
import { formatId, newId } from '../../ids.ts';
import type { Database } from '../../postgres/database.ts';
import { type DeliveryFilter, readFilter } from '../deliveries/search/filter.ts';
import { examine } from '../deliveries/search/store.ts';
import { replayDeliveries, selectEndpointsOf } from '../deliveries/store.ts';
import { selectNotDisabled } from '../endpoints/store.ts';
import { holdLanes, laneChannel, replayPayload, wakeLanes } from '../lanes/store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const toJson = serializer(wire.Replay);
const pointerOf = (name: string) => `/${name}`;
/** A step replays this many deliveries at most, and examines ten times as many. */
const stepSize = 500;

export type Replays = ReturnType<typeof createReplays>;

export function createReplays({ db }: { db: Database }) {
  return {
    get: ({ row }: Granted<store.ReplayRow>): wire.Replay => store.toReplay(row),

    list: ({ partnerId }: Granted): ListSource<'id', wire.Replay> => ({
      page: (order, after, limit) => store.selectReplays(db, partnerId, order, after, limit),
    }),

    /** @throws ServiceError invalid_request, replay_running */
    async start(granted: Granted, filter: wire.StartReplay, idempotent: IdempotentRequest): Promise<Answer> {
      if (Object.keys(filter).length === 0) {
        const names = Object.keys(wire.StartReplay.properties).join(', ');
        throw invalidRequest('', `must have at least one of ${names}`, 'required');
      }
      readFilter(filter, pointerOf);
      return db.transaction(async (tx) => {
        const { actor, partnerId } = await granted.lock(tx);
        return runIdempotent(tx, idempotent, actor.userId, async () => {
          if (await store.isRunning(tx, partnerId)) throw new ServiceError('replay_running');
          const target = newId('replay');
          const replay = store.toReplay(await store.insertReplay(tx, target, partnerId, filter));
          tx.notifyAfterCommit(laneChannel, replayPayload);
          await recordAction(tx, {
            actor,
            partnerId,
            action: 'delivery.replay_all',
            target,
            changes: changesBetween({}, { filter }),
          });
          const location = `/partners/${formatId('partner', partnerId)}/replays/${target}`;
          return { status: 202, headers: { location }, json: toJson(replay) };
        });
      });
    },

    /** One step of a running replay or recovery. Returns whether there was one. Calls at the same time take different ones. */
    step: (on: Database): Promise<boolean> =>
      on.transaction(async (tx) => {
        const running = await store.lockRunning(tx);
        if (!running) return false;
        const { id, partner_id: partnerId, reached: after, created_at: settledBy } = running;
        const next = { direction: 'asc', after, limit: stepSize, window: 10 * stepSize } as const;
        const found = await examine(tx, partnerId, filterOf(running), next);
        // Every transaction locks lanes before deliveries. An endpoint without a lane is deleted.
        const held = await holdLanes(tx, await selectEndpointsOf(tx, found.ids));
        // Deliveries of a recovery wait while their endpoint is disabled, as those that are pending do.
        const endpoints = running.filter === null ? held : await selectNotDisabled(tx, held);
        const replayed = await replayDeliveries(tx, found.ids, endpoints, settledBy);
        await store.updateReplay(tx, id, { ...found, replayed, skipped: found.ids.length - replayed });
        await wakeLanes(tx, replayed > 0 ? endpoints : []);
        return true;
      }),
  };
}

/** Later deliveries do not count, and neither do those that have completed another round since. */
function filterOf(running: store.Running): DeliveryFilter {
  const { filter: asked, created_at: start } = running;
  const filter = asked === null ? store.recoveryFilter(running) : readFilter(asked, pointerOf);
  return { ...filter, settledBy: start, to: filter.to === undefined || filter.to > start ? start : filter.to };
}
