// The life of the service: builds the infrastructure, starts the features, and stops everything in reverse.
import type { Logger } from 'pino';
import { createDenials } from '../audit/index.ts';
import { createServer } from '../base/feature.ts';
import { queueFull } from '../base/http/limit-reached.ts';
import { closeServer, openPort } from '../base/http/listen.ts';
import { createClockWatch } from '../base/postgres/clock-watch.ts';
import { connectDatabase, toUrl } from '../base/postgres/connection.ts';
import { createDatabase, type OpenDatabase } from '../base/postgres/database.ts';
import { migrate } from '../base/postgres/migrations.ts';
import { createListen } from '../base/postgres/notifications.ts';
import { createTaskRunner, type TaskRunner } from '../base/postgres/scheduled-tasks.ts';
import { createTurns } from '../base/postgres/turns.ts';
import { loadSecrets } from '../base/secrets/index.ts';
import { noTracing, type Tracing } from '../base/tracing/index.ts';
import { createInstruments, type Values } from '../insight/metrics/index.ts';
import { version } from '../insight/status/index.ts';
import { baseUrlOf, type Config } from './config.ts';
import { createFeatures } from './features.ts';
import type { WorkerProcesses } from './worker-processes.ts';

export type Service = {
  /** Where it can be reached on this machine, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly tasks: TaskRunner;
  /** The metrics of this process. */
  readValues(): Promise<Values>;
  /** Finishes requests and deliveries in flight (7 s at most), then stops everything, the database last. */
  stop(): Promise<void>;
};

/** How the first operator gets in. The link ends the link of an earlier start. */
export type Setup = { link: string; email: string };

type Options = {
  config: Config;
  logger: Logger;
  /** Prints a line for the person who started the service. */
  announce: (line: string) => void;
  /** Called while no operator has signed in. */
  announceSetup?: (setup: Setup) => void;
  tracing?: Tracing;
  /**
   * Starts the processes that send webhooks beside this one. `databaseUrl` is that of the embedded server,
   * null for one's own.
   */
  startWorkers?: (databaseUrl: string | null, onEnd: () => void) => WorkerProcesses;
  /** Another implementation, for measurements. */
  createDatabase?: typeof createDatabase;
};

/**
 * Of ten connections. What one user does, or what is done about one partner, can wait for a lock of its own,
 * and must leave connections to the others. A user has fewer than a partner: no member refuses the other
 * members.
 */
const turnsOf = { partner: 5, other: 4 };
const maxWaitingTurns = 500;
const requestTurns = {
  shareOf: (owner: string) => (owner.startsWith('partner ') ? turnsOf.partner : turnsOf.other),
  maxWaiting: maxWaitingTurns,
  patienceMs: 5_000,
  refusal: () => queueFull('connections', maxWaitingTurns, 1, 'requests of a user, or about a partner,'),
};

/** Requests and deliveries in flight get this time to finish. Docker waits 10 s before it kills a process. */
const patienceMs = 7_000;

export async function startService({
  config,
  logger,
  announce,
  tracing = noTracing,
  ...given
}: Options): Promise<Service> {
  const undo: (() => Promise<void>)[] = [tracing.stop];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) {
      await step().catch((err) => logger.error({ err }, 'stopping failed'));
    }
  };
  try {
    const {
      DATABASE_URL: databaseUrl,
      CONCORD_DATA_DIR: dataDir,
      CONCORD_SECRETS: configured,
      CONCORD_ROLE: role,
    } = config;
    const onCrash = (message: string) => logger.error(message);
    const { connection, stop: stopDatabase } = await connectDatabase({
      databaseUrl,
      dataDir,
      progress: announce,
      onCrash,
    });
    undo.push(stopDatabase);
    await migrate(connection, announce);
    // The error itself is not logged: the pool attaches its client, which has the credentials.
    const onConnectionLost = ({ message }: Error) =>
      logger.warn({ reason: message }, 'database connection lost');
    const onNotificationLost = (err: Error) =>
      logger.warn({ err }, 'deliverers were not notified; they poll');
    const database = { connection, onConnectionLost, onNotificationLost };
    const instruments = createInstruments({
      databaseDir: databaseUrl === null ? dataDir : null,
      role,
      version,
    });
    const openDatabase: OpenDatabase = ({ pool, ...more }) => {
      const observer = instruments.database.observerOf(pool, tracing);
      const opened = (given.createDatabase ?? createDatabase)({ ...database, ...more, observer });
      instruments.database.watchPool(pool, opened.pool);
      return opened;
    };
    const turns = createTurns(requestTurns);
    const db = openDatabase({ pool: 'requests', turns });
    undo.push(db.close);
    const secrets = await loadSecrets({ db, dataDir, configured, announce });
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
      announceSetup: given.announceSetup,
      db,
      openDatabase,
      listen: createListen(connection),
      secrets,
      denials,
      instruments,
      tracing,
      workerValues: async () => workers?.readValues() ?? [],
    });
    const onClockSetBack = (ms: number) =>
      logger.warn({ ms }, 'the clock of the database was set back; what was due then is made due');
    const allTasks = [
      ...features.flatMap((feature) => feature.tasks ?? []),
      createClockWatch(features, onClockSetBack),
    ];
    instruments.watchTasks(allTasks.map(({ name }) => name));
    const tasks = createTaskRunner({
      db,
      tasks: allTasks,
      onFailure(task, err) {
        instruments.taskFailed(task);
        logger.error({ err, task }, 'scheduled task failed');
      },
    });
    let ready = true;
    const isReady = async () => ready && (await db.isAlive());
    const options = { logger, trustedProxies: config.CONCORD_TRUSTED_PROXIES, isReady, turns };
    const server = await createServer(role === 'worker' ? [] : features, options);
    undo.push(async () => void (await Promise.all(features.map((feature) => feature.close?.()))));
    undo.push(async () => {
      ready = false;
      // In parallel, so that together they take no longer than `patienceMs`. One failure must not end the
      // wait for the others.
      const stops = features.map(async (feature) => feature.stop?.(patienceMs));
      const ended = await Promise.allSettled([
        closeServer(server, patienceMs),
        tasks.stop(),
        workers?.stop(patienceMs),
        ...stops,
      ]);
      for (const each of ended)
        if (each.status === 'rejected') logger.error({ err: each.reason }, 'stopping failed');
    });
    for (const feature of features) await feature.start?.();
    tasks.start();
    workers = given.startWorkers?.(databaseUrl === null ? toUrl(connection) : null, instruments.workerEnded);
    const port = await openPort(server, { host: config.HOST, port: config.PORT });
    return {
      url: baseUrlOf({ ...config, CONCORD_BASE_URL: null, PORT: port }),
      tasks,
      readValues: instruments.read,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
