// The composition root: builds the infrastructure, then the features. Adding a feature touches one line of `createFeatures`.
import type { Logger } from 'pino';
import { createAccess, createGuesses, createReachOf, createReadStandings } from './access/index.ts';
import { createAccounts } from './accounts/index.ts';
import { createAgreements } from './agreements/index.ts';
import { createDenials, type Denials } from './audit/index.ts';
import { createAuditLog } from './audit-log/index.ts';
import { accountSettingsOf, baseUrlOf, type Config, hostInUrl, mailSettingsOf, webhookSettingsOf } from './config.ts';
import type { Secret } from './config-values.ts';
import { createConsole } from './console/index.ts';
import { createEvaluations } from './evaluations/index.ts';
import { createServer, type ErasePerson, type Feature } from './feature.ts';
import { createLimits } from './http/limits.ts';
import { closeServer, openPort } from './http/listen.ts';
import { registerOpenApi } from './http/openapi.ts';
import { createIdempotency } from './idempotency/index.ts';
import { createMail } from './mail/index.ts';
import { createPartners } from './partners/index.ts';
import { createExport } from './personal-data/index.ts';
import { createPlatform } from './platform/index.ts';
import { connectDatabase } from './postgres/connection.ts';
import { createDatabase, type Database, type DatabaseOptions } from './postgres/database.ts';
import { migrate } from './postgres/migrations.ts';
import { createListen, type Listen } from './postgres/notifications.ts';
import { createTaskRunner, type TaskRunner } from './postgres/scheduled-tasks.ts';
import { createSearch } from './search/index.ts';
import { loadSecrets } from './secrets/index.ts';
import { createSigningKeys } from './signing-keys/index.ts';
import { createStatistics } from './statistics/index.ts';
import { createWebhooks, webhookDescriptions } from './webhooks/index.ts';

export type Service = {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly tasks: TaskRunner;
  /** Finishes requests and deliveries in flight (7 s at most), then stops everything, the database last. */
  stop(): Promise<void>;
};

type Options = {
  config: Config;
  logger: Logger;
  /** Prints a line for the person who started the service. */
  announce: (line: string) => void;
  /** Another implementation, for measurements. */
  createDatabase?: typeof createDatabase;
};

/** What features are built from. Building features makes no connection. */
export type Infrastructure = Pick<Options, 'config' | 'logger' | 'announce'> & {
  db: Database;
  openDatabase: (options: Pick<DatabaseOptions, 'maxConnections' | 'settings'>) => Database;
  listen: Listen;
  secrets: readonly Secret[];
  denials: Denials;
};

/** Requests and deliveries in flight get this time to finish. Docker waits 10 s before it kills a process. */
const patienceMs = 7_000;

export async function startService({ config, logger, announce, ...given }: Options): Promise<Service> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) {
      await step().catch((err) => logger.error({ err }, 'stopping failed'));
    }
  };
  try {
    const { DATABASE_URL: databaseUrl, CONCORD_DATA_DIR: dataDir, CONCORD_SECRETS: configured, CONCORD_ROLE: role } = config;
    const onCrash = (message: string) => logger.error(message);
    const { connection, stop: stopDatabase } = await connectDatabase({ databaseUrl, dataDir, progress: announce, onCrash });
    undo.push(stopDatabase);
    await migrate(connection, announce);
    // The error itself is not logged: the pool attaches its client, which has the credentials.
    const onConnectionLost = ({ message }: Error) => logger.warn({ reason: message }, 'database connection lost');
    const onNotificationLost = (err: Error) => logger.warn({ err }, 'deliverers were not notified; they poll');
    const database = { connection, onConnectionLost, onNotificationLost };
    const openDatabase = (more: Partial<DatabaseOptions>) => (given.createDatabase ?? createDatabase)({ ...database, ...more });
    const db = openDatabase({});
    undo.push(db.close);
    const secrets = await loadSecrets({ db, dataDir, configured, announce });
    const denials = createDenials({ db, onFailure: (err) => logger.error({ err }, 'a denied attempt was not recorded') });
    undo.push(denials.settle);

    const parts = { config, logger, announce, db, openDatabase, listen: createListen(connection), secrets, denials };
    const features = createFeatures(parts);
    const tasks = createTaskRunner({
      db,
      tasks: features.flatMap((feature) => feature.tasks ?? []),
      onFailure: (task, err) => logger.error({ err, task }, 'scheduled task failed'),
    });
    let ready = true;
    const isReady = async () => ready && (await db.isAlive());
    const options = { logger, trustedProxies: config.CONCORD_TRUSTED_PROXIES, isReady };
    const server = await createServer(role === 'worker' ? [] : features, options);
    undo.push(async () => void (await Promise.all(features.map((feature) => feature.close?.()))));
    undo.push(async () => {
      ready = false;
      // In parallel, so that together they take no longer than `patienceMs`. One failure must not end the wait for the others.
      const stops = features.map(async (feature) => feature.stop?.(patienceMs));
      const ended = await Promise.allSettled([closeServer(server, patienceMs), tasks.stop(), ...stops]);
      for (const each of ended) if (each.status === 'rejected') logger.error({ err: each.reason }, 'stopping failed');
    });
    for (const feature of features) await feature.start?.();
    tasks.start();
    const port = await openPort(server, { host: config.HOST, port: config.PORT });
    return { url: `http://${hostInUrl(config.HOST)}:${port}`, tasks, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The features, in the order in which they start and register their routes. */
export function createFeatures(infrastructure: Infrastructure): Feature[] {
  const { config, logger, announce, db, secrets, denials } = infrastructure;
  const baseUrl = baseUrlOf(config);
  const operatorsNeedSecondFactor = config.CONCORD_OPERATOR_MFA === 'required';
  const [limits, guesses] = [createLimits(config.CONCORD_RATE_LIMIT), createGuesses(config.CONCORD_RATE_LIMIT)];
  const access = createAccess({ db, limits, guesses, denials, operatorsNeedSecondFactor });
  const reachOf = createReachOf({ db, operatorsNeedSecondFactor });
  const mail = createMail({
    db,
    secrets,
    ...mailSettingsOf(config),
    onFailure: ({ error, ...failure }) => logger.error({ err: error, ...failure }, 'mail was not sent'),
  });
  const { enqueue: enqueueMail } = mail;
  const erasePerson: ErasePerson = async (tx, leaver) => {
    for (const feature of features) await feature.erasePerson?.(tx, leaver);
  };
  const accounts = createAccounts({
    ...{ db, access, secrets, baseUrl, enqueueMail, erasePerson },
    ...accountSettingsOf(config, announce),
    onProviderFailure: (err) => logger.warn({ err }, 'the OpenID Connect provider was not discovered'),
  });
  const signingKeys = createSigningKeys({ db, access, secrets });
  const webhooks = createWebhooks({
    ...infrastructure,
    ...webhookSettingsOf(config),
    ...{ access, keys: signingKeys.keys, enqueueMail, baseUrl },
    onOldPattern: (eventType) => logger.warn({ event_type: eventType }, 'a pattern of this event type should be replaced (W12)'),
    onFault: (err, deliveryId) => logger.error({ err, delivery_id: deliveryId }, 'delivering webhooks failed'),
  });
  const features: Feature[] = [
    createIdempotency(),
    access,
    { routes: (server) => registerOpenApi(server, { access: access.anyone, webhooks: webhookDescriptions }) },
    accounts,
    createAgreements({
      ...{ db, access, enqueueMail, baseUrl, operatorsNeedSecondFactor },
      ...{ tokens: accounts.tokens, invitationGuard: accounts.invitationGuard },
    }),
    createPartners({ db, access, reachOf, onRestored: webhooks.wakeEndpointsOf, deleteHistory: webhooks.deleteHistory }),
    signingKeys,
    mail,
    createStatistics(webhookSettingsOf(config)),
    webhooks,
    createAuditLog({ db, access, secrets, retentionMs: config.CONCORD_AUDIT_RETENTION }),
    createEvaluations({ access, baseUrl, denials, readStandings: createReadStandings({ db, operatorsNeedSecondFactor }) }),
    createSearch({ db, access, reachOf }),
    createPlatform({
      ...{ db, access, role: config.CONCORD_ROLE, mailQueue: mail.queue, backlog: webhooks.backlog, lanes: webhooks.lanes },
      onFailure: (err) => logger.error({ err }, 'the sign of life was not written'),
    }),
    createConsole({ access: access.anyone }),
  ];
  return [...features, createExport({ db, access, accounts, features })];
}
