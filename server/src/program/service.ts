// The life of the service: builds the infrastructure, starts the features, and stops everything in reverse.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createDenials } from '../audit/index.ts';
import { createServer, type Feature } from '../base/feature.ts';
import { queueFull } from '../base/http/limit-reached.ts';
import { closeServer, openPort } from '../base/http/listen.ts';
import { createClockWatch } from '../base/postgres/clock-watch.ts';
import { type Connection, connectDatabase, toUrl } from '../base/postgres/connection.ts';
import { createDatabase, type Database, type OpenDatabase } from '../base/postgres/database.ts';
import { migrate } from '../base/postgres/migrations.ts';
import { createListen } from '../base/postgres/notifications.ts';
import { createTaskRunner, type TaskRunner } from '../base/postgres/scheduled-tasks.ts';
import { createTurns } from '../base/postgres/turns.ts';
import { loadSecrets } from '../base/secrets/index.ts';
import { noTracing, type Tracing } from '../base/tracing/index.ts';
import { createInstruments, type Instruments, type Values } from '../insight/metrics/index.ts';
import type { Setup } from '../people/index.ts';
import { baseUrlOf, type Config, secretSettingsOf } from './config.ts';
import { createFeatures } from './features.ts';
import type { WorkerProcesses } from './worker-processes.ts';

export type Service = {
  /** On this machine, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly tasks: TaskRunner;
  readValues(): Promise<Values>;
  /** Finishes what is in flight (7 s at most), then stops everything, the database last. */
  stop(): Promise<void>;
};

type Options = {
  config: Config;
  logger: Logger;
  /** For the person who started the service. */
  announce: (line: string) => void;
  /** Called while no operator has signed in. */
  announceSetup?: (setup: Setup) => void;
  tracing?: Tracing;
  /** Starts the processes that send webhooks. `databaseUrl`: of the embedded server, or null. */
  startWorkers?: (databaseUrl: string | null, onEnd: () => void) => WorkerProcesses;
};

/**
 * Of ten connections. Requests of one user, or about one partner, can wait for a lock, and must leave
 * connections to others. A user has fewer than a partner, so no member refuses the other members.
 */
const turnsOf = { partner: 5, other: 4 };
const waitingTurns = { maxWaiting: 500, patienceMs: 5_000 };
const requestTurns = {
  ...waitingTurns,
  shareOf: (owner: string) => (owner.startsWith('partner ') ? turnsOf.partner : turnsOf.other),
  refusal() {
    const { maxWaiting, patienceMs } = waitingTurns;
    return queueFull('connections', maxWaiting, 1, 'requests of a user, or about a partner,', patienceMs);
  },
};

/** A proxy sends requests on connections that it keeps, and must not find them closed. */
const drainMs = 1_000;
/** Docker waits 10 s before it kills a process. */
const patienceMs = 7_000;
/** Then nothing waits for a PostgreSQL that hangs. Late workers are killed half a second before. */
const longestStopMs = patienceMs + 2_000;

type Undo = (() => Promise<void>)[];

/** The last step first. After `withinMs`, steps begin without waiting for each other. */
async function unwind(steps: Undo, logger: Logger, withinMs?: number): Promise<void> {
  const late = withinMs === undefined ? [] : [delay(withinMs, undefined, { ref: false })];
  for (let step = steps.pop(); step; step = steps.pop()) {
    await Promise.race([step().catch((err) => logger.error({ err }, 'stopping failed')), ...late]);
  }
}

export async function startService(options: Options): Promise<Service> {
  const { logger, tracing = noTracing } = options;
  const undo: Undo = [tracing.stop];
  const stop = () => unwind(undo, logger);
  try {
    return { ...(await start({ ...options, tracing }, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Traced = Options & { tracing: Tracing };

async function start(options: Traced, outer: Undo): Promise<Omit<Service, 'stop'>> {
  const { config, logger, announce, tracing } = options;
  const { DATABASE_URL: databaseUrl, CONCORD_DATA_DIR: dataDir, CONCORD_ROLE: role } = config;
  const { CONCORD_TRUSTED_PROXIES: trustedProxies } = config;
  const { connection, stop: stopDatabase } = await connectDatabase({
    databaseUrl,
    dataDir,
    progress: announce,
    onCrash: (message) => logger.error(message),
  });
  outer.push(stopDatabase);
  const undo: Undo = [];
  outer.push(() => unwind(undo, logger, longestStopMs));
  await migrate(connection, announce);
  const instruments = createInstruments({
    // It can be a link to another disk.
    databaseDir: databaseUrl === null ? join(dataDir, 'postgres') : null,
    role,
  });
  const openDatabase = createOpenDatabase(options, connection, instruments);
  const turns = createTurns({
    ...requestTurns,
    onNested: (err) => logger.error({ err }, 'a connection inside a transaction'),
  });
  const db = openDatabase({ pool: 'requests', turns });
  undo.push(db.close);
  const secrets = await loadSecrets({ db, ...secretSettingsOf(config), announce });
  const denials = createDenials({
    db,
    onFailure: (err) => logger.error({ err }, 'a denied attempt was not recorded'),
  });
  undo.push(denials.settle);

  let workers: WorkerProcesses | undefined;
  const features = createFeatures({
    config,
    logger,
    announce,
    announceSetup: options.announceSetup,
    db,
    openDatabase,
    listen: createListen(connection),
    secrets,
    denials,
    instruments,
    tracing,
    workerValues: async () => workers?.readValues() ?? [],
  });
  const tasks = createTasks(features, { db, logger, instruments });
  let ready = true;
  const server = await createServer(role === 'worker' ? [] : features, {
    logger,
    trustedProxies,
    isReady: async () => ready && (await db.isAlive()),
    turns,
  });
  undo.push(async () => void (await Promise.all(features.map((feature) => feature.close?.()))));
  undo.push(async () => {
    ready = false;
    const ended = await Promise.allSettled([
      closeServer(server, { patienceMs, drainMs: trustedProxies.length > 0 ? drainMs : 0 }),
      tasks.stop(),
      workers?.stop(patienceMs),
      ...features.map(async (feature) => feature.stop?.(patienceMs)),
    ]);
    for (const each of ended)
      if (each.status === 'rejected') logger.error({ err: each.reason }, 'stopping failed');
  });
  for (const feature of features) await feature.start?.();
  tasks.start();
  workers = options.startWorkers?.(databaseUrl === null ? toUrl(connection) : null, instruments.workerEnded);
  const port = await openPort(server, { host: config.HOST, port: config.PORT });
  const url = baseUrlOf({ ...config, CONCORD_BASE_URL: null, PORT: port });
  return { url, tasks, readValues: instruments.read };
}

const createOpenDatabase =
  ({ logger, tracing }: Traced, connection: Connection, instruments: Instruments): OpenDatabase =>
  ({ pool, ...more }) => {
    const opened = createDatabase({
      connection,
      // The pool attaches its client to the error, with the credentials.
      onConnectionLost: ({ message }) => logger.warn({ reason: message }, 'database connection lost'),
      onNotificationLost: (err) => logger.warn({ err }, 'deliverers were not notified; they poll'),
      ...more,
      observer: instruments.database.observerOf(pool, tracing),
    });
    instruments.database.watchPool(pool, opened.pool);
    return opened;
  };

function createTasks(
  features: readonly Feature[],
  { db, logger, instruments }: { db: Database; logger: Logger; instruments: Instruments },
): TaskRunner {
  const onClockSetBack = (ms: number) =>
    logger.warn({ ms }, 'the clock of the database was set back; what was due then is made due');
  const tasks = [
    ...features.flatMap((feature) => feature.tasks ?? []),
    createClockWatch(features, onClockSetBack),
  ];
  instruments.watchTasks(tasks.map(({ name }) => name));
  return createTaskRunner({
    db,
    tasks,
    onFailure(task, err) {
      instruments.taskFailed(task);
      logger.error({ err, task }, 'scheduled task failed');
    },
  });
}
