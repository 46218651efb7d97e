// Recoveries: every failed delivery of a time is replayed, in steps that each commit how far they came (behaviour W11).
import type { Granted } from '../agreements/index.ts';
import { recordAction } from '../audit/index.ts';
import { ServiceError } from '../errors.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import { readMoment } from '../http/schemas.ts';
import { newId, parseId } from '../ids.ts';
import type { Database } from '../postgres/database.ts';
import { holdLanes, notifyRecovery, wakeLanes } from './deliverer/lane-store.ts';
import { requireEndpoint } from './deliveries.ts';
import type { Recovery, StartRecovery } from './delivery-schema.ts';
import { countFailed, replayFailed } from './delivery-store.ts';
import { type EndpointRow, toEndpoint } from './endpoint-store.ts';
import * as store from './recovery-store.ts';

const stepSize = 500;

export type Recoveries = ReturnType<typeof createRecoveries>;

export function createRecoveries({ db }: { db: Database }) {
  return {
    get: ({ row }: Granted<store.RecoveryRow>): Recovery => store.toRecovery(row),

    /** @throws ServiceError endpoint_disabled, recovery_running */
    start: (granted: Granted<EndpointRow>, body: StartRecovery, repeatable: Repeatable, ifMatch?: string): Promise<Answer> =>
      db.transaction(async (tx) => {
        const { row, actor } = await granted.lock(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          requireMatch(ifMatch, toEndpoint(row));
          requireEndpoint(row.status);
          if (await store.isRunning(tx, row.endpoint_id)) throw new ServiceError('recovery_running');
          const now = await store.readTime(tx);
          const asked = body.until === undefined ? now : readMoment(body.until, '/until');
          // What fails from now on is not meant.
          const until = asked < now ? asked : now;
          const since = readMoment(body.since, '/since');
          if (body.until !== undefined && until < since) throw invalid('/until', 'must not be before since');
          const failed = { partnerId: row.partner_id, endpointId: row.endpoint_id, since, until, failedBy: now };
          const total = await countFailed(tx, failed);
          const id = newId('recovery');
          const recovery = store.toRecovery(await store.insertRecovery(tx, parseId('recovery', id) ?? '', { ...failed, total }));
          await notifyRecovery(tx);
          const target = recovery.endpoint_id;
          await recordAction(tx, {
            actor,
            partnerId: row.partner_id,
            action: 'webhook_endpoint.recover',
            target,
            details: { total },
          });
          return { status: 202, headers: {}, body: recovery };
        });
      }),

    /** One step of one that is running; answers with whether there was one. Two at once take different ones. */
    step: (): Promise<boolean> =>
      db.transaction(async (tx) => {
        const recovery = await store.lockRunning(tx);
        if (!recovery) return false;
        const {
          recovery_id: id,
          partner_id: partnerId,
          endpoint_id: endpointId,
          since,
          until,
          reached,
          created_at: failedBy,
        } = recovery;
        await holdLanes(tx, [endpointId]);
        const replayed = await replayFailed(tx, { partnerId, endpointId, since, until, failedBy }, reached, stepSize);
        await store.updateRecovery(tx, id, replayed.at(-1) ?? null, replayed.length, replayed.length < stepSize);
        await wakeLanes(tx, replayed.length > 0 ? [endpointId] : []);
        return true;
      }),
  };
}

const invalid = (pointer: string, message: string) =>
  new ServiceError('invalid_request', { faults: [{ pointer, code: 'invalid_value', message }] });
