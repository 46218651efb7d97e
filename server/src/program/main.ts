// The program: reads argv and the environment, and runs a command. Signals stop it; failures set the exit
// code.
// A command is imported when it runs: all of them take most of a second of processor time.
import { destination, type Logger, pino } from 'pino';
import { toPretty, toTerminal } from '../base/log.ts';
import { noTracing, type Tracing } from '../base/tracing/index.ts';
import { readCommandLine, usage } from './command-line.ts';
import { baseUrlOf, hasWorkers, readConfig } from './config.ts';
import { explain } from './explain.ts';
import type { Service, Setup } from './service.ts';
import { answerParent, startWorkerProcesses } from './worker-processes.ts';

// Each can have texts of others: of a backup, of the database, of a server.
const say = (text: string) => void process.stdout.write(`${toTerminal(text)}\n`);
const complain = (text: string) => void process.stderr.write(`${toTerminal(text)}\n`);

// A closed terminal or a full disk must not turn a stop into a crash.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

async function main(args: string[]): Promise<void> {
  const { command, values } = readCommandLine(args);
  if (values.help) return say(usage);
  if (command === 'doctor') {
    const { doctorCommand } = await import('./commands/doctor/index.ts');
    const isWell = await doctorCommand({ environment: process.env, json: values.json, announce: say });
    process.exitCode = isWell ? 0 : 1;
    return;
  }
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) complain(`Warning: ${warning}`);
  if (command === '') return serve(config, say);
  if (command === 'worker') {
    if (!process.send) throw new Error('worker is started by another Concord: set CONCORD_ROLE=worker.');
    // The process that started it is gone.
    process.once('disconnect', () => process.exit(1));
    process.channel?.unref();
    return serve(config, () => {}, answerParent, true);
  }
  const [name, action = ''] = command.split(' ');
  const given = { ...values, action, config, announce: say, report: complain };
  switch (name) {
    case 'operator':
      return (await import('./commands/operator.ts')).operatorCommand(given);
    case 'keys':
      return (await import('./commands/keys.ts')).keysCommand(given);
    case 'audit':
      return (await import('./commands/audit.ts')).verifyAuditCommand(given);
    case 'backup':
      return (await import('./commands/backup.ts')).backupCommand(given);
    case 'restore':
      return (await import('./commands/restore.ts')).restoreCommand(given);
    case 'pending':
      return (await import('./commands/pending.ts')).pendingCommand(given);
    case 'database':
      return (await import('./commands/database-copy.ts')).copyDatabaseCommand(given);
  }
}

type Config = ReturnType<typeof readConfig>['config'];

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
    const [{ createTracing }, { version }] = await Promise.all([
      import('../base/tracing/open-telemetry.ts'),
      import('../insight/status/index.ts'),
    ]);
    const onProblem = (err: unknown) => logger.warn({ err }, 'traces cannot be sent to the collector');
    tracing = createTracing({ url: `${collector}/v1/traces`, version, onProblem });
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
  const output = destination({ dest: 1, sync: true });
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

try {
  await main(process.argv.slice(2));
} catch (error) {
  complain(explain(error));
  // 1 of the doctor means that it found an error.
  process.exitCode = process.argv[2] === 'doctor' ? 2 : 1;
}
// What hangs, such as a connection, must not keep the process.
setTimeout(() => process.exit(), 1_000).unref();
