// The features, each built from the infrastructure. Adding a feature touches one line here.
import type { Logger } from 'pino';
import { createAccess, createGuesses, createReachOf } from '../access/index.ts';
import { completeChallenge, createAgreements } from '../agreements/index.ts';
import type { Denials } from '../audit/index.ts';
import { createBrowserSession } from '../base/browser-session/index.ts';
import type { Secret } from '../base/config-values.ts';
import { createLookups } from '../base/egress/index.ts';
import type { ErasePerson, Feature } from '../base/feature.ts';
import { registerOpenApi } from '../base/http/openapi.ts';
import { createIdempotency } from '../base/idempotency/index.ts';
import { createLimits } from '../base/limits/index.ts';
import { createMail } from '../base/mail/index.ts';
import type { Database, OpenDatabase } from '../base/postgres/database.ts';
import type { Listen } from '../base/postgres/notifications.ts';
import { type Tracing, traceRequests } from '../base/tracing/index.ts';
import { version } from '../base/version.ts';
import { createConsole } from '../console/index.ts';
import { createAuditLog } from '../insight/audit-log/index.ts';
import { createEvaluations } from '../insight/evaluations/index.ts';
import { createMetrics, type Instruments, type ProcessValues, readers } from '../insight/metrics/index.ts';
import { createExport } from '../insight/personal-data/index.ts';
import { createPlatformEvents } from '../insight/platform-events/index.ts';
import { createSearch } from '../insight/search/index.ts';
import { createPlatform, createTraffic, selectDatabaseState } from '../insight/status/index.ts';
import { createPartners } from '../partners/index.ts';
import { createAccounts, type Setup } from '../people/index.ts';
import { createPublished } from '../published/index.ts';
import {
  createRetryTerms,
  createWebhooks,
  deletePartnerHistory,
  webhookDescriptions,
} from '../webhooks/index.ts';
import { createSigningKeys } from '../webhooks/signing-keys/index.ts';
import { createStatistics } from '../webhooks/statistics/index.ts';
import {
  accountSettingsOf,
  baseUrlOf,
  type Config,
  consoleSettingsOf,
  hasWorkers,
  identitySettingsOf,
  mailSettingsOf,
  signingSettingsOf,
  webhookSettingsOf,
} from './config.ts';

/** What features are built from. Building features makes no connection. */
type Infrastructure = {
  config: Config;
  logger: Logger;
  announce: (line: string) => void;
  announceSetup?: ((setup: Setup) => void) | undefined;
  db: Database;
  openDatabase: OpenDatabase;
  listen: Listen;
  secrets: readonly Secret[];
  denials: Denials;
  instruments: Instruments;
  tracing: Tracing;
  /** Reads from the worker processes. */
  workerValues: () => Promise<readonly ProcessValues[]>;
};

function createGround(infrastructure: Infrastructure) {
  const { config, logger, db, secrets, denials, instruments } = infrastructure;
  const operatorsNeedSecondFactor = config.CONCORD_OPERATOR_MFA === 'required';
  const limits = createLimits({
    openDatabase: infrastructure.openDatabase,
    window: config.CONCORD_RATE_LIMIT,
    isShared: config.CONCORD_RATE_LIMIT_STORE === 'postgres',
    onFailure: (err) =>
      logger.warn({ err }, 'requests are not counted together; this instance counts for itself'),
  });
  const guesses = createGuesses(config.CONCORD_RATE_LIMIT);
  const access = createAccess({
    db,
    limits,
    guesses,
    denials,
    onRead: instruments.accessRead,
    operatorsNeedSecondFactor,
  });
  const mail = createMail({
    db,
    secrets,
    ...mailSettingsOf(config),
    onFailure: ({ error, ...failure }) => {
      instruments.mailFailed();
      logger.error({ err: error, ...failure }, 'mail was not sent');
    },
  });
  return {
    ...infrastructure,
    baseUrl: baseUrlOf(config),
    operatorsNeedSecondFactor,
    limits,
    guesses,
    access,
    reachOf: createReachOf({ db, operatorsNeedSecondFactor }),
    mail,
    enqueueMail: mail.enqueue,
    // One for all, since hanging names would otherwise take all threads.
    lookUp: createLookups(config.CONCORD_WEBHOOK_TIMEOUT),
  };
}

type Ground = ReturnType<typeof createGround>;

function createSending(ground: Ground) {
  const { config, logger, db, access, secrets, instruments } = ground;
  const signingKeys = createSigningKeys({
    db,
    access,
    secrets,
    ...signingSettingsOf(config),
    onChosen(signer) {
      logger.info({ signer }, 'the signer of webhooks is chosen');
      instruments.signerChosen(signer);
    },
    onBroken: (err) => logger.warn({ err }, 'the native signer does not work; the crypto of Node signs'),
  });
  const traffic = createTraffic();
  const webhooks = createWebhooks({
    ...ground,
    ...webhookSettingsOf(config),
    keys: signingKeys.keys,
    rateLimit: config.CONCORD_RATE_LIMIT,
    observer: {
      ...instruments.webhooks,
      published(environment, events, deliveries) {
        instruments.webhooks.published(environment, events, deliveries);
        traffic.published(events);
      },
    },
    onFault: (err, deliveryId) =>
      logger.error({ err, delivery_id: deliveryId }, 'delivering webhooks failed'),
  });
  instruments.watchLanes(webhooks.lanes);
  return { signingKeys, traffic, webhooks };
}

function createInsight(ground: Ground, { traffic, webhooks }: ReturnType<typeof createSending>): Feature[] {
  const { config, logger, announce, db, access } = ground;
  return [
    createAuditLog({
      db,
      access,
      secrets: ground.secrets,
      retentionMs: config.CONCORD_AUDIT_RETENTION,
    }),
    createEvaluations(ground),
    createSearch(ground),
    createPlatformEvents({ db, isOn: config.CONCORD_PLATFORM_EVENTS, publish: webhooks.publishOwn }),
    createPlatform({
      db,
      access,
      role: config.CONCORD_ROLE,
      backlog: webhooks.backlog,
      lanes: webhooks.lanes,
      traffic,
      retentionMs: webhookSettingsOf(config).retentionMs,
      onFailure: (err) => logger.error({ err }, 'the heartbeat was not written'),
    }),
    createMetrics({
      instruments: ground.instruments,
      access,
      workers: ground.workerValues,
      wantedWorkers: hasWorkers(config) ? config.CONCORD_WORKERS : 0,
      db: ground.openDatabase({ pool: 'metrics', maxConnections: 1 }),
      readers: { ...readers, backlog: webhooks.backlog, database: selectDatabaseState },
      host: config.CONCORD_METRICS_HOST,
      port: config.CONCORD_METRICS_PORT,
      announce,
      onFailure: (err, values) => logger.warn({ err, values }, 'metrics were not read'),
    }),
  ];
}

/** The features, in the order in which they start and register their routes. */
export function createFeatures(infrastructure: Infrastructure): Feature[] {
  const ground = createGround(infrastructure);
  const { config, logger, db, access, secrets, baseUrl, enqueueMail } = ground;
  const erasePerson: ErasePerson = async (tx, person) => {
    for (const feature of features) await feature.erasePerson?.(tx, person);
  };
  const accounts = createAccounts({
    db,
    access,
    secrets,
    baseUrl,
    enqueueMail,
    erasePerson,
    ...accountSettingsOf(config, ground.announce),
    ...(ground.announceSetup && { announceSetup: ground.announceSetup }),
    onChallengeMet: completeChallenge,
    onProviderFailure: (err) => logger.warn({ err }, 'the OpenID Connect provider was not discovered'),
  });
  const sending = createSending(ground);
  const { webhooks } = sending;
  const browserSession = createBrowserSession({ baseUrl });
  const features: Feature[] = [
    { routes: (server) => traceRequests(server, ground.tracing) },
    browserSession,
    ground.limits,
    access,
    {
      routes: (server) =>
        registerOpenApi(server, { access: access.anyone.hook, baseUrl, webhooks: webhookDescriptions }),
    },
    accounts,
    createAgreements({
      ...ground,
      ...identitySettingsOf(config),
      connectionSignIn: accounts.connectionSignIn,
      invitationGuard: accounts.invitationGuard,
    }),
    // After agreements: erasing waits there for requests whose answers are then blanked.
    createIdempotency(),
    createPartners({
      ...ground,
      onRestored: webhooks.wakeEndpointsOf,
      deleteHistory: deletePartnerHistory,
    }),
    sending.signingKeys,
    ground.mail,
    createStatistics(webhookSettingsOf(config)),
    webhooks,
    ...createInsight(ground, sending),
    createConsole({
      access: access.anyone.hook,
      isSetUp: accounts.isSetUp,
      settings: {
        base_url: baseUrl,
        version,
        cookie_sign_in: browserSession.cookieSignIn,
        endpoint_retries: createRetryTerms(webhookSettingsOf(config)).described,
        ...consoleSettingsOf(config),
      },
      onProblem: (err) => logger.warn({ err }, 'the console is not served'),
    }),
    createPublished({
      access,
      baseUrl,
      onProblem: (what, err) =>
        logger.warn(
          { err },
          what === 'packages'
            ? 'the packages are not served; build them with: npm run packages -- --build'
            : 'the documents are not served; the folder docs is missing',
        ),
    }),
  ];
  return [...features, createExport({ db, access, accounts, features })];
}
