// The door of webhooks: event types, endpoints, events, deliveries, recoveries, and the engine that sends.
import type { Access } from '../access/index.ts';
import type { webhookSettingsOf } from '../config.ts';
import type { Secret } from '../config-values.ts';
import { createDestinations } from '../egress/index.ts';
import type { Feature } from '../feature.ts';
import type { Window } from '../limits/index.ts';
import type { EnqueueMail } from '../mail/index.ts';
import type { Database, OpenDatabase, Transaction } from '../postgres/database.ts';
import type { Listen } from '../postgres/notifications.ts';
import type { SigningKeys } from '../signing-keys/index.ts';
import type { Tracing } from '../tracing/index.ts';
import { createAttempts } from './attempts/attempts.ts';
import { registerAttemptRoutes } from './attempts/routes.ts';
import { registerDebugRoutes } from './debug/routes.ts';
import { createVerifyCaptured } from './debug/verify-captured.ts';
import { cancelDeliveriesOf, createDeliveries } from './deliveries/deliveries.ts';
import { registerDeliveryRoutes } from './deliveries/routes.ts';
import { createEndpoints } from './endpoints/endpoints.ts';
import { createHeaderSealer } from './endpoints/headers.ts';
import { registerEndpointRoutes } from './endpoints/routes.ts';
import { createNotifyDisabled } from './engine/disabled-notice.ts';
import { createEngine } from './engine/engine.ts';
import { createDataChecks } from './event-types/data-checks.ts';
import { createEventTypes } from './event-types/event-types.ts';
import { registerEventTypeRoutes } from './event-types/routes.ts';
import { createEvents } from './events/events.ts';
import { registerEventRoutes } from './events/routes.ts';
import { lockPublishing } from './events/store.ts';
import { createListFailing } from './failing/failing-endpoints.ts';
import { registerFailingRoutes } from './failing/routes.ts';
import { releaseHeld } from './held/held-deliveries.ts';
import { registerHeldRoutes } from './held/routes.ts';
import { ensurePartitions, historyTasks } from './history/history.ts';
import { deletePartnerHistory } from './history/store.ts';
import { noHandOver } from './lanes/hand-over.ts';
import type { WebhookObserver } from './lanes/observer.ts';
import { makeEarlierDue, releaseAllLanes, selectLaneStates } from './lanes/store.ts';
import { createRecoveries } from './recoveries/recoveries.ts';
import { registerRecoveryRoutes } from './recoveries/routes.ts';
import { createReplays } from './replays/replays.ts';
import { registerReplayRoutes } from './replays/routes.ts';
import { createSandboxReceivers } from './sandbox-receiver/receivers.ts';
import { registerSandboxReceiverRoutes } from './sandbox-receiver/routes.ts';
import { registerStatsRoutes } from './stats/routes.ts';
import { createStats, type StatsOperations } from './stats/stats.ts';
import { createPool } from './threads/pool.ts';

export { webhookDescriptions } from './event-types/built-in.ts';
export { chooseHeld, readHeld, releaseSome } from './held/held-deliveries.ts';
export { selectMissingWeeks } from './history/store.ts';
export type { WebhookObserver } from './lanes/observer.ts';

type Options = ReturnType<typeof webhookSettingsOf> & {
  db: Database;
  /** Opens another pool on the same database. */
  openDatabase: OpenDatabase;
  listen: Listen;
  access: Access;
  secrets: readonly Secret[];
  keys: SigningKeys;
  enqueueMail: EnqueueMail;
  baseUrl: string;
  rateLimit: Window;
  onOldPattern: (eventType: string) => void;
  observer: WebhookObserver;
  tracing: Tracing;
  onFault: (error: unknown, deliveryId?: string) => void;
};

/** The functions are for other features. */
export type Webhooks = Feature & {
  wakeEndpointsOf(tx: Transaction, partnerId: string): Promise<void>;
  readonly deleteHistory: typeof deletePartnerHistory;
  /** The number of lanes that this process owns. */
  lanes(): number;
  /** What is pending on the whole platform. */
  readonly backlog: StatsOperations['backlog'];
  readonly laneStates: typeof selectLaneStates;
};

export function createWebhooks(options: Options): Webhooks {
  const {
    db,
    access,
    secrets,
    keys,
    enqueueMail,
    baseUrl,
    allowedCidrs,
    allowHttp,
    retentionMs,
    delivers,
    isAlone,
  } = options;
  const destinations = createDestinations({ allowedCidrs, allowHttp });
  const headers = createHeaderSealer(secrets);
  // A batch of 4 MiB that consists of empty lists needs half of this heap.
  const pool = createPool({
    script: new URL('./events/thread.ts', import.meta.url),
    threads: 2,
    maxHeapMiB: 384,
  });
  const checks = createDataChecks({ pool, onOldPattern: options.onOldPattern });
  const eventTypes = createEventTypes({ db, checks });
  const onDelete = { before: lockPublishing, after: cancelDeliveriesOf };
  const verify = createVerifyCaptured(keys);
  const receivers = createSandboxReceivers({ db, baseUrl, verify });
  const deliveries = createDeliveries({ db });
  const replays = createReplays({ db, count: deliveries.count });
  const endpoints = createEndpoints({
    ...{ db, destinations, headers, onDelete },
    isReceiverOf: receivers.isReceiverOf,
    sendWaiting: replays.sendWaiting,
  });
  const stats = createStats({ db });
  const engine = delivers
    ? createEngine({
        ...options,
        destinations,
        headers,
        signers: keys.signers,
        notifyDisabled: createNotifyDisabled({ enqueueMail, baseUrl }),
        replay: replays.step,
        isReceiver: receivers.isReceiverOfEndpoint,
      })
    : null;
  return {
    wakeEndpointsOf: endpoints.wakeAll,
    deleteHistory: deletePartnerHistory,
    lanes: () => engine?.lanes() ?? 0,
    backlog: stats.backlog,
    laneStates: selectLaneStates,
    routes(server) {
      registerEndpointRoutes(server, { endpoints, access });
      registerEventTypeRoutes(server, { eventTypes, access });
      registerEventRoutes(server, {
        events: createEvents({
          ...{ db, access, eventTypes, checks, pool },
          handOver: engine ?? noHandOver,
          ...{ observer: options.observer, tracing: options.tracing },
        }),
        access,
      });
      registerDeliveryRoutes(server, { deliveries, access });
      registerAttemptRoutes(server, {
        attempts: createAttempts({ db, userAgents: options.userAgents }),
        access,
      });
      registerRecoveryRoutes(server, { recoveries: createRecoveries({ db }), access });
      registerReplayRoutes(server, { replays, access });
      registerStatsRoutes(server, { stats, access });
      registerFailingRoutes(server, { list: createListFailing({ db }), access });
      registerHeldRoutes(server, { db, access });
      registerSandboxReceiverRoutes(server, { receivers, access, rateLimit: options.rateLimit });
      registerDebugRoutes(server, { verifyCaptured: verify, access });
    },
    tasks: [...historyTasks(retentionMs), releaseHeld],
    clockSetBack: makeEarlierDue,
    async start() {
      await ensurePartitions(db);
      // Before this process claims lanes, and before its workers start.
      if (isAlone) await releaseAllLanes(db);
      await engine?.start();
    },
    stop: async (patienceMs) => engine?.stop(patienceMs),
    close: pool.stop,
  };
}
