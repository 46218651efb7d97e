// Recoveries: replay every failed delivery of a period (behaviour W11). Replays make the steps.
import type { Granted } from '../../../access/index.ts';
import { changesBetween, recordAction } from '../../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../../base/errors.ts';
import { requireMatch } from '../../../base/http/entity-tag.ts';
import type { ListSource } from '../../../base/http/lists.ts';
import { readMoment } from '../../../base/http/schemas.ts';
import { serializer } from '../../../base/http/serialization.ts';
import { type Answer, type IdempotentRequest, runIdempotent } from '../../../base/idempotency/index.ts';
import { formatId, newId, parseId } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { Endpoint } from '../../endpoints/schema.ts';
import { type EndpointRow, toEndpoint } from '../../endpoints/store.ts';
import { laneChannel, replayPayload } from '../../lanes/store.ts';
import { requireNotDisabled } from '../deliveries/deliveries.ts';
import { countFailed } from '../deliveries/store.ts';
import { recordStop } from '../replays/replays.ts';
import { stopReplay } from '../replays/store.ts';
import * as wire from './schema.ts';
import * as store from './store.ts';

const toJson = serializer(wire.Recovery);
const toEndpointJson = serializer(Endpoint);

export type Recoveries = ReturnType<typeof createRecoveries>;

export function createRecoveries({ db }: { db: Database }) {
  return {
    get: ({ row }: Granted<store.RecoveryRow>): wire.Recovery => store.toRecovery(row),

    list: ({ row }: Granted<EndpointRow>): ListSource<'id', wire.Recovery> => ({
      page: (order, after, limit) => store.selectRecoveries(db, row.endpoint_id, order, after, limit),
    }),

    /** @throws ServiceError endpoint_disabled, recovery_running */
    start: (
      granted: Granted<EndpointRow>,
      body: wire.StartRecovery,
      idempotent: IdempotentRequest,
      ifMatch?: string,
    ): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { row, actor, partnerId } = await granted.lock(tx);
        return runIdempotent(tx, idempotent, actor.userId, async () => {
          requireMatch(ifMatch, toEndpointJson(toEndpoint(row)));
          requireNotDisabled(row.status);
          if (await store.isRunning(tx, row.endpoint_id)) throw new ServiceError('recovery_running');
          const now = await readClock(tx);
          const requested = body.until === undefined ? now : readMoment(body.until, '/until');
          // Later deliveries do not count.
          const until = requested < now ? requested : now;
          const since = readMoment(body.since, '/since');
          if (body.until !== undefined && until < since)
            throw invalidRequest('/until', 'must not be before since');
          const failed = { partnerId, endpointId: row.endpoint_id, since, until, failedBy: now };
          const total = await countFailed(tx, failed);
          const id = newId('recovery');
          const recovery = store.toRecovery(
            await store.insertRecovery(tx, parseId('recovery', id) ?? '', { ...failed, total }),
          );
          tx.notifyAfterCommit(laneChannel, replayPayload);
          const target = recovery.endpoint_id;
          await recordAction(tx, {
            actor,
            partnerId,
            action: 'webhook_endpoint.recover',
            target,
            targetName: new URL(row.url).host,
            details: { total },
            changes: changesBetween(null, recovery),
          });
          const location = `/partners/${formatId('partner', partnerId)}/webhook-endpoints/${target}/recover/${recovery.id}`;
          return { status: 202, headers: { location }, json: toJson(recovery) };
        });
      }),

    /** One that has ended stays as it is. */
    stop: (granted: Granted<store.RecoveryRow>, idempotent: IdempotentRequest): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { actor, partnerId, row } = await granted.recheck(tx);
        return runIdempotent(tx, idempotent, actor.userId, async () => {
          const hasStopped = await stopReplay(tx, row.recovery_id);
          const recovery = store.toRecovery(await store.selectRecovery(tx, row.recovery_id));
          const { endpoint_id: target, replayed } = recovery;
          if (hasStopped) await recordStop(tx, { actor, partnerId, target, replayed });
          return { status: 200, headers: {}, json: toJson(recovery) };
        });
      }),
  };
}
