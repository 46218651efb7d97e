// The composition root: builds the service from its parts, starts and stops it. The only file that knows every feature.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import sql from 'sql-template-tag';
import {
  createAccountParts,
  createSessions,
  type EnqueueMail,
  ensureFirstOperator,
  forgetExpired,
  type Providers,
  registerAccountRoutes,
  registerProviderRoutes,
  registerTokenRoutes,
  registerUserRoutes,
} from './accounts/index.ts';
import {
  createAccess,
  createAgreements,
  createInviteByMail,
  createPermissionGroups,
  createServiceAccounts,
  createVisiblePartners,
  declareAccess,
  grantedIfAny,
  grantedTo,
  registerAgreementRoutes,
  registerGroupRoutes,
  registerServiceAccountRoutes,
} from './agreements/index.ts';
import { createDenials } from './audit/index.ts';
import type { Config } from './config.ts';
import { registerHealth } from './http/health.ts';
import { forgetOldAnswers } from './http/idempotency.ts';
import { createLimits } from './http/limits.ts';
import { registerOpenApi } from './http/openapi.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { createOutbox, createSender, createTransport } from './mail/index.ts';
import { createPartners, createPurge, registerPartnerRoutes } from './partners/index.ts';
import { connectDatabase } from './postgres/connection.ts';
import { createDatabase, type Database } from './postgres/database.ts';
import { migrate } from './postgres/migrations.ts';
import { createListen } from './postgres/notifications.ts';
import { createTaskRunner, type TaskRunner } from './postgres/scheduled-tasks.ts';
import { createSealer, type Secret } from './sealing.ts';
import { loadSecrets } from './secrets.ts';
import { createSigningKeys, registerSigningKeyRoutes } from './signing-keys/index.ts';
import {
  createDeliveries,
  createDestinations,
  createEndpoints,
  createEngine,
  createEvents,
  createEventTypes,
  createHistory,
  createNoticeDisabled,
  createRecoveries,
  createVerifyCaptured,
  emptyPartner,
  queueSettings,
  registerDebugRoutes,
  registerDeliveryRoutes,
  registerEndpointRoutes,
  registerEventRoutes,
  registerEventTypeRoutes,
} from './webhooks/index.ts';

type Options = {
  config: Config;
  logger: Logger;
  /** Tells the person who started it what goes on. */
  announce: (line: string) => void;
  /** For measurements: another one in its place. */
  createDatabase?: typeof createDatabase;
};

export type Service = {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly tasks: TaskRunner;
  /** Finishes what is in flight (7 s at most), then stops everything, the database last. */
  stop(): Promise<void>;
};

/** What was started, to be stopped in the opposite order, also when a later step of the start fails. */
type Started = (() => Promise<void>)[];

export async function startService(options: Options): Promise<Service> {
  const started: Started = [];
  const stop = async () => {
    for (let undo = started.pop(); undo; undo = started.pop()) {
      // One that fails must not keep the others from ending.
      await undo().catch((err) => options.logger.error({ err }, 'stopping failed'));
    }
  };
  try {
    return { ...(await startParts(options, started)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  { config, logger, announce, createDatabase: create = createDatabase }: Options,
  started: Started,
): Promise<Omit<Service, 'stop'>> {
  const { connection, stop: stopDatabase } = await connectDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.CONCORD_DATA_DIR,
    progress: announce,
    onCrash: (message) => logger.error(message),
  });
  started.push(stopDatabase);
  await migrate(connection, announce);
  // Not the error itself: the pool hangs its client on it, with all that it knows.
  const onConnectionLost = ({ message }: Error) => logger.warn({ reason: message }, 'database connection lost');
  const db = create({ connection, onConnectionLost });
  started.push(() => db.close());

  const secrets = await loadSecrets({
    db,
    dataDir: config.CONCORD_DATA_DIR,
    configured: config.CONCORD_SECRETS,
    announce,
  });
  let stopping = false;
  const isReady = async () =>
    !stopping &&
    (await db.query(sql`select 1`).then(
      () => true,
      () => false,
    ));
  const outbox = createOutbox({ db, sealer: createSealer(secrets, 'mail') });
  const sender = createSender({
    outbox,
    transport: createTransport({
      smtpUrl: config.CONCORD_SMTP_URL,
      from: config.CONCORD_MAIL_FROM,
      outboxDir: join(config.CONCORD_DATA_DIR, 'outbox'),
    }),
    onFailure: ({ error, ...failure }) => logger.error({ err: error, ...failure }, 'mail was not sent'),
  });
  const enqueueMail: EnqueueMail = async (on, mail) => {
    await outbox.enqueue(on, mail);
    // If a transaction has it, it is found at the next look at the latest.
    sender.wake();
  };
  const parts = { config, logger, db, secrets, isReady, enqueueMail };
  const { server, passwords, denials, signingKeys } = await buildServer(parts);
  await ensureFirstOperator({
    db,
    passwords,
    email: config.CONCORD_OPERATOR_EMAIL,
    password: config.CONCORD_OPERATOR_PASSWORD,
    announce,
  });

  const history = createHistory({ db, retentionMs: config.CONCORD_WEBHOOK_RETENTION });
  await signingKeys.ensure();
  await history.ensure();

  const tasks = createTaskRunner({
    db,
    tasks: [forgetOldAnswers, forgetExpired, createPurge(emptyPartner), signingKeys.rotation, ...history.tasks],
    onFailure: (task, err) => logger.error({ err, task }, 'scheduled task failed'),
  });
  started.push(() => denials.settle());
  tasks.start();
  started.push(() => tasks.stop());
  sender.start();
  started.push(() => sender.stop());

  const { CONCORD_ROLE: role } = config;
  /** Of its own: however many requests wait for a connection, webhooks go on. */
  const createEngineDatabase = () => {
    const own = createDatabase({ connection, maxConnections: 4, settings: queueSettings, onConnectionLost });
    started.push(() => own.close());
    return own;
  };
  const engine = role === 'api' ? null : buildEngine({ ...parts, db: createEngineDatabase(), signingKeys, connection });
  let engineStopped: Promise<void> | undefined;
  const stopEngine = async () => {
    engineStopped ??= engine?.stop(patienceMs);
    await engineStopped;
  };
  started.push(stopEngine);
  await engine?.start();

  const listening = role === 'worker' ? await buildHealthServer(parts) : server;
  await listen(listening, config);
  started.push(async () => {
    stopping = true;
    // Both at once: Docker's own patience is 10 s.
    await Promise.all([closeServer(listening), stopEngine()]);
  });
  const { port } = listening.server.address() as AddressInfo;
  return { url: `http://${hostInUrl(config.HOST)}:${port}`, tasks };
}

/** What is in flight is finished, for so long. */
const patienceMs = 7_000;

async function closeServer({ server, close }: HttpServer): Promise<void> {
  // A connection that becomes idle only now is closed too; one that stays busy is given up.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
  try {
    await close();
  } finally {
    clearInterval(sweep);
    clearTimeout(patience);
  }
}

type Parts = {
  config: Config;
  logger: Logger;
  db: Database;
  secrets: readonly Secret[];
  isReady: () => Promise<boolean>;
  enqueueMail: EnqueueMail;
};

/** The server with every route; it uses the database only when it is called. */
export async function buildServer({ config, logger, db, secrets, isReady, enqueueMail }: Parts) {
  const baseUrl = baseUrlOf(config);
  const server = createHttpServer({ logger, trustedProxies: config.CONCORD_TRUSTED_PROXIES });
  const limits = createLimits(config.CONCORD_RATE_LIMIT);
  const { accounts, secondFactor, users, passwords, tokens, guards, audited } = createAccountParts({
    db,
    secrets,
    baseUrl,
    enqueueMail,
    guarded: config.CONCORD_RATE_LIMIT !== 'off',
    providers: providersOf(config),
  });
  const sessions = createSessions({ db });
  const denials = createDenials({ db, onFailure: (err) => logger.error({ err }, 'a denied attempt was not recorded') });
  const operatorsNeedSecondFactor = config.CONCORD_OPERATOR_MFA === 'required';
  const access = createAccess({ db, sessions, limits, operatorsNeedSecondFactor });
  const invite = createInviteByMail({ enqueue: enqueueMail, baseUrl });
  const agreements = createAgreements({ db, invitations: guards.invitations, invite });
  const groups = createPermissionGroups({ db });
  const serviceAccounts = createServiceAccounts({ db, tokens });
  const signingKeys = createSigningKeys({ db, sealer: createSealer(secrets, 'signing keys') });
  const endpoints = createEndpoints({ db, destinations: destinationsOf(config), sealer: createSealer(secrets, headersPurpose) });
  const eventTypes = createEventTypes({ db });
  const visiblePartners = createVisiblePartners({ db, operatorsNeedSecondFactor });
  const partners = createPartners({ db, visiblePartners, onRestored: endpoints.wakeAll });

  declareAccess(server, denials);
  await registerOpenApi(server, limits.perAddress);
  registerHealth(server, isReady);
  const accountAccess = {
    anyone: limits.perAddress,
    signedIn: access.accountInSession,
    withToken: access.account,
    either: access.accountIfAny,
    principalOf: (request: FastifyRequest) => grantedTo(request).principal,
    actorOf: (request: FastifyRequest) => grantedTo(request).actor,
    principalIfAny: (request: FastifyRequest) => grantedIfAny(request)?.principal ?? null,
  };
  registerAccountRoutes(server, { accounts, secondFactor, audited, access: accountAccess });
  registerProviderRoutes(server, { accounts, access: accountAccess, baseUrl });
  registerUserRoutes(server, { users, access: access.onPlatform(null), admitted: grantedTo });
  registerTokenRoutes(server, { db, tokens, inSession: access.inSession, admitted: grantedTo });
  registerAgreementRoutes(server, { agreements, access });
  registerGroupRoutes(server, { groups, access });
  registerServiceAccountRoutes(server, { serviceAccounts, access });
  registerPartnerRoutes(server, { partners, access });
  registerSigningKeyRoutes(server, { db, keys: signingKeys, access, anyone: limits.perAddress });
  registerEndpointRoutes(server, { endpoints, access });
  registerEventTypeRoutes(server, { eventTypes, access });
  registerEventRoutes(server, { events: createEvents({ db, eventTypes }), access });
  registerDeliveryRoutes(server, { deliveries: createDeliveries({ db }), recoveries: createRecoveries({ db }), access });
  registerDebugRoutes(server, { verifyCaptured: createVerifyCaptured(signingKeys), access });
  server.closeMethods();
  await server.ready();
  return { server, passwords, denials, signingKeys };
}

/** Of a process that sends webhooks and does nothing else over HTTP. */
async function buildHealthServer({ config, logger, isReady }: Parts): Promise<HttpServer> {
  const server = createHttpServer({ logger, trustedProxies: config.CONCORD_TRUSTED_PROXIES });
  registerHealth(server, isReady);
  server.closeMethods();
  await server.ready();
  return server;
}

type EngineParts = Parts & { signingKeys: ReturnType<typeof createSigningKeys>; connection: PoolConfig };

function buildEngine({ config, logger, db, secrets, enqueueMail, signingKeys, connection }: EngineParts) {
  const baseUrl = baseUrlOf(config);
  const { CONCORD_WEBHOOK_BASE_URL: live = null, CONCORD_WEBHOOK_SANDBOX_BASE_URL: sandbox = null } = config;
  return createEngine({
    db,
    listen: createListen(connection),
    destinations: destinationsOf(config),
    sealer: createSealer(secrets, headersPurpose),
    signing: signingKeys.signing,
    retrySchedule: config.CONCORD_WEBHOOK_RETRY_SCHEDULE,
    timeoutMs: config.CONCORD_WEBHOOK_TIMEOUT,
    concurrency: config.CONCORD_WEBHOOK_CONCURRENCY,
    proxyUrl: config.CONCORD_WEBHOOK_PROXY_URL,
    userAgents: { live: `Concord (${live ?? baseUrl})`, sandbox: `Concord (${sandbox ?? `${baseUrl}/sandbox`})` },
    noticeDisabled: createNoticeDisabled({ enqueue: enqueueMail, baseUrl }),
    recover: createRecoveries({ db }).step,
    onFault: (err, deliveryId) => logger.error({ err, delivery_id: deliveryId }, 'delivering webhooks failed'),
  });
}

const headersPurpose = 'webhook headers';
const baseUrlOf = ({ CONCORD_BASE_URL, HOST, PORT }: Config) => CONCORD_BASE_URL ?? `http://${hostInUrl(HOST)}:${PORT}`;
const destinationsOf = (config: Config) =>
  createDestinations({ allowedCidrs: config.CONCORD_WEBHOOK_ALLOWED_CIDRS, allowHttp: config.CONCORD_WEBHOOK_ALLOW_HTTP });

function providersOf(config: Config): Providers {
  const client = (clientId: string | null, clientSecret: string | null) =>
    clientId === null || clientSecret === null ? undefined : { clientId, clientSecret };
  const oidc = client(config.CONCORD_OIDC_CLIENT_ID, config.CONCORD_OIDC_CLIENT_SECRET);
  return {
    google: client(config.CONCORD_GOOGLE_CLIENT_ID, config.CONCORD_GOOGLE_CLIENT_SECRET),
    github: client(config.CONCORD_GITHUB_CLIENT_ID, config.CONCORD_GITHUB_CLIENT_SECRET),
    microsoft: client(config.CONCORD_MICROSOFT_CLIENT_ID, config.CONCORD_MICROSOFT_CLIENT_SECRET),
    oidc: oidc && config.CONCORD_OIDC_ISSUER !== null ? { ...oidc, issuer: config.CONCORD_OIDC_ISSUER } : undefined,
  };
}

async function listen(server: HttpServer, { HOST, PORT }: Config): Promise<void> {
  try {
    await server.listen({ host: HOST, port: PORT });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${PORT} on ${HOST} is in use. Stop what listens there, or set PORT to another.`, {
        cause,
      });
    if (code === 'EACCES') throw new Error(`Port ${PORT} may not be opened by this user. Set PORT to one above 1023.`, { cause });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`HOST ${HOST} is not an address of this machine.`, { cause });
    throw cause;
  }
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);
