// The entry point of webhooks: event types, endpoints, events, deliveries, replays, and the engine that sends.
import type { Access, ReachOf } from '../access/index.ts';
import type { Secret } from '../base/config-values.ts';
import { createDestinations, type LookUp } from '../base/egress/index.ts';
import type { Feature } from '../base/feature.ts';
import type { Window } from '../base/limits/index.ts';
import type { EnqueueMail } from '../base/mail/index.ts';
import type { Database, OpenDatabase, Transaction } from '../base/postgres/database.ts';
import type { Listen } from '../base/postgres/notifications.ts';
import { createPool } from '../base/threads/pool.ts';
import type { Tracing } from '../base/tracing/index.ts';
import { builtInEventTypes } from './catalogue/built-in.ts';
import { createDataChecks } from './catalogue/data-checks.ts';
import { createImport } from './catalogue/documents/imports.ts';
import { createEventTypes } from './catalogue/event-types.ts';
import { tellOfDeprecations } from './catalogue/notices.ts';
import { registerCatalogueRoutes, registerEventTypeRoutes } from './catalogue/routes.ts';
import { ensureBuiltIn } from './catalogue/store.ts';
import { createCheckpoints } from './checkpoints/checkpoints.ts';
import { registerCheckpointRoutes } from './checkpoints/routes.ts';
import { createNotifyDisabled } from './delivering/disabled-notice.ts';
import { createEngine } from './delivering/engine.ts';
import { createClientCertificates } from './endpoints/client-certificates.ts';
import { createEndpoints, type DeleteEndpoint } from './endpoints/endpoints.ts';
import { createRetryTerms, type RetrySettings } from './endpoints/retry-terms.ts';
import { registerEndpointRoutes, registerEndpointSecretRoutes } from './endpoints/routes.ts';
import { createSealings } from './endpoints/secrets.ts';
import { createSigningSecrets } from './endpoints/signing-secret.ts';
import { deleteEndpoint as deleteEndpointRow } from './endpoints/store.ts';
import type { Environment } from './environments.ts';
import { createDeliveries } from './history/deliveries/deliveries.ts';
import { registerDeliveryRoutes } from './history/deliveries/routes.ts';
import { cancelDeliveriesOf } from './history/deliveries/store.ts';
import { registerStatsRoutes } from './history/endpoint-statistics/routes.ts';
import { createStats, type StatsOperations } from './history/endpoint-statistics/stats.ts';
import { createReplays } from './history/replays/replays.ts';
import { registerReplayRoutes } from './history/replays/routes.ts';
import { releaseRestored } from './history/restored/restored.ts';
import { registerRestoredRoutes } from './history/restored/routes.ts';
import { ensurePartitions, historyTasks } from './history/retention/history.ts';
import { noHandOver } from './lanes/hand-over.ts';
import type { WebhookObserver } from './lanes/observer.ts';
import { makeEarlierDue, releaseAllLanes } from './lanes/store.ts';
import { createEvents } from './publishing/events.ts';
import { createFeed } from './publishing/feed.ts';
import { createFilterCheck } from './publishing/filter-check.ts';
import { createPublisher } from './publishing/publisher.ts';
import type { Draft } from './publishing/read-drafts.ts';
import { registerEventRoutes, registerTrialRoutes } from './publishing/routes.ts';
import { lockPublishing } from './publishing/store.ts';
import type { SigningKeys } from './signing-keys/index.ts';
import { registerDebugRoutes } from './tools/debug/routes.ts';
import { createVerifyCaptured } from './tools/debug/verify-captured.ts';
import { createEndpointChecks } from './tools/endpoint-check/checks.ts';
import { registerEndpointCheckRoutes } from './tools/endpoint-check/routes.ts';
import { createCheckRunner } from './tools/endpoint-check/runner.ts';
import { createListeners } from './tools/listeners/listeners.ts';
import { createRelay } from './tools/listeners/relay.ts';
import { registerListenerRoutes } from './tools/listeners/routes.ts';
import { createSandboxReceivers } from './tools/sandbox-receiver/receivers.ts';
import { registerSandboxReceiverRoutes } from './tools/sandbox-receiver/routes.ts';

export {
  type BuiltInEventType,
  builtInEventTypes,
  isReserved,
  webhookDescriptions,
} from './catalogue/built-in.ts';
export { isPlatformType } from './catalogue/platform-types.ts';
export { seenBy } from './catalogue/store.ts';
export { createRetryTerms } from './endpoints/retry-terms.ts';
export { backlog } from './history/endpoint-statistics/schema.ts';
export { chooseRestored, readRestored, releaseSome } from './history/restored/restored.ts';
export { deletePartnerHistory, selectMissingWeeks } from './history/retention/store.ts';
export type { WebhookObserver } from './lanes/observer.ts';
export { selectLaneStates } from './lanes/store.ts';
export type { Draft } from './publishing/read-drafts.ts';

/** What an installation sets. */
export type WebhookSettings = RetrySettings & {
  allowedCidrs: readonly string[];
  allowHttp: boolean;
  retentionMs: number;
  /** False: this process sends no webhooks. */
  delivers: boolean;
  /** True: the database is embedded in this process, so nobody else sends yet. Workers get its URL. */
  isAlone: boolean;
  concurrency: number;
  proxyUrl: URL | null;
  /** A live endpoint gets nothing before its check has passed. */
  requiresCheck: boolean;
  /** The User-Agent of webhooks. */
  userAgents: Record<Environment, string>;
};

type Options = WebhookSettings & {
  db: Database;
  /** Opens another pool on the same database. */
  openDatabase: OpenDatabase;
  listen: Listen;
  access: Access;
  reachOf: ReachOf;
  secrets: readonly Secret[];
  keys: SigningKeys;
  enqueueMail: EnqueueMail;
  lookUp: LookUp;
  baseUrl: string;
  rateLimit: Window;
  observer: WebhookObserver;
  tracing: Tracing;
  onFault: (error: unknown, deliveryId?: string) => void;
};

/** The functions are for other features. */
export type Webhooks = Feature & {
  wakeEndpointsOf(tx: Transaction, partnerId: string): Promise<void>;
  /** Publishes in the name of the service. A producer id that was published before publishes nothing. */
  publishOwn(partnerId: string, drafts: readonly Draft[]): Promise<void>;
  /** The number of lanes that this process owns. */
  lanes(): number;
  /** What is pending on the whole platform. */
  readonly backlog: StatsOperations['backlog'];
};

export function createWebhooks(options: Options): Webhooks {
  const { db, reachOf, secrets, keys, baseUrl, retentionMs, delivers } = options;
  const destinations = createDestinations(options);
  const sealings = createSealings(secrets);
  const retryTerms = createRetryTerms(options);
  const sending = { ...options, destinations, sealings, retryTerms, signers: keys.signers };
  const pool = startThreads();
  const dataChecks = createDataChecks({ pool });
  const eventTypes = createEventTypes({ db, checks: dataChecks, reachOf });
  const verify = createVerifyCaptured(keys);
  const receivers = createSandboxReceivers({ db, baseUrl, verify });
  const history = createHistory(db);
  const endpoints = createEndpoints({
    ...sending,
    deleteEndpoint,
    isReceiverOf: receivers.isReceiverOf,
    sendWaiting: history.replays.sendWaiting,
  });
  const relay = createRelay(options);
  const listeners = createListeners({ db, relay, endpoints, deleteEndpoint });
  const engine = delivers
    ? createEngine({
        ...sending,
        notifyDisabled: createNotifyDisabled(options),
        replay: history.replays.step,
        createChecks: (parts) => createCheckRunner({ ...sending, ...parts }),
        isReceiver: receivers.isReceiverOfEndpoint,
        askListener: relay.ask,
      })
    : null;
  const publisher = createPublisher({ ...options, handOver: engine?.deliverer ?? noHandOver });
  const checkpoints = createCheckpoints({ ...options, publisher });
  return {
    wakeEndpointsOf: endpoints.wakeAll,
    publishOwn: (partnerId, drafts) => publisher.own({ partnerId, drafts }),
    lanes: () => engine?.deliverer.lanes() ?? 0,
    backlog: history.stats.backlog,
    routes(server) {
      const operations = {
        ...options,
        ...history,
        endpoints,
        eventTypes,
        receivers,
        checkpoints,
        listeners,
        verifyCaptured: verify,
        signingSecrets: createSigningSecrets({ db, ...sealings }),
        certificates: createClientCertificates({ db, ...sealings }),
        importTypes: createImport({ db, checks: dataChecks }),
        events: createEvents({ db, eventTypes, checks: dataChecks, pool, publisher }),
        feed: createFeed(db),
        checkFilter: createFilterCheck({ db, pool }),
        endpointChecks: createEndpointChecks({ db }),
      };
      for (const register of registrations) register(server, operations);
    },
    tasks: [
      ...historyTasks(db, retentionMs),
      releaseRestored,
      ...listeners.tasks,
      ...checkpoints.tasks,
      tellOfDeprecations(options),
    ],
    clockSetBack: makeEarlierDue,
    async start() {
      await prepare(options);
      await endpoints.applyPolicy(options.requiresCheck);
      await relay.start();
      await engine?.start();
    },
    async stop(patienceMs) {
      await listeners.stop();
      await engine?.stop(patienceMs);
      await relay.stop();
    },
    close: pool.stop,
  };
}

/** Before this process claims lanes, and before its workers start. */
async function prepare({ db, isAlone }: Options): Promise<void> {
  await ensurePartitions(db);
  await db.transaction((tx) => ensureBuiltIn(tx, builtInEventTypes));
  if (isAlone) await releaseAllLanes(db);
}

const startThreads = () =>
  createPool({
    script: new URL('./publishing/thread.ts', import.meta.url),
    threads: 2,
    // A batch of 4 MiB that consists of empty lists needs half of this heap.
    maxHeapMiB: 384,
  });

const deleteEndpoint: DeleteEndpoint = async (tx, partnerId, endpointId) => {
  await lockPublishing(tx, partnerId);
  await deleteEndpointRow(tx, endpointId);
  await cancelDeliveriesOf(tx, endpointId);
};

function createHistory(db: Database) {
  const deliveries = createDeliveries({ db });
  return {
    deliveries,
    replays: createReplays({ db, count: deliveries.count }),
    stats: createStats({ db }),
  };
}

const registrations = [
  registerEndpointRoutes,
  registerEndpointSecretRoutes,
  registerCatalogueRoutes,
  registerEventTypeRoutes,
  registerEventRoutes,
  registerTrialRoutes,
  registerDeliveryRoutes,
  registerReplayRoutes,
  registerStatsRoutes,
  registerRestoredRoutes,
  registerSandboxReceiverRoutes,
  registerEndpointCheckRoutes,
  registerCheckpointRoutes,
  registerListenerRoutes,
  registerDebugRoutes,
];
