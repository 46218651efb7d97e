// Every setting: its name, description, default and parser.
import { resolve } from 'node:path';
import {
  durationBetween,
  integerBetween,
  oneOf,
  parseBaseUrl,
  parseBoolean,
  parseCidrs,
  parseCollectorUrl,
  parseDatabaseUrl,
  parseDnsServers,
  parseHost,
  parseIssuer,
  parseMailFrom,
  parsePassword,
  parsePort,
  parseProxies,
  parseProxyUrl,
  parsePublicUrl,
  parseRateLimit,
  parseSchedule,
  parseSecrets,
  parseSmtpUrl,
  parseWorkers,
} from '../base/config-values.ts';
import { parseEmail } from '../base/email.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

export type Setting<T> = {
  readonly description: string;
  /** Parsed like any value. Without it, a setting that is not set is null. */
  readonly default?: string;
  /** The value can come from the file NAME_FILE. */
  readonly secret?: true;
  readonly parse: (text: string) => T;
};

const setting = <T>(definition: Setting<T> & { default: string }): Setting<T> => definition;
const optional = <T>(definition: Setting<T>): Setting<T | null> => definition;

/** config.ts requires both or neither. */
function credentialsOf<P extends string>(provider: P, name: string) {
  return {
    [`CONCORD_${provider}_CLIENT_ID`]: optional({
      description: `The client id for ${name}.`,
      parse: String,
    }),
    [`CONCORD_${provider}_CLIENT_SECRET`]: optional({
      description: `The secret of CONCORD_${provider}_CLIENT_ID.`,
      secret: true,
      parse: String,
    }),
  } as Record<`CONCORD_${P}_CLIENT_ID` | `CONCORD_${P}_CLIENT_SECRET`, Setting<string | null>>;
}

export const settings = {
  HOST: setting({
    description: 'The address to listen on. `0.0.0.0` means every IPv4 interface, `::` means IPv6 as well.',
    default: '127.0.0.1',
    parse: parseHost,
  }),
  PORT: setting({
    description: 'The port to listen on. 0 picks a free port.',
    default: '3000',
    parse: parsePort,
  }),
  CONCORD_BASE_URL: optional({
    description:
      'The URL at which clients reach the service, without a path. Default: `http://HOST:PORT` (B13).',
    parse: parseBaseUrl,
  }),
  CONCORD_DATA_DIR: setting({
    description: 'The folder for the embedded database and for generated secrets.',
    default: './data',
    parse: (text) => resolve(text),
  }),
  DATABASE_URL: optional({
    description:
      'A PostgreSQL server of your own (17 or later): `postgres://user:password@host:5432/database`. `?sslmode=verify-full` turns TLS on, and `&sslrootcert=FILE` names an authority of your own.',
    secret: true,
    parse: parseDatabaseUrl,
  }),
  CONCORD_DATABASE_COPY_URL: optional({
    description:
      'Where `npm run concord -- database copy` copies to: the URL of an empty database. `CONCORD_DATABASE_COPY_URL_FILE=/dev/stdin` reads it from standard input.',
    secret: true,
    parse: parseDatabaseUrl,
  }),
  CONCORD_SECRETS: optional({
    description:
      'The master secrets: `version:value` pairs separated by commas, such as `2:<new>,1:<old>`. Each value has at least 32 characters. ' +
      'The highest version seals new data, and the others open older data. ' +
      'Default: the first start writes one to the file `secrets` in the data directory.',
    secret: true,
    parse: parseSecrets,
  }),
  CONCORD_OPERATOR_EMAIL: setting({
    description: 'The e-mail address of the operator that the first start creates.',
    default: 'operator@concord.local',
    parse: parseEmail,
  }),
  CONCORD_OPERATOR_PASSWORD: optional({
    description:
      'The password of the first operator (12 to 128 characters, T28). Default: the first start generates and prints one. A later change has no effect (R5).',
    secret: true,
    parse: parsePassword,
  }),
  CONCORD_OPERATOR_MFA: setting({
    description:
      '`required`: operators without a second factor get 403 `mfa_required`. Otherwise `optional`.',
    default: 'optional',
    parse: oneOf('optional', 'required'),
  }),
  CONCORD_WEBHOOK_ALLOW_HTTP: setting({
    description: '`true` allows webhooks to http URLs.',
    default: 'false',
    parse: parseBoolean,
  }),
  CONCORD_WEBHOOK_ALLOWED_CIDRS: setting({
    description:
      'Addresses beside the public ones that webhooks may go to, such as `10.1.0.0/16,fd00::/8`. Everyone who may create endpoints can then send requests to them.',
    default: '',
    parse: parseCidrs,
  }),
  CONCORD_DNS_SERVERS: setting({
    description:
      'The DNS servers that are asked for the records of domains, such as `9.9.9.9,[2620:fe::fe]:53`. Default: those of this machine.',
    default: '',
    parse: parseDnsServers,
  }),
  CONCORD_WEBHOOK_RETRY_SCHEDULE: setting({
    description:
      'The delays before a failed attempt is retried: `5s,1m,...` (units ms, s, m, h, d; at most 50 delays of at most 365d). n delays allow n + 1 attempts.',
    default: '5s,1m,5m,30m,2h,5h,10h,14h,20h,24h',
    parse: parseSchedule,
  }),
  CONCORD_WEBHOOK_TIMEOUT: setting({
    description: 'The longest time of an attempt, from look-up to answer (`100ms` to `5m`).',
    default: '15s',
    parse: durationBetween('100ms', '5m'),
  }),
  CONCORD_WEBHOOK_MAX_RETRY_TIME: setting({
    description:
      'The most that the retries of an endpoint with its own schedule add up to (`1m` to `30d`, W68).',
    default: '7d',
    parse: durationBetween('1m', '30d'),
  }),
  CONCORD_WEBHOOK_MAX_TIMEOUT: setting({
    description: 'The longest attempt that an endpoint can ask for (`1s` to `5m`, W68).',
    default: '30s',
    parse: durationBetween('1s', '5m'),
  }),
  CONCORD_WEBHOOK_MAX_DISABLE_AFTER: setting({
    description:
      'The longest time of failures that an endpoint can ask for, until it is disabled (`1h` to `30d`, W68).',
    default: '30d',
    parse: durationBetween('1h', '30d'),
  }),
  CONCORD_WEBHOOK_CONCURRENCY: setting({
    description: 'How many requests to receivers each process makes at the same time (4 to 10000).',
    default: '512',
    parse: integerBetween(4, 10_000),
  }),
  CONCORD_WEBHOOK_PROXY_URL: optional({
    description: 'An egress proxy for webhooks (W22): `http://user:password@proxy:3128`.',
    secret: true,
    parse: parseProxyUrl,
  }),
  CONCORD_REQUIRE_ENDPOINT_CHECK: setting({
    description:
      '`true`: a live endpoint gets no event before its check has passed or was waived (W62). Give every process the same value: that of the last start holds.',
    default: 'false',
    parse: parseBoolean,
  }),
  CONCORD_PLATFORM_EVENTS: setting({
    description:
      '`true`: a partner named Platform gets events about the platform (W66). The first start makes it. Give every process the same value.',
    default: 'false',
    parse: parseBoolean,
  }),
  CONCORD_WEBHOOK_BASE_URL: optional({
    description:
      'The URL that live webhooks name as their sender, with keys at `<URL>/.well-known/jwks.json`. Default: the base URL.',
    parse: parsePublicUrl,
  }),
  CONCORD_WEBHOOK_SANDBOX_BASE_URL: optional({
    description: 'The same URL for sandbox webhooks. Default: `<base URL>/sandbox`.',
    parse: parsePublicUrl,
  }),
  CONCORD_WEBHOOK_RETENTION: setting({
    description: 'How long events, deliveries and attempts are kept (`7d` to `3650d`).',
    default: '90d',
    parse: durationBetween('7d', '3650d'),
  }),
  CONCORD_SIGNER: setting({
    description: '`auto` or `node` (W34).',
    default: 'auto',
    parse: oneOf('auto', 'node'),
  }),
  CONCORD_AUDIT_RETENTION: optional({
    description:
      'How long rows of the audit log are kept (`30d` to `36500d`). Their seals stay. Default: for ever.',
    parse: durationBetween('30d', '36500d'),
  }),
  CONCORD_ROLE: setting({
    description:
      '`api` answers requests and sends no webhooks. `worker` sends webhooks and answers only `/health/*`. `all` does both. `api` and `worker` require DATABASE_URL.',
    default: 'all',
    parse: oneOf('all', 'api', 'worker'),
  }),
  CONCORD_WORKERS: setting({
    description:
      'How many further processes send webhooks (0 to 64; I5). Each takes about 100 MiB. Not with the role `api`.',
    default: 'auto',
    parse: parseWorkers,
  }),
  CONCORD_MAIL_RATE_LIMIT: setting({
    description:
      'How many mails each network address can cause (L10): `<mails>/<seconds>s`, or `off`. Raise it where many people share an address.',
    default: '20/3600s',
    parse: parseRateLimit,
  }),
  CONCORD_SMTP_URL: optional({
    description:
      'The server that sends mail: `smtp://user:password@host:587` (with STARTTLS if the server offers it) or `smtps://`. Default: each mail becomes a file in the folder `outbox` of the data directory.',
    secret: true,
    parse: parseSmtpUrl,
  }),
  CONCORD_MAIL_FROM: setting({
    description: 'The sender of mail, as an address or as `Name <address>`.',
    default: 'Concord <concord@localhost>',
    parse: parseMailFrom,
  }),
  ...credentialsOf('GOOGLE', 'Google (callback: `<base URL>/api/auth/callback/google`)'),
  ...credentialsOf('GITHUB', 'GitHub (callback: `<base URL>/api/auth/callback/github`)'),
  ...credentialsOf('MICROSOFT', 'Microsoft Entra ID (callback: `<base URL>/api/auth/callback/microsoft`)'),
  ...credentialsOf(
    'OIDC',
    'an OpenID Connect provider of your own (callback: `<base URL>/api/auth/callback/oidc`)',
  ),
  CONCORD_OIDC_ISSUER: optional({
    description: 'The issuer of the OpenID Connect provider, an https URL.',
    parse: parseIssuer,
  }),
  CONCORD_RATE_LIMIT: setting({
    description: 'How many requests each credential may make in a time window (L1), or `off`.',
    default: '100/10s',
    parse: parseRateLimit,
  }),
  CONCORD_RATE_LIMIT_STORE: setting({
    description:
      '`memory`: each instance counts requests for itself. `postgres`: one window for all instances (L9), and each request waits for one more statement.',
    default: 'memory',
    parse: oneOf('memory', 'postgres'),
  }),
  CONCORD_TRUSTED_PROXIES: setting({
    description:
      'The proxies whose X-Forwarded-For header is trusted: addresses or CIDRs, separated by commas. ' +
      'Others can have 1,000 connections (L5).',
    default: '',
    parse: parseProxies,
  }),
  CONCORD_METRICS_PORT: optional({
    description: 'The port that serves `/metrics` for Prometheus, without a token. Default: none.',
    parse: parsePort,
  }),
  CONCORD_METRICS_HOST: setting({
    description: 'The address of the metrics port. Everyone who can reach it reads the metrics.',
    default: '127.0.0.1',
    parse: String,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional({
    description:
      'The OpenTelemetry collector that gets traces over OTLP/HTTP: `http://127.0.0.1:4318`. ' +
      'For other `OTEL_*` variables see docs/operating/install.md, Traces.',
    parse: parseCollectorUrl,
  }),
  CONCORD_LOG_FORMAT: optional({
    description:
      '`json` or `pretty`, which is for people. Default: `pretty` in a terminal, otherwise `json`.',
    parse: oneOf('json', 'pretty'),
  }),
  CONCORD_LOG_LEVEL: setting({
    description: `The log level: one of ${logLevels.join(', ')}. The log goes to standard output.`,
    default: 'info',
    parse: oneOf(...logLevels),
  }),
} as const;
