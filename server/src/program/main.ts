// The program: reads argv and the environment, and serves or runs a command. Signals stop it.
import { type Logger, pino } from 'pino';
import { openLog, toPretty, toTerminal } from '../base/log.ts';
import { noTracing, type Tracing } from '../base/tracing/index.ts';
import type { Setup } from '../people/index.ts';
import { baseUrlOf, type Config, hasWorkers } from './config.ts';
import { run } from './run.ts';
import type { Service } from './service.ts';
import { answerParent, startWorkerProcesses } from './worker-processes.ts';

// Each can have texts of others: of a backup, of the database, of a server.
const say = (text: string) => void process.stdout.write(`${toTerminal(text)}\n`);
const complain = (text: string) => void process.stderr.write(`${toTerminal(text)}\n`);

// A closed terminal or a full disk must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
// A command says what is nowhere else, such as a password.
if (process.argv.length > 2)
  process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    complain(`The output is lost: ${message}`);
    process.once('exit', () => {
      process.exitCode ||= 1;
    });
  });

/**
 * `onStart` gets the function that reads the metrics of this process. `isBeside`: another process started
 * this one.
 */
async function serve(
  config: Config,
  announce: (line: string) => void,
  onStart: (readValues: Service['readValues']) => void = () => {},
  isBeside = false,
): Promise<void> {
  const stopRequested = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
  });
  let started = false;
  void stopRequested.then((signal) => {
    if (started) return;
    // Nothing is in flight during the start. The database ends when this process ends.
    complain(`Stopped during the start (${signal}).`);
    process.exit(1);
  });
  // Assigned before the first line that it is asked about.
  let tracing: Tracing = noTracing;
  const logger = createLogger(config, () => tracing.ids());
  // A worker beside another process starts later than that. Its lines would follow the link on the screen.
  if (isBeside && logger.level === 'info') logger.level = 'warn';
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = config;
  if (collector !== null) {
    const { createTracing } = await import('../base/tracing/open-telemetry.ts');
    const onProblem = (err: unknown) => logger.warn({ err }, 'traces cannot be sent to the collector');
    tracing = createTracing({ url: `${collector}/v1/traces`, onProblem });
  }
  const { startService } = await import('./service.ts');
  let setup: Setup | undefined;
  const service = await startService({
    config,
    logger,
    announce,
    announceSetup: (open) => {
      setup = open;
    },
    tracing,
    ...(hasWorkers(config) && { startWorkers: workersOf(config, logger) }),
  });
  started = true;
  logger.level = config.CONCORD_LOG_LEVEL;
  onStart(service.readValues);
  announce(welcome(config, service.url, setup));
  const signal = await stopRequested;
  announce(`Stopping (${signal})…`);
  await service.stop();
  announce('Stopped.');
}

/**
 * One text, since programs wait for its first line. It ends with the address to open, which a person sees
 * last.
 */
function welcome(
  { CONCORD_ROLE: role, CONCORD_BASE_URL: baseUrl }: Config,
  url: string,
  setup: Setup | undefined,
): string {
  const ready = `Concord is ready at ${url}`;
  if (role === 'worker') return ready;
  const body = JSON.stringify({ email: setup?.email, password: '<password>' }).replaceAll("'", `'\\''`);
  const toOpen = setup
    ? [
        `Without a browser, sign in as ${setup.email}:`,
        `  curl ${url}/api/auth/sign-in/email -H 'Content-Type: application/json' -d '${body}'`,
        'Open this link in your browser to set up Concord. It works once, for 24 hours:',
        `  ${setup.link}`,
      ]
    : [`The console: ${baseUrl ?? url}/console/`];
  return [ready, `Documentation: ${url}/docs`, ...toOpen].join('\n');
}

function createLogger(config: Config, traceIds: Tracing['ids']): Logger {
  const output = openLog(1);
  return pino(
    {
      level: config.CONCORD_LOG_LEVEL,
      ...(config.OTEL_EXPORTER_OTLP_ENDPOINT !== null && { mixin: () => traceIds() ?? {} }),
    },
    (config.CONCORD_LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json')) === 'json'
      ? output
      : { write: (line: string) => void output.write(toPretty(line)) },
  );
}

/** Their base URL is that of this process, since they sign requests and write mails in its name. */
const workersOf = (config: Config, logger: Logger) => (databaseUrl: string | null, onEnd: () => void) =>
  startWorkerProcesses({
    count: config.CONCORD_WORKERS,
    environment: {
      CONCORD_ROLE: 'worker',
      CONCORD_WORKERS: '0',
      HOST: '127.0.0.1',
      PORT: '0',
      CONCORD_BASE_URL: baseUrlOf(config),
      CONCORD_METRICS_PORT: '',
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    },
    onStart: (worker) => logger.info({ worker }, 'a worker process was started'),
    onEnd(reason) {
      onEnd();
      logger.error(reason, 'a worker process ended; another one will be started');
    },
  });

async function work(config: Config): Promise<void> {
  if (!process.send) throw new Error('worker is started by another Concord: set CONCORD_ROLE=worker.');
  // The process that started it is gone.
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
  return serve(config, () => {}, answerParent, true);
}

// Read by glibc. A thread that waits for a resolver would keep the process after its findings.
if (process.argv[2] === 'doctor') process.env.RES_OPTIONS ??= 'timeout:2 attempts:1';

process.exitCode = await run(process.argv.slice(2), process.env, {
  say,
  complain,
  serve: (config) => serve(config, say),
  work,
});
// What hangs, such as a connection, must not keep the process.
setTimeout(() => process.exit(), 1_000).unref();
